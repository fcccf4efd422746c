/**
 * Looks for a text in one terminal, the scrollback included, and marks what is on screen of it. The count follows the output;
 * what is drawn is always looked up anew in the lines that are shown.
 */
import type { IMarker, Terminal } from '@xterm/xterm'
import type { FindQuery } from '../stores/popup-model.ts'
import { findPattern, placesOf } from './find-pattern.ts'
import { lineFrom, partsOf } from './line-text.ts'
import type { PagePorts } from './page-ports.ts'

/** More are not counted. */
const MAX_FOUND = 10_000
/** Rows of a wrapped line that are one text. */
const MAX_LINE_ROWS = 200
/** How long the page may wait for the search in between, and the search for more output. */
const SLICE_MS = 8
const AGAIN_MS = 150
/** At the top of the screen, where the question stands. */
const COVERED_ROWS = 2
const NO_QUERY: FindQuery = { text: '', isCase: false, isWord: false, isRegExp: false }

/** By the row where its line begins. */
interface Found {
  readonly row: number
  readonly index: number
}

export class TerminalFind {
  readonly #terminal: Terminal
  readonly #changed: PagePorts['findChanged']
  readonly #layer = document.createElement('div')
  #query: FindQuery | null = null
  #openings = 0
  #seed = ''
  #regExp: RegExp | null = null
  #reason: string | null = null
  #found: readonly Found[] = []
  /** The one that was gone to: its line moves with the scrollback. */
  #current: { readonly marker: IMarker; readonly index: number } | null = null
  #run = 0
  #isRunning = false
  #isStale = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(terminal: Terminal, ports: Pick<PagePorts, 'findChanged'>) {
    this.#terminal = terminal
    this.#changed = ports.findChanged
    this.#layer.dataset['ttyFound'] = ''
    this.#layer.style.cssText = 'position:absolute;inset:0;overflow:hidden;pointer-events:none'
    terminal.onRender(() => {
      this.#draw()
    })
    const handleOutput = (): void => {
      if (this.#regExp === null) return
      this.#isStale = true
      this.#searchLater(AGAIN_MS)
    }
    terminal.onWriteParsed(handleOutput)
    terminal.onResize(handleOutput)
  }

  /** Ask what to look for, beginning with what is selected. */
  open(): void {
    const selection = this.#terminal.getSelection()
    this.#seed = selection.includes('\n') ? '' : selection
    this.#openings += 1
    this.#query ??= NO_QUERY
    this.#publish()
  }

