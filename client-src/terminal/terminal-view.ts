/**
 * One terminal on the page: an xterm.js instance in an element of its own, outside React, so that it survives tabs and
 * panels. Gives bytes to the emulator in order and says what was parsed. Knows no sockets and no tabs.
 *
 * The size of the grid is always the one in force on the host; this view only says what would fit.
 */
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import { Terminal, type ITheme } from '@xterm/xterm'
import type { StreamStart } from '../../protocol-src/host-frames.ts'
import type { StreamOffset } from '../../protocol-src/ids.ts'
import type { TerminalSize } from '../../protocol-src/session.ts'
import { emulatorOptions } from '../../screen-src/emulator-options.ts'
import { installGuards } from '../../screen-src/guards.ts'
import { reapplyColors } from '../../screen-src/restore.ts'
import { panelKey } from '../keys.ts'
import { touchBytes, withCtrl, type TouchKey } from '../touch-keys.ts'
import { TerminalClipboard, type ClipboardPorts } from './clipboard.ts'
import { TerminalFind } from './find.ts'
import { isSameSize, proposeSize, SCROLLBAR_PX, type Box } from './fit.ts'
import { TerminalLinks } from './links.ts'
import { MarkGutter, type MarkPorts } from './mark-gutter.ts'
import { optionsFrom, type ViewSettings } from './options.ts'
import type { PagePorts } from './page-ports.ts'
import { ReplyGate } from './reply-gate.ts'
import { SnapshotRestore } from './snapshot-restore.ts'
import { MINIMUM_CONTRAST } from './theme.ts'
import { TouchScroll } from './touch-scroll.ts'
import type { ViewFacts } from './view-facts.ts'
import { offerSeam } from './view-seam.ts'
import { WebglDrawing } from './webgl.ts'

export interface ViewPorts extends ClipboardPorts, MarkPorts, PagePorts {
  /** A person typed, or the terminal answered the program. */
  readonly input: (bytes: Uint8Array) => void
  /** Everything before `offset` was parsed. */
  readonly parsed: (offset: StreamOffset) => void
  /** Another size would fit now. */
  readonly proposed: (size: TerminalSize) => void
  /** The state that was restored is not the one that was meant. */
  readonly snapshotFailed: () => void
  /** The program rang, now and not in what is told of the past. */
  readonly rang: () => void
  /** Size, driver, renderer or letterbox changed. */
  readonly changed: () => void
}

/** Owner mark on style elements; without it another plugin's reload removes them. */
const OWNER = '@hyzyn/dsh-tty'
/** A terminal that is not drawn by then (a page in the background) is measured as it is. */
const DRAW_LIMIT_MS = 300
const DEFAULT_SIZE: TerminalSize = { cols: 80, rows: 24 }

