/** The command line of what is being read, as one line over the top of its output; a press goes to the command. */
import type { Translate } from '../locales.ts'
import type { CommandMarkModel, MarksModel } from '../stores/marks-model.ts'
import css from './StickyCommand.module.css'
import { stateText } from './mark-text.ts'

/** Room above the first row, which it fills. */
const TOP_PX = 6

export function StickyCommand(props: {
  t: Translate
  model: Pick<MarksModel, 'left' | 'top' | 'rowHeight'>
  mark: CommandMarkModel
  outcome: string
  onShow: () => void
}) {
  const { t, model, mark, outcome, onShow } = props
  const text = mark.text ?? t('mark.unnamed')
  const [line = '', ...more] = text.split('\n')
  return (
    <button
      type="button"
      className={css['sticky']}
      style={{ paddingInlineStart: model.left, top: Math.max(0, model.top - TOP_PX), height: model.rowHeight + TOP_PX }}
      data-tty-sticky={mark.id}
      data-outcome={outcome}
      aria-label={`${t('mark.sticky', { command: text.slice(0, 120) })}, ${stateText(t, mark)}`}
      title={text}
      onClick={onShow}
    >
      <span className={css['text']}>{more.length === 0 && !mark.isCut ? line : `${line} …`}</span>
      <span className={css['state']}>{stateText(t, mark)}</span>
    </button>
  )
}
