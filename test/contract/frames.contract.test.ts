/** Laws over the catalogue of frames: each has an example, round-trips, and refuses what it does not know. */
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { clientFrameSchema, type ClientFrameType } from '../../protocol-src/client-frames.ts'
import { hostFrameSchema, replySchemas, type HostFrameType } from '../../protocol-src/host-frames.ts'
import { healthSchema, ticketReplySchema } from '../../protocol-src/http-routes.ts'
import { DEFAULT_SETTINGS, clientSettingsSchema } from '../../protocol-src/settings.ts'

const ID = 'abcdefghijklmnopqrstuv'
const SIZE = { cols: 80, rows: 24 }
const SETTINGS = Object.fromEntries(
  Object.keys(clientSettingsSchema.shape).map((key) => [key, DEFAULT_SETTINGS[key as keyof typeof DEFAULT_SETTINGS]]),
)
const TERMINATION = { verified: false, killed: [7], survivors: [{ pid: 8, command: 'stuck' }] }
const COMMAND = {
  id: 3,
  text: 'make',
  truncated: false,
  cwd: '/tmp',
  startedAt: 1,
  endedAt: 2,
  exitCode: 0,
  outputFrom: 10,
  outputTo: 20,
  promptAt: 5,
}
const SESSION = {
  id: ID,
  kind: 'local',
  spec: { kind: 'local', cwd: '/tmp', command: 'make' },
  title: 'build',
  target: 'make',
  owner: { kind: 'agent', agentId: 'a' },
  phase: 'exited',
  pid: 12,
  size: SIZE,
  exit: { exitCode: null, signal: 'SIGKILL' },
  exitReason: 'process',
  retryOf: ID,
  attachments: 1,
  orphanedAt: null,
  cwd: '/tmp',
  startedAt: 1,
  outputOffset: 5,
  notices: [{ code: 'CWD_FALLBACK', requested: '/gone', used: '/' }],
  running: false,
  lastCommand: COMMAND,
  currentCommand: null,
  commandsSeen: 3,
  persist: null,
  hidden: false,
  request: null,
  link: { book: 'a', state: 'connecting', phase: 'host-key', hop: 'jump' },
}

const START = {
  mode: 'snapshot',
  from: { offset: 10, change: 2 },
  size: SIZE,
  liveFrom: 12,
  lostBytes: 0,
}

const FINGERPRINT = `ssh-ed25519 SHA256:${'A'.repeat(43)}`
const ENTRY = {
  name: 'a',
  host: 'a.example',
  port: 22,
  username: 'b',
  auth: 'key',
  keyPath: '~/k',
  agentForward: false,
  persist: true,
  jump: 'c',
  proxyCommand: 'nc %h %p',
  hostKeyAlias: 'd',
}
const BOOK = {
  entries: [
    { ...ENTRY, password: { isSet: true, reference: 'env:PW' }, passphrase: { isSet: false, reference: null } },
  ],
  canStore: true,
  hasProxyCommand: false,
}
const HOST_KEYS = { records: [{ host: 'a', port: 22, fingerprints: [FINGERPRINT], revoked: [] }] }

const { name: _, ...CONNECTION } = ENTRY
const QUESTION = {
  kind: 'prompts',
  where: { user: 'u', host: 'a', port: 22, hop: 'target', book: 'a' },
  purpose: 'passphrase',
  name: '',
  instructions: '',
  prompts: [{ text: 'x', echo: false }],
  again: true,
  keyPath: '/k',
}

