import { describe, expect, it } from 'vitest'
import { durationText, endedText, spokenText, timeText } from '../../../../client-src/panel/mark-text.ts'
import type { CommandMarkModel } from '../../../../client-src/stores/marks-model.ts'
import { en, zh, type AllWords } from '../../../support/all-words.ts'

const speak =
  (words: AllWords) =>
  (key: keyof AllWords, params: Record<string, unknown> = {}): string =>
    words[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
const t = speak(en)

const mark = (facts: Partial<CommandMarkModel> = {}): CommandMarkModel => ({
  id: 1,
  row: 0,
  outcome: 0,
  text: 'make',
  isCut: false,
  cwd: '/work',
  startedAt: 0,
  durationMs: 1234,
  hasOutput: true,
  ...facts,
})

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1000, '1 s'],
  [1234, '1.2 s'],
  [9999, '10 s'],
  [12_345, '12 s'],
  [59_900, '60 s'],
  [59_960, '1 min 0 s'],
  [61_000, '1 min 1 s'],
  [3_599_400, '59 min 59 s'],
  [3_600_000, '1 h 0 min'],
  [90 * 60_000, '1 h 30 min'],
])('words %i ms as %s', (ms, words) => {
  expect(durationText(t, ms)).toBe(words)
})

describe('what is read out', () => {
  it('is state, command, time and directory', () => {
    expect(spokenText(t, mark())).toBe('Succeeded, exit code 0: make, took 1.2 s, in /work')
    expect(spokenText(t, mark({ outcome: 2 }))).toBe('Failed, exit code 2: make, took 1.2 s, in /work')
    expect(spokenText(speak(zh), mark({ outcome: 127 }))).toBe('失败，退出码 127：make, 用时 1.2 秒, 目录 /work')
  })

  it('says unknown, and leaves out what nobody knows', () => {
    const unknown = mark({ outcome: 'unknown', text: null, cwd: null, durationMs: null })
    expect(spokenText(t, unknown)).toBe('Ended, exit code unknown: command')
  })

  it('tells since when a command runs, and of a long one the beginning', () => {
    const running = mark({ outcome: 'running', durationMs: null })
    expect(timeText(t, running)).toMatch(/^started at .*\d/)
    expect(spokenText(t, mark({ text: 'x'.repeat(500) })).length).toBeLessThan(200)
  })
})

describe('what is said when a command is over', () => {
  it('is its first line, its exit code and how much it printed', () => {
    const ended = { id: 3, text: 'make\n-j', exitCode: 2, lines: 12 }
    expect(endedText(t, ended)).toBe('make finished, exit code 2, 12 lines')
    expect(endedText(speak(zh), ended)).toBe('make 已结束，退出码 2，输出 12 行')
    expect(endedText(t, { ...ended, lines: 0 })).toBe('make finished, exit code 2, no output')
  })

  it('leaves out what nobody knows, and most of a long command', () => {
    const ended = { id: 3, text: null, exitCode: null, lines: null }
    expect(endedText(t, ended)).toBe('command finished, exit code unknown, no output')
    expect(endedText(t, { ...ended, text: 'x'.repeat(900) }).length).toBeLessThan(200)
  })
})
