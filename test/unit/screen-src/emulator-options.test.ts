import { afterEach, describe, expect, it, vi } from 'vitest'
import { feed, newEmulator } from './emulator.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('an emulator', () => {
  it('writes nothing of what a program prints to the console', () => {
    const spies = (['log', 'info', 'warn', 'error', 'debug', 'trace'] as const).map((method) =>
      vi.spyOn(console, method).mockImplementation(() => {}),
    )
    const emulator = newEmulator({ cols: 80, rows: 24 })
    // A byte that no state of the parser expects, unknown modes, and a string that is cut off.
    for (const text of [
      '\x1b[1\u00e9m',
      '\x1b[?99999h',
      '\x1b[99999z',
      '\x1bP$qsecret\x1b\\',
      '\x1b]4;x;secret\x07',
      '\x1b]',
    ])
      feed(emulator, text)
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    emulator.dispose()
  })
})
