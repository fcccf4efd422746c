/** What the way to a machine needs, with a person, a book and host keys that the test decides about. */
import { SshPool } from '../../host-src/backends/ssh/link-pool.ts'
import { SshBackend } from '../../host-src/backends/ssh/ssh-backend.ts'
import type { Person, Reply } from '../../host-src/backends/ssh/person.ts'
import type { ConnectContext, SshPorts } from '../../host-src/backends/ssh/ssh-ports.ts'
import type { Launched } from '../../host-src/backends/backend.ts'
import { newMarkNonce, newSessionId } from '../../host-src/base/random-id.ts'
import type { ClientId, SessionId, MarkNonce } from '../../protocol-src/ids.ts'
import type { Question } from '../../protocol-src/question.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../protocol-src/settings.ts'
import { sshConnectionSchema, type BookEntry, type SshConnection } from '../../protocol-src/ssh.ts'
import type { SpecOf } from '../../host-src/backends/backend.ts'
import { MemoryHostKeys } from './memory-host-keys.ts'
import { recordingLogger, type RecordingLogger } from './recording-logger.ts'

export type Answering = (question: Question, signal: AbortSignal) => Reply | Promise<Reply>

export interface SshBench {
  readonly ports: SshPorts
  readonly pool: SshPool
  readonly backend: SshBackend
  readonly hostKeys: MemoryHostKeys
  readonly logger: RecordingLogger
  /** What the person was asked. */
  readonly asked: Question[]
  readonly book: Map<string, BookEntry>
  answer: Answering
  context(more?: Partial<ConnectContext>): ConnectContext
  launch(spec: Omit<SpecOf<'ssh'>, 'kind'>, more?: { signal?: AbortSignal }): Promise<RemoteTerminal>
}

/** A session's handle, and what it printed. */
export interface RemoteTerminal {
  readonly launched: Launched
  readonly sessionId: SessionId
  readonly nonce: MarkNonce
  output(): string
  type(text: string): void
}

/** Says yes to every machine, and answers nothing else. */
export const acceptsHosts: Answering = ({ kind }) => (kind === 'host-key' ? { kind: 'accept' } : { kind: 'declined' })

/** Accepts machines and answers prompts with these, one question after the other. */
export const answersWith = (...answers: (readonly string[])[]): Answering => {
  const left = [...answers]
  return (question) => {
    if (question.kind === 'host-key') return { kind: 'accept' }
    const values = left.shift()
    return values === undefined ? { kind: 'declined' } : { kind: 'prompts', values: [...values] }
  }
}

export interface SshBenchOptions extends Partial<Omit<SshPorts, 'settings' | 'book'>> {
  settings?: Partial<Settings>
  secrets?: SshPorts['secrets']
}

export const sshBench = (options: SshBenchOptions = {}): SshBench => {
  const { settings, ...more } = options
  const asked: Question[] = []
  const logger = recordingLogger()
  const book = new Map<string, BookEntry>()
  const hostKeys = new MemoryHostKeys()
  const person: Person = {
    ask: async (question, _audience, signal) => {
      asked.push(question)
      const reply = await bench.answer(question, signal)
      return signal.aborted ? { kind: 'aborted' } : reply
    },
  }
  const ports: SshPorts = {
    book: {
      get entries() {
        return [...book.values()]
      },
      target: (ref) => {
        if ('connection' in ref) return { connection: ref.connection, book: null }
        const entry = book.get(ref.book)
        return entry === undefined ? null : { connection: entry, book: entry.name }
      },
    },
    secrets: { resolve: (ref) => Promise.resolve(ref) },
    hostKeys,
    person,
    settings: () => ({ ...DEFAULT_SETTINGS, ...settings }),
    hostEnv: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    logger,
    ...more,
  }
  const pool = new SshPool(ports)
  const backend = new SshBackend(ports, pool)
  const bench: SshBench = {
    ports,
    pool,
    backend,
    hostKeys,
    logger,
    asked,
    book,
    answer: acceptsHosts,
    context: (given) => ({
      audience: { kind: 'session', sid: newSessionId(), owner: 'user' },
      signal: new AbortController().signal,
      ...given,
    }),
    launch: async (spec, { signal = new AbortController().signal } = {}) => {
      const sessionId = newSessionId()
      const nonce = newMarkNonce()
      const launched = await backend.launch({
        sessionId,
        spec: { kind: 'ssh', ...spec },
        size: { cols: 80, rows: 24 },
        owner: { kind: 'user' },
        markNonce: nonce,
        signal,
      })
      let output = ''
      const decoder = new TextDecoder()
      launched.handle.onData((chunk) => {
        output += decoder.decode(chunk, { stream: true })
      })
      return {
        launched,
        sessionId,
        nonce,
        output: () => output,
        type: (text) => {
          launched.handle.write(Buffer.from(text))
        },
      }
    },
  }
  return bench
}

export const connectionTo = (port: number, more: Partial<SshConnection> & { username: string }): SshConnection =>
  sshConnectionSchema.parse({ host: '127.0.0.1', port, ...more })

export const newClientIdForTest = (): ClientId => newSessionId() as string as ClientId
