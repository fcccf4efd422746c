/** What the hooks of fish mark, and that the user's own fish is as it would be without them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bothWays, ShellTerminal, type ShellOptions } from '../support/shell-terminal.ts'

const SHELL = '/usr/bin/fish'
const PROMPT =
  'function fish_prompt; echo -n "P$status> "; end\nfunction fish_greeting; end\nfunction fish_title; end\n'
const fish = (rc: string, options: Partial<ShellOptions> = {}): ShellOptions => ({
  shell: SHELL,
  prompt: /> \r?$/,
  // Without highlighting and suggestions a line is echoed once, and as it was typed.
  files: { '.config/fish/config.fish': `${PROMPT}set -g fish_autosuggestion_enabled 0\n${rc}\n` },
  ...options,
})

describe('marks of fish', () => {
  it('say where prompts are, what ran, how it ended, and where the shell is', async () => {
    const terminal = await ShellTerminal.open(fish(''))
    await terminal.line('echo hi')
    await terminal.line("cd /tmp; sh -c 'exit 7'")
    expect(terminal.kinds).toBe('D0 P A B C D0 P A B C D7 P A B')
    expect(terminal.record).toEqual(['echo hi -> 0', "cd /tmp; sh -c 'exit 7' -> 7"])
    expect(terminal.lastCwd).toBe('/tmp')
    expect(await terminal.leftInShellsFolder()).toEqual([])
  })

  it('end the output where it ends, before the filler of fish (SF-03)', async () => {
    const terminal = await ShellTerminal.open(fish(''))
    await terminal.line('printf abc')
    await terminal.line("bash -c 'exit 42'")
    // oxlint-disable-next-line no-control-regex -- it is a control sequence
    expect(terminal.commands.map(({ output, exit }) => [output.replace(/^.*\u001b\(B\u001b\[m/s, ''), exit])).toEqual([
      ['abc', '0'],
      ['', '42'],
    ])
  })

  it('have no command where none ran: an empty line, Ctrl-C, a parse error, which stays in the editor (SF-01)', async () => {
    const terminal = await ShellTerminal.open(fish(''))
    await terminal.line('false')
    await terminal.line('')
    const before = terminal.output.length
    terminal.type('end end\r')
    await terminal.untilText(/outside of a block[^]*end end/, before)
    expect(terminal.kinds).toBe('D0 P A B C D1 P A B D1 P A B D A B')
    terminal.type('\u0003')
    await terminal.untilText(/\^C[^]*> \s*$/, before)
    expect(terminal.kinds).toBe('D0 P A B C D1 P A B D1 P A B D A B D A B')
    await terminal.line('printf abc')
    expect(terminal.record).toEqual(['false -> 1', 'printf abc -> 0'])
  })

  it('tell commands that were interrupted, stopped, put into the background and killed', async () => {
    const terminal = await ShellTerminal.open(fish(''))
    await terminal.run('sleep 1000')
    await terminal.act('\u0003')
    await terminal.line('sleep 1002 &')
    await terminal.line("sh -c 'kill -9 $$'")
    expect(terminal.record).toEqual(['sleep 1000 -> 130', 'sleep 1002 & -> 130', "sh -c 'kill -9 $$' -> 137"])
    terminal.type('kill -9 $fish_pid\r')
    expect(await terminal.exited).toEqual({ exitCode: null, signal: 'SIGKILL' })
    expect(terminal.kinds).toMatch(/ C$/)
  })

  it('carry the text of multi-line commands, whatever is in it, cut at 8192 characters', async () => {
    const terminal = await ShellTerminal.open(fish(''))
    await terminal.act("begin\recho 'a;\\\\b'\rend\r")
    await terminal.act(`\u001b[200~echo one\necho "é-x"\u001b[201~\r`)
    await terminal.line(`true ${'x'.repeat(9000)}`)
    expect(terminal.commands.map(({ text, cut }) => [text, cut])).toEqual([
      ["begin\necho 'a;\\\\b'\nend", false],
      ['echo one\necho "é-x"', false],
      [`true ${'x'.repeat(8192 - 5)}`, true],
    ])
  })

  it('say nothing of a line that the user keeps out of the history', async () => {
    const terminal = await ShellTerminal.open(fish(''))
    await terminal.line(' echo SECRET1')
    await terminal.line('echo one')
    await terminal.line('set -g fish_private_mode 1')
    await terminal.line('echo SECRET2')
    expect(terminal.record).toEqual(['? -> 0', 'echo one -> 0', 'set -g fish_private_mode 1 -> 0', '? -> 0'])
  })
})

/** Name, rc, lines. What fish prints has to be the same, and every line that is not empty is a command. */
const SAME: readonly (readonly [string, string, readonly string[]])[] = [
  ['a plain configuration', '', ['echo hi', 'false', '', 'echo $status', 'false | true | false', 'echo $pipestatus']],
  [
    'events of its own that read the status',
    'function u --on-event fish_prompt --on-event fish_postexec; echo "U=$status $pipestatus"; end; function x --on-event fish_preexec; echo "X=$argv"; end',
    ['false', '', 'true | false'],
  ],
  ['a configuration that ends in a failure', 'false', ['echo $status', 'true']],
  ['a trace', '', ['set fish_trace 1', 'true', 'set -e fish_trace']],
  [
    'a prompt defined anew, and looked at',
    '',
    [
      "function fish_prompt; echo -n 'new> '; end",
      'functions fish_prompt',
      'functions -q __dsh_prompt fish_prompt; true',
    ],
  ],
  [
    'a prompt of two lines, one on the right and a mode',
    "function fish_prompt; echo top; echo -n '> '; end; function fish_right_prompt; echo -n ''; end; function fish_mode_prompt; echo -n '[m]'; end",
    ['echo hi', 'false'],
  ],
  [
    'variables as the user sees them',
    '',
    ['set -x | string match -r "^dsh.*"; true', 'env | string match "*dsh_*"; true', 'set -S status | head -1'],
  ],
  [
    'a command that was not found',
    'function fish_command_not_found; echo "NF $argv"; end',
    ['nonesuch', 'echo $status'],
  ],
  [
    'a screen that is cleared, and a full-screen program',
    '',
    ["printf '\\e[H\\e[2J'", "printf '\\e[?1049h full \\e[?1049l'", 'true'],
  ],
]

describe('fish as it would be without us', () => {
  it.each(SAME)('prints the same with %s', async (_name, rc, lines) => {
    const { ours, plain, terminal } = await bothWays(fish(rc), lines)
    expect(drawn(ours)).toBe(drawn(plain))
    expect(terminal.kinds.match(/P A B/g)).toHaveLength(lines.length + 1)
    expect(terminal.commands).toHaveLength(lines.filter((line) => line !== '').length)
  })

  it('keeps its history as the user has it', async () => {
    const history = async (integrated: boolean): Promise<string> => {
      const terminal = await ShellTerminal.open({ ...fish(''), integrated })
      await terminal.line('echo x')
      terminal.type('exit\r')
      await terminal.exited
      const text = await readFile(join(terminal.home, '.local/share/fish/fish_history'), 'utf8')
      return text.replaceAll(/when: \d+/g, 'when')
    }
    expect(await history(true)).toBe(await history(false))
  })
})

/** Without what fish paints again while one types, which depends on how fast that is. */
const drawn = (output: string): string =>
  output
    // oxlint-disable-next-line no-control-regex -- control sequences are what this is about
    .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\([AB0])/g, '')
    .replaceAll(/ +/g, ' ')
