import { describe, expect, it } from 'vitest'
import { MAX_COMMAND_CHARS, MAX_PATH_CHARS, MAX_TITLE_CHARS } from '../../../protocol-src/limits.ts'
import { launchSpecSchema, terminalSizeSchema, titleSchema } from '../../../protocol-src/session.ts'

describe('terminalSizeSchema', () => {
  it.each([
    [
      { cols: 80, rows: 24 },
      { cols: 80, rows: 24 },
    ],
    [
      { cols: 0, rows: 0 },
      { cols: 2, rows: 1 },
    ],
    [
      { cols: -5, rows: -1 },
      { cols: 2, rows: 1 },
    ],
    [
      { cols: 1, rows: 1 },
      { cols: 2, rows: 1 },
    ],
    [
      { cols: 1001, rows: 501 },
      { cols: 1000, rows: 500 },
    ],
    [
      { cols: 0x7fff_ffff, rows: -0x8000_0000 },
      { cols: 1000, rows: 1 },
    ],
  ])('clamps %j to %j', (given, wanted) => {
    expect(terminalSizeSchema.parse(given)).toEqual(wanted)
  })

  it.each([
    { cols: NaN, rows: 24 },
    { cols: 80, rows: NaN },
    { cols: Infinity, rows: 24 },
    { cols: '80', rows: 24 },
    { cols: 80.5, rows: 24 },
    { cols: null, rows: 24 },
    { cols: [80], rows: 24 },
    { cols: 2 ** 53, rows: 24 },
    { rows: 24 },
    {},
    { cols: 80, rows: 24, pixels: 1 },
    [80, 24],
    null,
  ])('refuses %j instead of guessing', (given) => {
    expect(terminalSizeSchema.safeParse(given).success).toBe(false)
  })
})

describe('launchSpecSchema', () => {
  it('takes a shell and a command session, as they are', () => {
    expect(launchSpecSchema.parse({ kind: 'local' })).toEqual({ kind: 'local' })
    const full = { kind: 'local', cwd: '/tmp/ä b', command: 'echo "a\nb"' }
    expect(launchSpecSchema.parse(full)).toEqual(full)
  })

  it.each([
    { kind: 'local', cwd: '' },
    { kind: 'local', cwd: 'a\0b' },
    { kind: 'local', cwd: 'x'.repeat(MAX_PATH_CHARS + 1) },
    { kind: 'local', cwd: ['/tmp'] },
    { kind: 'local', command: '' },
    { kind: 'local', command: 'a\0b' },
    { kind: 'local', command: 'x'.repeat(MAX_COMMAND_CHARS + 1) },
    { kind: 'local', shell: '/bin/evil' },
    { kind: 'local', env: { LD_PRELOAD: 'x' } },
    { kind: '__proto__' },
    { kind: 'constructor' },
    {},
  ])('refuses %j', (spec) => {
    expect(launchSpecSchema.safeParse(spec).success).toBe(false)
  })
})

describe('titleSchema', () => {
  it('trims and bounds', () => {
    expect(titleSchema.parse('  build  ')).toBe('build')
    expect(titleSchema.safeParse('   ').success).toBe(false)
    expect(titleSchema.safeParse('x'.repeat(MAX_TITLE_CHARS)).success).toBe(true)
    expect(titleSchema.safeParse('x'.repeat(MAX_TITLE_CHARS + 1)).success).toBe(false)
  })
})
