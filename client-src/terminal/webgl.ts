/**
 * Draws a terminal with WebGL while it is visible. Browsers keep about sixteen contexts per page and take the oldest away,
 * so a hidden terminal has none, and a lost or refused one is asked for again later.
 */
import type { WebglAddon } from '@xterm/addon-webgl'
import type { Terminal } from '@xterm/xterm'
import type { WebglSource } from './page-ports.ts'

const RETRY_MS = 30_000
const MAX_FAILURES = 3

export class WebglDrawing {
  readonly #terminal: Terminal
  readonly #source: WebglSource
  readonly #changed: () => void
  #stopWaiting: (() => void) | null = null
  #addon: WebglAddon | null = null
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param changed the terminal is drawn in another way from now on */
  constructor(terminal: Terminal, source: WebglSource, changed: () => void) {
    this.#terminal = terminal
    this.#source = source
    this.#changed = changed
  }

  get isOn(): boolean {
    return this.#addon !== null
  }

  /** Whether the terminal will be drawn in another way in a moment: until then its cells have another size. */
  get isPending(): boolean {
    return this.#stopWaiting !== null
  }

  /** The terminal is on screen: draw with WebGL if the browser lets, once the page has it. */
  start(): void {
    if (this.#addon !== null || this.isPending || this.#failures >= MAX_FAILURES) return
    const { state } = this.#source
    const before = state.getSnapshot()
    if (before.kind === 'ready') {
      this.#draw(new before.module.WebglAddon())
      return
    }
    this.#stopWaiting = state.subscribe(() => {
      const now = state.getSnapshot()
      if (now.kind !== 'ready' && now.kind !== 'failed') return
      this.#waitNoMore()
      if (now.kind === 'ready') this.#draw(new now.module.WebglAddon())
      else this.#changed()
    })
    if (before.kind === 'failed') this.#source.retry()
    else this.#source.load()
  }

  #waitNoMore(): void {
    this.#stopWaiting?.()
    this.#stopWaiting = null
  }

  #draw(addon: WebglAddon): void {
    try {
      this.#terminal.loadAddon(addon)
    } catch {
      // No WebGL here, or no context left: the DOM renderer draws the same.
      addon.dispose()
      this.#failed()
      return
    }
    this.#addon = addon
    addon.onContextLoss(() => {
      if (this.#addon === addon) this.#failed()
    })
    this.spaceLetters()
    this.#changed()
  }

  /**
   * This renderer cuts a cell to whole device pixels, which crams letters of, say, 7.8 pixels into 7. Give such a font one
   * pixel more. The DOM renderer needs none of it.
   */
  spaceLetters(): void {
    const { fontSize = 13, fontFamily = 'monospace' } = this.#terminal.options
    const context = this.isOn ? document.createElement('canvas').getContext('2d') : null
    let spacing = 0
    if (context !== null) {
      context.font = `${String(fontSize)}px ${fontFamily}`
      const width = context.measureText('W').width * devicePixelRatio
      spacing = width - Math.floor(width) >= 0.5 ? 1 : 0
    }
    if (this.#terminal.options.letterSpacing !== spacing) this.#terminal.options.letterSpacing = spacing
  }

  /** The terminal leaves the screen: give the context back. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#waitNoMore()
    const addon = this.#addon
    this.#addon = null
    addon?.dispose()
    this.spaceLetters()
    this.#changed()
  }

  #failed(): void {
    this.#failures += 1
    this.stop()
    this.#timer = setTimeout(() => {
      this.start()
    }, RETRY_MS)
  }
}
