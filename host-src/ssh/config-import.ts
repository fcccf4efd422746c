/**
 * Entries for the connection book out of the user's SSH configuration. Blocks of patterns give defaults and are no entries. What an
 * entry cannot carry over is named; one whose way to its machine cannot be carried over is not offered as if it needed none.
 */
import { join } from 'node:path'
import { glob } from 'ssh-config'
import type { EntryNote, ImportEntry } from '../../protocol-src/ssh-import.ts'
import { SSH_PORT, bookEntrySchema, type BookEntry } from '../../protocol-src/ssh.ts'
import type { ConfigBlock } from './config-files.ts'

export interface Candidate {
  /** Null when it cannot be taken over. */
  readonly entry: BookEntry | null
  readonly shown: Omit<ImportEntry, 'state'>
}

export interface ImportUser {
  readonly home: string
  /** Whom OpenSSH logs in as where nothing is said. */
  readonly name: string
}

/** Directives that an entry has a field for. */
const CARRIED = new Set([
  'hostname',
  'user',
  'port',
  'identityfile',
  'proxyjump',
  'proxycommand',
  'hostkeyalias',
  'forwardagent',
])
const MAX_QUOTED = 200

/** By name, in the order of the file. */
export function candidatesOf(blocks: readonly ConfigBlock[], user: ImportUser): ReadonlyMap<string, Candidate> {
  const candidates = new Map<string, Candidate>()
  const making = new Set<string>()
  const names = blocks.flatMap(({ conditions }) => conditions.at(-1) ?? []).filter((name) => !/[*?!]/.test(name))
  const aliases = new Set(names)
  const make = (name: string, over: Partial<Options>): Candidate => {
    const options = { ...optionsOf(blocks, over.alias ?? name), ...over }
    making.add(name)
    const candidate = candidates.get(name) ?? candidateOf(name, { options, user, hop })
    making.delete(name)
    // What stands before others comes before them here, too.
    candidates.set(name, candidate)
    return candidate
  }
  const hop = (text: string): BookEntry | EntryNote['code'] => {
    const parts = /^(?:ssh:\/\/)?(?:([^@\s]+)@)?(\[[^\]]+\]|[^:\s]+)(?::(\d+))?\/?$/.exec(text)
    const [, username, host = '', port] = parts ?? []
    if (parts === null) return 'jump'
    const isPlain = username === undefined && port === undefined && aliases.has(host)
    const name = isPlain ? host : text
    if (making.has(name)) return 'jump-chain' // it stands before itself
    const over = {
      alias: host,
      ...(username === undefined ? {} : { user: username }),
      ...(port === undefined ? {} : { port }),
    }
    const { entry } = make(name, isPlain ? {} : over)
    if (entry === null) return 'jump'
    return entry.jump === undefined ? entry : 'jump-chain'
  }
  for (const name of aliases) make(name, {})
  return candidates
}

interface Options {
  /** What the configuration knows it as. */
  readonly alias: string
  readonly hostname?: string
  readonly user?: string
  readonly port?: string
  readonly hostkeyalias?: string
  readonly forwardagent?: string
  readonly identities: readonly string[]
  /** Whichever was said first, with what it says. */
  readonly way: { readonly by: 'proxyjump' | 'proxycommand'; readonly value: string } | null
  /** Directives that have no counterpart. */
  readonly others: readonly string[]
}

/** The first value counts, but for key files, of which all do. */
function optionsOf(blocks: readonly ConfigBlock[], alias: string): Options {
  const first = new Map<string, string>()
  const identities: string[] = []
  const others = new Map<string, string>()
  let way: Options['way'] = null
  for (const { conditions, directives } of blocks) {
    if (!conditions.every((patterns) => glob([...patterns], alias))) continue
    for (const { name, value } of directives) {
      if (name === 'identityfile') identities.push(value)
      else if (name === 'proxyjump' || name === 'proxycommand') way ??= { by: name, value }
      else if (!CARRIED.has(name)) others.set(name, `${name} ${value}`.slice(0, MAX_QUOTED))
      else if (!first.has(name)) first.set(name, value)
    }
  }
  const given = Object.fromEntries(first) as Partial<
    Record<'hostname' | 'user' | 'port' | 'hostkeyalias' | 'forwardagent', string>
  >
  return {
    alias,
    ...given,
    identities: identities.filter((each) => each !== 'none'),
    way,
    others: [...others.values()],
  }
}

interface Making {
  readonly options: Options
  readonly user: ImportUser
  /** The entry that stands before another one, or why there can be none. */
  readonly hop: (text: string) => BookEntry | EntryNote['code']
}

function candidateOf(name: string, { options, user, hop }: Making): Candidate {
  const { alias, way, others } = options
  const notes: EntryNote[] = others.map((what) => ({ code: 'directive', what }))
  const host = expand(options.hostname ?? alias, { '%': '%', h: alias })
  const username = options.user ?? user.name
  const [keyPath, ...more] = options.identities.map((path) => keyPathOf(path, { alias, host, username, user }))
  if (more.length > 0) notes.push({ code: 'identity', what: more.join(', ').slice(0, MAX_QUOTED) })
  let isBlocked = false
  let jump: string | undefined
  const block = (code: EntryNote['code'], what: string): void => {
    isBlocked = true
    notes.push({ code, what: what.slice(0, MAX_QUOTED) })
  }
  if (way !== null && way.value.toLowerCase() !== 'none') {
    if (way.by === 'proxycommand') block('proxy-command', way.value)
    else {
      const before = way.value.includes(',') ? 'jump-chain' : hop(way.value)
      if (typeof before === 'string') block(before, way.value)
      else jump = before.name
    }
  }
  const port = options.port ?? String(SSH_PORT)
  const parsed = bookEntrySchema.safeParse({
    name,
    host,
    port: /^\d+$/.test(port) ? Number(port) : port,
    username,
    auth: keyPath === undefined ? 'agent' : 'key',
    ...(keyPath === undefined ? {} : { keyPath }),
    ...(options.forwardagent?.toLowerCase() === 'yes' ? { agentForward: true } : {}),
    ...(options.hostkeyalias === undefined ? {} : { hostKeyAlias: options.hostkeyalias }),
    ...(jump === undefined ? {} : { jump }),
  })
  if (!parsed.success) block('invalid', String(parsed.error.issues[0]?.path[0] ?? 'name'))
  return {
    entry: isBlocked || !parsed.success ? null : parsed.data,
    shown: {
      name: name.slice(0, MAX_QUOTED),
      host: host.slice(0, MAX_QUOTED),
      port: parsed.data?.port ?? SSH_PORT,
      username: username.slice(0, MAX_QUOTED),
      auth: keyPath === undefined ? 'agent' : 'key',
      keyPath: keyPath ?? null,
      jump: jump ?? null,
      notes,
    },
  }
}

function keyPathOf(
  path: string,
  { alias, host, username, user }: { alias: string; host: string; username: string; user: ImportUser },
): string {
  const expanded = expand(path, { '%': '%', d: user.home, h: host, n: alias, r: username, u: user.name })
  // As OpenSSH has it, a path that begins nowhere begins at home.
  return /^(?:~|\/|[A-Za-z]:)/.test(expanded) ? expanded : join(user.home, expanded)
}

/** Tokens that are not known stay as they are. */
function expand(text: string, tokens: Readonly<Record<string, string>>): string {
  return text.replaceAll(/%(.)/g, (all, token: string) => tokens[token] ?? all)
}
