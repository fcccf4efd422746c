/** The hash: the published function, and different for everything that a terminal remembers. */
import { describe, expect, it } from 'vitest'
import { hashBytes, hashScreen, hashState } from '../../../screen-src/hash.ts'
import { feed, newEmulator } from './emulator.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('hashBytes', () => {
  // MurmurHash3_x86_128, seed 0, as the reference implementation gives it.
  it.each([
    ['', '00000000000000000000000000000000'],
    ['a', 'a794933c5556b01b5556b01b5556b01b'],
    ['0123456789abcdefg', '7f1f9836516b3876ac29c030f9d6f374'],
    ['I will not buy this record, it is scratched.', 'a0a9683b25ac5e40d9af2895890dddf5'],
  ])('of %j is the published value', (text, expected) => {
    expect(hashBytes(bytesOf(text))).toBe(expected)
  })

  it('depends on every byte and on the length', () => {
    const seen = new Set<string>()
    for (let length = 0; length < 40; length++) seen.add(hashBytes(new Uint8Array(length)))
    for (let at = 0; at < 40; at++)
      for (const value of [1, 128, 255]) {
        const bytes = new Uint8Array(40)
        bytes[at] = value
        seen.add(hashBytes(bytes))
      }
    expect(seen.size).toBe(40 + 120)
  })
})

describe('hashState', () => {
  const TEXT = `${'above\r\n'.repeat(9)}text`
  const hashAfter = (extra: string): string => {
    const emulator = newEmulator({ cols: 20, rows: 5 })
    feed(emulator, TEXT + extra)
    return hashState(emulator)
  }

  it('differs for everything that only shows later', () => {
    const extras = [
      '',
      '\u001b7',
      '\u001b[2;4r\u001b[5;5H',
      '\u001b[?6h\u001b[5;5H',
      '\u001b[3g',
      '\u001b(0',
      '\u001b)0',
      '\u000e',
      '\u001b[1m',
      '\u001b[4:3m',
      '\u001b[58;5;1m',
      '\u001b]8;;http://a\u001b\\',
      '\u001b]8;;http://b\u001b\\',
      '\u001b[1"q',
      '\u001b]2;t\u0007',
      '\u001b]1;t\u0007',
      '\u001b[22;2t',
      '\u001b]4;1;#112233\u0007',
      '\u001b]12;#112233\u0007',
      '\u001b[4 q',
      '\u001b[?25l',
      '\u001b[?12h',
      '\u001b[?1002h',
      '\u001b[?1006h',
      '\u001b[?1h',
      '\u001b=',
      '\u001b[4h',
      '\u001b[20h',
      '\u001b[?7l',
      '\u001b[?45h',
      '\u001b[?2004h',
      '\u001b[?1004h',
      '\u001b[?2026h',
      '\u001b[?1049h',
      '\u001b[3J',
      '\u001b[5;5H',
    ]
    expect(new Set(extras.map(hashAfter)).size).toBe(extras.length)
  })

  it('covers the scrollback, which hashScreen does not', () => {
    const [one, other] = ['above', 'ABOVE'].map((text) => {
      const emulator = newEmulator({ cols: 20, rows: 3 })
      feed(emulator, `${text}\r\n${'x\r\n'.repeat(9)}`)
      return emulator
    }) as [ReturnType<typeof newEmulator>, ReturnType<typeof newEmulator>]
    expect(hashScreen(one)).toBe(hashScreen(other))
    expect(hashState(one)).not.toBe(hashState(other))
  })

  it('does not depend on what the user looks at', () => {
    const emulator = newEmulator({ cols: 20, rows: 5 })
    feed(emulator, TEXT)
    const before = hashState(emulator)
    emulator.scrollLines(-3)
    expect(hashState(emulator)).toBe(before)
  })
})
