/** What other plugins may ask of the service: their arguments are foreign data, whatever their types say. */
import { isAbsolute } from 'node:path'
import * as z from 'zod'
import {
  MAX_COLS,
  MAX_COMMAND_CHARS,
  MAX_PATH_CHARS,
  MAX_ROWS,
  MAX_WAIT_MS,
  MIN_COLS,
  MIN_ROWS,
} from '../../protocol-src/limits.ts'
import { pluginNameSchema, titleSchema } from '../../protocol-src/session.ts'
import { TtyError } from '../base/errors.ts'

const MAX_WRITE_CHARS = 64 * 1024

const caller = {
  plugin: pluginNameSchema,
  call: z
    .looseObject({
      callId: z.string(),
      name: z.string(),
      signal: z.instanceof(AbortSignal),
      agent: z.looseObject({}).optional(),
    })
    .optional(),
  signal: z.instanceof(AbortSignal).optional(),
}
const command = z
  .string()
  .min(1)
  .max(MAX_COMMAND_CHARS)
  .refine((text) => !text.includes('\0'), 'a command has no NUL')
const cwd = z.string().max(MAX_PATH_CHARS).refine(isAbsolute, 'must be an absolute path').optional()
const listener = z.custom<(...args: never[]) => void>((value) => typeof value === 'function', 'must be a function')

export const openRequestSchema = z.strictObject({
  ...caller,
  command: command.optional(),
  cwd,
  title: titleSchema.optional(),
  cols: z.int().min(MIN_COLS).max(MAX_COLS).optional(),
  rows: z.int().min(MIN_ROWS).max(MAX_ROWS).optional(),
})

export const runRequestSchema = z.strictObject({
  ...caller,
  command,
  cwd,
  timeoutMs: z.int().min(1).max(MAX_WAIT_MS).optional(),
})

export const attachRequestSchema = z.strictObject({
  ...caller,
  sid: z.string(),
  from: z.enum(['start', 'now']).optional(),
  onOutput: listener,
  onEnd: listener.optional(),
})

export const writtenTextSchema = z.string().max(MAX_WRITE_CHARS)
export const listenerSchema = listener

/** @returns `value` as the type `T` that its schema stands for @throws TtyError BAD_ARGUMENTS naming what is wrong with each argument */
export function parseArguments<T>(method: string, schema: z.ZodType, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data as T
  const problems = parsed.error.issues.map(({ path, message }) => [...path.map(String), message].join(': '))
  throw new TtyError(
    'BAD_ARGUMENTS',
    `tty.${method} was not called as it must be, and nothing was done. ${problems.slice(0, 5).join('; ')}. See docs/services.md of the terminal plugin.`,
  )
}
