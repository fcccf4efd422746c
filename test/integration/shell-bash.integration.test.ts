/** What the hooks of bash mark, and that the user's own bash is as it would be without them. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bothWays, ShellTerminal, type ShellOptions } from '../support/shell-terminal.ts'

const bash = (rc: string, options: Partial<ShellOptions> = {}): ShellOptions => ({
  shell: '/bin/bash',
  files: { '.bashrc': `PS1='$ '\nHISTFILE=\n${rc}\n` },
  ...options,
})

describe('marks of bash', () => {
  it('say where prompts are, what ran, how it ended, and where the shell is', async () => {
    const terminal = await ShellTerminal.open(bash(''))
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

  it('have no command where none ran: an empty line, Ctrl-C at the prompt, a syntax error (SB-19)', async () => {
    const terminal = await ShellTerminal.open(bash(''))
    await terminal.line('')
    await terminal.act('half a comm\u0003')
    expect(await terminal.line('if; then')).toContain('syntax error near unexpected token')
    expect(terminal.kinds).toBe('D0 P A B D0 P A B D130 P A B D2 P A B')
  })

  it('carry the text of multi-line commands, here-documents, and what history expansion made of the line', async () => {
    const terminal = await ShellTerminal.open(bash(''))
    await terminal.act('for i in 1 2\rdo echo "$i;"\rdone\r')
    await terminal.act('cat <<X\r a\\bc\rX\r')
    await terminal.act('echo "a\rb"\r')
    await terminal.line('!!')
    expect(terminal.commands.map(({ text }) => text)).toEqual([
      'for i in 1 2; do echo "$i;"; done',
      'cat <<X\n a\\bc\nX',
      'echo "a\nb"',
      'echo "a\nb"',
    ])
  })

  it('mark each of several commands of one bracketed paste (SB-21)', async () => {
    const terminal = await ShellTerminal.open(bash(''))
    const text = await terminal.act('\u001b[200~false\necho two\u001b[201~\r')
    expect(text).toContain('two')
    expect(terminal.kinds).toBe('D0 P A B C C D0 P A B')
    expect(terminal.marks.filter(({ kind }) => kind === 'C').map(({ fields }) => fields['c'])).toEqual([
      'false',
      'echo two',
    ])
  })

  it('cut a very long command and say so, and not within a character', async () => {
    const terminal = await ShellTerminal.open(bash(''))
    await terminal.line(`: a${'中'.repeat(4000)}`)
    const [command] = terminal.commands
    expect(command?.cut).toBe(true)
    // 8192 bytes hold ": a" and 2729 whole characters of three bytes.
    expect(command?.text?.replace(/^: a/, '')).toBe('中'.repeat(2729))
  })

  it('escape every control character of a command', async () => {
    const terminal = await ShellTerminal.open(bash(''))
    // Ctrl-V makes the editor take the next character as it is.
    await terminal.act(": \u0016\u001b]0;x\u0016\u0007 \u0016\u007f\u0016\u0001 '\\;é'\r")
    expect(terminal.commands[0]?.text).toBe(": \u001b]0;x\u0007 \u007f\u0001 '\\;é'")
    expect(terminal.output).toContain(';c=: \\x1b]0\\x3bx\\x07 \\x7f\\x01 ')
  })

  it('say nothing of a line that the user keeps out of the history, rather than something else (SB-27)', async () => {
    const terminal = await ShellTerminal.open(bash('HISTCONTROL=ignoreboth'))
    await terminal.line('echo one')
    await terminal.line(' echo SECRET1')
    await terminal.line('echo one')
    await terminal.line('history | grep -c SECRET1; echo $HISTCONTROL')
    expect(terminal.text).toContain('1\r\nignoreboth\r\n') // the grep line itself
    expect(terminal.commands.map(({ text, output }) => [text, output])).toEqual([
      ['echo one', 'one\r\n'],
      [null, 'SECRET1\r\n'],
      [null, 'one\r\n'], // or this one, which bash has left out for being the same
      ['history | grep -c SECRET1; echo $HISTCONTROL', '1\r\nignoreboth\r\n'],
    ])
  })

  it('give no command to a key binding (SB-09)', async () => {
    const terminal = await ShellTerminal.open(bash(`bind -x '"\\C-g": echo W'`))
    terminal.type('\u0007')
    await terminal.untilText(/W\r?\n/)
    await terminal.line('echo real')
    expect(terminal.record).toEqual(['echo real -> 0'])
    expect(terminal.commands[0]?.output).toBe('real\r\n')
  })

  it('tell where the shell is, whatever the directory is called', async () => {
    const terminal = await ShellTerminal.open(bash(''))
    const name = "a;b\\c 'd' 中"
    await terminal.line(`mkdir ${`$'a;b\\\\c \\'d\\' 中'`} && cd a*`)
    expect(terminal.lastCwd).toBe(join(terminal.home, name))
  })
})

/** Name, rc, lines. What bash prints has to be the same, and every line that is not empty is a command. */
const SAME: readonly (readonly [string, string, readonly string[]])[] = [
  ['a plain rc', '', ['echo hi', 'false', '', 'echo $?']],
  [
    'PROMPT_COMMAND that reads $? and PIPESTATUS (SB-01)',
    'u(){ echo "U=$? ${PIPESTATUS[@]} $_"; }; PROMPT_COMMAND=u',
    ['(exit 9)', 'false | (exit 3) | true', '', 'echo $PIPESTATUS'],
  ],
  ['PROMPT_COMMAND that ends in a newline (SB-03)', "f(){ echo F; }; PROMPT_COMMAND=$'f\\n'", ['false', 'true']],
  ['PROMPT_COMMAND that ends in a semicolon (SB-03)', "f(){ echo F; }; PROMPT_COMMAND='f; '", ['false', 'true']],
  [
    'PROMPT_COMMAND that ends in a comment (SB-04)',
    "f(){ echo F; }; PROMPT_COMMAND='f # note'",
    ['true', 'false', 'true'],
  ],
  [
    'PROMPT_COMMAND that ends in a line continuation (SB-04)',
    "f(){ echo F; }; PROMPT_COMMAND='f \\'",
    ['true', 'false', 'true'],
  ],
  ['PROMPT_COMMAND as an array', 'u(){ echo "U$1=$?"; }; PROMPT_COMMAND=("u 1" "false" "u 2")', ['(exit 4)', '']],
  [
    'PROMPT_COMMAND that is exported (SB-17)',
    'PROMPT_COMMAND="echo U=\\$?"; export PROMPT_COMMAND',
    ['(exit 3)', 'env | grep -c ^PROMPT_COMMAND=', 'bash -c true'],
  ],
  ['PROMPT_COMMAND that is readonly (SB-23)', 'readonly PROMPT_COMMAND="echo UPC=\\$?"', ['false', '', 'true']],
  ['set -u (SB-05)', 'set -u', ['false', 'true', 'echo $-']],
  ['set -u and nothing set', 'set -u; unset PS0 PROMPT_COMMAND', ['false', 'true']],
  [
    'set -e, as long as nothing fails',
    'set -e',
    ['true', '! true', 'echo $?', 'false || echo no', 'false && true', 'echo $?'],
  ],
  ['set -a', 'set -a', ['env | grep -c dsh_', 'X=1; env | grep ^X=', 'declare -F -x | grep -c dsh']],
  ['set -f, -k, -C, -v, -T and -E', "set -fkCTE; trap 'echo ERR' ERR", ['echo *', 'false', 'echo $-']],
  ['posix mode', 'set -o posix', ['echo hi', 'false']],
  [
    'extglob, nullglob, failglob, nocasematch and another IFS',
    'shopt -s extglob nullglob failglob nocasematch; IFS=0123:',
    ['echo hi', 'false', 'echo "${IFS}"', 'shopt -p | md5sum'],
  ],
  ['a DEBUG trap (SB-07)', "trap 'echo UT' DEBUG", ['true', '', 'echo a | cat', 'trap -p DEBUG']],
  ['a DEBUG trap that functions inherit', 'set -T; trap \'echo "UT $BASH_COMMAND"\' DEBUG', ['true', '']],
  [
    'a DEBUG trap that counts, and a prompt command that shows it',
    'trap \'n=$((n+1))\' DEBUG; p(){ test -z "$q" || echo "N=$n"; q=1 n=0; }; PROMPT_COMMAND=p',
    ['true', '', 'true; true'],
  ],
  ['a DEBUG trap set at the prompt', '', ["trap 'echo UT' DEBUG", 'true', 'trap - DEBUG', 'true']],
  [
    'a user function named like a builtin (SB-13)',
    '',
    [
      'printf(){ echo HIJACK; }',
      'false',
      'history(){ echo H; }; complete(){ echo C; }; unset(){ echo X; }; exit(){ echo E; }; set(){ echo S; }',
      'true',
    ],
  ],
  [
    'aliases and functions over test, [, history, eval, local (SB-14)',
    "test(){ return 1; }; history(){ echo H; }; trap(){ echo T; }\nalias local='echo L' eval='echo E' builtin='echo B' printf='echo P' exit='echo X' rm='echo R'",
    ['false', 'echo ok'],
  ],
  [
    'a theme that writes PS1 at every prompt (SB-15)',
    'sp(){ PS1="star $? $ "; }; PROMPT_COMMAND=sp',
    ['echo hi', 'false', 'true'],
  ],
  ['PS1 with a command substitution of several lines (SB-16)', '', ["PS1=$'$(\\nprintf foo\\n) \\\\$ '", '', 'true']],
  ['PS1 with $? behind a command substitution', "PS1='$(true)$? $ '", ['(exit 5)', '', 'true']],
  ['a prompt of two lines', "PS1='\\w\\n\\u $ '", ['echo hi', 'false']],
  ['a PS0 of its own', "PS0='[$?]\\n'", ['echo hi', 'false', 'PS0=', 'true']],
  [
    'bracketed colors in PS1, and PROMPT_DIRTRIM',
    "PS1='\\[\\e[32m\\]\\w\\[\\e[0m\\] $ '; PROMPT_DIRTRIM=1",
    ['cd /usr/share', 'false'],
  ],
  ['set -x (SB-11)', '', ['set -x', 'true', 'echo hi', 'set +x']],
  ['set -x in the rc, with a PS4 of its own', "PS4='+$? $LINENO> '; set -x", ['true', 'false']],
  ['a trace that goes to a file', 'exec 7>trace; BASH_XTRACEFD=7', ['set -x; true', 'set +x', 'grep -c 133 trace']],
  [
    'prompt variables that are not expanded',
    '',
    ['shopt -u promptvars', 'echo hi', 'false', 'shopt -s promptvars', 'true'],
  ],
  [
    'output of the shell sent elsewhere for a while',
    '',
    ['exec 5>&1 >log', 'echo hidden', 'exec >&5 5>&-', 'cat log; ls -A'],
  ],
  ['descriptor 3 in use', 'exec 3>three', ['echo x >&3; cat three', 'ls /proc/$$/fd | tr "\\n" " "']],
  ['signals and jobs', "trap 'echo INT' INT; trap 'echo EXIT' EXIT", ['trap', 'jobs', 'kill -INT $$', 'echo $!']],
  ['a nested bash', '', ['bash --norc', 'echo nested', 'exit', 'bash -c "echo $SHLVL"']],
  ['a command that was not found', 'command_not_found_handle(){ echo "NF $1"; return 127; }', ['nonesuch', 'echo $?']],
  ['the default prompt of bash', 'unset PS1; PS1="\\s-\\v\\$ "', ['true', 'false']],
  [
    'a screen that is cleared, and a full-screen program',
    '',
    ["printf '\\e[H\\e[2J'", "printf '\\e[?1049h full \\e[?1049l'", 'true'],
  ],
]

