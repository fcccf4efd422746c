/** Gives other plugins of the page their services: what each is made of, and how long it lives. Assembly only. */
import type {} from '@deepseek-ai/dsh-client-locale/client'
import type { ClientContext } from '@deepseek-ai/dsh-client-runtime/client'
import type * as guests from './guests/guests-script.ts'
import type { MountParts } from './guests/mount-terminal.ts'
import { NS } from './locales.ts'
import type { Kit } from './panel/kit.ts'
import { showMount } from './panel/MountSlot.tsx'
import type { Panes } from './panel/PaneSlot.tsx'
import { Connbar } from './services/connbar.ts'
import type { TerminalWish } from './services/guest-input.ts'
import { panelService, terminalService } from './services/guest-services.ts'
import { GuestTabs } from './services/guest-tabs.ts'
import { PageScript, type PageScriptPorts } from './services/page-script.ts'
import type { TtyConnbarService, TtyPanelService, TtyTerminalService } from './services/plugin-contract.ts'
import type { TerminalTabs } from './services/terminal-tabs.ts'
import type { PanelStore } from './stores/panel-store.ts'
import { PaneStore } from './stores/pane-store.ts'
import type { SafeStorage } from './stores/storage.ts'
import { createStore } from './stores/store.ts'
import type { TabStore } from './stores/tab-store.ts'
import type { TerminalView } from './terminal/terminal-view.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    /** Terminals in tabs and elsewhere; inject it as an optional service and check its version. */
    ttyTerminal: TtyTerminalService
    ttyPanel: TtyPanelService
    ttyConnbar: TtyConnbarService
  }
}

export interface ServiceParts extends Omit<MountParts, 'mounted'> {
  readonly panel: PanelStore
  readonly tabs: TabStore
  readonly terminals: TerminalTabs
  readonly shared: SafeStorage
  readonly scripts: PageScriptPorts
  readonly kit: Kit
  readonly currentDirectory: () => string | undefined
  /** The terminal does not run here. */
  readonly isForeign: boolean
}

export interface Services {
  readonly panes: Panes
  readonly connbar: Connbar
  /** Every terminal in an element of another plugin, for theme and settings. */
  readonly mountedViews: () => readonly TerminalView[]
}

export function provideServices(ctx: ClientContext, parts: ServiceParts): Services {
  const { link, panel, tabs, terminals, shared, scripts, kit, page, createView, isForeign, currentDirectory } = parts
  const t = ctx.locale.bind(NS)
  const language = createStore({})
  ctx.on('locale/change', () => {
    language.set({})
  })
  const report = (where: string, error: unknown): void => {
    ctx.logger('dsh-tty').error('%s of another plugin failed: %s', where, String(error))
    // As the browser does with a listener that throws: its author sees it, and nobody else is harmed.
    reportError(error)
  }
  const script = new PageScript('guests', (exports) => exports as unknown as typeof guests, scripts)
  const panes = new PaneStore(shared)
  const guestTabs = new GuestTabs({ link, panel, tabs, terminals })
  const connbar = new Connbar(report)
  const mounts = new Set<() => void>()
  const views = new Set<() => readonly TerminalView[]>()
  const mountParts: MountParts = {
    ...{ link, page, createView },
    mounted: (viewsOf) => {
      views.add(viewsOf)
      return () => views.delete(viewsOf)
    },
  }
  const mount = (host: HTMLElement, wish: TerminalWish): (() => void) => {
    const hide = showMount(host, { script, props: { kit, t, language, wish, parts: mountParts } })
    const dispose = (): void => {
      if (mounts.delete(dispose)) hide()
    }
    mounts.add(dispose)
    return dispose
  }

  ctx.effect(() => {
    const stop = tabs.subscribe(() => {
      const pane = panes.getSnapshot()
      if (pane !== null && tabs.find(pane.tab) === undefined) panes.close(pane.id)
    })
    return () => {
      stop()
      guestTabs.dispose()
      panes.close()
      for (const dispose of mounts) dispose()
      script.dispose()
    }
  }, 'dsh-tty: panes and terminals of other plugins')
  const services = {
    ttyTerminal: terminalService({
      open: (wish) => {
        // A page that is framed by a foreign one shows why it has no terminal.
        if (isForeign) panel.setOpen(true)
        else guestTabs.open(wish)
      },
      mount,
      currentDirectory,
    }),
    ttyPanel: panelService({
      panel,
      panes,
      tabs,
      load: () => {
        script.load()
      },
      report,
    }),
    ttyConnbar: connbar,
  }
  for (const [name, service] of Object.entries(services)) {
    try {
      ctx.provide(name, service)
    } catch (error) {
      // Another plugin has taken the name; the terminals work without.
      ctx.logger('dsh-tty').error('%s is not provided: %s', name, String(error))
    }
  }
  return {
    panes: {
      pane: panes,
      script,
      actions: {
        resize: (id, size) => {
          panes.resize(id, size)
        },
        collapse: (id, isCollapsed) => {
          panes.change(id, { isCollapsed })
        },
        close: (id) => {
          panes.close(id)
        },
      },
    },
    connbar,
    mountedViews: () => [...views].flatMap((viewsOf) => viewsOf()),
  }
}
