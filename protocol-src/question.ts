/**
 * What the host asks a person on the way to another machine, where no terminal is there yet to type into, and what the person
 * answers. An answer may be a secret: it is in no record, no log and no list.
 */
import * as z from 'zod'

/** Longest text of another machine that is shown, and longest answer. */
export const MAX_PROMPT_CHARS = 1000
export const MAX_ANSWER_CHARS = 4096
/** Prompts in one question. */
export const MAX_PROMPTS = 16
/** Time that a person has for one question. */
export const ASK_TIMEOUT_MS = 100_000

/** The steps on the way to a machine, in order. */
export const sshPhaseSchema = z.enum(['resolve', 'connect', 'handshake', 'host-key', 'authenticate', 'open'])
export type SshPhase = z.infer<typeof sshPhaseSchema>

/** `jump` is the machine that stands before the `target`. */
export const sshHopSchema = z.enum(['target', 'jump'])
export type SshHop = z.infer<typeof sshHopSchema>

/** Which machine asks. */
export const questionPlaceSchema = z.strictObject({
  user: z.string(),
  host: z.string(),
  port: z.int(),
  hop: sshHopSchema,
  /** Its name in the connection book, or null. */
  book: z.string().nullable(),
})
export type QuestionPlace = z.infer<typeof questionPlaceSchema>

export const questionSchema = z.discriminatedUnion('kind', [
  /** Whether the key that a machine shows for the first time is its own. */
  z.strictObject({
    kind: z.literal('host-key'),
    where: questionPlaceSchema,
    keyType: z.string(),
    fingerprint: z.string(),
    /** Fingerprints of keys of other types that are known of it; empty for a machine that was never seen. */
    others: z.array(z.string()),
  }),
  z.strictObject({
    kind: z.literal('prompts'),
    where: questionPlaceSchema,
    purpose: z.enum(['password', 'passphrase', 'keyboard-interactive']),
    /** Words of the other machine: data, of no authority. */
    name: z.string().max(MAX_PROMPT_CHARS),
    instructions: z.string().max(MAX_PROMPT_CHARS),
    prompts: z
      .array(z.strictObject({ text: z.string().max(MAX_PROMPT_CHARS), echo: z.boolean() }))
      .min(1)
      .max(MAX_PROMPTS),
    /** The answer before was refused. */
    again: z.boolean(),
    /** The key file that a passphrase is for. */
    keyPath: z.string().optional(),
  }),
])
export type Question = z.infer<typeof questionSchema>

export const answerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('accept') }),
  z.strictObject({ kind: z.literal('prompts'), values: z.array(z.string().max(MAX_ANSWER_CHARS)).max(MAX_PROMPTS) }),
  z.strictObject({ kind: z.literal('cancel') }),
])
export type Answer = z.infer<typeof answerSchema>

/** One step of a test, as it went. */
export const phaseReportSchema = z.strictObject({
  hop: sshHopSchema,
  phase: sshPhaseSchema,
  /** What it took, without the time that a person took to answer. */
  ms: z.number().min(0),
  ok: z.boolean(),
})
export type PhaseReport = z.infer<typeof phaseReportSchema>
