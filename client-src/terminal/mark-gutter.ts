/**
 * The marks of one terminal as they are on screen now: which commands are within the rows that are shown, and at which row.
 * Draws nothing itself.
 */
import type { Terminal } from '@xterm/xterm'
import { cellOf } from '../../screen-src/line-place.ts'
import { marksOf } from '../../screen-src/tracked.ts'
import type { CommandMark } from '../../screen-src/terminal-state.ts'
import { coreOf } from '../../screen-src/xterm-internals.ts'
import { isMac } from '../keys.ts'
import { commandOutput } from './command-output.ts'
import { markKey, type MarkDirection } from './mark-keys.ts'
import { PromptLine } from './prompt-line.ts'
import { stickyOf } from './sticky-command.ts'
import type { MarkFacts, ShownMark } from './view-facts.ts'

/** Rows that stay above a command which is brought into view. */
const CONTEXT_ROWS = 1

export interface MarkPorts {
  /** Whether the host knows a command of this ordinal: a mark that it does not confirm is none. */
  readonly isKnownCommand: (id: number) => boolean
  /** Other marks are shown, or elsewhere. */
  readonly marksChanged: () => void
}

const NONE: readonly ShownMark[] = []

export class MarkGutter {
  readonly prompt: PromptLine
  readonly #terminal: Terminal
  readonly #ports: MarkPorts
  #shown: readonly ShownMark[] = NONE
  #sticky: ShownMark | null = null
  #isSticking = true
  #isAtPrompt = false
  #place = { left: 0, top: 0, rowHeight: 0 }
  #jump: MarkFacts['jump'] = null

