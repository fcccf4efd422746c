/** The services that other plugins of the page call: judges what they hand in, and lets nothing of theirs break ours. */
import type { PanelStore } from '../stores/panel-store.ts'
import type { PaneStore } from '../stores/pane-store.ts'
import type { TabStore } from '../stores/tab-store.ts'
import type { ReportGuest } from './connbar.ts'
import {
  elementOf,
  paneHint,
  paneTitle,
  paneWish,
  refuse,
  terminalWish,
  type PaneWish,
  type TerminalWish,
} from './guest-input.ts'
import {
  PANEL_VERSION,
  TERMINAL_VERSION,
  type PaneHandle,
  type TtyPanelService,
  type TtyTerminalService,
} from './plugin-contract.ts'

export interface TerminalServicePorts {
  readonly open: (wish: TerminalWish) => void
  /** @returns takes it away, once */
  readonly mount: (host: HTMLElement, wish: TerminalWish) => () => void
  /** Where a terminal starts that names no directory. */
  readonly currentDirectory: () => string | undefined
}

export function terminalService(ports: TerminalServicePorts): TtyTerminalService {
  const { open, mount, currentDirectory } = ports
  return {
    version: TERMINAL_VERSION,
    open: (options) => {
      open(terminalWish('ttyTerminal.open', options, currentDirectory()))
    },
    mount: (host, options) => {
      const call = 'ttyTerminal.mount'
      return mount(elementOf(call, host), terminalWish(call, options, currentDirectory()))
    },
  }
}

export interface PanelServicePorts {
  readonly panel: PanelStore
  readonly panes: PaneStore
  readonly tabs: TabStore
  /** What a pane is drawn with will be needed. */
  readonly load: () => void
  readonly report: ReportGuest
}

export function panelService({ panel, panes, tabs, load, report }: PanelServicePorts): TtyPanelService {
  const ownerOf = ({ ownerSid }: PaneWish) => {
    const state = tabs.getSnapshot()
    if (ownerSid !== undefined) return state.tabs.find(({ sid }) => sid === ownerSid)?.key
    return state.active ?? undefined
  }
  return {
    version: PANEL_VERSION,
    isOpen: () => panel.getSnapshot().open,
    minimize: () => {
      const wasOpen = panel.getSnapshot().open
      panel.setOpen(false)
      return wasOpen
    },
    mountPane: (options) => {
      const call = 'ttyPanel.mountPane'
      const wish = paneWish(call, options)
      const tab = ownerOf(wish)
      if (tab === undefined)
        throw refuse(
          call,
          wish.ownerSid === undefined
            ? 'there is no terminal to put a pane beside; open one first'
            : 'no tab of this page has the session "ownerSid"',
        )
      const element = document.createElement('div')
      const { title, hint, side, size, min } = wish
      load()
      panel.setOpen(true)
      const id = panes.open({
        ...{ tab, title, hint, side, size, min, element },
        onClose: () => {
          try {
            wish.onClose()
          } catch (error) {
            report('onClose of a pane', error)
          }
        },
      })
      return paneHandle(panes, id, element)
    },
  }
}

function paneHandle(panes: PaneStore, id: number, element: HTMLElement): PaneHandle {
  const isCollapsed = (): boolean => panes.isOpen(id) && panes.getSnapshot()?.isCollapsed === true
  const setCollapsed = (isCollapsed: boolean): void => {
    panes.change(id, { isCollapsed })
  }
  return {
    element,
    setTitle: (title) => {
      panes.change(id, { title: paneTitle('setTitle of a pane', title) })
    },
    setHint: (hint) => {
      panes.change(id, { hint: paneHint('setHint of a pane', hint) })
    },
    expand: () => {
      setCollapsed(false)
    },
    collapse: () => {
      setCollapsed(true)
    },
    toggle: () => {
      setCollapsed(!isCollapsed())
    },
    isCollapsed,
    dispose: () => {
      panes.close(id)
    },
  }
}
