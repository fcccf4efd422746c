import { describe, expect, it } from 'vitest'
import { errorMessage, say } from '../../../client-src/locales.ts'
import { en, zh, type AllWords } from '../../support/all-words.ts'

const keys = Object.keys(zh) as (keyof AllWords)[]
const placeholders = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').toSorted((a, b) => a.localeCompare(b))

describe('the dictionaries', () => {
  it('have the same keys, and the same facts in each text', () => {
    expect(new Set(Object.keys(en))).toEqual(new Set(keys))
    for (const key of keys) expect(placeholders(en[key]), key).toEqual(placeholders(zh[key]))
  })

  it('leave no text out', () => {
    for (const key of keys) expect([en[key].trim(), zh[key].trim()], key).not.toContain('')
  })
})

describe('say', () => {
  const t = (key: keyof AllWords, params: Record<string, unknown> = {}) =>
    en[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]))

  it('puts facts and messages into a message', () => {
    const reason = errorMessage({ code: 'NO_REPLY', details: { seconds: 10 } })
    expect(say(t, { key: 'notice.renameFailed', params: { reason } })).toBe(
      'The name was not saved: DSH did not answer within 10 s. Try again.',
    )
  })
})
