import { expect, it } from 'vitest'
import { settingWordsReply } from '../../../../host-src/dsh/setting-words-reply.ts'
import { en, zh } from '../../../../protocol-src/setting-words.ts'

it('are the words as they stand where the host has permission tiers', () => {
  expect(settingWordsReply(true)).toEqual({ zh, en })
})

it('say in both languages, at the setting that it concerns, that nobody is asked where it has none', () => {
  const reply = settingWordsReply(false)
  for (const [given, own] of [
    [reply.zh, zh],
    [reply.en, en],
  ] as const) {
    expect(given['about.restrictedTier']).toContain(own['about.restrictedTier'])
    expect(given['about.restrictedTier']).toContain(own.notGated)
    expect({ ...given, 'about.restrictedTier': '' }).toEqual({ ...own, 'about.restrictedTier': '' })
  }
})
