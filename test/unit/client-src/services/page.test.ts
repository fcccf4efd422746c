import { describe, expect, it } from 'vitest'
import { isFramedByForeignPage } from '../../../../client-src/services/page.ts'

interface Frame {
  parent: Frame
  location: { readonly origin: string }
}

/** Nested frames, the outermost first; null is one that a foreign page does not let be looked at. */
const innermost = (...origins: (string | null)[]): Window => {
  let frame: Frame | undefined
  for (const origin of origins) {
    const made = {
      get location(): { origin: string } {
        if (origin === null) throw new DOMException('foreign', 'SecurityError')
        return { origin }
      },
    } as Frame
    made.parent = frame ?? made
    frame = made
  }
  return frame as unknown as Window
}

describe('isFramedByForeignPage', () => {
  it.each([
    [false, ['http://a']],
    [false, ['http://a', 'http://a']],
    [true, [null, 'http://a']],
    [true, ['http://b', 'http://a']],
    [true, [null, 'http://a', 'http://a']],
    [true, ['http://a', null, 'http://a']],
  ] as const)('is %s in %o', (isForeign, origins) => {
    expect(isFramedByForeignPage(innermost(...origins))).toBe(isForeign)
  })
})
