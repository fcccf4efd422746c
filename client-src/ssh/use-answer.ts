/** What the host answers to something that a dialog asks when it opens. */
import { useEffect, useState } from 'react'

export type AnswerState<T> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'here'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }

export function useAnswer<T>(ask: () => Promise<T>): [AnswerState<T>, (next: Promise<T>) => void] {
  const [state, setState] = useState<AnswerState<T>>({ kind: 'waiting' })
  const follow = (answer: Promise<T>, isWanted: () => boolean): void => {
    answer.then(
      (value) => {
        if (isWanted()) setState({ kind: 'here', value })
      },
      (error: unknown) => {
        if (isWanted()) setState({ kind: 'failed', error })
      },
    )
  }
  useEffect(() => {
    let isMounted = true
    follow(ask(), () => isMounted)
    return () => {
      isMounted = false
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- asked once, when it opens
  }, [])
  return [
    state,
    (next) => {
      follow(next, () => true)
    },
  ]
}
