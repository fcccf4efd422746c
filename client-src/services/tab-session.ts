/** One tab at work: its terminal, its attachment, and everything known of the session in it. */
import type { Attachment, AttachStart, InputRefusal, SessionEnd, Viewer } from '../connection/attachment.ts'
import type { HostLink } from '../connection/host-link.ts'
import type { LinkError } from '../connection/link-error.ts'
import type { StreamOffset } from '../../protocol-src/ids.ts'
import type { ExitStatus, SessionDescriptor, TerminalSize, Termination } from '../../protocol-src/session.ts'
import type { Tab } from '../stores/tab-store.ts'
import type { Unsubscribe } from '../stores/store.ts'
import type { MarkPorts } from '../terminal/mark-gutter.ts'
import type { TerminalView, ViewPorts } from '../terminal/terminal-view.ts'
import type { LazyView } from './lazy-view.ts'
import { KnownCommands } from './tab-marks.ts'
import { tabModel, type TabEnd, type TabFacts } from './tab-models.ts'
import { NO_MARKS, type EndedCommand, type MarksModel } from '../stores/marks-model.ts'
import type { TabModel } from '../stores/panel-model.ts'

/** Gives a tab its terminal, in the page's theme and settings once there is an emulator. */
export type ViewFactory = (
  ports: Pick<ViewPorts, 'input' | 'parsed' | 'proposed' | 'snapshotFailed' | 'changed' | 'rang' | keyof MarkPorts>,
) => LazyView

export interface TabSessionPorts {
  readonly link: HostLink
  readonly createView: ViewFactory
  /** Something that the tab shows has changed. */
  readonly changed: () => void
  /** The commands beside its terminal have changed. */
  readonly marksChanged: () => void
  /** A program rang. */
  readonly rang: () => void
  /** New output that nobody has seen before. */
  readonly produced: () => void
  readonly ended: (end: SessionEnd) => void
  readonly inputRefused: (why: InputRefusal) => void
}

/** A program that rings all the time rings so often. */
const BELL_EVERY_MS = 500

let lastViewId = 0

export class TabSession {
  /** Tells the terminals of a restarted tab apart. */
  readonly viewId = ++lastViewId
  readonly view: LazyView
  error: LinkError | null = null
  end: TabEnd | null = null
  isClosing = false
  termination: Termination | null = null
  isNoticeDismissed = false
  hasRung = false
  #bells = 0
  #rangAt = Number.NEGATIVE_INFINITY
  /** The last that the host said of the session. */
  descriptor: SessionDescriptor | null = null
  readonly #ports: TabSessionPorts
  #attachment: Attachment | null = null
  #unsubscribe: Unsubscribe = () => {}
  readonly #commands = new KnownCommands()
  #ended: EndedCommand | null = null
  #exit: ExitStatus | null = null
  #hasContent = false
  #lostBytes = 0
  #liveFrom: StreamOffset = 0
  /** Of the last attach; until there is one, what the session is known to have. */
  #size: TerminalSize | null = null

