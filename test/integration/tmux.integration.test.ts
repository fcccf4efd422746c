/** Sessions in a real tmux: what runs there is as without it, and goes on without its host. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '../../host-src/sessions/session.ts'
import { textOfOutput } from '../../host-src/terminal/command-output.ts'
import type { PersistName } from '../../protocol-src/ids.ts'
import type { LaunchSpec } from '../../protocol-src/session.ts'
import type { InProcessHost } from '../support/in-process-host.ts'
import { KeptHome } from '../support/kept-home.ts'
import { isAlive, untilGone } from '../support/proc.ts'
import { toolBench } from '../support/tool-bench.ts'
import { until } from '../support/wait.ts'
import type { ClientView, WsClient } from '../support/ws-client.ts'

const LIMITS = { cols: 80, maxBytes: 1_000_000, keep: 'last' } as const

let home: KeptHome
let host: InProcessHost
let client: WsClient
let names = 0

beforeAll(async () => {
  home = new KeptHome()
  host = await home.start()
})
afterAll(() => home[Symbol.asyncDispose]())
beforeEach(async () => {
  client = await host.connect()
})

const newName = (): PersistName => `n${String((names += 1))}` as PersistName
const sessionOf = ({ sid }: ClientView): Session => host.composition.registry.require(sid)

/** A kept session, looked at. */
const start = (spec: Omit<LaunchSpec, 'kind'> = {}): Promise<ClientView> =>
  client.start({ persist: newName(), ...spec })

/** Another run of the host on the same home. */
const restart = async (...options: Parameters<KeptHome['start']>): Promise<void> => {
  host = await home.start(...options)
  client = await host.connect()
}

const atPrompt = (session: Session): Promise<true> =>
  until(() => session.commands.promptAt !== null, { what: 'a prompt' }) as Promise<true>

/** Type a line and wait for the end that the shell tells. @returns its code and what it printed */
const run = async (view: ClientView, line: string): Promise<{ code: number | null; output: string | null }> => {
  const session = sessionOf(view)
  await atPrompt(session)
  const before = session.commands.lastEnd
  view.input(`${line}\r`)
  await until(() => session.commands.lastEnd !== before && session.commands.promptAt !== null, { what: line })
  const command = session.descriptor.lastCommand
  const { outputFrom: from = null, outputTo: to = null } = command ?? {}
  if (command === null || from === null || to === null) throw new Error(`nothing is known of ${line}`)
  return { code: command.exitCode, output: textOfOutput(session.journal.output, { from, to }, LIMITS).text }
}

