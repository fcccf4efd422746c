/** Where the settings card goes; it comes when the settings are first looked at. */
import type { ReactNode } from 'react'
import type { Translate } from '../locales.ts'
import type { ScriptSource } from '../stores/script-state.ts'
import { ScriptWait, useScript } from './ScriptWait.tsx'
import css from './SettingsSlot.module.css'

export interface SettingsSlotProps<T> {
  /** In the words of the card. */
  readonly t: T
  readonly title: (t: T) => string
  /** In those of the panel. */
  readonly say: Translate
  readonly settings: ScriptSource<{ readonly Card: (props: { t: T }) => ReactNode }>
}

export function SettingsSlot<T>({ t, title, say, settings }: SettingsSlotProps<T>) {
  const script = useScript(settings)
  if (script.kind === 'ready') return <script.module.Card t={t} />
  return (
    // oxlint-disable-next-line jsx-a11y/no-redundant-roles -- the app puts an element of its own between the list and this
    <li role="listitem" className={css['card']}>
      <span className={css['title']}>{title(t)}</span>
      <ScriptWait t={say} source={settings} />
    </li>
  )
}
