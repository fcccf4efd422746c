/** One command of a session's shell, as the shell's own marks tell it. What a mark is and who is believed is the host's. */
import * as z from 'zod'
import { streamOffsetSchema } from './ids.ts'
import { MAX_COMMAND_TEXT_CHARS, MAX_PATH_CHARS } from './limits.ts'

export const commandRecordSchema = z.strictObject({
  /** Ordinal in its session, from 1. */
  id: z.int().min(1),
  /** As the shell reports it; null when it does not. */
  text: z.string().max(MAX_COMMAND_TEXT_CHARS).nullable(),
  /** Whether `text` is only the beginning. */
  truncated: z.boolean(),
  /** Where it was started, as far as known. */
  cwd: z.string().max(MAX_PATH_CHARS).nullable(),
  /** Epoch milliseconds. */
  startedAt: z.number(),
  /** Epoch milliseconds; null while it runs, and for ever when nobody saw its end. */
  endedAt: z.number().nullable(),
  /** Null while it runs, and when nobody knows it. Windows' codes are unsigned numbers of 32 bits. */
  exitCode: z.int().min(0).max(0xffff_ffff).nullable(),
  /** Its output, marks not included: from here … */
  outputFrom: streamOffsetSchema.nullable(),
  /** … up to, not including, here; null while it runs, and when nobody saw its end. */
  outputTo: streamOffsetSchema.nullable(),
  /** Where the prompt begins at which it was typed. */
  promptAt: streamOffsetSchema.nullable(),
})
export type CommandRecord = z.output<typeof commandRecordSchema>

/** What is known of the shell's work. */
export const shellActivity = {
  /** Whether a command runs; for a command session, whether its process lives. Absent: nobody knows, which is not "no". */
  running: z.boolean().optional(),
  /** The last command that ended; null while one runs, and while nobody knows whether one does. `text` may be cut shorter. */
  lastCommand: commandRecordSchema.nullable(),
  /** The command that runs, or, without `running`, may run. `text` may be cut shorter. */
  currentCommand: commandRecordSchema.nullable(),
  /** Commands started so far: the greatest `id` there is. */
  commandsSeen: z.int().min(0),
}
