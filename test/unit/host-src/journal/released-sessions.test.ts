import { expect, test } from 'vitest'
import { newSessionId } from '../../../../host-src/base/random-id.ts'
import { ReleasedSessions } from '../../../../host-src/journal/released-sessions.ts'

const ids = Array.from({ length: 5 }, newSessionId)

test('beyond the count those released first go, in whatever order they were learned', () => {
  const released = new ReleasedSessions({ count: 2, ageMs: Infinity })
  for (const at of [3, 0, 4, 1]) released.add(ids[at] as (typeof ids)[0], { reason: 'user', at })
  expect(released.takeExpired(10)).toEqual([ids[0], ids[1]])
  expect(released.takeExpired(10)).toEqual([])
  expect(ids.map((id) => released.has(id))).toEqual([false, false, false, true, true])
})

test('those that are too old go, however few there are', () => {
  const released = new ReleasedSessions({ count: 10, ageMs: 100 })
  for (const [at, id] of ids.entries()) released.add(id, { reason: 'evicted', at: at * 50 })
  expect(released.takeExpired(200)).toEqual(ids.slice(0, 2))
  expect(released.reasonOf(ids[2] as (typeof ids)[0])).toBe('evicted')
  expect(released.reasonOf(ids[0] as (typeof ids)[0])).toBeNull()
})
