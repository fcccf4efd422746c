import { describe, expect, it } from 'vitest'
import { MarkParser, type Mark } from '../../../../host-src/terminal/mark-parser.ts'
import { everySplit, marksOf, NONCE, OTHER_NONCE } from '../../../support/marks.ts'
import { randomForTest } from '../../../support/random.ts'

const marks = marksOf(NONCE)
const MIB = 1024 * 1024

type Found = Mark | { kind: 'nonceSeen'; at: number }

const parserInto = (found: Found[]): MarkParser =>
  new MarkParser(NONCE, {
    mark: (mark) => found.push(mark),
    nonceSeen: (at) => found.push({ kind: 'nonceSeen', at }),
  })

const parse = (reads: readonly (Uint8Array | string)[], from = 0): Found[] => {
  const found: Found[] = []
  const parser = parserInto(found)
  let at = from
  for (const read of reads) {
    const bytes = Buffer.from(read)
    parser.feed(bytes, at)
    at += bytes.length
  }
  return found
}
const kindsOf = (reads: readonly (Uint8Array | string)[]): string[] => parse(reads).map(({ kind }) => kind)

describe('a mark', () => {
  it('is told with its place in the stream and what it says', () => {
    const before = 'text '
    const start = marks.start('make \\x3b echo \\\\ \\xe4\\xb8\\xad 中')
    const text = before + start + 'out' + marks.end(3)
    const startEnd = Buffer.byteLength(before + start)
    expect(parse([text], 1000)).toEqual([
      {
        kind: 'commandStart',
        text: 'make ; echo \\ 中 中',
        truncated: false,
        start: 1000 + before.length,
        end: 1000 + startEnd,
      },
      { kind: 'commandEnd', exitCode: 3, start: 1000 + startEnd + 3, end: 1000 + Buffer.byteLength(text) },
    ])
  })

  it.each([
    ['the start of a prompt', marks.promptStart, { kind: 'promptStart' }],
    ['the end of a prompt', marks.promptEnd, { kind: 'promptEnd' }],
    ['a command without its text', marks.start(), { kind: 'commandStart', text: null, truncated: false }],
    ['an empty command', marks.start(''), { kind: 'commandStart', text: '', truncated: false }],
    ['a command that was cut', marks.start('ab', ';t=1'), { kind: 'commandStart', text: 'ab', truncated: true }],
    ['a directory', marks.cwd('/tmp/a\\x3bb'), { kind: 'property', cwd: '/tmp/a;b', shell: null }],
    ['a directory on Windows', marks.cwd('C:\\\\Users\\\\x'), { kind: 'property', cwd: 'C:\\Users\\x', shell: null }],
    ['a directory that is none', marks.cwd('tmp'), { kind: 'property', cwd: null, shell: null }],
    ['a directory with NUL', marks.cwd('/tmp/\\x00'), { kind: 'property', cwd: null, shell: null }],
    ['a shell', `\x1b]133;P;k=${NONCE};s=bash 5.2\x07`, { kind: 'property', cwd: null, shell: 'bash 5.2' }],
  ])('may tell of %s', (_name, text, expected) => {
    expect(parse([text])).toEqual([{ ...expected, start: 0, end: Buffer.byteLength(text) }])
  })

  it('keeps 8192 characters of a command, and never half of one', () => {
    const [found] = parse([marks.start('x'.repeat(8191) + '😀')])
    expect(found).toMatchObject({ text: 'x'.repeat(8191), truncated: true })
  })

  it('has no control character in its text unless it is written out', () => {
    expect(parse([marks.start('a\rb\tc\\x0ad')])).toMatchObject([{ text: 'abc\nd' }])
  })

  it.each([
    ['', null],
    [';', null],
    [';oops', null],
    [';256', 256],
    [';4294967295', 4_294_967_295],
    [';4294967296', null],
    [';-1', null],
    [';99999999999', null],
    [';1e3', null],
    [';0x1', null],
    ['; 1', null],
    [';0;aid=1', 0],
    [';1;err=x', 1],
  ])('of an end with D%s has the exit code %j', (field, exitCode) => {
    expect(parse([`\x1b]133;D${field};k=${NONCE}\x07`])).toMatchObject([{ kind: 'commandEnd', exitCode }])
  })

  it.each([
    ['BEL', '\x1b]', '\x07', 0],
    ['ST', '\x1b]', '\x1b\\', 0],
    ['ST as one character', '\x1b]', '\u009c', 0],
    ['the next sequence, as in the emulator', '\x1b]', '\x1b[m', 3],
    ['BEL, begun by one character', '\u009d', '\x07', 0],
  ])('may end with %s, however it is cut into reads', (_name, introducer, terminator, over) => {
    const text = Buffer.from('é中' + marksOf(NONCE, introducer, terminator).end(7) + 'after')
    const end = text.length - 'after'.length - over
    for (const reads of everySplit(text))
      expect(parse(reads)).toEqual([{ kind: 'commandEnd', exitCode: 7, start: 5, end }])
  })

  it.each(['\x18', '\x1a'])('that is undone by %j is none', (undo) => {
    const text = Buffer.from(`${marksOf(NONCE, '\x1b]', undo).end(0)}\x07\x1b\\`)
    for (const reads of everySplit(text)) expect(parse(reads)).toEqual([])
  })

  it.each([
    ['an unfinished title', '\x1b]0;title'],
    ['an unfinished device control string', '\x1bPq'],
    ['an unfinished control sequence', '\x1b[38;5'],
    ['an escape', '\x1b'],
    ['half a character', Buffer.from([0xe4, 0xb8])],
    ['the half of a control character', Buffer.from([0xc2])],
    ['an unfinished mark', '\x1b]133;'],
    ['tmux’s passthrough', '\x1bPtmux;\x1b'],
  ])('is found after %s', (_name, before) => {
    const text = Buffer.concat([Buffer.from(before), Buffer.from(marks.end(0))])
    for (const reads of everySplit(text)) expect(parse(reads)).toMatchObject([{ kind: 'commandEnd', exitCode: 0 }])
  })
})

