import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSessionId } from '../../host-src/base/random-id.ts'
import { testConnection } from '../../host-src/backends/ssh/connection-test.ts'
import { machineOn } from '../../host-src/backends/ssh/ssh-backend.ts'
import { newClientIdForTest } from '../support/ssh-bench.ts'
import { acceptsHosts, answersWith, connectionTo, sshBench, type RemoteTerminal } from '../support/ssh-bench.ts'
import { SSHD_PASSWORD, canHaveAccounts, makeKey, startSshAgent, startSshd, type Sshd } from '../support/sshd.ts'
import { startSshServer } from '../support/ssh-server.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { MARK } from '../support/shell-marks.ts'
import { allProcesses, isAlive } from '../support/proc.ts'
import { until } from '../support/wait.ts'

let keys: string
let sshd: Sshd
const key = (name: string): string => join(keys, name)

beforeAll(async () => {
  keys = await mkdtemp(join(tmpdir(), 'dsh-tty-keys-'))
  await makeKey(key('plain'))
  await makeKey(key('locked'), { passphrase: 'open sesame' })
  await makeKey(key('old'), { type: 'rsa', pem: true, passphrase: 'open sesame' })
  await Promise.all(Array.from({ length: 7 }, (_, index) => makeKey(key(`other${index}`))))
  sshd = await startSshd()
  for (const name of ['plain', 'locked', 'old']) await sshd.authorize(`${key(name)}.pub`)
})
afterAll(async () => {
  await sshd[Symbol.asyncDispose]()
  await rm(keys, { recursive: true, force: true })
})

const byKey = (server: Sshd, shell: 'bash' | 'zsh' | 'fish' = 'bash') => ({
  host: { connection: connectionTo(server.port, { username: server.user(shell), auth: 'key', keyPath: key('plain') }) },
})

const errorOf = async (
  work: Promise<unknown>,
): Promise<Error & { code?: string; details?: Record<string, unknown> }> => {
  try {
    await work
  } catch (error) {
    return error as Error
  }
  throw new Error('it succeeded')
}

const saysIn = (terminal: RemoteTerminal, text: string): Promise<unknown> =>
  until(() => terminal.output().includes(text), {
    what: `"${text}" in ${JSON.stringify(terminal.output().slice(-300))}`,
  })

const marksOf = (terminal: RemoteTerminal): string[] =>
  [...terminal.output().matchAll(MARK)]
    .filter(([, , , nonce]) => nonce === terminal.nonce)
    .map(([, kind = '', status]) => `${kind}${status ?? ''}`)

/** What is left of starts on that machine. */
const foldersOfStarts = async (): Promise<string[]> =>
  (await readdir(sshd.temporary)).filter((name) => name.startsWith('dsh-tty-start-'))

const end = async (terminal: RemoteTerminal): Promise<void> => {
  await terminal.launched.handle.terminate(500)
}

