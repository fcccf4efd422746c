/**
 * A conversation with a tmux server about one session: commands in order, each with its answer, over a control client that
 * is told no output. Ends with the session, the server or the host; none of the three waits for it.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { messageOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'

export interface ControlAnswer {
  readonly isDone: boolean
  readonly lines: readonly string[]
}

export interface TmuxControlPorts {
  /** Starts the client. */
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** The client is gone: what was not answered never will be. */
  readonly closed: () => void
  readonly logger: Logger
}

interface Waiting {
  readonly bytes: number
  readonly answered: (answer: ControlAnswer) => void
}

/** A line longer than this is no answer that was asked for. */
const MAX_LINE_CHARS = 1024 * 1024
const NO_ANSWER: ControlAnswer = { isDone: false, lines: [] }

export class TmuxControl {
  readonly #ports: TmuxControlPorts
  readonly #client: ChildProcessWithoutNullStreams
  readonly #waiting: Waiting[] = []
  #rest = ''
  /** Of the answer that is being read; null between answers. */
  #lines: string[] | null = null
  #isOwn = false
  #pendingBytes = 0
  #isClosed = false

  constructor(ports: TmuxControlPorts) {
    this.#ports = ports
    const [program = '', ...args] = ports.argv
    this.#client = spawn(program, args, { env: { ...ports.env }, cwd: ports.cwd, stdio: 'pipe' })
    this.#client.stdout.setEncoding('utf8')
    this.#client.stdout.on('data', (text: string) => {
      this.#read(text)
    })
    this.#client.stderr.resume()
    this.#client.stdin.on('error', () => {}) // it is gone, which `close` tells
    this.#client.on('error', (error) => {
      ports.logger.warn('tmux.control-failed', { message: messageOf(error) })
      this.#closed()
    })
    this.#client.on('close', () => {
      this.#closed()
    })
  }

  /** Bytes of input in commands that tmux has not taken yet. */
  get pendingBytes(): number {
    return this.#pendingBytes
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /**
   * @param command one line of tmux's own syntax, of words that need no quotes
   * @param bytes of input that it carries
   */
  ask(command: string, bytes = 0): Promise<ControlAnswer> {
    if (this.#isClosed) return Promise.resolve(NO_ANSWER)
    this.#pendingBytes += bytes
    return new Promise((answered) => {
      this.#waiting.push({ bytes, answered })
      this.#client.stdin.write(`${command}\n`)
    })
  }

  /** Leave: the session goes on. */
  leave(): void {
    if (!this.#isClosed) this.#client.stdin.end()
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const { answered } of this.#waiting.splice(0)) answered(NO_ANSWER)
    this.#pendingBytes = 0
    this.#ports.closed()
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    if (this.#rest.length > MAX_LINE_CHARS) this.#rest = ''
    for (const line of lines) this.#take(line)
  }

  #take(line: string): void {
    if (this.#lines === null) {
      const begin = /^%begin \d+ \d+ (\d+)$/.exec(line)
      if (begin === null) return // a notification: what changed here was asked for here
      this.#lines = []
      this.#isOwn = begin[1] === '1'
      return
    }
    const end = /^%(end|error) \d+ \d+ \d+$/.exec(line)
    if (end === null) {
      this.#lines.push(line)
      return
    }
    const lines = this.#lines
    this.#lines = null
    // The answer to being started is nobody's.
    if (!this.#isOwn) return
    const waiting = this.#waiting.shift()
    this.#pendingBytes -= waiting?.bytes ?? 0
    waiting?.answered({ isDone: end[1] === 'end', lines })
  }
}
