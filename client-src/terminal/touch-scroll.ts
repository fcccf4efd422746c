/**
 * A finger on the terminal: a drag scrolls and goes on for a moment, a long press selects a word, and a drag after it selects
 * more. xterm.js has no notion of touch and does not scroll natively, so a drag becomes turns of a wheel, which also programs
 * with the mouse understand.
 */
import type { Terminal } from '@xterm/xterm'

const LONG_PRESS_MS = 450
/** A finger that moved less still means the place it is at. */
const SLOP_PX = 10
/** What is left of the speed after a frame of 16 ms. */
const FRICTION = 0.95
const STILL_PX_PER_MS = 0.03
const FRAME_MS = 16

interface Finger {
  readonly id: number
  readonly x: number
  readonly y: number
  lastY: number
  lastAt: number
  /** Pixels in a millisecond. */
  speed: number
  kind: 'resting' | 'scrolling' | 'selecting'
}

interface Cell {
  readonly column: number
  readonly row: number
}

export class TouchScroll {
  readonly #terminal: Terminal
  readonly #holder: HTMLElement
  #finger: Finger | null = null
  #anchor: { from: Cell; length: number } | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #frame = 0

  constructor(terminal: Terminal, holder: HTMLElement) {
    this.#terminal = terminal
    this.#holder = holder
    holder.addEventListener('touchstart', this.#start, { passive: true })
    holder.addEventListener('touchmove', this.#move, { passive: false })
    holder.addEventListener('touchend', this.#end)
    holder.addEventListener('touchcancel', this.#end)
  }

  dispose(): void {
    clearTimeout(this.#timer)
    cancelAnimationFrame(this.#frame)
  }

  readonly #start = (event: TouchEvent): void => {
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#timer)
    const touch = event.touches.length === 1 ? event.touches[0] : undefined
    this.#finger = null
    if (touch === undefined) return
    const { identifier: id, clientX: x, clientY: y } = touch
    this.#finger = { id, x, y, lastY: y, lastAt: event.timeStamp, speed: 0, kind: 'resting' }
    this.#timer = setTimeout(() => {
      this.#select()
    }, LONG_PRESS_MS)
  }

  readonly #move = (event: TouchEvent): void => {
    const finger = this.#finger
    const touch = Array.from(event.changedTouches).find(({ identifier }) => identifier === finger?.id)
    if (finger === null || touch === undefined) return
    const { clientX: x, clientY: y } = touch
    if (finger.kind === 'resting') {
      if (Math.hypot(x - finger.x, y - finger.y) < SLOP_PX) return
      clearTimeout(this.#timer)
      finger.kind = 'scrolling'
    }
    if (event.cancelable) event.preventDefault()
    if (finger.kind === 'selecting') {
      this.#extend(this.#cellAt(x, y))
      return
    }
    const distance = finger.lastY - y
    finger.speed = distance / Math.max(1, event.timeStamp - finger.lastAt)
    finger.lastY = y
    finger.lastAt = event.timeStamp
    this.#turn(distance, finger)
  }

  readonly #end = (event: TouchEvent): void => {
    clearTimeout(this.#timer)
    const finger = this.#finger
    this.#finger = null
    if (finger === null || finger.kind === 'resting') return
    // Otherwise the browser makes a click of it, which would take the selection away.
    if (event.cancelable) event.preventDefault()
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (finger.kind === 'scrolling' && event.type === 'touchend' && !isStill) this.#coast(finger)
  }

  #coast(finger: Finger): void {
    this.#frame = requestAnimationFrame(() => {
      finger.speed *= FRICTION
      if (Math.abs(finger.speed) < STILL_PX_PER_MS || !this.#holder.isConnected) return
      this.#turn(finger.speed * FRAME_MS, finger)
      this.#coast(finger)
    })
  }

  #turn(deltaY: number, { x, y }: Finger): void {
    const target = this.#holder.querySelector('.xterm-screen') ?? this.#holder
    target.dispatchEvent(
      new WheelEvent('wheel', { deltaY, clientX: x, clientY: y, bubbles: true, cancelable: true, view: window }),
    )
  }

  #select(): void {
    const finger = this.#finger
    const cell = finger === null ? null : this.#cellAt(finger.x, finger.y)
    if (finger === null || cell === null) return
    finger.kind = 'selecting'
    this.#anchor = wordAt(this.#terminal, cell)
    const { from, length } = this.#anchor
    this.#terminal.select(from.column, from.row, length)
  }

  #extend(to: Cell | null): void {
    if (this.#anchor === null || to === null) return
    const { cols } = this.#terminal
    const { from, length } = this.#anchor
    const start = from.row * cols + from.column
    const place = to.row * cols + to.column
    const first = Math.min(start, place)
    const end = Math.max(start + length, place + 1)
    this.#terminal.select(first % cols, Math.floor(first / cols), end - first)
  }

  #cellAt(x: number, y: number): Cell | null {
    const box = this.#holder.querySelector('.xterm-screen')?.getBoundingClientRect()
    if (box === undefined || box.height === 0) return null
    const { cols, rows, buffer } = this.#terminal
    const at = (part: number, count: number): number => Math.max(0, Math.min(count - 1, Math.floor(part * count)))
    return {
      column: at((x - box.left) / box.width, cols),
      row: buffer.active.viewportY + at((y - box.top) / box.height, rows),
    }
  }
}

function wordAt(terminal: Terminal, { column, row }: Cell): { from: Cell; length: number } {
  const line = terminal.buffer.active.getLine(row)
  const isWord = (at: number): boolean => {
    const cell = line?.getCell(at)
    return cell !== undefined && (cell.getWidth() === 0 || /[^\s()[\]{}'"`,;|<>]/.test(cell.getChars()))
  }
  let from = column
  let end = column + 1
  if (isWord(column)) {
    while (from > 0 && isWord(from - 1)) from -= 1
    while (end < terminal.cols && isWord(end)) end += 1
  }
  return { from: { column: from, row }, length: end - from }
}
