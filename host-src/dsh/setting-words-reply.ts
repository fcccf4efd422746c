/** The words of the settings card, as they are true of this host. */
import type { SettingWordsReply } from '../../protocol-src/http-routes.ts'
import { en, zh, type SettingWord } from '../../protocol-src/setting-words.ts'

/** @param isGated whether the host has permission tiers: without them the card says that nobody is asked */
export function settingWordsReply(isGated: boolean): SettingWordsReply {
  const words = (all: Readonly<Record<SettingWord, string>>): Readonly<Record<SettingWord, string>> =>
    isGated ? all : { ...all, 'about.restrictedTier': `${all['about.restrictedTier']} ${all.notGated}` }
  return { zh: words(zh), en: words(en) }
}
