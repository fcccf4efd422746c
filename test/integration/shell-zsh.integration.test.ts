/** What the hooks of zsh mark, and that the user's own zsh is as it would be without them. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bothWays, ShellTerminal, type ShellOptions } from '../support/shell-terminal.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SHELL = '/usr/bin/zsh'
const zsh = (rc: string, options: Partial<ShellOptions> = {}): ShellOptions => ({
  shell: SHELL,
  ...options,
  files: { '.zshrc': `PS1='%% '\n${rc}\n`, ...options.files },
})

describe('marks of zsh', () => {
  it('say where prompts are, what ran, how it ended, and where the shell is', async () => {
    const terminal = await ShellTerminal.open(zsh('unsetopt prompt_sp'))
    await terminal.line('echo hi')
    await terminal.line('cd /tmp; (exit 7)')
    expect(terminal.kinds).toBe('D0 P A B C D0 P A B C D7 P A B')
    expect(terminal.commands).toEqual([
      { text: 'echo hi', cut: false, exit: '0', output: 'hi\r\n' },
      { text: 'cd /tmp; (exit 7)', cut: false, exit: '7', output: '' },
    ])
    expect(terminal.lastCwd).toBe('/tmp')
    expect(await terminal.leftInShellsFolder()).toEqual([])
  })

  it('have nothing but the filler of zsh behind the output (SZ-01)', async () => {
    const terminal = await ShellTerminal.open(zsh(''))
    await terminal.line('echo hi')
    await terminal.line('true')
    const filler = `\u001b[1m\u001b[7m#\u001b[27m\u001b[1m\u001b[0m${' '.repeat(79)}\r \r`.replace(
      /#/,
      process.getuid?.() === 0 ? '#' : '%',
    )
    expect(terminal.commands.map(({ output }) => output)).toEqual([`hi\r\n${filler}`, filler])
  })

  it('have no command where none ran: an empty line, Ctrl-C, a parse error, an aborted continuation (SZ-11)', async () => {
    const terminal = await ShellTerminal.open(zsh(''))
    expect(await terminal.line('echo )')).toContain('parse error')
    await terminal.line('')
    await terminal.act('half a comm\u0003')
    terminal.type('echo "a\r')
    await terminal.untilText(/dquote> $/)
    await terminal.act('\u0003')
    await terminal.line('true')
    expect(terminal.kinds).toBe('D0 P A B D1 P A B D1 P A B D130 P A B D130 P A B C D0 P A B')
  })

  it('carry the text of multi-line commands, here-documents, and what history expansion made of the line', async () => {
    const terminal = await ShellTerminal.open(zsh(''))
    await terminal.act('for i in 1 2\rdo echo "$i;"\rdone\r')
    await terminal.act('cat <<X\r a\\b\rX\r')
    await terminal.act('!!\r')
    await terminal.act('\u001b[200~false\necho two\u001b[201~\r')
    expect(terminal.commands.map(({ text }) => text)).toEqual([
      'for i in 1 2\ndo echo "$i;"\ndone',
      'cat <<X\n a\\b\nX',
      'cat <<X\n a\\b\nX',
      'false\necho two',
    ])
  })

  it('cut a very long command and say so, and not within a character', async () => {
    const terminal = await ShellTerminal.open(zsh(''))
    await terminal.line(`: a${'中'.repeat(4000)}`)
    const [command] = terminal.commands
    expect(command?.cut).toBe(true)
    expect(command?.text?.replace(/^: a/, '')).toBe('中'.repeat(2729))
  })

  it('escape every control character of a command', async () => {
    const terminal = await ShellTerminal.open(zsh(''))
    await terminal.act(": \u0016\u001b]0;x\u0016\u0007 \u0016\u007f\u0016\u0001 '\\;é'\r")
    expect(terminal.commands[0]?.text).toBe(": \u001b]0;x\u0007 \u007f\u0001 '\\;é'")
    expect(terminal.output).toContain(';c=: \\x1b]0\\x3bx\\x07 \\x7f\\x01 ')
  })

  it('say nothing of a line that the user keeps out of the history', async () => {
    const terminal = await ShellTerminal.open(zsh('setopt hist_ignore_space'))
    await terminal.line(' echo SECRET1')
    await terminal.line('echo one')
    expect(terminal.record).toEqual(['? -> 0', 'echo one -> 0'])
  })

  it.each([
    ['cleared (SZ-09)', 'precmd_functions=(); preexec_functions=()'],
    ['unset', 'unset precmd_functions preexec_functions'],
    ['made anew with what the user has', 'mine(){ print "M=$?" }; precmd_functions=(mine); preexec_functions=(mine)'],
  ])('go on when the arrays of hooks are %s, in the rc and at the prompt', async (_name, line) => {
    const terminal = await ShellTerminal.open(zsh(line))
    await terminal.line('(exit 5)')
    await terminal.line(line)
    await terminal.line('(exit 6)')
    expect(terminal.record).toEqual(['(exit 5) -> 5', `${line} -> 0`, '(exit 6) -> 6'])
  })

  it('go on without the module that calls back', async () => {
    const terminal = await ShellTerminal.open(zsh('zmodload -u zsh/sched'))
    await terminal.line('false')
    await terminal.line('true')
    expect(terminal.record.slice(-1)).toEqual(['true -> 0'])
  })
})

/** Name, rc, lines. What zsh prints has to be the same, and every line that is not empty is a command. */
const SAME: readonly (readonly [string, string, readonly string[]])[] = [
  ['a plain rc', '', ['echo hi', 'false', '', 'echo $?']],
  [
    'precmd and preexec that read the status',
    'u(){ print "U=$? $pipestatus" }; x(){ print "X=$1|$2|$3" }; precmd_functions=(u u); preexec_functions=(x)',
    ['(exit 9)', 'false | (exit 3) | true', ''],
  ],
  [
    'functions precmd and preexec',
    'precmd(){ print "P=$? $pipestatus" }; preexec(){ print "E=$1" }',
    ['(exit 9)', 'false | true', ''],
  ],
  ['setopt nounset (SZ-07)', 'setopt nounset', ['false', 'true', 'echo $-']],
  ['setopt errexit, as long as nothing fails', 'setopt errexit', ['true', '! true', 'echo $?', 'false || echo no']],
  ['setopt allexport', 'setopt allexport', ['env | grep -c dsh_', 'X=1; env | grep ^X=']],
  [
    'options of every kind',
    'setopt extended_glob ksh_arrays sh_word_split null_glob noclobber no_multibyte prompt_bang ksh_glob',
    ['echo hi', 'false', 'echo $-', 'setopt'],
  ],
  [
    'options that hooks could trip over',
    'setopt warn_create_global typeset_silent verbose no_glob; unsetopt prompt_cr',
    ['echo hi', 'false'],
  ],
  [
    'prompt_subst and a prompt that runs something',
    "setopt prompt_subst; PS1='$(print foo)%? %% '",
    ['(exit 4)', '', 'true'],
  ],
  ['a prompt without percent escapes', "unsetopt prompt_percent; PS1='> '", ['echo hi', 'false']],
  [
    'an exported prompt that runs a program',
    `setopt prompt_subst; export PS1='$(env | grep -oE "k=[0-9a-f]{32}" | wc -l) %% '`,
    ['true', 'false', ''],
  ],
  ['an exported prompt', 'export PS1', ['env | grep ^PS1', 'false']],
  [
    'ZDOTDIR that is not set (SZ-03)',
    'print -r -- "Z=${ZDOTDIR-unset}"',
    ['echo ${ZDOTDIR-unset}', "zsh -i -c 'print ${ZDOTDIR-unset}'", 'env | grep -c ZDOTDIR'],
  ],
  ['a DEBUG trap', 'TRAPDEBUG(){ : }', ['true', 'echo hi']],
  [
    'an ERR trap and a signal trap',
    'TRAPZERR(){ print ERR=$? }; TRAPINT(){ print INT; return 130 }',
    ['false', '', 'kill -INT $$', 'true'],
  ],
  ['a trace', '', ['setopt xtrace', 'true', 'echo hi', 'unsetopt xtrace']],
  ['a trace of functions', '', ['setopt xtrace; functions -t precmd_functions 2>/dev/null', 'true', 'set +x']],
  [
    'functions named like builtins',
    'print(){ echo P }; local(){ echo L }; emulate(){ echo E }; setopt(){ echo S }; printf(){ echo F }',
    ['false', 'echo ok', 'typeset(){ echo T }; sched(){ echo D }', 'true'],
  ],
  [
    'aliases over builtins, and global ones',
    "alias print='echo P' local='echo L' builtin='echo B' rm='echo R'; alias -g before=X __dsh_nonce=Y",
    ['false', 'echo ok'],
  ],
  [
    'a theme that writes PS1 at every prompt',
    't(){ PS1="star $? %% " }; precmd_functions+=(t)',
    ['echo hi', 'false', '', 'true'],
  ],
  ['a prompt of two lines and one on the right', "PS1=$'%~\\n%n %% '; RPS1='at %%'", ['echo hi', 'false']],
  [
    'a prompt that redraws itself',
    "zle-line-init(){ PS1='again %% '; zle reset-prompt }; zle -N zle-line-init",
    ['echo hi', 'false'],
  ],
  ['the prompt as the user sees it', '', ['print -r -- $PS1', 'typeset -p PS1', "PS1='new %% '", 'print -r -- $PS1']],
  ['output of the shell sent elsewhere for a while', '', ['exec 5>&1 >log', 'echo hidden', 'exec >&5 5>&-', 'cat log']],
  ['descriptors', 'exec 3>three', ['echo x >&3; cat three', 'ls /proc/self/fd | tr "\\n" " "']],
  ['jobs and the last argument', '', ['echo $! $_', 'jobs', 'echo a b', 'echo $_']],
  ['a command that was not found', 'command_not_found_handler(){ print "NF $1"; return 127 }', ['nonesuch', 'echo $?']],
  ['no history', 'HISTSIZE=0; unset HISTFILE', ['echo one', 'false']],
  [
    'a screen that is cleared, and a full-screen program',
    '',
    ["printf '\\e[H\\e[2J'", "printf '\\e[?1049h full \\e[?1049l'", 'true'],
  ],
]

