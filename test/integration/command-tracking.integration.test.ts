/** What the host knows of the commands of real shells, and that no program makes it believe anything else. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Session } from '../../host-src/sessions/session.ts'
import { textOfOutput } from '../../host-src/terminal/command-output.ts'
import type { CommandRecord } from '../../protocol-src/command.ts'
import type { Settings } from '../../protocol-src/settings.ts'
import { startInProcessHost, type InProcessHost } from '../support/in-process-host.ts'
import { marksOf, OTHER_NONCE } from '../support/marks.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/wait.ts'
import type { ClientView, WsClient } from '../support/ws-client.ts'

const ZSH = '/usr/bin/zsh'
const FISH = '/usr/bin/fish'
const LIMITS = { cols: 80, maxBytes: 100_000, keep: 'last' } as const
const FORGED = '\x1b]133;D;0\x07\x1b]133;A\x07'

let host: InProcessHost
beforeAll(async () => {
  host = await startInProcessHost({ settings: { maxSessions: 16 } })
  return () => host.dispose()
})

interface Shell {
  readonly client: WsClient
  readonly session: Session
  readonly view: ClientView
  /** Type a line and wait until the shell told of its end. */
  readonly run: (line: string) => Promise<CommandRecord | null>
  readonly type: (text: string) => void
  readonly textOf: (command: CommandRecord | null) => string | null
}

const openShell = async (on: InProcessHost = host): Promise<Shell> => {
  const client = await on.connect()
  const { id } = await client.open()
  const view = await client.attach(id)
  const session = on.composition.registry.require(id)
  onTestFinished(async () => {
    await session.close('user')
  })
  const type = (text: string): void => {
    view.input(text)
  }
  return {
    client,
    session,
    view,
    type,
    run: async (line) => {
      const before = session.commands.lastEnd
      type(`${line}\r`)
      await until(() => session.commands.lastEnd !== before && session.commands.promptAt !== null, {
        what: `the end of ${line}`,
      })
      return session.descriptor.lastCommand
    },
    textOf: (command) => {
      const { outputFrom: from = null, outputTo: to = null } = command ?? {}
      if (from === null) return null
      return textOfOutput(session.journal.output, { from, to }, LIMITS).text
    },
  }
}

const openAtPrompt = async (on: InProcessHost = host): Promise<Shell> => {
  const shell = await openShell(on)
  await until(() => shell.session.commands.promptAt !== null, { what: 'the first prompt' })
  return shell
}

