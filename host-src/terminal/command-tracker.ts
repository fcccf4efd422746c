/**
 * What a session's shell does, as far as its marks prove it: whether a command runs, which ran, how they ended, where the
 * shell is. It never guesses: what no mark proves is unknown. Knows nothing of bytes, journals and viewers.
 */
import type { CommandRecord } from '../../protocol-src/command.ts'
import type { StreamOffset } from '../../protocol-src/ids.ts'
import { MAX_COMMANDS } from '../../protocol-src/limits.ts'
import type { Mark } from './mark-parser.ts'

export interface CommandListener {
  /** @returns when that was, in epoch milliseconds */
  started(command: Omit<CommandRecord, 'startedAt'>): number
  /** @returns when that was, in epoch milliseconds */
  finished(command: Omit<CommandRecord, 'endedAt'>): number
  /** Nobody will be told how the command `id` ends. */
  lost(id: number): void
  /** A prompt that was not there before. */
  prompted(at: StreamOffset): void
  /** The shell is in another directory, by its own word. */
  moved(cwd: string): void
  /** A command started or ended: the record as it is now. */
  command(command: CommandRecord): void
  /** `running`, the commands, their last end, `cwd` or whether a prompt waits are not what they were. */
  changed(): void
}

/** The last end that the shell told of. Without a command none ran: an empty line, a syntax error, Ctrl-C at the prompt. */
export interface CommandEnd {
  readonly at: StreamOffset
  readonly exitCode: number | null
  readonly command: number | null
}

/** What an earlier run of the host knew. */
export interface KnownCommands {
  readonly commands: readonly CommandRecord[]
  readonly seen: number
  readonly cwd: string | null
  /** Undefined: nobody knew. When true, the last command is the one. */
  readonly running: boolean | undefined
  readonly isTrusted: boolean
}

export class CommandTracker {
  readonly #listener: CommandListener
  #running: boolean | undefined
  /** Ascending; the one that runs is the last. */
  #commands: CommandRecord[] = []
  #current: CommandRecord | null = null
  #seen = 0
  #promptAt: StreamOffset | null = null
  #lastEnd: CommandEnd | null = null
  /** A prompt was seen while a command ran and its end was not: one of the two is not what it seems. */
  #doubtFrom: StreamOffset | null = null
  #cwd: string | null = null
  #cwdIsProven = false
  #isTrusted = true

  constructor(listener: CommandListener) {
    this.#listener = listener
  }

  /** Undefined: nobody knows. */
  get running(): boolean | undefined {
    return this.#running
  }

  get current(): CommandRecord | null {
    return this.#current
  }

  /** The last command, when it is known to have ended and that none runs. */
  get last(): CommandRecord | null {
    const newest = this.#commands.at(-1)
    return this.#running === false && newest !== undefined && newest.endedAt !== null ? newest : null
  }

  get seen(): number {
    return this.#seen
  }

  get lastEnd(): CommandEnd | null {
    return this.#lastEnd
  }

  /** Where the prompt begins that waits for a line; null when none does, or nobody knows. */
  get promptAt(): StreamOffset | null {
    return this.#running === false ? this.#promptAt : null
  }

  get cwd(): string | null {
    return this.#cwd
  }

  /** Whether `cwd` is what the shell itself said. */
  get cwdIsProven(): boolean {
    return this.#cwdIsProven
  }

  /** False for good once the nonce is known to others. */
  get isTrusted(): boolean {
    return this.#isTrusted
  }

  /** The newest commands, ascending; those before the command `before` when it is given. */
  list({ before = Infinity, limit }: { before?: number | undefined; limit: number }): CommandRecord[] {
    return this.#commands.filter(({ id }) => id < before).slice(-limit)
  }

  /** Where the process was started: not what the shell says, and as good as that until it says something. */
  startIn(cwd: string): void {
    this.#cwd = cwd
    this.#listener.moved(cwd)
  }

