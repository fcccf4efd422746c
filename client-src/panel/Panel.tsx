/** The panel: a dock at the bottom, a window over the app, or all of it. */
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { panelKey } from '../keys.ts'
import { say, type Translate } from '../locales.ts'
import type { PanelModel, TabModel } from '../stores/panel-model.ts'
import { modeOf, windowRectIn, type PanelMode, type PanelState } from '../stores/panel-store.ts'
import { CloseDialog } from './CloseDialog.tsx'
import { FindSlot } from './FindBar.tsx'
import { HelpDialog } from './HelpDialog.tsx'
import { DockHandle, WindowHandles } from './Handles.tsx'
import { IconButton } from './IconButton.tsx'
import { JournalLine } from './JournalLine.tsx'
import {
  DockGlyph,
  FindGlyph,
  FloatGlyph,
  HiddenGlyph,
  MaximiseGlyph,
  MinimiseGlyph,
  RestoreGlyph,
  VisibleGlyph,
} from './icons.tsx'
import type { Kit } from './kit.ts'
import { NoticeList } from './NoticeList.tsx'
import { PaneSlot } from './PaneSlot.tsx'
import { Popups } from './Popups.tsx'
import popup from './Popup.module.css'
import type { PanelActions, PanelProps } from './props.ts'
import { TabBar } from './TabBar.tsx'
import { TerminalPane } from './TerminalPane.tsx'
import { useDrag } from './use-drag.ts'
import { useGeometry } from './use-geometry.ts'
import css from './Panel.module.css'

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
  const root = useRef<HTMLElement>(null)
  const [isAsking, setAsking] = useState(false)
  const [isHelping, setHelping] = useState(false)
  const { dockHeight, rect, maxDockHeight, preview } = useGeometry(state)
  const tab = model.tabs.find(({ key }) => key === model.active)
  useOutsidePress(mode === 'floating' && !isAsking, { root, onOutside: actions.minimise })

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
    if (event.key !== 'Escape' || mode !== 'floating' || isAsking || isElsewhere || event.defaultPrevented) return
    event.preventDefault()
    actions.minimise()
  }
  const close = (): void => {
    if (model.tabs.some(({ dot }) => dot !== 'done' && dot !== 'failed' && dot !== 'over')) setAsking(true)
    else actions.closeAll()
  }

  return (
    // Escape is heard for the whole window, whichever of its controls has the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={root}
      className={css['panel']}
      aria-label={t('panel')}
      tabIndex={-1}
      style={placeOf(mode, { dockHeight, rect })}
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
          onOpen={actions.open}
          onActivate={actions.activate}
          onClose={actions.close}
          onRename={actions.rename}
        />
        <HeaderTools
          kit={kit}
          t={t}
          state={state}
          tab={isForeign ? undefined : tab}
          actions={actions}
          onFind={openFind}
          onHelp={press.help}
          onClose={close}
        />
      </header>
      {isForeign ? <p className={css['empty']}>{t('panel.foreign')}</p> : null}
      {tab === undefined && !isForeign ? <EmptyPanel t={t} onOpen={actions.open} /> : null}
      {tab === undefined || isForeign ? null : (
        <TerminalPane
          t={t}
          tab={tab}
          line={model.line}
          useMarks={useMarks}
          actions={actions}
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
      {isAsking ? (
        <CloseDialog
          kit={kit}
          t={t}
          running={Math.max(1, model.running)}
          onCancel={() => {
            setAsking(false)
          }}
          onMinimise={actions.minimise}
          onEnd={actions.closeAll}
        />
      ) : null}
    </section>
  )
}

function HeaderTools(props: {
  kit: Kit
  t: Translate
  state: PanelState
  tab: TabModel | undefined
  actions: PanelActions
  onFind: PanelProps['popupActions']['openFind']
  onHelp: () => void
  onClose: () => void
}) {
  const { kit, t, state, tab, actions, onFind, onHelp, onClose } = props
  // A press with the mouse leaves the keyboard in the terminal; with the keyboard it stays on the button.
  const giveBack = (event: MouseEvent): void => {
    if (event.detail > 0 && tab !== undefined) actions.activate(tab.key, true)
  }
  const isDocked = state.place === 'docked'
  return (
    <div className={css['tools']}>
      {tab === undefined ? null : (
        <IconButton
          label={t('find')}
          onClick={() => {
            onFind(tab.key)
          }}
        >
          <FindGlyph />
        </IconButton>
      )}
      <IconButton label={t('help')} onClick={onHelp}>
        <span className={css['help']}>?</span>
      </IconButton>
      {tab === undefined || tab.sid === null ? null : (
        <IconButton
          label={tab.isHidden ? t('tab.show') : t('tab.hide')}
          isPressed={tab.isHidden}
          onClick={(event) => {
            actions.setHidden(tab.key, !tab.isHidden)
            giveBack(event)
          }}
        >
          {tab.isHidden ? <HiddenGlyph /> : <VisibleGlyph />}
        </IconButton>
      )}
      <IconButton
        label={isDocked ? t('panel.float') : t('panel.dock')}
        onClick={(event) => {
          actions.setPlace(isDocked ? 'floating' : 'docked')
          giveBack(event)
        }}
      >
        {isDocked ? <FloatGlyph /> : <DockGlyph />}
      </IconButton>
      <IconButton
        label={state.maximised ? t('panel.restore') : t('panel.maximise')}
        onClick={(event) => {
          actions.setMaximised(!state.maximised)
          giveBack(event)
        }}
      >
        {state.maximised ? <RestoreGlyph /> : <MaximiseGlyph />}
      </IconButton>
      <IconButton label={t('panel.minimise')} onClick={actions.minimise}>
        <MinimiseGlyph />
      </IconButton>
      <IconButton label={t('panel.close')} onClick={onClose} isDanger>
        <kit.CloseIcon size={14} />
      </IconButton>
    </div>
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

/** What a person who cannot see the panel should hear. */
function announcement(t: Translate, { tabs, active, line, journal, notices }: PanelModel): string {
  const tab = tabs.find(({ key }) => key === active)
  const cover = tab?.cover?.kind === 'failed' ? tab.cover.message : null
  const messages = [line?.message, cover, tab?.strip?.message, notices.at(-1)?.message, journal]
  return messages.flatMap((message) => (message === undefined || message === null ? [] : say(t, message))).join(' ')
}

function placeOf(mode: PanelMode, { dockHeight, rect }: Pick<ReturnType<typeof useGeometry>, 'dockHeight' | 'rect'>) {
  if (mode === 'docked') return { height: dockHeight }
  if (mode === 'maximised') return {}
  return { left: rect.x, top: rect.y, width: rect.width, height: rect.height }
}

/** Hide the window when somebody presses beside it. What lies above the app (dialogs, menus) is not beside it. */
function useOutsidePress(
  isActive: boolean,
  { root, onOutside }: { root: { readonly current: HTMLElement | null }; onOutside: () => void },
): void {
  useEffect(() => {
    if (!isActive) return
    const handle = (event: PointerEvent): void => {
      const target = event.target as Element
      const isBeside = target.closest('#root') !== null && root.current?.contains(target) === false
      if (isBeside && target.closest('[data-tty-entry]') === null) onOutside()
    }
    document.addEventListener('pointerdown', handle, true)
    return () => {
      document.removeEventListener('pointerdown', handle, true)
    }
  }, [isActive, root, onOutside])
}