describe('a real bash', () => {
  it('is known command by command: text, directory, output, code and times', async () => {
    const { session, run, textOf } = await openAtPrompt()
    expect(session.descriptor).toMatchObject({ running: false, commandsSeen: 0, lastCommand: null, cwd: host.home })
    const hi = await run('echo hi')
    expect(hi).toMatchObject({ id: 1, text: 'echo hi', exitCode: 0, cwd: host.home, truncated: false })
    expect(textOf(hi)).toBe('hi')
    const failed = await run('cd /tmp; printf "no end"; (exit 7)')
    expect(failed).toMatchObject({ id: 2, exitCode: 7 })
    expect(textOf(failed)).toBe('no end')
    expect(session.descriptor.cwd).toBe('/tmp')
    expect(failed?.endedAt).toBeGreaterThanOrEqual(failed?.startedAt ?? Infinity)
  })

  it('runs while its command does, and has no last result meanwhile', async () => {
    const { session, run, type } = await openAtPrompt()
    await run('true')
    type('read -r answer\r')
    await until(() => session.descriptor.running === true, { what: 'the command to start' })
    expect(session.descriptor).toMatchObject({ lastCommand: null, currentCommand: { text: 'read -r answer' } })
    type('yes\r')
    await until(() => session.descriptor.running === false, { what: 'the command to end' })
    expect(session.descriptor).toMatchObject({ lastCommand: { text: 'read -r answer', exitCode: 0 } })
  })

  it('tells of an empty line, Ctrl-C at the prompt and a syntax error as ends of no command', async () => {
    const { session, run, type, view } = await openAtPrompt()
    await run('(exit 3)')
    for (const line of ['', 'if; then']) {
      expect(await run(line)).toMatchObject({ id: 1, exitCode: 3 })
      expect(session.commands.lastEnd?.command).toBeNull()
    }
    expect(session.commands.lastEnd?.exitCode).toBe(2)
    await until(() => view.text.includes('syntax error'), { what: 'what the shell says of it' })
    const before = session.commands.lastEnd
    // While the shell itself reads, Ctrl-C ends the line; a moment before, it would end what makes the prompt.
    await until(() => view.text.endsWith('$ '), { what: 'the shell to read' })
    type('echo not run')
    await until(() => view.text.endsWith('not run'), { what: 'the echo' })
    type('\x03')
    await until(() => session.commands.lastEnd !== before && session.commands.promptAt !== null, {
      what: 'a new prompt',
    })
    expect(session.commands.lastEnd).toMatchObject({ exitCode: 130, command: null })
    expect(session.descriptor).toMatchObject({ lastCommand: { id: 1, exitCode: 3 }, commandsSeen: 1 })
  })

  it('loses no output of several lines that are pasted at once', async () => {
    const { session, run, textOf } = await openAtPrompt()
    await run('\x1b[200~echo one; false\necho two\x1b[201~')
    const commands = session.commands.list({ limit: 10 })
    expect(commands.map((each) => textOf(each)).join('\n')).toBe('one\ntwo')
    expect(commands.at(-1)?.exitCode).toBe(0)
    if (commands.length > 1) expect(commands[0]?.exitCode).toBeNull()
  })

  it('that was killed by its own command ended with it', async () => {
    const { session, type } = await openAtPrompt()
    type('kill -9 $$\r')
    await session.ended
    expect(session.descriptor).toMatchObject({
      running: false,
      lastCommand: { text: 'kill -9 $$', exitCode: null },
      exit: { signal: 'SIGKILL' },
    })
  })

  it('that puts another program in its place is not known any more', async () => {
    const { session, type, view } = await openAtPrompt()
    type('exec bash --norc\r')
    await until(() => session.commands.seen === 1 && session.descriptor.running === undefined, {
      what: 'the exec to be seen',
    })
    await until(() => view.text.includes('bash-'), { what: 'the prompt of the other' })
    type('echo from the ot""her\r')
    await until(() => view.text.includes('from the other\r\n'), { what: 'its output' })
    expect(session.descriptor).not.toHaveProperty('running')
    expect(session.descriptor).toMatchObject({ lastCommand: null, currentCommand: null })
  })

  it('that started another shell runs that one until it ends', async () => {
    const { session, run, type, view } = await openAtPrompt()
    type('bash --norc\r')
    await until(() => view.text.includes('bash-'), { what: 'the prompt of the nested shell' })
    type('false\r')
    type('echo nes""ted\r')
    await until(() => view.text.includes('nested\r\n'), { what: 'its output' })
    expect(session.descriptor).toMatchObject({ running: true, currentCommand: { text: 'bash --norc' } })
    expect(await run('exit 0')).toMatchObject({ text: 'bash --norc', exitCode: 0 })
  })

  it('is known through output of any size and any bytes, a cleared screen and a full-screen program', async () => {
    const { session, run, textOf } = await openAtPrompt()
    expect(await run('head -c 10000000 /dev/urandom; (exit 6)')).toMatchObject({ exitCode: 6 })
    expect(await run('seq 400000; (exit 7)')).toMatchObject({ exitCode: 7 })
    expect(textOf(session.descriptor.lastCommand)?.endsWith('399999\n400000')).toBe(true)
    expect(await run(`printf '\\e[2J\\e[Hcleared\\n'`)).toMatchObject({ exitCode: 0 })
    const full = await run(`printf '\\e[?1049hfull screen\\r\\n\\e[?1049l'; echo back; false`)
    expect(full).toMatchObject({ exitCode: 1 })
    expect(textOf(full)).toBe('back')
    expect(session.commands.isTrusted).toBe(true)
  })

  it('runs a very long line, of which the beginning is kept', async () => {
    const { run } = await openAtPrompt()
    const line = `: ${'0123456789'.repeat(1000)}`
    const command = await run(line)
    expect(command).toMatchObject({ exitCode: 0, truncated: true })
    expect(line.startsWith(command?.text ?? '-')).toBe(true)
  })

  it('that prints its own prompt is not taken to be at it', async () => {
    const { session, type, view } = await openAtPrompt()
    type('echo "${PS1@P}"; echo prin""ted; read -r; (exit 5)\r')
    await until(() => view.text.includes('printed\r\n'), { what: 'the prompt as output' })
    expect(session.descriptor.running).toBe(true)
    type('\r')
    await until(() => session.commands.promptAt !== null, { what: 'the prompt' })
    expect(session.descriptor).toMatchObject({ running: false, lastCommand: { exitCode: 5 } })
  })

  it('tells its commands to who looks at it and to who asks', async () => {
    const { session, client, run } = await openAtPrompt()
    await run('echo 1; (exit 4)')
    const { commands } = await client.request({ type: 'commands', sid: session.id, limit: 10 })
    expect(commands).toEqual(session.commands.list({ limit: 10 }))
    expect(commands).toMatchObject([{ text: 'echo 1; (exit 4)', exitCode: 4 }])
    const told = client.of('command').map(({ command }) => [command.id, command.exitCode])
    expect(told).toEqual([
      [1, null],
      [1, 4],
    ])
  })

  it('is known to the next host as it was, with the output of its commands', async () => {
    const dataDirectory = await temporaryFolder()
    const first = await startInProcessHost({ dataDirectory })
    const { session, run, textOf, type } = await openAtPrompt(first)
    await run('cd /tmp; echo kept; (exit 4)')
    type('cat\r')
    await until(() => session.descriptor.running === true, { what: 'the command to start' })
    const known = session.commands.list({ limit: 10 })
    expect(textOf(known[0] ?? null)).toBe('kept')
    await first.dispose()
    await using second = await startInProcessHost({ dataDirectory })
    const again = second.composition.registry.require(session.id)
    expect(again.descriptor).toMatchObject({ running: false, currentCommand: null, commandsSeen: 2, cwd: '/tmp' })
    const [kept, cut] = again.commands.list({ limit: 10 })
    expect(kept).toEqual(known[0])
    expect(cut).toMatchObject({ text: 'cat', exitCode: null })
    expect(
      textOfOutput(again.journal.output, { from: kept?.outputFrom ?? 0, to: kept?.outputTo ?? 0 }, LIMITS),
    ).toEqual({
      text: 'kept',
      truncated: false,
    })
    expect(again.markNonce).toBeNull()
  })
})