  /** A mark of the shell itself. */
  take(mark: Mark): void {
    if (!this.#isTrusted) return
    switch (mark.kind) {
      case 'promptStart':
        this.#prompt(mark.start)
        return
      case 'promptEnd':
        this.#prompt(this.#promptAt ?? mark.start)
        return
      case 'commandStart':
        this.#start(mark)
        return
      case 'commandEnd':
        this.#end(mark)
        return
      case 'property':
        if (mark.cwd !== null) this.#move(mark.cwd, { isProven: true })
    }
  }

  /** Where somebody says that the shell is: taken as long as the shell itself said nothing. */
  hintCwd(cwd: string): void {
    if (!this.#cwdIsProven) this.#move(cwd, { isProven: false })
  }

  /** The nonce is known to others: no mark proves anything any more. */
  distrust(): void {
    this.#isTrusted = false
    this.#loseSight()
  }

  /** Another program took the place of the shell that wrote the marks: its command will never be reported to have ended. */
  shellReplaced(): void {
    if (this.#current !== null) this.#loseSight()
  }

  /** The process of the session is gone, and every command of it as far as the terminal is concerned. */
  processEnded(at: StreamOffset): void {
    if (this.#current !== null) this.#finish(this.#current, { exitCode: null, outputTo: this.#doubtFrom ?? at })
    this.#promptAt = null
    this.#setRunning(false)
  }

  /** Take over what an earlier run knew of a session that ended with it. */
  restore({ commands, seen, cwd }: KnownCommands): void {
    this.#commands = commands.slice(-MAX_COMMANDS)
    this.#seen = seen
    this.#cwd = cwd
    this.#running = false
  }

  /** Go on where an earlier run stopped, with a session that did not. */
  resume(known: KnownCommands): void {
    this.restore(known)
    this.#running = known.running
    this.#current = known.running === true ? (known.commands.at(-1) ?? null) : null
    this.#isTrusted = known.isTrusted
  }

  #prompt(at: StreamOffset): void {
    if (this.#current !== null) {
      // Its end mark is missing, or the command itself printed the prompt: the next mark decides.
      this.#doubtFrom ??= at
      this.#setRunning(undefined)
      return
    }
    const isNew = this.#promptAt === null
    this.#promptAt = at
    this.#running = false
    if (!isNew) return
    this.#listener.prompted(at)
    this.#listener.changed()
  }

  #start({ start, end, text, truncated }: Extract<Mark, { kind: 'commandStart' }>): void {
    const doubtFrom = this.#doubtFrom
    // A shell that runs several lines of one paste reports each start, and one end: how the others ended is unknown.
    if (this.#current !== null) this.#finish(this.#current, { exitCode: null, outputTo: doubtFrom ?? start })
    this.#seen += 1
    const command = {
      id: this.#seen,
      text,
      truncated,
      cwd: this.#cwd,
      endedAt: null,
      exitCode: null,
      outputFrom: end,
      outputTo: null,
      promptAt: doubtFrom ?? this.#promptAt,
    }
    this.#promptAt = null
    this.#running = true
    this.#current = { ...command, startedAt: this.#listener.started(command) }
    this.#commands.push(this.#current)
    if (this.#commands.length > MAX_COMMANDS) this.#commands.shift()
    this.#listener.command(this.#current)
    this.#listener.changed()
  }

  #end({ start, exitCode }: Extract<Mark, { kind: 'commandEnd' }>): void {
    const command = this.#current
    this.#lastEnd = { at: start, exitCode, command: command?.id ?? null }
    this.#promptAt = null
    // After a prompt that should not be there, nobody knows whose end this is.
    const isSure = this.#doubtFrom === null
    if (command !== null)
      this.#finish(command, { exitCode: isSure ? exitCode : null, outputTo: isSure ? start : this.#doubtFrom })
    else {
      this.#running = false
      this.#listener.changed()
    }
  }

  #finish(command: CommandRecord, end: Pick<CommandRecord, 'exitCode' | 'outputTo'>): void {
    const ended = { ...command, ...end }
    this.#current = null
    this.#doubtFrom = null
    this.#running = false
    this.#replace({ ...ended, endedAt: this.#listener.finished(ended) })
    this.#listener.changed()
  }

  #replace(command: CommandRecord): void {
    const at = this.#commands.findLastIndex(({ id }) => id === command.id)
    if (at !== -1) this.#commands[at] = command
    this.#listener.command(command)
  }

  /** What goes on is unknown from now on; the command that ran has no end. */
  #loseSight(): void {
    if (this.#current !== null) this.#listener.lost(this.#current.id)
    this.#current = null
    this.#doubtFrom = null
    this.#promptAt = null
    this.#running = undefined
    this.#listener.changed()
  }

  #move(cwd: string, { isProven }: { isProven: boolean }): void {
    this.#cwdIsProven ||= isProven
    if (cwd === this.#cwd) return
    this.#cwd = cwd
    if (isProven) this.#listener.moved(cwd)
    this.#listener.changed()
  }

  #setRunning(running: boolean | undefined): void {
    if (this.#running === running) return
    this.#running = running
    this.#listener.changed()
  }
}
