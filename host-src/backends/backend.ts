/** What can start a session, and what a started one can do. A new kind of session implements these two. */
import type { MarkNonce, PersistName, SessionId, StreamOffset } from '../../protocol-src/ids.ts'
import type {
  ExitReason,
  ExitStatus,
  LaunchSpec,
  Owner,
  SessionKind,
  SessionNotice,
  TerminalSize,
  Termination,
} from '../../protocol-src/session.ts'
import type { SshHop, SshPhase } from '../../protocol-src/question.ts'
import type { Event } from '../base/lifecycle.ts'
import type { Machine } from './machine.ts'

export type SpecOf<K extends SessionKind> = Extract<LaunchSpec, { kind: K }>

export interface Target {
  /** Identity shown to people: a shell's name, a command's first line. */
  readonly name: string
  /** What is run, for the record. */
  readonly run: { shell: string } | { argv: string[] }
}

export interface LaunchRequest<K extends SessionKind = SessionKind> {
  readonly sessionId: SessionId
  readonly spec: SpecOf<K>
  readonly size: TerminalSize
  /** For the marks of an interactive shell; nothing but the shell itself may learn it. */
  readonly markNonce: MarkNonce
  readonly signal: AbortSignal
  /** Whose it is: who is asked on the way to it, and kept where it outlives the host. */
  readonly owner: Owner
  /** A step on the way to another machine begins. */
  readonly began?: (hop: SshHop, phase: SshPhase) => void
  /** Start what this makes of the arguments, or null. @throws TtyError when it cannot */
  readonly confine?: ((argv: readonly string[]) => readonly string[]) | null
}

export interface Launched {
  readonly handle: PtyHandle
  /** Where the process starts, or null when the backend cannot know. */
  readonly cwd: string | null
  readonly notices: readonly SessionNotice[]
  /** On another machine: its names, where they are known. */
  readonly hostNames?: readonly string[]
  /** Runs programs where the session runs, beside its terminal. */
  readonly machine?: Machine
  /** Under what it outlives the host; absent or null when it ends with it. */
  readonly persist?: PersistName | null
}

/** A session that runs since an earlier run of the host, and what is needed to take it over. */
export interface Survivor {
  readonly sessionId: SessionId
  readonly persist: PersistName
  readonly spec: LaunchSpec
  readonly owner: Owner
  readonly markNonce: MarkNonce
  /** Epoch milliseconds. */
  readonly startedAt: number
}

export interface AdoptRequest {
  readonly survivor: Survivor
  /** The id under which it goes on. */
  readonly sessionId: SessionId
  /** Its output before this offset is known. */
  readonly from: StreamOffset
}

/** The end of a process; with a reason where nobody saw it. */
export type HandleEnd = ExitStatus & { readonly reason?: ExitReason }

export interface SessionBackend<K extends SessionKind = SessionKind> {
  readonly kind: K
  /** What a launch would run, known before it. */
  describe(spec: SpecOf<K>): Target
  /** Start the process. Rejects with a TtyError, and only after whatever was started is gone again. */
  launch(request: LaunchRequest<K>): Promise<Launched>
  /** Sessions that outlived an earlier run of the host. Absent where none can. Never rejects. */
  survivors?(): Promise<readonly Survivor[]>
  /** Take over a session. Rejects with a TtyError when it cannot be; it is then left as it is. */
  adopt?(request: AdoptRequest): Promise<Launched>
}

/** Facts of the system about a terminal's foreground programs; absent where it does not tell. */
export interface InputState {
  /** Whether one of them does nothing but wait for what is typed. */
  readonly isWaiting?: boolean
  /** Whether what is typed is not shown although whole lines are read: a secret is asked for. */
  readonly isSecret?: boolean
  /** Whether the terminal takes whole lines, of at most 4095 bytes on Linux. */
  readonly isLineMode?: boolean
}

export interface PtyHandle {
  /** Null for kinds without a local process. */
  readonly pid: number | null
  /** Raw bytes; the buffer belongs to the listener only during the call. */
  readonly onData: Event<Uint8Array>
  /** Resolves after the last byte was announced. */
  readonly exited: Promise<HandleEnd>
  /** Names what the first process runs: another name after every `exec`. Null where that cannot be known. */
  image(): string | null
  /**
   * Queue input. @throws TtyError INPUT_BACKLOG when the program does not read and the queue is full (nothing is taken then),
   * SESSION_EXITED after the end
   */
  write(data: Uint8Array): void
  /** No effect after the end. */
  resize(size: TerminalSize): void
  /** Stop reading output; the program blocks once the kernel's buffer is full. */
  pause(): void
  resume(): void
  /** What the program waits for. The promise never rejects. */
  inputState(): Promise<InputState>
  /** End the whole process tree and look whether it is gone. Idempotent; the promise never rejects. */
  terminate(graceMs: number): Promise<Termination>
  /** Let the program go on without this host. Absent where it cannot. */
  leave?(): void
}