describe('a bash whose system', () => {
  it('gives it aliases over builtins before our file is read', async () => {
    const system = `alias printf='echo P' local='echo L' unset='echo U' complete='echo C' exit='echo E' set='echo S' history='echo H'\n`
    const terminal = await ShellTerminal.open(bash('', { asIf: (hook) => system + hook }))
    await terminal.line('false')
    expect(terminal.record).toEqual(['false -> 1'])
    expect(await terminal.line('alias local')).toContain("alias local='echo L'")
  })

  it.each([
    ['.bash_profile', ['.bash_profile', '.bash_login', '.profile']],
    ['.bash_login', ['.bash_login', '.profile']],
    ['.profile', ['.profile']],
  ])('starts login shells reads %s and no rc of its own accord', async (_name, there) => {
    const files = Object.fromEntries(
      ['.bashrc', ...there].map((file) => [file, `echo "read ${file}"; PS1='$ ' HISTFILE=\n`]),
    )
    const { ours, plain, terminal } = await bothWays({ shell: '/bin/bash', login: true, files }, [
      'false',
      'echo "$PATH"',
    ])
    expect(ours).toBe(plain)
    expect(terminal.record).toEqual(['false -> 1', 'echo "$PATH" -> 0'])
  })
})

describe('marks that can no longer be complete', () => {
  it.each([
    ['nothing is expanded in prompts, and programs would inherit them', 'export PS1; shopt -u promptvars', 'env'],
    ['everything of ours was replaced at once', "PROMPT_COMMAND=() PS1='$ '", 'true'],
  ])('are given up when %s', async (_name, line, next) => {
    const terminal = await ShellTerminal.open(bash(''))
    await terminal.line(line)
    expect(await terminal.line(next)).not.toContain(terminal.nonce)
    // The host believes no mark of a nonce that it has seen anywhere else.
    expect(terminal.output).toContain(`\u001b]133;P;k=${terminal.nonce}.\u0007`)
    expect(terminal.record).not.toContain(`${next} -> 0`)
  })
})

