import { describe, expect, it } from 'vitest'
import { dockHeightIn, modeOf, PanelStore, windowRectIn } from '../../../../client-src/stores/panel-store.ts'
import type { SafeStorage } from '../../../../client-src/stores/storage.ts'

const memory = (initial: Record<string, unknown> = {}): SafeStorage & { values: Record<string, unknown> } => {
  const values = { ...initial }
  return {
    values,
    read: (key) => values[key],
    write: (key, value) => {
      values[key] = structuredClone(value)
    },
  }
}

describe('PanelStore', () => {
  it('remembers place and size for the browser, and open for the page', () => {
    const shared = memory()
    const page = memory()
    const panel = new PanelStore({ shared, page })
    panel.setOpen(true)
    panel.setPlace('floating')
    panel.setMaximised(true)
    panel.setRect({ x: 1, y: 2, width: 400, height: 300 })
    const again = new PanelStore({ shared, page }).getSnapshot()
    expect(again).toEqual(panel.getSnapshot())
    expect(modeOf(again)).toBe('maximised')
    expect(new PanelStore({ shared, page: memory() }).getSnapshot().open).toBe(false)
  })

  it('leaves the maximised state when it is docked or floated', () => {
    const panel = new PanelStore({ shared: memory(), page: memory() })
    panel.setMaximised(true)
    panel.setPlace('docked')
    expect(modeOf(panel.getSnapshot())).toBe('docked')
  })

  it.each([
    undefined,
    null,
    7,
    [],
    { v: 999 },
    { v: 1, place: 'moon', dockHeight: 'tall', rect: { x: Number.NaN }, maximised: 1 },
  ])('starts from its defaults after %o', (stored) => {
    const panel = new PanelStore({ shared: memory({ panel: stored }), page: memory({ open: 'yes' }) })
    expect(panel.getSnapshot()).toMatchObject({ open: false, place: 'docked', maximised: false, rect: null })
    expect(panel.getSnapshot().dockHeight).toBeGreaterThan(100)
  })
})

describe('geometry', () => {
  it('leaves room for the app above the dock, and for rows in it', () => {
    expect(dockHeightIn(800, 320)).toBe(320)
    expect(dockHeightIn(800, 5000)).toBe(680)
    expect(dockHeightIn(800, -50)).toBe(150)
    expect(dockHeightIn(200, 320)).toBe(150)
  })

  it('opens the window in the middle and keeps it inside', () => {
    expect(windowRectIn({ width: 1280, height: 800 }, null)).toEqual({ x: 210, y: 140, width: 860, height: 520 })
    const far = { x: 5000, y: -5000, width: 10_000, height: 10 }
    expect(windowRectIn({ width: 1280, height: 800 }, far)).toEqual({ x: 16, y: 0, width: 1264, height: 180 })
    expect(windowRectIn({ width: 320, height: 500 }, null)).toMatchObject({ width: 304, x: 8 })
  })
})
