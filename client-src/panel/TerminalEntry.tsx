/** The way in: a row at the foot of the app's sidebar, with what goes on while the panel is hidden. */
import type { Translate } from '../locales.ts'
import type { PanelModel } from '../stores/panel-model.ts'
import type { PanelState } from '../stores/panel-store.ts'
import { TerminalGlyph } from './icons.tsx'
import type { Kit } from './kit.ts'
import type { Select } from './props.ts'
import css from './TerminalEntry.module.css'

export interface TerminalEntryProps {
  readonly kit: Kit
  readonly t: Translate
  /** False in the narrow rail. */
  readonly wide: boolean
  readonly usePanel: Select<PanelState>
  readonly useModel: Select<PanelModel>
  readonly toggle: () => void
}

export function TerminalEntry({ kit, t, wide, usePanel, useModel, toggle }: TerminalEntryProps) {
  const isOpen = usePanel(({ open }) => open)
  const running = useModel((model) => model.running)
  const total = useModel(({ tabs }) => tabs.length)
  const activity = useModel((model) => model.activity)
  const hasBadge = !isOpen && total > 0
  const label = hasBadge ? t('entry.label.running', { running, total }) : t('entry.label')
  return (
    <kit.Tooltip label={t('entry')} delayMs={500} disabled={wide}>
      <button
        type="button"
        className={css['row']}
        data-wide={wide}
        data-tty-entry=""
        aria-pressed={isOpen}
        aria-label={hasBadge && activity > 0 ? `${label}, ${t('entry.activity')}` : label}
        onClick={toggle}
      >
        <TerminalGlyph />
        {/* The space is not drawn; it parts the words for whoever reads them. */}
        {wide ? <span className={css['label']}>{t('entry')} </span> : null}
        {hasBadge ? (
          <span className={css['badge']} aria-hidden="true">
            {/* A new key for every burst of output: the pulse starts again. */}
            {activity > 0 ? <span key={activity} className={css['dot']} data-tty-activity={activity} /> : null}
            {`${String(running)}/${String(total)}`}
          </span>
        ) : null}
      </button>
    </kit.Tooltip>
  )
}
