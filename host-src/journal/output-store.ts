/**
 * A session's output by absolute offset: the newest part in memory, the rest in segment files, or all of it in memory when
 * there are no files or they failed. Knows nothing of records; it decides what is kept.
 */
import type { StreamOffset } from '../../protocol-src/ids.ts'
import { HotBytes } from './hot-bytes.ts'
import type { SegmentFiles } from './segment-files.ts'

/** Unwritten bytes at which they are written without waiting for a flush. */
const SLICE_BYTES = 256 * 1024
/** Newest bytes kept in memory of a busy session, so that viewers who keep up never read a file. */
const HOT_BYTES = 1024 * 1024
/** Less than this is never asked to be kept: a viewer that lags within flow control must find its bytes. */
export const MIN_KEPT_BYTES = 1024 * 1024
const MIN_SEGMENT_BYTES = 256 * 1024
const MAX_SEGMENT_BYTES = 4 * 1024 * 1024
/** Pinned bytes at which the owner should pause the source. */
export const DISK_BACKLOG_BYTES = 256 * 1024 * 1024
export const MEMORY_BACKLOG_BYTES = 8 * 1024 * 1024
/** In memory the bound is hard: when the source is not paused in time, pinned bytes go too. */
const MEMORY_LIMIT_BYTES = 2 * MEMORY_BACKLOG_BYTES

const NO_BYTES = new Uint8Array(0)

/** What readers of the output may do. */
export interface OutputReader {
  /** Offset of the oldest byte held: everything from here to `end` is. */
  readonly start: StreamOffset
  /** Offset after the newest byte. */
  readonly end: StreamOffset
  /**
   * Whether the pinned part has reached its limit (256 MiB on disk, 8 MiB in memory), so that the source should be paused;
   * false again at three quarters of it. Changes only in append, setPin and on the loss of the disk.
   */
  readonly isBacklogFull: boolean
  /** Whether reading may begin at `from`; also true at `end`. */
  holds(from: StreamOffset): boolean
  /**
   * Up to `maxBytes` from `from`: shorter at a boundary, so read again until it is empty, which it is only at `end`. A view
   * valid until the next append, or a copy.
   * @returns null when `from` is not held: never written, dropped, or no longer readable
   */
  read(from: StreamOffset, maxBytes: number): Uint8Array | null
  /**
   * Bytes at and after `offset` must stay (the screen has parsed those before it); null, as at first, pins nothing.
   * In memory a pinned byte goes when 16 MiB more have followed it: check `holds`.
   */
  setPin(offset: StreamOffset | null): void
}

export interface OutputStoreOptions {
  /** Null keeps everything in memory. */
  readonly segments: SegmentFiles | null
  /** Offset of the first byte to come when there are no files; 0 when absent. */
  readonly at?: StreamOffset
  /** Bytes to keep at least, as far as they were written. Read at the moment of use. */
  readonly keptBytes: () => number
  /** Files are no longer needed, though nothing was appended: prune at the next occasion. */
  readonly onPrunable?: () => void
  /** A file operation failed; from now on new bytes stay in memory. Called at most once; must not throw. */
  readonly onFault: (error: unknown) => void
}

export class OutputStore implements OutputReader {
  readonly #options: OutputStoreOptions
  readonly #hot: HotBytes
  #segments: SegmentFiles | null
  #isWriting: boolean
  #faultIsTold = false
  /** Offset up to which bytes are in files. */
  #written: StreamOffset
  #pin: StreamOffset | null = null
  #isBacklogFull = false

  constructor(options: OutputStoreOptions) {
    this.#options = options
    this.#segments = options.segments
    this.#isWriting = options.segments !== null
    this.#written = options.segments?.end ?? options.at ?? 0
    this.#hot = new HotBytes(this.#written)
  }

