import { describe, expect, it } from 'vitest'
import { lossOf, tabRows } from '../../../../client-src/panel/tab-rows.ts'
import type { TabModel } from '../../../../client-src/stores/panel-model.ts'
import type { TabKey } from '../../../../client-src/stores/tab-store.ts'
import { sid } from '../connection/fake-host.ts'

const key = (letter: string) => `tab-${letter}` as TabKey
const tab = (letter: string, change: Partial<TabModel> = {}): TabModel => ({
  key: key(letter),
  sid: sid(letter),
  viewId: 1,
  label: letter,
  target: 'bash',
  dot: 'live',
  life: 'live',
  isBusy: false,
  isAgent: false,
  isHidden: false,
  isKept: false,
  isAsking: false,
  isClosing: false,
  connection: null,
  strip: null,
  cover: null,
  isDriver: true,
  size: { cols: 80, rows: 24 },
  renderer: 'dom',
  isLetterboxed: false,
  isCtrlHeld: false,
  bells: 0,
  hasRung: false,
  ...change,
})
const OVER = { life: 'over', dot: 'done' } as const
/** Row by row: what it does, and to which tabs. */
const rows = (tabs: readonly TabModel[], letter: string) =>
  Object.fromEntries(
    tabRows(tabs, key(letter)).map(({ id, keys }) => [id, keys.map((each) => each.replace('tab-', '')).join('')]),
  )

describe('what can be done with a tab', () => {
  it('is about those around it, by where they are', () => {
    const tabs = ['a', 'b', 'c', 'd'].map((letter) => tab(letter))
    expect(rows(tabs, 'b')).toEqual({
      close: 'b',
      closeOthers: 'acd',
      closeLeft: 'a',
      closeRight: 'cd',
      hide: 'b',
      duplicate: 'b',
      restart: 'b',
      rename: 'b',
    })
  })

  it('has no rows that would do nothing', () => {
    expect(Object.keys(rows([tab('a')], 'a'))).toEqual(['close', 'hide', 'duplicate', 'restart', 'rename'])
    expect(rows([tab('a'), tab('b')], 'a')).not.toHaveProperty('closeLeft')
    expect(rows([tab('a'), tab('b')], 'b')).not.toHaveProperty('closeRight')
    expect(tabRows([tab('a')], key('z'))).toEqual([])
  })

  it('clears those that are over, wherever they are, and leaves alone what is being closed', () => {
    const tabs = [tab('a', OVER), tab('b'), tab('c', { ...OVER, isClosing: true }), tab('d', OVER)]
    expect(rows(tabs, 'b')).toMatchObject({ clearExited: 'ad', closeOthers: 'ad', closeRight: 'd' })
    expect(rows([tab('a', { isClosing: true }), tab('b')], 'a')).toEqual({ closeOthers: 'b', closeRight: 'b' })
  })

  it('does not hide an agent’s own terminal from it, and shows a hidden one again', () => {
    expect(rows([tab('a', { isAgent: true })], 'a')).not.toHaveProperty('hide')
    expect(rows([tab('a', { isHidden: true })], 'a')).toMatchObject({ show: 'a' })
  })

  it('does nothing with a session that is not there yet', () => {
    expect(Object.keys(rows([tab('a', { sid: null, life: 'opening' })], 'a'))).toEqual(['close', 'rename'])
  })
})

describe('what would be lost', () => {
  it('is what lives among those that are meant, and says how many an agent opened', () => {
    const tabs = [
      tab('a'),
      tab('b', { isAgent: true }),
      tab('c', OVER),
      tab('d', { isAgent: true, ...OVER }),
      tab('e', { isClosing: true }),
      tab('f', { sid: null, life: 'opening' }),
      tab('g'),
    ]
    expect(lossOf(tabs, ['a', 'b', 'c', 'd', 'e', 'f'].map(key))).toEqual({ live: 2, agents: 1 })
    expect(lossOf(tabs, [key('c')])).toEqual({ live: 0, agents: 0 })
  })
})
