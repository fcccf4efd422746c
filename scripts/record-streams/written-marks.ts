/** A shell's marks by hand: every way in which a mark comes, moves and goes. */
import { command, csi, ESC, lines, mark, MARK_NONCE, wide, type Written } from './sequences.ts'

export const MARK_STREAMS: readonly Written[] = [
  {
    name: 'marks',
    about: "marks of a shell's commands: scrolled, reflowed, erased, in the alternate screen, forged, without an end",
    cols: 24,
    rows: 7,
    parts: [
      command('true', ''),
      command('ls', lines(3, 'file')),
      // Output that ends within a row, and one that is wrapped.
      command('printf abc', 'abc', 3),
      command('printf long', wide.repeat(5), 255),
      { cols: 11, rows: 7 },
      command('seq', lines(4)),
      command('printf zsh', `zsh${csi('7m')}%${csi('0m')}${' '.repeat(10)}\r \r`),
      `\r${csi('J')}`,
      { cols: 30, rows: 5 },
      // Forged: no nonce, another one, one within a text.
      `${ESC}]133;C\u0007${ESC}]133;D;0\u0007${ESC}]133;D;0;k=${MARK_NONCE.replace('0', 'f')}${ESC}\\`,
      `${ESC}]133;C;c=k=${MARK_NONCE}\u0007`,
      // Nothing typed, interrupted at the prompt, drawn again.
      `${mark('A')}$ ${mark('B')}\r\n${mark('D;0')}${mark('A')}$ ${mark('B')}^C\r\n${mark('D;130')}`,
      `${mark('A')}$ ${mark('B')}half\r${csi('J')}${mark('A')}> ${mark('B')}half\r\n`,
      // Started twice and ended once; ended without a code; not ended.
      `${ESC}]133;C;k=${MARK_NONCE};c=one\u0007one\r\n${ESC}]133;C;k=${MARK_NONCE};c=two\u0007two\r\n${mark('D;1')}`,
      `${mark('A')}$ \r\n${mark('C')}out\r\n${ESC}]133;D;k=${MARK_NONCE}${ESC}\\`,
      `${mark('A')}$ \r\n${mark('C')}out\r\n`,
      command('vim', `${csi('?1049h')}${mark('C')}${csi('H')}text${mark('D;9')}${csi('?1049l')}`),
      csi('2L'),
      csi('1M'),
      `${csi('2;4r')}${csi('4;1H')}\n\n${csi('r')}${csi('5;1H')}`,
      { cols: 16, rows: 6 },
      command('clear', `${csi('H')}${csi('2J')}${csi('3J')}`),
      command('make', lines(6, 'made'), 2),
      `${mark('A')}$ ${mark('B')}`,
      { cols: 40, rows: 6 },
      `wait\r\n${mark('C')}`,
      `${ESC}c`,
      mark('D;0'),
      command('after', 'x\r\n'),
      lines(40),
      command('last', lines(2)),
      `${mark('A')}$ ${mark('B')}`,
    ],
  },
]
