/** What the components get from outside: state to select from, and things to do. */
import type { Translate } from '../locales.ts'
import type { MarksModel } from '../stores/marks-model.ts'
import type { PanelModel } from '../stores/panel-model.ts'
import type { PanelState, Rect } from '../stores/panel-store.ts'
import type { PlusSection } from '../stores/plus-sections.ts'
import type { FindQuery, PasteChoice, PopupModel } from '../stores/popup-model.ts'
import type { HelpModule } from './HelpDialog.tsx'
import type { Kit } from './kit.ts'
import type { Panes } from './PaneSlot.tsx'
import type { ScriptSource } from '../stores/script-state.ts'
import type { SshModule } from './SshSlot.tsx'
import type { TabKey } from '../stores/tab-store.ts'
import type { TouchKey } from '../touch-keys.ts'

/** A store as a hook. */
export type Select<T> = <S>(select: (state: T) => S) => S

export interface PanelActions {
  readonly open: () => void
  readonly activate: (key: TabKey, wantsKeyboard: boolean) => void
  readonly rename: (key: TabKey, title: string | null) => void
  readonly restart: (key: TabKey) => void
  readonly retry: (key: TabKey) => void
  /** Ends sessions without a question. @param wantsKeyboard whether the terminal shown instead gets it; yes by default */
  readonly close: (keys: readonly TabKey[], wantsKeyboard?: boolean) => void
  readonly move: (key: TabKey, to: number) => void
  readonly duplicate: (key: TabKey) => void
  readonly closeAll: () => void
  readonly minimise: () => void
  readonly setHidden: (key: TabKey, isHidden: boolean) => void
  readonly dismissStrip: (key: TabKey) => void
  readonly dismissNotice: (id: number) => void
  readonly dismissJournal: () => void
  readonly retryLink: () => void
  /** The keys by which machines are known. */
  readonly showHostKeys: () => void
  /** Put the terminal of a tab into `container` until the result is called. */
  readonly mount: (key: TabKey, container: HTMLElement) => () => void
  /** Put the keyboard on the command before or after the one with the mark `from`. */
  readonly goToMark: (key: TabKey, direction: 'previous' | 'next', from: number) => void
  readonly leaveMark: (key: TabKey) => void
  /** Resolves with whether it is on the clipboard; never rejects. */
  readonly copyOfMark: (key: TabKey, mark: number, what: 'command' | 'output') => Promise<boolean>
  /** Bring a command into view and put the keyboard on its mark. */
  readonly showMark: (key: TabKey, mark: number) => void
  /** Fill a command in at the prompt. @returns whether it is there */
  readonly runAgain: (key: TabKey, mark: number) => boolean
  /** Hand a question about a failed command to the conversation, unsent, or to the clipboard; never rejects. */
  readonly askAbout: (key: TabKey, mark: number) => Promise<'composer' | 'clipboard' | null>
  /** A key beside an on-screen keyboard. */
  readonly pressKey: (key: TabKey, touch: TouchKey | 'copy' | 'paste') => void
  readonly dismissHint: () => void
  /** Empty the screen, as the shell does it. */
  readonly clear: (key: TabKey) => void
  readonly setPlace: (place: PanelState['place']) => void
  readonly setMaximised: (isMaximised: boolean) => void
  readonly setDockHeight: (height: number) => void
  readonly setRect: (rect: Rect) => void
}

/** What a terminal on screen needs, wherever it is. */
export type TerminalActions = Pick<
  PanelActions,
  | 'activate'
  | 'restart'
  | 'retry'
  | 'dismissStrip'
  | 'dismissNotice'
  | 'retryLink'
  | 'mount'
  | 'goToMark'
  | 'leaveMark'
  | 'copyOfMark'
  | 'showMark'
  | 'runAgain'
  | 'askAbout'
  | 'pressKey'
>

/** Answers to what stands over the terminal. */
export interface PopupActions {
  readonly answerPaste: (choice: PasteChoice) => void
  readonly listLinks: (key: TabKey) => void
  readonly openLink: (key: TabKey, href: string) => void
  readonly closeLinks: () => void
  readonly openFind: (key: TabKey) => void
  readonly find: (key: TabKey, query: FindQuery) => void
  readonly findNext: (key: TabKey, direction: 'next' | 'previous') => void
  readonly closeFind: (key: TabKey) => void
  /** Letters larger or smaller by a step, or as set. */
  readonly zoom: (step: 1 | -1 | 'reset') => void
}

export interface PanelProps {
  readonly kit: Kit
  readonly t: Translate
  readonly usePanel: Select<PanelState>
  readonly useModel: Select<PanelModel>
  readonly useMarks: Select<MarksModel>
  readonly usePopups: Select<PopupModel>
  /** Whether the first hint is to be shown. */
  readonly useHint: Select<boolean>
  /** What "+" offers beside a plain terminal. */
  readonly usePlus: Select<readonly PlusSection[]>
  readonly actions: PanelActions
  readonly popupActions: PopupActions
  readonly help: ScriptSource<HelpModule>
  readonly panes: Panes
  /** What is there for terminals on other machines. */
  readonly ssh: ScriptSource<SshModule>
  /** A page of another origin frames this one: the terminal does not run. */
  readonly isForeign: boolean
}
