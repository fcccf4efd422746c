/**
 * A terminal in an element of another plugin: sessions of its own, which are no tabs. It starts when it can, and again when the
 * host was restarted under it; everything else is a person's to decide.
 */
import type { LinkState } from '../connection/socket.ts'
import type { PanelModel } from '../stores/panel-model.ts'
import type { Store, Unsubscribe } from '../stores/store.ts'
import type { TerminalWish } from '../services/guest-input.ts'
import type { TerminalTabs } from '../services/terminal-tabs.ts'

export type MountedTabs = Pick<TerminalTabs, 'model' | 'open' | 'restart' | 'retry' | 'close' | 'dispose'>

export interface MountedTerminalPorts {
  /** With no tab in it. */
  readonly terminals: MountedTabs
  readonly link: Store<LinkState>
  readonly wish: TerminalWish
}

export class MountedTerminal {
  readonly #ports: MountedTerminalPorts
  readonly #subscriptions: readonly Unsubscribe[]
  #isDisposed = false
  #isJudging = false

  constructor(ports: MountedTerminalPorts) {
    this.#ports = ports
    const { terminals, link } = ports
    const judge = (): void => {
      // Not in the middle of what is being told.
      if (this.#isJudging) return
      this.#isJudging = true
      queueMicrotask(() => {
        this.#isJudging = false
        if (!this.#isDisposed) this.#judge()
      })
    }
    this.#subscriptions = [terminals.model.subscribe(judge), link.subscribe(judge)]
    this.open()
  }

  /** Open it, unless there is one. */
  open(): void {
    if (this.#tab === undefined) this.#ports.terminals.open(this.#ports.wish)
  }

  /** End its session. May be called more than once. */
  dispose(): void {
    if (this.#isDisposed) return
    this.#isDisposed = true
    for (const unsubscribe of this.#subscriptions) unsubscribe()
    const { terminals } = this.#ports
    if (this.#tab !== undefined) terminals.close([this.#tab.key])
    terminals.dispose()
  }

  get #tab(): PanelModel['tabs'][number] | undefined {
    return this.#ports.terminals.model.getSnapshot().tabs[0]
  }

  #judge(): void {
    const { terminals, link } = this.#ports
    const tab = this.#tab
    if (tab === undefined || link.getSnapshot().kind !== 'open') return
    if (tab.strip?.message.key === 'strip.hostRestarted') terminals.restart(tab.key)
    else if (tab.cover?.kind === 'failed' && tab.cover.message.key === 'error.DISCONNECTED') terminals.retry(tab.key)
  }
}
