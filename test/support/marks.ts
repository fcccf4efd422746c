/** What the hooks of a shell print, and streams that are cut in every way. */
import type { MarkNonce } from '../../protocol-src/ids.ts'

export const NONCE = '5f2c9e0b7a4d4116b83f0c2de97a1f36' as MarkNonce
export const OTHER_NONCE = '5f2c9e0b7a4d4116b83f0c2de97a1f37' as MarkNonce

export interface MarkPrinter {
  readonly promptStart: string
  readonly promptEnd: string
  /** @param text as the hook writes it: escaped already */
  readonly start: (text?: string, more?: string) => string
  readonly end: (exitCode?: number | string) => string
  readonly cwd: (path: string) => string
}

/** @param introducer of the sequence. @param terminator of the sequence */
export const marksOf = (nonce: string, introducer = '\x1b]', terminator = '\x07'): MarkPrinter => {
  const mark = (fields: string, rest = ''): string => `${introducer}133;${fields};k=${nonce}${rest}${terminator}`
  return {
    promptStart: mark('A'),
    promptEnd: mark('B'),
    start: (text, more = '') => mark('C', `${text === undefined ? '' : `;c=${text}`}${more}`),
    end: (exitCode) => mark(exitCode === undefined ? 'D' : `D;${String(exitCode)}`),
    cwd: (path) => mark('P', `;d=${path}`),
  }
}

/** `bytes` as one read, byte by byte, and in every two parts. */
export const everySplit = (bytes: Uint8Array): Uint8Array[][] => [
  [bytes],
  Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1)),
  ...Array.from({ length: bytes.length + 1 }, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]),
]
