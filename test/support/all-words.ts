/** Every text of the panel in both languages, those included that come with scripts of their own. */
import * as first from '../../client-src/locales.ts'
import * as keys from '../../client-src/words/keys.ts'
import * as ssh from '../../client-src/words/ssh.ts'

export type AllWords = Readonly<Record<first.TtyKey | first.LateKey, string>>

export const zh: AllWords = { ...first.zh, ...keys.zh, ...ssh.zh }
export const en: AllWords = { ...first.en, ...keys.en, ...ssh.en }