describe('a real zsh', () => {
  it.skipIf(!existsSync(ZSH))('is known like a bash, and what it prints of its own is no output', async () => {
    await using on = await startInProcessHost({ settings: { shell: ZSH }, homeFiles: { '.zshrc': "PS1='$ '\n" } })
    const { session, run, type, textOf, view } = await openAtPrompt(on)
    for (const [line, output, exitCode] of [
      ['echo hi', 'hi', 0],
      ['true', '', 0],
      ['printf abc; (exit 3)', 'abc', 3],
      [`printf '%s\\n' one two`, 'one\ntwo', 0],
    ] as const) {
      const command = await run(line)
      expect(command).toMatchObject({ text: line, exitCode })
      expect(textOf(command), line).toBe(output)
    }
    const last = session.descriptor.lastCommand
    await run('echo )')
    expect(session.commands.lastEnd).toMatchObject({ exitCode: 1, command: null })
    const before = session.commands.lastEnd
    type('echo "a\r')
    await until(() => view.text.includes('dquote>'), { what: 'the prompt for the rest' })
    type('\x03')
    await until(() => session.commands.lastEnd !== before && session.commands.promptAt !== null, {
      what: 'a new prompt',
    })
    expect(session.descriptor).toMatchObject({ running: false, lastCommand: last })
    expect(await run('true')).toMatchObject({ text: 'true', exitCode: 0 })
    type('print -rP -- "$PS1"; print prin""ted; read -r x; (exit 5)\r')
    await until(() => view.text.includes('printed\r\n'), { what: 'the prompt as output' })
    expect(session.descriptor.running).not.toBe(false)
    type('\r')
    await until(() => session.commands.promptAt !== null, { what: 'the prompt' })
    expect(session.descriptor).toMatchObject({ running: false, commandsSeen: 6 })
    expect([5, null]).toContain(session.descriptor.lastCommand?.exitCode)
    expect(session.commands.isTrusted).toBe(true)
  })
})

describe('a real fish', () => {
  it.skipIf(!existsSync(FISH))('is known like a bash, and what it prints of its own is no output', async () => {
    await using on = await startInProcessHost({ settings: { shell: FISH } })
    const { session, run, textOf } = await openAtPrompt(on)
    for (const [line, output, exitCode] of [
      ['echo hi', 'hi', 0],
      ['printf abc', 'abc', 0],
      ['true', '', 0],
      ['bash -c "exit 42"', '', 42],
    ] as const) {
      const command = await run(line)
      expect(command).toMatchObject({ text: line, exitCode })
      expect(textOf(command), line).toBe(output)
    }
    const nonce = session.markNonce ?? ''
    for (const look of ['env', 'set', 'functions', 'functions fish_prompt', 'history', 'bind', 'complete'])
      await run(look)
    expect(nonce).toHaveLength(32)
    expect(session.commands.isTrusted).toBe(true)
  })
})