describe('a shell on another machine', () => {
  it.each(['bash', 'zsh', 'fish'] as const)(
    '%s marks its commands, leaves no file, and ends with all it started',
    async (shell) => {
      if (shell !== 'bash' && !(await canHaveAccounts())) return
      const bench = sshBench()
      const terminal = await bench.launch(byKey(sshd, shell))
      await until(() => marksOf(terminal).includes('B'), { what: 'the prompt' })
      terminal.type(' sh -c "exit 7"\r')
      await until(() => marksOf(terminal).includes('D7'), { what: 'the end of the command' })
      terminal.type('echo "in:$0:$DSH_TTY_SESSION:"; pwd\r')
      await saysIn(terminal, `:${terminal.sessionId}:`)
      await saysIn(terminal, sshd.home(shell))
      expect(await foldersOfStarts()).toEqual([])
      // Nobody who looks at the processes of the machine learns the nonce.
      expect(allProcesses().filter(({ argv }) => argv.some((word) => word.includes(terminal.nonce)))).toEqual([])
      terminal.type("sh -c 'env -i setsid sleep 987 & sleep 986'\r")
      const started = (): number[] =>
        allProcesses()
          .filter(({ argv }) => argv[0] === 'sleep' && (argv[1] === '987' || argv[1] === '986'))
          .map(({ pid }) => pid)
      await until(() => started().length === 2, { what: 'the programs to run' })
      const pids = started()
      const termination = await terminal.launched.handle.terminate(500)
      expect(termination.verified).toBe(true)
      expect(pids.filter(isAlive)).toEqual([])
      expect(bench.pool.size).toBe(0)
    },
  )

  it('leaves no file when it is closed before it has begun, and removes what lost ones have left', async () => {
    // Read by the shell that the server starts for us, before anything else.
    await using server = await startSshd({ homeFiles: { '.bashrc': '[ ! -t 0 ] || sleep 5\n' } })
    await server.authorize(`${key('plain')}.pub`)
    const left = (): Promise<string[]> => readdir(server.temporary)
    const old = join(server.temporary, 'dsh-tty-start-0123456789abcdef01234567')
    await mkdir(old)
    await utimes(old, 1, 1)
    const terminal = await sshBench().launch(byKey(server))
    expect(await left()).not.toContain(basename(old))
    expect((await left()).length).toBe(1)
    await end(terminal)
    expect(await left()).toEqual([])
  })

  it('gets nothing of the environment of the host', async () => {
    process.env['CANARY_OF_THE_HOST'] = 'must not travel'
    try {
      const terminal = await sshBench().launch({ ...byKey(sshd), command: 'env | sort' })
      await terminal.launched.handle.exited
      expect(terminal.output()).not.toContain('CANARY')
      expect(terminal.output()).toContain('TERM=xterm-256color')
      expect(terminal.output()).not.toContain('COLORTERM')
      await end(terminal)
    } finally {
      delete process.env['CANARY_OF_THE_HOST']
    }
  })

  it('starts where it is asked to, also in a folder with a difficult name, and says so when it cannot', async () => {
    const bench = sshBench()
    const name = `a 'b' "c" $d \\e !f`
    const made = await bench.launch({
      ...byKey(sshd),
      command: `mkdir -p ${sshd.home()}/odd && cd ${sshd.home()}/odd && mkdir -p -- "$(printf '%s' ${JSON.stringify(name).replaceAll('$', '\\$')})"`,
    })
    await made.launched.handle.exited
    await end(made)
    const cwd = `${sshd.home()}/odd/${name}`
    const there = await bench.launch({ ...byKey(sshd), cwd, command: 'pwd' })
    expect(await there.launched.handle.exited).toEqual({ exitCode: 0, signal: null })
    expect(there.output().trim()).toBe(cwd)
    expect(there.launched.cwd).toBe(cwd)
    const nowhere = await bench.launch({ ...byKey(sshd), cwd: '/no/such', command: 'pwd' })
    await nowhere.launched.handle.exited
    expect(nowhere.output().trim()).toBe(sshd.home())
    expect(nowhere.launched.notices).toEqual([{ code: 'CWD_FALLBACK', requested: '/no/such', used: sshd.home() }])
    await Promise.all([end(there), end(nowhere)])
  })

  it('says how its program ended: code, signal, and the last byte before it', async () => {
    const bench = sshBench()
    const seven = await bench.launch({ ...byKey(sshd), command: 'seq 1 20000; echo last; exit 7' })
    expect(await seven.launched.handle.exited).toEqual({ exitCode: 7, signal: null })
    expect(seven.output().trimEnd().endsWith('last')).toBe(true)
    const killed = await bench.launch({ ...byKey(sshd), command: 'kill -9 $$' })
    expect(await killed.launched.handle.exited).toEqual({ exitCode: null, signal: 'SIGKILL' })
    await Promise.all([end(seven), end(killed)])
    expect(bench.pool.size).toBe(0)
  })

  it('follows its size', async () => {
    const terminal = await sshBench().launch(byKey(sshd))
    await until(() => marksOf(terminal).includes('B'), { what: 'the prompt' })
    terminal.launched.handle.resize({ cols: 101, rows: 33 })
    terminal.type('stty size\r')
    await saysIn(terminal, '33 101')
    await end(terminal)
  })

  it('holds back a flood that nobody reads, and the rest comes whole', async () => {
    const terminal = await sshBench().launch({ ...byKey(sshd), command: 'sleep 0.2; seq 1 600000; echo "the end"' })
    const { handle } = terminal.launched
    handle.pause()
    let before = -1
    await until(
      () => {
        const now = terminal.output().length
        const isStill = now === before
        before = now
        return isStill
      },
      { what: 'the flood to stop', pollMs: 100 },
    )
    expect(before).toBeLessThan(3 * 1024 * 1024)
    handle.resume()
    await handle.exited
    const lines = terminal.output().trimEnd().split('\r\n')
    expect(lines.at(-1)).toBe('the end')
    expect(lines.length).toBe(600_001)
    await end(terminal)
  })

  it('refuses input that its program does not read instead of keeping it', async () => {
    const terminal = await sshBench().launch({ ...byKey(sshd), command: 'stty raw; echo go; sleep 60' })
    await saysIn(terminal, 'go')
    const chunk = Buffer.alloc(256 * 1024, 120)
    const error = await errorOf(
      (async () => {
        for (let index = 0; index < 40; index += 1) {
          terminal.launched.handle.write(chunk)
          await until(() => true, { what: 'a turn' })
        }
      })(),
    )
    expect(error.code).toBe('INPUT_BACKLOG')
    await end(terminal)
  })

  it('is there without hooks when the setting is off', async () => {
    const terminal = await sshBench({ settings: { shellIntegration: false } }).launch(byKey(sshd))
    terminal.type('echo "still $((40 + 2))"\r')
    await saysIn(terminal, 'still 42')
    expect(marksOf(terminal)).toEqual([])
    await end(terminal)
  })
})