export class TerminalView {
  readonly marks: MarkGutter
  readonly links: TerminalLinks
  readonly find: TerminalFind
  readonly #ports: ViewPorts
  readonly #terminal: Terminal
  readonly #gate: ReplyGate
  readonly #holder = document.createElement('div')
  readonly #observer = new ResizeObserver(() => {
    this.#fit()
  })
  readonly #encoder = new TextEncoder()
  readonly #webgl: WebglDrawing
  readonly #clipboard: TerminalClipboard
  readonly #touch: TouchScroll
  #container: HTMLElement | null = null
  #fitting: TerminalSize | null = null
  #waitingForFit: ((size: TerminalSize | null) => void)[] = []
  #size: TerminalSize = DEFAULT_SIZE
  #isDriver = true
  /** Nobody drives: the grid follows this container. */
  #fitsItself = false
  #parsed: StreamOffset = 0
  /** Counts replays: what an earlier one wrote is not acknowledged any more. */
  #epoch = 0
  #liveFrom: StreamOffset = 0
  /** A state is on its way into the terminal. */
  #restore: SnapshotRestore | null = null
  /** What has to be done after it. */
  #waiting: (() => void)[] | null = null
  /** Snapshots that were not what they said. */
  #inexact = 0
  #wantsFocus = false
  /** Shown again, and not drawn yet: until then xterm.js has the cell of another renderer. */
  #isStale = false
  /** The next character is typed with Ctrl. */
  #isCtrlHeld = false
  #drawnWidth = ''

  constructor(ports: ViewPorts, settings: ViewSettings, theme: ITheme) {
    this.#ports = ports
    this.#terminal = new Terminal({
      ...emulatorOptions(settings.scrollback),
      ...optionsFrom(settings),
      ...DEFAULT_SIZE,
      theme,
      minimumContrastRatio: MINIMUM_CONTRAST,
      macOptionClickForcesSelection: true,
      rescaleOverlappingGlyphs: true,
    })
    this.#gate = new ReplyGate(this.#terminal.parser)
    this.#terminal.loadAddon(new UnicodeGraphemesAddon())
    installGuards(this.#terminal)
    this.#terminal.onData((data) => {
      if (!this.#gate.lets(data)) return
      this.marks.prompt.touch()
      this.#ports.input(this.#encoder.encode(this.#withCtrl(data)))
    })
    this.#terminal.onBinary((data) => {
      this.#ports.input(Uint8Array.from(data, (character) => character.charCodeAt(0) & 0xff))
    })
    this.#terminal.onBell(() => {
      if (this.#parsed >= this.#liveFrom) ports.rang()
    })
    this.#webgl = new WebglDrawing(this.#terminal, ports.webgl, () => {
      this.#ownStyles()
      this.#fit()
      this.#ports.changed()
    })
    this.#terminal.onRender(() => {
      this.#drawn()
    })
    this.#holder.dataset['ttyHolder'] = ''
    this.#holder.style.cssText = 'width:100%;height:100%'
    this.marks = new MarkGutter(this.#terminal, ports)
    this.marks.setSticking(settings.stickyCommand)
    this.links = new TerminalLinks(this.#terminal, ports)
    this.find = new TerminalFind(this.#terminal, ports)
    this.#touch = new TouchScroll(this.#terminal, this.#holder)
    this.#clipboard = new TerminalClipboard(this.#terminal, this.#holder, ports)
    this.#terminal.attachCustomKeyEventHandler(
      (event) =>
        panelKey(event, this.#terminal.buffer.active.type === 'alternate' ? 'alternate' : 'terminal') === null &&
        !this.marks.takesKey(event) &&
        this.#clipboard.handleKey(event),
    )
    offerSeam(this.#holder, this.#terminal, () => ({
      ...this.facts,
      offset: this.#parsed,
      isMuted: this.#gate.isShut,
      inexactSnapshots: this.#inexact,
    }))
  }

  get facts(): ViewFacts {
    const isOthers = !this.#isDriver && !this.#fitsItself
    return {
      size: this.#size,
      isDriver: this.#isDriver,
      renderer: this.#terminal.element === undefined ? 'none' : this.#webgl.isOn ? 'webgl' : 'dom',
      isCtrlHeld: this.#isCtrlHeld,
      isLetterboxed: isOthers && this.#fitting !== null && !isSameSize(this.#fitting, this.#size),
    }
  }

  /** What fits now, or null while nothing can be measured. */
  get fitting(): TerminalSize | null {
    return this.#fitting
  }

  /** What fits, once that can be measured; null after `limitMs` without. */
  async firstFit(limitMs: number): Promise<TerminalSize | null> {
    if (this.#fitting !== null) return this.#fitting
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limitMs, null)
      this.#waitingForFit.push((size) => {
        clearTimeout(timer)
        resolve(size)
      })
    })
  }

  /** Show this terminal in `container` until the result is called. */
  mount(container: HTMLElement): () => void {
    this.#container = container
    container.append(this.#holder)
    if (this.#terminal.element === undefined) {
      this.#terminal.open(this.#holder)
      // What the program set while there was nothing to paint on.
      reapplyColors(this.#terminal)
    } else this.#isStale = true
    this.#webgl.start()
    this.#ownStyles()
    this.#observer.observe(container)
    container.addEventListener('scroll', this.#placeMarks)
    this.#fit()
    this.#terminal.refresh(0, this.#terminal.rows - 1)
    setTimeout(() => {
      this.#drawn()
    }, DRAW_LIMIT_MS)
    if (this.#wantsFocus) this.focus()
    return () => {
      if (this.#container !== container) return
      this.#observer.disconnect()
      container.removeEventListener('scroll', this.#placeMarks)
      this.#container = null
      this.#fitting = null
      this.#webgl.stop()
      this.#holder.remove()
      this.links.leave()
      this.find.close()
    }
  }

  /** Put the keyboard here, now or as soon as it is shown. */
  focus(): void {
    this.#wantsFocus = this.#container === null
    if (!this.#wantsFocus) this.#terminal.focus()
  }

  /** Put text at the prompt without Enter. @returns false, and nothing is done, when that would run something */
  fillIn(text: string): boolean {
    const fitting = this.marks.prompt.fitting(text)
    if (fitting === null) return false
    this.#terminal.paste(fitting)
    this.marks.leave()
    return true
  }

  /** A key beside an on-screen keyboard. */
  press(key: TouchKey | 'copy' | 'paste'): void {
    this.#terminal.focus()
    if (key === 'copy' || key === 'paste') this.#clipboard.carryOut(key)
    else if (key === 'ctrl') this.#holdCtrl(!this.#isCtrlHeld)
    else {
      const isCtrl = this.#isCtrlHeld
      this.#holdCtrl(false)
      this.#terminal.input(touchBytes(key, { isApplication: this.#terminal.modes.applicationCursorKeysMode, isCtrl }))
    }
  }

  #holdCtrl(isHeld: boolean): void {
    if (isHeld === this.#isCtrlHeld) return
    this.#isCtrlHeld = isHeld
    this.#ports.changed()
  }

  #withCtrl(data: string): string {
    if (!this.#isCtrlHeld || data.length !== 1) return data
    this.#holdCtrl(false)
    return withCtrl(data)
  }

  /** Ask the shell for an empty screen (Ctrl+L). @returns false when a command would get the key */
  clear(): boolean {
    if (this.marks.prompt.isRunning || this.#terminal.buffer.active.type === 'alternate') return false
    this.#terminal.input('\f')
    this.marks.leave()
    return true
  }

  /** Output begins: where it stopped (`delta`), after an empty terminal (`replay`), or after a state that comes first. */
  started(start: StreamStart): void {
    const isAnew = start.mode !== 'delta'
    this.#liveFrom = start.liveFrom
    this.#fitsItself = false
    if (isAnew) this.#startAnew(start)
    this.#then(() => {
      this.#gate.setHistory(start.from.offset < start.liveFrom)
      this.#gate.setDriver(false)
      this.#isDriver = false
      this.#applySize(start.size)
      this.#layOut()
      this.#ports.changed()
    })
  }

  /** Part of the state that `started` announced. */
  snapshot(part: number, bytes: Uint8Array): void {
    this.#restore?.take(part, bytes)
  }

  /** That was the last part; the terminal must have this hash in the end. */
  snapshotEnd(hash: string): void {
    this.#restore?.complete(hash)
  }

  /** Bytes of output that start at `from`; told back through `parsed`. */
  output(bytes: Uint8Array, from: StreamOffset): void {
    this.#then(() => {
      this.#write(bytes, from)
    })
  }

  /** The size in force, and whether this viewer set it and answers the program. Takes effect after the output so far. */
  resized(size: TerminalSize, isDriver: boolean): void {
    this.#then(() => {
      this.#inOrder(() => {
        this.#gate.setDriver(isDriver)
        this.#isDriver = isDriver
        if (!this.#fitsItself) this.#applySize(size)
        this.#layOut()
        this.#ports.changed()
      })
    })
  }

  /** The program has ended: the grid follows this view, and the cursor is gone. */
  exited(): void {
    this.#then(() => {
      this.#inOrder(() => {
        this.#fitsItself = true
        this.#terminal.options.cursorInactiveStyle = 'none'
        this.#terminal.options.disableStdin = true
        this.#terminal.write('\u001b[?25l')
        this.#layOut()
        this.#fit()
        this.#ports.changed()
      })
    })
  }

  setTheme(theme: ITheme): void {
    this.#terminal.options.theme = theme
    // xterm.js takes a new theme for the end of what the program set.
    reapplyColors(this.#terminal)
  }

  setSettings(settings: ViewSettings): void {
    this.marks.setSticking(settings.stickyCommand)
    Object.assign(this.#terminal.options, optionsFrom(settings))
    this.#webgl.spaceLetters()
    this.#fit()
  }

  dispose(): void {
    this.#observer.disconnect()
    this.#touch.dispose()
    for (const settle of this.#waitingForFit.splice(0)) settle(null)
    this.#webgl.stop()
    this.#terminal.dispose()
    this.#holder.remove()
  }

  #startAnew({ from, mode }: StreamStart): void {
    this.#epoch += 1
    this.#restore?.cancel()
    this.#restore = null
    this.#waiting = null
    // Leave a sequence or character that was cut off (CAN), then start from power-up state.
    if (this.#epoch > 1) this.#terminal.write(Uint8Array.of(0x18))
    this.#inOrder(() => {
      if (this.#epoch > 1) this.#terminal.reset()
      this.marks.reset(from.offset === 0)
      this.#parsed = from.offset
    })
    if (mode !== 'snapshot') return
    this.#waiting = []
    this.#restore = new SnapshotRestore(this.#terminal, {
      inOrder: (step) => {
        this.#inOrder(step)
      },
      done: (isExact) => {
        const waiting = this.#waiting ?? []
        this.#restore = null
        this.#waiting = null
        if (!isExact) this.#inexact += 1
        if (isExact) for (const step of waiting) step()
        else this.#ports.snapshotFailed()
        this.#fit()
      },
    })
  }

  /** Do it now, or once the state that is on its way is in the terminal: it takes no changes of size before that. */
  #then(step: () => void): void {
    if (this.#waiting === null) step()
    else this.#waiting.push(step)
  }

  #write(bytes: Uint8Array, from: StreamOffset): void {
    const epoch = this.#epoch
    const isHistoryUntil = this.#liveFrom - from
    const parts =
      isHistoryUntil > 0 && isHistoryUntil < bytes.length
        ? [bytes.subarray(0, isHistoryUntil), bytes.subarray(isHistoryUntil)]
        : [bytes]
    let end = from
    for (const part of parts) {
      end += part.length
      const offset = end
      this.#terminal.write(part, () => {
        if (epoch !== this.#epoch) return
        if (offset === this.#liveFrom) {
          this.#gate.setHistory(false)
          // Whether something is typed at a prompt of the past is not known.
          this.marks.prompt.touch()
        }
        this.#parsed = offset
        this.#ports.parsed(offset)
      })
    }
  }

  /** Run `step` when everything written so far was parsed, before anything that is written later. */
  #inOrder(step: () => void): void {
    this.#terminal.write('', step)
  }

  #applySize(size: TerminalSize): void {
    this.#size = size
    if (this.#terminal.cols !== size.cols || this.#terminal.rows !== size.rows)
      this.#terminal.resize(size.cols, size.rows)
  }

  /** xterm.js drew: the cell may be another one than before. */
  #drawn(): void {
    const width = this.#screen()?.style.width ?? ''
    if (!this.#isStale && width === this.#drawnWidth) return
    this.#isStale = false
    this.#drawnWidth = width
    this.#fit()
  }

  /** Say what fits, when that changed. */
  #fit(): void {
    const size = this.#isStale || this.#webgl.isPending ? null : this.#measure()
    if (size === null) return
    const isNew = !isSameSize(size, this.#fitting)
    this.#fitting = size
    for (const settle of this.#waitingForFit.splice(0)) settle(size)
    if (this.#fitsItself) this.#applySize(size)
    else if (isNew) this.#ports.proposed(size)
    this.#layOut()
    if (isNew) this.#ports.changed()
  }

  #measure(): TerminalSize | null {
    const container = this.#container
    const cell = this.#cell()
    if (container === null || cell === null) return null
    const style = getComputedStyle(container)
    const padding = (side: string): number => Number.parseFloat(style.getPropertyValue(`padding-${side}`)) || 0
    const width = container.clientWidth - padding('left') - padding('right')
    const height = container.clientHeight - padding('top') - padding('bottom')
    return proposeSize({ width, height }, cell)
  }

  /** One character cell, from the size that xterm.js gave its screen element; null before it drew. */
  #cell(): Box | null {
    const screen = this.#screen()
    if (screen === null) return null
    const width = Number.parseFloat(screen.style.width) / this.#terminal.cols
    const height = Number.parseFloat(screen.style.height) / this.#terminal.rows
    return width > 0 && height > 0 ? { width, height } : null
  }

  #screen(): HTMLElement | null {
    return this.#holder.querySelector<HTMLElement>('.xterm-screen')
  }

  /** The driver's grid fills the container; another's is drawn at its own size, in the middle. */
  #layOut(): void {
    const { isLetterboxed } = this.facts
    const cell = this.#cell()
    const style = this.#holder.style
    if (isLetterboxed && cell !== null) {
      style.width = `${String(Math.ceil(cell.width * this.#size.cols) + SCROLLBAR_PX)}px`
      style.height = `${String(Math.ceil(cell.height * this.#size.rows))}px`
    } else {
      style.width = '100%'
      style.height = '100%'
    }
    this.#placeMarks()
  }

  readonly #placeMarks = (): void => {
    this.marks.place(this.#container, this.#screen())
  }

  #ownStyles(): void {
    for (const style of this.#holder.querySelectorAll('style')) style.dataset['plugin'] = OWNER
  }
}
