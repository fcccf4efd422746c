import { expect, it } from 'vitest'
import { TmuxFence } from '../../../../host-src/backends/tmux-fence.ts'
import { everySplit } from '../../../support/marks.ts'

const FENCE = '0123456789abcdef0123456789abcdef'

const pass = (parts: readonly Uint8Array[], { looksOut = true } = {}) => {
  let [given, seen] = ['', 0]
  const fence = new TmuxFence({
    fence: FENCE,
    give: (bytes) => {
      given += Buffer.from(bytes).toString()
    },
    seen: () => (seen += 1),
  })
  if (looksOut) fence.lookOut()
  for (const part of parts) fence.pass(part)
  fence.giveUp()
  return { given, seen }
}

it('gives what comes before the fence, however it is cut, and nothing after it', () => {
  const text = `out ${FENCE.slice(0, 20)}put\r\n${FENCE}\r\nPane is dead`
  for (const parts of everySplit(Buffer.from(text)))
    expect(pass(parts)).toEqual({ given: `out ${FENCE.slice(0, 20)}put\r\n`, seen: 1 })
})

it('gives everything when none comes, and before one may come', () => {
  const almost = `text${FENCE.slice(0, 31)}`
  for (const parts of everySplit(Buffer.from(almost))) expect(pass(parts)).toEqual({ given: almost, seen: 0 })
  expect(pass([Buffer.from(FENCE)], { looksOut: false })).toEqual({ given: FENCE, seen: 0 })
})