  get start(): StreamOffset {
    const segments = this.#segments
    // Files that do not join up with memory lie before a hole.
    const joins = segments !== null && segments.start < segments.end && segments.end >= this.#hot.start
    return joins ? Math.min(segments.start, this.#hot.start) : this.#hot.start
  }

  get end(): StreamOffset {
    return this.#hot.end
  }

  /** Offset of the oldest byte in the files; `end` when there is none. */
  get fileStart(): StreamOffset {
    return this.#segments?.start ?? this.end
  }

  get isBacklogFull(): boolean {
    return this.#isBacklogFull
  }

  holds(from: StreamOffset): boolean {
    return from >= this.start && from <= this.end
  }

  /** Never throws: a failing disk is the owner's news and memory's load. */
  append(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      this.#hot.append(bytes.subarray(at, at + SLICE_BYTES))
      if (!this.#isWriting) this.#boundMemory()
      else if (this.end - this.#written >= SLICE_BYTES) this.persist()
    }
    this.#judgeBacklog()
  }

  read(from: StreamOffset, maxBytes: number): Uint8Array | null {
    if (!this.holds(from)) return null
    if (from === this.end) return NO_BYTES
    if (from >= this.#hot.start) return this.#hot.read(from, maxBytes)
    try {
      return this.#segments?.read(from, maxBytes) ?? null
    } catch (error) {
      this.#segments = null
      this.#fault(error)
      return null
    }
  }

  /**
   * As `read`, but from the file where the bytes are in one, for those who ask what is stored.
   * @returns null when they cannot be read; that is no reason to leave the disk
   */
  readStored(from: StreamOffset, maxBytes: number): Uint8Array | null {
    if (this.#segments === null || from < this.#segments.start || from >= this.#segments.end)
      return this.read(from, maxBytes)
    try {
      return this.#segments.read(from, maxBytes)
    } catch {
      return null
    }
  }

  setPin(offset: StreamOffset | null): void {
    this.#pin = offset
    this.#judgeBacklog()
    if (this.#isWriting && this.#keepFrom - this.fileStart > this.#segmentBytes) this.#options.onPrunable?.()
  }

  /** Write what is only in memory to the files. */
  persist(): void {
    if (!this.#isWriting || this.#segments === null) return
    try {
      while (this.#written < this.end) {
        const bytes = this.#hot.read(this.#written, SLICE_BYTES)
        this.#segments.append(bytes, this.#segmentBytes)
        this.#written += bytes.length
      }
      this.#hot.dropBefore(this.end - HOT_BYTES)
    } catch (error) {
      this.#written = this.#segments.end
      this.#fault(error)
    }
  }

  /** Move `start` past files that are no longer kept; `sweep` unlinks them, once the new start is on record. */
  prune(): void {
    if (this.#isWriting) this.#segments?.dropBefore(this.#keepFrom)
  }

  /** Unlink the files that `prune` dropped. */
  sweep(): void {
    if (!this.#isWriting) return
    try {
      this.#segments?.sweep()
    } catch (error) {
      this.#fault(error)
    }
  }

  /** The session is idle: hold no memory and no open file for it. Bytes that are only in memory stay there. */
  rest(): void {
    if (!this.#isWriting || this.#written < this.end) return
    this.#hot.clear()
    try {
      this.#segments?.rest()
    } catch (error) {
      this.#fault(error)
    }
  }

  /** Write no more files. Those there are stay where they are, and readable while they are kept. Idempotent. */
  useMemory(): void {
    if (!this.#isWriting) return
    this.#isWriting = false
    try {
      this.#segments?.rest()
    } catch {
      // The file could not be closed in order: its bytes are read by name, and its owner is leaving it.
    }
    this.#boundMemory()
    this.#judgeBacklog()
  }

  /** Drop every byte; the files too, unless they had failed. `start` becomes `end`. */
  removeAll(): void {
    this.#hot.clear()
    const segments = this.#segments
    this.#segments = null
    if (!this.#isWriting) return
    this.#isWriting = false
    try {
      segments?.removeAll()
    } catch (error) {
      this.#fault(error)
    }
  }

  get #keepFrom(): StreamOffset {
    const kept = this.end - this.#keptBytes
    return this.#pin === null ? kept : Math.min(kept, this.#pin)
  }

  get #keptBytes(): number {
    return Math.max(MIN_KEPT_BYTES, this.#options.keptBytes())
  }

  /** So that at most a quarter more than asked for is kept. */
  get #segmentBytes(): number {
    return Math.min(MAX_SEGMENT_BYTES, Math.max(MIN_SEGMENT_BYTES, this.#keptBytes / 4))
  }

  #boundMemory(): void {
    const keepFrom = this.#keepFrom
    const limit = Math.max(MEMORY_LIMIT_BYTES, this.#keptBytes)
    this.#hot.dropBefore(Math.max(keepFrom, this.end - limit))
    this.#segments?.dropBefore(keepFrom)
    if (this.#segments !== null && this.#segments.end < this.#hot.start) this.#segments = null
  }

  #judgeBacklog(): void {
    const backlog = this.#pin === null ? 0 : this.end - this.#pin
    const limit = this.#isWriting ? DISK_BACKLOG_BYTES : MEMORY_BACKLOG_BYTES
    this.#isBacklogFull = backlog >= (this.#isBacklogFull ? (limit * 3) / 4 : limit)
  }

  #fault(error: unknown): void {
    this.useMemory()
    if (this.#faultIsTold) return
    this.#faultIsTold = true
    this.#options.onFault(error)
  }
}