describe('logging in', () => {
  it('with a key that has a passphrase, given wrong once', async () => {
    const bench = sshBench()
    bench.answer = answersWith(['wrong'], ['open sesame'])
    const connection = connectionTo(sshd.port, { username: sshd.user(), auth: 'key', keyPath: key('locked') })
    const terminal = await bench.launch({ host: { connection }, command: 'echo in' })
    await terminal.launched.handle.exited
    expect(terminal.output()).toContain('in')
    expect(bench.asked.slice(1)).toMatchObject([
      { purpose: 'passphrase', again: false, keyPath: key('locked') },
      { purpose: 'passphrase', again: true },
    ])
    await end(terminal)
  })

  it('with a PEM key and its passphrase from the entry', async () => {
    const connection = connectionTo(sshd.port, {
      username: sshd.user(),
      auth: 'key',
      keyPath: key('old'),
      passphrase: 'open sesame',
    })
    const terminal = await sshBench().launch({ host: { connection }, command: 'echo in' })
    await terminal.launched.handle.exited
    expect(terminal.output()).toContain('in')
    await end(terminal)
  })

  it('says which key file cannot be used and why', async () => {
    const connection = connectionTo(sshd.port, { username: sshd.user(), auth: 'key', keyPath: key('none') })
    const missing = await errorOf(sshBench().launch({ host: { connection } }))
    expect(missing.code).toBe('SSH_KEY_FILE')
    expect(missing.message).toContain('there is no such file')
    const half = await errorOf(
      sshBench().launch({ host: { connection: { ...connection, keyPath: `${key('plain')}.pub` } } }),
    )
    expect(half.message).toContain('public key')
  })

  it('with an agent: the server hangs up when too many keys come first, and a named key comes first', async () => {
    const names = [...Array.from({ length: 7 }, (_, index) => key(`other${index}`)), key('plain')]
    await using agent = await startSshAgent(keys, names)
    const hostEnv = { SSH_AUTH_SOCK: agent.socket }
    const connection = connectionTo(sshd.port, { username: sshd.user(), auth: 'agent' })
    const error = await errorOf(sshBench({ hostEnv }).launch({ host: { connection } }))
    expect(error.code).toBe('SSH_AUTH')
    expect(error.message).toContain('keys of the agent')
    expect(error.message).toContain('Name the key file')
    const from = sshd.log().length
    const terminal = await sshBench({ hostEnv }).launch({
      host: { connection: { ...connection, auth: 'key', keyPath: key('plain') } },
      command: 'echo in',
    })
    await terminal.launched.handle.exited
    await end(terminal)
    // The key file is offered, and nothing of the agent.
    expect(sshd.log().slice(from)).not.toContain('Failed publickey')
    const named = await sshBench({ hostEnv }).launch({
      host: { connection: { ...connection, keyPath: key('plain') } },
      command: 'echo in',
    })
    await named.launched.handle.exited
    await end(named)
  })

  it('with an agent that is not there', async () => {
    const connection = connectionTo(sshd.port, { username: sshd.user(), auth: 'agent' })
    const none = await errorOf(sshBench().launch({ host: { connection } }))
    expect(none.code).toBe('SSH_AGENT')
    const dead = await errorOf(
      sshBench({ hostEnv: { SSH_AUTH_SOCK: '/no/such/socket' } }).launch({ host: { connection } }),
    )
    expect(dead.code).toBe('SSH_AGENT')
    const forward = { ...connection, auth: 'key' as const, keyPath: key('plain'), agentForward: true }
    expect((await errorOf(sshBench().launch({ host: { connection: forward } }))).code).toBe('SSH_AGENT')
  })

  it('forwards the agent where the entry says so, and only there', async () => {
    await using agent = await startSshAgent(keys, [key('plain')])
    const hostEnv = { SSH_AUTH_SOCK: agent.socket }
    for (const agentForward of [true, false]) {
      const connection = connectionTo(sshd.port, {
        username: sshd.user(),
        auth: 'key',
        keyPath: key('plain'),
        agentForward,
      })
      const terminal = await sshBench({ hostEnv }).launch({ host: { connection }, command: 'ssh-add -l 2>&1' })
      await terminal.launched.handle.exited
      expect(terminal.output().includes('ED25519')).toBe(agentForward)
      await end(terminal)
    }
  })

  it('with a password: by its own method, as an answer to questions, and after a key', async () => {
    if (!(await canHaveAccounts())) return
    for (const method of ['PasswordAuthentication', 'KbdInteractiveAuthentication']) {
      await using server = await startSshd({ config: [`${method} yes`] })
      const connection = connectionTo(server.port, {
        username: server.user(),
        auth: 'password',
        password: SSHD_PASSWORD,
      })
      const terminal = await sshBench().launch({ host: { connection }, command: 'echo in' })
      await terminal.launched.handle.exited
      expect(terminal.output()).toContain('in')
      await end(terminal)
      const wrong = await errorOf(sshBench().launch({ host: { connection: { ...connection, password: 'wrong' } } }))
      expect(wrong.code).toBe('SSH_AUTH')
      expect(JSON.stringify({ message: wrong.message, details: wrong.details })).not.toContain('wrong')
    }
  })

  it('in two steps: a key, of a file or of the agent, and then questions', async () => {
    if (!(await canHaveAccounts())) return
    await using server = await startSshd({
      config: ['KbdInteractiveAuthentication yes', 'AuthenticationMethods publickey,keyboard-interactive'],
    })
    await server.authorize(`${key('plain')}.pub`)
    await using agent = await startSshAgent(keys, [key('other0'), key('plain'), key('other1')])
    for (const auth of ['key', 'agent'] as const) {
      const bench = sshBench({ hostEnv: { SSH_AUTH_SOCK: agent.socket } })
      bench.answer = answersWith([SSHD_PASSWORD])
      const file = auth === 'key' ? { keyPath: key('plain') } : {}
      const connection = connectionTo(server.port, { username: server.user(), auth, ...file })
      const terminal = await bench.launch({ host: { connection }, command: 'echo in' })
      await terminal.launched.handle.exited
      expect(terminal.output()).toContain('in')
      expect(bench.asked.at(-1)).toMatchObject({ purpose: 'keyboard-interactive', again: false })
      await end(terminal)
    }
  })
})

