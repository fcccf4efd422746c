import { expect, it } from 'vitest'
import { HintStore } from '../../../../client-src/stores/hint-store.ts'
import type { SafeStorage } from '../../../../client-src/stores/storage.ts'

const storage = (): SafeStorage => {
  const values = new Map<string, unknown>()
  return { read: (key) => values.get(key), write: (key, value) => void values.set(key, value) }
}

it('is shown until somebody takes it away, and never again in that browser', () => {
  const shared = storage()
  const hint = new HintStore(shared)
  expect(hint.getSnapshot()).toBe(true)
  hint.dismiss()
  expect(hint.getSnapshot()).toBe(false)
  expect(new HintStore(shared).getSnapshot()).toBe(false)
})

it('is shown where a browser keeps nothing', () => {
  expect(new HintStore({ read: () => undefined, write: () => {} }).getSnapshot()).toBe(true)
})
