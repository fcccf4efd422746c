import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { commandLine, quoted } from '../../../../../host-src/backends/ssh/quote.ts'

const WORDS = [
  '',
  'plain-1.x',
  "it's",
  "''",
  '"',
  '\\',
  "\\'",
  "a\\'b\\\\",
  '$HOME',
  '`id`',
  '!!',
  '*',
  '~',
  '-n',
  'a b',
  'a\nb',
  '\t',
  'ü',
  '#',
  ';',
  '{a,b}',
]

describe('a word of a command line', () => {
  it('stays as it is when nothing in it means anything', () => {
    expect(quoted('/usr/bin/env-1.2')).toBe('/usr/bin/env-1.2')
  })

  it.each(['sh', 'bash', 'zsh', 'fish'])('reaches the program of %s unchanged', (shell) => {
    const line = commandLine(['printf', '%s\\0', ...WORDS])
    expect(execFileSync(shell, ['-c', line]).toString()).toBe(WORDS.map((word) => `${word}\0`).join(''))
  })
})
