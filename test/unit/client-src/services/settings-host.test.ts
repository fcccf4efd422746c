import { describe, expect, it } from 'vitest'
import {
  followSettings,
  type ApiResult,
  type NamespaceSnapshot,
} from '../../../../client-src/services/settings-host.ts'
import { createStore } from '../../../../client-src/stores/store.ts'
import { DEFAULT_SETTINGS } from '../../../../protocol-src/settings.ts'

interface View {
  readonly ns: string
  readonly value: unknown
  readonly user?: unknown
  readonly revision: number
}

const start = (first: Partial<NamespaceSnapshot> = {}) => {
  const scope = createStore<NamespaceSnapshot>({
    status: 'ready',
    value: { ...DEFAULT_SETTINGS },
    base: undefined,
    user: undefined,
    revision: 4,
    writable: true,
    ...first,
  })
  const requests: unknown[] = []
  const replies: ApiResult<View>[] = []
  const described: View[] = []
  const { host, stop } = followSettings<View>({
    scope,
    mutate: async (request) => {
      requests.push(request)
      const reply = replies.shift()
      if (reply === undefined) throw new Error('cut')
      return reply
    },
    describe: async () => ({ ok: true, value: { namespaces: described } }),
    accept: ({ value, user, revision }) => {
      scope.set({ ...scope.getSnapshot(), value, user, revision })
    },
  })
  return { scope, host, stop, requests, replies, described, settings: () => host.settings.getSnapshot() }
}

describe('the settings of the host', () => {
  it.each(['loading', 'unavailable'] as const)('are not there while they are %s', (status) => {
    expect(start({ status }).settings()).toBeNull()
  })

  it('tell what is in force, what is the user’s, and what is below that', () => {
    const value = { ...DEFAULT_SETTINGS, fontSize: 20, term: 'vt100' }
    const { settings } = start({ value, base: { term: 'vt100', cwd: '/srv' }, user: { fontSize: 20 }, writable: false })
    expect(settings()?.inForce.get('fontSize')).toBe(20)
    expect([...(settings()?.own ?? [])]).toEqual(['fontSize'])
    expect(settings()?.inherited.get('fontSize')).toBe(DEFAULT_SETTINGS.fontSize)
    expect(settings()?.inherited.get('term')).toBe('vt100')
    expect(settings()?.isWritable).toBe(false)
  })

  it.each([[undefined], [null], ['text'], [[1, 2]], [{ fontSize: 'large', maxSessions: 99, of: 'another version' }]])(
    'of a shape that this page does not know leave out what they do not say: %o',
    (value) => {
      expect([...(start({ value, user: value }).settings()?.inForce ?? [])]).toEqual([])
    },
  )

  it('are written as one change over the revision that was read', async () => {
    const { host, requests, replies, settings } = start()
    replies.push({ ok: true, value: { ns: 'tty', value: { ...DEFAULT_SETTINGS, fontSize: 20 }, revision: 5 } })
    expect(
      await host.save([
        { op: 'set', key: 'fontSize', value: 20 },
        { op: 'unset', key: 'term' },
      ]),
    ).toEqual({ kind: 'saved' })
    expect(requests).toEqual([
      {
        ns: 'tty',
        ops: [
          { op: 'set', path: ['fontSize'], value: 20 },
          { op: 'unset', path: ['term'] },
        ],
        expectedRevision: 4,
      },
    ])
    expect(settings()?.inForce.get('fontSize')).toBe(20)
  })

  it('say why they refuse a change', async () => {
    const { host, replies } = start()
    replies.push({ ok: false, error: { code: 'settings-rejected', message: 'no' } })
    expect(await host.save([])).toEqual({ kind: 'refused', reason: 'no' })
  })

  it('are read again when somebody else was faster', async () => {
    const { host, replies, described, settings } = start()
    described.push({ ns: 'other', value: {}, revision: 1 })
    described.push({ ns: 'tty', value: { ...DEFAULT_SETTINGS, fontSize: 30 }, revision: 9 })
    replies.push({ ok: false, error: { code: 'settings-conflict', message: 'moved' } })
    expect(await host.save([])).toEqual({ kind: 'moved' })
    expect(settings()?.inForce.get('fontSize')).toBe(30)
  })

  it('are followed until the end', () => {
    const { scope, stop, settings } = start()
    scope.set({ ...scope.getSnapshot(), value: { fontSize: 9 } })
    expect(settings()?.inForce.get('fontSize')).toBe(9)
    stop()
    scope.set({ ...scope.getSnapshot(), value: { fontSize: 10 } })
    expect(settings()?.inForce.get('fontSize')).toBe(9)
  })
})
