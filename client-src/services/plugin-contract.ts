/** The services `ttyTerminal`, `ttyPanel` and `ttyConnbar` as other plugins use them: types only, and a public contract. docs/services.md explains it. */

export const TERMINAL_VERSION = 3
export const PANEL_VERSION = 2
export const CONNBAR_VERSION = 1

/** What a terminal is to be, on which machine. Without `book` and `spec`: on the machine of DSH. */
export interface TerminalRequest {
  /** Run this instead of a shell, in the syntax of the user's shell. One line, at most 2000 characters. */
  readonly command?: string
  /** Entry of the connection book, by its name. */
  readonly book?: string
  /** A connection over SSH that is in no book: `{ host, username, port?, … }`. */
  readonly spec?: Readonly<Record<string, unknown>>
  /** Absolute; where the person works when absent. */
  readonly cwd?: string
  /** Name of the tab. */
  readonly label?: string
}

export interface OpenOptions extends TerminalRequest {
  /** Show the live tab with the same connection and command instead of opening another; true when absent. */
  readonly reuse?: boolean
}

export interface TtyTerminalService {
  readonly version: 3
  /** Open a terminal in a tab, or show the one that is there, and make the panel visible. */
  open(options?: OpenOptions): void
  /**
   * Put a terminal into an element of your own: it is no tab, and the panel may be closed. It starts when the host is
   * connected, reconnects by itself, and runs its command again after a restart of the host.
   * @returns takes it away and ends its session; may be called more than once
   */
  mount(host: HTMLElement, options?: TerminalRequest): () => void
}

export interface PaneOptions {
  readonly title: string
  /** A second, quieter text beside the title. */
  readonly hint?: string
  readonly side: 'right' | 'bottom'
  /** CSS pixels until a person chose a size; a third of the room when absent. */
  readonly size?: number
  /** Smallest size in CSS pixels; 120 when absent. */
  readonly min?: number
  /** Session of the tab to which the pane belongs; the tab on screen when absent. */
  readonly ownerSid?: string
  /** The pane is being closed, by whomever: take your content out of the element. Called once. */
  readonly onClose?: () => void
}

export interface PaneHandle {
  /** Yours to fill. */
  readonly element: HTMLElement
  setTitle(title: string): void
  setHint(hint: string | undefined): void
  expand(): void
  collapse(): void
  toggle(): void
  isCollapsed(): boolean
  /** Close the pane. After that the handle does nothing. */
  dispose(): void
}

export interface TtyPanelService {
  readonly version: 2
  isOpen(): boolean
  /** Put a pane beside the terminal of a tab, in the place of the one that is there, and make the panel visible. */
  mountPane(options: PaneOptions): PaneHandle
  /** Hide the panel; sessions run on. @returns whether it was open */
  minimize(): boolean
}

/** What a button does is up to the plugin; `icon` is a short text or what React can render. These four are the contract. */
// oxlint-disable-next-line eslint/max-params
export type AddConnbarAction = (icon: unknown, label: string, title: string, onClick: () => void) => void

export interface ConnbarContext {
  /** The tab, by its session: the `ownerSid` of a pane beside it. */
  readonly tab: { readonly key: string; readonly sid: string | null }
  /** Where it is connected to, without secrets. */
  readonly spec: Readonly<Record<string, unknown>>
  /** Entry of the connection book, or null. */
  readonly bookName: string | null
  readonly addAction: AddConnbarAction
}

export interface TtyConnbarService {
  readonly version: 1
  /** `factory` is called with every drawing of an SSH tab's bar. @returns takes it off */
  addAction(factory: (bar: ConnbarContext) => void): () => void
  /** What a factory would add has changed. */
  requestRender(): void
}
