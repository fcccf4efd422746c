/** The arrow beside "+": there when there is more to open than a plain terminal. */
import { useRef, useState } from 'react'
import type { Translate } from '../locales.ts'
import { IconButton } from './IconButton.tsx'
import { DownGlyph } from './icons.tsx'
import { NewTabMenu } from './NewTabMenu.tsx'
import type { PanelProps } from './props.ts'
import css from './TabBar.module.css'

export function MoreWays({ t, usePlus, onOpen }: { t: Translate; usePlus: PanelProps['usePlus']; onOpen: () => void }) {
  const sections = usePlus((all) => all)
  const button = useRef<HTMLSpanElement>(null)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  if (sections.length === 0) return null
  return (
    <span ref={button} className={css['more']}>
      <IconButton
        label={t('tab.new.more')}
        isMenu
        isExpanded={anchor !== null}
        onClick={() => {
          setAnchor(anchor === null ? button.current : null)
        }}
      >
        <DownGlyph />
      </IconButton>
      {anchor === null ? null : (
        <NewTabMenu
          t={t}
          sections={sections}
          anchor={anchor}
          onOpen={onOpen}
          onClose={() => {
            setAnchor(null)
          }}
        />
      )}
    </span>
  )
}
