/** Words for writing streams by hand. */

export interface Written {
  name: string
  about: string
  cols: number
  rows: number
  /** Text, or a size from there on. */
  parts: readonly (string | { cols: number; rows: number })[]
}

export const ESC = '\u001b'
export const csi = (rest: string): string => `${ESC}[${rest}`
export const osc = (rest: string): string => `${ESC}]${rest}${ESC}\\`
export const lines = (count: number, text = 'line'): string =>
  Array.from({ length: count }, (_, at) => `${text} ${String(at)}\r\n`).join('')
export const fill = lines(6, csi('44m') + 'filled' + csi('0m'))
export const wide = '汉字かな한글'

/** What the marks of the written streams carry. */
export const MARK_NONCE = '0123456789abcdef0123456789abcdef'
export const mark = (rest: string): string => `${ESC}]133;${rest};k=${MARK_NONCE}\u0007`
/** A prompt, a command line, what it prints, and its end. */
export const command = (text: string, output: string, code = 0): string =>
  `${mark('A')}$ ${mark('B')}${text}\r\n${ESC}]133;C;k=${MARK_NONCE};c=${text}\u0007${output}${mark(`D;${String(code)}`)}`