describe('the key of a machine', () => {
  it('is shown once, then known; another one is refused with both, before anything is sent', async () => {
    await using server = await startSshd()
    await server.authorize(`${key('plain')}.pub`)
    const bench = sshBench()
    const first = await bench.launch({ ...byKey(server), command: 'true' })
    await end(first)
    const again = await bench.launch({ ...byKey(server), command: 'true' })
    await end(again)
    expect(bench.asked).toMatchObject([{ kind: 'host-key', keyType: 'ssh-ed25519', others: [] }])
    const known = bench.asked[0]?.kind === 'host-key' ? bench.asked[0].fingerprint : ''
    await server.changeHostKeys()
    const from = server.log().length
    const error = await errorOf(bench.launch({ ...byKey(server), command: 'true' }))
    expect(error.code).toBe('SSH_HOST_KEY_CHANGED')
    expect(error.details).toMatchObject({ known, keyType: 'ssh-ed25519', phase: 'host-key' })
    expect(error.message).toContain(known)
    expect(error.message).toContain(String(error.details?.['offered']))
    // A test, and the way over it to another machine, are refused alike.
    const { audience, signal } = bench.context()
    const tested = await testConnection(byKey(server).host, bench.ports, { audience, signal })
    expect(tested.error?.code).toBe('SSH_HOST_KEY_CHANGED')
    bench.book.set('door', { name: 'door', ...byKey(server).host.connection })
    const over = { ...byKey(sshd).host.connection, jump: 'door' }
    const behind = await errorOf(bench.launch({ host: { connection: over } }))
    expect([behind.code, behind.details?.['hop']]).toEqual(['SSH_HOST_KEY_CHANGED', 'jump'])
    expect(server.log().slice(from)).not.toMatch(/publickey|password/)
    expect(bench.asked.length).toBe(1)
  })

  it('of a known kind is asked for first, so that a second kind is no alarm', async () => {
    await using server = await startSshd({ hostKeys: ['ed25519', 'rsa'] })
    await server.authorize(`${key('plain')}.pub`)
    const bench = sshBench()
    bench.hostKeys.know({ host: '127.0.0.1', port: server.port, alias: null }, await server.hostKey('rsa'))
    const terminal = await bench.launch({ ...byKey(server), command: 'true' })
    await end(terminal)
    expect(bench.asked).toEqual([])
  })

  it('is not accepted when nobody is there, or somebody says no; for agents the setting decides', async () => {
    const user = sshBench()
    for (const kind of ['nobody', 'declined', 'timed-out'] as const) {
      user.answer = () => ({ kind })
      expect((await errorOf(user.launch(byKey(sshd)))).code).toBe('SSH_HOST_KEY_REFUSED')
    }
    const place = { host: '127.0.0.1', port: sshd.port, alias: null }
    expect(user.hostKeys.count(place)).toBe(0)
    for (const agentFirstContact of ['refuse', 'accept'] as const) {
      const bench = sshBench({ settings: { agentFirstContact } })
      const audience = bench.context().audience
      const context = bench.context({ audience: { ...audience, owner: 'agent' } as typeof audience })
      const lease = await bench.pool.lease(byKey(sshd).host, context).then(
        (leased) => leased,
        (error: unknown) => error as Error & { code?: string },
      )
      if (lease instanceof Error) expect(lease.code).toBe('SSH_HOST_KEY_REFUSED')
      else lease.release()
      expect(bench.hostKeys.count(place)).toBe(agentFirstContact === 'accept' ? 1 : 0)
      expect(bench.asked).toEqual([])
    }
  })
})

