/** What stands over the panel as a dialog, when something does. */
import type { Translate } from '../locales.ts'
import type { Kit } from './kit.ts'
import { PasteDialog } from './PasteDialog.tsx'
import type { PanelProps } from './props.ts'

export function Popups(props: { kit: Kit; t: Translate } & Pick<PanelProps, 'usePopups' | 'popupActions'>) {
  const { kit, t, usePopups, popupActions } = props
  const paste = usePopups((popups) => popups.paste)
  if (paste === null) return null
  return <PasteDialog kit={kit} t={t} text={paste} onAnswer={popupActions.answerPaste} />
}