  constructor(ports: TabSessionPorts) {
    this.#ports = ports
    this.view = ports.createView({
      input: (bytes) => {
        if (this.#exit === null && this.end === null) this.#attachment?.input(bytes)
      },
      parsed: (offset) => {
        this.#attachment?.acknowledge(offset)
      },
      proposed: (size) => {
        this.#attachment?.resize(size)
      },
      snapshotFailed: () => {
        this.#attachment?.snapshotFailed()
      },
      changed: ports.changed,
      rang: () => {
        this.#rang()
      },
      isKnownCommand: (id) => this.#commands.has(id),
      marksChanged: ports.marksChanged,
    })
  }

  get exit(): ExitStatus | null {
    return this.#exit
  }

  /** Whether ending it ends programs. */
  get isLive(): boolean {
    const isOver = this.descriptor?.phase === 'exited' || this.#exit !== null || this.end !== null
    return this.descriptor !== null && !isOver && this.error === null
  }

  /** The commands whose marks are on screen. */
  get marks(): Omit<MarksModel, 'tab'> {
    const facts = this.view.terminal?.marks.facts
    if (facts === undefined) return NO_MARKS
    const isOver = this.#exit !== null || this.end !== null
    const { shown, sticky, isAtPrompt, ...place } = facts
    return {
      ...place,
      marks: shown.flatMap((mark) => this.#commands.modelOf(mark, isOver) ?? []),
      sticky: sticky === null ? null : (this.#commands.modelOf(sticky, isOver) ?? null),
      isAtPrompt: isAtPrompt && !isOver,
      ended: this.#endedCommand(),
    }
  }

  /** What was typed at a mark, whole; null when nobody knows. */
  commandText(id: number): string | null {
    return this.#commands.wholeText(id)
  }

  /** Null while it runs, and when nobody knows. */
  exitCodeOf(id: number): number | null {
    return this.#commands.exitCodeOf(id)
  }

  /** Look at a session of the host, as soon as there is a terminal to show it. */
  attach(descriptor: SessionDescriptor): void {
    this.descriptor = descriptor
    this.#size = descriptor.size
    this.view.whenThere((view) => {
      this.#attachment?.dispose()
      this.#attachment = this.#ports.link.attach(descriptor.id, this.#viewer(view))
      this.#unsubscribe()
      this.#unsubscribe = this.#attachment.state.subscribe(this.#ports.changed)
    })
  }

  /** Try again after getting a terminal or attaching failed. */
  retryAttach(): void {
    if (this.view.error === null) this.#attachment?.attach()
    else this.view.retry()
  }

  dismissStrip(): void {
    this.isNoticeDismissed = true
    this.#lostBytes = 0
  }

  model(tab: Tab): TabModel {
    const facts: TabFacts = {
      tab,
      descriptor: this.descriptor,
      link: this.#ports.link.link.getSnapshot(),
      attachment: this.#attachment?.state.getSnapshot() ?? null,
      hasContent: this.#hasContent,
      error: this.error ?? this.view.error,
      exit: this.#exit,
      end: this.end,
      isClosing: this.isClosing,
      termination: this.termination,
      lostBytes: this.#lostBytes,
      isNoticeDismissed: this.isNoticeDismissed,
      bells: this.#bells,
      hasRung: this.hasRung,
      view: this.view.facts,
    }
    return { ...tabModel(facts), viewId: this.viewId }
  }

  dispose(): void {
    this.#unsubscribe()
    this.#attachment?.dispose()
    this.view.dispose()
  }

  #rang(): void {
    const now = performance.now()
    if (this.#ports.link.settings.getSnapshot().bell === 'off' || now - this.#rangAt < BELL_EVERY_MS) return
    this.#rangAt = now
    this.#bells += 1
    this.hasRung = true
    this.#ports.rang()
  }

  /** Not before the terminal shows its end, too. */
  #endedCommand(): EndedCommand | null {
    const ended = this.#commands.lastEnded
    if (ended === null || ended.id === this.#ended?.id) return this.#ended
    const lines = this.view.terminal?.marks.linesOf(ended.id) ?? null
    if (lines !== null) this.#ended = { id: ended.id, text: ended.text, exitCode: ended.exitCode, lines }
    return this.#ended
  }

  /** What ran before; what comes later is told. */
  #askForCommands(): void {
    const sid = this.descriptor?.id
    if (sid === undefined) return
    this.#ports.link.commands(sid).then(
      (commands) => {
        this.#commands.take(commands)
        this.view.terminal?.marks.refresh()
        this.#ports.marksChanged()
      },
      // The marks then say less until the next attach, which follows when the connection broke.
      () => {},
    )
  }

  #viewer(view: TerminalView): Viewer {
    const { changed, marksChanged, produced, ended, inputRefused } = this.#ports
    return {
      // A hidden terminal measures nothing: then the session keeps the size it has.
      wantedSize: () => view.fitting ?? this.#size ?? view.facts.size,
      started: (start: AttachStart) => {
        view.marks.trust(start.markNonce)
        if (start.markNonce !== null) this.#askForCommands()
        this.#size = start.size
        this.#liveFrom = start.liveFrom
        this.#hasContent = true
        if (start.lostBytes > 0) {
          this.#lostBytes = start.lostBytes
          this.isNoticeDismissed = false
        }
        view.started(start)
        changed()
      },
      snapshot: (part, bytes) => {
        view.snapshot(part, bytes)
      },
      snapshotEnd: (hash) => {
        view.snapshotEnd(hash)
      },
      output: (bytes, from) => {
        view.output(bytes, from)
        if (from >= this.#liveFrom) produced()
      },
      resized: (size, isDriver) => {
        this.#size = size
        view.resized(size, isDriver)
      },
      exited: (exit) => {
        this.#exit = exit
        view.exited()
        changed()
      },
      command: (command) => {
        this.#commands.hear(command)
        view.marks.refresh()
        marksChanged()
      },
      ended: (end) => {
        view.exited()
        ended(end)
      },
      inputRefused,
    }
  }
}