  close(): void {
    if (this.#query === null) return
    this.search(NO_QUERY)
    this.#query = null
    this.#changed(null)
  }

  /** Look for something else, while somebody is asked what to look for. */
  search(query: FindQuery): void {
    if (this.#query === null) return
    const pattern = findPattern(query)
    this.#query = query
    this.#regExp = pattern.kind === 'good' ? pattern.regExp : null
    this.#reason = pattern.kind === 'bad' ? pattern.reason : null
    this.#found = []
    this.#run += 1
    this.#isRunning = false
    this.#draw()
    if (this.#regExp === null) this.#goTo(null)
    else this.#search(this.#regExp, true)
    this.#publish()
  }

  /** Go to the next or the one before; behind the last comes the first. */
  go(direction: 'next' | 'previous'): void {
    const { length } = this.#found
    if (length === 0) return
    const at = this.#place()
    const isOn = this.#isCurrent(this.#found[at])
    const to = direction === 'next' ? (isOn ? at + 1 : at) : at - 1
    this.#goTo(this.#found.at(to % length) ?? null)
    this.#publish()
  }

  /**
   * Look through all lines, a slice at a time, from the first.
   * @param isNew whether to go to what is found, or only to count it
   */
  #search(regExp: RegExp, isNew: boolean): void {
    const run = (this.#run += 1)
    const found: Found[] = []
    let row = 0
    const slice = (): void => {
      if (run !== this.#run) return
      const { active } = this.#terminal.buffer
      const until = performance.now() + SLICE_MS
      while (row < active.length && found.length < MAX_FOUND) {
        if (performance.now() > until) {
          this.#timer = setTimeout(slice)
          return
        }
        const line = lineFrom(active, row, MAX_LINE_ROWS)
        for (const [index] of placesOf(regExp, line.text)) found.push({ row, index })
        row += Math.max(1, line.rows.length)
      }
      this.#isRunning = false
      this.#found = found.slice(0, MAX_FOUND)
      const nearest = this.#found[this.#place()] ?? this.#found.at(-1)
      if (isNew && !this.#isCurrent(nearest)) this.#goTo(nearest ?? null)
      this.#publish()
      if (this.#isStale) this.#searchLater(AGAIN_MS)
    }
    this.#isRunning = true
    this.#isStale = false
    slice()
  }

  #searchLater(ms: number): void {
    if (this.#isRunning) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (this.#regExp !== null && !this.#isRunning) this.#search(this.#regExp, false)
    }, ms)
  }

  /** Of the one that was gone to, or the first behind it or on screen, among what was found. */
  #place(): number {
    const { viewportY } = this.#terminal.buffer.active
    const row = this.#current === null ? viewportY : this.#current.marker.line
    const index = this.#current?.index ?? 0
    const at = this.#found.findIndex((each) => each.row > row || (each.row === row && each.index >= index))
    return at === -1 ? this.#found.length : at
  }

  #isCurrent(found: Found | undefined): boolean {
    return found !== undefined && found.row === this.#current?.marker.line && found.index === this.#current.index
  }

  #goTo(found: Found | null): void {
    const { active } = this.#terminal.buffer
    this.#current?.marker.dispose()
    this.#current = null
    if (found !== null) {
      const marker = this.#terminal.registerMarker(found.row - active.baseY - active.cursorY)
      this.#current = { marker, index: found.index }
      const line = lineFrom(active, found.row, MAX_LINE_ROWS)
      const row = partsOf(active, line, [found.index, found.index + 1])[0]?.row ?? found.row
      const isShown = row >= active.viewportY + COVERED_ROWS && row < active.viewportY + this.#terminal.rows
      if (!isShown) this.#terminal.scrollToLine(Math.max(0, row - Math.floor(this.#terminal.rows / 2)))
    }
    this.#draw()
  }

  #publish(): void {
    if (this.#query === null) return
    const at = this.#place()
    this.#changed({
      opening: this.#openings,
      seed: this.#seed,
      reason: this.#reason,
      count: this.#found.length,
      isMore: this.#found.length === MAX_FOUND,
      current: this.#isCurrent(this.#found[at]) ? at + 1 : 0,
    })
  }

  /** Mark what is on screen now. */
  #draw(): void {
    const regExp = this.#regExp
    const screen = this.#terminal.element?.querySelector<HTMLElement>('.xterm-screen')
    if (regExp === null || screen === undefined || screen === null) {
      this.#layer.remove()
      return
    }
    const { cols, rows, buffer } = this.#terminal
    const { active } = buffer
    const boxes: HTMLElement[] = []
    let row = active.viewportY
    while (row > 0 && active.viewportY - row < MAX_LINE_ROWS && active.getLine(row)?.isWrapped === true) row -= 1
    while (row < Math.min(active.length, active.viewportY + rows)) {
      const line = lineFrom(active, row, MAX_LINE_ROWS)
      for (const place of placesOf(regExp, line.text)) {
        const isCurrent = this.#isCurrent({ row, index: place[0] })
        for (const part of partsOf(active, line, place)) {
          const top = part.row - active.viewportY
          if (top < 0 || top >= rows) continue
          const box = document.createElement('div')
          box.dataset['current'] = String(isCurrent)
          box.style.cssText = `position:absolute;left:${percent(part.start, cols)};top:${percent(top, rows)};width:${percent(part.end - part.start, cols)};height:${percent(1, rows)}`
          boxes.push(box)
        }
      }
      row += Math.max(1, line.rows.length)
    }
    this.#layer.replaceChildren(...boxes)
    if (this.#layer.parentElement !== screen) screen.append(this.#layer)
  }
}

const percent = (part: number, whole: number): string => `${String((100 * part) / whole)}%`
