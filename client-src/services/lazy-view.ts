/**
 * The terminal of a tab, before its emulator is there and after: keeps where it is to be shown and whether it is to have
 * the keyboard, and makes the real one when it can.
 */
import { toLinkError, type LinkError } from '../connection/link-error.ts'
import type { TerminalSize } from '../../protocol-src/session.ts'
import type { Unsubscribe } from '../stores/store.ts'
import type { TerminalModule } from '../terminal/terminal-module.ts'
import type { TerminalView } from '../terminal/terminal-view.ts'
import type { ViewFacts } from '../terminal/view-facts.ts'
import type { Emulator } from './emulator.ts'

export interface LazyViewPorts {
  readonly emulator: Emulator
  readonly create: (module: TerminalModule) => TerminalView
  /** There is a terminal now, or there cannot be one. */
  readonly changed: () => void
}

const NOTHING_YET: ViewFacts = {
  size: { cols: 80, rows: 24 },
  isDriver: true,
  renderer: 'none',
  isLetterboxed: false,
  isCtrlHeld: false,
}

export class LazyView {
  readonly #ports: LazyViewPorts
  readonly #unsubscribe: Unsubscribe
  #view: TerminalView | null = null
  #steps: ((view: TerminalView) => void)[] = []
  #container: HTMLElement | null = null
  #unmount: (() => void) | null = null
  /** What had the keyboard when it was wanted here. */
  #focusFrom: Element | null | undefined
  #isDisposed = false
  /** Making the terminal failed, though its emulator is there. */
  #failure: LinkError | null = null

  constructor(ports: LazyViewPorts) {
    this.#ports = ports
    const { emulator, changed } = ports
    this.#unsubscribe = emulator.state.subscribe(() => {
      this.#create()
      changed()
    })
    this.#create()
    if (this.#view === null) emulator.loadWhenIdle()
  }

  /** The real one, once it is there. */
  get terminal(): TerminalView | null {
    return this.#view
  }

  get facts(): ViewFacts {
    return this.#view?.facts ?? NOTHING_YET
  }

  get fitting(): TerminalSize | null {
    return this.#view?.fitting ?? null
  }

  /** Why there is no terminal; null when there is one or may still be. */
  get error(): LinkError | null {
    const state = this.#ports.emulator.state.getSnapshot()
    return this.#view === null && state.kind === 'failed' ? state.error : this.#failure
  }

  /** Try again what `error` says. */
  retry(): void {
    this.#ports.emulator.retry()
    this.#create()
    this.#ports.changed()
  }

  /** Call `step` once the terminal is there, now if it is; never when this is disposed before. */
  whenThere(step: (view: TerminalView) => void): void {
    if (this.#view === null) this.#steps.push(step)
    else step(this.#view)
  }

  /** What fits, once there is a terminal that can be measured; null `limitMs` later without. */
  firstFit(limitMs: number): Promise<TerminalSize | null> {
    return new Promise((resolve, reject) => {
      this.whenThere((view) => {
        view.firstFit(limitMs).then(resolve, reject)
      })
    })
  }

  /** Show this terminal in `container` until the result is called. */
  mount(container: HTMLElement): () => void {
    this.#container = container
    this.#show()
    this.#ports.emulator.load()
    return () => {
      if (this.#container !== container) return
      this.#container = null
      this.#unmount?.()
      this.#unmount = null
    }
  }

  /** Put the keyboard here, now or as soon as it is shown; not any more when it was put elsewhere meanwhile. */
  focus(): void {
    if (this.#view === null) this.#focusFrom = document.activeElement
    else this.#view.focus()
  }

  dispose(): void {
    this.#isDisposed = true
    this.#unsubscribe()
    this.#view?.dispose()
  }

  #create(): void {
    const state = this.#ports.emulator.state.getSnapshot()
    if (state.kind !== 'ready' || this.#view !== null || this.#isDisposed) return
    try {
      this.#view = this.#ports.create(state.module)
      this.#failure = null
    } catch (error) {
      // One tab's trouble is not the other tabs', who hear of the emulator after this one.
      this.#failure = toLinkError(error)
      return
    }
    this.#show()
    const from = this.#focusFrom
    const present = document.activeElement
    if (from !== undefined && (present === from || present === null || present === document.body)) this.#view.focus()
    for (const step of this.#steps.splice(0)) step(this.#view)
  }

  #show(): void {
    if (this.#container !== null) this.#unmount = this.#view?.mount(this.#container) ?? null
  }
}