  constructor(terminal: Terminal, ports: MarkPorts) {
    this.#terminal = terminal
    this.#ports = ports
    this.prompt = new PromptLine(terminal)
    terminal.onSelectionChange(() => {
      if (this.#sticky !== null || terminal.hasSelection()) this.#look()
    })
    terminal.onRender(() => {
      this.#look()
    })
    terminal.onWriteParsed(() => {
      // A command that ends without a word changes nothing else on the screen.
      if (this.#shown.some(({ outcome }) => outcome === 'running') || this.#isAtPrompt) this.#look()
    })
  }

  get facts(): MarkFacts {
    return {
      ...this.#place,
      rows: this.#terminal.rows,
      shown: this.#shown,
      sticky: this.#sticky,
      isAtPrompt: this.#isAtPrompt,
      jump: this.#jump,
    }
  }

  /** What the shell's own marks carry. To be told before anything is written. */
  trust(nonce: string | null): void {
    marksOf(this.#terminal).nonce = nonce
  }

  /** The terminal begins anew. @param isFromStart with the first byte of the session */
  reset(isFromStart: boolean): void {
    marksOf(this.#terminal).reset(isFromStart)
    this.prompt.touch()
  }

  /** Whether a command may stand on top of its output. */
  setSticking(isSticking: boolean): void {
    this.#isSticking = isSticking
    this.#look()
  }

  /** Bring a command into view and give its mark the keyboard. */
  show(id: number): void {
    const mark = this.#marks().find((each) => each.mark.id === id)
    if (mark !== undefined) this.#reveal(mark)
  }

  /** Rows that a command which has ended took for its output; null when its beginning or end is not there. */
  linesOf(id: number): number | null {
    const { from = null, to = null, outcome } = this.#marks().find(({ mark }) => mark.id === id)?.mark ?? {}
    if (from === null || to === null || outcome === 'running') return null
    return to.line - from.line + (to.cells > 0 && (to.line !== from.line || to.cells !== from.cells) ? 1 : 0)
  }

  /** The terminal is elsewhere, or has another cell. */
  place(container: HTMLElement | null, screen: HTMLElement | null): void {
    if (container === null || screen === null) return
    const outer = container.getBoundingClientRect()
    const inner = screen.getBoundingClientRect()
    const place = {
      left: inner.left - outer.left,
      top: inner.top - outer.top,
      rowHeight: inner.height / this.#terminal.rows,
    }
    const before = this.#place
    if (before.left === place.left && before.top === place.top && before.rowHeight === place.rowHeight) return
    this.#place = place
    this.#ports.marksChanged()
  }

  /** @returns whether a key press went to a command, and so not to the program */
  takesKey(event: KeyboardEvent): boolean {
    const isAlternate = this.#terminal.buffer.active.type === 'alternate'
    const direction = markKey(event, { isMac: isMac(), isAlternate })
    if (direction === null || event.type !== 'keydown' || !this.go(direction, null)) return false
    event.preventDefault()
    return true
  }

  /** Bring the command before or after `from` into view. @returns false when there is no command at all */
  go(direction: MarkDirection, from: number | null): boolean {
    const marks = this.#marks()
    if (marks.length === 0) return false
    const at = this.#positionOf(marks, from)
    const next = direction === 'previous' ? Math.max(0, Math.ceil(at) - 1) : Math.floor(at) + 1
    const mark = marks[next]
    if (mark === undefined) this.leave()
    else this.#reveal(mark)
    return true
  }

  /** Back to where the program writes. */
  leave(): void {
    this.#terminal.scrollToBottom()
    this.#terminal.focus()
  }

  /** What a command printed, as far as it is there; null when its beginning is not. */
  output(id: number): string | null {
    const { from = null, to = null, outcome } = this.#marks().find(({ mark }) => mark.id === id)?.mark ?? {}
    return from === null || (to === null && outcome !== 'running') ? null : commandOutput(this.#terminal, from, to)
  }

  /** Look again: the host said more about commands. */
  refresh(): void {
    this.#look()
  }

  /** Where among the marks a person is: at one, or between two. */
  #positionOf(marks: readonly PlacedMark[], id: number | null): number {
    const at = marks.findIndex(({ mark }) => mark.id === id)
    if (at >= 0) return at
    const { viewportY, baseY } = this.#terminal.buffer.active
    if (viewportY === baseY) return marks.length - 0.5
    const below = marks.findIndex(({ row }) => row >= viewportY)
    return (below < 0 ? marks.length : below) - 0.5
  }

  #reveal({ mark: { id }, row }: PlacedMark): void {
    const { viewportY } = this.#terminal.buffer.active
    const isShown = row >= viewportY && row < viewportY + this.#terminal.rows
    if (!isShown) this.#terminal.scrollToLine(Math.max(0, row - CONTEXT_ROWS))
    this.#jump = { id, count: (this.#jump?.count ?? 0) + 1 }
    this.#look()
    this.#ports.marksChanged()
  }

  /** All marks with their rows in the buffer; none while a full-screen program has the screen. */
  #marks(): PlacedMark[] {
    if (this.#terminal.buffer.active.type === 'alternate') return []
    const core = coreOf(this.#terminal)
    const { commands } = marksOf(this.#terminal).state()
    return commands
      .filter(({ id }) => this.#ports.isKnownCommand(id))
      .map((mark) => ({ mark, row: cellOf(core, mark.at).row }))
  }

  #hasOutput({ from, to, outcome }: CommandMark): boolean {
    if (from === null) return false
    if (to !== null) return from.line !== to.line || from.cells !== to.cells
    const { baseY, cursorX, cursorY } = this.#terminal.buffer.normal
    const { row, column } = cellOf(coreOf(this.#terminal), from)
    return outcome === 'running' && (row !== baseY + cursorY || column !== cursorX)
  }

  #look(): void {
    const { viewportY } = this.#terminal.buffer.active
    const marks = this.#marks()
    const onScreen = ({ row, mark }: PlacedMark): ShownMark => ({
      id: mark.id,
      outcome: mark.outcome,
      row: row - viewportY,
      hasOutput: this.#hasOutput(mark),
    })
    const shown = marks
      .filter(({ row }) => row >= viewportY && row < viewportY + this.#terminal.rows)
      .map((mark) => onScreen(mark))
    const above = this.#isSticking ? this.#stickyAmong(marks) : null
    const sticky = above === null ? null : { ...onScreen(above), row: -1 }
    const isAtPrompt = this.prompt.isEmpty
    const isSameAll = isSame(shown, this.#shown) && isSame(listOf(sticky), listOf(this.#sticky))
    if (isSameAll && isAtPrompt === this.#isAtPrompt) return
    this.#shown = shown
    this.#sticky = sticky
    this.#isAtPrompt = isAtPrompt
    this.#ports.marksChanged()
  }

  #stickyAmong(marks: readonly PlacedMark[]): PlacedMark | null {
    const { viewportY, baseY, cursorY } = this.#terminal.buffer.active
    const selected = this.#terminal.getSelectionPosition()
    const core = coreOf(this.#terminal)
    return stickyOf(
      marks.map((placed) => {
        const { to, outcome } = placed.mark
        const end = to === null ? (outcome === 'running' ? baseY + cursorY : placed.row) : cellOf(core, to).row
        return { ...placed, end }
      }),
      {
        top: viewportY,
        isScrolled: viewportY < baseY,
        selected: selected === undefined ? null : { from: selected.start.y, to: selected.end.y },
      },
    )
  }
}

const listOf = (mark: ShownMark | null): readonly ShownMark[] => (mark === null ? NONE : [mark])

interface PlacedMark {
  readonly mark: CommandMark
  /** In the buffer. */
  readonly row: number
}

function isSame(one: readonly ShownMark[], other: readonly ShownMark[]): boolean {
  return (
    one.length === other.length &&
    one.every((mark, at) => {
      const { id, outcome, row, hasOutput: hasMore } = other[at] as ShownMark
      return mark.id === id && mark.outcome === outcome && mark.row === row && mark.hasOutput === hasMore
    })
  )
}
