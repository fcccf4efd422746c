/** Random but sensible terminal output: every kind of sequence the emulator knows, with sizes that matter. */
import { mark } from '../../../scripts/record-streams/sequences.ts'
import type { Random } from '../../support/random.ts'

const TEXTS =
  'hello,a,世界,e\u0301,👨‍👩‍👧,🇩🇪🇫🇷,❤️,…,“x”,ﷺ,\u0301,한글,👍🏽,ก็,  ,─,\u200d,\ufe0f,xxxxxxxxxxxxxxxxxxxxxxxxx,\u009b,\u0085,\u0084'.split(
    ',',
  )
const CONTROLS = ['\r\n', '\n', '\r', '\t', '\b', '\u000e', '\u000f', '\u000b']
const COUNTS = ['', '0', '1', '2', '3', '5', '8', '20', '99']
const FINALS = '@ABCDEFGHIJKLMPSTXZ`abdefgGH'.split('')
const SGR =
  '0,1,3,4,4:3,4:0,7,9,21,31,42,38;5;200,38;2;1;2;3,48;5;10,48;2;9;8;7,58;5;3,58:2::1:2:3,59,53,39,49,24,97,107'.split(
    ',',
  )
const DEC_MODES = '1,6,7,12,25,45,66,9,1000,1002,1003,1004,1006,1016,47,1047,1048,1049,2004,2026,2'.split(',')
const ESCAPES = '7,8,D,E,H,M,=,>,n,o,|,},~,%@,#8,(0,(B,)0,*A,+4,-K,(Z'.split(',')
const OTHERS =
  '?0J,?1J,?2K,0"q,1"q,2"q,2 @,3 A,2\'},1\'~,0g,3g,3J,1J,2J,!p,4h,4l,20h,20l,22;0t,23;0t,22;2t,23;2t,4 q,0 q'.split(',')
const COMMANDS =
  '0;both,1;icon,2;title,8;;http://a,8;;,8;id=1;http://a,8;id=2;http://b/c,4;3;rgb:10/22/33,10;#102030,11;#302010,104,110,111,104;3'.split(
    ',',
  )

const MARKS = ['A', 'B', 'C', 'C', 'D', 'D;0', 'D;127', 'P']

export const randomSequence = (random: Random): string => {
  const pick = random.pick.bind(random)
  switch (random.integer(0, 10)) {
    case 0:
    case 1:
    case 2:
      return pick(TEXTS) + (random.boolean() ? pick(TEXTS) : '')
    case 3:
      return pick(CONTROLS)
    case 4:
      return `\u001b[${pick(COUNTS)}${pick(FINALS)}`
    case 5:
      return `\u001b[${pick(COUNTS)};${pick(COUNTS)}${pick(['H', 'f', 'r', 'r'])}`
    case 6:
      return `\u001b[${pick(SGR)}m`
    case 7:
      return `\u001b[?${pick(DEC_MODES)}${pick(['h', 'l'])}`
    case 8:
      return random.boolean(0.1) ? '\u001bc' : `\u001b${pick(ESCAPES)}`
    case 9:
      return mark(pick(MARKS))
    default:
      return random.boolean() ? `\u001b[${pick(OTHERS)}` : `\u001b]${pick(COMMANDS)}\u001b\\`
  }
}
