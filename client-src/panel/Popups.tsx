/** What stands over the terminal on screen, when something does. */
import type { Translate } from '../locales.ts'
import type { TabKey } from '../stores/tab-store.ts'
import type { Kit } from './kit.ts'
import { LinkList } from './LinkList.tsx'
import { LinkTip } from './LinkTip.tsx'
import { PasteDialog } from './PasteDialog.tsx'
import type { PanelProps, TerminalActions } from './props.ts'

export interface PopupsProps extends Pick<PanelProps, 'usePopups' | 'popupActions'> {
  readonly actions: Pick<TerminalActions, 'activate'>
  readonly kit: Kit
  readonly t: Translate
  readonly tab: TabKey | null
}

export function Popups({ kit, t, tab, usePopups, popupActions, actions }: PopupsProps) {
  const { paste, hovered, links } = usePopups((popups) => popups)
  return (
    <>
      {hovered === null ? null : <LinkTip t={t} link={hovered} />}
      {links === null || tab === null ? null : (
        <LinkList
          key={tab}
          t={t}
          links={links}
          onOpen={(href) => {
            popupActions.openLink(tab, href)
          }}
          onClose={popupActions.closeLinks}
          onLeave={() => {
            actions.activate(tab, true)
          }}
        />
      )}
      {paste === null ? null : <PasteDialog kit={kit} t={t} text={paste} onAnswer={popupActions.answerPaste} />}
    </>
  )
}
