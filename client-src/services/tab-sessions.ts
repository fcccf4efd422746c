/**
 * The sessions behind the tabs: keeps them in step with what the host says, and keeps the one model that the panel shows.
 * Starts and ends nothing; that is terminal-tabs.ts.
 */
import type { SessionEnd } from '../connection/attachment.ts'
import type { HostLink } from '../connection/host-link.ts'
import type { Message } from '../locales.ts'
import type { JournalHealth } from '../../protocol-src/host-frames.ts'
import type { HostInstanceId, SessionId } from '../../protocol-src/ids.ts'
import type { SessionDescriptor } from '../../protocol-src/session.ts'
import { NO_MARKS, type MarksModel } from '../stores/marks-model.ts'
import { EMPTY_MODEL, type PanelModel } from '../stores/panel-model.ts'
import type { PanelStore } from '../stores/panel-store.ts'
import { createStore, type Store, type Unsubscribe } from '../stores/store.ts'
import type { TabKey, TabStore } from '../stores/tab-store.ts'
import type { PagePorts } from '../terminal/page-ports.ts'
import type { ViewPorts } from '../terminal/terminal-view.ts'
import { isLeftBehind } from './left-behind.ts'
import { Notices } from './notices.ts'
import { journalMessage, linkLine } from './tab-models.ts'
import { TabSession, type ViewFactory } from './tab-session.ts'

export interface TabSessionsPorts {
  readonly link: HostLink
  readonly tabs: TabStore
  readonly panel: PanelStore
  readonly createView: (ports: Omit<ViewPorts, keyof PagePorts>) => ReturnType<ViewFactory>
  /** @returns whether the browser took the text */
  readonly writeClipboard: (text: string) => Promise<boolean>
  /** Whether sessions that no user opened get a tab here by themselves. */
  readonly isMirror: boolean
  readonly beep: () => void
}

const ACTIVITY_EVERY_MS = 1_000
const TYPING_REFUSED_MS = 4_000

const REFUSED_INPUT: Readonly<Record<'backlog' | 'lost' | 'exited', Message>> = {
  backlog: { key: 'error.INPUT_BACKLOG' },
  lost: { key: 'error.INPUT_OUT_OF_ORDER' },
  exited: { key: 'error.SESSION_EXITED' },
}

export class TabSessions {
  readonly model: Store<PanelModel>
  /** The commands beside the active terminal. */
  readonly marks: Store<MarksModel>
  readonly notices = new Notices()
  readonly #model = createStore<PanelModel>(EMPTY_MODEL)
  readonly #marks = createStore<MarksModel>(NO_MARKS)
  readonly #ports: TabSessionsPorts
  readonly #sessions = new Map<TabKey, TabSession>()
  readonly #subscriptions: Unsubscribe[]
  /** The run of the host whose list was seen last. */
  #instance: HostInstanceId | null = null
  #isRestored = false
  /** The page had no tabs when it was loaded. */
  readonly #isNew: boolean
  /** What the host said of its journal and a person took note of. */
  #seenJournal: JournalHealth | null = null
  #activity = 0
  #activityAt = Number.NEGATIVE_INFINITY
  #isTypingRefused = false
  #typingTimer: ReturnType<typeof setTimeout> | undefined

