/**
 * The browser half of the terminal. Assembly only: what is contributed to the app, and what each part is made of.
 *
 * Contributes a sidebar entry, the panel, two dictionaries and one key (Ctrl+`). Nothing here may throw or wait: an entry
 * that does takes the whole page with it.
 */
import {
  Button,
  DisclosureRow,
  IconCloseOutline16,
  IconPlusOutline16,
  Modal,
  TerminalBlock,
  Tooltip,
  writeClipboard,
} from '@deepseek-ai/dsh-client-ui-primitives'
import type { ConnectionHandle } from '@deepseek-ai/dsh-client-connection/client'
import type {} from '@deepseek-ai/dsh-client-locale/client'
import type { ClientContext } from '@deepseek-ai/dsh-client-runtime/client'
import type {} from '@deepseek-ai/dsh-client-ui-layout/client'
import type {} from '@deepseek-ai/dsh-client-ui-sidebar/client'
import type {} from '@deepseek-ai/dsh-client-ui-theme/client'
import { browserClock } from './connection/clock.ts'
import { HostLink } from './connection/host-link.ts'
import type { WebSocketLike } from './connection/socket.ts'
import { ticketSource } from './connection/ticket.ts'
import { en, NS, zh, type LateKey, type TtyKey } from './locales.ts'
import type { HelpModule } from './panel/HelpDialog.tsx'
import { Panel } from './panel/Panel.tsx'
import type { Kit } from './panel/kit.ts'
import type { PanelActions, PopupActions } from './panel/props.ts'
import { ToolRow, type RowKit } from './panel/ToolRow.tsx'
import { TerminalEntry } from './panel/TerminalEntry.tsx'
import { TERMINAL_TOOLS } from '../protocol-src/tool-rows.ts'
import { modelTextSchema, RPC_CHANNEL, RPC_MODEL_TEXT, WS_PATH } from '../protocol-src/http-routes.ts'
import { clientIdSchema, encodeRandomId, type SessionId } from '../protocol-src/ids.ts'
import { SCRIPT_REVISIONS, SHARED_MODULES } from './services/built-scripts.ts'
import { emulatorScript } from './services/emulator.ts'
import { beep } from './services/bell.ts'
import { compose, type AppServices } from './services/composer.ts'
import { failureQuestion } from './services/failure-question.ts'
import { LazyView } from './services/lazy-view.ts'
import { leftBehindSection } from './services/left-behind.ts'
import { isFramedByForeignPage, onToggleKey, onWake, openLink, socketUrl, whenIdle } from './services/page.ts'
import { PageScript, type PageScriptPorts } from './services/page-script.ts'
import { pagePortsOf, popupActionsOf } from './services/popup-ports.ts'
import type { TabSessionsPorts } from './services/tab-sessions.ts'
import { TerminalTabs, type TerminalTabsPorts } from './services/terminal-tabs.ts'
import { provideServices } from './services-entry.ts'
import { contributeSsh } from './ssh-entry.ts'
import { contributeSettings } from './settings-entry.ts'
import { HintStore } from './stores/hint-store.ts'
import { PanelStore } from './stores/panel-store.ts'
import { PlusSections } from './stores/plus-sections.ts'
import { PopupStore } from './stores/popup-store.ts'
import { safeStorage } from './stores/storage.ts'
import { TabStore } from './stores/tab-store.ts'
import { ZoomStore } from './stores/zoom-store.ts'
import type { PagePorts } from './terminal/page-ports.ts'
import type * as webglScript from './webgl/webgl-script.ts'

declare module '@deepseek-ai/dsh-client-ui-slots' {
  interface LocaleNamespaceMap {
    tty: TtyKey | LateKey
  }
}

const KIT: Kit = { Button, Modal, Tooltip, PlusIcon: IconPlusOutline16, CloseIcon: IconCloseOutline16 }

type AllWords = Readonly<Record<TtyKey | LateKey, string>>

const ROW_KIT = { DisclosureRow, TerminalBlock } as unknown as RowKit

