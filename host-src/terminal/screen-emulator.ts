/** One session's emulator inside the thread: parses, keeps a place where its state can be taken, and is asked about. */
import { createRequire } from 'node:module'
import type { UnicodeGraphemesAddon as GraphemesAddon } from '@xterm/addon-unicode-graphemes'
import type { Terminal as HeadlessTerminal } from '@xterm/headless'
import type { StreamOffset } from '../../protocol-src/ids.ts'
import type { TerminalSize } from '../../protocol-src/session.ts'
import { capture, isAtGround } from '../../screen-src/capture.ts'
import { emulatorOptions } from '../../screen-src/emulator-options.ts'
import { installGuards } from '../../screen-src/guards.ts'
import { hashEncoded } from '../../screen-src/hash.ts'
import { prependHistory, restore } from '../../screen-src/restore.ts'
import { encodeScreen, encodeState, type EncodedState } from '../../screen-src/state-codec.ts'
import { marksOf } from '../../screen-src/tracked.ts'
import { coreOf } from '../../screen-src/xterm-internals.ts'
import { colorReply } from './screen-colors.ts'
import { lastGround } from './screen-cut.ts'
import { PIECE_BYTES, type ThreadScreen, type ThreadState, type VisibleScreen } from './screen-messages.ts'

// Both are CommonJS; only this thread loads them.
const load = createRequire(import.meta.url)
const { Terminal } = load('@xterm/headless') as { Terminal: typeof HeadlessTerminal }
const { UnicodeGraphemesAddon } = load('@xterm/addon-unicode-graphemes') as {
  UnicodeGraphemesAddon: typeof GraphemesAddon
}

/** An unfinished sequence longer than this is parsed as it comes: a picture, say, or a string that never ends. */
const MAX_HELD_BYTES = 64 * 1024
/** A private key has no more, where the terminal is not very narrow. */
const MAX_ROWS_ABOVE = 300

export class ScreenEmulator {
  readonly #terminal: HeadlessTerminal
  readonly #beginPiece: (offset: StreamOffset) => void
  #sizeChanges: number
  /** Up to where the emulator was fed. */
  #fed: StreamOffset
  /** The beginning of a sequence that is not complete yet. */
  #held: Uint8Array = new Uint8Array(0)
  /** The state at the last ground point, while the emulator is beyond it. */
  #kept: ThreadState | null = null
  #answers = false

