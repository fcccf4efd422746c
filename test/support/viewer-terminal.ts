/** A viewer's terminal as the page has it, without a page: takes a start, snapshot parts, output and sizes in order. */
import { prependHistory, restore } from '../../screen-src/restore.ts'
import { hashState } from '../../screen-src/hash.ts'
import { marksOf } from '../../screen-src/tracked.ts'
import { isAtGround } from '../../screen-src/capture.ts'
import type { StreamStart } from '../../protocol-src/host-frames.ts'
import type { TerminalSize } from '../../protocol-src/session.ts'
import { feed, newEmulator, type Emulator } from '../unit/screen-src/emulator.ts'

export class ViewerTerminal {
  #emulator: Emulator
  readonly #scrollback: number
  #markNonce: string | null = null

  constructor(scrollback = 10_000) {
    this.#scrollback = scrollback
    this.#emulator = newEmulator({ cols: 80, rows: 24, scrollback })
  }

  /** As the host told it with the reply to `attach`; before what it comes with is put in. */
  trustMarks(nonce: string | null): void {
    this.#markNonce = nonce
    marksOf(this.#emulator).nonce = nonce
  }

  start({ mode, size, from }: StreamStart, parts: readonly Uint8Array[]): void {
    if (mode === 'delta') return
    this.#emulator.dispose()
    this.#emulator = newEmulator({ ...size, scrollback: this.#scrollback }, { markNonce: this.#markNonce })
    marksOf(this.#emulator).reset(from.offset === 0)
    for (const [at, part] of parts.entries()) {
      if (at === 0) restore(this.#emulator, part)
      else prependHistory(this.#emulator, part)
    }
  }

  output(bytes: Uint8Array): void {
    feed(this.#emulator, bytes)
  }

  resize({ cols, rows }: TerminalSize): void {
    this.#emulator.resize(cols, rows)
  }

  /** Null inside a sequence. */
  get hash(): string | null {
    return isAtGround(this.#emulator) ? hashState(this.#emulator) : null
  }

  get text(): string {
    const { active } = this.#emulator.buffer
    return Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true) ?? '').join('\n')
  }

  dispose(): void {
    this.#emulator.dispose()
  }
}
