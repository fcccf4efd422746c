/** Output whose every byte can be checked. Imports nothing, so that a process outside of the test runner can use it. */

/** A prime, so that no block or file begins at the same place of the pattern as another. */
const PERIOD = 65_521
const PATTERN = Uint8Array.from({ length: PERIOD }, (_, at) => (at * 31 + (at >> 8) * 7) & 0xff)

/** Bytes of which each follows from its offset, so that a read from a wrong place shows. */
export const patternAt = (from: number, length: number): Uint8Array => {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length;) {
    const part = PATTERN.subarray((from + at) % PERIOD).subarray(0, length - at)
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
