/** The buttons at the panel's upper right: for the terminal on screen, then for the panel. */
import type { MouseEvent } from 'react'
import type { Translate } from '../locales.ts'
import type { TabModel } from '../stores/panel-model.ts'
import type { PanelState } from '../stores/panel-store.ts'
import { IconButton } from './IconButton.tsx'
import {
  ClearGlyph,
  DockGlyph,
  FindGlyph,
  FloatGlyph,
  HiddenGlyph,
  MaximiseGlyph,
  MinimiseGlyph,
  RestoreGlyph,
  VisibleGlyph,
} from './icons.tsx'
import type { Kit } from './kit.ts'
import css from './Panel.module.css'
import type { PanelActions, PanelProps } from './props.ts'

export function HeaderTools(props: {
  kit: Kit
  t: Translate
  state: PanelState
  tab: TabModel | undefined
  /** Has room for the most needed only: the others are in menus, on keys, or of no use in so little room. */
  isNarrow: boolean
  actions: PanelActions
  onFind: PanelProps['popupActions']['openFind']
  onHelp: () => void
  onClose: () => void
}) {
  const { kit, t, state, tab, isNarrow, actions, onFind, onHelp, onClose } = props
  // A press with the mouse leaves the keyboard in the terminal; with the keyboard it stays on the button.
  const giveBack = (event: MouseEvent): void => {
    if (event.detail > 0 && tab !== undefined) actions.activate(tab.key, true)
  }
  const isDocked = state.place === 'docked'
  return (
    <div className={css['tools']}>
      {tab === undefined ? null : (
        <IconButton
          label={t('find')}
          onClick={() => {
            onFind(tab.key)
          }}
        >
          <FindGlyph />
        </IconButton>
      )}
      {isNarrow || tab === undefined || tab.cover !== null ? null : (
        <IconButton
          label={t('clear')}
          onClick={() => {
            actions.clear(tab.key)
          }}
        >
          <ClearGlyph />
        </IconButton>
      )}
      {isNarrow ? null : (
        <IconButton label={t('help')} onClick={onHelp}>
          <span className={css['help']}>?</span>
        </IconButton>
      )}
      {isNarrow || tab === undefined || tab.sid === null || tab.isAgent ? null : (
        <IconButton
          label={tab.isHidden ? t('tab.show') : t('tab.hide')}
          isPressed={tab.isHidden}
          onClick={(event) => {
            actions.setHidden(tab.key, !tab.isHidden)
            giveBack(event)
          }}
        >
          {tab.isHidden ? <HiddenGlyph /> : <VisibleGlyph />}
        </IconButton>
      )}
      {isNarrow ? null : (
        <IconButton
          label={isDocked ? t('panel.float') : t('panel.dock')}
          onClick={(event) => {
            actions.setPlace(isDocked ? 'floating' : 'docked')
            giveBack(event)
          }}
        >
          {isDocked ? <FloatGlyph /> : <DockGlyph />}
        </IconButton>
      )}
      <IconButton
        label={state.maximised ? t('panel.restore') : t('panel.maximise')}
        onClick={(event) => {
          actions.setMaximised(!state.maximised)
          giveBack(event)
        }}
      >
        {state.maximised ? <RestoreGlyph /> : <MaximiseGlyph />}
      </IconButton>
      <IconButton label={t('panel.minimise')} onClick={actions.minimise}>
        <MinimiseGlyph />
      </IconButton>
      <IconButton label={t('panel.close')} onClick={onClose} isDanger>
        <kit.CloseIcon size={14} />
      </IconButton>
    </div>
  )
}
