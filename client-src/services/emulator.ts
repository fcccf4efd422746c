/**
 * The emulator's script: loaded when the first terminal is shown, once for all tabs, and again on request when that failed.
 * Knows how to get it and nothing of what it does.
 */
import { LinkError } from '../connection/link-error.ts'
import { TERMINAL_SCRIPT_PATH } from '../../protocol-src/http-routes.ts'
import { createStore, type Store, type Unsubscribe } from '../stores/store.ts'
import type { TerminalModule } from '../terminal/terminal-module.ts'

export type EmulatorState =
  | { readonly kind: 'absent' | 'loading' }
  | { readonly kind: 'failed'; readonly error: LinkError }
  | { readonly kind: 'ready'; readonly module: TerminalModule }

export interface EmulatorPorts {
  /** The browser's `import()`. */
  readonly importModule: (url: string) => Promise<unknown>
  /** Content of the script that this page was built with. */
  readonly revision: string
  /** Call `run` when the page has nothing better to do, unless the result is called before. */
  readonly whenIdle: (run: () => void) => Unsubscribe
}

export class Emulator {
  readonly state: Store<EmulatorState>
  readonly #state = createStore<EmulatorState>({ kind: 'absent' })
  readonly #ports: EmulatorPorts
  #attempts = 0
  #cancelIdle: Unsubscribe | null = null
  #isDisposed = false

  constructor(ports: EmulatorPorts) {
    this.state = this.#state
    this.#ports = ports
  }

  /** A terminal is shown: get the script now. What failed stays failed until `retry`. */
  load(): void {
    if (this.#state.getSnapshot().kind === 'absent') this.#import()
  }

  /** There will be a terminal: get the script when that is in nobody's way. */
  loadWhenIdle(): void {
    this.#cancelIdle ??= this.#ports.whenIdle(() => {
      this.load()
    })
  }

  retry(): void {
    if (this.#state.getSnapshot().kind === 'failed') this.#import()
  }

  dispose(): void {
    this.#isDisposed = true
    this.#cancelIdle?.()
  }

  #import(): void {
    if (this.#isDisposed) return
    this.#attempts += 1
    const { importModule, revision } = this.#ports
    // Some browsers keep what an address gave, a failure too: every further attempt is an address of its own.
    const again = this.#attempts === 1 ? '' : `&attempt=${String(this.#attempts)}`
    this.#state.set({ kind: 'loading' })
    importModule(`${TERMINAL_SCRIPT_PATH}?rev=${revision}${again}`).then(
      (module) => {
        this.#settle(isTerminalModule(module) ? { kind: 'ready', module } : failure('It is another script.'))
      },
      (error: unknown) => {
        this.#settle(failure(String(error)))
      },
    )
  }

  #settle(state: EmulatorState): void {
    if (!this.#isDisposed) this.#state.set(state)
  }
}

function failure(message: string): EmulatorState {
  return { kind: 'failed', error: new LinkError('EMULATOR_NOT_LOADED', message) }
}

function isTerminalModule(value: unknown): value is TerminalModule {
  if (typeof value !== 'object' || value === null) return false
  const { createView, pageTheme } = value as Partial<Record<keyof TerminalModule, unknown>>
  return typeof createView === 'function' && typeof pageTheme === 'function'
}
