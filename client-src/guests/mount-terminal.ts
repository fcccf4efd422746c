/** What a terminal in an element of another plugin is made of: sessions and popups of its own, on the page's one link. */
import type { HostLink } from '../connection/host-link.ts'
import type { PopupActions, TerminalActions } from '../panel/props.ts'
import type { TerminalWish } from '../services/guest-input.ts'
import { pagePortsOf, popupActionsOf } from '../services/popup-ports.ts'
import type { TabSessionsPorts } from '../services/tab-sessions.ts'
import { TerminalTabs, type TerminalTabsPorts } from '../services/terminal-tabs.ts'
import { PanelStore } from '../stores/panel-store.ts'
import { PopupStore } from '../stores/popup-store.ts'
import { NO_STORAGE } from '../stores/storage.ts'
import type { Unsubscribe } from '../stores/store.ts'
import { TabStore } from '../stores/tab-store.ts'
import type { PagePorts } from '../terminal/page-ports.ts'
import type { TerminalView } from '../terminal/terminal-view.ts'
import { MountedTerminal } from './mounted-terminal.ts'

/** Of the page, for every terminal that is in no tab. */
export interface MountParts {
  readonly link: HostLink
  readonly page: Pick<PagePorts, 'writeClipboard' | 'openLink' | 'webgl'> & Pick<TerminalTabsPorts, 'beep' | 'ask'>
  readonly createView: (page: PagePorts) => TabSessionsPorts['createView']
  /** There are terminals more, for theme and settings. @returns there are no more */
  readonly mounted: (views: () => readonly TerminalView[]) => Unsubscribe
}

export interface Mounted {
  readonly terminals: TerminalTabs
  readonly popups: PopupStore
  readonly actions: TerminalActions
  readonly popupActions: PopupActions
  /** There is no terminal, and there should be one. */
  readonly open: () => void
  /** End its session. */
  readonly dispose: () => void
}

export function mountTerminal(wish: TerminalWish, parts: MountParts): Mounted {
  const { link, page } = parts
  const popups = new PopupStore()
  const panel = new PanelStore({ shared: NO_STORAGE, page: NO_STORAGE })
  // Somebody looks at it: what another ends does not vanish under their eyes.
  panel.setOpen(true)
  const terminals = new TerminalTabs({
    ...{ link, panel, isMirror: false },
    tabs: new TabStore(NO_STORAGE),
    writeClipboard: page.writeClipboard,
    beep: page.beep,
    ask: page.ask,
    createView: parts.createView(pagePortsOf(popups, page)),
    currentDirectory: () => wish.spec.cwd,
  })
  const guarded =
    <A extends unknown[]>(act: (...args: A) => void) =>
    (...args: A): void => {
      try {
        act(...args)
      } catch (error) {
        terminals.failed(error)
      }
    }
  const forget = parts.mounted(() => terminals.views)
  const terminal = new MountedTerminal({ terminals, link: link.link, wish })
  return {
    terminals,
    popups,
    popupActions: { ...popupActionsOf(popups, (key) => terminals.viewOf(key), guarded), zoom: () => {} },
    actions: {
      activate: guarded((key, wantsKeyboard) => {
        terminals.activate(key, wantsKeyboard)
      }),
      restart: guarded((key) => {
        terminals.restart(key)
      }),
      retry: guarded((key) => {
        terminals.retry(key)
      }),
      dismissStrip: guarded((key) => {
        terminals.dismissStrip(key)
      }),
      dismissNotice: guarded((id) => {
        terminals.dismissNotice(id)
      }),
      retryLink: guarded(() => {
        terminals.retryLink()
      }),
      goToMark: guarded((key, direction, from) => {
        terminals.goToMark(key, direction, from)
      }),
      leaveMark: guarded((key) => {
        terminals.leaveMark(key)
      }),
      copyOfMark: (key, mark, what) => terminals.copyOfMark(key, mark, what),
      showMark: guarded((key, mark) => {
        terminals.showMark(key, mark)
      }),
      runAgain: (key, mark) => terminals.runAgain(key, mark),
      askAbout: (key, mark) => terminals.askAbout(key, mark),
      pressKey: guarded((key, touch) => {
        terminals.viewOf(key)?.press(touch)
      }),
      mount: (key, container) => terminals.mount(key, container),
    },
    open: guarded(() => {
      panel.setOpen(true)
      terminal.open()
    }),
    dispose: () => {
      forget()
      terminal.dispose()
    },
  }
}