describe('zsh as it would be without us', () => {
  it.each(SAME)('prints the same with %s', async (_name, rc, lines) => {
    // Where the prompt does not end in its own last character, the cursor goes on to wait behind it.
    const prompt = /[%>] ?\r?(?:E\r\nF\r\n)?$/
    const { ours, plain, terminal } = await bothWays(zsh(rc, { prompt }), lines)
    expect(ours).toBe(plain)
    expect(terminal.kinds.match(/A( B)?( |$)/g)).toHaveLength(lines.length + 1)
    expect(terminal.commands).toHaveLength(lines.filter((line) => line !== '').length)
  })

  const FILES = Object.fromEntries(
    ['.zshenv', '.zprofile', '.zshrc', '.zlogin'].map((name) => [
      name,
      `print -r -- "${name} \${ZDOTDIR-unset} $-"; PS1='%% '\n`,
    ]),
  )

  it.each([
    ['in HOME', FILES, undefined],
    ['in ZDOTDIR', Object.fromEntries(Object.entries(FILES).map(([name, text]) => [`z dir/${name}`, text])), 'z dir'],
    [
      'in a ZDOTDIR that .zshenv sets',
      {
        ...Object.fromEntries(Object.entries(FILES).map(([name, text]) => [`later/${name}`, text])),
        '.zshenv': 'ZDOTDIR=$HOME/later',
      },
      undefined,
    ],
  ])('reads the files of the user %s, in order', async (_name, files, zdotdir) => {
    const told = async (integrated: boolean): Promise<string> => {
      const home = await temporaryFolder()
      for (const [name, text] of Object.entries(files)) {
        await mkdir(join(home, name, '..'), { recursive: true })
        await writeFile(join(home, name), text)
      }
      const env = { HOME: home, ZDOTDIR: zdotdir === undefined ? undefined : join(home, zdotdir) }
      const terminal = await ShellTerminal.open({ shell: SHELL, env, integrated, prompt: /% $/ })
      const lines = ['print -r -- "${ZDOTDIR-unset} $ZSH_EVAL_CONTEXT"', 'zsh -i -c "print -r -- \\${ZDOTDIR-unset}"']
      for (const line of lines) await terminal.line(line)
      if (integrated) expect(terminal.record).toHaveLength(2)
      return terminal.unmarked.replaceAll(home, '~')
    }
    expect(await told(true)).toBe(await told(false))
  })

  it('keeps its history where the user has it (SZ-06)', async () => {
    const history = async (integrated: boolean): Promise<string> => {
      const rc = 'HISTFILE=${ZDOTDIR:-$HOME}/.zh; SAVEHIST=100; HISTSIZE=100'
      const terminal = await ShellTerminal.open({ ...zsh(rc), integrated })
      await terminal.line('echo x')
      terminal.type('exit\r')
      await terminal.exited
      return await readFile(join(terminal.home, '.zh'), 'utf8')
    }
    expect(await history(true)).toBe(await history(false))
    expect(await history(true)).toBe('echo x\nexit\n')
  })

  it('takes the folder of an earlier start for nobody’s (SZ-05)', async () => {
    const terminal = await ShellTerminal.open(zsh('', { zdotdirOfAnEarlierStart: true }))
    expect(await terminal.line('echo "[${ZDOTDIR-unset}]"')).toContain('[unset]')
    expect(terminal.record).toHaveLength(1)
  })

  it('starts without hooks where a file of the system looks at ZDOTDIR', async () => {
    const system = join(await temporaryFolder(), 'zshenv')
    await writeFile(system, ': ${ZDOTDIR:=$HOME/.config/zsh}\n')
    const terminal = await ShellTerminal.open(zsh('', { zshSystemFiles: [system] }))
    await terminal.line('true')
    expect(terminal.marks).toEqual([])
  })
})
