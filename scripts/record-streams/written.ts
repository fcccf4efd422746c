/** Streams by hand, for what no program at hand writes: text, character sets, links, broken input. */
import type { StreamInfo } from '../record-streams.ts'
import { csi, ESC, lines, osc, wide, type Written } from './sequences.ts'
import { MARK_STREAMS } from './written-marks.ts'
import { SCREEN_STREAMS } from './written-screen.ts'

const TEXT_STREAMS: readonly Written[] = [
  {
    name: 'unicode',
    about:
      'CJK, emoji with joiners, flags, variation selectors, combining marks; also at the right margin and overwritten',
    cols: 20,
    rows: 8,
    parts: [
      `${wide}|\r\n`,
      'e\u0301|n\u0303|\u0301|\r\n',
      '👨‍👩‍👧‍👦|👍🏽|🏴‍☠️|\r\n',
      '🇩🇪🇫🇷|🇩|\r\n',
      '❤️|❤|☎️|\r\n',
      'ก็|नि|한|각|\r\n',
      '…“x”—、。\r\n',
      `${'x'.repeat(19)}汉${'x'.repeat(18)}❤️|`,
      '\r\n',
      `${'x'.repeat(19)}e\u0301\u0302\r\n`,
      `${wide}\r${csi('C')}a${csi('2C')}b\r\n`,
      `${wide}\r${csi('3C')}${csi('2@')}${csi('1P')}${csi('3X')}\r\n`,
      `${csi('?7l')}${'x'.repeat(18)}汉汉a汉b${csi('?7h')}\r\n`,
      `${csi('4h')}汉字${csi('2D')}字a${csi('4l')}\r\n`,
      { cols: 11, rows: 8 },
      `${wide}e\u0301e\u0302`,
      { cols: 25, rows: 6 },
      '👩‍💻a\u0301',
      '\r\n',
      'ab',
      csi('3b'),
      '汉',
      csi('4b'),
    ],
  },
  {
    name: 'charsets',
    about: 'line drawing and national character sets in all four slots, shifts, DECNM-like resets',
    cols: 30,
    rows: 8,
    parts: [
      `${ESC}(0lqqk\r\nx  x\r\nmqqj${ESC}(B\r\n`,
      `${ESC})0`,
      'a',
      '\u000e',
      'qqq',
      '\u000f',
      'qqq\r\n',
      `${ESC}(A#${ESC}(K[]{}|~${ESC}(RE@\\${ESC}(B`,
      `${ESC}*0${ESC}+A`,
      `${ESC}n`,
      'lk',
      `${ESC}o`,
      '##',
      `${ESC}}`,
      'xx',
      `${ESC}|`,
      '#',
      `${ESC}~`,
      'q\u000f\r\n',
      `${ESC}%Gplain`,
      `${ESC}-4#`,
      '\u000e#\u000f',
      csi('?2h'),
      'q',
      '\r\n',
      `${ESC}(0`,
      csi('?1049h'),
      'qq',
      csi('?1049l'),
      'qq',
      `${ESC}(B`,
    ],
  },
  {
    name: 'links',
    about:
      'OSC 8 with and without id, over lines, scrolled away, erased, in the alternate screen; underline styles and colours',
    cols: 36,
    rows: 6,
    parts: [
      `${osc('8;;https://example.com/a')}first${osc('8;;')} text\r\n`,
      `${osc('8;id=x;https://example.com/b')}${'long link '.repeat(6)}${osc('8;;')}\r\n`,
      `${csi('4:3;58;2;255;0;0m')}curly${csi('4:4m')}dotted${csi('4:5;59m')}dashed${csi('21m')}double${csi('24m')}\r\n`,
      lines(4),
      `${osc('8;id=x;https://example.com/b')}again${osc('8;;')} ${osc('8;;https://example.com/c;d')}c${csi('1;3m')}d`,
      csi('0m'),
      'open\r\n',
      lines(9),
      `${osc('8;;')}closed`,
      csi('?1049h'),
      csi('H'),
      `${osc('8;id=y;https://example.com/y')}alt${osc('8;;')}`,
      csi('?1049l'),
      csi('2J'),
      csi('H'),
      `${osc('8;id=x;https://example.com/b')}anew`,
      csi('2K'),
      `${osc('8;;')}`,
      { cols: 18, rows: 6 },
      'narrow',
      `${osc('8;;https://example.com/e')}${'e'.repeat(30)}${osc('8;;')}`,
      { cols: 50, rows: 6 },
      '\r\n',
      lines(8, 'scroll'),
      csi('3J'),
      `${ESC}c`,
      `${osc('8;id=x;https://example.com/b')}reset${osc('8;;')}`,
    ],
  },
  {
    name: 'broken',
    about:
      'cut and invalid UTF-8, C1 controls, control characters inside sequences, aborted and unknown sequences, long strings',
    cols: 30,
    rows: 6,
    parts: [
      'a\u009b31mb\u009b0m',
      '\u0084\u0085\u0088\u008d',
      `${ESC}[3\n1mred${ESC}[0\u0018m`,
      `${ESC}[38;5`,
      '\u001a',
      ';1m',
      `${ESC}[?1$`,
      `${ESC}[1;2;3;4;5;6;7;8;9mmany`,
      `${ESC}]2;cut${ESC}[31mred`,
      `${ESC}]0;bel\u0007`,
      `${ESC}]2;can\u0018`,
      `${ESC}Pq#1;2~-${ESC}\\`,
      `${ESC}P$qm${ESC}\\`,
      `${ESC}_apc${ESC}\\${ESC}^pm\u009cX${ESC}Xsos${ESC}\\`,
      csi('0m'),
      '\u0000\u007f',
      csi('>c'),
      csi('?5h'),
      csi('99999999999999999999A'),
      'end',
      `${ESC}]2;${'t'.repeat(300)}${ESC}\\`,
      '\r\n',
      '\u{10ffff}\ufeff\u200b',
    ],
  },
  {
    name: 'resized',
    about: 'wrapped lines, colours and wide characters while the size changes, line by line',
    cols: 30,
    rows: 8,
    parts: Array.from({ length: 24 }, (_, at) => [
      `${csi(`${String(30 + (at % 8))}m`)}${'word '.repeat(at % 11)}${at % 3 === 0 ? wide : 'e\u0301'}${csi('0m')}${at % 4 === 0 ? '' : '\r\n'}`,
      ...(at % 2 === 0 ? [{ cols: 12 + ((at * 7) % 31), rows: 3 + ((at * 5) % 9) }] : []),
    ]).flat(),
  },
]

/** Bytes that are no text: invalid in every way, between text that must survive. */
const INVALID = [
  0x61, 0xff, 0x62, 0xc3, 0x28, 0x63, 0xe2, 0x82, 0x64, 0xf0, 0x9f, 0x98, 0x65, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x66,
  0xf8, 0x88, 0xe2, 0x80, 0xa6,
]

export function writtenStreams(): { name: string; bytes: Uint8Array; info: StreamInfo }[] {
  return [...TEXT_STREAMS, ...MARK_STREAMS, ...SCREEN_STREAMS].map(({ name, about, cols, rows, parts }) => {
    const resizes: StreamInfo['resizes'] = []
    const chunks: Uint8Array[] = []
    let offset = 0
    for (const part of parts) {
      if (typeof part === 'object') {
        resizes.push({ offset, ...part })
        continue
      }
      const bytes = new TextEncoder().encode(part)
      chunks.push(bytes)
      offset += bytes.length
    }
    if (name === 'broken') chunks.push(Uint8Array.from(INVALID))
    return { name, bytes: Buffer.concat(chunks), info: { about, cols, rows, resizes } }
  })
}
