/** Closing with a question where much would be lost: two or more live sessions, or the panel over any. */
import { useState } from 'react'
import type { TabModel } from '../stores/panel-model.ts'
import type { TabKey } from '../stores/tab-store.ts'
import type { PanelActions } from './props.ts'
import { lossOf, type Loss } from './tab-rows.ts'

export interface CloseQuestion {
  readonly loss: Loss
  /** The panel is closed, not tabs of it. */
  readonly isPanel: boolean
  readonly onEnd: () => void
}

export function useClosing(tabs: readonly TabModel[], actions: Pick<PanelActions, 'close' | 'closeAll'>) {
  const [asked, setAsked] = useState<readonly TabKey[] | 'panel' | null>(null)
  const isPanel = asked === 'panel'
  const all = tabs.map(({ key }) => key)
  const question: CloseQuestion | null =
    asked === null
      ? null
      : {
          loss: lossOf(tabs, isPanel ? all : asked),
          isPanel,
          onEnd: () => {
            setAsked(null)
            if (isPanel) actions.closeAll()
            else actions.close(asked)
          },
        }
  return {
    // What was asked about may have ended meanwhile.
    question: question?.loss.live === 0 ? null : question,
    closeTabs: (keys: readonly TabKey[], wantsKeyboard = true): void => {
      if (lossOf(tabs, keys).live > 1) setAsked(keys)
      else actions.close(keys, wantsKeyboard)
    },
    closePanel: (): void => {
      if (lossOf(tabs, all).live > 0) setAsked('panel')
      else actions.closeAll()
    },
    cancel: (): void => {
      setAsked(null)
    },
  }
}
