/** The logger port: a stable event word and fields. Never terminal bytes, typed input, environment or secrets. */

export type LogFields = Readonly<Record<string, string | number | boolean | null>>

export interface Logger {
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

/** A logger that puts `fields` into every line of `logger`. */
export function childLogger(logger: Logger, fields: LogFields): Logger {
  const log =
    (level: keyof Logger) =>
    (event: string, more?: LogFields): void => {
      logger[level](event, { ...fields, ...more })
    }
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
}
