/** How a session's program ended, as every tool says it: each fact on its own, and absent when nobody knows it. */
import * as z from 'zod'
import type { Session } from '../sessions/session.ts'

export const exitFields = {
  exited: z.boolean(),
  exitCode: z.int().optional(),
  signal: z.string().optional(),
}
export type ExitFacts = z.output<z.ZodObject<typeof exitFields>>

export function exitFacts({ descriptor: { phase, exit } }: Session): ExitFacts {
  return {
    exited: phase === 'exited' || phase === 'closed',
    ...(exit === null || exit.exitCode === null ? {} : { exitCode: exit.exitCode }),
    ...(exit === null || exit.signal === null ? {} : { signal: exit.signal }),
  }
}

export function exitInWords({ exitCode, signal }: Omit<ExitFacts, 'exited'>): string {
  if (signal !== undefined) return `ended by ${signal}`
  return exitCode === undefined ? 'ended, nobody saw how' : `exit code ${String(exitCode)}`
}
