import { afterEach, describe, expect, it } from 'vitest'
import { DEADLINES_MS } from '../../host-src/backends/ssh/steps.ts'
import { answersWith, connectionTo, sshBench } from '../support/ssh-bench.ts'
import { startRawServer, startSshServer, type FaultyServer } from '../support/ssh-server.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/wait.ts'

const SHORT = { ...DEADLINES_MS, handshake: 300, authenticate: 300, open: 300, connect: 300 }

const servers: AsyncDisposable[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]()
})
const keep = async <T extends AsyncDisposable>(starting: Promise<T>): Promise<T> => {
  const server = await starting
  servers.push(server)
  return server
}

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

const allClosed = (server: FaultyServer): Promise<unknown> =>
  until(() => server.openCount() === 0, { what: 'the connections to be closed' })

const hostOf = (
  server: { port: number },
  more: Parameters<typeof connectionTo>[1] = { username: 'ada', auth: 'password', password: 'x' },
) => ({
  host: { connection: connectionTo(server.port, more) },
})

describe('servers that fail on the way to a session', () => {
  it('nothing listens', async () => {
    const server = await startRawServer(() => {})
    await server[Symbol.asyncDispose]()
    const error = await errorOf(sshBench().launch(hostOf(server)))
    expect(error.code).toBe('SSH_CONNECT')
    expect(error.message).toContain('nothing listens on that port')
    expect(error.details).toMatchObject({ hop: 'target', phase: 'connect', host: '127.0.0.1' })
  })

  it('a name that does not exist', async () => {
    const connection = { ...connectionTo(22, { username: 'ada' }), host: 'no-such-machine.invalid' }
    const error = await errorOf(sshBench().launch({ host: { connection } }))
    expect(error.code).toBe('SSH_RESOLVE')
    expect(error.message).toContain('ada@no-such-machine.invalid')
  })

  it('one that says nothing', async () => {
    const server = await keep(startRawServer(() => {}))
    const error = await errorOf(sshBench({ deadlines: SHORT }).launch(hostOf(server)))
    expect(error.code).toBe('SSH_TIMEOUT')
    expect(error.details).toMatchObject({ phase: 'handshake' })
    await allClosed(server)
  })

  it('one that says something else', async () => {
    const server = await keep(startRawServer((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'.repeat(2000))))
    const error = await errorOf(sshBench({ deadlines: SHORT }).launch(hostOf(server)))
    expect(['SSH_HANDSHAKE', 'SSH_TIMEOUT']).toContain(error.code)
    expect(error.details).toMatchObject({ phase: 'handshake' })
    await allClosed(server)
  })

  it('one that hangs up in the middle of the login', async () => {
    const server = await keep(startSshServer({ auth: (_context, client) => client.end() }))
    const error = await errorOf(sshBench().launch(hostOf(server)))
    expect(error.code).toBe('SSH_AUTH')
    expect(error.details).toMatchObject({ phase: 'authenticate' })
    await allClosed(server)
  })

  it('one that never says whether the login is good', async () => {
    const server = await keep(startSshServer({ auth: () => {} }))
    const error = await errorOf(sshBench({ deadlines: SHORT }).launch(hostOf(server)))
    expect(error.code).toBe('SSH_TIMEOUT')
    expect(error.details).toMatchObject({ phase: 'authenticate' })
    await allClosed(server)
  })

  it('one that refuses everything says what was tried and what it takes', async () => {
    const server = await keep(startSshServer({ auth: (context) => context.reject(['publickey', 'password']) }))
    const bench = sshBench()
    bench.answer = answersWith(['second'], ['third'])
    const error = await errorOf(bench.launch(hostOf(server)))
    expect(error.code).toBe('SSH_AUTH')
    expect(error.message).toContain('refused: password; the server takes publickey, password')
    expect(bench.asked.map((question) => (question.kind === 'prompts' ? question.again : null))).toEqual([
      null,
      true,
      true,
    ])
  })

  it('one that opens no channel is not tried for ever, and the fallback is a new connection', async () => {
    let logins = 0
    const server = await keep(startSshServer({ ready: () => (logins += 1), session: (_accept, reject) => reject() }))
    const error = await errorOf(sshBench().launch(hostOf(server)))
    expect(error.code).toBe('SSH_CHANNEL')
    expect(logins).toBe(2)
    await allClosed(server)
  })

  it('one that still counts a channel that is closed is asked again, and no other connection is made', async () => {
    let [logins, opened] = [0, 0]
    const server = await keep(
      startSshServer({
        ready: () => (logins += 1),
        session: (accept, reject) => {
          opened += 1
          // As if the program of the first were not collected yet.
          if (opened === 2 || opened === 3) {
            reject()
            return
          }
          const session = accept()
          session.on('pty', (ok) => ok())
          session.on('exec', (_ok, refuse) => refuse())
          session.on('shell', (ok) => ok().write('hello'))
        },
      }),
    )
    const bench = sshBench()
    const lease = await bench.pool.lease(hostOf(server).host, bench.context())
    const first = await lease.link.shell({}, new AbortController().signal)
    first.resume()
    const closed = new Promise((resolve) => first.once('close', resolve))
    first.close()
    await closed
    const second = await lease.link.shell({}, new AbortController().signal)
    second.close()
    expect([logins, opened]).toEqual([1, 4])
    lease.release()
  })

  it('one that never answers when a channel is asked for', async () => {
    const server = await keep(startSshServer({ session: () => {} }))
    const error = await errorOf(sshBench({ deadlines: SHORT }).launch(hostOf(server)))
    expect(error.code).toBe('SSH_TIMEOUT')
    expect(error.details).toMatchObject({ phase: 'open' })
    await allClosed(server)
  })

  it('one that never answers when a terminal and a shell are asked for', async () => {
    const server = await keep(
      startSshServer({
        session: (accept) => {
          const session = accept()
          session.on('exec', (_ok, reject) => reject())
          session.on('pty', () => {})
        },
      }),
    )
    const error = await errorOf(sshBench({ deadlines: SHORT }).launch(hostOf(server)))
    expect(error.code).toBe('SSH_TIMEOUT')
    await allClosed(server)
  })

  it('a program that ended before anybody could look has its exit code', async () => {
    const server = await keep(
      startSshServer({
        session: (accept) => {
          const session = accept()
          session.on('pty', (ok) => ok())
          session.on('exec', (ok, reject, { command }) => {
            if (command !== 'go') {
              reject()
              return
            }
            const channel = ok()
            channel.write('gone')
            channel.exit(7)
            channel.end()
          })
        },
      }),
    )
    const terminal = await sshBench().launch({ ...hostOf(server), command: 'go' })
    expect(await terminal.launched.handle.exited).toEqual({ exitCode: 7, signal: null })
    expect(terminal.output()).toBe('gone')
    await terminal.launched.handle.terminate(100)
  })

  it('one that hangs up when anything but a shell is asked for', async () => {
    const server = await keep(
      startSshServer({
        ready: (client) => {
          client.on('session', (accept) => {
            const session = accept()
            session.on('exec', () => client.end())
            session.on('pty', (ok) => ok())
            session.on('shell', (ok) => ok().write('router> '))
          })
        },
        session: () => {},
      }),
    )
    const terminal = await sshBench().launch(hostOf(server))
    await until(() => terminal.output().includes('router> '), { what: 'the prompt' })
    const { verified, reason } = await terminal.launched.handle.terminate(100)
    expect({ verified, reason }).toEqual({ verified: false, reason: 'not observable' })
    await allClosed(server)
  })
})

describe('giving up', () => {
  it.each([
    ['while it says nothing', () => startRawServer(() => {})],
    ['during the login', () => startSshServer({ auth: () => {} })],
    ['while a channel is opened', () => startSshServer({ session: () => {} })],
  ])('%s ends at once and leaves no connection', async (_when, start) => {
    const server = await keep<FaultyServer>(start())
    const abort = new AbortController()
    const bench = sshBench()
    const launch = errorOf(bench.launch(hostOf(server), { signal: abort.signal }))
    await until(() => server.openCount() === 1, { what: 'the connection' })
    abort.abort()
    expect((await launch).code).toBe('CANCELLED')
    await allClosed(server)
    expect(bench.pool.size).toBe(0)
  })

  it('while the person is asked', async () => {
    const server = await keep(startSshServer())
    const abort = new AbortController()
    const bench = sshBench()
    bench.answer = () => {
      abort.abort()
      return { kind: 'aborted' }
    }
    expect((await errorOf(bench.launch(hostOf(server), { signal: abort.signal }))).code).toBe('CANCELLED')
    await allClosed(server)
  })
})

describe('what a person decides', () => {
  it('does not count against the deadlines', async () => {
    const server = await keep(startSshServer())
    const bench = sshBench({ deadlines: { ...SHORT, 'host-key': 150 } })
    bench.answer = async () => {
      await until(() => performance.now() > asked + 400, { what: 'a slow person' })
      return { kind: 'accept' }
    }
    const asked = performance.now()
    const terminal = await bench.launch(hostOf(server))
    await until(() => terminal.output().includes('hello'), { what: 'the shell' })
    await terminal.launched.handle.terminate(100)
  })

  it('is not waited for when the connection breaks meanwhile', async () => {
    const server = await keep(startSshServer())
    const proxy = await keep(startTcpProxy(server.port))
    const bench = sshBench()
    let given: Promise<unknown> = Promise.resolve()
    bench.answer = async (_question, signal) => {
      given = new Promise((resolve) => {
        signal.addEventListener('abort', resolve)
      })
      proxy.cut()
      await given
      return { kind: 'aborted' }
    }
    const error = await errorOf(bench.pool.lease(hostOf(proxy).host, bench.context()))
    expect([error.code, error.details?.['phase']]).toEqual(['SSH_LOST', 'host-key'])
    await given
  })

  it('questions in several steps, with and without echo, reach the person as they are', async () => {
    const answered: string[][] = []
    const server = await keep(
      startSshServer({
        auth: (context) => {
          if (context.method !== 'keyboard-interactive') {
            context.reject(['keyboard-interactive'])
            return
          }
          context.prompt([{ prompt: 'Password: ', echo: false }], 'Door\u0007', '\u001b[31mFirst step', (first) => {
            answered.push(first)
            context.prompt(
              [
                { prompt: 'Code:\u202e ', echo: true },
                { prompt: 'PIN: ', echo: false },
              ],
              '',
              '',
              (second) => {
                answered.push(second)
                context.accept()
              },
            )
          })
        },
      }),
    )
    const bench = sshBench()
    bench.answer = answersWith(['123456', '0000'])
    const terminal = await bench.launch(hostOf(server))
    await terminal.launched.handle.terminate(100)
    expect(answered).toEqual([['x'], ['123456', '0000']])
    expect(bench.asked[1]).toMatchObject({
      purpose: 'keyboard-interactive',
      prompts: [
        { text: 'Code:', echo: true },
        { text: 'PIN:', echo: false },
      ],
    })
  })

  it('an expired password is said, not waited for', async () => {
    const server = await keep(
      startSshServer({
        auth: (context) => {
          if (context.method === 'password') context.requestChange('Your password has expired', () => {})
          else context.reject(['password'])
        },
      }),
    )
    const error = await errorOf(sshBench().launch(hostOf(server)))
    expect(error.code).toBe('SSH_AUTH')
    expect(error.message).toContain('expired')
  })
})

describe('a connection that is lost', () => {
  it('is no exit of the program, and said as what it is', async () => {
    const server = await keep(startSshServer())
    const proxy = await keep(startTcpProxy(server.port))
    const terminal = await sshBench().launch(hostOf(proxy))
    await until(() => terminal.output().includes('hello'), { what: 'the shell' })
    proxy.cut()
    expect(await terminal.launched.handle.exited).toEqual({ exitCode: null, signal: null, reason: 'connection lost' })
    const { verified, reason } = await terminal.launched.handle.terminate(100)
    expect({ verified, reason }).toEqual({ verified: false, reason: 'connection lost' })
  })

  it('is noticed when nothing comes back any more', async () => {
    const server = await keep(startSshServer())
    const proxy = await keep(startTcpProxy(server.port))
    const terminal = await sshBench({ keepAlive: { everyMs: 50, misses: 2 } }).launch(hostOf(proxy))
    proxy.set('both', { frozen: true })
    expect(await terminal.launched.handle.exited).toMatchObject({ reason: 'connection lost' })
  })

  it('goes on through a new exchange of keys', async () => {
    const server = await keep(
      startSshServer({
        session: (accept) => {
          const session = accept()
          session.on('pty', (ok) => ok())
          session.on('exec', (_ok, reject) => reject())
          session.on('shell', (ok) => {
            const channel = ok()
            channel.write('before ')
            channel.once('data', () => channel.write('after'))
          })
        },
        ready: (client) => client.rekey(() => {}),
      }),
    )
    const terminal = await sshBench().launch(hostOf(server))
    await until(() => terminal.output().includes('before'), { what: 'the shell' })
    terminal.type('x')
    await until(() => terminal.output().includes('after'), { what: 'the shell after the exchange' })
    await terminal.launched.handle.terminate(100)
  })
})
