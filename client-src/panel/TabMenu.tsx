/** What can be done with a tab and with those around it, as a menu. */
import type { Translate } from '../locales.ts'
import type { TabModel } from '../stores/panel-model.ts'
import type { TabKey } from '../stores/tab-store.ts'
import type { MenuItem } from './menu-model.ts'
import { Menu, type MenuProps } from './Menu.tsx'
import type { PanelActions } from './props.ts'
import { tabRows, type TabRowId } from './tab-rows.ts'

export interface TabMenuPorts {
  readonly t: Translate
  readonly tabs: readonly TabModel[]
  readonly actions: PanelActions
  readonly onClose: (keys: readonly TabKey[], wantsKeyboard?: boolean) => void
  readonly onRename: (key: TabKey) => void
}

/** Those that end something stand together, those before them and after them too. */
const GROUPS: readonly (readonly TabRowId[])[] = [
  ['close', 'closeOthers', 'closeLeft', 'closeRight', 'clearExited'],
  ['hide', 'show'],
  ['duplicate', 'restart', 'rename'],
]

export function tabItems({ t, tabs, actions, onClose, onRename }: TabMenuPorts, key: TabKey): MenuItem[] {
  const rows = tabRows(tabs, key)
  const close = (keys: readonly TabKey[]): void => {
    onClose(keys)
  }
  const act: Record<TabRowId, (keys: readonly TabKey[]) => void> = {
    close,
    closeOthers: close,
    closeLeft: close,
    closeRight: close,
    clearExited: close,
    hide: () => {
      actions.setHidden(key, true)
    },
    show: () => {
      actions.setHidden(key, false)
    },
    duplicate: () => {
      actions.duplicate(key)
    },
    restart: () => {
      actions.restart(key)
    },
    rename: () => {
      onRename(key)
    },
  }
  return GROUPS.flatMap((group, place) =>
    rows
      .filter(({ id }) => group.includes(id))
      .map(({ id, keys }, at) => ({
        key: id,
        label: t(`tab.do.${id}`, { count: keys.length }),
        separatorBefore: place > 0 && at === 0,
        onSelect: () => {
          act[id](keys)
        },
      })),
  )
}

export function TabMenu(
  props: TabMenuPorts & { tab: TabKey; anchor: MenuProps['anchor']; onDone: MenuProps['onClose'] },
) {
  const { t, tab, anchor, onDone } = props
  const items = tabItems(props, tab)
  if (items.length === 0) return null
  return <Menu name="tab" label={t('tab.menu')} items={items} anchor={anchor} onClose={onDone} />
}
