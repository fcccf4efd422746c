/** A small square button with a glyph; its label is its tooltip and its accessible name. */
import type { MouseEvent, ReactNode } from 'react'
import css from './IconButton.module.css'

export function IconButton(props: {
  label: string
  onClick: (event: MouseEvent) => void
  isDanger?: boolean
  /** For a button that stays pressed. */
  isPressed?: boolean
  /** For a button that opens a menu. */
  isMenu?: boolean
  isExpanded?: boolean
  className?: string
  children: ReactNode
}) {
  const { label, onClick, isDanger = false, isPressed, isMenu, isExpanded, className, children } = props
  return (
    <button
      type="button"
      className={[css['button'], isDanger ? css['danger'] : '', className ?? ''].join(' ')}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      aria-haspopup={isMenu === true ? 'menu' : undefined}
      aria-expanded={isExpanded}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
