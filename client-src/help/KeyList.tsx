/** Every key of the panel and what it does, from the one table of them. */
import { BINDINGS, isMac, type Keys } from '../keys.ts'
import type { Translate } from '../locales.ts'
import css from './KeyList.module.css'

const MAC_SIGNS = [
  ['Ctrl+', '⌃'],
  ['Shift+', '⇧'],
  ['Cmd+', '⌘'],
] as const

export function KeyList({ t }: { t: Translate }) {
  return (
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
