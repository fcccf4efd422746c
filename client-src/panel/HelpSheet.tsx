/** Every key of the panel and what it does, from the one table of them. */
import { useEffect, useRef } from 'react'
import { BINDINGS, isMac, type Keys } from '../keys.ts'
import type { Translate } from '../locales.ts'
import css from './HelpSheet.module.css'
import { holdKeyboard } from './hold-keyboard.ts'
import type { Kit } from './kit.ts'

const MAC_SIGNS = [
  ['Ctrl+', '⌃'],
  ['Shift+', '⇧'],
  ['Cmd+', '⌘'],
] as const

export function HelpSheet({ kit, t, onClose }: { kit: Kit; t: Translate; onClose: () => void }) {
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
        data-tty-help=""
      >
        <dl className={css['rows']}>
          {Object.entries<Keys>(BINDINGS).map(([id, { keys, mac }]) => (
            <div key={id} className={css['row']}>
              <dt>{t(`key.${id as keyof typeof BINDINGS}`)}</dt>
              <dd>
                {((isMac() ? mac : undefined) ?? keys).map((chord) => (
                  <kbd key={chord}>{spelled(chord)}</kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </kit.Modal>
  )
}

function spelled(chord: string): string {
  const arrows = chord
    .replace('ArrowUp', '↑')
    .replace('ArrowDown', '↓')
    .replace('ArrowLeft', '←')
    .replace('ArrowRight', '→')
  return isMac() ? MAC_SIGNS.reduce((text, [name, sign]) => text.replace(name, sign), arrows) : arrows
}
