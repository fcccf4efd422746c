/** The same cases in every shell that has hooks. */
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bothWays, ShellTerminal, type ShellOptions } from '../support/shell-terminal.ts'

interface Shell extends ShellOptions {
  rc: string
  prompts: string
  /** A prompt like starship's and powerlevel10k's: two lines, colors, written anew by a hook, with the status of before. */
  theme: string
}

const SHELLS = {
  bash: {
    shell: '/bin/bash',
    rc: '.bashrc',
    prompts: "PS1='$ '; HISTFILE=~/history\n",
    theme:
      'starship_precmd(){ STATUS=$? PIPE=("${PIPESTATUS[@]}"); PS1=$(printf "\\\\[\\e[1;36m\\\\]%s\\\\[\\e[0m\\\\] on %s\\n\\\\[\\e[32m\\\\]>\\\\[\\e[0m\\\\] " "$STATUS" "${PIPE[*]}"); }\nset -o functrace\nPROMPT_COMMAND=starship_precmd\n',
  },
  zsh: {
    shell: '/usr/bin/zsh',
    rc: '.zshrc',
    prompts: "PS1='$ '; HISTFILE=~/history HISTSIZE=100 SAVEHIST=100\n",
    theme:
      "setopt prompt_subst\np9k_precmd(){ local s=$? p=($pipestatus); PS1=$'%F{cyan}${(%):-%~}%f '\"$s $p\"$'\\n%F{green}>%f ' }\nline_init(){ zle reset-prompt }\nzle -N zle-line-init line_init\nprecmd_functions=(p9k_precmd)\n",
  },
  fish: {
    shell: '/usr/bin/fish',
    rc: '.config/fish/config.fish',
    prompt: /> \r?$/,
    prompts: "function fish_prompt; echo -n '> '; end\nfunction fish_greeting; end\nfunction fish_title; end\n",
    theme:
      'function fish_prompt; set -l s $status $pipestatus; set_color cyan; echo "$s on"; set_color green; echo -n "> "; set_color normal; end\n',
  },
} satisfies Readonly<Record<string, Shell>>

describe.each(['bash', 'zsh'] as const)('marks of %s', (name) => {
  const open = (): Promise<ShellTerminal> => {
    const { shell, rc, prompts } = SHELLS[name]
    return ShellTerminal.open({ shell, files: { [rc]: prompts } })
  }

  it('tell commands that were interrupted, stopped, put into the background and killed', async () => {
    const terminal = await open()
    await terminal.run('sleep 1000')
    await terminal.act('\u0003')
    await terminal.run('sleep 1001')
    await terminal.act('\u001a')
    await terminal.line('sleep 1002 &')
    await terminal.line(`${name} -c 'kill -9 $$'`)
    expect(terminal.record).toEqual([
      'sleep 1000 -> 130',
      'sleep 1001 -> 148',
      'sleep 1002 & -> 0',
      `${name} -c 'kill -9 $$' -> 137`,
    ])
  })

  it('leave a command without an end when the shell itself is killed', async () => {
    const terminal = await open()
    terminal.type('kill -9 $$\r')
    expect(await terminal.exited).toEqual({ exitCode: null, signal: 'SIGKILL' })
    expect(terminal.kinds).toBe('D0 P A B C')
  })
})

