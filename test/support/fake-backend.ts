/** A backend whose processes are objects: tests decide when a launch succeeds, what a program prints and how it ends. */
import type {
  InputState,
  LaunchRequest,
  Launched,
  PtyHandle,
  SessionBackend,
  Target,
} from '../../host-src/backends/backend.ts'
import type { TtyError } from '../../host-src/base/errors.ts'
import { Emitter } from '../../host-src/base/lifecycle.ts'
import type { ExitStatus, TerminalSize, Termination } from '../../protocol-src/session.ts'
import { recordingLogger } from './recording-logger.ts'

const GONE: Termination = { verified: true, killed: [], survivors: [] }

/** A program that does what the test says. */
export class FakePty implements PtyHandle {
  readonly pid: number
  readonly exited: Promise<ExitStatus>
  readonly onData: PtyHandle['onData']
  readonly written: string[] = []
  readonly sizes: string[] = []
  isPaused = false
  /** What it runs. */
  program: string | null = null
  terminations = 0
  /** What the system would tell of it. */
  asks: InputState = {}
  /** Set to make `terminate` wait; it resolves what it was set to. */
  termination: Promise<Termination> = Promise.resolve(GONE)
  /** Set to make `write` fail. */
  refusal: TtyError | null = null
  #isOver = false
  readonly #data = new Emitter<Uint8Array>(recordingLogger())
  #settleExited!: (status: ExitStatus) => void

  constructor(pid: number) {
    this.pid = pid
    this.onData = this.#data.event
    this.exited = new Promise((resolve) => {
      this.#settleExited = resolve
    })
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The program prints. */
  print(output: string | Uint8Array): void {
    this.#data.fire(Buffer.from(output))
  }

  /** The program ends by itself; resolves when its session has heard. */
  async exit(status: ExitStatus = { exitCode: 0, signal: null }): Promise<void> {
    this.#isOver = true
    this.#settleExited(status)
    await settled()
  }

  image(): string | null {
    return this.program
  }

  write(data: Uint8Array): void {
    if (this.refusal !== null) throw this.refusal
    this.written.push(Buffer.from(data).toString())
  }

  resize({ cols, rows }: TerminalSize): void {
    this.sizes.push(`${cols}x${rows}`)
  }

  pause(): void {
    this.isPaused = true
  }

  resume(): void {
    this.isPaused = false
  }

  inputState(): Promise<InputState> {
    return Promise.resolve(this.asks)
  }

  async terminate(): Promise<Termination> {
    this.terminations += 1
    const termination = await this.termination
    if (!this.#isOver && termination.verified) {
      this.#isOver = true
      this.#settleExited({ exitCode: null, signal: 'SIGHUP' })
    }
    return termination
  }
}

/** One launch that waits for the test. */
export interface FakeLaunch {
  readonly request: LaunchRequest<'local'>
  readonly pty: FakePty
  succeed(): Promise<void>
  fail(error: TtyError): Promise<void>
}

/** @param mode `auto` launches succeed at once; `manual` ones wait for the test and do not listen to their signal */
export class FakeBackend implements SessionBackend<'local'> {
  readonly kind = 'local'
  readonly launches: FakeLaunch[] = []
  /** Whether sessions with a name outlive the host. */
  keeps = false
  mode: 'auto' | 'manual'

  constructor(mode: 'auto' | 'manual' = 'auto') {
    this.mode = mode
  }

  /** The program of the last launch. */
  get pty(): FakePty {
    const pty = this.launches.at(-1)?.pty
    if (pty === undefined) throw new Error('Nothing was launched yet')
    return pty
  }

  describe(): Target {
    return { name: 'fake', run: { shell: '/fake/shell' } }
  }

  launch(request: LaunchRequest<'local'>): Promise<Launched> {
    const pty = new FakePty(1000 + this.launches.length)
    const { persist } = request.spec
    const launched: Launched = {
      handle: pty,
      cwd: '/fake',
      notices: [],
      ...(this.keeps && typeof persist === 'string' ? { persist } : {}),
    }
    return new Promise((resolve, reject) => {
      this.launches.push({
        request,
        pty,
        succeed: () => {
          resolve(launched)
          return settled()
        },
        fail: (error) => {
          reject(error)
          return settled()
        },
      })
      if (this.mode === 'auto') resolve(launched)
    })
  }
}

/** Resolves when promises that can settle now have settled, also under a fake clock. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}
