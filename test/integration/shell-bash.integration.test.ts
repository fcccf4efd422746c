/** What the hooks of bash mark, and that the user's own bash is as it would be without them. */
import { describe, expect, it } from 'vitest'
import { bothWays, ShellTerminal, type ShellOptions } from '../support/shell-terminal.ts'

const PS1 = "PS1='$ '\n"
const bash = (rc: string, options: Partial<ShellOptions> = {}): ShellOptions => ({
  shell: '/bin/bash',
  files: { '.bashrc': `${PS1}HISTFILE=\n${rc}` },
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
})

describe('bash as it would be without us', () => {
  it.each([
    ['a plain rc', '', ['echo hi', 'false', '', 'echo $?']],
    [
      'PROMPT_COMMAND that reads $? and PIPESTATUS (SB-01)',
      'u(){ echo "U=$? ${PIPESTATUS[@]}"; }; PROMPT_COMMAND=u',
      ['(exit 9)', 'false | (exit 3) | true', ''],
    ],
    ['a DEBUG trap (SB-07)', "trap 'echo UT' DEBUG", ['true', '', 'echo a | cat', 'trap -p DEBUG']],
  ])('prints the same with %s', async (_name, rc, lines) => {
    const { ours, plain, terminal } = await bothWays(bash(rc), lines)
    expect(ours).toBe(plain)
    expect(terminal.commands).toHaveLength(lines.filter((line) => line !== '').length)
  })
})