describe('a whole session', () => {
  const transcript = Buffer.from(
    marks.cwd('/home') +
      marks.promptStart +
      '$ ' +
      marks.promptEnd +
      'echo é\r\n' +
      marks.start('echo \\xc3\\xa9') +
      'é\r\n' +
      marks.end(7) +
      marks.promptStart,
  )
  const whole = parse([transcript])

  it('is the same however it is cut into reads', () => {
    expect(whole.map(({ kind }) => kind)).toEqual([
      'property',
      'promptStart',
      'promptEnd',
      'commandStart',
      'commandEnd',
      'promptStart',
    ])
    for (const reads of everySplit(transcript)) expect(parse(reads)).toEqual(whole)
  })

  it('is the same in any three reads and with empty ones in between', () => {
    const random = randomForTest()
    for (let round = 0; round < 300; round += 1) {
      const [first, second] = [random.integer(0, transcript.length), random.integer(0, transcript.length)].toSorted(
        (one, other) => one - other,
      ) as [number, number]
      const reads = [transcript.subarray(0, first), transcript.subarray(first, second), '', transcript.subarray(second)]
      expect(parse(reads), `${String(first)} ${String(second)}`).toEqual(whole)
    }
  })
})

describe('what is no mark', () => {
  it.each([
    ['no nonce', '\x1b]133;D;0\x07'],
    ['an empty nonce', '\x1b]133;D;0;k=\x07'],
    ['another nonce', marksOf(OTHER_NONCE).end(0)],
    ['the nonce in capitals', marksOf(NONCE.toUpperCase()).end(0)],
    ['most of the nonce', marksOf(NONCE.slice(0, -1)).end(0)],
  ])('is passed over: %s', (_name, text) => {
    for (const reads of everySplit(Buffer.from(text))) expect(parse(reads)).toEqual([])
  })

  it.each([
    ['text', `K=${NONCE}`],
    ['the trace of a hook', `+ printf '\\e]133;D;%s;k=%s\\a' 0 ${NONCE}\r\n`],
    ['a title', `\x1b]0;k=${NONCE}\x07`],
    ['a field of another name', `\x1b]133;D;0;nonce=${NONCE}\x07`],
    ['a longer word', `\x1b]133;D;0;k=${NONCE}0\x07`],
    ['the text of a command', marks.start(`echo ${NONCE}`)],
  ])('gives the nonce away: %s', (_name, text) => {
    for (const reads of everySplit(Buffer.from(`before ${text} after`)))
      expect(kindsOf(reads).filter((kind) => kind === 'nonceSeen')).toHaveLength(1)
  })

  it('costs no memory when it has no end, and hides nothing that comes after it', () => {
    const found: Found[] = []
    const parser = parserInto(found)
    const block = Buffer.alloc(64 * 1024, 'x')
    const before = process.memoryUsage()
    let at = 0
    for (const beginning of ['\x1b]133;', `\x1b]133;C;k=${NONCE};c=`, '\x1b]133;D;0;k=']) {
      parser.feed(Buffer.from(beginning), at)
      at += beginning.length
      for (let n = 0; n < 32 * 16; n += 1, at += block.length) parser.feed(block, at)
    }
    const after = process.memoryUsage()
    expect(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(16 * MIB)
    expect(found).toEqual([])
    const text = `\r\n${marks.start('ok')}ok${marks.end(0)}`
    parser.feed(Buffer.from(text), at)
    expect(found.map(({ kind }) => kind)).toEqual(['commandStart', 'commandEnd'])
    expect(found.at(-1)).toMatchObject({ end: at + text.length })
  })

  it('finds nothing in any bytes that lack the nonce', () => {
    const random = randomForTest()
    const pieces = [
      '\x1b]133;',
      'D;0',
      ';k=',
      NONCE.slice(0, 31),
      NONCE.slice(1),
      OTHER_NONCE,
      '\x07',
      '\x1b\\',
      '\u009d',
      ';c=',
    ]
    for (let round = 0; round < 2000; round += 1) {
      const parts = Array.from({ length: random.integer(1, 30) }, () =>
        random.boolean(0.7) ? Buffer.from(random.pick(pieces)) : random.bytes(random.integer(0, 20)),
      )
      if (Buffer.concat(parts).includes(NONCE)) continue
      expect(parse(parts)).toEqual([])
    }
  })

  it('finds the same marks in any output, whole and in parts', () => {
    const random = randomForTest()
    const pieces = [
      marks.promptStart,
      marks.end(1),
      marks.start('a b'),
      marks.cwd('/x'),
      '\x1b',
      '\x18',
      '\x1b]0;t',
      NONCE,
    ]
    for (let round = 0; round < 500; round += 1) {
      const parts = Array.from({ length: random.integer(1, 12) }, () =>
        random.boolean(0.6) ? Buffer.from(random.pick(pieces)) : random.bytes(random.integer(0, 60)),
      )
      const whole = Buffer.concat([...parts, Buffer.from('.')])
      const cuts = [0, ...Array.from({ length: 9 }, () => random.integer(0, whole.length)), whole.length].toSorted(
        (a, b) => a - b,
      )
      const reads = cuts.slice(1).map((cut, index) => whole.subarray(cuts[index], cut))
      expect(parse(reads)).toEqual(parse([whole]))
    }
  })
})
