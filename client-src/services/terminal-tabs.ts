/** What a person can do with the terminals of this page: open, name, restart and end them, show and hide the panel. */
import { LinkError, toLinkError } from '../connection/link-error.ts'
import { errorMessage } from '../locales.ts'
import type { LaunchSpec, SessionDescriptor, TerminalSize } from '../../protocol-src/session.ts'
import type { MarksModel } from '../stores/marks-model.ts'
import type { PanelModel } from '../stores/panel-model.ts'
import type { Store, Unsubscribe } from '../stores/store.ts'
import type { TabKey } from '../stores/tab-store.ts'
import type { MarkDirection } from '../terminal/mark-keys.ts'
import type { TerminalView } from '../terminal/terminal-view.ts'
import { duplicateSpec } from './duplicate-spec.ts'
import type { FailedCommand } from './failure-question.ts'
import { TabClosing } from './tab-closing.ts'
import type { TabSession } from './tab-session.ts'
import { TabSessions, type TabSessionsPorts } from './tab-sessions.ts'

/** Where a question went. */
export type Asked = 'composer' | 'clipboard'

export interface TerminalTabsPorts extends TabSessionsPorts {
  /** Directory for a new terminal; undefined leaves it to the host. */
  readonly currentDirectory: () => string | undefined
  /** Hand a question about a failed command to where a person can send it; null when nobody takes it. */
  readonly ask: (command: FailedCommand) => Promise<Asked | null>
}

/** A terminal that is not on screen by then starts with the default size. */
const FIRST_FIT_LIMIT_MS = 1_000
const DEFAULT_SIZE: TerminalSize = { cols: 80, rows: 24 }
/** How long a new tab waits for the link. */
const OPEN_LINK_LIMIT_MS = 15_000

export class TerminalTabs {
  readonly model: Store<PanelModel>
  readonly marks: Store<MarksModel>
  readonly #ports: TerminalTabsPorts
  readonly #sessions: TabSessions
  readonly #closing: TabClosing
  readonly #unsubscribe: Unsubscribe

