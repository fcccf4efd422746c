/** The tabs, what opens another one, and the list of those that do not fit. */
import { useRef, useState } from 'react'
import type { Translate } from '../locales.ts'
import type { TabModel } from '../stores/panel-model.ts'
import type { TabKey } from '../stores/tab-store.ts'
import { IconButton } from './IconButton.tsx'
import type { Kit } from './kit.ts'
import { MoreWays } from './MoreWays.tsx'
import { OverflowMenu } from './OverflowMenu.tsx'
import type { Point } from './place.ts'
import popup from './Popup.module.css'
import type { PanelActions, PanelProps } from './props.ts'
import css from './TabBar.module.css'
import { labelOf } from './TabItem.tsx'
import { TabMenu } from './TabMenu.tsx'
import { TabStrip } from './TabStrip.tsx'
import { useStripView } from './use-strip-view.ts'

export interface TabBarProps {
  readonly kit: Kit
  readonly t: Translate
  readonly tabs: readonly TabModel[]
  readonly active: TabKey | null
  /** Null while another terminal may be opened; else what the button says instead. */
  readonly limit: string | null
  readonly usePlus: PanelProps['usePlus']
  readonly actions: PanelActions
  /** Close tabs, after a question where much would be lost. */
  readonly onClose: (keys: readonly TabKey[], wantsKeyboard?: boolean) => void
}

export function TabBar({ kit, t, tabs, active, limit, usePlus, actions, onClose }: TabBarProps) {
  const [renaming, setRenaming] = useState<TabKey | null>(null)
  const [menu, setMenu] = useState<{ key: TabKey; anchor: HTMLElement | Point } | null>(null)
  const [said, setSaid] = useState('')
  const strip = useRef<HTMLDivElement>(null)
  // Whatever changes a tab's width is in its model.
  const view = useStripView(strip, tabs)
  const move = (key: TabKey, to: number): void => {
    actions.move(key, to)
    const tab = tabs.find((each) => each.key === key)
    const at = Math.max(0, Math.min(tabs.length - 1, to)) + 1
    if (tab !== undefined) setSaid(t('tab.moved', { title: labelOf(t, tab), at, count: tabs.length }))
  }
  const shared = { t, tabs, actions, onClose, onRename: setRenaming }
  return (
    <div className={css['bar']}>
      <TabStrip
        kit={kit}
        t={t}
        tabs={tabs}
        active={active}
        strip={strip}
        view={view}
        renaming={renaming}
        actions={{ ...actions, move }}
        onClose={(key) => {
          onClose([key])
        }}
        onMenu={(key, anchor) => {
          setMenu({ key, anchor })
        }}
        onRenaming={setRenaming}
      />
      <IconButton
        label={limit ?? t('tab.new')}
        onClick={actions.open}
        className={limit === null ? '' : (css['limited'] ?? '')}
      >
        <kit.PlusIcon size={14} />
      </IconButton>
      <MoreWays t={t} usePlus={usePlus} onOpen={actions.open} />
      {tabs.length < 2 || active === null ? null : <OverflowMenu {...shared} active={active} hidden={view.hidden} />}
      {menu === null ? null : (
        <TabMenu
          {...shared}
          tab={menu.key}
          anchor={menu.anchor}
          onDone={() => {
            setMenu(null)
          }}
        />
      )}
      <output className={popup['unseen']}>{said}</output>
    </div>
  )
}
