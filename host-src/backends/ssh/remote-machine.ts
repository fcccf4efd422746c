/** Runs programs on the machine at the other end of a connection, beside any terminal. */
import { StringDecoder } from 'node:string_decoder'
import type { ClientChannel } from 'ssh2'
import { TtyError } from '../../base/errors.ts'
import type { Machine, RunOptions, RunResult } from '../machine.ts'
import { exitOf } from './link.ts'
import { commandLine } from './quote.ts'

/** What is kept of each of the two outputs. */
const MAX_OUTPUT_CHARS = 4 * 1024 * 1024

export class RemoteMachine implements Machine {
  readonly #open: (command: string, signal: AbortSignal) => Promise<ClientChannel>

  /** @param open an exec channel */
  constructor(open: (command: string, signal: AbortSignal) => Promise<ClientChannel>) {
    this.#open = open
  }

  async run(argv: readonly string[], options: RunOptions): Promise<RunResult> {
    const { input, timeoutMs, signal } = options
    const abort = new AbortController()
    const stop = (): void => {
      abort.abort()
    }
    if (signal?.aborted === true) stop()
    signal?.addEventListener('abort', stop, { once: true })
    let isTimedOut = false
    const timer = setTimeout(() => {
      isTimedOut = true
      stop()
    }, timeoutMs)
    try {
      const channel = await this.#open(commandLine(argv), abort.signal)
      return await finished(channel, input, abort.signal)
    } catch (error) {
      if (!isTimedOut) throw error
      const why = `"${argv[0] ?? ''}" did not end within ${String(Math.round(timeoutMs / 1000))} s on the other machine`
      throw new TtyError('SSH_TIMEOUT', `${why}. Try again.`, { cause: error, details: { phase: 'open' } })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }
}

function finished(channel: ClientChannel, input: string | undefined, signal: AbortSignal): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const [out, err] = [new Gathered(), new Gathered()]
    const aborted = (): void => {
      channel.signal('TERM')
      channel.close()
      reject(new TtyError('CANCELLED', 'It was given up.'))
    }
    if (signal.aborted) {
      aborted()
      return
    }
    signal.addEventListener('abort', aborted, { once: true })
    channel.on('data', (chunk: Buffer) => {
      out.take(chunk)
    })
    channel.stderr.on('data', (chunk: Buffer) => {
      err.take(chunk)
    })
    channel.on('error', reject)
    channel.on('close', () => {
      signal.removeEventListener('abort', aborted)
      resolve({ exitCode: exitOf(channel)?.exitCode ?? null, stdout: out.text, stderr: err.text })
    })
    channel.end(input ?? '')
  })
}

class Gathered {
  text = ''
  readonly #decoder = new StringDecoder('utf8')

  take(chunk: Buffer): void {
    if (this.text.length < MAX_OUTPUT_CHARS) this.text += this.#decoder.write(chunk)
  }
}
