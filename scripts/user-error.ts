/** Failures that a person can act on: one sentence instead of a stack. */

/** What failed, why, and what to do, in one message; shown without a stack trace. */
export class UserError extends Error {
  override readonly name = 'UserError'
}

/** The text of anything thrown: a UserError's sentence alone, everything else with its stack. */
export const describeError = (error: unknown): string => {
  if (error instanceof UserError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Runs a script's main function; a failure is printed once and ends the process with exit code 1. */
export const runMain = (main: () => Promise<unknown>): void => {
  main().catch((error: unknown) => {
    process.stderr.write(`${describeError(error)}\n`)
    process.exit(1)
  })
}