describe('what is accepted for agents', () => {
  it('is a machine that was never seen, and no second kind of key of one that was', async () => {
    const bench = sshBench({ settings: { agentFirstContact: 'accept' } })
    const place = { host: '127.0.0.1', port: sshd.port, alias: null }
    await bench.hostKeys.remember(place, { type: 'ssh-dss', blob: Buffer.from('another') })
    bench.answer = () => ({ kind: 'nobody' })
    const audience = { kind: 'session', sid: newSessionId(), owner: 'agent' } as const
    const error = await errorOf(bench.pool.lease(byKey(sshd).host, bench.context({ audience })))
    expect(error.code).toBe('SSH_HOST_KEY_REFUSED')
    expect(bench.asked).toMatchObject([{ kind: 'host-key', others: [expect.stringContaining('SHA256:')] }])
  })
})

describe('several sessions on one machine', () => {
  it('share a connection, and take another when the server opens no more on it', async () => {
    await using server = await startSshd({ config: ['MaxSessions 2'] })
    await server.authorize(`${key('plain')}.pub`)
    const bench = sshBench()
    const logins = (): number => server.log().split('Accepted publickey').length - 1
    const one = await bench.launch({ ...byKey(server), command: 'echo one; sleep 60' })
    await saysIn(one, 'one')
    // One channel runs; the next needs one beside it for its start, which there is.
    const two = await bench.launch({ ...byKey(server), command: 'echo two; sleep 60' })
    await saysIn(two, 'two')
    expect(logins()).toBe(1)
    const three = await bench.launch({ ...byKey(server), command: 'echo three; sleep 60' })
    await saysIn(three, 'three')
    expect(logins()).toBe(2)
    expect(bench.pool.size).toBe(2)
    const ends = await Promise.all([one, two, three].map((each) => each.launched.handle.terminate(300)))
    expect(ends.map(({ verified }) => verified)).toEqual([true, true, true])
    expect(bench.pool.size).toBe(0)
  })

  it('that end together and take their time are all seen to be gone, although the server allows no channel meanwhile', async () => {
    await using server = await startSshd({ config: ['MaxSessions 2'] })
    await server.authorize(`${key('plain')}.pub`)
    const bench = sshBench()
    const command = 'trap "sleep 0.5; exit" HUP; echo up; while :; do sleep 0.1; done'
    const both = [await bench.launch({ ...byKey(server), command }), await bench.launch({ ...byKey(server), command })]
    for (const each of both) await saysIn(each, 'up')
    expect(bench.pool.size).toBe(1)
    const ends = await Promise.all(both.map((each) => each.launched.handle.terminate(1500)))
    expect(ends.map(({ verified }) => verified)).toEqual([true, true])
  })

  it('programs run beside a terminal, with their arguments as they are', async () => {
    const bench = sshBench()
    const lease = await bench.pool.lease(byKey(sshd).host, bench.context())
    const machine = machineOn(lease.link)
    const words = ['', "it's", '"x"', '$HOME', '\\', '!1', 'a b', '*', '`id`', 'ü\n2', '~', "\\'"]
    const { stdout, stderr, exitCode } = await machine.run(
      ['/bin/sh', '-c', 'printf "%s\\0" "$@"; cat; echo err >&2; exit 3', 'sh', ...words],
      {
        input: 'given',
        timeoutMs: 5000,
      },
    )
    expect(stdout).toBe(`${words.map((word) => `${word}\0`).join('')}given`)
    expect([stderr, exitCode]).toEqual(['err\n', 3])
    const late = await errorOf(machine.run(['sleep', '60'], { timeoutMs: 200 }))
    expect(late.code).toBe('SSH_TIMEOUT')
    const abort = new AbortController()
    const running = errorOf(machine.run(['sleep', '60'], { timeoutMs: 5000, signal: abort.signal }))
    abort.abort()
    expect((await running).code).toBe('CANCELLED')
    lease.release()
  })
})

