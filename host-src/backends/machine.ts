/**
 * Running a program on the machine of a session, beside its terminal: what tmux, statistics and file work need. Knows no
 * sessions and no shells: a program gets its arguments as they are.
 */

export interface RunOptions {
  readonly input?: string
  /** After it the program is killed, and `exitCode` is null. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface RunResult {
  /** Null when it was killed. 127 when there is no such program, as a shell would say. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Machine {
  /** Rejects when the program could not be started, except when there is none of that name, and when `signal` aborts. */
  run(argv: readonly string[], options: RunOptions): Promise<RunResult>
}
