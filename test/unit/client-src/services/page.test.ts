import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { isFramedByForeignPage, whenIdle } from '../../../../client-src/services/page.ts'

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

describe('whenIdle', () => {
  it('is not before the first frame, and not in the way of what the page does then', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const request = vi.fn<(run: () => void, options: { timeout: number }) => number>(() => 7)
    const cancel = vi.fn()
    vi.stubGlobal('requestIdleCallback', request)
    vi.stubGlobal('cancelIdleCallback', cancel)
    const run = vi.fn()
    const stop = whenIdle(run)
    expect(request).not.toHaveBeenCalled()
    vi.runAllTimers()
    expect(run).not.toHaveBeenCalled()
    stop()
    expect(cancel).toHaveBeenCalledWith(7)
    request.mock.calls[0]?.[0]()
    expect(run).toHaveBeenCalledOnce()
    whenIdle(run)()
    vi.runAllTimers()
    expect(request).toHaveBeenCalledOnce()
  })

  it('comes all the same where a browser cannot tell', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const run = vi.fn()
    whenIdle(run)
    vi.runAllTimers()
    expect(run).toHaveBeenCalledOnce()
  })
})