describe('a machine behind another one', () => {
  it('is reached with a login and a key check of its own at both', async () => {
    await using jump = await startSshd()
    await jump.authorize(`${key('locked')}.pub`)
    const bench = sshBench()
    bench.book.set('door', {
      name: 'door',
      ...connectionTo(jump.port, {
        username: jump.user(),
        auth: 'key',
        keyPath: key('locked'),
        passphrase: 'open sesame',
      }),
    })
    const connection = connectionTo(sshd.port, {
      username: sshd.user(),
      auth: 'key',
      keyPath: key('plain'),
      jump: 'door',
    })
    const terminal = await bench.launch({ host: { connection }, command: 'echo "from $SSH_CONNECTION"; sleep 60' })
    await saysIn(terminal, 'from 127.0.0.1')
    expect(bench.asked).toMatchObject([
      { where: { hop: 'jump', port: jump.port, book: 'door' } },
      { where: { hop: 'target', port: sshd.port, book: null } },
    ])
    expect((await terminal.launched.handle.terminate(300)).verified).toBe(true)
    expect(bench.pool.size).toBe(0)
  })

  it('is lost with the machine before it', async () => {
    const proxy = await startTcpProxy(sshd.port)
    const bench = sshBench()
    const username = sshd.user()
    bench.book.set('door', {
      name: 'door',
      ...connectionTo(proxy.port, { username, auth: 'key', keyPath: key('plain') }),
    })
    const connection = connectionTo(sshd.port, { username, auth: 'key', keyPath: key('plain'), jump: 'door' })
    const terminal = await bench.launch({ host: { connection }, command: 'echo up; sleep 60' })
    await saysIn(terminal, 'up')
    proxy.cut()
    expect(await terminal.launched.handle.exited).toMatchObject({ exitCode: null, reason: 'connection lost' })
    await end(terminal)
    expect(bench.pool.size).toBe(0)
    await proxy.close()
  })

  it('says at which of the two it failed', async () => {
    const bench = sshBench()
    const username = sshd.user()
    bench.book.set('door', {
      name: 'door',
      ...connectionTo(sshd.port, { username, auth: 'key', keyPath: key('plain') }),
    })
    bench.book.set('shut', { name: 'shut', ...connectionTo(1, { username, auth: 'key', keyPath: key('plain') }) })
    bench.book.set('far', {
      name: 'far',
      ...connectionTo(sshd.port, { username, auth: 'key', keyPath: key('plain'), jump: 'door' }),
    })
    const over = (jump: string, port = sshd.port) => ({
      host: { connection: connectionTo(port, { username, auth: 'key', keyPath: key('other0'), jump }) },
    })
    const shut = await errorOf(bench.launch(over('shut')))
    expect(shut.details).toMatchObject({ hop: 'jump', phase: 'connect' })
    expect(shut.message).toContain('jump host')
    const unreachable = await errorOf(bench.launch(over('door', 1)))
    expect(unreachable.details).toMatchObject({ hop: 'target', phase: 'connect' })
    const refused = await errorOf(bench.launch(over('door')))
    expect(refused.details).toMatchObject({ hop: 'target', phase: 'authenticate' })
    expect((await errorOf(bench.launch(over('far')))).message).toContain('there can be one only')
    expect((await errorOf(bench.launch(over('nowhere')))).code).toBe('BOOK_NAME_UNKNOWN')
    expect(bench.pool.size).toBe(0)
  })
})