const CLIENT_EXAMPLES: Record<ClientFrameType, object> = {
  hello: { type: 'hello', protocol: 1, client: { kind: 'panel', id: ID } },
  open: { type: 'open', id: 1, spec: { kind: 'local', cwd: '/tmp', command: 'ls' }, size: SIZE, retryOf: ID },
  attach: { type: 'attach', id: 2, sid: ID, size: SIZE, resumeFrom: { offset: 17, change: 2 }, noSnapshot: true },
  history: { type: 'history', id: 7, sid: ID, after: 0, limit: 10 },
  commands: { type: 'commands', id: 11, sid: ID, before: 4, limit: 200 },
  verify: { type: 'verify', id: 8, sid: ID },
  wait: { type: 'wait', id: 9, sid: ID, timeoutMs: 100 },
  hash: { type: 'hash', id: 10, sid: ID },
  detach: { type: 'detach', id: 3, sid: ID },
  resize: { type: 'resize', id: 4, sid: ID, size: SIZE },
  ack: { type: 'ack', handle: 1, offset: 100 },
  close: { type: 'close', id: 5, sid: ID },
  rename: { type: 'rename', id: 6, sid: ID, title: null },
  hide: { type: 'hide', id: 11, sid: ID, hidden: true },
  decline: { type: 'decline', id: 12, sid: ID, request: 1 },
  book: { type: 'book', id: 13 },
  saveHost: {
    type: 'saveHost',
    id: 14,
    draft: { ...ENTRY, password: { kind: 'set', value: 'x', store: true }, passphrase: { kind: 'keep' } },
    replaces: null,
  },
  removeHost: { type: 'removeHost', id: 15, name: 'a' },
  hostKeys: { type: 'hostKeys', id: 16 },
  forgetHostKey: { type: 'forgetHostKey', id: 17, host: 'a', port: 22, fingerprint: FINGERPRINT },
  readSshFiles: { type: 'readSshFiles', id: 18 },
  importSsh: { type: 'importSsh', id: 19, choice: { names: ['a'], hostKeys: true } },
  answer: { type: 'answer', id: 20, ask: 1, answer: { kind: 'prompts', values: ['x'] } },
  testConnection: { type: 'testConnection', id: 21, test: 1, host: { connection: CONNECTION, secretsOf: 'a' } },
  cancelTest: { type: 'cancelTest', id: 22, test: 1 },
  list: { type: 'list', id: 7 },
  ping: { type: 'ping', n: 0 },
}

const HOST_EXAMPLES: Record<HostFrameType, object> = {
  welcome: {
    type: 'welcome',
    protocol: 1,
    host: { instance: ID, version: '1.0.0', platform: 'linux' },
    settings: SETTINGS,
    journal: { mode: 'degraded', reason: 'locked' },
    sessions: [SESSION],
  },
  ok: { type: 'ok', re: 1, result: { anything: [1, 'a'] } },
  error: { type: 'error', re: 1, sid: ID, error: { code: 'SESSION_LIMIT', message: 'x', details: { limit: 4 } } },
  sessions: { type: 'sessions', sessions: [SESSION] },
  settings: { type: 'settings', settings: SETTINGS },
  bookChanged: { type: 'bookChanged', book: BOOK },
  journal: { type: 'journal', journal: { mode: 'disk' } },
  size: { type: 'size', handle: 1, at: { offset: 4, change: 1 }, size: SIZE, driver: true },
  resync: { type: 'resync', handle: 1, start: START },
  snapshotEnd: { type: 'snapshotEnd', handle: 1, parts: 2, hash: 'ab' },
  inputAck: { type: 'inputAck', handle: 1, seq: 4 },
  command: { type: 'command', sid: ID, command: COMMAND },
  exited: { type: 'exited', handle: 1, exit: { exitCode: 0, signal: null }, offset: 9 },
  closed: { type: 'closed', sid: ID, reason: 'user', termination: TERMINATION },
  ask: { type: 'ask', ask: 1, sid: ID, question: QUESTION, timeoutMs: 5 },
  askEnded: { type: 'askEnded', ask: 1 },
  pong: { type: 'pong', n: 3 },
}

const REPLY_EXAMPLES: Record<keyof typeof replySchemas, object> = {
  open: { session: SESSION },
  attach: { session: SESSION, handle: 1, start: START, inputSeq: 0, markNonce: 'ab'.repeat(16) },
  history: { records: [{ seq: 1, id: 'a', at: 5, type: 'prompt', data: {}, hash: 'b' }], lastSeq: 1 },
  commands: { commands: [COMMAND] },
  verify: { ok: true, seq: 4, hash: 'c' },
  wait: { timedOut: true, running: true, exit: null },
  hash: { position: { offset: 3, change: 1 }, hash: 'd' },
  book: BOOK,
  testConnection: {
    phases: [{ hop: 'jump', phase: 'host-key', ms: 1.5, ok: false }],
    error: { code: 'SSH_AUTH', message: 'x' },
  },
  hostKeys: HOST_KEYS,
  forgetHostKey: HOST_KEYS,
  readSshFiles: {
    entries: [
      {
        name: 'a',
        host: 'a.example',
        port: 22,
        username: 'b',
        auth: 'key',
        keyPath: '/k',
        jump: null,
        state: 'blocked',
        notes: [{ code: 'proxy-command', what: 'nc' }],
      },
    ],
    configNotes: [{ code: 'match', what: 'host a' }],
    newHostKeys: 1,
    knownHostKeys: 0,
    hostKeyNotes: [{ code: 'pattern', what: '*.a' }],
  },
  close: { termination: TERMINATION },
  list: { sessions: [SESSION] },
}

