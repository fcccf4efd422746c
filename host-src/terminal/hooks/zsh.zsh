# The .zshenv of an interactive zsh in a terminal of dsh-tty: removes itself, gives ZDOTDIR back and reads the user's own
# .zshenv; zsh then reads the other files of the user by itself. The host puts in the words between @.
#
# Hooks are installed at the first prompt, when every file of the user is through, and looked for at each prompt: whoever
# rebuilds the arrays of hooks loses them for one prompt at most. The nonce is in a parameter whose value no listing shows.
{
  \builtin typeset -gH __dsh_nonce=@NONCE@
  \builtin typeset -gi __dsh_ran=0 __dsh_due=0
  \builtin typeset -gH __dsh_mark=''
  if (( @HAS_ZDOTDIR@ )); then
    \builtin export ZDOTDIR=@ZDOTDIR@
  else
    \builtin unset ZDOTDIR
  fi
  \builtin command -p rm -rf -- @FOLDER@
} 2>/dev/null

# Text in $1, escaped and cut, into `text` of the caller; `cut` says whether it was cut.
__dsh_escape() {
  \builtin setopt local_options no_multibyte
  \builtin local -i code
  \builtin local hex
  text=$1 cut=''
  if (( $#text > 8192 )); then
    text=${text[1,8192]} cut=';t=1'
    # Not within a character.
    text=${text%%[$'\xc0'-$'\xff']#[$'\x80'-$'\xbf']#}
  fi
  text=${${text//\\/\\\\}//;/\\x3b}
  if [[ $text == *[[:cntrl:]]* ]]; then
    for code in {1..31} 127; do
      \builtin printf -v hex '\\x%02x' $code
      text=${text//${(#)code}/$hex}
    done
  fi
}

# The end of what ran, with status $1, where the shell is, and a prompt.
__dsh_tell() {
  \builtin local text cut
  __dsh_escape "$PWD"
  \builtin print -rn -- $'\e]133;D;'$1';k='$__dsh_nonce$'\a\e]133;P;k='$__dsh_nonce';d='$text$'\a\e]133;A;k='$__dsh_nonce$'\a' >|/dev/tty
  __dsh_ran=0
}

# Puts the hooks where they belong, ours first before a prompt, and last before a prompt and before a command.
__dsh_place() {
  if [[ ${(t)precmd_functions-} != *readonly* ]]; then
    precmd_functions=(__dsh_precmd ${precmd_functions:#__dsh_(precmd|prompt)} __dsh_prompt)
  fi
  if [[ ${(t)preexec_functions-} != *readonly* ]]; then
    preexec_functions=(${preexec_functions:#__dsh_preexec} __dsh_preexec)
  fi
}

__dsh_is_placed() {
  [[ ${precmd_functions[1]-} == __dsh_precmd && ${precmd_functions[-1]-} == __dsh_prompt && ${preexec_functions[-1]-} == __dsh_preexec ]]
}

# The last mark, at the end of the prompt as long as the prompt waits: programs must not inherit it, nobody must see it.
__dsh_end_prompt() {
  if [[ ${(t)PS1} != *(export|readonly)* && -o prompt_percent && ( -z $__dsh_mark || $PS1 != *"$__dsh_mark" ) ]]; then
    __dsh_mark=$'%{\e]133;B;k='$__dsh_nonce$'\a%}'
    PS1+=$__dsh_mark
  fi
}

# Asks for __dsh_recover at the next prompt, when every hook there was is through.
__dsh_guard() {
  if (( ! __dsh_due )); then
    \builtin sched +0 '{ __dsh_recover } >/dev/null 2>&1' && __dsh_due=1
  fi
}

__dsh_unguard() {
  \builtin local -i at=${zsh_scheduled_events[(i)*__dsh_recover*]}
  if (( at <= $#zsh_scheduled_events )); then \builtin sched -$at; fi
  __dsh_due=0
}

# Runs where hooks were lost or came too early.
__dsh_recover() {
  \builtin local -i before=$?
  \builtin emulate -L zsh -o no_err_exit -o no_err_return -o no_all_export -o no_warn_create_global -o extended_glob
  __dsh_due=0
  if (( __dsh_ran )); then __dsh_tell $before; fi
  __dsh_place
  __dsh_end_prompt
  \builtin return before
}

__dsh_precmd() {
  {
    \builtin local before=$?
    \builtin emulate -L zsh -o no_err_exit -o no_err_return -o no_all_export -o no_warn_create_global -o extended_glob
    __dsh_tell $before
  } >/dev/null 2>&1
}

__dsh_prompt() {
  {
    \builtin emulate -L zsh -o no_err_exit -o no_err_return -o no_all_export -o no_warn_create_global -o extended_glob
    if __dsh_is_placed; then
      __dsh_unguard
      __dsh_end_prompt
    else
      __dsh_place
      __dsh_guard
    fi
  } >/dev/null 2>&1
}

# $1 is the line as typed, $3 what runs.
__dsh_preexec() {
  {
    \builtin local text cut
    \builtin emulate -L zsh -o no_err_exit -o no_err_return -o no_all_export -o no_warn_create_global -o extended_glob
    if [[ -n $__dsh_mark ]]; then
      PS1=${PS1%"$__dsh_mark"}
      __dsh_mark=''
    fi
    __dsh_guard
    # A line that the user keeps out of the history is nobody's business.
    if [[ -o hist_ignore_space && $1 == ' '* ]]; then
      \builtin print -rn -- $'\e]133;C;k='$__dsh_nonce$'\a' >|/dev/tty
    else
      __dsh_escape "${1:-$3}"
      \builtin print -rn -- $'\e]133;C;k='$__dsh_nonce';c='$text$cut$'\a' >|/dev/tty
    fi
    __dsh_ran=1
  } >/dev/null 2>&1
}

{
  \builtin zmodload -F zsh/sched b:sched p:zsh_scheduled_events
  __dsh_ran=1
  precmd_functions+=(__dsh_precmd __dsh_prompt)
  preexec_functions+=(__dsh_preexec)
  __dsh_guard
} >/dev/null 2>&1
if [[ -r ${ZDOTDIR-$HOME}/.zshenv ]]; then \builtin source ${ZDOTDIR-$HOME}/.zshenv; fi
