/**
 * A script of its own, `lib/<name>.js`: loaded when something of it is shown, once, and again on request when that failed.
 * Knows how to get it and nothing of what it does.
 */
import { LinkError } from '../connection/link-error.ts'
import { pageScriptPath, type PageScriptName } from '../../protocol-src/http-routes.ts'
import type { ScriptSource, ScriptState } from '../stores/script-state.ts'
import { createStore, type Store, type Unsubscribe } from '../stores/store.ts'

export interface PageScriptPorts {
  /** The browser's `import()`. */
  readonly importModule: (url: string) => Promise<unknown>
  /** Content of each script that this page was built with. */
  readonly revisions: Readonly<Record<PageScriptName, string>>
  /** What the scripts take from the page, by the name under which they ask for it. */
  readonly shared: Readonly<Record<string, unknown>>
  /** Call `run` when the page has nothing better to do, unless the result is called before. */
  readonly whenIdle: (run: () => void) => Unsubscribe
}

export class PageScript<T> implements ScriptSource<T> {
  readonly state: Store<ScriptState<T>>
  readonly #state = createStore<ScriptState<T>>({ kind: 'absent' })
  readonly #name: PageScriptName
  readonly #open: (exports: Readonly<Record<string, unknown>>) => T
  readonly #ports: PageScriptPorts
  #attempts = 0
  #cancelIdle: Unsubscribe | null = null
  #isDisposed = false

  /** @param open makes of what the script exports what the page uses; throws when it is another script */
  constructor(name: PageScriptName, open: (exports: Readonly<Record<string, unknown>>) => T, ports: PageScriptPorts) {
    this.state = this.#state
    this.#name = name
    this.#open = open
    this.#ports = ports
  }

  load(): void {
    if (this.#state.getSnapshot().kind === 'absent') this.#import()
  }

  /** It will be needed: get it when that is in nobody's way. */
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
    const { importModule, revisions } = this.#ports
    // Some browsers keep what an address gave, a failure too: every further attempt is an address of its own.
    const again = this.#attempts === 1 ? '' : `&attempt=${String(this.#attempts)}`
    this.#state.set({ kind: 'loading' })
    importModule(`${pageScriptPath(this.#name)}?rev=${revisions[this.#name]}${again}`)
      .then((script) => this.#open(this.#run(script)))
      .then(
        (module) => {
          this.#settle({ kind: 'ready', module })
        },
        (error: unknown) => {
          this.#settle({ kind: 'failed', error: new LinkError('SCRIPT_NOT_LOADED', String(error)) })
        },
      )
  }

  /** Its body runs with every load of the client half, so that it belongs to that one and not to an earlier. */
  #run(script: unknown): Readonly<Record<string, unknown>> {
    const { create } = script as { create?: (take: (name: string) => unknown) => Readonly<Record<string, unknown>> }
    if (typeof create !== 'function') throw new TypeError('It is another script.')
    const { shared } = this.#ports
    return create((name) => {
      if (Object.hasOwn(shared, name)) return shared[name]
      throw new TypeError(`It asks for "${name}", which this page does not have.`)
    })
  }

  #settle(state: ScriptState<T>): void {
    if (!this.#isDisposed) this.#state.set(state)
  }
}