  /**
   * @param options.onReply what is to be sent to the program
   * @param options.beginPiece called before each piece is parsed, with its offset
   */
  constructor(
    start: { offset: StreamOffset; size: TerminalSize; sizeChanges: number; encoded: EncodedState | null },
    options: {
      scrollbackLines: number
      markNonce: string | null
      onReply: (bytes: Uint8Array) => void
      beginPiece: (offset: StreamOffset) => void
    },
  ) {
    this.#beginPiece = options.beginPiece
    this.#fed = start.offset
    this.#sizeChanges = start.sizeChanges
    this.#terminal = new Terminal({ ...start.size, ...emulatorOptions(options.scrollbackLines) })
    this.#terminal.loadAddon(new UnicodeGraphemesAddon())
    installGuards(this.#terminal)
    const marks = marksOf(this.#terminal)
    marks.nonce = options.markNonce
    if (start.encoded === null) marks.reset(start.offset === 0)
    else {
      restore(this.#terminal, start.encoded.screenPart)
      for (const part of start.encoded.historyParts) prependHistory(this.#terminal, part)
    }
    const reply = (text: string): void => {
      if (this.#answers) options.onReply(new TextEncoder().encode(text))
    }
    this.#terminal.onData(reply)
    coreOf(this.#terminal)._inputHandler.onColor((requests) => {
      for (const request of requests) reply(colorReply(this.#terminal, request))
    })
  }

  get size(): TerminalSize {
    return { cols: this.#terminal.cols, rows: this.#terminal.rows }
  }

  /** @throws anything an emulator throws; `offset` then tells where the piece began, and the emulator is of no more use */
  write(bytes: Uint8Array, answers: boolean): void {
    this.#answers = answers
    const all = this.#held.length === 0 ? bytes : joined(this.#held, bytes)
    const cut = isAtGround(this.#terminal) ? lastGround(all) : all.length
    this.#held = new Uint8Array(all.subarray(cut))
    this.#feed(all.subarray(0, cut))
    if (this.#held.length > MAX_HELD_BYTES) this.#release()
  }

  resize(size: TerminalSize, sizeChanges: number): void {
    this.#release()
    this.#terminal.resize(size.cols, size.rows)
    this.#sizeChanges = sizeChanges
  }

  /** Go on at `offset` with nothing begun. */
  skipTo(offset: StreamOffset): void {
    this.#held = new Uint8Array(0)
    this.#kept = null
    this.#fed = offset
    const { _parser, _utf8Decoder } = coreOf(this.#terminal)._inputHandler
    _parser.reset()
    _utf8Decoder.clear()
    marksOf(this.#terminal).lose()
  }

  /** @param tellScreen gets the screen of that state before the scrollback is looked at, when it has to be */
  state(tellScreen?: (screen: ThreadScreen) => void): ThreadState | null {
    if (!isAtGround(this.#terminal)) return this.#kept
    const place = { offset: this.#fed, sizeChanges: this.#sizeChanges, size: this.size }
    tellScreen?.({ ...place, screenPart: encodeScreen(capture(this.#terminal, { history: false })) })
    const encoded = encodeState(capture(this.#terminal))
    return { ...place, encoded, hash: hashEncoded(encoded) }
  }

  /** The screen and up to `scrollbackLines` lines above it; lines that wrapped are one. */
  text(scrollbackLines: number): string {
    const { active } = this.#terminal.buffer
    const lines: string[] = []
    for (let at = Math.max(0, active.baseY - scrollbackLines); at < active.length; at++) {
      const line = active.getLine(at)
      if (line === undefined) continue
      const isContinued = active.getLine(at + 1)?.isWrapped === true
      const text = line.translateToString(!isContinued)
      if (line.isWrapped && lines.length > 0) lines[lines.length - 1] += text
      else lines.push(text)
    }
    while (lines.length > 0 && lines.at(-1) === '') lines.pop()
    return lines.join('\n')
  }

  visible(): VisibleScreen {
    const { active } = this.#terminal.buffer
    const core = coreOf(this.#terminal)
    return {
      size: this.size,
      lines: this.#rows(active.baseY, active.baseY + this.#terminal.rows),
      above: this.#rows(Math.max(0, active.baseY - MAX_ROWS_ABOVE), active.baseY),
      cursor: { x: active.cursorX, y: active.cursorY, isHidden: core.coreService.isCursorHidden },
      title: core._inputHandler._windowTitle,
      isAlternate: active.type === 'alternate',
      isApplicationCursor: this.#terminal.modes.applicationCursorKeysMode,
    }
  }

  dispose(): void {
    this.#terminal.dispose()
  }

  #rows(from: number, to: number): string[] {
    const { active } = this.#terminal.buffer
    return Array.from({ length: to - from }, (_, at) =>
      (active.getLine(from + at)?.translateToString(true) ?? '').trimEnd(),
    )
  }

  /** Parse what is held, although it is not complete: keep the state from before. */
  #release(): void {
    if (this.#held.length === 0) return
    const kept = this.state()
    const held = this.#held
    this.#held = new Uint8Array(0)
    this.#feed(held)
    this.#kept = isAtGround(this.#terminal) ? null : kept
  }

  #feed(bytes: Uint8Array): void {
    const input = coreOf(this.#terminal)._inputHandler
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES)
      this.#beginPiece(this.#fed)
      void input.parse(piece)
      this.#fed += piece.length
    }
    if (bytes.length > 0 && isAtGround(this.#terminal)) this.#kept = null
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}
