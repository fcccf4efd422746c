import { describe, expect, it } from 'vitest'
import { findPattern, placesOf } from '../../../../client-src/terminal/find-pattern.ts'

const ALL = { isCase: false, isWord: false, isRegExp: false }
const found = (text: string, query: Partial<typeof ALL> & { text: string }): string[] => {
  const pattern = findPattern({ ...ALL, ...query })
  if (pattern.kind !== 'good') throw new Error(pattern.kind)
  return placesOf(pattern.regExp, text).map(([from, to]) => text.slice(from, to))
}

describe('what a person looks for', () => {
  it('is text, whatever it would mean in a pattern', () => {
    const signs = String.raw`\^$.*+?()[]{}|/-`
    expect(found(`a${signs}b`, { text: signs })).toEqual([signs])
    expect(found('a.b axb', { text: 'a.b' })).toEqual(['a.b'])
  })

  it('has no case, unless that is asked for', () => {
    expect(found('Error ERROR error é É', { text: 'error' })).toEqual(['Error', 'ERROR', 'error'])
    expect(found('Error ERROR error', { text: 'error', isCase: true })).toEqual(['error'])
    expect(found('é É', { text: 'É' })).toEqual(['é', 'É'])
  })

  it('is a word of any script when that is asked for', () => {
    expect(found('cat concat cat_ -cat- cat', { text: 'cat', isWord: true })).toHaveLength(3)
    expect(found('终端 中终端 终端。', { text: '终端', isWord: true })).toHaveLength(2)
    expect(found('a|b ab', { text: 'a|b', isWord: true, isRegExp: true })).toEqual(['a', 'b'])
  })

  it('is a pattern when that is asked for, and what is wrong with it is said', () => {
    expect(found('a1 b22', { text: String.raw`\d+|b`, isRegExp: true })).toEqual(['1', 'b', '22'])
    expect(found('a-b', { text: String.raw`a\-b`, isRegExp: true })).toEqual(['a-b'])
    for (const text of ['(', '[a', 'a{2,1}', '\\'])
      expect(findPattern({ ...ALL, text, isRegExp: true })).toMatchObject({
        kind: 'bad',
        reason: expect.stringMatching(/^[^:/]+$/) as string,
      })
    expect(findPattern({ ...ALL, text: '(', isRegExp: true })).toEqual({ kind: 'bad', reason: 'Unterminated group' })
    expect(findPattern({ ...ALL, text: ')|(', isRegExp: true, isWord: true }).kind).toBe('bad')
  })

  it('is nothing when there is nothing to look for, or nothing was found', () => {
    expect(findPattern({ ...ALL, text: '' })).toEqual({ kind: 'none' })
    expect(found('aaa', { text: 'b*', isRegExp: true })).toEqual([])
  })
})
