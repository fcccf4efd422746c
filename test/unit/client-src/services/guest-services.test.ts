import { beforeEach, describe, expect, it, vi } from 'vitest'
import { panelService, terminalService } from '../../../../client-src/services/guest-services.ts'
import { PanelStore } from '../../../../client-src/stores/panel-store.ts'
import { PaneStore } from '../../../../client-src/stores/pane-store.ts'
import { NO_STORAGE } from '../../../../client-src/stores/storage.ts'
import { TabStore } from '../../../../client-src/stores/tab-store.ts'
import { sid } from '../connection/fake-host.ts'

class FakeElement {
  readonly tag: string
  constructor(tag: string) {
    this.tag = tag
  }
}

beforeEach(() => {
  vi.stubGlobal('HTMLElement', FakeElement)
  vi.stubGlobal('document', { createElement: (tag: string) => new FakeElement(tag) })
})

const page = () => {
  const panel = new PanelStore({ shared: NO_STORAGE, page: NO_STORAGE })
  const tabs = new TabStore(NO_STORAGE)
  const panes = new PaneStore(NO_STORAGE)
  const load = vi.fn()
  const report = vi.fn()
  return { panel, tabs, panes, load, report, service: panelService({ panel, tabs, panes, load, report }) }
}
const withTab = () => {
  const all = page()
  const key = all.tabs.add({ sid: sid('a'), spec: { kind: 'local' } }, true)
  return { ...all, key }
}
const PANE = { title: 'Files', side: 'right' } as const

describe('ttyTerminal', () => {
  const ports = { open: vi.fn(), mount: vi.fn(() => () => {}), currentDirectory: () => '/work' }

  it('is version 3 and hands on what was judged', () => {
    const service = terminalService(ports)
    const host = new FakeElement('div') as unknown as HTMLElement
    service.open({ command: 'top' })
    service.mount(host, { command: 'htop' })
    expect(service.version).toBe(3)
    expect(ports.open).toHaveBeenCalledExactlyOnceWith({
      spec: { kind: 'local', cwd: '/work', command: 'top' },
      label: null,
      isReused: true,
    })
    expect(ports.mount.mock.calls).toMatchObject([[host, { spec: { command: 'htop' } }]])
  })

  it('refuses to mount into what is no element', () => {
    expect(() => terminalService(ports).mount('#here' as never)).toThrow(/^ttyTerminal\.mount did nothing: .+element/)
  })
})

describe('ttyPanel', () => {
  it('is version 2, says whether the panel is open, and hides it', () => {
    const { service, panel } = page()
    expect([service.version, service.isOpen(), service.minimize()]).toEqual([2, false, false])
    panel.setOpen(true)
    expect([service.isOpen(), service.minimize(), service.isOpen()]).toEqual([true, true, false])
  })

  it('puts a pane beside the tab on screen, makes the panel visible, and gets what draws it', () => {
    const { service, panes, panel, load, key } = withTab()
    const handle = service.mountPane({ ...PANE, hint: 'of /shop', size: 240 })
    expect(panes.getSnapshot()).toMatchObject({ tab: key, title: 'Files', hint: 'of /shop', size: 240 })
    expect(panes.getSnapshot()?.element).toBe(handle.element)
    expect(panel.getSnapshot().open).toBe(true)
    expect(load).toHaveBeenCalledOnce()
  })

  it('puts it beside the tab of a session, and leaves the one on screen alone', () => {
    const { service, panes, tabs, key } = withTab()
    const other = tabs.add({ sid: sid('b'), spec: { kind: 'local' } }, false)
    service.mountPane({ ...PANE, ownerSid: sid('b') })
    expect(panes.getSnapshot()?.tab).toBe(other)
    expect(tabs.getSnapshot().active).toBe(key)
  })

  it('refuses where there is no tab to put it beside, and changes nothing', () => {
    const none = page()
    expect(() => none.service.mountPane(PANE)).toThrow(/there is no terminal.+open one first/)
    const { service, panes, panel } = withTab()
    expect(() => service.mountPane({ ...PANE, ownerSid: 'nobody' })).toThrow(/no tab of this page/)
    expect(panes.getSnapshot()).toBeNull()
    expect(panel.getSnapshot().open).toBe(false)
  })

  it('gives a handle that renames, folds and closes, and does nothing afterwards', () => {
    const { service, panes } = withTab()
    const onClose = vi.fn()
    const handle = service.mountPane({ ...PANE, onClose })
    handle.setTitle('Ports')
    handle.setHint('none')
    expect(panes.getSnapshot()).toMatchObject({ title: 'Ports', hint: 'none' })
    handle.setHint(undefined)
    handle.toggle()
    expect([handle.isCollapsed(), panes.getSnapshot()?.hint]).toEqual([true, null])
    handle.expand()
    handle.collapse()
    handle.toggle()
    expect(handle.isCollapsed()).toBe(false)
    expect(() => {
      handle.setTitle('')
    }).toThrow(TypeError)
    handle.collapse()
    handle.dispose()
    handle.dispose()
    handle.setTitle('late')
    handle.expand()
    expect(onClose).toHaveBeenCalledOnce()
    expect([panes.getSnapshot(), handle.isCollapsed()]).toEqual([null, false])
  })

  it('reports what onClose throws, and closes all the same', () => {
    const { service, panes, report } = withTab()
    const error = new Error('boom')
    const handle = service.mountPane({
      ...PANE,
      onClose: () => {
        throw error
      },
    })
    handle.dispose()
    expect(report).toHaveBeenCalledExactlyOnceWith('onClose of a pane', error)
    expect(panes.getSnapshot()).toBeNull()
  })
})
