# What an interactive fish in a terminal of dsh-tty reads when the user's own configuration is through: removes itself and
# marks prompts and commands. The host puts in the words between @.
#
# Everything is done by events: no function of the user is wrapped, so what they edit and save stays theirs. Fish has no event
# between the prompt and the line, so the mark of the input stands before the prompt's text. The nonce is in the body of a
# function: no variable, so `set` does not print it and no program inherits it.
command rm -rf -- @FOLDER@ 2>/dev/null

function __dsh_nonce
    builtin printf %s @NONCE@
end

function __dsh_escape
    set -l text (builtin string split \n -- $argv[1] | builtin string replace -a \\ \\\\ | builtin string replace -a ';' '\x3b' | builtin string join '\x0a')
    if builtin string match -qr '[[:cntrl:]]' -- $text
        for code in 0{1,2,3,4,5,6,7,8,9,b,c,d,e,f} 1{0,1,2,3,4,5,6,7,8,9,a,b,c,d,e,f} 7f
            set text (builtin string replace -a -- (builtin printf \\x$code) '\x'$code $text)
        end
    end
    builtin printf %s $text
end

function __dsh_prompt --on-event fish_prompt
    set -l before $status
    set -l nonce (__dsh_nonce)
    if not set -q __dsh_told
        builtin printf '\e]133;D;%s;k=%s\a' $before $nonce
    end
    set -e __dsh_told
    builtin printf '\e]133;P;k=%s;d=%s\a\e]133;A;k=%s\a\e]133;B;k=%s\a' $nonce (__dsh_escape $PWD) $nonce $nonce
end

# A line that was given up or cannot be parsed: fish goes on at the prompt that is there.
function __dsh_again --on-event fish_cancel --on-event fish_posterror
    set -l nonce (__dsh_nonce)
    builtin printf '\e]133;D;k=%s\a\e]133;A;k=%s\a\e]133;B;k=%s\a' $nonce $nonce $nonce
end

function __dsh_preexec --on-event fish_preexec
    set -l nonce (__dsh_nonce)
    # A line that the user keeps out of the history is nobody's business.
    if builtin string match -q ' *' -- $argv[1]; or set -q fish_private_mode
        builtin printf '\e]133;C;k=%s\a' $nonce
        return
    end
    set -l cut ''
    if builtin test (builtin string length -- (builtin string replace -a \n ' ' -- $argv[1])) -gt 8192
        set cut ';t=1'
    end
    set -l text (builtin string sub -l 8192 -- $argv[1] | builtin string collect)
    builtin printf '\e]133;C;k=%s;c=%s%s\a' $nonce (__dsh_escape $text) $cut
end

function __dsh_postexec --on-event fish_postexec
    builtin printf '\e]133;D;%s;k=%s\a' $status (__dsh_nonce)
    set -g __dsh_told
end
