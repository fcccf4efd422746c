/** What one server is asked, and what it is asked again. */
import { expect, it } from 'vitest'
import type { RunResult } from '../../../../host-src/backends/machine.ts'
import { TmuxServer } from '../../../../host-src/backends/tmux-server.ts'
import type { PersistName } from '../../../../protocol-src/ids.ts'

const NAME = 'x1' as PersistName
const SIZE = { cols: 80, rows: 24 }
const PANE = { exitCode: 0, stdout: '12 11 0 1\n', stderr: '' }
const DONE = { exitCode: 0, stdout: '', stderr: '' }

/** A server on a machine that answers each start with the next of `starts`, and everything else with a pane. */
const serverOf = (starts: RunResult[]): { server: TmuxServer; asked: (readonly string[])[] } => {
  const asked: (readonly string[])[] = []
  const machine = {
    run: (argv: readonly string[]): Promise<RunResult> => {
      asked.push(argv)
      return Promise.resolve(argv.includes('new-session') ? (starts.shift() ?? DONE) : PANE)
    },
  }
  return { server: new TmuxServer({ machine, directory: '/home/me/.dsh/tty/tmux' }), asked }
}

const refused = (stderr: string): RunResult => ({ exitCode: 1, stdout: '', stderr })

it.each(['server exited unexpectedly', 'lost server', 'no server running on /tmp/x', 'error connecting to /tmp/x'])(
  'starts again when the server was on its way out: %s',
  async (said) => {
    const { server, asked } = serverOf([refused(said), refused(said), DONE])
    expect(await server.start(NAME, ['/bin/sh'], SIZE)).toMatchObject({ pid: 12, serverPid: 11 })
    expect(asked.filter((argv) => argv.includes('new-session'))).toHaveLength(3)
  },
)

it('says what tmux said when it cannot start, and does not try for ever', async () => {
  const { server, asked } = serverOf([refused('duplicate session: dsh-x1')])
  await expect(server.start(NAME, ['/bin/sh'], SIZE)).rejects.toMatchObject({
    code: 'SPAWN_FAILED',
    message: expect.stringContaining('duplicate session: dsh-x1') as string,
  })
  expect(asked).toHaveLength(1)
  const gone = serverOf(Array.from({ length: 100 }, () => refused('no server running on /tmp/x')))
  await expect(gone.server.start(NAME, ['/bin/sh'], SIZE)).rejects.toMatchObject({ code: 'SPAWN_FAILED' })
})

it('names exactly one session to tmux, which would take the beginning of a name for it', async () => {
  const { server, asked } = serverOf([])
  await server.pane(NAME)
  await server.has(NAME)
  await server.record(NAME, 7)
  await server.printFence(NAME, 'fence')
  await server.kill(NAME)
  const targets = asked.map((argv) => argv[argv.indexOf('-t') + 1])
  expect(targets).toEqual(['=dsh-x1:', '=dsh-x1', '=dsh-x1:', '=dsh-x1:', '=dsh-x1'])
})
