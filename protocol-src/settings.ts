/**
 * THE settings schema. Defaults, validation, the host's schema, the client's share and the documentation derive from it;
 * no other list of fields exists.
 */
import * as z from 'zod'
import { MAX_PATH_CHARS } from './limits.ts'
import { connectionBookSchema, hostKeysSchema } from './ssh.ts'

/** Namespace in the host's settings document. */
export const SETTINGS_NAMESPACE = 'tty'

export interface SettingMeta {
  readonly section: 'session' | 'appearance' | 'ssh' | 'agents'
  /** `live`: sessions that run follow at once. `next`: sessions opened from now on follow. `restart`: the next start does. */
  readonly applies: 'live' | 'next' | 'restart'
  /** No page can turn it on: that takes the settings file. */
  readonly isOnlyTurnedOff?: boolean
}

const path = z
  .string()
  .max(MAX_PATH_CHARS)
  .refine((value) => !value.includes('\0'), 'a path has no NUL')
const settingMeta = (
  section: SettingMeta['section'],
  applies: SettingMeta['applies'],
): SettingMeta & Record<string, unknown> => ({ section, applies })
const onlyTurnedOff = (
  section: SettingMeta['section'],
  applies: SettingMeta['applies'],
): SettingMeta & Record<string, unknown> => ({ section, applies, isOnlyTurnedOff: true })

/** Fields that every client is sent; never secrets. */
const clientFields = {
  /** Live sessions of all kinds and owners together. */
  maxSessions: z.int().min(1).max(16).default(4).meta(settingMeta('session', 'live')),
  /** Lines of history in each terminal. */
  scrollback: z.int().min(0).max(100_000).default(10_000).meta(settingMeta('appearance', 'live')),
  /** Pixels. */
  fontSize: z.int().min(8).max(32).default(13).meta(settingMeta('appearance', 'live')),
  /** CSS font-family list put before the built-in monospace stack; empty means the stack alone. */
  fontFamily: z
    .string()
    .max(200)
    .regex(/^[^;{}<>\\]*$/, 'a list of font names')
    .default('')
    .meta(settingMeta('appearance', 'live')),
  cursorStyle: z.enum(['block', 'bar', 'underline']).default('block').meta(settingMeta('appearance', 'live')),
  cursorBlink: z.boolean().default(true).meta(settingMeta('appearance', 'live')),
  /** What a program's bell does. */
  bell: z.enum(['off', 'visual', 'sound']).default('visual').meta(settingMeta('appearance', 'live')),
  /** The command whose output is scrolled stays on top of it. */
  stickyCommand: z.boolean().default(true).meta(settingMeta('appearance', 'live')),
  /** xterm.js keeps a live region of the screen's text for screen readers. */
  screenReaderMode: z.boolean().default(false).meta(settingMeta('appearance', 'live')),
}

/** Fields that stay on the host. */
const hostFields = {
  /** Absolute path of the shell; empty means $SHELL or the platform's default. */
  shell: path.default('').meta(settingMeta('session', 'next')),
  /** Value of TERM: the alphabet of terminfo names, so that it is data wherever it lands. */
  term: z
    .string()
    .regex(/^[A-Za-z0-9._+-]{1,64}$/, 'letters, digits and . _ + -, at most 64')
    .default('xterm-256color')
    .meta(settingMeta('session', 'next')),
  /** Value of COLORTERM. */
  colorTerm: z.enum(['truecolor', '24bit', '']).default('truecolor').meta(settingMeta('session', 'next')),
  /** Directory in which new shells start when the client names none; empty means the host's start directory. */
  cwd: path.default('').meta(settingMeta('session', 'next')),
  /** Shells tell the host where commands begin and end, and how they ended. */
  shellIntegration: z.boolean().default(true).meta(settingMeta('session', 'next')),
  /** Whether new terminals of the user go on without the host, inside tmux. */
  persistence: z.enum(['off', 'tmux']).default('off').meta(settingMeta('session', 'next')),
  /** Sessions that could go on without the host end with their last page all the same. */
  endOnPageClose: z.boolean().default(false).meta(settingMeta('session', 'live')),
  /** Where a session's history is kept: on disk it survives the host. */
  journal: z.enum(['disk', 'memory']).default('disk').meta(settingMeta('session', 'restart')),
  /** Output kept per session, in MiB. */
  journalMaxMb: z.int().min(1).max(1024).default(8).meta(settingMeta('session', 'live')),
  /**
   * What becomes of an agent's commands in the restricted permission tiers: the user is asked each time, or they run inside
   * DSH's sandbox of that tier without a question.
   */
  restrictedTier: z.enum(['ask', 'confine']).default('ask').meta(settingMeta('agents', 'live')),
  /** Secrets of a clear shape are masked in what agents read. */
  maskSecrets: z.boolean().default(true).meta(settingMeta('agents', 'live')),
  /** Seconds that a session without any viewer is kept; 0 ends it at once. */
  reconnectGraceSec: z.int().min(0).max(3600).default(120).meta(settingMeta('session', 'live')),
  /** The connection book. Edited by its own dialog: pages never hold its secrets. */
  sshHosts: connectionBookSchema.default([]).meta(settingMeta('ssh', 'next')),
  /** Keys by which machines are known. */
  hostKeys: hostKeysSchema.default([]).meta(settingMeta('ssh', 'live')),
  /** What happens when an agent is the first to connect to a machine. */
  agentFirstContact: z.enum(['ask', 'accept', 'refuse']).default('ask').meta(settingMeta('ssh', 'live')),
  /** Entries may run a local command as their way to a machine; only where the host was started with leave for it, too. */
  allowProxyCommand: z.boolean().default(false).meta(onlyTurnedOff('ssh', 'live')),
}

export const settingsSchema = z.strictObject({ ...clientFields, ...hostFields })
export type Settings = z.output<typeof settingsSchema>
export type SettingKey = keyof Settings

export const SETTING_KEYS = Object.keys(settingsSchema.shape) as readonly SettingKey[]
export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({})

/** Metadata of one setting. */
export function metaOf(key: SettingKey): SettingMeta {
  return settingsSchema.shape[key].meta() as unknown as SettingMeta
}

/** The share of the settings that a client sees. */
export const clientSettingsSchema = z.strictObject(clientFields)
export type ClientSettings = z.output<typeof clientSettingsSchema>
