/**
 * A session's screen. It is parsed when somebody asks, in the thread, from the last checkpoint; between questions only the
 * checkpoint is kept. It reads the session's output by offset and never holds what was not parsed.
 */
import type { MarkNonce, StreamOffset } from '../../protocol-src/ids.ts'
import type { TerminalSize } from '../../protocol-src/session.ts'
import { Emitter, type Disposable, type Event } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'
import { ScreenFeed, type ScreenHealth, type ScreenSource } from './screen-feed.ts'
import type { Checkpoint, StatePlace, ThreadScreen, ThreadState, VisibleScreen } from './screen-messages.ts'
import { QueryScanner } from './screen-queries.ts'
import type { ScreenThread } from './screen-thread.ts'
import { ScreenTimeline } from './screen-timeline.ts'

/** A state without its screen. */
export interface ScreenRest {
  /** Newest lines first. */
  readonly historyParts: readonly Uint8Array[]
  /** What `hashState` must give for the viewer's terminal before it goes on. */
  readonly hash: string
}

/**
 * What a viewer starts from: put the state into its terminal, then the output from `offset` on. `sizeChanges` are the
 * resizes that the state has had, of those recorded by `resizeAt`; the others are still to come, at their offsets.
 */
export interface ScreenSnapshot extends StatePlace, ScreenRest {
  readonly screenPart: Uint8Array
}

/** The same, screen first; `rest` rejects when the thread was lost in between. */
export interface ScreenStart extends StatePlace {
  readonly screenPart: Uint8Array
  readonly rest: ScreenRest | Promise<ScreenRest>
}

export interface ScreenOptions {
  readonly source: ScreenSource
  readonly thread: ScreenThread
  readonly logger: Logger
  /** At offset 0. */
  readonly size: TerminalSize
  readonly scrollbackLines: number
  /** Of the shell's marks that are part of the state; null or absent: none are. */
  readonly markNonce?: MarkNonce | null
  /** This screen needs output before `offset` no more. Only ever grows. */
  readonly onPin?: (offset: StreamOffset) => void
  /** Parsed bytes after which the state is kept. */
  readonly checkpointBytes?: number
  /** Unparsed bytes at which parsing begins although nobody asked and output goes on. Read at the moment of use. */
  readonly backlogBytes?: () => number
  /** Unparsed bytes worth parsing once the output pauses. */
  readonly idleBytes?: number
  /** Quiet time after which that is done, and after which an unused emulator is let go. */
  readonly idleMs?: number
}

const CHECKPOINT_BYTES = 4 * 1024 * 1024
const BACKLOG_BYTES = 4 * 1024 * 1024
const IDLE_BYTES = 256 * 1024
const IDLE_MS = 2000

export class Screen implements Disposable {
  /** What is to be written to the program; see `answerQueries`. */
  readonly onReply: Event<Uint8Array>
  readonly #options: ScreenOptions
  readonly #timeline = new ScreenTimeline()
  readonly #replies: Emitter<Uint8Array>
  readonly #feed: ScreenFeed
  readonly #queries = new QueryScanner()
  #isAnswering = false
  #isHeld = false
  /** How far the output was searched for questions. */
  #searched: StreamOffset = 0
  #idleTimer: NodeJS.Timeout | undefined
  #usedAt = 0
  #isDisposed = false

