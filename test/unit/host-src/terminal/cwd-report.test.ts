import { describe, expect, it } from 'vitest'
import { CwdReports, reportedCwd, thisMachine, type Machine } from '../../../../host-src/terminal/cwd-report.ts'
import { everySplit } from '../../../support/marks.ts'
import { randomForTest } from '../../../support/random.ts'

const HERE: Machine = { hostNames: ['h.example', 'h'], isWindows: false }
const WINDOWS: Machine = { ...HERE, isWindows: true }

const reports = (reads: readonly Uint8Array[]): string[] => {
  const paths: string[] = []
  const finder = new CwdReports(HERE, (path) => paths.push(path))
  for (const read of reads) finder.feed(read)
  return paths
}

describe('a reported directory', () => {
  it.each([
    ['7;file://h/tmp/a%20b', '/tmp/a b'],
    ['7;file://H.Example/tmp', '/tmp'],
    ['7;file://localhost/tmp', '/tmp'],
    ['7;file:///tmp/%E4%B8%AD', '/tmp/中'],
    ['7;file:///tmp/中', '/tmp/中'],
    ['7;file:///C:/x', '/C:/x'],
    ['7;file://evil.test/etc', null],
    ['7;file://h.evil.test/etc', null],
    ['7;http://x/y', null],
    ['7;file:///a%00b', null],
    ['7;file:///a%', null],
    ['7;file:///a%ff', null],
    ['7;/rel', null],
    ['7;', null],
    ['7', null],
    ['70;file:///tmp', null],
    [`7;file:///${'x'.repeat(5000)}`, null],
    ['9;9;/home/me', '/home/me'],
    ['9;9;"C:\\Users\\me"', 'C:\\Users\\me'],
    ['9;9;relative', null],
    ['9;4;1;50', null],
    ['1337;CurrentDir=/Users/me', '/Users/me'],
    ['1337;CurrentDir=', null],
    ['1337;RemoteHost=me@other', null],
    ['133;A', null],
  ])('by %j is %j', (text, expected) => {
    expect(reportedCwd(Buffer.from(text).toString('latin1'), HERE)).toBe(expected)
  })

  it.each([
    ['7;file:///C:/Users/a%20b', 'C:\\Users\\a b'],
    ['7;file:///d:/', 'd:\\'],
    ['9;9;"D:\\"', 'D:\\'],
    ['7;file:///c/Users', null],
  ])('of Windows by %j is %j', (text, expected) => {
    expect(reportedCwd(text, WINDOWS)).toBe(expected)
  })

  it('may name this machine', () => {
    expect(thisMachine().hostNames.length).toBeGreaterThan(0)
  })
})

describe('reports in output', () => {
  it.each([
    ['\x1b]7;file:///a\x07', ['/a']],
    ['\x1b]7;file:///a\x1b\\', ['/a']],
    ['\u009d7;file:///a\u009c', ['/a']],
    ['\x1b]7;file:///a\x18', []],
    ['x\x1b]0;t\x1b]9;9;/b\x07y\x1b]1337;CurrentDir=/c\x07z\x1b', ['/b', '/c']],
    ['\x1b]7;file:///a', []],
    [']7;file:///a\x07', []],
    ['Â\x1b\x1b]7;file:///é\x07', ['/é']],
  ])('of %j are %j, however it is cut into reads', (text, expected) => {
    for (const reads of everySplit(Buffer.from(text))) expect(reports(reads)).toEqual(expected)
  })

  it.each(['\x1b]7;file:///a\x07', '\x1b]1337;CurrentDir=/a\x07', '\u009d9;9;/a\x07'])(
    'are found within much text: %j',
    (report) => {
      const text = Buffer.from(`${'x'.repeat(100)}${report}${'y'.repeat(100)}`)
      for (const reads of everySplit(text)) expect(reports(reads)).toEqual(['/a'])
    },
  )

  it('are found after one that never ends', () => {
    const endless = Buffer.from('\x1b]7;file:///' + 'x'.repeat(100_000))
    expect(reports([endless, Buffer.from('\x1b]7;file:///a\x07')])).toEqual(['/a'])
  })

  it('are the same in any output, whole and in parts', () => {
    const random = randomForTest()
    const pieces = [
      '\x1b]7;file:///a\x07',
      '\u009d9;9;/b\x1b\\',
      '\x1b]1337;CurrentDir=/',
      '\x1b]',
      '7;',
      '\x07',
      'é',
      '\x1b',
    ]
    for (let round = 0; round < 500; round += 1) {
      const whole = Buffer.from(Array.from({ length: random.integer(1, 20) }, () => random.pick(pieces)).join(''))
      const cuts = [0, ...Array.from({ length: 7 }, () => random.integer(0, whole.length)), whole.length].toSorted(
        (one, other) => one - other,
      )
      const reads = cuts.slice(1).map((cut, index) => whole.subarray(cuts[index], cut))
      expect(reports(reads)).toEqual(reports([whole]))
    }
  })
})
