import { describe, expect, it, vi } from 'vitest'
import { PaneStore, type PaneRequest } from '../../../../client-src/stores/pane-store.ts'
import type { SafeStorage } from '../../../../client-src/stores/storage.ts'
import type { TabKey } from '../../../../client-src/stores/tab-store.ts'

const TAB = 'tab-1' as TabKey
const element = {} as HTMLElement

const memory = (stored?: unknown): SafeStorage & { value: unknown } => {
  const storage = {
    value: stored,
    read: () => storage.value,
    write: (_: string, value: unknown) => {
      storage.value = structuredClone(value)
    },
  }
  return storage
}
const request = (change: Partial<PaneRequest> = {}): PaneRequest => ({
  ...{ tab: TAB, title: 'Files', hint: null, side: 'right', size: 300, min: 100, element, onClose: () => {} },
  ...change,
})

describe('the pane beside a terminal', () => {
  it('is one at a time: the next takes the place of the one before, which hears of it first', () => {
    const panes = new PaneStore(memory())
    const told: (string | undefined)[] = []
    panes.open(request({ title: 'one', onClose: () => told.push(panes.getSnapshot()?.title) }))
    panes.open(request({ title: 'two', onClose: () => told.push(panes.getSnapshot()?.title) }))
    expect(told).toEqual(['one'])
    expect(panes.getSnapshot()).toMatchObject({ title: 'two', isCollapsed: false, size: 300 })
    panes.close()
    expect(told).toEqual(['one', 'two'])
    expect(panes.getSnapshot()).toBeNull()
  })

  it('tells its plugin once, however often and by whomever it is closed', () => {
    const panes = new PaneStore(memory())
    const onClose = vi.fn()
    const id = panes.open(request({ onClose }))
    onClose.mockImplementation(() => {
      panes.close(id)
    })
    panes.close(id)
    panes.close(id)
    panes.close()
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('stays when its plugin opens it while another goes', () => {
    const panes = new PaneStore(memory())
    const first = panes.open(request({ onClose: () => void panes.open(request({ title: 'next' })) }))
    panes.close(first)
    expect(panes.getSnapshot()?.title).toBe('next')
  })

  it('is not changed by the handle of one that is gone', () => {
    const panes = new PaneStore(memory())
    const old = panes.open(request())
    panes.open(request({ title: 'new' }))
    panes.change(old, { title: 'old', isCollapsed: true })
    panes.resize(old, 999)
    panes.close(old)
    expect(panes.getSnapshot()).toMatchObject({ title: 'new', isCollapsed: false, size: 300 })
  })

  it('remembers the size that a person chose, for each side, over the one that is asked for', () => {
    const storage = memory()
    const panes = new PaneStore(storage)
    panes.resize(panes.open(request()), 444)
    panes.resize(panes.open(request({ side: 'bottom' })), 222)
    const others = new PaneStore(storage)
    others.open(request({ size: 1 }))
    expect(others.getSnapshot()?.size).toBe(444)
    others.open(request({ side: 'bottom', size: null }))
    expect(others.getSnapshot()?.size).toBe(222)
  })

  it.each([[null], ['x'], [{ v: 2, right: 5 }], [{ v: 1, right: -4 }], [{ v: 1, right: 'wide' }]])(
    'takes nothing from a damaged storage: %j',
    (stored) => {
      const panes = new PaneStore(memory(stored))
      panes.open(request())
      expect(panes.getSnapshot()?.size).toBe(300)
    },
  )
})