describe('PROMPT_COMMAND assigned at the prompt', () => {
  it.each([
    ['is replaced', 'PROMPT_COMMAND="echo two"'],
    ['is appended to', 'PROMPT_COMMAND+="; echo three"'],
    ['is prepended to', 'PROMPT_COMMAND="echo zero; $PROMPT_COMMAND"'],
    ['gets one more element', 'PROMPT_COMMAND+=("echo four")'],
    ['is made anew', 'PROMPT_COMMAND=("echo five" "echo six")'],
    ['is unset', 'unset PROMPT_COMMAND'],
  ])('%s as without us from the second prompt on, and marks go on', async (_name, line) => {
    // At the first prompt what was there before runs once more: it is an element of its own.
    const told = async (integrated: boolean): Promise<ShellTerminal> => {
      const terminal = await ShellTerminal.open({ ...bash('PROMPT_COMMAND="echo one"'), integrated })
      await terminal.line(line)
      return terminal
    }
    const [ours, plain] = [await told(true), await told(false)]
    for (const next of ['false', '', 'true']) expect(await ours.line(next)).toBe(await plain.line(next))
    expect(ours.record).toEqual([`${line} -> 0`, 'false -> 1', 'true -> 0'])
  })
})

describe('bash as it would be without us', () => {
  it.each(SAME)('prints the same with %s', async (name, rc, lines) => {
    const { ours, plain, terminal } = await bothWays(bash(rc), lines)
    expect(ours).toBe(plain)
    expect(terminal.text).not.toMatch(/__dsh|syntax error near/)
    // A nested shell has no prompts and commands of ours; where PROMPT_COMMAND cannot be changed an empty line has no prompt.
    const [inner, silent] = [name.startsWith('a nested') ? 2 : 0, name.includes('readonly') ? 1 : 0]
    expect(terminal.kinds.match(/A B( |$)/g)).toHaveLength(lines.length + 1 - inner - silent)
    if (silent === 0) expect(terminal.kinds).not.toMatch(/B B|C C/)
    expect(terminal.commands).toHaveLength(lines.filter((line) => line !== '').length - inner)
  })
})

