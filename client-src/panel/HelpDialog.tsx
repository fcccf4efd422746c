/** The list of keys in a dialog; what is in it comes when it is first asked for. */
import { useEffect, useRef, type ReactNode } from 'react'
import type { Translate } from '../locales.ts'
import type { ScriptSource } from '../stores/script-state.ts'
import css from './HelpDialog.module.css'
import { holdKeyboard } from './hold-keyboard.ts'
import type { Kit } from './kit.ts'
import { ScriptWait, useScript } from './ScriptWait.tsx'

/** What lib/help.js has. */
export interface HelpModule {
  readonly KeyList: (props: { t: Translate }) => ReactNode
}

export function HelpDialog(props: { kit: Kit; t: Translate; help: ScriptSource<HelpModule>; onClose: () => void }) {
  const { kit, t, help, onClose } = props
  const script = useScript(help)
  const sheet = useRef<HTMLElement>(null)
  useEffect(() => {
    const dialog = sheet.current?.closest<HTMLElement>('[role="dialog"]') ?? null
    return dialog === null ? undefined : holdKeyboard(dialog, sheet.current)
  }, [])
  return (
    <kit.Modal open title={t('help')} closeLabel={t('help.close')} onClose={onClose}>
      {/* Takes the keyboard, so that it can be scrolled with it. */}
      <section
        ref={sheet}
        className={css['sheet']}
        aria-label={t('help')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        data-tty-confirm=""
        data-tty-help={script.kind}
      >
        {script.kind === 'ready' ? <script.module.KeyList t={t} /> : <ScriptWait t={t} source={help} />}
      </section>
    </kit.Modal>
  )
}