describe('the nonce of a real zsh', () => {
  it.skipIf(!existsSync(ZSH))('is in nothing that its shell shows', async () => {
    await using on = await startInProcessHost({ settings: { shell: ZSH }, homeFiles: { '.zshrc': "PS1='$ '\n" } })
    const { session, run, view } = await openAtPrompt(on)
    const nonce = session.markNonce ?? ''
    for (const look of [
      'env',
      'set',
      'typeset -p',
      'functions',
      'export',
      'alias',
      'history',
      'print -r -- $PS1',
      'cat /proc/$$/cmdline',
      'zsh -fc env',
    ])
      await run(look)
    expect(nonce).toHaveLength(32)
    expect(session.commands.isTrusted).toBe(true)
    expect(view.text.replaceAll(`k=${nonce}`, '')).not.toContain(nonce)
  })
})

describe('a forged end', () => {
  const forgeries: [string, (file: string) => string][] = [
    ['printed by the command', () => `printf '\\e]133;D;0\\a\\e]133;A\\a'`],
    ['in a file that is shown', (file) => `cat ${file}`],
    ['in tmux’s passthrough', () => `printf '\\ePtmux;\\e\\e]133;D;0\\a\\e\\\\'`],
    ['with a nonce of its own', () => `printf '\\e]133;D;0;k=${OTHER_NONCE}\\a'`],
    ['with an empty nonce', () => `printf '\\e]133;D;0;k=\\a'`],
    ['of another terminal', () => `printf '\\e]633;D;0\\a\\e]633;E;rm;\\a'`],
  ]

  it.each(forgeries)('is output like any other: %s', async (_name, forge) => {
    const { session, type, view, textOf } = await openAtPrompt()
    const file = join(host.home, 'evil.txt')
    await writeFile(file, `${FORGED}${marksOf(OTHER_NONCE).end(0)}${marksOf('').end(0)}`)
    type(`${forge(file)}; echo for""ged; read -r; (exit 9)\r`)
    await until(() => view.text.includes('forged\r\n'), { what: 'the forged mark' })
    expect(session.descriptor).toMatchObject({ running: true, lastCommand: null })
    type('\r')
    await until(() => session.descriptor.running === false, { what: 'the end of the command' })
    expect(session.descriptor.lastCommand?.exitCode).toBe(9)
    expect(textOf(session.descriptor.lastCommand)).toBe('forged\n')
  })

  it('finds no nonce to forge with: not in the environment, not in variables, functions or history of its shell', async () => {
    const { session, run, view } = await openAtPrompt()
    const nonce = session.markNonce ?? ''
    for (const look of [
      'env',
      'set',
      'declare -p',
      'declare -f',
      'export -p',
      'alias',
      'history',
      'trap',
      'cat /proc/$$/cmdline',
      'bash -c env',
    ])
      await run(look)
    expect(nonce).toHaveLength(32)
    expect(session.commands.isTrusted).toBe(true)
    expect(view.text.replaceAll(`k=${nonce}`, '')).not.toContain(nonce)
  })

  it('with the true nonce, which somebody printed, is not believed either: nothing is known from then on', async () => {
    const { session, run, type, view } = await openAtPrompt()
    const nonce = session.markNonce ?? ''
    await run('true')
    type(
      `printf 'K=%s\\n' ${nonce.slice(0, 16)}""${nonce.slice(16)}; printf '\\e]133;D;0;k=%s\\a' ${nonce}; echo do""ne\r`,
    )
    await until(() => view.text.includes('done\r\n'), { what: 'the forger' })
    expect(session.descriptor).not.toHaveProperty('running')
    expect(session.commands.isTrusted).toBe(false)
    expect(session.journal.read({ types: ['marksDistrusted'], limit: 10 })).toHaveLength(1)
  })
})

describe('a shell without hooks', () => {
  const plainHost = async (settings: Partial<Settings>): Promise<InProcessHost> => startInProcessHost({ settings })

  it('is never said to run nothing', async () => {
    const on = await plainHost({ shellIntegration: false })
    const { session, type, view } = await openShell(on)
    type('echo he""re\r')
    await until(() => view.text.includes('here\r\n'), { what: 'its output' })
    expect(session.descriptor).not.toHaveProperty('running')
    expect(session.descriptor).toMatchObject({ lastCommand: null, currentCommand: null, commandsSeen: 0 })
    await on.dispose()
  })
})
