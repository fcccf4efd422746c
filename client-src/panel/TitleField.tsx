/** Where a tab's name is typed. */
import { useEffect, useRef } from 'react'
import css from './TabBar.module.css'

const MAX_TITLE_CHARS = 120
const MIN_FIELD_PX = 72

/** @param onDone gets the new title, or undefined when it stays */
export function TitleField(props: {
  label: string
  title: string
  width: number
  onDone: (title: string | undefined) => void
}) {
  const { label, title, width, onDone } = props
  const field = useRef<HTMLInputElement>(null)
  const isDone = useRef(false)
  useEffect(() => {
    field.current?.select()
  }, [])
  const finish = (value: string | undefined): void => {
    if (isDone.current) return
    isDone.current = true
    onDone(value)
  }
  return (
    <input
      ref={field}
      className={css['field']}
      style={{ width: Math.max(MIN_FIELD_PX, width - 10) }}
      aria-label={label}
      defaultValue={title}
      maxLength={MAX_TITLE_CHARS}
      // The field appears because somebody asked to type into it.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      onBlur={(event) => {
        finish(event.currentTarget.value.trim())
      }}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
        // The terminal gets the focus at once, and would get the rest of this press.
        event.preventDefault()
        finish(event.key === 'Enter' ? event.currentTarget.value.trim() : undefined)
      }}
    />
  )
}
