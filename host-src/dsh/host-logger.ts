/** The host's logger, as the rooms below know one. Imports nothing, because it is there before the rest is loaded. */
import type { Context } from '@deepseek-ai/cordis'
import type { LogFields, Logger } from '../base/logger.ts'

/** The host's logger prints nothing by itself, so warnings and errors also go to stderr, where people look. */
export function loggerOf(ctx: Context): Logger {
  const target = (
    ctx as unknown as { logger(name: string): Record<keyof Logger, (format: string, ...args: unknown[]) => void> }
  ).logger('dsh-tty')
  const log =
    (level: keyof Logger) =>
    (event: string, fields: LogFields = {}): void => {
      const line = Object.entries(fields).reduce(
        (text, [key, value]) => `${text} ${key}=${JSON.stringify(value)}`,
        event,
      )
      try {
        target[level]('%s', line)
        if (level === 'warn' || level === 'error') process.stderr.write(`[dsh-tty] ${level}: ${line}\n`)
      } catch {
        // A logger that fails must not take the terminal with it.
      }
    }
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
}
