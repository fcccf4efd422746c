import { describe, expect, it } from 'vitest'
import { safeStorage, type SafeStorage } from '../../../../client-src/stores/storage.ts'
import { TabStore } from '../../../../client-src/stores/tab-store.ts'
import type { SessionId } from '../../../../protocol-src/ids.ts'

const sid = (letter: string) => letter.repeat(22) as SessionId

/** A browser storage over a map. */
const fakeStorage = (initial: Record<string, string> = {}) => {
  const values = new Map(Object.entries(initial))
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, text: string) => void values.set(key, text),
  }
  return { values, storage: safeStorage(() => storage as unknown as Storage) }
}
const stored = (text: string) => fakeStorage({ 'dsh-tty.tabs': text }).storage
const titles = (storage: SafeStorage) => new TabStore(storage).getSnapshot().tabs.map(({ title }) => title)

describe('TabStore', () => {
  it('keeps order, names and the active tab over a reload', () => {
    const { storage } = fakeStorage()
    const tabs = new TabStore(storage)
    const first = tabs.add({ sid: sid('a'), spec: { kind: 'local' } }, true)
    const second = tabs.add({ sid: sid('b'), spec: { kind: 'local' } }, true)
    tabs.add({ sid: sid('c'), spec: { kind: 'local' }, title: 'third' }, false)
    tabs.rename(first, 'one')
    const { tabs: after, active } = new TabStore(storage).getSnapshot()
    expect(after.map(({ sid: id, title, ordinal }) => [id, title, ordinal])).toEqual([
      [sid('a'), 'one', 1],
      [sid('b'), null, 2],
      [sid('c'), 'third', 3],
    ])
    expect(after.find(({ key }) => key === active)?.sid).toBe(sid('b'))
    expect(tabs.find(second)?.ordinal).toBe(2)
  })

  it('stores no tab whose session is not there yet, and nothing of what it runs', () => {
    const { storage, values } = fakeStorage()
    const tabs = new TabStore(storage)
    const key = tabs.add({ sid: null, spec: { kind: 'local', command: 'login --password hunter2' } }, true)
    expect(JSON.parse(values.get('dsh-tty.tabs') ?? '')).toMatchObject({ tabs: [] })
    tabs.bind(key, sid('a'))
    expect(new TabStore(storage).getSnapshot().tabs).toHaveLength(1)
    expect([...values.values()].join()).not.toContain('hunter2')
  })

  it('shows the right neighbour of an active tab that goes, else the left one', () => {
    const tabs = new TabStore(fakeStorage().storage)
    const [a, b, c] = ['a', 'b', 'c'].map((letter) => tabs.add({ sid: sid(letter), spec: null }, true))
    if (a === undefined || b === undefined || c === undefined) throw new Error('three tabs')
    tabs.activate(b)
    tabs.remove(b)
    expect(tabs.getSnapshot().active).toBe(c)
    tabs.remove(c)
    expect(tabs.getSnapshot().active).toBe(a)
    tabs.remove(a)
    expect(tabs.getSnapshot()).toEqual({ tabs: [], active: null })
  })

  it('gives a new tab the smallest free number', () => {
    const tabs = new TabStore(fakeStorage().storage)
    const first = tabs.add({ sid: null, spec: null }, true)
    tabs.add({ sid: null, spec: null }, true)
    tabs.remove(first)
    expect(tabs.find(tabs.add({ sid: null, spec: null }, true))?.ordinal).toBe(1)
  })

  it('moves a tab among the others, keeps that over a reload, and adds one beside another', () => {
    const { storage } = fakeStorage()
    const tabs = new TabStore(storage)
    const [a, b, c] = ['a', 'b', 'c'].map((letter) => tabs.add({ sid: sid(letter), spec: null, title: letter }, true))
    if (a === undefined || b === undefined || c === undefined) throw new Error('three tabs')
    const order = (of: TabStore) => of.getSnapshot().tabs.map(({ title }) => title)
    tabs.move(c, 0)
    expect(order(tabs)).toEqual(['c', 'a', 'b'])
    tabs.move(c, 1)
    tabs.move(b, -7)
    expect(order(tabs)).toEqual(['b', 'a', 'c'])
    tabs.move(b, 99)
    expect(order(new TabStore(storage))).toEqual(['a', 'c', 'b'])
    expect(tabs.getSnapshot().active).toBe(c)
    tabs.add({ sid: sid('d'), spec: null, title: 'd' }, false, a)
    tabs.add({ sid: sid('e'), spec: null, title: 'e' }, false, 'tab-99' as never)
    expect(order(tabs)).toEqual(['a', 'd', 'c', 'b', 'e'])
    const before = tabs.getSnapshot()
    tabs.move(a, 0)
    tabs.move('tab-99' as never, 1)
    expect(tabs.getSnapshot()).toBe(before)
  })

  it('keeps its snapshot while nothing changes', () => {
    const tabs = new TabStore(fakeStorage().storage)
    const key = tabs.add({ sid: null, spec: null, title: 'x' }, true)
    const before = tabs.getSnapshot()
    tabs.activate(key)
    tabs.rename(key, 'x')
    tabs.activate('tab-99' as never)
    expect(tabs.getSnapshot()).toBe(before)
  })

  it.each([
    ['half a document', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['another version', '{"v":999,"tabs":[]}'],
    ['tabs that are no list', '{"v":1,"tabs":{"0":1}}'],
    [
      'five megabytes',
      JSON.stringify({ v: 1, tabs: [{ sid: sid('z'), title: null, ordinal: 1 }], active: 'x'.repeat(5_000_000) }),
    ],
    ['a prototype', '{"__proto__":{"v":1},"v":1,"tabs":"x"}'],
  ])('starts empty from %s, and works', (_, text) => {
    const storage = stored(text)
    const tabs = new TabStore(storage)
    expect(tabs.getSnapshot()).toEqual({ tabs: [], active: null })
    tabs.add({ sid: sid('a'), spec: null }, true)
    expect(new TabStore(storage).getSnapshot().tabs).toHaveLength(1)
  })

  it('drops damaged and repeated tabs and keeps the others', () => {
    const good = (letter: string) => ({ sid: sid(letter), title: letter, ordinal: 1 })
    const tabs = [
      good('a'),
      null,
      { sid: sid('b') },
      { ...good('c'), sid: '../x' },
      good('a'),
      { ...good('d'), ordinal: 0 },
      good('e'),
    ]
    expect(titles(stored(JSON.stringify({ v: 1, tabs, active: 7 })))).toEqual(['a', 'e'])
    const polluting = `{"v":1,"tabs":[{"__proto__":{"polluted":1},"sid":"${sid('a')}","title":"p","ordinal":1}]}`
    expect(titles(stored(polluting))).toEqual(['p'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('works without a storage that may be used', () => {
    const forbidden = safeStorage(() => {
      throw new DOMException('no', 'SecurityError')
    })
    const tabs = new TabStore(forbidden)
    tabs.add({ sid: sid('a'), spec: null }, true)
    expect(tabs.getSnapshot().tabs).toHaveLength(1)
  })
})