  constructor(ports: TerminalTabsPorts) {
    this.#ports = ports
    this.#sessions = new TabSessions(ports)
    this.#closing = new TabClosing(ports, this.#sessions)
    this.model = this.#sessions.model
    this.marks = this.#sessions.marks
    const { fault } = ports.link
    this.#unsubscribe = fault.subscribe(() => {
      const error = fault.getSnapshot()
      if (error !== null) this.failed(error)
    })
  }

  /** Every terminal there is on the page, for theme and settings. */
  get views(): readonly TerminalView[] {
    return Array.from(this.#sessions.all, ({ view }) => view.terminal).filter((view) => view !== null)
  }

  toggle(): void {
    if (this.#ports.panel.getSnapshot().open) this.minimise()
    else this.show()
  }

  /** Show the panel; an empty one gets its first terminal. */
  show(): void {
    this.#ports.panel.setOpen(true)
    const { active } = this.#ports.tabs.getSnapshot()
    if (active === null) this.open()
    else this.#sessions.of(active)?.view.focus()
  }

  /** Show the terminal of a session, wherever it was opened; one that is gone is told. */
  showSession(sid: string): void {
    const { tabs, panel, link } = this.#ports
    const descriptor = link.sessions.getSnapshot()?.find(({ id }) => id === sid)
    const tab = tabs.getSnapshot().tabs.find((each) => each.sid === sid)
    if (tab === undefined && descriptor === undefined) {
      panel.setOpen(true)
      this.#sessions.notices.add({ key: 'notice.sessionGone' })
      return
    }
    const key = tab?.key ?? this.#sessions.look(descriptor as SessionDescriptor)
    panel.setOpen(true)
    this.activate(key)
  }

  minimise(): void {
    this.#ports.panel.setOpen(false)
  }

  /** Open a terminal; without a wish a shell in the directory that the person is working in. */
  open({ spec = this.#shellHere(), label = null }: { spec?: LaunchSpec; label?: string | null } = {}): void {
    if (this.#isFull()) {
      this.#sayFull()
      return
    }
    this.#start(this.#ports.tabs.add({ sid: null, spec, title: label }, true))
  }

  /** Show a tab. @param wantsKeyboard whether typing goes to its terminal from now on */
  activate(key: TabKey, wantsKeyboard = true): void {
    this.#ports.tabs.activate(key)
    if (wantsKeyboard) this.#sessions.of(key)?.view.focus()
  }

  rename(key: TabKey, title: string | null): void {
    const { tabs, link } = this.#ports
    const sid = tabs.find(key)?.sid ?? null
    const session = this.#sessions.of(key)
    tabs.rename(key, title)
    if (sid === null || session === undefined || session.end !== null) return
    if (session.descriptor !== null) session.descriptor = { ...session.descriptor, title }
    this.#sessions.publish()
    link.rename(sid, title).catch((error: unknown) => {
      const reason = errorMessage(toLinkError(error))
      this.#sessions.notices.add({ key: 'notice.renameFailed', params: { reason } }, 'error')
    })
  }

  /** Put a tab at another place among the others. */
  move(key: TabKey, to: number): void {
    this.#ports.tabs.move(key, to)
  }

  /** Open another terminal of the same kind beside a tab, where that one is now. */
  duplicate(key: TabKey): void {
    const spec = this.#specOf(key)
    if (spec === undefined) return
    if (this.#isFull()) {
      this.#sayFull()
      return
    }
    const another = duplicateSpec(spec, this.#sessions.of(key)?.descriptor?.cwd ?? null)
    this.#start(this.#ports.tabs.add({ sid: null, spec: another }, true, key))
  }

  /** Start the session of a tab anew, from its spec; what still runs in it is ended first. */
  restart(key: TabKey): void {
    const { tabs, link } = this.#ports
    const tab = tabs.find(key)
    const session = this.#sessions.of(key)
    const spec = this.#specOf(key)
    if (tab === undefined || spec === undefined || session?.isClosing === true) return
    const isLive = session?.isLive === true
    if (!isLive && this.#isFull()) {
      // What is there to be read stays until something can come in its place.
      this.#sayFull()
      return
    }
    // Releases what the host kept of the ended session; when that is gone already, all the better.
    const released =
      tab.sid !== null && session?.end === null
        ? link.close(tab.sid).then(
            () => {},
            () => {},
          )
        : undefined
    this.#sessions.drop(key)
    tabs.unbind(key, spec)
    tabs.activate(key)
    // Only what lives has a place that must be free again.
    this.#start(key, isLive ? released : undefined)
  }

  /** Try again what failed: getting a terminal, opening, or attaching. */
  retry(key: TabKey): void {
    const session = this.#sessions.of(key)
    if (session === undefined) return
    if (session.error === null) session.retryAttach()
    else this.restart(key)
  }

  /** End the sessions of tabs; each tab goes when the host said that its session ended. */
  close(keys: readonly TabKey[], wantsKeyboard = true): void {
    this.#closing.close(keys, wantsKeyboard)
  }

  /** End every session of this page and hide the panel. */
  closeAll(): void {
    this.minimise()
    this.close(this.#ports.tabs.getSnapshot().tabs.map(({ key }) => key))
  }

  /** Put the keyboard on the command before or after another one of a tab. */
  goToMark(key: TabKey, direction: MarkDirection, from: number): void {
    this.#marksOf(key)?.go(direction, from)
  }

  /** Give the keyboard back from a mark to the terminal, where the program writes. */
  leaveMark(key: TabKey): void {
    this.#marksOf(key)?.leave()
  }

  /** Put what was typed, or what was printed, on the clipboard; what is not there any more is told. Never rejects. */
  async copyOfMark(key: TabKey, mark: number, what: 'command' | 'output'): Promise<boolean> {
    const text = what === 'output' ? this.#marksOf(key)?.output(mark) : this.#sessions.of(key)?.commandText(mark)
    const isDone = typeof text === 'string' && (await this.#ports.writeClipboard(text).catch(() => false))
    if (!isDone) this.#sessions.notices.add({ key: 'notice.copyFailed' }, 'error')
    return isDone
  }

  /** Put the keyboard on a command that is out of view. */
  showMark(key: TabKey, mark: number): void {
    this.#marksOf(key)?.show(mark)
  }

  /** Fill a command in at the prompt, and run nothing. @returns false when that cannot be now, which is told */
  runAgain(key: TabKey, mark: number): boolean {
    const text = this.#sessions.of(key)?.commandText(mark) ?? null
    const isDone = text !== null && this.#sessions.of(key)?.isLive === true && this.viewOf(key)?.fillIn(text) === true
    if (!isDone) this.#sessions.notices.add({ key: 'notice.runAgain' })
    return isDone
  }

  /** Hand over a question about a command that failed. Null when there is none, which is told. Never rejects. */
  async askAbout(key: TabKey, mark: number): Promise<Asked | null> {
    const text = this.#sessions.of(key)?.commandText(mark) ?? null
    const exitCode = this.#sessions.of(key)?.exitCodeOf(mark) ?? null
    const output = this.#marksOf(key)?.output(mark) ?? ''
    const asked =
      text === null || exitCode === null ? null : await this.#ports.ask({ text, exitCode, output }).catch(() => null)
    this.#sessions.notices.add(asked === null ? { key: 'notice.askFailed' } : { key: `mark.asked.${asked}` })
    return asked
  }

  /** Empty the screen as its shell does it: everybody who looks sees the same. */
  clear(key: TabKey): void {
    if (this.viewOf(key)?.clear() === false) this.#sessions.notices.add({ key: 'notice.clear' })
  }

  /** The terminal of a tab, once there is one. */
  viewOf(key: TabKey): TerminalView | null {
    return this.#sessions.of(key)?.view.terminal ?? null
  }

  /** Keep the session of a tab from agents, or show it to them again. */
  setHidden(key: TabKey, isHidden: boolean): void {
    const sid = this.#ports.tabs.find(key)?.sid ?? null
    if (sid !== null) this.#ask(this.#ports.link.hide(sid, isHidden))
  }

  dismissStrip(key: TabKey): void {
    const session = this.#sessions.of(key)
    if (session === undefined) return
    const { descriptor } = session
    if (descriptor !== null && descriptor.request !== null && session.end === null) {
      this.#ask(this.#ports.link.decline(descriptor.id, descriptor.request.id))
      return
    }
    if (session.end !== null || session.termination !== null) {
      this.#sessions.remove(key)
      return
    }
    session.dismissStrip()
    this.#sessions.publish()
  }

  dismissJournal(): void {
    this.#sessions.dismissJournal()
  }

  dismissNotice(id: number): void {
    this.#sessions.notices.dismiss(id)
  }

  retryLink(): void {
    this.#ports.link.retry()
  }

  /** Something went wrong that belongs to no terminal: say so instead of failing silently. */
  failed(error: unknown): void {
    this.#sessions.notices.add(errorMessage(toLinkError(error)), 'error')
  }

  /** Put the terminal of a tab into an element, until the result is called. */
  mount(key: TabKey, container: HTMLElement): () => void {
    return this.#sessions.of(key)?.view.mount(container) ?? (() => {})
  }

  dispose(): void {
    this.#unsubscribe()
    this.#sessions.dispose()
  }

  #shellHere(): LaunchSpec {
    const cwd = this.#ports.currentDirectory()
    return cwd === undefined ? { kind: 'local' } : { kind: 'local', cwd }
  }

  #specOf(key: TabKey): LaunchSpec | undefined {
    return this.#ports.tabs.find(key)?.spec ?? this.#sessions.of(key)?.descriptor?.spec
  }

  /** @param after what has to be over before */
  #start(key: TabKey, after?: Promise<void>): void {
    const session = this.#sessions.create(key)
    session.view.focus()
    this.#sessions.publish()
    this.#launch(key, session, after).catch((error: unknown) => {
      if (this.#sessions.of(key) === session) this.#launchFailed(key, session, toLinkError(error))
    })
  }

  async #launch(key: TabKey, session: TabSession, after?: Promise<void>): Promise<void> {
    const { link, tabs } = this.#ports
    const isGone = (): boolean => this.#sessions.of(key) !== session
    const size = (await session.view.firstFit(FIRST_FIT_LIMIT_MS)) ?? DEFAULT_SIZE
    await after
    await this.#linkOpen()
    const { spec = null, retryOf = null } = tabs.find(key) ?? {}
    if (isGone() || spec === null) return
    const descriptor = await link.open(spec, size, retryOf)
    if (isGone()) {
      // The tab was closed while its session started: nobody will ever look at it.
      await link.close(descriptor.id)
      return
    }
    // What the host says of it has no secrets any more.
    tabs.bind(key, descriptor.id, descriptor.spec)
    session.attach(descriptor)
    const title = tabs.find(key)?.title ?? null
    if (title !== null) this.rename(key, title)
    this.#sessions.publish()
  }

  #launchFailed(key: TabKey, session: TabSession, error: LinkError): void {
    if (error.code === 'SESSION_LIMIT') {
      const wasOpen = this.#ports.panel.getSnapshot().open
      this.#sessions.remove(key)
      this.#ports.panel.setOpen(wasOpen)
      this.#sayFull()
      return
    }
    session.error = error
    this.#sessions.publish()
  }

  /** Resolves when the link is open; rejects when it is not after a while. */
  #linkOpen(): Promise<void> {
    const { link } = this.#ports.link
    if (link.getSnapshot().kind === 'open') return Promise.resolve()
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        unsubscribe()
      }
      const timer = setTimeout(() => {
        stop()
        reject(new LinkError('DISCONNECTED', 'The host is not connected.'))
      }, OPEN_LINK_LIMIT_MS)
      const unsubscribe = link.subscribe(() => {
        if (link.getSnapshot().kind !== 'open') return
        stop()
        resolve()
      })
    })
  }

  #marksOf(key: TabKey): TerminalView['marks'] | undefined {
    return this.viewOf(key)?.marks
  }

  /** What comes of it is seen in what the host says of the session. */
  #ask(request: Promise<void>): void {
    request.catch((error: unknown) => {
      this.failed(error)
    })
  }

  #isFull(): boolean {
    const { hostLive, maxSessions } = this.model.getSnapshot()
    return hostLive !== null && hostLive >= maxSessions
  }

  #sayFull(): void {
    const { hostLive, maxSessions: max, running } = this.model.getSnapshot()
    const live = hostLive ?? max
    this.#sessions.notices.add(
      live > running
        ? { key: 'notice.limit.elsewhere', params: { live, max, elsewhere: live - running } }
        : { key: 'notice.limit', params: { live, max } },
    )
  }
}
