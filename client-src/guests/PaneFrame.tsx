/** A pane of another plugin beside a terminal: its bar, its edge, and the plugin's element in it. */
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { PaneActions, PaneFrameProps } from '../panel/PaneSlot.tsx'
import { IconButton } from '../panel/IconButton.tsx'
import { useDrag } from '../panel/use-drag.ts'
import type { Translate } from '../locales.ts'
import type { Pane } from '../stores/pane-store.ts'
import { paneRange, paneSize, within, type PaneRange } from './pane-size.ts'
import css from './PaneFrame.module.css'

const STEP_PX = 24

export function PaneFrame({ kit, t, pane, actions }: PaneFrameProps) {
  const { id, title, hint, side, isCollapsed, element } = pane
  const frame = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(0)
  const [preview, setPreview] = useState<number | null>(null)
  useLayoutEffect(() => {
    const split = frame.current?.parentElement
    if (split === null || split === undefined) return
    const measure = (): void => {
      setRoom(side === 'right' ? split.clientWidth : split.clientHeight)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(split)
    return () => {
      observer.disconnect()
    }
  }, [side])
  useLayoutEffect(() => {
    content.current?.append(element)
    return () => {
      element.remove()
    }
  }, [element])
  const size = preview ?? paneSize(room, pane)
  const contentId = `dsh-tty-pane-${String(id)}`
  return (
    <section
      ref={frame}
      className={css['frame']}
      aria-label={title}
      style={isCollapsed ? {} : side === 'right' ? { width: size } : { height: size }}
      data-tty-pane={side}
      data-collapsed={isCollapsed}
    >
      {isCollapsed ? null : (
        <PaneEdge
          label={t('pane.resize', { title })}
          pane={pane}
          range={paneRange(room, pane)}
          size={size}
          controls={contentId}
          onPreview={setPreview}
          actions={actions}
        />
      )}
      <PaneBar kit={kit} t={t} pane={pane} controls={contentId} actions={actions} />
      {hint === null || isCollapsed ? null : (
        <p className={css['hint']} title={hint}>
          {hint}
        </p>
      )}
      <div ref={content} id={contentId} className={css['content']} hidden={isCollapsed} data-tty-guest="" />
    </section>
  )
}

function PaneBar(props: Pick<PaneFrameProps, 'kit' | 'actions' | 'pane'> & { t: Translate; controls: string }) {
  const { kit, t, pane, controls, actions } = props
  const { id, title, side, isCollapsed } = pane
  const label = isCollapsed ? t('pane.expand', { title }) : t('pane.collapse', { title })
  return (
    <header className={css['bar']}>
      <button
        type="button"
        className={css['fold']}
        aria-label={label}
        title={label}
        aria-expanded={!isCollapsed}
        aria-controls={controls}
        onClick={() => {
          actions.collapse(id, !isCollapsed)
        }}
      >
        <FoldGlyph side={side} isCollapsed={isCollapsed} />
        <span className={css['title']}>{title}</span>
      </button>
      <IconButton
        label={t('pane.close', { title })}
        onClick={() => {
          actions.close(id)
        }}
      >
        <kit.CloseIcon size={12} />
      </IconButton>
    </header>
  )
}

interface PaneEdgeProps {
  readonly label: string
  readonly pane: Pane
  readonly range: PaneRange
  readonly size: number
  readonly controls: string
  readonly onPreview: (size: number | null) => void
  readonly actions: PaneActions
}

function PaneEdge({ label, pane, range, size, controls, onPreview, actions }: PaneEdgeProps) {
  const { id, side } = pane
  const latest = useRef(size)
  const drag = useDrag(
    () => {
      latest.current = size
      return (dx, dy) => {
        latest.current = within(range, size - (side === 'right' ? dx : dy))
        onPreview(latest.current)
      }
    },
    () => {
      onPreview(null)
      actions.resize(id, latest.current)
    },
  )
  const handleKey = (event: KeyboardEvent): void => {
    const [larger, smaller] = side === 'right' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
    const { key } = event
    if (key === 'Enter') actions.collapse(id, true)
    else if (key === larger) actions.resize(id, within(range, size + STEP_PX))
    else if (key === smaller) actions.resize(id, within(range, size - STEP_PX))
    else if (key === 'Home') actions.resize(id, range.least)
    else if (key === 'End') actions.resize(id, range.most)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      className={css['edge']}
      // A splitter that takes the keyboard; a rule does not.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="separator"
      aria-orientation={side === 'right' ? 'vertical' : 'horizontal'}
      aria-label={label}
      aria-controls={controls}
      aria-valuenow={size}
      aria-valuemin={range.least}
      aria-valuemax={range.most}
      tabIndex={0}
      {...drag}
      onKeyDown={handleKey}
    />
  )
}

/** Points to where the content goes, or comes from. */
function FoldGlyph({ side, isCollapsed }: { side: Pane['side']; isCollapsed: boolean }) {
  const turn = (side === 'right' ? 0 : 90) + (isCollapsed ? 180 : 0)
  return (
    <svg className={css['glyph']} viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
      <path
        d="M6 3.5 10.5 8 6 12.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
        transform={`rotate(${String(turn)} 8 8)`}
      />
    </svg>
  )
}
