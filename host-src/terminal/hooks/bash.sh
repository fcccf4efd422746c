# The rc file of an interactive bash in a terminal of dsh-tty: removes itself, reads the user's own rc as bash would have,
# then marks prompts and commands. The host puts in the words between @.
#
# Hooks run in subshells: there they undo every option, trap and function of the user for themselves, and a DEBUG trap of the
# user does not fire for them. What has to change in the shell itself changes by arithmetic in expansions. The nonce is the
# word list of a completion that nobody asks for: it is in no variable, so `set` does not print it and no program inherits it.
{
  \shopt -u expand_aliases
  \builtin command -p rm -rf -- @FOLDER@ || [[ 1 ]]
  \builtin complete -W @NONCE@ __dsh_key

  __dsh_version=$((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1])) __dsh_on=1
  # What changes is in arrays, which no `set -a` puts into the environment.
  # 0 where the next line goes in the history, 1 whether a command ran since the last prompt, 2 whether it had when the user's
  # part of PROMPT_COMMAND was through, 3 whether a prompt waits, 4 a counter, 5 whether the DEBUG trap is ours.
  __dsh_any=???????????????????????????????? # a nonce
  __dsh_n=(0 1 0 0 0 0) __dsh_none=('') __dsh_if=('' 1) __dsh_user=('')

  # What PROMPT_COMMAND, PS1 and PS0 hold of ours. Nested shells may inherit it: without __dsh_on it does nothing there.
  __dsh_first='if ( __dsh_status=$?; [[ ${__dsh_on-} ]] && __dsh_before 1 ); then ( [[ 1 ]] ); fi 3>&"$((__dsh_n[1]=__dsh_n[3]=0,2))" >/dev/null 2>&1'
  # Before bash 5.1, and where it is exported, it is one text, whose parts see the status that the part before left.
  __dsh_first_text='{ ( __dsh_status=$?; [[ -z ${__dsh_on-} ]] || __dsh_before "$__dsh_status"; \builtin exit "$__dsh_status" ) && ( [[ 1 ]] ); } 3>&"$((__dsh_n[1]=__dsh_n[3]=0,2))" >/dev/null 2>&1'
  __dsh_last='if ( __dsh_status=$? __dsh_trap=$(\builtin trap -p DEBUG); [[ ${__dsh_on-} ]] && __dsh_after ); then __dsh_install; fi 3>&"$((__dsh_n[2]=__dsh_n[1],__dsh_n[1]=__dsh_n[3]=0,2))" >/dev/null 2>&1'
  __dsh_head='\[${__dsh_on:+${__dsh_if[__dsh_n[1]]:+$({ __dsh_instead; } 3>&1 >/dev/null 2>&1)}}\]'
  __dsh_tail='\[${__dsh_on:+$({ __dsh_input; } 3>&1 >/dev/null 2>&1)${__dsh_none[__dsh_n[0]=HISTCMD,__dsh_n[1]=0,__dsh_n[3]=1,0]}}\]'
  __dsh_zero='${__dsh_on:+$({ __dsh_command; } 3>&1 >/dev/null 2>&1)${__dsh_none[__dsh_n[0]=HISTCMD,__dsh_n[1]=1,0]}}'
} 2>/dev/null

