/** A logger that keeps its lines, for tests that assert what was said and how often. */
import type { LogFields, Logger } from '../../host-src/base/logger.ts'

export interface LogLine {
  level: keyof Logger
  event: string
  fields: LogFields
}

export interface RecordingLogger extends Logger {
  readonly lines: readonly LogLine[]
  /** The lines of one event. */
  of(event: string): LogLine[]
}

export const recordingLogger = (): RecordingLogger => {
  const lines: LogLine[] = []
  const log =
    (level: keyof Logger) =>
    (event: string, fields: LogFields = {}): void => {
      lines.push({ level, event, fields })
    }
  return {
    lines,
    of: (event) => lines.filter((line) => line.event === event),
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
  }
}
