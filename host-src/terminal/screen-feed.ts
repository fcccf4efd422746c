/**
 * Feeds a session's output to its emulator in the thread: in slices, a bounded number under way, from the last checkpoint,
 * and again from there when the emulator is lost.
 */
import type { MarkNonce, StreamOffset } from '../../protocol-src/ids.ts'
import type { TerminalSize } from '../../protocol-src/session.ts'
import { TtyError } from '../base/errors.ts'
import type { Disposable } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'
import {
  PIECE_BYTES,
  type Answers,
  type Checkpoint,
  type FromThread,
  type Question,
  type ThreadScreen,
  type ThreadState,
} from './screen-messages.ts'
import type { ScreenThread } from './screen-thread.ts'
import type { ScreenTimeline } from './screen-timeline.ts'

/** A session's output, as far as it is held. */
export interface ScreenSource {
  readonly start: StreamOffset
  readonly end: StreamOffset
  /** Up to `maxBytes` from `from`, empty only at `end`; null when `from` is not held. Valid until the next append. */
  read(from: StreamOffset, maxBytes: number): Uint8Array | null
}

/**
 * `exact`: as if every byte had been parsed. `rebuilt`: bytes were left out that the emulator could not cope with. `gap`:
 * output was no longer held when it was to be parsed. `unavailable`: there is no thread to parse in.
 */
export type ScreenHealth = 'exact' | 'rebuilt' | 'gap' | 'unavailable'

export interface ScreenFeedOptions {
  readonly source: ScreenSource
  readonly thread: ScreenThread
  readonly timeline: ScreenTimeline
  readonly logger: Logger
  /** At offset 0. */
  readonly size: TerminalSize
  readonly scrollbackLines: number
  readonly markNonce: MarkNonce | null
  readonly checkpointBytes: number
  readonly onReply: (bytes: Uint8Array) => void
  readonly onCheckpoint: (offset: StreamOffset) => void
}

const SLICE_BYTES = 64 * 1024
/** Bytes under way to the thread, per screen. */
const MAX_IN_FLIGHT_BYTES = 2 * SLICE_BYTES
/** How often one question is put, and how often an emulator may fail without a byte to blame. */
const MAX_ATTEMPTS = 3

type AnyAnswer = Answers[Question['kind']]

interface Asked {
  readonly resolve: (answer: AnyAnswer | undefined) => void
  readonly tellScreen: ((screen: ThreadScreen) => void) | undefined
}

export class ScreenFeed implements Disposable {
  readonly #options: ScreenFeedOptions
  readonly #id: number
  #checkpoint: Checkpoint
  #health: ScreenHealth = 'exact'
  /** Whether there is an emulator in the thread. */
  #isLive = false
  #sent: StreamOffset = 0
  /** Resizes that were sent. */
  #applied = 0
  #parsed: StreamOffset = 0
  #target: StreamOffset = 0
  /** Slices sent and not yet acknowledged, in order. */
  #inFlight: { to: StreamOffset; answers: boolean }[] = []
  #waiters: { to: StreamOffset; resolve: () => void; reject: (error: Error) => void }[] = []
  /** By request; undefined tells that the emulator was lost. */
  readonly #asked = new Map<number, Asked>()
  #nextRequest = 1
  #isCheckpointing = false
  /** In a row, without progress. */
  #failures = 0
  #isDisposed = false

