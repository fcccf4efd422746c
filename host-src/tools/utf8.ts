/** Characters of bytes, one at a time, so that each is known by its place. */

const REPLACEMENT = 0xfffd

/**
 * The character at `at`, or U+FFFD for as many bytes as cannot begin one (as the Encoding standard replaces them); a
 * `length` of 0 when the bytes end before it does.
 */
export function decodeAt(bytes: Uint8Array, at: number): { codePoint: number; length: number } {
  const lead = bytes[at] as number
  const rest =
    lead >= 0xc2 && lead <= 0xdf ? 1 : lead >= 0xe0 && lead <= 0xef ? 2 : lead >= 0xf0 && lead <= 0xf4 ? 3 : 0
  if (rest === 0) return { codePoint: lead < 0x80 ? lead : REPLACEMENT, length: 1 }
  let codePoint = lead & (0x3f >> rest)
  for (let index = 1; index <= rest; index++) {
    const byte = bytes[at + index]
    if (byte === undefined) return { codePoint: REPLACEMENT, length: 0 }
    const low = index > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
    const high = index > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
    if (byte < low || byte > high) return { codePoint: REPLACEMENT, length: index }
    codePoint = (codePoint << 6) | (byte & 0x3f)
  }
  return { codePoint, length: rest + 1 }
}