/** The hooks take this bash for an older one: what they do then is what they do there, as far as this bash can show it. */
const asVersion =
  (version: number) =>
  (hook: string): string =>
    hook.replace(/__dsh_version=\$\(\(.*?\)\)/, `__dsh_version=${version}`)

const ALSO_OLDER = [
  'a plain rc',
  'PROMPT_COMMAND that ends in a newline (SB-03)',
  'PROMPT_COMMAND that ends in a semicolon (SB-03)',
  'PROMPT_COMMAND that ends in a comment (SB-04)',
  'set -u (SB-05)',
  'set -e, as long as nothing fails',
  'extglob, nullglob, failglob, nocasematch and another IFS',
  'a theme that writes PS1 at every prompt (SB-15)',
  'PS1 with a command substitution of several lines (SB-16)',
  'set -x (SB-11)',
  'descriptor 3 in use',
  'the default prompt of bash',
]

describe.each([500, 403])('a bash that is taken for version %s', (version) => {
  it.each(SAME.filter(([name]) => ALSO_OLDER.includes(name)))('prints the same with %s', async (_name, rc, lines) => {
    const { ours, plain, terminal } = await bothWays(bash(rc, { asIf: asVersion(version) }), lines)
    expect(ours).toBe(plain)
    expect(terminal.kinds.match(/A B( |$)/g)).toHaveLength(lines.length + 1)
    expect(terminal.commands.map(({ text }) => text)).toEqual(lines.filter((line) => line !== ''))
  })

  it('keeps the status that the user’s part of PROMPT_COMMAND sees', async () => {
    const rc = 'u(){ echo "U=$?"; }; PROMPT_COMMAND=u'
    const { ours, plain } = await bothWays(bash(rc, { asIf: asVersion(version) }), ['(exit 9)', '', 'true'])
    expect(ours).toBe(plain)
  })

  it('gives no command to a key binding, and one to a line of several', async () => {
    const rc = `bind -x '"\\C-g": echo W'`
    const terminal = await ShellTerminal.open(bash(rc, { asIf: asVersion(version) }))
    terminal.type('\u0007')
    await terminal.untilText(/W\r?\n/)
    await terminal.line('echo a | cat; echo b; f(){ echo c; }; f')
    expect(terminal.commands.map(({ text, output }) => [text, output])).toEqual([
      ['echo a | cat; echo b; f(){ echo c; }; f', 'a\r\nb\r\nc\r\n'],
    ])
  })
})

describe('a bash without PS0 whose user has a DEBUG trap', () => {
  it('keeps it, and says nothing', async () => {
    const rc = "trap 'echo UT' DEBUG"
    const { ours, plain, terminal } = await bothWays(bash(rc, { asIf: asVersion(403) }), ['true', 'trap -p DEBUG'])
    expect(ours).toBe(plain)
    expect(terminal.kinds).not.toMatch(/[ACD]/)
  })
})