describe.each(Object.entries<Shell>(SHELLS))('%s', (name, { rc, prompts, theme, ...options }) => {
  const withRc = (more = '', size?: ShellOptions['size']): ShellOptions => ({
    ...options,
    files: { [rc]: `${prompts}${more}` },
    ...(size === undefined ? {} : { size }),
  })

  it('with a prompt of a framework is the same as without us, and marked', async () => {
    const prompt = /> ?\r?$/
    const { ours, plain, terminal } = await bothWays({ ...withRc(theme), prompt }, [
      'false',
      'true | false',
      '',
      'echo hi',
    ])
    expect(painted(ours)).toBe(painted(plain))
    expect(terminal.record).toEqual(['false -> 1', 'true | false -> 1', 'echo hi -> 0'])
  })

  it('takes what runs in a shell in it, also over a terminal of its own, for one command', async () => {
    const terminal = await ShellTerminal.open(withRc())
    for (const inner of ['bash --norc -i', 'script -qc "bash --norc -i" /dev/null', 'env -i bash --norc -i']) {
      const before = terminal.output.length
      terminal.type(`${inner}\r`)
      await terminal.untilText(/bash-5[^]*[#$] $/, before)
      terminal.type('PS1="in> "; echo in; (exit 4)\r')
      await terminal.untilText(/[\r\n]in\r\n[^]*in> $/, before)
      terminal.type('exit 3\r')
      await terminal.untilPrompt(terminal.output.length)
    }
    await terminal.line('echo after')
    expect(terminal.record).toEqual([
      'bash --norc -i -> 3',
      'script -qc "bash --norc -i" /dev/null -> 0',
      'env -i bash --norc -i -> 3',
      'echo after -> 0',
    ])
    for (const { output } of terminal.commands) expect(output).not.toMatch(/__dsh|not found/)
  })

  it('says no more when another shell takes its place', async () => {
    const terminal = await ShellTerminal.open(withRc())
    const before = terminal.output.length
    terminal.type("exec env PS1='sh> ' sh -i\r")
    await terminal.untilText(/sh> $/, before)
    terminal.type("echo li''ves\r")
    await terminal.untilText(/lives\r\n/, before)
    expect(terminal.kinds).toMatch(/ C$/)
  })

  it('marks a command around 3 MB of any bytes, and one over which the terminal changes its size', async () => {
    const terminal = await ShellTerminal.open(withRc())
    await writeFile(
      join(terminal.home, 'bytes'),
      Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at * 7919) % 251)),
    )
    const { kinds } = terminal
    await terminal.line("tr -d '\\033\\016\\017\\016' < bytes")
    terminal.type('sleep 1000\r')
    await terminal.untilText(/sleep 1000/)
    for (const cols of [120, 20, 80]) terminal.resize({ cols, rows: 30 })
    await terminal.act('\u0003')
    expect(terminal.kinds.startsWith(kinds)).toBe(true)
    expect(terminal.record).toEqual(["tr -d '\\033\\016\\017\\016' < bytes -> 0", 'sleep 1000 -> 130'])
    expect(terminal.commands[0]?.output.length).toBeGreaterThan(1_000_000)
  })

  it('keeps its history as without us (SB-26)', async () => {
    const history = async (integrated: boolean): Promise<string> => {
      const terminal = await ShellTerminal.open({ ...withRc(), integrated })
      for (const line of ['echo a', ' echo b', 'echo c']) await terminal.line(line)
      terminal.type('exit\r')
      await terminal.exited
      const path = name === 'fish' ? '.local/share/fish/fish_history' : 'history'
      return (await readFile(join(terminal.home, path), 'utf8')).replaceAll(/when: \d+/g, '')
    }
    const [ours, plain] = [await history(true), await history(false)]
    expect(ours).toBe(plain)
    expect(ours).toContain('echo c')
  })

  it('is started as it is when the setting is off', async () => {
    const terminal = await ShellTerminal.open({ ...withRc(), integrated: false })
    await terminal.line('true')
    expect(terminal.output).not.toContain(']133')
    expect(await terminal.leftInShellsFolder()).toEqual([])
  })

  it('lives where the folder of its start cannot be removed by it', async () => {
    const folder = await ShellTerminal.start({
      ...withRc(),
      asIf: (hook) => hook.replaceAll(/-p rm|command rm/g, '$& --no-such-option'),
    })
    await folder.untilPrompt(0)
    await folder.line('true')
    expect(folder.record).toEqual(['true -> 0'])
    expect(await folder.leftInShellsFolder()).toHaveLength(1)
    folder.type('exit\r')
    await folder.exited
    await folder.untilNothingIsLeft()
  })

  it('works by a link with another path, under a name of its own none', async () => {
    const terminal = await ShellTerminal.open(withRc())
    const script = join(terminal.home, 'my shell')
    await writeFile(script, `#!/bin/sh\nexec ${options.shell} "$@"\n`)
    await chmod(script, 0o755)
    const other = await ShellTerminal.open({ ...withRc(), shell: script })
    await other.line('true')
    expect(other.marks).toEqual([])
  })
})

/** Without what is painted by which way: fish paints again while one types. */
const painted = (output: string): string =>
  output
    // oxlint-disable-next-line no-control-regex -- control sequences are what this is about
    .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\([AB0])/g, '')
    .replaceAll(/ +/g, ' ')
