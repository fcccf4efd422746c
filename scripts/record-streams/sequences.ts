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
