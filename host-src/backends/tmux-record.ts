/**
 * Reads what a kept session prints: pieces of its record, in order, by offset. The record is written by a program beside
 * tmux and goes on without a host, so a host that comes back reads on where it was. Knows no terminals.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  readdirSync,
  statSync,
  watch,
  type FSWatcher,
} from 'node:fs'
import { join } from 'node:path'
import type { StreamOffset } from '../../protocol-src/ids.ts'
import { messageOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'

const BATCH_BYTES = 64 * 1024
/** More than that in one turn would keep other sessions waiting. */
const BATCHES_PER_TURN = 4
/** File systems that report no changes are looked at. */
const LOOK_MS = 500
/** tmux cannot make a program wait, and of what is not read the oldest goes: so no pause lets more than this wait. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024
const PIECE = /^(\d+)\.out$/

/** Used during one call only, because reading and announcing happen in the same turn. */
const batch = Buffer.allocUnsafeSlow(BATCH_BYTES)

export interface TmuxRecordPorts {
  readonly folder: string
  /** Of the first byte to read. */
  readonly from: StreamOffset
  /** The bytes belong to the listener only during the call. */
  readonly announce: (bytes: Uint8Array) => void
  /** So many bytes are gone; reading goes on after them, which may be inside a sequence. */
  readonly lost: (bytes: number) => void
  /** Something in the folder changed, or may have. */
  readonly looked: () => void
  readonly logger: Logger
}

/** The offsets of the pieces that are there, ascending. */
function piecesIn(folder: string): readonly StreamOffset[] {
  return readdirSync(folder)
    .flatMap((name) => PIECE.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other)
}

/** After the last byte that is there. */
export function recordEndIn(folder: string): StreamOffset {
  const last = piecesIn(folder).at(-1)
  return last === undefined ? 0 : last + statSync(join(folder, `${String(last)}.out`)).size
}

export class TmuxRecord {
  readonly #ports: TmuxRecordPorts
  #offset: StreamOffset
  #piece: { readonly fd: number; readonly start: StreamOffset } | null = null
  #watcher: FSWatcher | null = null
  #timer: NodeJS.Timeout | undefined
  #turn: NodeJS.Immediate | undefined
  #isPaused = false
  #isDisposed = false

  constructor(ports: TmuxRecordPorts) {
    this.#ports = ports
    this.#offset = ports.from
  }

  /** After the last byte that was announced. */
  get offset(): StreamOffset {
    return this.#offset
  }

  start(): void {
    const { folder, logger } = this.#ports
    try {
      this.#watcher = watch(folder, { persistent: false }, () => {
        this.#wake()
      })
      this.#watcher.on('error', (error) => {
        logger.debug('tmux.watch-failed', { message: messageOf(error) })
      })
    } catch (error) {
      logger.debug('tmux.watch-failed', { message: messageOf(error) })
    }
    this.#timer = setInterval(() => {
      this.#wake()
    }, LOOK_MS).unref()
    this.#wake()
  }

  /** Read no more, as long as little waits. */
  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    this.#wake()
  }

  /** Announce all that is there now. */
  readRest(): void {
    while (!this.#isDisposed && this.#readTurn());
  }

  dispose(): void {
    this.#isDisposed = true
    this.#watcher?.close()
    clearInterval(this.#timer)
    clearImmediate(this.#turn)
    this.#turn = undefined
    this.#leavePiece()
  }

  #wake(): void {
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined
      if (!this.#isDisposed) this.#step()
    })
  }

  #step(): void {
    try {
      if (!this.#mayWait() && this.#readTurn()) this.#wake()
      else this.#ports.looked()
    } catch (error) {
      // The folder goes with the session, and with whoever removes it by hand.
      this.#ports.logger.warn('tmux.record-unreadable', { message: messageOf(error) })
      this.#leavePiece()
    }
  }

  #mayWait(): boolean {
    return this.#isPaused && recordEndIn(this.#ports.folder) - this.#offset <= MAX_WAITING_BYTES
  }

  /** @returns whether there may be more */
  #readTurn(): boolean {
    for (let batches = 0; batches < BATCHES_PER_TURN; batches += 1) {
      if (this.#isDisposed || !this.#readBatch()) return false
    }
    return true
  }

  /** @returns whether anything was read */
  #readBatch(): boolean {
    const piece = this.#piece ?? this.#enter()
    if (piece === null) return false
    const length = readSync(piece.fd, batch, 0, BATCH_BYTES, this.#offset - piece.start)
    if (length > 0) {
      this.#offset += length
      this.#ports.announce(batch.subarray(0, length))
      return true
    }
    // The next piece begins where this one ends; until it is there, this one may still grow.
    const isOver = existsSync(this.#pathOf(this.#offset)) && piece.start !== this.#offset
    if (!isOver && fstatSync(piece.fd).nlink > 0) return false
    this.#leavePiece()
    return this.#enter() !== null
  }

  /** Open the piece that has the next byte; without one, the first after it. */
  #enter(): { readonly fd: number; readonly start: StreamOffset } | null {
    const pieces = piecesIn(this.#ports.folder)
    const start = pieces.findLast((each) => each <= this.#offset)
    if (start !== undefined && this.#open(start)) {
      const isLast = start === pieces.at(-1)
      const { size } = fstatSync((this.#piece as { fd: number }).fd)
      if (start + size >= this.#offset && (isLast || start + size > this.#offset)) return this.#piece
      this.#leavePiece()
    }
    const next = pieces.find((each) => each > this.#offset)
    if (next === undefined || !this.#open(next)) return null
    const lost = next - this.#offset
    this.#offset = next
    this.#ports.lost(lost)
    return this.#piece
  }

  /** @returns false when it was removed meanwhile */
  #open(start: StreamOffset): boolean {
    try {
      this.#piece = { fd: openSync(this.#pathOf(start), 'r'), start }
      return true
    } catch {
      return false
    }
  }

  #leavePiece(): void {
    if (this.#piece !== null) closeSync(this.#piece.fd)
    this.#piece = null
  }

  #pathOf(start: StreamOffset): string {
    return join(this.#ports.folder, `${String(start)}.out`)
  }
}
