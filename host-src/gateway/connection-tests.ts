/** Tests of connections that clients asked for: each ends with its client, or when that does not want it any more. */
import type { ClientFrame } from '../../protocol-src/client-frames.ts'
import type { ReplyOf } from '../../protocol-src/host-frames.ts'
import type { ClientId } from '../../protocol-src/ids.ts'
import type { HostRef } from '../../protocol-src/ssh.ts'
import type { TestResult } from '../backends/ssh/connection-test.ts'
import { TtyError } from '../base/errors.ts'
import type { ClientConnection } from './client-connection.ts'

/** Tests of one client at once. */
const MAX_TESTS = 4

export type RunTest = (host: HostRef, client: ClientId, signal: AbortSignal) => Promise<TestResult>

export class ConnectionTests {
  readonly #run: RunTest
  readonly #running = new WeakMap<ClientConnection, Map<number, AbortController>>()

  constructor(run: RunTest) {
    this.#run = run
  }

  async run(
    { test, host }: Extract<ClientFrame, { type: 'testConnection' }>,
    connection: ClientConnection,
  ): Promise<ReplyOf<'testConnection'>> {
    if (connection.client === null) throw new TtyError('HELLO_EXPECTED', 'The first frame must be hello.')
    const running = this.#of(connection)
    if (running.size >= MAX_TESTS)
      throw new TtyError('BUSY', `${String(MAX_TESTS)} tests of this client run; wait for one of them.`, {
        details: { limit: MAX_TESTS },
      })
    const abort = new AbortController()
    running.set(test, abort)
    try {
      const { phases, error } = await this.#run(host, connection.client, abort.signal)
      return { phases: [...phases], error: error === null ? null : error.toWire() }
    } finally {
      if (running.get(test) === abort) running.delete(test)
    }
  }

  /** Without effect when it is over. */
  cancel(test: number, connection: ClientConnection): void {
    this.#of(connection).get(test)?.abort()
  }

  /** A client is gone. */
  cancelAll(connection: ClientConnection): void {
    for (const abort of this.#of(connection).values()) abort.abort()
  }

  #of(connection: ClientConnection): Map<number, AbortController> {
    const running = this.#running.get(connection) ?? new Map<number, AbortController>()
    this.#running.set(connection, running)
    return running
  }
}