const HTTP_EXAMPLES = {
  health: [healthSchema, { ok: true, plugin: '@hyzyn/dsh-tty', version: '1.0.0', protocol: 1, instance: ID }],
  ticket: [ticketReplySchema, { ticket: ID, lifetimeMs: 30_000 }],
} as const

const CATALOGUE: [string, z.ZodType, object][] = [
  ...Object.entries(CLIENT_EXAMPLES).map(
    ([name, example]) => [`client ${name}`, clientFrameSchema, example] as [string, z.ZodType, object],
  ),
  ...Object.entries(HOST_EXAMPLES).map(
    ([name, example]) => [`host ${name}`, hostFrameSchema, example] as [string, z.ZodType, object],
  ),
  ...Object.entries(REPLY_EXAMPLES).map(
    ([name, example]) =>
      [`reply ${name}`, replySchemas[name as keyof typeof replySchemas], example] as [string, z.ZodType, object],
  ),
  ...Object.entries(HTTP_EXAMPLES).map(
    ([name, [schema, example]]) => [`http ${name}`, schema, example] as [string, z.ZodType, object],
  ),
]

/** Every object inside `value`, itself included, except free-form records. */
const objectsIn = (value: unknown, path = ''): string[] => {
  if (typeof value !== 'object' || value === null) return []
  const here = Array.isArray(value) || FREE_FORM.has(path) ? [] : [path]
  return [...here, ...Object.entries(value).flatMap(([key, inner]) => objectsIn(inner, `${path}/${key}`))]
}
const FREE_FORM = new Set(['/result', '/error', '/error/details', '/records/0/data'])

/** A copy of `example` whose object at `path` is changed. */
const changedAt = (example: object, path: string, change: (target: Record<string, unknown>) => void): unknown => {
  const copy = structuredClone(example)
  let target = copy as Record<string, unknown>
  for (const key of path.split('/').filter(Boolean)) target = target[key] as Record<string, unknown>
  change(target)
  return copy
}

describe('the catalogue', () => {
  it('has an example of every frame', () => {
    expect(clientFrameSchema.options.map((option) => option.shape.type.value).sort()).toEqual(
      Object.keys(CLIENT_EXAMPLES).sort(),
    )
    expect(hostFrameSchema.options.map((option) => option.shape.type.value).sort()).toEqual(
      Object.keys(HOST_EXAMPLES).sort(),
    )
  })
})

describe.each(CATALOGUE)('%s', (_name, schema, example) => {
  it('comes back from JSON as it was', () => {
    const parsed = schema.parse(JSON.parse(JSON.stringify(example)))
    expect(parsed).toEqual(example)
    expect(schema.parse(JSON.parse(JSON.stringify(parsed)))).toEqual(parsed)
  })

  it('refuses a key that it does not know, at every depth', () => {
    for (const path of objectsIn(example)) {
      const strange = changedAt(example, path, (target) => (target['strange'] = 1))
      expect(schema.safeParse(strange).success, `strange at ${path}`).toBe(false)
    }
  })

  it('lets no __proto__ or constructor change any object', () => {
    for (const path of objectsIn(example)) {
      for (const key of ['__proto__', 'constructor', 'prototype']) {
        const text = JSON.stringify(changedAt(example, path, (target) => (target['@'] = { polluted: 1 }))).replace(
          '"@"',
          `"${key}"`,
        )
        expect(schema.safeParse(JSON.parse(text)).success, `${key} at ${path}`).toBe(false)
      }
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('refuses each of its own keys with a value of the wrong type, or left out where it must be there', () => {
    for (const key of Object.keys(example)) {
      const wrong = changedAt(
        example,
        '',
        (target) => (target[key] = typeof target[key] === 'object' ? 1 : { wrong: true }),
      )
      if (key !== 'title' || JSON.stringify(example).includes('"title":"'))
        expect(schema.safeParse(wrong).success, key).toBe(false)
      const without = changedAt(example, '', (target) => delete target[key])
      const optional =
        {
          'host error': ['re', 'sid'],
          'client open': ['retryOf'],
          'client attach': ['noSnapshot'],
          'client commands': ['before'],
          'host ask': ['sid'],
        }[_name] ?? []
      expect(schema.safeParse(without).success, `without ${key}`).toBe(optional.includes(key))
    }
  })
})

describe.each([
  ['client', clientFrameSchema],
  ['host', hostFrameSchema],
] as const)('%s frames', (_side, schema) => {
  it.each([
    null,
    1,
    'x',
    [],
    {},
    { type: null },
    { type: '__proto__' },
    { type: 'constructor' },
    { type: ['list'] },
    { type: 'nope' },
    { t: 'list' },
  ])('are not %j', (value) => {
    expect(schema.safeParse(value).success).toBe(false)
  })
})