  constructor(ports: TabSessionsPorts) {
    this.model = this.#model
    this.marks = this.#marks
    this.#ports = ports
    const { link, tabs, panel } = ports
    const publish = (): void => {
      this.publish()
    }
    this.#subscriptions = [
      link.sessions.subscribe(() => {
        this.#listed()
      }),
      panel.subscribe(() => {
        if (panel.getSnapshot().open) this.#activity = 0
        publish()
      }),
      ...[link.link, link.settings, link.journal, tabs, this.notices].map((store) => store.subscribe(publish)),
    ]
    this.#isNew = tabs.getSnapshot().tabs.length === 0
    // Restored tabs are there at once; what becomes of them is known when the host said which sessions there are.
    for (const { key } of tabs.getSnapshot().tabs) this.create(key)
    publish()
  }

  get all(): Iterable<TabSession> {
    return this.#sessions.values()
  }

  of(key: TabKey): TabSession | undefined {
    return this.#sessions.get(key)
  }

  /** Give a tab a terminal of its own, with nothing in it yet. */
  create(key: TabKey): TabSession {
    const session: TabSession = new TabSession({
      link: this.#ports.link,
      createView: (ports) =>
        this.#ports.createView({
          ...ports,
          copied: (isDone) => {
            if (!isDone) this.notices.add({ key: 'notice.copyFailed' }, 'error')
          },
          pasteFailed: () => {
            this.notices.add({ key: 'notice.pasteFailed' })
          },
        }),
      changed: () => {
        this.publish()
      },
      marksChanged: () => {
        if (this.#ports.tabs.getSnapshot().active === key) this.#publishMarks()
      },
      rang: () => {
        if (this.#ports.link.settings.getSnapshot().bell === 'sound') this.#ports.beep()
        this.publish()
      },
      produced: () => {
        this.#produced()
      },
      ended: (end) => {
        this.#ended(key, session, end)
      },
      inputRefused: (why) => {
        if (why === 'disconnected') this.#typingRefused()
        else this.notices.add(REFUSED_INPUT[why], why === 'exited' ? 'plain' : 'error')
      },
    })
    this.#sessions.set(key, session)
    return session
  }

  /** Look at a session that has no tab on this page yet. */
  look(descriptor: SessionDescriptor): TabKey {
    const { id, spec, title } = descriptor
    const key = this.#ports.tabs.add({ sid: id, spec, title }, false)
    this.create(key).attach(descriptor)
    return key
  }

  /** Take the terminal of a tab away. */
  drop(key: TabKey): void {
    this.#sessions.get(key)?.dispose()
    this.#sessions.delete(key)
  }

  /** The tab is gone for good. Without any tab the panel hides. */
  remove(key: TabKey): void {
    const { tabs, panel } = this.#ports
    const wasActive = tabs.getSnapshot().active === key
    this.drop(key)
    tabs.remove(key)
    const { active } = tabs.getSnapshot()
    if (active === null) panel.setOpen(false)
    else if (wasActive && panel.getSnapshot().open) this.#sessions.get(active)?.view.focus()
    this.publish()
  }

  publish(): void {
    const { link, tabs } = this.#ports
    const state = tabs.getSnapshot()
    const seen = state.active !== null && this.#isLookedAt(state.active) ? this.#sessions.get(state.active) : undefined
    if (seen !== undefined) seen.hasRung = false
    const journal = link.journal.getSnapshot()
    const live = (link.sessions.getSnapshot() ?? []).filter(({ phase }) => phase === 'starting' || phase === 'running')
    const liveIds = new Set<SessionId>(live.map(({ id }) => id))
    this.#model.set({
      tabs: state.tabs.flatMap((tab) => this.#sessions.get(tab.key)?.model(tab) ?? []),
      active: state.active,
      line: linkLine(link.link.getSnapshot(), this.#isTypingRefused),
      notices: this.notices.getSnapshot(),
      journal: isSameHealth(journal, this.#seenJournal) ? null : journalMessage(journal),
      running: state.tabs.filter(({ sid }) => sid !== null && liveIds.has(sid)).length,
      hostLive: link.sessions.getSnapshot() === null ? null : live.length,
      maxSessions: link.settings.getSnapshot().maxSessions,
      activity: this.#activity,
    })
    this.#publishMarks()
  }

  /** Say nothing more of the journal until something else is to be said. */
  dismissJournal(): void {
    this.#seenJournal = this.#ports.link.journal.getSnapshot()
    this.publish()
  }

  dispose(): void {
    for (const unsubscribe of this.#subscriptions) unsubscribe()
    clearTimeout(this.#typingTimer)
    this.notices.dispose()
    for (const session of this.#sessions.values()) session.dispose()
    this.#sessions.clear()
  }

  /** The host said which sessions there are. */
  #listed(): void {
    const list = this.#ports.link.sessions.getSnapshot()
    if (list === null) return
    if (!this.#isRestored) this.#restore(list)
    this.#judgeRun(list)
    const { tabs } = this.#ports
    for (const descriptor of list) {
      const tab = tabs.findBySession(descriptor.id)
      const session = tab === undefined ? undefined : this.#sessions.get(tab.key)
      if (tab !== undefined && session !== undefined) {
        session.descriptor = descriptor
        // A host that was restarted knows no names.
        if (descriptor.phase !== 'exited' || descriptor.title !== null) tabs.rename(tab.key, descriptor.title)
      } else if (tab === undefined && descriptor.owner.kind !== 'user' && this.#ports.isMirror) {
        this.look(descriptor)
      }
    }
    this.publish()
  }

  /** Another run of the host may not know every session of the last one. */
  #judgeRun(list: readonly SessionDescriptor[]): void {
    const instance = this.#ports.link.host.getSnapshot()?.instance ?? null
    this.#instance ??= instance
    if (instance === this.#instance) return
    this.#instance = instance
    const known = new Set(list.map(({ id }) => id))
    for (const session of this.#sessions.values()) {
      if (session.descriptor !== null && !known.has(session.descriptor.id)) session.end ??= { kind: 'host-restarted' }
    }
  }

  /** After a page load: look at the stored tabs' sessions that still exist, drop the other tabs. */
  #restore(list: readonly SessionDescriptor[]): void {
    this.#isRestored = true
    const { tabs } = this.#ports
    // A page without a past takes up what went on without anybody.
    if (this.#isNew) {
      for (const descriptor of list) if (isLeftBehind(descriptor)) this.look(descriptor)
    }
    let dropped = 0
    for (const tab of tabs.getSnapshot().tabs) {
      if (tab.sid === null) continue
      const descriptor = list.find(({ id }) => id === tab.sid)
      if (descriptor === undefined) {
        this.drop(tab.key)
        tabs.remove(tab.key)
        dropped += 1
      } else {
        tabs.bind(tab.key, descriptor.id, descriptor.spec)
        this.#sessions.get(tab.key)?.attach(descriptor)
      }
    }
    if (dropped === 1) this.notices.add({ key: 'notice.dropped.one' })
    else if (dropped > 1) this.notices.add({ key: 'notice.dropped.other', params: { count: dropped } })
  }

  /** A session went without this page having asked. */
  #ended(key: TabKey, session: TabSession, end: SessionEnd): void {
    if (session.isClosing || this.#sessions.get(key) !== session) return
    session.end ??= end
    const isByOthers = end.kind === 'closed' && ['user', 'agent', 'plugin'].includes(end.reason)
    // A command of an agent or a plugin can be over, and its session closed, before this page had a look at it.
    const wasShort = end.kind === 'unknown' && session.descriptor !== null && session.descriptor.owner.kind !== 'user'
    // What somebody is looking at does not vanish under their eyes.
    if ((isByOthers || wasShort) && !this.#isLookedAt(key)) this.remove(key)
    this.publish()
  }

  #isLookedAt(key: TabKey): boolean {
    return this.#ports.panel.getSnapshot().open && this.#ports.tabs.getSnapshot().active === key
  }

  #publishMarks(): void {
    const tab = this.#ports.tabs.getSnapshot().active
    const session = tab === null ? undefined : this.#sessions.get(tab)
    this.#marks.set(session === undefined ? NO_MARKS : { ...session.marks, tab })
  }

  #produced(): void {
    const now = performance.now()
    if (this.#ports.panel.getSnapshot().open || now - this.#activityAt < ACTIVITY_EVERY_MS) return
    this.#activityAt = now
    this.#activity += 1
    this.publish()
  }

  #typingRefused(): void {
    this.#isTypingRefused = true
    clearTimeout(this.#typingTimer)
    this.#typingTimer = setTimeout(() => {
      this.#isTypingRefused = false
      this.publish()
    }, TYPING_REFUSED_MS)
    this.publish()
  }
}

function isSameHealth(one: JournalHealth | null, other: JournalHealth | null): boolean {
  const reason = (health: JournalHealth | null): string | null => (health?.mode === 'degraded' ? health.reason : null)
  return reason(one) === reason(other)
}