/** The slot of a tool's row, which a package of its own declares. */
interface ToolRowSlots {
  register(
    slot: { name: 'tool.call.toolview'; key: string; locale: typeof NS; inject: () => object },
    row: typeof ToolRow,
  ): () => void
  inject(name: 'tool.call.toolview', register: () => () => void): void
}

export type * from './services/plugin-contract.ts'

export const name = 'dsh-tty'
export const inject = ['slots', 'locale', 'connection']

export function apply(ctx: ClientContext): void {
  // Some come later, with the script that needs them.
  let words = { zh, en } as Record<'zh' | 'en', AllWords>
  let removeWords = ctx.locale.register(NS, words)
  ctx.effect(
    () => () => {
      removeWords()
    },
    'dsh-tty: dictionaries',
  )
  const addWords = (more: { zh: Partial<AllWords>; en: Partial<AllWords> }): void => {
    words = { zh: { ...words.zh, ...more.zh }, en: { ...words.en, ...more.en } }
    removeWords()
    removeWords = ctx.locale.register(NS, words)
  }

  // The package declares the host's `connection` for both sides.
  const { rpc } = (ctx as unknown as { connection: ConnectionHandle }).connection
  const isForeign = isFramedByForeignPage(window)
  const link = new HostLink({
    clock: browserClock,
    random: Math.random,
    connect: (subProtocols) => new WebSocket(socketUrl(WS_PATH), subProtocols) as unknown as WebSocketLike,
    ticket: ticketSource(({ channel, endpoint, payload, signal }) => rpc.call(channel, endpoint, payload, signal)),
    // Of this page load only: a copied page must be another client.
    clientId: clientIdSchema.parse(encodeRandomId(crypto.getRandomValues(new Uint8Array(16)))),
  })
  const pageStorage = safeStorage(() => window.sessionStorage)
  const shared = safeStorage(() => window.localStorage)
  const panel = new PanelStore({ shared, page: pageStorage })
  const zoom = new ZoomStore(shared)
  const viewSettings = () => {
    const settings = link.settings.getSnapshot()
    return { ...settings, fontSize: zoom.sizeOf(settings.fontSize) }
  }
  const popups = new PopupStore()
  const hint = new HintStore(shared)
  const plus = new PlusSections()
  const scheme = () => ctx.get('theme')?.getTheme().active.colorScheme ?? 'light'
  const scripts: PageScriptPorts = {
    importModule: (url) => import(url) as Promise<unknown>,
    revisions: SCRIPT_REVISIONS,
    shared: SHARED_MODULES,
    whenIdle: isForeign ? () => () => {} : whenIdle,
  }
  const emulator = emulatorScript(scripts)
  const help = new PageScript<HelpModule>(
    'help',
    (exports) => {
      const module = exports as unknown as HelpModule & { readonly words: Parameters<typeof addWords>[0] }
      addWords(module.words)
      return module
    },
    scripts,
  )
  const webgl = new PageScript('webgl', (exports) => exports as unknown as typeof webglScript, scripts)
  // One is of no use for long without the other.
  ctx.effect(
    () =>
      emulator.state.subscribe(() => {
        if (emulator.state.getSnapshot().kind === 'loading') webgl.load()
      }),
    'dsh-tty: renderer',
  )
  const ask: TerminalTabsPorts['ask'] = async (command) => {
    const t = ctx.locale.bind(NS)
    const question = await failureQuestion(t, command, async (text) => {
      const reply = await rpc.call(RPC_CHANNEL, RPC_MODEL_TEXT, { text })
      if (!reply.ok) throw new Error('The host gave no text.')
      return modelTextSchema.parse(reply.value).text
    })
    if (compose(ctx as unknown as AppServices, question)) return 'composer'
    return (await writeClipboard(question)) ? 'clipboard' : null
  }
  const page = { writeClipboard, openLink, webgl, beep, ask }
  const tabs = new TabStore(pageStorage)
  const createView =
    (page: PagePorts): TabSessionsPorts['createView'] =>
    (ports) =>
      new LazyView({
        emulator,
        create: ({ createView }) => createView({ ...ports, ...page }, viewSettings(), scheme()),
        changed: ports.changed,
      })
  const terminals = new TerminalTabs({
    link,
    panel,
    tabs,
    writeClipboard,
    beep,
    ask,
    createView: createView(pagePortsOf(popups, page)),
    currentDirectory: () => currentDirectory(ctx),
    isMirror: true,
  })
  ctx.effect(
    () => () => {
      terminals.dispose()
      emulator.dispose()
      help.dispose()
      webgl.dispose()
      link.dispose()
    },
    'dsh-tty: terminals, scripts and link',
  )

  const guarded =
    <A extends unknown[]>(act: (...args: A) => void) =>
    (...args: A): void => {
      try {
        act(...args)
      } catch (error) {
        terminals.failed(error)
      }
    }
  plus.add(
    leftBehindSection({
      sessions: link.sessions,
      tabs,
      show: guarded((sid: SessionId) => {
        terminals.showSession(sid)
      }),
      end: (sid) => {
        link.close(sid).catch((error: unknown) => {
          terminals.failed(error)
        })
      },
    }),
  )
  const toggle = guarded(() => {
    // In a foreign frame the panel only says why it does not start.
    if (isForeign) panel.setOpen(!panel.getSnapshot().open)
    else terminals.toggle()
  })
  if (isForeign) panel.setOpen(false)
  else {
    link.start()
    ctx.effect(() => onWake(() => link.wake()), 'dsh-tty: wake')
    ctx.on('connection/reset', () => {
      link.retry()
    })
  }
  ctx.effect(() => onToggleKey(toggle), 'dsh-tty: key')
  const { panes, connbar, mountedViews } = provideServices(ctx, {
    ...{ link, panel, tabs, terminals, shared, scripts, isForeign, page, createView },
    kit: KIT,
    currentDirectory: () => currentDirectory(ctx),
  })
  const { ssh, showHostKeys, openList } = contributeSsh(ctx, {
    ...{ link, scripts, plus, connbar, addWords },
    kit: KIT,
    connect: guarded((host) => {
      panel.setOpen(true)
      terminals.open({ spec: { kind: 'ssh', host } })
    }),
    reconnect: guarded((key) => {
      terminals.restart(key)
    }),
  })
  const settingsChanged = (): void => {
    for (const view of [...terminals.views, ...mountedViews()]) view.setSettings(viewSettings())
  }
  ctx.effect(() => link.settings.subscribe(settingsChanged), 'dsh-tty: settings')
  ctx.effect(() => zoom.subscribe(settingsChanged), 'dsh-tty: zoom')
  ctx.on('theme/change', () => {
    // The body carries the new tokens once every listener of this event has run.
    queueMicrotask(() => {
      const state = emulator.state.getSnapshot()
      if (state.kind !== 'ready') return
      for (const view of [...terminals.views, ...mountedViews()]) view.setTheme(state.module.pageTheme(scheme()))
    })
  })

  const actions: PanelActions = {
    open: guarded(() => {
      terminals.open()
    }),
    activate: guarded((key, wantsKeyboard) => {
      terminals.activate(key, wantsKeyboard)
    }),
    rename: guarded((key, title) => {
      terminals.rename(key, title)
    }),
    restart: guarded((key) => {
      terminals.restart(key)
    }),
    retry: guarded((key) => {
      terminals.retry(key)
    }),
    close: guarded((keys, wantsKeyboard) => {
      terminals.close(keys, wantsKeyboard)
    }),
    move: guarded((key, to) => {
      terminals.move(key, to)
    }),
    duplicate: guarded((key) => {
      terminals.duplicate(key)
    }),
    closeAll: guarded(() => {
      terminals.closeAll()
    }),
    minimise: guarded(() => {
      terminals.minimise()
    }),
    setHidden: guarded((key, isHidden) => {
      terminals.setHidden(key, isHidden)
    }),
    dismissStrip: guarded((key) => {
      terminals.dismissStrip(key)
    }),
    dismissNotice: guarded((id) => {
      terminals.dismissNotice(id)
    }),
    dismissJournal: guarded(() => {
      terminals.dismissJournal()
    }),
    showHostKeys: guarded(() => {
      showHostKeys()
    }),
    retryLink: guarded(() => {
      terminals.retryLink()
    }),
    goToMark: guarded((key, direction, from) => {
      terminals.goToMark(key, direction, from)
    }),
    leaveMark: guarded((key) => {
      terminals.leaveMark(key)
    }),
    copyOfMark: (key, mark, what) => terminals.copyOfMark(key, mark, what),
    showMark: guarded((key, mark) => {
      terminals.showMark(key, mark)
    }),
    runAgain: (key, mark) => terminals.runAgain(key, mark),
    askAbout: (key, mark) => terminals.askAbout(key, mark),
    pressKey: guarded((key, touch) => {
      terminals.viewOf(key)?.press(touch)
    }),
    dismissHint: guarded(() => {
      hint.dismiss()
    }),
    clear: guarded((key) => {
      terminals.clear(key)
    }),
    setPlace: guarded((place) => {
      panel.setPlace(place)
    }),
    setMaximised: guarded((isMaximised) => {
      panel.setMaximised(isMaximised)
    }),
    setDockHeight: guarded((height) => {
      panel.setDockHeight(height)
    }),
    setRect: guarded((rect) => {
      panel.setRect(rect)
    }),
    mount: (key, container) => {
      let unmount = (): void => {}
      guarded(() => {
        unmount = terminals.mount(key, container)
      })()
      return guarded(() => {
        unmount()
      })
    },
  }
  const popupActions: PopupActions = {
    ...popupActionsOf(popups, (key) => terminals.viewOf(key), guarded),
    zoom: guarded((step) => {
      zoom.change(step, link.settings.getSnapshot().fontSize)
    }),
  }
  ctx.slots.inject('sidebar.footer.action', () =>
    ctx.slots.register(
      {
        name: 'sidebar.footer.action',
        id: 'tty',
        order: 10,
        locale: NS,
        inject: () => ({ hooks: { panel, model: terminals.model }, kit: KIT, toggle }),
      },
      TerminalEntry,
    ),
  )
  ctx.slots.inject('shell.overlay', () =>
    ctx.slots.register(
      {
        name: 'shell.overlay',
        id: 'tty',
        order: 0,
        locale: NS,
        inject: () => ({
          hooks: { panel, model: terminals.model, marks: terminals.marks, popups, plus, hint },
          kit: KIT,
          actions,
          popupActions,
          help,
          panes,
          ssh,
          isForeign,
        }),
      },
      Panel,
    ),
  )
  const rows = ctx.slots as unknown as ToolRowSlots
  const showSession = guarded((sid: string) => {
    if (!isForeign) terminals.showSession(sid)
  })
  for (const key of TERMINAL_TOOLS)
    rows.inject('tool.call.toolview', () =>
      rows.register(
        { name: 'tool.call.toolview', key, locale: NS, inject: () => ({ kit: ROW_KIT, showSession }) },
        ToolRow,
      ),
    )
  contributeSettings(ctx, link.link, { scripts, openList })
}

/** Where the person works: the session on screen, or the workspace used last; undefined leaves it to the host. */
function currentDirectory(ctx: ClientContext): string | undefined {
  const sessions = ctx.get('sessions')?.list.getSnapshot()
  const cwd = sessions?.current === undefined ? undefined : sessions.byId[sessions.current]?.cwd
  if (cwd !== undefined) return cwd
  const workspaces = ctx.get('workspaces')?.list.getSnapshot()
  return workspaces?.items.find(({ workspaceId }) => workspaceId === workspaces.recentWorkspaceId)?.path
}