  constructor(options: ScreenFeedOptions) {
    this.#options = options
    this.#checkpoint = { offset: 0, size: options.size, sizeChanges: 0, encoded: null, hash: '' }
    this.#id = options.thread.register({
      onMessage: (message) => {
        this.#receive(message)
      },
      onLost: (poison, isBlameless) => {
        this.#recover(poison, isBlameless)
      },
      onUnavailable: (reason) => {
        this.#fail(reason)
      },
    })
  }

  get health(): ScreenHealth {
    return this.#health
  }

  /** Everything before it was parsed; it goes back to the checkpoint when the emulator is made anew. */
  get parsed(): StreamOffset {
    return this.#parsed
  }

  get checkpoint(): Checkpoint {
    return this.#checkpoint
  }

  get isLive(): boolean {
    return this.#isLive
  }

  get isBusy(): boolean {
    return this.#waiters.length > 0 || this.#asked.size > 0 || this.#inFlight.length > 0
  }

  parseTo(to: StreamOffset): void {
    this.#target = Math.max(this.#target, to)
    this.#pump()
  }

  /** Resolves when everything before `to` is parsed. @rejects TtyError without a thread, or when disposed */
  settle(to: StreamOffset): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isDisposed) {
        reject(unavailable('the session was closed'))
        return
      }
      this.#waiters.push({ to, resolve, reject })
      this.parseTo(to)
      this.#wake()
    })
  }

  /**
   * Put a question about the state after everything before `to`.
   * @param tellScreen gets the screen of a state that is on its way; again, perhaps of a later state, when the thread is lost
   * @rejects TtyError as `settle`, or after MAX_ATTEMPTS
   */
  async ask<K extends Question['kind']>(
    to: StreamOffset,
    question: Extract<Question, { kind: K }>,
    tellScreen?: (screen: ThreadScreen) => void,
  ): Promise<Answers[K]> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      await this.settle(to)
      const answer = await this.#put(question, tellScreen)
      if (answer !== undefined) return answer as Answers[K]
    }
    throw unavailable('the thread that parses failed again and again')
  }

  /** Keep the state the emulator is in: the thread answers in order, so it is that of what was sent so far. */
  async takeCheckpoint(): Promise<void> {
    if (this.#isCheckpointing || !this.#isLive) return
    this.#isCheckpointing = true
    const state = (await this.#put({ kind: 'state', screenFirst: false })) as ThreadState | null | undefined
    this.#isCheckpointing = false
    if (state !== undefined && state !== null) this.keep(state)
  }

  keep(state: ThreadState): void {
    const { offset, size, sizeChanges, encoded, hash } = state
    if (offset < this.#checkpoint.offset || this.#isDisposed) return
    this.#checkpoint = { offset, size, sizeChanges, encoded, hash }
    this.#options.timeline.forget(offset, sizeChanges)
    this.#options.onCheckpoint(offset)
  }

  /** Let the emulator go; the next question makes a new one from the checkpoint. */
  letGo(): void {
    if (!this.#isLive) return
    this.#isLive = false
    this.#options.thread.post({ type: 'drop', id: this.#id })
  }

  dispose(): void {
    this.#isDisposed = true
    this.#options.thread.unregister(this.#id)
    this.#fail('the session was closed')
  }

  #put(question: Question, tellScreen?: (screen: ThreadScreen) => void): Promise<AnyAnswer | undefined> {
    return new Promise((resolve) => {
      const request = this.#nextRequest++
      this.#asked.set(request, { resolve, tellScreen })
      this.#options.thread.post({ type: 'ask', id: this.#id, request, question })
    })
  }

  /** Send what there is room for, and resizes that are due. */
  #pump(): void {
    if (this.#isDisposed) return
    if (!this.#isLive) this.#open()
    let room = MAX_IN_FLIGHT_BYTES - (this.#sent - this.#parsed)
    for (;;) {
      const step = this.#options.timeline.next(this.#sent, this.#applied, this.#target)
      if (step === null || (step.kind === 'write' && room <= 0)) return
      if (step.kind === 'resize') {
        this.#options.thread.post({ ...step, type: 'resize', id: this.#id })
        this.#applied = step.sizeChanges
      } else if (step.kind === 'skip') this.#skipTo(step.to)
      else room -= this.#write(Math.min(step.to, this.#sent + SLICE_BYTES), step.answers)
    }
  }

  /** @returns how many bytes were sent */
  #write(to: StreamOffset, answers: boolean): number {
    const { source, thread } = this.#options
    const offset = this.#sent
    const held = source.read(offset, to - offset)
    if (held === null || held.length === 0) {
      this.#health = 'gap'
      this.#skipTo(source.start > offset ? this.#cleanStart(source.start) : to)
      return 0
    }
    // A copy, also of a Buffer, whose `slice` makes none: the thread takes the memory away.
    const bytes = new Uint8Array(held)
    this.#sent += bytes.length
    this.#inFlight.push({ to: this.#sent, answers })
    thread.post({ type: 'write', id: this.#id, offset, bytes, answers }, [bytes.buffer])
    return bytes.length
  }

  /** Leave out what is before `to`. It counts as parsed with what is under way, or at once. */
  #skipTo(to: StreamOffset): void {
    this.#options.thread.post({ type: 'skip', id: this.#id, offset: to })
    this.#sent = to
    const last = this.#inFlight.at(-1)
    if (last === undefined) this.#parsed = to
    else last.to = to
    this.#wake()
  }

  #open(): void {
    const { offset, size, sizeChanges, encoded } = this.#checkpoint
    const { thread, scrollbackLines, markNonce } = this.#options
    this.#isLive = true
    this.#sent = offset
    this.#parsed = offset
    this.#applied = sizeChanges
    this.#inFlight = []
    thread.post({ type: 'open', id: this.#id, offset, size, sizeChanges, scrollbackLines, markNonce, encoded })
  }

  #receive(message: Exclude<FromThread, { type: 'ready' }>): void {
    switch (message.type) {
      case 'parsed': {
        const slice = this.#inFlight.shift()
        if (slice === undefined) return
        this.#failures = 0
        this.#parsed = slice.to
        if (slice.answers) this.#options.timeline.answered(slice.to)
        this.#pump()
        this.#wake()
        if (this.#parsed - this.#checkpoint.offset >= this.#options.checkpointBytes) void this.takeCheckpoint()
        return
      }
      case 'reply':
        this.#options.onReply(message.bytes)
        return
      case 'answer':
        this.#failures = 0
        this.#asked.get(message.request)?.resolve(message.answer)
        this.#asked.delete(message.request)
        return
      case 'screen':
        this.#asked.get(message.request)?.tellScreen?.(message.screen)
        return
      case 'ignored':
        return
      case 'failed':
        this.#options.logger.warn('screen.emulator-failed', { from: message.from, message: message.message })
        this.#recover(message.from < message.to ? message.from : null)
    }
  }

  /** The emulator is gone: begin anew from the checkpoint, without the piece that did it. */
  #recover(poison: StreamOffset | null, isBlameless = false): void {
    const isSuspect = !isBlameless && this.isBusy
    const wasLive = this.#isLive
    this.#isLive = false
    this.#isCheckpointing = false
    this.#inFlight = []
    if (poison !== null)
      this.#leaveOut(poison, this.#cleanStart(Math.min(poison + PIECE_BYTES, this.#options.source.end)))
    else if (isSuspect && ++this.#failures >= MAX_ATTEMPTS) this.#beginAnew()
    const asked = [...this.#asked.values()]
    this.#asked.clear()
    for (const { resolve } of asked) resolve(undefined)
    if (wasLive && (this.#waiters.length > 0 || this.#target > this.#checkpoint.offset)) this.#pump()
  }

  #leaveOut(from: StreamOffset, to: StreamOffset): void {
    this.#options.timeline.skip(from, to)
    this.#health = 'rebuilt'
    this.#options.logger.warn('screen.rebuilt', { from, to })
  }

  /** Where the next line or sequence begins, at or after `from`, so that half a sequence is not taken for text. */
  #cleanStart(from: StreamOffset): StreamOffset {
    const at = this.#options.source.read(from, PIECE_BYTES)?.findIndex((byte) => byte === 0x0a || byte === 0x1b) ?? -1
    return at < 0 ? from : from + at
  }

  /** The checkpoint or a resize cannot be had: an empty terminal goes on with what comes. */
  #beginAnew(): void {
    const { timeline, size } = this.#options
    const offset = Math.max(this.#target, this.#checkpoint.offset)
    this.#leaveOut(this.#checkpoint.offset, offset)
    this.#checkpoint = {
      offset,
      size: timeline.lastSize ?? size,
      sizeChanges: timeline.sizeChanges,
      encoded: null,
      hash: '',
    }
    this.#failures = 0
  }

  #wake(): void {
    const due = this.#waiters.filter(({ to }) => this.#parsed >= to)
    if (due.length === 0) return
    this.#waiters = this.#waiters.filter(({ to }) => this.#parsed < to)
    for (const { resolve } of due) resolve()
  }

  #fail(reason: string): void {
    this.#isLive = false
    this.#health = 'unavailable'
    this.#inFlight = []
    for (const { reject } of this.#waiters.splice(0)) reject(unavailable(reason))
    const asked = [...this.#asked.values()]
    this.#asked.clear()
    for (const { resolve } of asked) resolve(undefined)
  }
}

const unavailable = (reason: string): TtyError =>
  new TtyError('INTERNAL', `The screen of this session cannot be told: ${reason}. Its output is still there.`)
