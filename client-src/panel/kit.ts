/** The app's own controls, handed in from outside: the panel uses them and does not know whose they are. */
import type { MouseEventHandler, ReactElement, ReactNode } from 'react'

export interface Kit {
  readonly Button: (props: {
    variant: 'primary' | 'ghost' | 'outline'
    className?: string
    onClick: MouseEventHandler<HTMLButtonElement>
    children: ReactNode
  }) => ReactNode
  /** A dialog over everything; Escape and a press beside it call `onClose`. */
  readonly Modal: (props: {
    open: boolean
    title: string
    closeLabel: string
    description?: string
    onClose: () => void
    children?: ReactNode
    footer?: ReactNode
  }) => ReactNode
  readonly Tooltip: (props: {
    label: string
    delayMs: number
    disabled: boolean
    children: ReactElement<object>
  }) => ReactNode
  readonly PlusIcon: (props: { size: number }) => ReactNode
  readonly CloseIcon: (props: { size: number }) => ReactNode
}
