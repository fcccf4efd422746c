/** The lifecycle gate on the real host; `npm run gate:lifecycle` prints the same steps and writes their evidence. */
import { expect, it } from 'vitest'
import { runLifecycleGate } from '../gate/lifecycle.ts'
import { bootTestDsh } from '../support/dsh.ts'

it('holds in each of its seven steps', async () => {
  await using dsh = await bootTestDsh()
  const told: number[] = []
  const steps = await runLifecycleGate(dsh, ({ number }) => told.push(number))
  expect(told).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(steps.map(({ claim }) => claim)).toHaveLength(7)
})
