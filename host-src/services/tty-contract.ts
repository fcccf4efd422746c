/** The service `tty` as other plugins of the host use it: types only, and a public contract. docs/services.md explains it. */

/** Raised when a member is removed or changes its meaning; additions leave it. */
export const TTY_SERVICE_VERSION = 1

/** A terminal, as far as a plugin may know it. The ones that the user hid from agents are in no list and no event. */
export interface TtySession {
  readonly sid: string
  readonly kind: string
  /** The shell's name, or the first line of the command. */
  readonly target: string
  /** Name that a person gave it. */
  readonly title: string | null
  readonly cwd: string | null
  readonly pid: number | null
  readonly owner: 'user' | 'agent' | 'plugin'
  /** Which plugin opened it. */
  readonly plugin: string | null
  readonly phase: 'starting' | 'running' | 'exited'
  /** Whether its shell runs a command; null when nobody knows. */
  readonly isBusy: boolean | null
  readonly exitCode: number | null
  readonly signal: string | null
}

/** On whose behalf a call is made. */
export interface TtyCall {
  /** Name of the calling plugin: stands in the list of terminals and on record. */
  readonly plugin: string
  /**
   * The call of a DSH tool that this is part of, as its `execute` got it: then that agent's permission tier decides, and its
   * user is asked. Without one the tier of the host decides, and nobody can be asked.
   */
  readonly call?: TtyToolCall
  readonly signal?: AbortSignal
}

export interface TtyToolCall {
  readonly callId: string
  readonly name: string
  readonly signal: AbortSignal
  readonly agent?: object
}

export interface TtyOpenRequest extends TtyCall {
  /** Run this instead of an interactive shell, in the syntax of the user's shell; the terminal ends with it. */
  readonly command?: string
  /** Absolute. */
  readonly cwd?: string
  readonly title?: string
  readonly cols?: number
  readonly rows?: number
}

export interface TtyRunRequest extends TtyCall {
  readonly command: string
  readonly cwd?: string
  /** 120 000 when absent, 600 000 at most. A time-out ends the wait only. */
  readonly timeoutMs?: number
}

export interface TtyRunResult {
  readonly sid: string
  /** The end of what it printed, without escape sequences, and with what looks like a secret masked. */
  readonly text: string
  /** Bytes of output that are not in `text`. */
  readonly bytesOmitted: number
  readonly exitCode: number | null
  readonly signal: string | null
  /** It did not end in time, or waits for input: the terminal is still there under `sid`. */
  readonly isRunning: boolean
  readonly timedOut: boolean
}

export interface TtyAttachRequest extends TtyCall {
  readonly sid: string
  /** Where to begin: at the oldest output that is kept, or with what comes from now on, which is the default. */
  readonly from?: 'start' | 'now'
  /** Bytes as they were printed, in order. `offset` is where they begin; a jump in it is output that is not kept any more. */
  readonly onOutput: (bytes: Uint8Array, offset: number) => void
  /** No more output will come. */
  readonly onEnd?: (session: TtySession) => void
}

export interface TtyAttachment {
  readonly sid: string
  /**
   * Type into the terminal: all of it, nothing of anybody else between. Judged by the permission tier each time, refused
   * while the user is typing there. On record as typed by a plugin, by its length only.
   */
  write(text: string, options?: { readonly force?: boolean }): Promise<void>
  /** End the terminal; only one that a plugin of the same name opened. */
  close(): Promise<void>
  /** Look no more. The terminal goes on. */
  dispose(): void
}

/** `gone`: closed, or hidden from agents by the user; its `session` is the last that was known. */
export interface TtyEvent {
  readonly type: 'opened' | 'changed' | 'exited' | 'gone'
  readonly session: TtySession
}

/**
 * Every method rejects (or throws) an `Error` with a `code` of the table in docs/services.md and a message that says what
 * failed, why and what to do. What a listener throws is logged and harms nobody.
 */
export interface TtyService {
  readonly version: number
  list(): readonly TtySession[]
  open(request: TtyOpenRequest): Promise<TtySession>
  /** Run one command in a terminal of its own and wait for its end; the terminal goes with it. */
  run(request: TtyRunRequest): Promise<TtyRunResult>
  attach(request: TtyAttachRequest): TtyAttachment
  /** @returns what ends the subscription */
  onEvent(listener: (event: TtyEvent) => void): () => void
}
