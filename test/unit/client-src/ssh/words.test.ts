import { describe, expect, it } from 'vitest'
import { en, zh, type SshWord } from '../../../../client-src/ssh/words.ts'

const facts = (text: string) => new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))

describe('the words of the SSH dialogs', () => {
  it('say the same in both languages', () => {
    expect(new Set(Object.keys(en))).toEqual(new Set(Object.keys(zh)))
    for (const word of Object.keys(zh) as SshWord[]) {
      expect([en[word].trim(), zh[word].trim()], word).not.toContain('')
      expect(facts(en[word]), word).toEqual(facts(zh[word]))
    }
  })
})