  constructor(options: ScreenOptions) {
    this.#options = options
    this.#replies = new Emitter(options.logger)
    this.onReply = this.#replies.event
    this.#feed = new ScreenFeed({
      ...options,
      markNonce: options.markNonce ?? null,
      timeline: this.#timeline,
      checkpointBytes: options.checkpointBytes ?? CHECKPOINT_BYTES,
      onReply: (bytes) => {
        this.#replies.fire(bytes)
      },
      onCheckpoint: (offset) => options.onPin?.(offset),
    })
  }

  get health(): ScreenHealth {
    return this.#feed.health
  }

  get parsedOffset(): StreamOffset {
    return this.#feed.parsed
  }

  /** Output from here on is still needed: what the checkpoint does not contain. */
  get pinnedFrom(): StreamOffset {
    return this.#feed.checkpoint.offset
  }

  /** Output was appended to the source. Cheap: call it after every append. */
  notify(): void {
    const { source, backlogBytes, idleBytes } = this.#options
    if (this.#isAnswering) this.#search(source.end)
    const unparsed = source.end - Math.max(this.#feed.parsed, this.pinnedFrom)
    if (unparsed >= (backlogBytes?.() ?? BACKLOG_BYTES)) this.#feed.parseTo(source.end)
    if (unparsed >= (idleBytes ?? IDLE_BYTES) || this.#feed.isLive) this.#use()
  }

  /**
   * Whether the program is held up by viewers that do not read. Its output has not come to rest then, and a viewer that
   * stalls costs no emulator.
   */
  hold(isOn: boolean): void {
    this.#isHeld = isOn
    if (!isOn) this.notify()
  }

  /** The terminal has this size from the byte at `offset` on. Call it in the order in which output and sizes happen. */
  resizeAt(offset: StreamOffset, size: TerminalSize): void {
    this.#timeline.resize(offset, size)
  }

  /**
   * Whether what the program asks from now on (`source.end`) is for this screen to answer: on while nobody is attached.
   * Answers come by `onReply`, once for each question, however often the bytes are parsed.
   */
  answerQueries(isOn: boolean): void {
    const { end } = this.#options.source
    if (this.#isAnswering) this.#search(end)
    this.#isAnswering = isOn
    this.#searched = Math.max(this.#searched, end)
    this.#timeline.answer(end, isOn)
  }

  /**
   * The state after all output so far, or before a sequence that is not complete; null when none can be told, so that the
   * output must be replayed instead. @rejects TtyError when there is no thread to parse in
   */
  async snapshot(): Promise<ScreenSnapshot | null> {
    const { checkpoint } = this.#feed
    const isNewest =
      checkpoint.offset === this.#options.source.end && checkpoint.sizeChanges === this.#timeline.sizeChanges
    return snapshotOf(isNewest ? checkpoint : await this.#state(null))
  }

  /**
   * What a viewer can start from soonest: a checkpoint, when so little followed that the viewer parses it as fast, else the
   * state after all output, its screen as soon as it is known. Null and rejections as for `snapshot`.
   */
  async snapshotStart(): Promise<ScreenStart | null> {
    const { checkpoint } = this.#feed
    if (checkpoint.encoded !== null && this.#isNear(checkpoint)) return startOf(snapshotOf(checkpoint))
    return new Promise((resolve, reject) => {
      let begun: ThreadScreen | null = null
      const whole = this.#state((screen) => {
        if (begun !== null) return
        begun = screen
        resolve({ ...screen, rest })
      })
      const rest = whole.then((state): ScreenRest => {
        const snapshot = snapshotOf(state)
        // The same place is the same state; another one, after the thread was lost, does not continue this screen.
        if (snapshot?.offset !== begun?.offset || snapshot?.sizeChanges !== begun?.sizeChanges || snapshot === null)
          throw new Error('the state was lost before its scrollback was told')
        return restOf(snapshot)
      })
      rest.catch(() => undefined) // heard by the one who got it
      whole.then((state) => {
        if (begun === null) resolve(startOf(snapshotOf(state)))
      }, reject)
    })
  }

  /** Text of the screen and of up to `scrollbackLines` lines above it. @rejects TtyError as `snapshot` */
  text({ scrollbackLines }: { scrollbackLines: number }): Promise<string> {
    return this.#ask(() => this.#feed.ask(this.#options.source.end, { kind: 'text', scrollbackLines }))
  }

  /** @rejects TtyError as `snapshot` */
  visible(): Promise<VisibleScreen> {
    return this.#ask(() => this.#feed.ask(this.#options.source.end, { kind: 'visible' }))
  }

  /** The value of `hashState` at `offset`; null and rejections as for `snapshot`. */
  async hash(): Promise<{ offset: StreamOffset; hash: string } | null> {
    const snapshot = await this.snapshot()
    return snapshot === null ? null : { offset: snapshot.offset, hash: snapshot.hash }
  }

  dispose(): void {
    this.#isDisposed = true
    clearTimeout(this.#idleTimer)
    this.#feed.dispose()
    this.#replies.dispose()
  }

  /** Whether the viewer should go on from there itself. An emulator that is up to date tells the newest screen as soon. */
  #isNear(checkpoint: Checkpoint): boolean {
    const { source, idleBytes } = this.#options
    const behind = source.end - checkpoint.offset
    if (!this.#timeline.keepsSize(checkpoint)) return false
    return behind === 0 || (behind < (idleBytes ?? IDLE_BYTES) && !this.#feed.isLive)
  }

  /** The newest state, which is kept; the checkpoint when none can be taken. */
  async #state(tellScreen: ((screen: ThreadScreen) => void) | null): Promise<ThreadState | Checkpoint> {
    const { end } = this.#options.source
    const question = { kind: 'state', screenFirst: tellScreen !== null } as const
    const state = await this.#ask(() => this.#feed.ask(end, question, tellScreen ?? undefined))
    if (state !== null) this.#feed.keep(state)
    return state ?? this.#feed.checkpoint
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    this.#use()
    return question()
  }

  /** Parse up to `end` when something in the output before it may be a question. */
  #search(end: StreamOffset): void {
    const { source } = this.#options
    let isQuestion = false
    this.#searched = Math.max(this.#searched, source.start)
    while (this.#searched < end) {
      const bytes = source.read(this.#searched, end - this.#searched)
      if (bytes === null || bytes.length === 0) break
      if (this.#queries.feed(bytes)) isQuestion = true
      this.#searched += bytes.length
    }
    if (isQuestion) this.#feed.parseTo(end)
  }

  /** Something happened: come to rest only after a while. */
  #use(): void {
    this.#usedAt = Date.now()
    if (this.#idleTimer === undefined && !this.#isDisposed) this.#arm(this.#options.idleMs ?? IDLE_MS)
  }

  #arm(ms: number): void {
    this.#idleTimer = setTimeout(() => {
      const left = this.#usedAt + (this.#options.idleMs ?? IDLE_MS) - Date.now()
      if (left > 0) {
        this.#arm(left)
        return
      }
      this.#idleTimer = undefined
      void this.#rest()
    }, ms)
    this.#idleTimer.unref()
  }

  /** Nothing happens: parse what is worth it, keep the state, let the emulator go. Never rejects. */
  async #rest(): Promise<void> {
    const { source, idleBytes } = this.#options
    if (this.#isHeld && !this.#feed.isLive) return
    const usedAt = this.#usedAt
    try {
      if (source.end - this.#feed.parsed >= (idleBytes ?? IDLE_BYTES)) await this.#feed.settle(source.end)
    } catch {
      // Without a thread there is nothing to keep; whoever asks is told.
      return
    }
    if (this.#feed.isLive && this.#feed.parsed > this.pinnedFrom) await this.#feed.takeCheckpoint()
    if (this.#isDisposed || !this.#feed.isLive) return
    if (this.#feed.isBusy || usedAt !== this.#usedAt) this.#use()
    else this.#feed.letGo()
  }
}

const snapshotOf = ({ encoded, ...rest }: ThreadState | Checkpoint): ScreenSnapshot | null =>
  encoded === null ? null : { ...rest, ...encoded }

const restOf = ({ historyParts, hash }: ScreenSnapshot): ScreenRest => ({ historyParts, hash })

const startOf = (snapshot: ScreenSnapshot | null): ScreenStart | null => {
  if (snapshot === null) return null
  const { offset, size, sizeChanges, screenPart } = snapshot
  return { offset, size, sizeChanges, screenPart, rest: restOf(snapshot) }
}
