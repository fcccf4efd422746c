/** Opens tabs for other plugins: the live one with the same target again, or another. */
import type { HostLink } from '../connection/host-link.ts'
import type { LaunchSpec } from '../../protocol-src/session.ts'
import { isSameAccount } from '../../protocol-src/ssh.ts'
import type { PanelStore } from '../stores/panel-store.ts'
import type { Unsubscribe } from '../stores/store.ts'
import type { TabKey, TabStore } from '../stores/tab-store.ts'
import type { TerminalWish } from './guest-input.ts'
import type { TerminalTabs } from './terminal-tabs.ts'

export interface GuestTabsPorts {
  readonly link: Pick<HostLink, 'sessions'>
  readonly panel: PanelStore
  readonly tabs: TabStore
  readonly terminals: Pick<TerminalTabs, 'model' | 'open' | 'activate'>
}

export class GuestTabs {
  readonly #ports: GuestTabsPorts
  /** What waits for the host to say what the restored tabs are. */
  #waiting: TerminalWish[] = []
  readonly #unsubscribe: Unsubscribe

  constructor(ports: GuestTabsPorts) {
    this.#ports = ports
    this.#unsubscribe = ports.terminals.model.subscribe(() => {
      if (this.#waiting.length === 0 || !this.#isKnown) return
      for (const wish of this.#waiting.splice(0)) this.open(wish)
    })
  }

  open(wish: TerminalWish): void {
    const { panel, terminals } = this.#ports
    panel.setOpen(true)
    if (wish.isReused && !this.#isKnown) {
      this.#waiting.push(wish)
      return
    }
    const live = wish.isReused ? this.#liveWith(wish.spec) : undefined
    if (live === undefined) terminals.open(wish)
    else terminals.activate(live)
  }

  dispose(): void {
    this.#waiting = []
    this.#unsubscribe()
  }

  /** Whether every tab's target is known: those that a reload restored have none before the host was heard. */
  get #isKnown(): boolean {
    const isListed = this.#ports.link.sessions.getSnapshot() !== null
    return isListed || this.#ports.tabs.getSnapshot().tabs.every(({ spec }) => spec !== null)
  }

  #liveWith(wanted: LaunchSpec): TabKey | undefined {
    const { tabs, terminals } = this.#ports
    const live = terminals.model
      .getSnapshot()
      .tabs.filter(({ dot, isAgent, isClosing }) => !isAgent && !isClosing && !OVER.includes(dot))
    return live.find(({ key }) => {
      const spec = tabs.find(key)?.spec ?? null
      return spec !== null && isSameTarget(spec, wanted)
    })?.key
  }
}

const OVER: readonly string[] = ['done', 'failed', 'over']

/** The same connection and the same command; the directory does not count, and neither do secrets, which nobody is told. */
function isSameTarget(one: LaunchSpec, other: LaunchSpec): boolean {
  if (one.command !== other.command) return false
  if (one.kind !== 'ssh' || other.kind !== 'ssh') return one.kind === other.kind
  if ('book' in one.host || 'book' in other.host)
    return 'book' in one.host && 'book' in other.host && one.host.book === other.host.book
  return isSameAccount(one.host.connection, other.host.connection)
}
