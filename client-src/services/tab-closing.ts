/** Ends sessions and takes their tabs away: one, several, all. Asks nobody; that is the panel's. */
import { toLinkError, type LinkError } from '../connection/link-error.ts'
import { errorMessage } from '../locales.ts'
import type { SessionId } from '../../protocol-src/ids.ts'
import type { TabKey } from '../stores/tab-store.ts'
import type { TabSession } from './tab-session.ts'
import type { TabSessions, TabSessionsPorts } from './tab-sessions.ts'

export class TabClosing {
  readonly #ports: Pick<TabSessionsPorts, 'link' | 'tabs' | 'panel'>
  readonly #sessions: TabSessions

  constructor(ports: Pick<TabSessionsPorts, 'link' | 'tabs' | 'panel'>, sessions: TabSessions) {
    this.#ports = ports
    this.#sessions = sessions
  }

  /**
   * A tab whose session may live, or is still kept, goes when the host said that it ended; the others go at once.
   * @param wantsKeyboard whether typing goes to the tab that is shown instead
   */
  close(keys: readonly TabKey[], wantsKeyboard = true): void {
    const { tabs } = this.#ports
    const gone: TabKey[] = []
    const asked: (() => void)[] = []
    for (const key of keys) {
      const session = this.#sessions.of(key)
      const sid = tabs.find(key)?.sid ?? null
      if (session === undefined || sid === null || session.end !== null || session.termination !== null) gone.push(key)
      else if (!session.isClosing) {
        session.isClosing = true
        asked.push(() => {
          this.#ask(key, sid, session)
        })
      }
    }
    this.#showNeighbour(keys, wantsKeyboard)
    for (const key of gone) this.#sessions.remove(key)
    for (const ask of asked) ask()
    this.#sessions.publish()
  }

  #ask(key: TabKey, sid: SessionId, session: TabSession): void {
    this.#ports.link.close(sid).then(
      (termination) => {
        if (this.#sessions.of(key) !== session) return
        session.termination = termination
        if (termination.verified) this.#sessions.remove(key)
        else {
          session.isClosing = false
          this.#sessions.publish()
        }
      },
      (error: unknown) => {
        if (this.#sessions.of(key) === session) this.#failed(key, session, toLinkError(error))
      },
    )
  }

  #failed(key: TabKey, session: TabSession, error: LinkError): void {
    if (error.code === 'SESSION_NOT_FOUND') {
      this.#sessions.remove(key)
      return
    }
    session.isClosing = false
    const title = this.#sessions.model.getSnapshot().tabs.find((tab) => tab.key === key)?.label ?? ''
    this.#sessions.notices.add({ key: 'notice.closeFailed', params: { title, reason: errorMessage(error) } }, 'error')
    this.#sessions.publish()
  }

  /** Show the nearest tab that stays when the one on screen goes: to the right, or else to the left. */
  #showNeighbour(keys: readonly TabKey[], wantsKeyboard: boolean): void {
    const { tabs: store, panel } = this.#ports
    const { tabs, active } = store.getSnapshot()
    if (active === null || !keys.includes(active)) return
    const at = tabs.findIndex((tab) => tab.key === active)
    const heir = [...tabs.slice(at + 1), ...tabs.slice(0, at).toReversed()].find(
      ({ key }) => !keys.includes(key) && this.#sessions.of(key)?.isClosing === false,
    )
    if (heir === undefined) return
    store.activate(heir.key)
    if (wantsKeyboard && panel.getSnapshot().open) this.#sessions.of(heir.key)?.view.focus()
  }
}