# In a subshell: nothing of the user's is in the way, and the nonce is in __dsh_nonce.
__dsh_alone() {
  POSIXLY_CORRECT=1 # makes bash find `unset` before a function of that name
  unset -f builtin complete exit history local printf set shopt trap unset
  trap - DEBUG ERR RETURN
  set +aefkuvx
  shopt -u nocasematch patsub_replacement
  LC_ALL=C
  __dsh_nonce=$(complete -p __dsh_key)
  __dsh_nonce=${__dsh_nonce#*-W }
  __dsh_nonce=${__dsh_nonce#\'}
  __dsh_nonce=${__dsh_nonce:0:32}
}

# In a subshell: __dsh_text, cut and escaped for a mark; __dsh_cut says whether it was cut.
__dsh_escape() {
  local backslash='\' code character
  __dsh_cut=''
  if ((${#__dsh_text} > 8192)); then
    __dsh_text=${__dsh_text:0:8192} __dsh_cut=';t=1'
    # Not within a character.
    for code in 1 2 3; do
      if [[ ${__dsh_text: -1} == [$'\x80'-$'\xbf'] ]]; then __dsh_text=${__dsh_text%?}; fi
    done
    if [[ ${__dsh_text: -1} == [$'\xc0'-$'\xff'] ]]; then __dsh_text=${__dsh_text%?}; fi
  fi
  __dsh_text=${__dsh_text//\\/$backslash$backslash}
  __dsh_text=${__dsh_text//;/${backslash}x3b}
  if [[ $__dsh_text == *[[:cntrl:]]* ]]; then
    for code in 0a 09 0{1..8} 0{b..f} 1{0..9} 1{a..f} 7f; do
      printf -v character "\\x$code"
      __dsh_text=${__dsh_text//"$character"/${backslash}x$code}
    done
  fi
}

# In a subshell, to descriptor 3: the end of what ran, where the shell is, and a prompt.
__dsh_tell() {
  if ((__dsh_version < 404 && !__dsh_n[5])); then return; fi # nobody tells the start
  __dsh_text=${PWD-}
  __dsh_escape
  printf '\e]133;D;%s;k=%s\a\e]133;P;k=%s;d=%s\a\e]133;A;k=%s\a' \
    "$__dsh_status" "$__dsh_nonce" "$__dsh_nonce" "$__dsh_text" "$__dsh_nonce" >&3
}

# In a subshell of PROMPT_COMMAND, before the user's part.
__dsh_before() {
  __dsh_alone
  if [[ -t 3 ]]; then __dsh_tell; fi
  exit "$1"
}

# In a subshell of PROMPT_COMMAND, after the user's part. Status 0 asks for __dsh_install.
__dsh_after() {
  __dsh_alone
  if ((__dsh_n[2])) && [[ -t 3 ]]; then __dsh_tell; fi
  __dsh_choose
  if [[ -z ${__dsh_now[2]} ]]; then __dsh_give_up; fi
  if [[ $__dsh_trap == *__dsh_start* || $__dsh_trap != "trap -- '"* ]]; then
    if __dsh_is_placed && __dsh_is_shown; then exit 1; fi
    exit 0
  fi
  # The user's DEBUG trap would fire for it: only where our text would be seen in the prompt.
  if [[ -z ${__dsh_now[0]} && ${PS1-} == *"$__dsh_tail"* ]]; then exit 0; fi
  exit 1
}

# In a subshell of PS1: a command expands it, and no prompt is made, for which __dsh_before would have run first.
__dsh_is_read() { ((__dsh_n[1])) && __dsh_is_placed; }

# From PS1, where __dsh_before did not run.
__dsh_instead() {
  __dsh_status=$?
  __dsh_alone
  if ! __dsh_is_read; then __dsh_tell; fi
  exit "$__dsh_status" # for a $? in PS1
}

# From PS1.
__dsh_input() {
  __dsh_alone
  if __dsh_is_read; then exit; fi
  printf '\e]133;B;k=%s\a' "$__dsh_nonce" >&3
}

# In a subshell, to descriptor 3: what is no mark but has the nonce, so that none is believed any more. Better than to be
# taken for a shell that waits, or for one whose command goes on.
__dsh_give_up() {
  printf '\e]133;P;k=%s.\a' "$__dsh_nonce" >&3
}

# From PS0. A line that bash did not put into its history is not known: the newest there is another.
__dsh_command() {
  __dsh_alone
  if [[ ${PROMPT_COMMAND[*]-} != *__dsh_* && ${PS1-} != *__dsh_* ]]; then
    __dsh_give_up # nobody would tell the end
  else
    HISTTIMEFORMAT=''
    __dsh_text=$(history 1)
    if [[ $__dsh_text =~ ^\ *([0-9]+)[*\ ]\  ]] && ((BASH_REMATCH[1] >= __dsh_n[0])); then
      __dsh_text=${__dsh_text:${#BASH_REMATCH}}
      __dsh_escape
      printf '\e]133;C;k=%s;c=%s%s\a' "$__dsh_nonce" "$__dsh_text" "$__dsh_cut" >&3
    else
      printf '\e]133;C;k=%s\a' "$__dsh_nonce" >&3
    fi
  fi
}

# The DEBUG trap before bash 4.4, which has no PS0: fires once after a prompt, not for key bindings and completions.
__dsh_start() {
  if ((__dsh_n[3])) && [[ -z ${READLINE_LINE+x}${COMP_LINE+x} ]]; then
    __dsh_n[3]=0 __dsh_n[1]=1
    ( __dsh_command ) >/dev/null 2>&1
  fi
  \builtin : "$1" # leaves $_ as it was
}

# What the prompts have to hold now. Where nothing is expanded in them that is the marks themselves, unless programs would
# inherit those.
__dsh_choose() {
  __dsh_now=("$__dsh_head" "$__dsh_tail" "$__dsh_zero")
  if [[ ${BASHOPTS-promptvars} != *promptvars* ]]; then
    __dsh_now=('' '' '')
    if ((__dsh_version >= 404)) && [[ ${PS0@a}${PS1@a} != *x* ]]; then
      __dsh_now[1]=$({ __dsh_input; } 3>&1 >/dev/null 2>&1)
      __dsh_now[2]=${__dsh_now[1]/B/C}
      __dsh_now[1]="\\[${__dsh_now[1]}\\]"
    fi
  fi
}

__dsh_is_shown() {
  [[ ${PS1-} == "${__dsh_now[0]}"*"${__dsh_now[1]}" && ${PS0-} == *"${__dsh_now[2]}" &&
    ( -n ${__dsh_now[0]} || ${PS1-}${PS0-} != *__dsh_* ) ]]
}

__dsh_is_text() { ((__dsh_version < 501)) || [[ ${PROMPT_COMMAND@a} == *x* ]]; }

__dsh_is_placed() {
  if __dsh_is_text; then
    [[ ${PROMPT_COMMAND-} == "$__dsh_first_text"*"$__dsh_last" ]]
  else
    [[ ${PROMPT_COMMAND-} == "$__dsh_first" && ${PROMPT_COMMAND[-1]-} == "$__dsh_last" ]]
  fi
}

# Puts our parts where they belong, around what the user has there. In the shell itself, so it calls nothing that the user
# could have replaced, and never fails.
__dsh_install() {
  if ((__dsh_version >= 404)); then
    \builtin local -
    \builtin set +au
  fi
  __dsh_choose
  if ((__dsh_version >= 404)) && [[ ${PS0@a} != *r* ]] && ! __dsh_is_shown; then
    PS0=${PS0-}
    PS0=${PS0//$'\e]133;C;k='$__dsh_any$'\a'/}
    PS0=${PS0//"$__dsh_zero"/}${__dsh_now[2]}
  fi
  if ((__dsh_version < 404)) || [[ ${PS1@a} != *r* ]]; then
    if ! __dsh_is_shown; then
      PS1=${PS1-}
      PS1=${PS1//'\['$'\e]133;B;k='$__dsh_any$'\a''\]'/}
      PS1=${PS1//"$__dsh_head"/}
      PS1=${__dsh_now[0]}${PS1//"$__dsh_tail"/}${__dsh_now[1]}
    fi
  fi
  if __dsh_is_placed; then
    [[ 1 ]]
  elif ((__dsh_version >= 404)) && [[ ${PROMPT_COMMAND@a} == *r* ]]; then
    [[ 1 ]] # __dsh_instead does it
  elif __dsh_is_text; then
    __dsh_user=("${PROMPT_COMMAND-}")
    __dsh_user=("${__dsh_user[0]//"$__dsh_first_text"$'\n'/}")
    __dsh_user=("${__dsh_user[0]//$'\n\n'"$__dsh_last"/}")
    PROMPT_COMMAND=$__dsh_first_text$'\n'${__dsh_user[0]}$'\n\n'$__dsh_last
  else
    __dsh_place
  fi
}

# Ours first and last in the array. The first is the element that an assignment to PROMPT_COMMAND means, so that what was
# assigned takes the place of the user's own, which is the second.
__dsh_place() {
  __dsh_commands=("${PROMPT_COMMAND[@]}")
  if [[ ${__dsh_commands[0]-} != "$__dsh_first" && ${__dsh_commands[1]-} == "${__dsh_user[0]}" && ${__dsh_commands[2]-} == "$__dsh_last" ]]; then
    __dsh_commands[1]=''
  fi
  PROMPT_COMMAND=("$__dsh_first")
  for ((__dsh_n[4] = 0; __dsh_n[4] < ${#__dsh_commands[@]}; __dsh_n[4]++)); do
    __dsh_commands[0]=${__dsh_commands[__dsh_n[4]]}
    if [[ ${__dsh_commands[0]} != "$__dsh_first" && ${__dsh_commands[0]} != "$__dsh_last" && ${__dsh_commands[0]} ]]; then
      PROMPT_COMMAND+=("${__dsh_commands[0]//"$__dsh_first"/"${__dsh_user[0]}"}")
    fi
  done
  __dsh_user=("${PROMPT_COMMAND[1]-}")
  PROMPT_COMMAND+=("$__dsh_last")
}

\shopt -s expand_aliases
if ((! @LOGIN@)); then
  if [[ -e ~/.bashrc ]]; then \source ~/.bashrc; fi
else
  if [[ -e /etc/profile ]]; then \source /etc/profile; fi
  if [[ -r ~/.bash_profile ]]; then
    \source ~/.bash_profile
  elif [[ -r ~/.bash_login ]]; then
    \source ~/.bash_login
  elif [[ -r ~/.profile ]]; then
    \source ~/.profile
  fi
fi
# In no function, where the user's DEBUG trap would not be seen; in subshells, where it does not fire.
if ( ((__dsh_version < 404)) ) && ( [[ -z $(\builtin trap -p DEBUG) ]] ); then
  __dsh_n[5]=1
  \builtin trap '{ __dsh_start "$_"; } 3>&2 2>/dev/null' DEBUG
fi >/dev/null 2>&1
{ __dsh_install ''; } >/dev/null 2>&1 # leaves nothing in $_
