/** Everything that "+" can open: a terminal of this machine, and what other areas contribute. */
import { say, type Translate } from '../locales.ts'
import type { PlusAction, PlusSection, PlusText } from '../stores/plus-sections.ts'
import { EditGlyph, FilesGlyph, RemoveGlyph } from './icons.tsx'
import type { MenuItem } from './menu-model.ts'
import { Menu } from './Menu.tsx'

const ICONS = { edit: EditGlyph, files: FilesGlyph, remove: RemoveGlyph }

export function NewTabMenu(props: {
  t: Translate
  sections: readonly PlusSection[]
  anchor: HTMLElement
  onOpen: () => void
  onClose: () => void
}) {
  const { t, sections, anchor, onOpen, onClose } = props
  const words = (text: PlusText): string => (typeof text === 'string' ? text : say(t, text))
  const actionOf = ({ icon, label, ...action }: PlusAction) => {
    const Icon = ICONS[icon]
    return { ...action, label: words(label), icon: <Icon /> }
  }
  const contributed = sections.flatMap(({ id, title, items }) =>
    items.map(({ key, label, hint, actions = [], ...item }, at): MenuItem => ({
      ...item,
      key: `${id}/${key}`,
      label: words(label),
      ...(hint === undefined ? {} : { hint: words(hint) }),
      actions: actions.map(actionOf),
      separatorBefore: at === 0,
      ...(at === 0 && title !== undefined ? { titleBefore: words(title) } : {}),
    })),
  )
  const local = { key: 'local', label: t('tab.new.local'), onSelect: onOpen }
  return (
    <Menu name="plus" label={t('tab.new.more')} items={[local, ...contributed]} anchor={anchor} onClose={onClose} />
  )
}
