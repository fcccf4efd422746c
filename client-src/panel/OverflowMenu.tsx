/** "⋯": the tabs that are not really visible, and what can be done with the one on screen and those around it. */
import { useCallback, useRef, useState } from 'react'
import type { TabKey } from '../stores/tab-store.ts'
import { IconButton } from './IconButton.tsx'
import { MoreGlyph } from './icons.tsx'
import type { MenuItem } from './menu-model.ts'
import { Menu } from './Menu.tsx'
import { StatusDot, stateText } from './StatusDot.tsx'
import css from './TabBar.module.css'
import { labelOf } from './TabItem.tsx'
import { tabItems, type TabMenuPorts } from './TabMenu.tsx'

export function OverflowMenu(props: TabMenuPorts & { active: TabKey; hidden: readonly TabKey[] }) {
  const { t, tabs, actions, onClose, active, hidden } = props
  const button = useRef<HTMLSpanElement>(null)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const close = useCallback(() => {
    setAnchor(null)
  }, [])
  const listed = tabs.filter(({ key, isClosing }) => hidden.includes(key) && !isClosing)
  const picks = listed.map((tab): MenuItem => {
    const label = labelOf(t, tab)
    return {
      key: tab.key,
      label,
      dot: <StatusDot tab={tab} />,
      hint: tab.target === null || tab.target === label ? stateText(t, tab) : tab.target,
      isChecked: tab.key === active,
      onSelect: () => {
        actions.activate(tab.key, true)
      },
      onRemove: () => {
        // The list stays open, and with it the keyboard.
        onClose([tab.key], false)
      },
      removeLabel: t('tab.close', { title: label }),
    }
  })
  const bulk = tabItems(props, active).map((item, at) =>
    at === 0 && picks.length > 0 ? { ...item, separatorBefore: true } : item,
  )
  return (
    <span ref={button} className={css['overflow']}>
      <IconButton
        label={t('tab.more')}
        isMenu
        isExpanded={anchor !== null}
        onClick={() => {
          setAnchor(anchor === null ? button.current : null)
        }}
      >
        <MoreGlyph />
      </IconButton>
      {anchor === null ? null : (
        <Menu
          name="more"
          label={t('tab.more')}
          items={[...picks, ...bulk]}
          anchor={anchor}
          initial={active}
          onClose={close}
        />
      )}
    </span>
  )
}
