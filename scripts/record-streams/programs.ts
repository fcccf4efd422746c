/** Which programs are recorded, and what is typed into them. */

/** Waits for silence and then acts; `ms` waits for that long instead. */
export type Step = { keys: string } | { cols: number; rows: number } | { ms: number }

export interface Program {
  name: string
  about: string
  cols: number
  rows: number
  argv: readonly string[]
  /** Put into the folder in which it runs. */
  files: Readonly<Record<string, string>>
  steps: readonly Step[]
}

const numbered = (count: number, text: (line: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${text(at + 1)}\n`).join('')

const SIZE = { cols: 80, rows: 24 }
const keys = (...all: string[]): Step[] => all.map((each) => ({ keys: each }))
const script = (text: string): readonly string[] => ['bash', '--noprofile', '--norc', '-c', text]

const SOURCE = `#include <stdio.h>

/* 你好, wörld */
int main(void) {
  for (int i = 0; i < 10; i++) {
    printf("%d\\n", i);\t/* a tab before this */
  }
  return 0;
}
`

const BUILD = `
say() { printf '\\033[%sm%s\\033[0m %s\\n' "$1" "$2" "$3"; }
for i in $(seq 1 90); do
  case $((i % 6)) in
    0) say '1;33' 'warning:' "unused variable 'x' in src/part$i.c"; printf '   \\033[38;5;39m--> \\033[0msrc/part%d.c:\\033[1m%d\\033[0m:4\\n' $i $i;;
    1) say '38;2;80;200;120' '[CC]' "src/part$i.c -> build/part$i.o";;
    2) printf '\\033[2m%3d%%\\033[0m \\033[32mBuilding C object\\033[0m part%d.o\\n' $i $i;;
    3) say '1;31' 'error:' "\\033[4:3;58;5;196munknown type\\033[0m in part$i"; say '48;5;52;97' 'E' '\\033[K';;
    4) say '36' '[LD]' "$(printf 'lib%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30)";;
    *) printf 'note: \\033[3;9mold\\033[23;29m \\033[7mnew\\033[27m \\033[53mover\\033[55m\\n';;
  esac
done`

const PROGRESS = `
for i in $(seq 0 2 100); do
  printf '\\rloading [%-40s] %3d%%' "$(printf '#%.0s' $(seq 1 $((i * 2 / 5 + 1))))" $i
done
printf '\\r\\033[Kdone\\n'
for i in 1 2 3; do printf 'a %d\\nb %d\\nc %d\\n' $i $i $i; printf '\\033[3A\\033[2K'; done; printf '\\n\\n\\n'
for c in '|' '/' '-' '\\\\'; do printf '%s\\b' "$c"; done; printf ' \\n'`

const TMUX = `set -g status-left "[work] "
set -g status-right "#{pane_width}x#{pane_height}"
set -g default-command "sh"
set -g default-terminal "screen-256color"
set -g escape-time 0
`

export const programs: readonly Program[] = [
  {
    name: 'vim',
    about: 'vim: edit, search, split, visual block, undo, syntax colours, resize, quit',
    ...SIZE,
    argv: ['vim', '-u', 'NONE', '-i', 'NONE', '-N', '--cmd', 'set ruler showcmd hlsearch wildmenu', 'hello.c'],
    files: { 'hello.c': SOURCE },
    steps: [
      ...keys(
        ':syntax on\r',
        ':set number\r',
        'GO// 汉字 e\u0301 👍🏽\x1b',
        '/int\r',
        'n',
        ':split\r',
        '\x17j',
        'ggVG',
        '\x1b',
      ),
      ...keys('gg\x16jjlllcXX\x1b', 'u', ':3,5>\r', 'yy5p'),
      { cols: 60, rows: 18 },
      ...keys('\x06', '\x02', 'ddp', ':q!\r', ':q!\r'),
    ],
  },
  {
    name: 'less',
    about: 'less: page down and up, search, go to the end, long lines, quit',
    ...SIZE,
    argv: ['less', '-R', 'text'],
    files: { text: numbered(200, (line) => `${line} \u001b[3${line % 8}mword\u001b[0m ${'long '.repeat(line % 30)}`) },
    steps: keys(' ', ' ', 'b', '/word 17\r', 'n', 'G', 'g', 'j', 'j', 'k', 'q'),
  },
  {
    name: 'htop',
    about: 'htop for about a second, of one process',
    ...SIZE,
    argv: script('sleep 60 & exec htop -d 5 -p $!'),
    files: { htoprc: 'header_layout=two_50_50\nleft_meters_0=Memory\nright_meters_0=LoadAverage\ncolor_scheme=0\n' },
    steps: [{ ms: 1300 }, { keys: '\x1b[B' }, { keys: 'q' }],
  },
  {
    name: 'tmux',
    about: 'tmux: split both ways, text in each, move, resize, copy mode, leave',
    ...SIZE,
    argv: ['tmux', '-f', 'tmux.conf', '-L', 'streams', 'new-session', '-n', 'one'],
    files: { 'tmux.conf': TMUX, 'file-a': 'a\n', 'file-b': 'b\n' },
    steps: [
      ...keys('ls\r', '\x02%', 'seq 1 40\r', '\x02"', 'echo 漢字 e\u0301\r', '\x02o', 'seq 1 9\r'),
      { cols: 100, rows: 30 },
      ...keys('\x02[', '\x1b[5~', 'q', '\x02c', 'ls\r', '\x02n', '\x02&', 'y', '\x02:kill-server\r'),
    ],
  },
  {
    name: 'build-log',
    about: 'a build with coloured lines, underline styles and long lines',
    ...SIZE,
    argv: script(BUILD),
    files: {},
    steps: [],
  },
  {
    name: 'progress',
    about: 'progress bars with carriage returns, erased lines and a spinner',
    ...SIZE,
    argv: script(PROGRESS),
    files: {},
    steps: [],
  },
  {
    name: 'shell',
    about:
      'bash with line editing: history, reverse search, completion, a multi-line command, window made narrow and wide',
    ...SIZE,
    argv: ['bash', '--noprofile', '--norc', '-i'],
    files: { 'file-a': 'a\n', 'file-b': 'b\n', 'file-c': 'c\n' },
    steps: [
      ...keys(
        "PS1='\\[\\e[1;32m\\]user\\[\\e[0m\\]:\\w\\$ '\r",
        'ls --color=always -l file-* | cut -c1-10\r',
        'cat fi\t\t',
        'le-a\r',
      ),
      ...keys('\x12cat', '\x07', 'echo one two three\x01\x1b[C\x1b[C\x0b\x19\r', 'echo "a\r', 'b"\r'),
      {
        keys: 'echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      },
      { cols: 40, rows: 20 },
      { keys: '\r' },
      { cols: 90, rows: 26 },
      ...keys('seq 1 60\r', 'clear\r', 'exit\r'),
    ],
  },
]
