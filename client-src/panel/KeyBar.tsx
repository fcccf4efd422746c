/** The keys that an on-screen keyboard lacks, in one row under the terminal; there only where a finger is the pointer. */
import type { PointerEvent } from 'react'
import type { Translate } from '../locales.ts'
import { TOUCH_KEYS, type TouchKey } from '../touch-keys.ts'
import css from './KeyBar.module.css'

const GLYPHS: Partial<Record<TouchKey, string>> = { left: '←', up: '↑', down: '↓', right: '→' }

export function KeyBar(props: {
  t: Translate
  isCtrlHeld: boolean
  onKey: (key: TouchKey | 'copy' | 'paste') => void
}) {
  const { t, isCtrlHeld, onKey } = props
  return (
    <div className={css['bar']} role="toolbar" aria-label={t('keybar')} data-tty-keybar="">
      {([...TOUCH_KEYS, 'copy', 'paste'] as const).map((key) => (
        <button
          key={key}
          type="button"
          className={css['key']}
          aria-label={labelOf(t, key)}
          aria-pressed={key === 'ctrl' ? isCtrlHeld : undefined}
          onPointerDown={keepKeyboard}
          onMouseDown={keepKeyboard}
          onClick={() => {
            onKey(key)
          }}
        >
          {GLYPHS[key as TouchKey] ?? labelOf(t, key)}
        </button>
      ))}
    </div>
  )
}

/** The keyboard stays in the terminal, so that the one on the screen stays there, too. */
function keepKeyboard(event: Pick<PointerEvent, 'preventDefault'>): void {
  event.preventDefault()
}

function labelOf(t: Translate, key: TouchKey | 'copy' | 'paste'): string {
  switch (key) {
    case '|':
    case '/':
    case '-':
    case '~':
      return key
    default:
      return t(`keybar.${key}`)
  }
}