describe('a proxy command', () => {
  const proxied = (proxyCommand: string) => ({
    host: {
      connection: connectionTo(sshd.port, { username: sshd.user(), auth: 'key', keyPath: key('plain'), proxyCommand }),
    },
    command: 'echo in',
  })
  const NC = `exec ${process.execPath} -e "const s=require('net').connect(%p,'%h');process.stdin.pipe(s).pipe(process.stdout)"`

  it('is refused without both switches, and never goes around', async () => {
    for (const [hostEnv, allowProxyCommand] of [
      [{}, true],
      [{ DSH_TTY_ALLOW_PROXY_COMMAND: '1' }, false],
    ] as const) {
      const from = sshd.log().length
      const error = await errorOf(sshBench({ hostEnv, settings: { allowProxyCommand } }).launch(proxied(NC)))
      expect(error.code).toBe('SSH_PROXY_OFF')
      expect(sshd.log().slice(from)).toBe('')
    }
  })

  it('carries the connection with both, and its end is an end', async () => {
    const hostEnv = { PATH: process.env['PATH'], DSH_TTY_ALLOW_PROXY_COMMAND: '1' }
    const bench = sshBench({ hostEnv, settings: { allowProxyCommand: true } })
    const terminal = await bench.launch(proxied(NC))
    await terminal.launched.handle.exited
    expect(terminal.output()).toContain('in')
    await end(terminal)
    const error = await errorOf(bench.launch(proxied('echo no way >&2; exit 4')))
    expect(error.message).toContain('no way')
    await until(() => allProcesses().every(({ argv }) => !argv.join(' ').includes("require('net').connect")), {
      what: 'the proxy command to be gone',
    })
  })
})

describe('trying a connection', () => {
  it('names each step with its time, starts nothing and records nothing', async () => {
    const bench = sshBench()
    const audience = { kind: 'client' as const, client: newClientIdForTest() }
    const { signal } = new AbortController()
    const good = await testConnection(byKey(sshd).host, bench.ports, { audience, signal })
    expect(good.error).toBeNull()
    expect(good.phases.map(({ phase, ok }) => `${phase} ${String(ok)}`)).toEqual([
      'resolve true',
      'connect true',
      'handshake true',
      'host-key true',
      'authenticate true',
    ])
    expect(bench.hostKeys.count({ host: '127.0.0.1', port: sshd.port, alias: null })).toBe(0)
    const connection = connectionTo(sshd.port, { username: sshd.user(), auth: 'key', keyPath: key('other0') })
    const bad = await testConnection({ connection }, bench.ports, { audience, signal })
    expect(bad.error?.code).toBe('SSH_AUTH')
    expect(bad.phases.at(-1)).toMatchObject({ phase: 'authenticate', ok: false })
  })
})

describe('what a server says before the login', () => {
  it('is no output of the session and no mark', async () => {
    await using server = await startSshServer({ config: { banner: '\u001b]133;D;0\u0007<img src=x> banner' } })
    const bench = sshBench()
    bench.answer = acceptsHosts
    const terminal = await bench.launch({
      host: { connection: connectionTo(server.port, { username: 'ada', auth: 'password', password: 'x' }) },
    })
    await saysIn(terminal, 'hello')
    expect(terminal.output()).not.toContain('banner')
    await end(terminal)
  })
})

it('tells what was left in a home: nothing', async () => {
  const { stdout } = await promisify(execFile)('find', [sshd.home(), '-name', '*dsh*'])
  expect(stdout).toBe('')
  expect(await readFile(join(sshd.home(), '.bashrc'), 'utf8')).toBe("PS1='$ '\n")
})
