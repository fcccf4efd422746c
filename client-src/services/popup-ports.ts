/** Between the terminals of a page and what stands over them: who asks for it, and what a person may do with it. */
import type { FindQuery, PasteChoice } from '../stores/popup-model.ts'
import type { PopupStore } from '../stores/popup-store.ts'
import type { TabKey } from '../stores/tab-store.ts'
import type { PagePorts } from '../terminal/page-ports.ts'
import type { TerminalView } from '../terminal/terminal-view.ts'

/** What a terminal asks of the page, answered with `popups`. */
export function pagePortsOf(
  popups: PopupStore,
  page: Pick<PagePorts, 'writeClipboard' | 'openLink' | 'webgl'>,
): PagePorts {
  return {
    ...page,
    confirmPaste: (text) => popups.confirmPaste(text),
    linkHovered: (link) => {
      popups.hoverLink(link)
    },
    findChanged: (find) => {
      popups.showFind(find)
    },
  }
}

type Guard = <A extends unknown[]>(act: (...args: A) => void) => (...args: A) => void

/**
 * @param viewOf the terminal of a tab, once there is one
 * @param guarded tells what fails, and lets nothing through
 */
export function popupActionsOf(popups: PopupStore, viewOf: (key: TabKey) => TerminalView | null, guarded: Guard) {
  return {
    answerPaste: guarded((choice: PasteChoice) => {
      popups.answerPaste(choice)
    }),
    listLinks: guarded((key: TabKey) => {
      popups.listLinks(viewOf(key)?.links.onScreen() ?? null)
    }),
    openLink: guarded((key: TabKey, href: string) => {
      viewOf(key)?.links.open(href)
    }),
    closeLinks: guarded(() => {
      popups.listLinks(null)
    }),
    openFind: guarded((key: TabKey) => {
      viewOf(key)?.find.open()
    }),
    find: guarded((key: TabKey, query: FindQuery) => {
      viewOf(key)?.find.search(query)
    }),
    findNext: guarded((key: TabKey, direction: 'next' | 'previous') => {
      viewOf(key)?.find.go(direction)
    }),
    closeFind: guarded((key: TabKey) => {
      viewOf(key)?.find.close()
    }),
  }
}
