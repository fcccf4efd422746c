/**
 * What there is to take over from the user's own SSH files, and what of it cannot be. Nothing is dropped without being named.
 */
import * as z from 'zod'
import { MAX_BOOK_ENTRIES, bookNameSchema } from './ssh.ts'

/** What is not taken over of one entry of the configuration. `what` quotes the file: data. */
export const entryNoteSchema = z.strictObject({
  code: z.enum([
    /** A directive that has no counterpart. */
    'directive',
    /** Further key files. */
    'identity',
    /** Its way leads through a command, which is never taken over: so neither is the entry. */
    'proxy-command',
    /** Its way leads through more than one machine. */
    'jump-chain',
    /** What it jumps over cannot be taken over itself. */
    'jump',
    /** Not a name, host, port or user that is understood. */
    'invalid',
  ]),
  what: z.string(),
})
export type EntryNote = z.output<typeof entryNoteSchema>

/** What is not taken over of a whole file. */
export const fileNoteSchema = z.strictObject({
  code: z.enum([
    /** A block with conditions (`Match`). */
    'match',
    'unreadable',
    /** More files, or deeper, than are followed. */
    'too-many',
    'cert-authority',
    /** A line for names that only a pattern gives. */
    'pattern',
    /** A line that is no key. */
    'line',
  ]),
  what: z.string(),
})
export type FileNote = z.output<typeof fileNoteSchema>

export const importEntrySchema = z.strictObject({
  name: z.string(),
  host: z.string(),
  port: z.int(),
  username: z.string(),
  auth: z.enum(['agent', 'key', 'password']),
  keyPath: z.string().nullable(),
  jump: z.string().nullable(),
  /** `taken`: the book has an entry of that name. `blocked`: a note says why. */
  state: z.enum(['new', 'taken', 'blocked']),
  notes: z.array(entryNoteSchema),
})
export type ImportEntry = z.output<typeof importEntrySchema>

export const importPreviewSchema = z.strictObject({
  entries: z.array(importEntrySchema),
  configNotes: z.array(fileNoteSchema),
  /** Keys of known_hosts that are not recorded yet. */
  newHostKeys: z.int().min(0),
  /** Those that are. */
  knownHostKeys: z.int().min(0),
  hostKeyNotes: z.array(fileNoteSchema),
})
export type ImportPreview = z.output<typeof importPreviewSchema>

/** What to take over, by name; machines that they jump over come along. */
export const importChoiceSchema = z.strictObject({
  names: z.array(bookNameSchema).max(MAX_BOOK_ENTRIES),
  hostKeys: z.boolean(),
})
export type ImportChoice = z.output<typeof importChoiceSchema>
