/** The one list of what the plugin answers on the web server. Every path in it goes through the same fence. */
import * as z from 'zod'
import { TICKET_LIFETIME_MS } from './limits.ts'
import { hostInstanceIdSchema, ticketSchema } from './ids.ts'

export const WS_PATH = '/api/dsh-tty/ws'
export const HEALTH_PATH = '/api/dsh-tty/health'
/** Scripts that a page loads when it needs them, `lib/<name>.js` each: everything that the app's first frame can do without. */
export const PAGE_SCRIPTS = ['terminal', 'settings', 'help', 'guests', 'webgl', 'ssh'] as const
export type PageScriptName = (typeof PAGE_SCRIPTS)[number]
/** `?rev=` names the content that is wanted. */
export const pageScriptPath = (name: PageScriptName): string => `/api/dsh-tty/${name}.js`
export const pageScriptMapPath = (name: PageScriptName): string => `${pageScriptPath(name)}.map`
/** Channel on DSH's own fenced RPC. */
export const RPC_CHANNEL = '/dsh-tty-rpc'
export const RPC_TICKET = 'ticket'
export const RPC_SETTING_WORDS = 'setting-words'
export const RPC_SETTING_FACTS = 'setting-facts'
/** Text as a model may read it. */
export const RPC_MODEL_TEXT = 'model-text'

/** What the health route says: that this plugin runs, and nothing of its sessions. */
export const healthSchema = z.strictObject({
  ok: z.literal(true),
  plugin: z.literal('@hyzyn/dsh-tty'),
  version: z.string(),
  protocol: z.int(),
  instance: hostInstanceIdSchema,
})
export type Health = z.infer<typeof healthSchema>

export const ticketReplySchema = z.strictObject({
  ticket: ticketSchema,
  lifetimeMs: z.number().max(TICKET_LIFETIME_MS),
})
export type TicketReply = z.infer<typeof ticketReplySchema>

/** Dictionaries of the settings card: word to text. */
export const settingWordsReplySchema = z.strictObject({
  zh: z.record(z.string(), z.string()),
  en: z.record(z.string(), z.string()),
})
export type SettingWordsReply = z.infer<typeof settingWordsReplySchema>

/** What the settings card cannot know from the settings themselves. */
export const settingFactsReplySchema = z.strictObject({
  /** What is wrong in the settings file, by the names of the settings. */
  fileProblem: z.string().nullable(),
  /** Values that this machine offers for a setting; others are as good. */
  suggestions: z.record(z.string(), z.array(z.string())),
})
export type SettingFactsReply = z.infer<typeof settingFactsReplySchema>

const MAX_MODEL_TEXT_CHARS = 8_000
export const modelTextSchema = z.strictObject({ text: z.string().max(MAX_MODEL_TEXT_CHARS) })
