/** The panel: a dock at the bottom, a window over the app, or all of it. */
import { useRef, useState, type CSSProperties, type KeyboardEvent } from 'react'
import { panelKey } from '../keys.ts'
import type { Translate } from '../locales.ts'
import type { PanelModel } from '../stores/panel-model.ts'
import { modeOf, windowRectIn, type PanelMode, type PanelState } from '../stores/panel-store.ts'
import { announcement } from './announcement.ts'
import { CloseDialog } from './CloseDialog.tsx'
import { FindSlot } from './FindBar.tsx'
import { FirstHint } from './FirstHint.tsx'
import { HelpDialog } from './HelpDialog.tsx'
import { DockHandle, WindowHandles } from './Handles.tsx'
import { HeaderTools } from './HeaderTools.tsx'
import { JournalLine } from './JournalLine.tsx'
import { NoticeList } from './NoticeList.tsx'
import { PaneSlot } from './PaneSlot.tsx'
import { Popups } from './Popups.tsx'
import popup from './Popup.module.css'
import type { PanelProps } from './props.ts'
import { SshBar } from './SshSlot.tsx'
import { TabBar } from './TabBar.tsx'
import { TerminalPane } from './TerminalPane.tsx'
import { useClosing } from './use-closing.ts'
import { useDrag } from './use-drag.ts'
import { useGeometry } from './use-geometry.ts'
import { useKeyboardInset } from './use-keyboard-inset.ts'
import { useOutsidePress } from './use-outside-press.ts'
import css from './Panel.module.css'

/** Below this width the buttons would leave the tabs no room. */
const NARROW_PX = 460

export function Panel({ usePanel, useModel, ...rest }: PanelProps) {
  const state = usePanel((panel) => panel)
  const model = useModel((all) => all)
  if (!state.open) return null
  return <OpenPanel {...rest} state={state} model={model} />
}

interface OpenPanelProps extends Omit<PanelProps, 'usePanel' | 'useModel'> {
  readonly state: PanelState
  readonly model: PanelModel
}

