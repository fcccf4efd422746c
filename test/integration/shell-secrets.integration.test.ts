/** The nonce stays with the shell: what programs, files, listings, traces and histories could give away, looked at. */
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { descendantsOf } from '../support/proc.ts'
import { ShellTerminal, type ShellOptions } from '../support/shell-terminal.ts'

interface Shell extends ShellOptions {
  /** Lines whose output shows what the shell would show of itself. */
  listings: readonly string[]
  history: string
}

const SHELLS: Readonly<Record<string, Shell>> = {
  bash: {
    shell: '/bin/bash',
    files: { '.bashrc': "PS1='$ '; HISTFILE=~/history\nset -a; export PS1 PS0 PROMPT_COMMAND\n" },
    listings: [
      'set',
      'declare -p',
      'declare -f',
      'export -p',
      'env',
      'alias',
      'trap',
      'history',
      'set -x',
      'echo $PS1',
      'set +x',
      'history -a',
    ],
    history: 'history',
  },
  zsh: {
    shell: '/usr/bin/zsh',
    files: {
      '.zshrc': "PS1='%% '; HISTFILE=~/history HISTSIZE=100 SAVEHIST=100\nsetopt all_export inc_append_history\n",
    },
    listings: [
      'set',
      'typeset',
      'typeset -p',
      'functions',
      'export',
      'env',
      'alias',
      'print -r -- $PS1 $functions',
      'setopt xtrace',
      'print $PS1',
      'unsetopt xtrace',
      'history',
    ],
    history: 'history',
  },
  fish: {
    shell: '/usr/bin/fish',
    prompt: /> \r?$/,
    files: { '.config/fish/config.fish': "function fish_prompt; echo -n '> '; end\nfunction fish_greeting; end\n" },
    listings: ['set', 'set -S', 'functions', 'env', 'alias', 'abbr', 'set fish_trace 1', 'true', 'set -e fish_trace'],
    history: '.local/share/fish/fish_history',
  },
}

/** Empty when the process is gone. */
const told = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return '' // it was one of those that a prompt starts
  }
}

describe.each(Object.entries(SHELLS))('the nonce of %s', (name, { listings, history, ...options }) => {
  it('is in no argument and no variable of the shell, and of no program that it starts', async () => {
    const terminal = await ShellTerminal.open(options)
    await terminal.run('sh -c "sleep 1000; true"')
    const processes = [terminal.pid, ...descendantsOf(terminal.pid).map(({ pid }) => pid)]
    expect(processes.length).toBeGreaterThan(1)
    for (const pid of processes) {
      expect(told(pid, 'cmdline'), name).not.toContain(terminal.nonce)
      expect(told(pid, 'environ'), name).not.toContain(terminal.nonce)
    }
    expect(await terminal.leftInShellsFolder()).toEqual([])
  })

  it('is in nothing that the shell lists, traces or keeps', async () => {
    const terminal = await ShellTerminal.open({ ...options, size: { cols: 200, rows: 50 } })
    for (const line of listings) await terminal.line(line)
    expect(terminal.unmarked).not.toContain(terminal.nonce)
    expect(terminal.commands.map(({ output }) => output).join('')).not.toContain(terminal.nonce)
    expect(terminal.commands).toHaveLength(listings.length)
    terminal.type('exit\r')
    await terminal.exited
    const kept = await readFile(join(terminal.home, history), 'utf8')
    expect(kept).toContain(listings[0])
    expect(kept).not.toMatch(/dsh|133/)
    for (const file of await readdir(terminal.home, { recursive: true, withFileTypes: true })) {
      if (file.isFile()) expect(readFileSync(join(file.parentPath, file.name), 'latin1')).not.toContain(terminal.nonce)
    }
  })

  it('is in no file once the shell is there, even when the rc ends in exec', async () => {
    const rc = Object.fromEntries(
      Object.entries(options.files ?? {}).map(([path, text]) => [path, `${text}exec /bin/sh -i\n`]),
    )
    const terminal = await ShellTerminal.start({ ...options, files: rc, env: { PS1: 'sh$ ' } })
    await terminal.untilText(/[$%>] $/)
    terminal.type("echo it li''ves\r")
    await terminal.untilText(/it lives/)
    expect(terminal.marks).toEqual([])
    expect(readFileSync(`/proc/${terminal.pid}/environ`, 'latin1')).not.toContain(terminal.nonce)
    if (name !== 'fish') expect(await terminal.leftInShellsFolder()).toEqual([])
    terminal.type('exit\r')
    await terminal.exited
    await terminal.untilNothingIsLeft()
  })

  it('is not printed by what forges marks: they have none', async () => {
    const terminal = await ShellTerminal.open(options)
    await terminal.line(
      "printf '\\033]133;D;0\\a\\033]133;A\\a\\033]133;C;c=evil\\a\\033]133;D;0;k=00000000000000000000000000000000\\a'; sh -c 'exit 9'",
    )
    expect(terminal.commands).toHaveLength(1)
    expect(terminal.commands[0]).toMatchObject({ exit: '9' })
  })
})
