/** What the host knows beside the settings themselves, while somebody looks: asked for again when it may have become otherwise. */
import { useEffect, useState } from 'react'
import type { SettingFactsReply } from '../../protocol-src/http-routes.ts'

/** Resolves with null when there is no answer; never rejects. */
export type AskSettingFacts = () => Promise<SettingFactsReply | null>

const NONE: SettingFactsReply = { fileProblem: null, suggestions: {} }
/** Nobody tells of a file that cannot be read: it is looked at while the card is open. */
const LOOK_MS = 3_000

export function useSettingFacts(ask: AskSettingFacts, isOpen: boolean): SettingFactsReply {
  const [facts, setFacts] = useState(NONE)
  useEffect(() => {
    if (!isOpen) return
    let isOver = false
    const look = (): void => {
      if (document.visibilityState === 'hidden') return
      void ask().then((answer) => {
        if (answer !== null && !isOver) setFacts(answer)
      })
    }
    look()
    const timer = setInterval(look, LOOK_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      isOver = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [ask, isOpen])
  return facts
}