function OpenPanel({ state, model, ...props }: OpenPanelProps) {
  const { kit, t, useMarks, actions, help, isForeign } = props
  const mode = modeOf(state)
  const isHinting = props.useHint((isDue) => isDue)
  const inset = useKeyboardInset()
  const root = useRef<HTMLElement>(null)
  const { question, closeTabs, closePanel, cancel } = useClosing(model.tabs, actions)
  const [isHelping, setHelping] = useState(false)
  const { dockHeight, rect, maxDockHeight, preview } = useGeometry(state)
  const tab = model.tabs.find(({ key }) => key === model.active)
  useOutsidePress(mode === 'floating' && question === null, { root, onOutside: actions.minimise })

  const latest = useRef(rect)
  const move = useDrag(
    (event) => {
      const isControl = (event.target as Element).closest('button, input, [role="tab"]') !== null
      if (mode !== 'floating' || isControl) return null
      latest.current = rect
      return (dx, dy) => {
        const view = { width: window.innerWidth, height: window.innerHeight }
        latest.current = windowRectIn(view, { ...rect, x: rect.x + dx, y: rect.y + dy })
        preview({ rect: latest.current })
      }
    },
    () => {
      preview(null)
      actions.setRect(latest.current)
    },
  )
  const { openFind, listLinks, zoom } = props.popupActions
  const press = {
    find: openFind,
    links: listLinks,
    zoomIn: () => {
      zoom(1)
    },
    zoomOut: () => {
      zoom(-1)
    },
    zoomReset: () => {
      zoom('reset')
    },
    help: () => {
      setHelping(true)
    },
  }
  const handleKey = (event: KeyboardEvent): void => {
    const target = event.target as Element
    // React brings the keys of dialogs here too; there Escape means the dialog. What another plugin shows has its own.
    if (target.closest('[role="dialog"], [data-tty-guest]') !== null) return
    const isTyping = target.closest('[data-tty-holder], [data-tty-mark], input') !== null
    const binding = isForeign ? null : panelKey(event, isTyping ? 'terminal' : 'panel')
    if (binding !== null && tab !== undefined) {
      event.preventDefault()
      press[binding](tab.key)
      return
    }
    const isElsewhere = target.closest('[data-tty-holder]') !== null
    if (event.key !== 'Escape' || mode !== 'floating' || question !== null || isElsewhere || event.defaultPrevented)
      return
    event.preventDefault()
    actions.minimise()
  }

  return (
    // Escape is heard for the whole window, whichever of its controls has the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={root}
      className={css['panel']}
      aria-label={t('panel')}
      tabIndex={-1}
      style={aboveKeyboard(placeOf(mode, { dockHeight, rect }), inset)}
      data-tty-panel={mode}
      data-tty-tab={tab?.key}
      data-tty-sid={tab?.sid ?? undefined}
      data-tty-state={tab?.dot}
      data-tty-driver={tab?.isDriver}
      data-tty-cols={tab?.size.cols}
      data-tty-rows={tab?.size.rows}
      data-tty-renderer={tab?.renderer}
      onKeyDown={handleKey}
    >
      {mode === 'docked' ? (
        <DockHandle
          label={t('panel.resize')}
          height={dockHeight}
          maxHeight={maxDockHeight}
          onPreview={(height) => {
            preview(height === null ? null : { dockHeight: height })
          }}
          onCommit={actions.setDockHeight}
        />
      ) : null}
      <header
        className={css['header']}
        {...move}
        onDoubleClick={(event) => {
          if (event.target === event.currentTarget) actions.setMaximised(!state.maximised)
        }}
      >
        <TabBar
          kit={kit}
          t={t}
          tabs={model.tabs}
          active={model.active}
          limit={limitOf(t, model)}
          usePlus={props.usePlus}
          actions={actions}
          onClose={closeTabs}
        />
        <HeaderTools
          kit={kit}
          t={t}
          state={state}
          isNarrow={(mode === 'floating' ? rect.width : window.innerWidth) < NARROW_PX}
          tab={isForeign ? undefined : tab}
          actions={actions}
          onFind={openFind}
          onHelp={press.help}
          onClose={closePanel}
        />
      </header>
      {isHinting && tab !== undefined && !isForeign ? (
        <FirstHint kit={kit} t={t} onDismiss={actions.dismissHint} />
      ) : null}
      {isForeign ? <p className={css['empty']}>{t('panel.foreign')}</p> : null}
      {tab === undefined && !isForeign ? <EmptyPanel t={t} onOpen={actions.open} /> : null}
      {tab === undefined || isForeign ? null : (
        <TerminalPane
          t={t}
          tab={tab}
          line={model.line}
          useMarks={useMarks}
          actions={actions}
          above={tab.connection === null ? null : <SshBar t={t} ssh={props.ssh} connection={tab.connection} />}
          onHostKeys={actions.showHostKeys}
          beside={<PaneSlot kit={kit} t={t} tab={tab.key} panes={props.panes} />}
        >
          {/* Among the marks, which have the same number for a key. */}
          <FindSlot key={`find-${String(tab.viewId)}`} {...props} tab={tab.key} activate={actions.activate} />
        </TerminalPane>
      )}
      <NoticeList kit={kit} t={t} notices={model.notices} onDismiss={actions.dismissNotice} />
      {model.journal === null || isForeign ? null : (
        <JournalLine kit={kit} t={t} message={model.journal} onDismiss={actions.dismissJournal} />
      )}
      <output className={popup['unseen']} aria-live="polite">
        {announcement(t, model)}
      </output>
      {mode === 'floating' ? (
        <WindowHandles
          label={t('panel.resizeWindow')}
          rect={rect}
          onPreview={(next) => {
            preview(next === null ? null : { rect: next })
          }}
          onCommit={actions.setRect}
        />
      ) : null}
      <Popups {...props} tab={tab?.key ?? null} />
      {isHelping ? (
        <HelpDialog
          kit={kit}
          t={t}
          help={help}
          onClose={() => {
            setHelping(false)
          }}
        />
      ) : null}
      {question === null ? null : (
        <CloseDialog
          kit={kit}
          t={t}
          loss={question.loss}
          onCancel={cancel}
          {...(question.isPanel ? { onMinimise: actions.minimise } : {})}
          onEnd={question.onEnd}
        />
      )}
    </section>
  )
}

function EmptyPanel({ t, onOpen }: { t: Translate; onOpen: () => void }) {
  return (
    <div className={css['empty']}>
      <span>{t('panel.empty')}</span>
      <button type="button" className={css['open']} onClick={onOpen}>
        {t('tab.new')}
      </button>
    </div>
  )
}

function limitOf(t: Translate, { hostLive, maxSessions }: PanelModel): string | null {
  if (hostLive === null || hostLive < maxSessions) return null
  return t('tab.new.limit', { live: hostLive, max: maxSessions })
}

/** What an on-screen keyboard would cover moves up, as far as there is room. */
function aboveKeyboard(place: CSSProperties, inset: number): CSSProperties {
  if (inset === 0) return place
  const room = window.innerHeight - inset
  return { ...place, top: 'auto', bottom: inset, height: Math.min(Number(place.height ?? room), room) }
}

function placeOf(mode: PanelMode, { dockHeight, rect }: Pick<ReturnType<typeof useGeometry>, 'dockHeight' | 'rect'>) {
  if (mode === 'docked') return { height: dockHeight }
  if (mode === 'maximised') return {}
  return { left: rect.x, top: rect.y, width: rect.width, height: rect.height }
}
