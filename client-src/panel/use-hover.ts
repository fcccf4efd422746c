/** What the pointer rests on: not at once, so that passing by shows nothing, and a little longer, so that it can move over. */
import { useEffect, useRef, useState } from 'react'

const REST_MS = 200
const LINGER_MS = 150

export interface Hover {
  readonly onPointerEnter: () => void
  readonly onPointerLeave: () => void
}

export function useHover(): { id: number | null; on: (id: number) => Hover; hide: () => void } {
  const [id, setId] = useState<number | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>()
  useEffect(
    () => () => {
      clearTimeout(timer.current)
    },
    [],
  )
  const later = (next: number | null, ms: number): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setId(next)
    }, ms)
  }
  return {
    id,
    hide: () => {
      later(null, 0)
    },
    on: (entered) => ({
      onPointerEnter: () => {
        later(entered, id === null ? REST_MS : 0)
      },
      onPointerLeave: () => {
        later(null, LINGER_MS)
      },
    }),
  }
}
