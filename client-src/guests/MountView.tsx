/** A terminal in an element of another plugin: the same pane as in a tab, and what stands over it. Its session lives as long as it is drawn. */
import { useEffect, useState } from 'react'
import type { Translate } from '../locales.ts'
import type { Kit } from '../panel/kit.ts'
import { NoticeList } from '../panel/NoticeList.tsx'
import { Popups } from '../panel/Popups.tsx'
import type { Select } from '../panel/props.ts'
import { TerminalPane } from '../panel/TerminalPane.tsx'
import { useStore } from '../panel/use-store.ts'
import type { TerminalWish } from '../services/guest-input.ts'
import type { Store } from '../stores/store.ts'
import { mountTerminal, type Mounted, type MountParts } from './mount-terminal.ts'
import css from './MountView.module.css'

export interface MountProps {
  readonly kit: Kit
  readonly t: Translate
  /** Changes when `t` speaks another language. */
  readonly language: Store<unknown>
  readonly wish: TerminalWish
  readonly parts: MountParts
}

export function MountView(props: MountProps) {
  const { wish, parts } = props
  const [mounted] = useState(() => mountTerminal(wish, parts))
  useEffect(
    () => () => {
      mounted.dispose()
    },
    [mounted],
  )
  return <MountedView {...props} mounted={mounted} />
}

function MountedView({ kit, t, language, mounted }: MountProps & { mounted: Mounted }) {
  const { terminals, popups, actions, popupActions, open } = mounted
  useStore(language)
  const { tabs, line, notices } = useStore(terminals.model)
  const [tab] = tabs
  return (
    <div className={css['root']} data-tty-mount={tab?.dot ?? 'empty'} data-tty-sid={tab?.sid ?? undefined}>
      {tab === undefined ? (
        <div className={css['empty']}>
          <p>{t('panel.empty')}</p>
          <button type="button" className={css['open']} onClick={open}>
            {t('action.retry')}
          </button>
        </div>
      ) : (
        <TerminalPane
          t={t}
          tab={tab}
          line={line}
          useMarks={selecting(terminals.marks)}
          actions={actions}
          label={t('mount.label', { name: tab.label ?? t('tab.untitled') })}
        />
      )}
      <NoticeList kit={kit} t={t} notices={notices} onDismiss={actions.dismissNotice} />
      <Popups
        kit={kit}
        t={t}
        tab={tab?.key ?? null}
        usePopups={selecting(popups)}
        popupActions={popupActions}
        actions={actions}
      />
    </div>
  )
}

/** A store as the hook that the components take. */
function selecting<T>(store: Store<T>): Select<T> {
  return function useSelected(select) {
    return select(useStore(store))
  }
}
