/** A dialog of the app that holds the keyboard: Escape closes it alone, and not what lies under it. */
import { useEffect, useRef, type ReactNode } from 'react'
import { holdKeyboard } from '../panel/hold-keyboard.ts'
import type { Kit } from '../panel/kit.ts'
import css from './ssh.module.css'

export function Dialog(props: {
  kit: Kit
  title: string
  closeLabel: string
  onClose: () => void
  /** What is said of it to somebody who looks for it. */
  name: string
  children: ReactNode
  footer: ReactNode
}) {
  const { kit, title, closeLabel, onClose, name, children, footer } = props
  const body = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    const dialog = body.current?.closest<HTMLElement>('[role="dialog"]') ?? null
    if (dialog === null) return
    // The app's dialogs hear Escape at the document, those under this one, too.
    const handleKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.isComposing) return
      event.stopPropagation()
      event.preventDefault()
      close.current()
    }
    dialog.addEventListener('keydown', handleKey)
    const first = body.current?.querySelector<HTMLElement>('[data-tty-first]') ?? null
    const release = holdKeyboard(dialog, first ?? body.current?.querySelector('input, select, button') ?? null)
    return () => {
      dialog.removeEventListener('keydown', handleKey)
      release()
    }
  }, [])
  return (
    <kit.Modal open title={title} closeLabel={closeLabel} onClose={onClose} footer={footer}>
      <div ref={body} className={css['body']} data-tty-confirm="" data-tty-ssh={name}>
        {children}
      </div>
    </kit.Modal>
  )
}
