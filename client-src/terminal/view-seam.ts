/**
 * Test seam. The holder of a mounted terminal carries this object under `Symbol.for('dsh-tty.view')` (not enumerable), so
 * that a browser test can read what is on screen whatever the renderer:
 * `document.querySelector('[data-tty-holder]')[Symbol.for('dsh-tty.view')].text()`.
 */
import type { Terminal } from '@xterm/xterm'
import type { StreamOffset } from '../../protocol-src/ids.ts'
import { isAtGround } from '../../screen-src/capture.ts'
import { hashState } from '../../screen-src/hash.ts'
import { StateError } from '../../screen-src/terminal-state.ts'
import type { ViewFacts } from './view-facts.ts'

export interface ViewSeam extends ViewFacts {
  /** The whole buffer, lines without their trailing blanks. */
  text(): string
  /** The rows on screen, from the top, scrolled as it is. */
  rows(): string[]
  /** Everything before this offset of the session's output was parsed. */
  readonly offset: StreamOffset
  /** Whether device queries go unanswered now. */
  readonly isMuted: boolean
  /** How often a restored state was not the one that was meant. */
  readonly inexactSnapshots: number
  /** Hash of the whole state of the terminal, as the host computes it; null inside a sequence, and while scrollback is to come. */
  readonly hash: string | null
  readonly cursor: { readonly x: number; readonly y: number }
  readonly selection: string
  /** Select `length` cells from a place in the buffer. */
  select(place: { column: number; row: number; length: number }): void
}

const VIEW_SEAM = Symbol.for('dsh-tty.view')

export function offerSeam(
  holder: HTMLElement,
  terminal: Terminal,
  facts: () => ViewFacts & Pick<ViewSeam, 'offset' | 'isMuted' | 'inexactSnapshots'>,
): void {
  const seam = (): ViewSeam => ({
    ...facts(),
    text() {
      const buffer = terminal.buffer.active
      const lines = Array.from({ length: buffer.length }, (_, y) => buffer.getLine(y)?.translateToString(true) ?? '')
      return lines.join('\n').trimEnd()
    },
    rows() {
      const { active } = terminal.buffer
      return Array.from(
        { length: terminal.rows },
        (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '',
      )
    },
    get hash() {
      try {
        return isAtGround(terminal) ? hashState(terminal) : null
      } catch (error) {
        if (error instanceof StateError) return null
        throw error
      }
    },
    cursor: { x: terminal.buffer.active.cursorX, y: terminal.buffer.active.cursorY },
    selection: terminal.getSelection(),
    select({ column, row, length }) {
      terminal.select(column, row, length)
    },
  })
  Object.defineProperty(holder, VIEW_SEAM, { get: seam })
}
