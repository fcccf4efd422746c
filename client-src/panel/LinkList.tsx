/** The links on screen for who uses no mouse: each with its whole address, opened with Enter. */
import { useEffect, useState } from 'react'
import type { Translate } from '../locales.ts'
import { Address } from './LinkTip.tsx'
import { Menu } from './Menu.tsx'
import type { Point } from './place.ts'

const INSET_PX = 12

export function LinkList(props: {
  t: Translate
  links: readonly string[]
  onOpen: (href: string) => void
  onClose: () => void
  /** The keyboard goes back to the terminal. */
  onLeave: () => void
}) {
  const { t, links, onOpen, onClose, onLeave } = props
  const [corner] = useState(cornerOfPane)
  useEffect(() => onClose, [onClose])
  const items = links.map((href) => ({
    key: href,
    label: href,
    content: <Address href={href} />,
    onSelect: () => {
      onOpen(href)
      onLeave()
    },
  }))
  const none = { key: 'none', label: t('links.none'), isDisabled: true, onSelect: onLeave }
  return (
    <Menu
      name="links"
      label={t('links')}
      items={links.length === 0 ? [none] : items}
      anchor={corner}
      onClose={onClose}
    />
  )
}

/** Where the list is in nobody's way: the terminal's lower right. */
function cornerOfPane(): Point {
  const pane = document.getElementById('dsh-tty-pane')?.getBoundingClientRect()
  return { x: (pane?.right ?? window.innerWidth) - INSET_PX, y: (pane?.bottom ?? window.innerHeight) - INSET_PX }
}
