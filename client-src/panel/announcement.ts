/** What a person who cannot see the panel should hear. */
import { say, type Translate } from '../locales.ts'
import type { PanelModel } from '../stores/panel-model.ts'

export function announcement(t: Translate, { tabs, active, line, journal, notices }: PanelModel): string {
  const tab = tabs.find(({ key }) => key === active)
  const cover = tab?.cover?.kind === 'failed' ? tab.cover.message : null
  const messages = [line?.message, cover, tab?.strip?.message, notices.at(-1)?.message, journal]
  return messages.flatMap((message) => (message === undefined || message === null ? [] : say(t, message))).join(' ')
}
