/** How a tab's session is, told apart by form as well as by colour. Says nothing by itself: the words are beside it. */
import type { Translate } from '../locales.ts'
import type { TabModel } from '../stores/panel-model.ts'
import css from './StatusDot.module.css'

type DotFacts = Pick<TabModel, 'dot' | 'isBusy' | 'isAgent' | 'isAsking'>

export const stateOf = ({ dot, isBusy }: Pick<TabModel, 'dot' | 'isBusy'>) => (dot === 'live' && isBusy ? 'busy' : dot)

export const stateText = (t: Translate, tab: Pick<TabModel, 'dot' | 'isBusy'>): string => t(`state.${stateOf(tab)}`)

export function StatusDot({ tab }: { tab: DotFacts }) {
  return (
    <span
      className={css['dot']}
      data-dot={stateOf(tab)}
      data-agent={tab.isAgent}
      data-asks={tab.isAsking}
      aria-hidden="true"
    />
  )
}
