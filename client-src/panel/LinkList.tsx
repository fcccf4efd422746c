/** The links on screen for who uses no mouse: each with its whole address, opened with Enter. */
import { useEffect, useRef, type KeyboardEvent } from 'react'
import type { Translate } from '../locales.ts'
import css from './Links.module.css'
import { Address } from './LinkTip.tsx'

export function LinkList(props: {
  t: Translate
  links: readonly string[]
  onOpen: (href: string) => void
  onClose: () => void
  /** The keyboard goes back to the terminal. */
  onLeave: () => void
}) {
  const { t, links, onOpen, onClose, onLeave } = props
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus()
    return onClose
  }, [links, onClose])
  const handleKey = (event: KeyboardEvent): void => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]
    const at = items.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (next !== undefined) items.at(next % items.length)?.focus()
    else if (event.key === 'Escape' || event.key === 'Tab') onLeave()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={list}
      className={css['list']}
      role="menu"
      aria-label={t('links')}
      tabIndex={-1}
      data-tty-links={links.length}
      onKeyDown={handleKey}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onClose()
      }}
    >
      {links.length === 0 ? (
        <div role="menuitem" aria-disabled="true" tabIndex={-1} className={css['none']}>
          {t('links.none')}
        </div>
      ) : null}
      {links.map((href) => (
        <button
          key={href}
          type="button"
          role="menuitem"
          className={css['item']}
          tabIndex={-1}
          onClick={() => {
            onOpen(href)
            onLeave()
          }}
        >
          <Address href={href} />
        </button>
      ))}
    </div>
  )
}
