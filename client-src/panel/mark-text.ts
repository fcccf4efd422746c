/** A command's facts in words. */
import type { Translate } from '../locales.ts'
import type { CommandMarkModel, EndedCommand } from '../stores/marks-model.ts'

/** Longest text of a command that is read out. */
const MAX_SPOKEN_CHARS = 120

export function stateText(t: Translate, { outcome }: Pick<CommandMarkModel, 'outcome'>): string {
  if (typeof outcome !== 'number') return t(`mark.${outcome}`)
  return outcome === 0 ? t('mark.success') : t('mark.failure', { code: outcome })
}

/** How long it took, or since when it runs; null when nobody knows. */
export function timeText(t: Translate, { outcome, startedAt, durationMs }: CommandMarkModel): string | null {
  if (durationMs !== null) return t('mark.duration', { duration: durationText(t, durationMs) })
  if (outcome !== 'running') return null
  return t('mark.since', { time: new Date(startedAt).toLocaleTimeString('en-GB') })
}

export function durationText(t: Translate, ms: number): string {
  if (ms < 1000) return t('duration.ms', { ms: Math.round(ms) })
  const tenths = Math.round(ms / 100)
  if (tenths < 600) return t('duration.seconds', { seconds: tenths < 100 ? tenths / 10 : Math.round(tenths / 10) })
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return t('duration.minutes', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 })
  const minutes = Math.round(ms / 60_000)
  return t('duration.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

/** All of it in one sentence, for who cannot see the mark. */
export function spokenText(t: Translate, mark: CommandMarkModel): string {
  const command = mark.text === null ? t('mark.unnamed') : mark.text.slice(0, MAX_SPOKEN_CHARS)
  const label = t('mark.label', { state: stateText(t, mark), command })
  const facts = [timeText(t, mark), mark.cwd === null ? null : t('mark.cwd', { path: mark.cwd })]
  return [label, ...facts.filter((fact) => fact !== null)].join(', ')
}

/** That a command is over and how it went, in one sentence. */
export function endedText(t: Translate, { text, exitCode, lines }: EndedCommand): string {
  const command = text === null ? t('mark.unnamed') : (text.split('\n', 1)[0] ?? '').slice(0, MAX_SPOKEN_CHARS)
  const exit = exitCode === null ? t('mark.exit.unknown') : t('mark.exit', { code: exitCode })
  return lines === null || lines === 0
    ? t('mark.ended.none', { command, exit })
    : t('mark.ended', { command, exit, lines })
}