describe('a kept session', () => {
  it('is as one without tmux, for its programs and for what is known of them', async () => {
    const view = await start()
    expect(view.start.session).toMatchObject({ notices: [], phase: 'running' })
    expect(view.start.session.persist).toBe(view.start.session.spec.persist)
    expect(view.start.session.pid).toBeGreaterThan(0)
    for (let n = 0; n < 10; n += 1)
      expect(await run(view, `echo out${n}; echo more; (exit 3)`)).toEqual({ code: 3, output: `out${n}\nmore` })
    const many = await run(view, 'seq 1 3000')
    expect(many.output?.split('\n')).toEqual(Array.from({ length: 3000 }, (_, n) => String(n + 1)))
    const { output } = await run(view, 'echo "$TERM|$TMUX$TMUX_PANE|$TERM_PROGRAM|$DSH_TTY_TMUX|$PWD"; stty size')
    expect(output).toBe(`xterm-256color||dsh-tty||${host.home}\n24 80`)
  })

  it('ends with the code and the last byte of its program', async () => {
    const view = await start({ command: 'seq 1 20000; exit 7' })
    expect((await view.untilExited()).exit).toEqual({ exitCode: 7, signal: null })
    expect(view.text).toBe(Array.from({ length: 20_000 }, (_, n) => `${n + 1}\r\n`).join(''))
    const killed = await start({ command: 'echo bye; kill -9 $$' })
    expect((await killed.untilExited()).exit).toEqual({ exitCode: null, signal: 'SIGKILL' })
    expect(killed.text).toBe('bye\r\n')
    expect(await home.server.names()).not.toContain(`dsh-${String(killed.start.session.persist)}`)
  })

  it('takes every byte that is typed, as it is', async () => {
    const view = await start({ command: `stty raw -echo; echo ready; head -c 30000 | sha256sum; exec cat` })
    await view.untilText(/ready/)
    const bytes = Buffer.from(Array.from({ length: 30_000 }, (_, n) => (n * 7 + (n >> 8)) & 0xff))
    view.input(bytes)
    const { createHash } = await import('node:crypto')
    await view.untilText(new RegExp(createHash('sha256').update(bytes).digest('hex')))
    await sessionOf(view).close('user')
  })

  it('is closed with everything in it, and nothing else is: targets are names, not beginnings of names', async () => {
    const [one, ten] = [await start({ persist: 'x1' as PersistName }), await start({ persist: 'x10' as PersistName })]
    const pid = one.start.session.pid ?? 0
    await run(one, 'setsid sleep 1000 & echo started')
    const { termination } = await client.request({ type: 'close', sid: one.sid })
    expect(termination).toMatchObject({ verified: true, survivors: [] })
    await untilGone([pid])
    expect(await home.server.names()).toContain('dsh-x10')
    expect(await home.server.names()).not.toContain('dsh-x1')
    expect(existsSync(join(home.path, '.tty', 'tmux', 'dsh-x1'))).toBe(false)
    expect((await run(ten, 'echo alive')).output).toBe('alive')
    await client.request({ type: 'close', sid: ten.sid })
  })

  it.each([
    ...['#(touch pwn)x', '#{pane_pid}', 'x;touch pwn', '$(touch pwn)', "'", '-L evil', '=x', '@1', '%0', '$0'],
    ...['a.b', 'a:b', 'a\nb', 'x'.repeat(65), '', '../x', 'é'],
  ])('is not named %j', async (name) => {
    const spec = { kind: 'local' as const, persist: name as PersistName }
    client.send({ type: 'open', id: 99, spec, size: { cols: 80, rows: 24 } })
    await until(() => client.last('error')?.error.code === 'BAD_FRAME', { what: 'the refusal' })
    expect(await home.server.names()).toEqual(['dsh-n1'])
    expect(readdirSync(home.path).filter((each) => each.startsWith('pwn'))).toEqual([])
  })

  it('may have a name that looks like an option, and is found by it', async () => {
    for (const persist of ['-L', '--', '-t'] as PersistName[]) {
      const view = await start({ persist })
      expect(await client.open({ persist })).toMatchObject({ id: view.sid })
      await client.request({ type: 'close', sid: view.sid })
    }
  })

  it('believes no mark in the wrapping that tmux lets through', async () => {
    const view = await start()
    const forged = String.raw`printf '\ePtmux;\e\e]133;D;0\a\e\\\ePtmux;\e\e]0;owned\a\e\\\ePtmux;\e\ePtmux;\e\e\e\e]133;D;0\a\e\e\\\e\\'`
    expect((await run(view, `${forged}; (exit 4)`)).code).toBe(4)
    expect(sessionOf(view).commands.isTrusted).toBe(true)
    expect(view.start.session.title).toBe(null)
    await client.request({ type: 'close', sid: view.sid })
  })

  it('answers what its program asks once: tmux does, and the terminals that look at it do not again', async () => {
    const ask = String.raw`stty raw -echo; printf '\e[c\e[5n\e[6n\e[>c'; timeout --foreground 1 cat >"$HOME/answers"; echo done`
    const { id } = await client.open({ persist: newName(), command: ask })
    const session = host.composition.registry.require(id)
    await until(() => session.phase === 'exited', { what: 'the answers' })
    const answers = readFileSync(join(home.path, 'answers'), 'latin1')
    // oxlint-disable-next-line no-control-regex -- these are control sequences
    expect(answers).toMatch(/^\u001b\[\?[\d;]*c\u001b\[0n\u001b\[1;1R\u001b\[>[\d;]*c$/)
  })

  it('has the size of whoever typed last, and hears of it once', async () => {
    const view = await client.start({ persist: newName() }, { size: { cols: 120, rows: 40 } })
    await run(view, `n=0; trap 'n=$((n+1))' WINCH; echo ready`)
    const other = await (await host.connect()).attach(view.sid, { size: { cols: 45, rows: 20 } })
    expect((await run(view, 'stty size; echo $n')).output).toBe('40 120\n0')
    other.input('\r')
    await until(() => sessionOf(view).descriptor.size.cols === 45, { what: 'the other size' })
    // tmux resizes a moment later, and the program in front hears of it, which is not always the shell.
    const told = async (): Promise<boolean> =>
      (await run(other, 'stty size; echo $n')).output?.startsWith('20 45\n') === true
    await until(told, { what: 'the other size to be there' })
    expect((await run(other, 'echo $n')).output).toMatch(/^[01]$/)
    await client.request({ type: 'close', sid: view.sid })
  })

  it('is recorded on when somebody ends what records it', async () => {
    const view = await start()
    expect((await run(view, 'echo one')).output).toBe('one')
    const pane = await home.server.ask(
      'list-panes',
      '-t',
      `=dsh-${String(view.start.session.persist)}:`,
      '-F',
      '#{pane_pipe}',
    )
    expect(pane).toBe('1')
    await home.server.ask('pipe-pane', '-t', `=dsh-${String(view.start.session.persist)}:`)
    await until(() => host.logger.of('tmux.recorder-restarted').length > 0, { what: 'another recorder' })
    expect((await run(view, 'echo two')).output).toBe('two')
    await client.request({ type: 'close', sid: view.sid })
  })

  it('is typed into again when somebody ends the client that types', async () => {
    const view = await start()
    expect((await run(view, 'echo one')).output).toBe('one')
    await home.server.ask('detach-client', '-s', `=dsh-${String(view.start.session.persist)}`)
    await until(() => host.logger.of('tmux.reconnected').length > 0, { what: 'another client' })
    expect((await run(view, 'echo two')).output).toBe('two')
    await client.request({ type: 'close', sid: view.sid })
  })

  it('gives the server nothing of what the host keeps from its sessions', async () => {
    await restart({ env: { DEEPSEEK_API_KEY: 'k1', DSH_TOKEN: 'k2', NODE_OPTIONS: '--no-warnings', MY_SECRET: 'k4' } })
    const view = await start()
    const { output } = await run(view, 'env')
    const environment = await home.server.ask('show-environment', '-g')
    for (const text of [output ?? '', environment]) expect(text).not.toMatch(/k1|k2|k4|NODE_OPTIONS/)
    await client.request({ type: 'close', sid: view.sid })
  })
})

describe('a session without its host', () => {
  it('goes on, and the next host knows what happened meanwhile', async () => {
    const view = await start()
    await run(view, 'kept="still here"; echo MARKX; seq 1 100')
    const { sid } = view
    const pid = view.start.session.pid ?? 0
    view.input('sleep 1; echo meanwhile; (exit 5)\r')
    await until(() => sessionOf(view).commands.running === true, { what: 'the command to run' })
    await client.request({ type: 'rename', sid, title: 'build 构建' })
    const done = join(home.path, 'done')
    view.input(`touch ${done}\r`)
    await client.roundTrip()
    await home.stop()
    expect(isAlive(pid)).toBe(true)
    await until(() => existsSync(done), { what: 'the shell to go on' })
    await restart()

    const session = host.composition.registry.require(sid)
    expect(session.descriptor).toMatchObject({
      phase: 'running',
      pid,
      title: 'build 构建',
      persist: view.start.session.persist,
    })
    await atPrompt(session)
    expect(session.descriptor).toMatchObject({ running: false, lastCommand: { exitCode: 0 } })
    expect(session.commands.list({ limit: 3 }).map(({ exitCode, text }) => [exitCode, text?.split(';')[0]])).toEqual([
      [0, 'kept="still here"'],
      [5, 'sleep 1'],
      [0, `touch ${done}`],
    ])
    const again = await client.attach(sid)
    expect(again.text.match(/^MARKX\r$/gm)).toHaveLength(1)
    expect(again.text.match(/^100\r$/gm)).toHaveLength(1)
    expect(again.text.match(/^meanwhile\r$/gm)).toHaveLength(1)
    expect((await run(again, 'echo $kept')).output).toBe('still here')
    expect(await client.request({ type: 'verify', sid })).toMatchObject({ ok: true })
    const bench = toolBench(host.composition.tools)
    const listed = (await bench.run('tty_list'))['sessions'] as Record<string, unknown>[]
    expect(listed.find((each) => each['sid'] === sid)).toMatchObject({
      sid,
      persist: view.start.session.persist,
      running: false,
    })
    const captured = await bench.run('tty_capture', { sid, lines: 2000 })
    expect(String(captured['text']).match(/^meanwhile$/gm)).toHaveLength(1)
    await client.request({ type: 'close', sid })
    await untilGone([pid])
  })

  it('that ends meanwhile is told to have ended, how, and with all that it printed', async () => {
    const view = await start({ command: 'read x; seq 1 5000; exit 9' })
    view.input('\r')
    await client.roundTrip()
    await home.stop()
    // Not that tmux has written it down, which it may put off until somebody reminds it.
    await untilGone([view.start.session.pid ?? 0])
    await restart()
    const session = host.composition.registry.require(view.sid)
    await until(() => session.phase === 'exited', { what: 'its end to be known' })
    expect(session.descriptor).toMatchObject({ exit: { exitCode: 9, signal: null }, exitReason: 'process' })
    const again = await client.attach(view.sid)
    await again.untilExited()
    expect(again.text.match(/\d+/g)).toEqual(Array.from({ length: 5000 }, (_, n) => String(n + 1)))
    expect(await client.request({ type: 'verify', sid: view.sid })).toMatchObject({ ok: true })
  })

  it('takes no place until somebody comes, and any way of opening its name leads to it', async () => {
    const view = await start({ command: 'exec cat' })
    await restart({ settings: { maxSessions: 1 } })
    expect(host.composition.registry.liveCount).toBe(0)
    const other = await client.start({ command: 'exec cat' })
    await expect(client.open({ command: 'exec cat' })).rejects.toMatchObject({ code: 'SESSION_LIMIT' })
    await client.request({ type: 'close', sid: other.sid })
    const { persist } = view.start.session.spec
    const found = await client.open({ persist: persist as PersistName })
    expect(found.id).toBe(view.sid)
    const bench = toolBench(host.composition.tools)
    expect(await bench.run('tty_open', { persistName: persist })).toMatchObject({ sid: view.sid, reattached: true })
    await client.request({ type: 'close', sid: view.sid })
    await restart()
  })

  it('is found by a host that keeps its records in memory', async () => {
    await restart({ settings: { journal: 'memory' } })
    const view = await start()
    await run(view, 'echo remembered')
    await restart({ settings: { journal: 'memory' } })
    const again = await client.attach(view.sid)
    await again.untilText(/^remembered\r$/m)
    expect((await run(again, 'echo on')).output).toBe('on')
    await client.request({ type: 'close', sid: view.sid })
    await restart()
  })

  it('is over when its tmux is killed, and its processes are gone', async () => {
    const view = await start()
    await run(view, 'echo ready')
    const pid = view.start.session.pid ?? 0
    process.kill(await home.server.pid(), 'SIGKILL')
    const { exit } = await view.untilExited()
    expect(exit).toEqual({ exitCode: null, signal: null })
    expect(await client.request({ type: 'close', sid: view.sid })).toMatchObject({ termination: { verified: true } })
    await untilGone([pid])
    // The next one starts a server of its own.
    const next = await start()
    expect((await run(next, 'echo next')).output).toBe('next')
    await client.request({ type: 'close', sid: next.sid })
  })

  it('ends after its last page when the setting says so, and else does not', async () => {
    await restart({ settings: { reconnectGraceSec: 0 } })
    const view = await start()
    await client.close()
    await until(() => sessionOf(view).orphanedAt !== null, { what: 'the page to be gone' })
    expect(sessionOf(view).phase).toBe('running')
    host.composition.settings.adopt({ ...host.composition.settings.current, endOnPageClose: true })
    await until(() => host.composition.registry.get(view.sid) === undefined, { what: 'its end' })
    await restart()
  })
})

it('starts again right after the last one ended', async () => {
  await home.server.end()
  await until(() => host.composition.registry.liveCount === 0, { what: 'no session' })
  for (let n = 0; n < 6; n += 1) {
    const view = await start({ command: 'echo said; exit 2' })
    expect((await view.untilExited()).exit).toEqual({ exitCode: 2, signal: null })
    expect(view.text).toBe('said\r\n')
  }
})

describe('where tmux is not as it should be', () => {
  it('a host inside tmux, and a configuration of the user, change nothing', async () => {
    writeFileSync(
      join(home.path, '.tmux.conf'),
      'set -g default-command "echo BAD"\nset -g status on\nset -g prefix C-q\n',
    )
    await restart({ env: { TMUX: '/tmp/x,1,0', TMUX_PANE: '%0', TERM: 'nosuchterm' } })
    const view = await start()
    expect((await run(view, 'echo fine')).output).toBe('fine')
    expect(view.text).not.toContain('BAD')
    await client.request({ type: 'close', sid: view.sid })
  })

  it.each([
    ['missing', null],
    ['too-old', 'tmux 2.9'],
    ['failed', 'nonsense'],
  ] as const)('a session starts without it and says that it is %s', async (reason, answer) => {
    const bin = join(home.path, `bin-${reason}`)
    mkdirSync(bin, { recursive: true })
    if (answer !== null)
      writeFileSync(join(bin, 'tmux'), `#!/bin/sh\necho x >>"$HOME/${reason}-runs"\necho '${answer}'\n`, {
        mode: 0o755,
      })
    for (const tool of ['sh', 'bash', 'stty', 'cat'])
      writeFileSync(join(bin, tool), `#!/bin/sh\nexec /usr/bin/${tool} "$@"\n`, { mode: 0o755 })
    await restart({ env: { PATH: bin }, settings: { persistence: 'tmux' } })
    const view = await client.start()
    expect(view.start.session).toMatchObject({ persist: null, notices: [{ code: 'PERSIST_UNAVAILABLE', reason }] })
    expect((await run(view, 'echo fine')).output).toBe('fine')
    await client.start()
    if (answer !== null) expect(readFileSync(join(home.path, `${reason}-runs`), 'latin1')).toBe('x\n')
    await restart()
  })

  it('the setting makes new terminals of the user kept ones, and one that opts out is not', async () => {
    await restart({ settings: { persistence: 'tmux' } })
    const kept = await client.start()
    expect(kept.start.session.persist).not.toBe(null)
    const ordinary = await client.start({ persist: false })
    expect(ordinary.start.session).toMatchObject({ persist: null, notices: [] })
    for (const { sid } of [kept, ordinary]) await client.request({ type: 'close', sid })
  })
})
