/** Decides with what a viewer starts: what it lacks, the state of the screen, or what is still held of the output. */
import type { StreamPosition } from '../../protocol-src/ids.ts'
import { REPLAY_MAX_BYTES } from '../../protocol-src/limits.ts'
import { messageOf } from '../base/errors.ts'
import { withDeadline } from '../base/async.ts'
import type { Logger } from '../base/logger.ts'
import type { VisibleScreen } from '../terminal/screen-messages.ts'
import type { SessionStream, StreamChange } from './session-stream.ts'
import type { SnapshotRest, ViewSnapshot, ViewStart } from './attachment.ts'

/** The state of a terminal at a position of the stream. */
export interface ScreenSnapshot extends ViewSnapshot {
  readonly position: StreamPosition
}

/** What a screen tells its session. */
export interface ScreenHooks {
  /** What the terminal says to the program while nobody is attached. */
  readonly say: (bytes: Uint8Array) => void
  /** Output was parsed: less of it waits. */
  readonly parsed: () => void
}

/** The host's own picture of a session. */
export interface SessionScreen {
  /** Output came; it is in the stream already. */
  noted(): void
  /** Whether every viewer has more than it can parse, so that output does not flow. */
  held(isHeld: boolean): void
  /** Size or driver changed; every change is told, in order. */
  changed(change: StreamChange): void
  /** With what a viewer should start; output may have followed it. Rejects when there is none to be had. */
  snapshot(): Promise<ScreenSnapshot>
  /** The hash of the newest state that can be taken, and where that is. Rejects when there is none to be had. */
  hash(): Promise<{ position: StreamPosition; hash: string }>
  /** What is on it after all output so far. Rejects when there is none to be had. */
  visible(): Promise<VisibleScreen>
  /** The session is gone. */
  dispose(): void
}

/** What a viewer has and does not want. */
export interface ViewWish {
  readonly resumeFrom: StreamPosition | null
  readonly noSnapshot?: boolean | undefined
}

/** How long a viewer waits for a snapshot before it gets the output itself. */
const SNAPSHOT_LIMIT_MS = 5_000

export class ViewPlanner {
  readonly #stream: SessionStream
  readonly #screen: SessionScreen | null
  readonly #logger: Logger

  constructor(stream: SessionStream, screen: SessionScreen | null, logger: Logger) {
    this.#stream = stream
    this.#screen = screen
    this.#logger = logger
  }

  /**
   * At once where nothing has to be computed, so that a viewer waits for nobody.
   * @param wish `resumeFrom` is where the viewer's terminal is, or null when it is empty. Never rejects.
   */
  plan({ resumeFrom, noSnapshot = false }: ViewWish): ViewStart | Promise<ViewStart> {
    if (resumeFrom !== null && this.#stream.holds(resumeFrom)) return this.#viewStart('delta', resumeFrom)
    const { replayStart, end } = this.#stream
    if (this.#screen === null || noSnapshot || (replayStart.offset === 0 && end.offset <= REPLAY_MAX_BYTES))
      return this.#viewStart('replay', replayStart)
    return this.#planSnapshot(this.#screen)
  }

  async #planSnapshot(screen: SessionScreen): Promise<ViewStart> {
    const snapshot = await this.#snapshot(screen)
    if (snapshot === null || !this.#stream.holds(snapshot.position))
      return this.#viewStart('replay', this.#stream.replayStart)
    const { position, screenPart, rest } = snapshot
    const { start } = this.#viewStart('snapshot', position)
    if (!(rest instanceof Promise)) return { start, snapshot: { screenPart, rest } }
    const late = this.#inTime(rest)
    // Heard by the viewer that gets it; one that left meanwhile, or whose session was closed, hears nothing.
    late.catch(() => undefined)
    return { start, snapshot: { screenPart, rest: late } }
  }

  /** @rejects when it comes too late or cannot be had, after it was told */
  async #inTime(rest: Promise<SnapshotRest>): Promise<SnapshotRest> {
    try {
      const taken = await withDeadline(rest, SNAPSHOT_LIMIT_MS)
      if (!taken.timedOut) return taken.value
    } catch (error) {
      this.#logger.warn('screen.history-failed', { message: messageOf(error) })
      throw error
    }
    this.#logger.warn('screen.history-late', { limitMs: SNAPSHOT_LIMIT_MS })
    throw new Error('the scrollback came too late')
  }

  async #snapshot(screen: SessionScreen): Promise<ScreenSnapshot | null> {
    try {
      const taken = await withDeadline(screen.snapshot(), SNAPSHOT_LIMIT_MS)
      if (!taken.timedOut) return taken.value
      this.#logger.warn('screen.snapshot-late', { limitMs: SNAPSHOT_LIMIT_MS })
    } catch (error) {
      this.#logger.warn('screen.snapshot-failed', { message: messageOf(error) })
    }
    return null
  }

  #viewStart(mode: ViewStart['start']['mode'], from: StreamPosition): ViewStart {
    const lostBytes = mode === 'replay' ? from.offset : 0
    const size = this.#stream.sizeAfter(from.change)
    return { start: { mode, from, size, liveFrom: this.#stream.end.offset, lostBytes }, snapshot: null }
  }
}
