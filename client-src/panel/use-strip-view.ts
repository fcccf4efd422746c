/** What of the strip is on screen: where more of it is, and which tabs are not really visible. */
import { useEffect, useState, type RefObject } from 'react'
import type { TabKey } from '../stores/tab-store.ts'

/** Less of a tab than this tells nobody what it is. */
const SEEN_PX = 40

export interface StripView {
  /** `left`, `right`, both or neither. */
  readonly edges: string
  readonly hidden: readonly TabKey[]
}

/** @param tabs changes whenever a tab may have another place or width */
export function useStripView(strip: RefObject<HTMLElement | null>, tabs: unknown): StripView & { look: () => void } {
  const [view, setView] = useState<StripView>({ edges: '', hidden: [] })
  const look = (): void => {
    if (strip.current === null) return
    const next = viewOf(strip.current)
    setView((before) => (before.edges === next.edges && String(before.hidden) === String(next.hidden) ? before : next))
  }
  useEffect(() => {
    const element = strip.current
    if (element === null) return
    const observer = new ResizeObserver(look)
    for (const tab of element.children) observer.observe(tab)
    look()
    return () => {
      observer.disconnect()
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `look` is the same to look at
  }, [strip, tabs])
  useEffect(() => {
    const element = strip.current
    if (element === null) return
    const observer = new ResizeObserver(() => {
      // What was in view may be so no more.
      element.querySelector('[data-active="true"]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
      look()
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `look` is the same to look at
  }, [strip])
  return { ...view, look }
}

function viewOf(strip: HTMLElement): StripView {
  const hasLeft = strip.scrollLeft > 1
  const hasRight = strip.scrollLeft + strip.clientWidth < strip.scrollWidth - 1
  const bounds = strip.getBoundingClientRect()
  const hidden = Array.from(strip.querySelectorAll<HTMLElement>('[data-tty-tab]')).filter((tab) => {
    const { left, right, width } = tab.getBoundingClientRect()
    return Math.min(right, bounds.right) - Math.max(left, bounds.left) < Math.min(SEEN_PX, width)
  })
  return {
    edges: `${hasLeft ? 'left' : ''} ${hasRight ? 'right' : ''}`.trim(),
    hidden: hidden.map((tab) => tab.dataset['ttyTab'] as TabKey),
  }
}
