/** What the panel shows, in no language and without behaviour: the one contract between services and components. */
import type { SessionId } from '../../protocol-src/ids.ts'
import type { LaunchSpec, LinkState, TerminalSize } from '../../protocol-src/session.ts'
import type { Message } from '../locales.ts'
import type { TabKey } from './tab-store.ts'

export type TabDot = 'starting' | 'live' | 'unresponsive' | 'disconnected' | 'done' | 'failed' | 'over'

export interface Strip {
  readonly tone: 'plain' | 'warning' | 'error'
  readonly message: Message
  readonly action: 'restart' | 'reconnect' | 'dismiss' | 'retry' | 'decline' | null
}

/** Hides a terminal that has nothing to show yet. */
export type Cover =
  | { readonly kind: 'connecting' }
  /** `isHostKey`: the machine is not the one that is known; what is known can be looked at. */
  | { readonly kind: 'failed'; readonly message: Message; readonly isHostKey?: boolean }

/** The way to another machine. */
export interface ConnectionModel {
  readonly tab: { readonly key: TabKey; readonly sid: SessionId | null }
  /** Without secrets. */
  readonly spec: LaunchSpec
  /** Its name in the connection book, or null. */
  readonly bookName: string | null
  readonly target: string
  readonly state: LinkState['state']
  /** While it connects: where it is. */
  readonly phase: LinkState['phase']
}

export interface TabModel {
  readonly key: TabKey
  readonly sid: SessionId | null
  /** Changes when the tab gets another terminal. */
  readonly viewId: number
  /** Null: nobody named it and the host has not said what it is. */
  readonly label: string | null
  /** What runs in it, whatever it is called; null while nobody knows. */
  readonly target: string | null
  readonly dot: TabDot
  /** `live`: ending it ends programs. `over`: what is left of it can be read. */
  readonly life: 'opening' | 'live' | 'over'
  /** A command runs in its shell. */
  readonly isBusy: boolean
  readonly isAgent: boolean
  /** Agents do not see it. */
  readonly isHidden: boolean
  /** It outlives the host. */
  readonly isKept: boolean
  /** An agent waits for what the person types here. */
  readonly isAsking: boolean
  readonly isClosing: boolean
  /** Null for a terminal of this machine, and for one that runs a command only. */
  readonly connection: ConnectionModel | null
  readonly strip: Strip | null
  readonly cover: Cover | null
  readonly isDriver: boolean
  readonly size: TerminalSize
  readonly renderer: string
  readonly isLetterboxed: boolean
  /** The next character is typed with Ctrl. */
  readonly isCtrlHeld: boolean
  /** How often its program rang. */
  readonly bells: number
  /** It rang while nobody looked. */
  readonly hasRung: boolean
}

/** About the connection, over the terminal. */
export interface LinkLine {
  readonly tone: 'plain' | 'warning' | 'error'
  readonly message: Message
  readonly canRetry: boolean
}

export interface Notice {
  readonly id: number
  readonly tone: 'plain' | 'error'
  readonly message: Message
}

export interface PanelModel {
  readonly tabs: readonly TabModel[]
  readonly active: TabKey | null
  readonly line: LinkLine | null
  readonly notices: readonly Notice[]
  /** What has to be said of how the host keeps history; null while all is well. */
  readonly journal: Message | null
  /** Live sessions among the tabs. */
  readonly running: number
  /** Live sessions by the host's count, whoever opened them; null while it has not said. */
  readonly hostLive: number | null
  readonly maxSessions: number
  /** Grows with output that came while the panel was hidden; 0 when there was none since. */
  readonly activity: number
}

export const EMPTY_MODEL: PanelModel = {
  tabs: [],
  active: null,
  line: null,
  notices: [],
  journal: null,
  running: 0,
  hostLive: null,
  maxSessions: 0,
  activity: 0,
}
