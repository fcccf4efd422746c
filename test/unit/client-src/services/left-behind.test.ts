import { beforeEach, describe, expect, it } from 'vitest'
import { leftBehindSection } from '../../../../client-src/services/left-behind.ts'
import { safeStorage } from '../../../../client-src/stores/storage.ts'
import { createStore } from '../../../../client-src/stores/store.ts'
import { TabStore } from '../../../../client-src/stores/tab-store.ts'
import type { PersistName, SessionId } from '../../../../protocol-src/ids.ts'
import type { SessionDescriptor } from '../../../../protocol-src/session.ts'
import { descriptor, sid } from '../connection/fake-host.ts'

const kept = (id: SessionId, more: Partial<SessionDescriptor> = {}): SessionDescriptor =>
  descriptor(id, { phase: 'running', persist: 'build' as PersistName, orphanedAt: 1, cwd: '/src', ...more })

describe('what is left behind', () => {
  const sessions = createStore<readonly SessionDescriptor[] | null>(null)
  let tabs: TabStore
  let done: string[]
  const section = () =>
    leftBehindSection({
      sessions,
      tabs,
      show: (id) => done.push(`show ${id}`),
      end: (id) => done.push(`end ${id}`),
    })
  beforeEach(() => {
    sessions.set(null)
    const none = safeStorage(() => {
      throw new Error('no storage here')
    })
    tabs = new TabStore(none)
    done = []
  })

  it('is every session that goes on by itself, that nobody looks at and that has no tab here', () => {
    const one = section()
    expect(one.getSnapshot().items).toEqual([])
    sessions.set([
      kept(sid('a')),
      kept(sid('b'), { orphanedAt: null }),
      kept(sid('c'), { persist: null }),
      kept(sid('d'), { phase: 'exited' }),
      kept(sid('e'), { persist: `t-${sid('e')}` as PersistName, target: 'bash' }),
      kept(sid('f'), { title: 'mine' }),
    ])
    tabs.add({ sid: sid('f'), spec: null }, true)
    expect(one.getSnapshot().items.map(({ label }) => label)).toEqual(['build · /src', 'bash · /src'])
    expect(one.getSnapshot()).toBe(one.getSnapshot())
    const [item] = one.getSnapshot().items
    item?.onSelect()
    item?.actions?.[0]?.onSelect()
    expect(done).toEqual([`show ${sid('a')}`, `end ${sid('a')}`])
  })

  it('is told of again when the sessions or the tabs change, and not any more after that is over', () => {
    let heard = 0
    const stop = section().subscribe(() => (heard += 1))
    sessions.set([kept(sid('a'))])
    tabs.add({ sid: sid('a'), spec: null }, true)
    expect(heard).toBe(2)
    stop()
    sessions.set([])
    expect(heard).toBe(2)
  })
})
