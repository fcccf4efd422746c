/** A registry over a fake backend and a journal in memory. */
import { SessionRegistry } from '../../host-src/sessions/session-registry.ts'
import type { Logger } from '../../host-src/base/logger.ts'
import { BatchedJournal } from '../../host-src/journal/batched-journal.ts'
import type { Journal } from '../../host-src/journal/journal.ts'
import { DEFAULT_RELEASED_LIMITS } from '../../host-src/journal/released-sessions.ts'
import type { SessionScreen } from '../../host-src/sessions/view-planner.ts'
import type { SessionBackend } from '../../host-src/backends/backend.ts'
import type { FakeBackend } from './fake-backend.ts'
import { recordingLogger } from './recording-logger.ts'

export interface TestRegistryOptions {
  maxSessions?: () => number
  logger?: Logger
  journal?: Journal
  keptBytes?: number
  screen?: SessionScreen
  persistByDefault?: () => boolean
}

export const memoryJournal = (logger: Logger = recordingLogger(), keptBytes = 8 * 1024 * 1024): Journal =>
  new BatchedJournal({
    disk: null,
    health: { mode: 'memory-by-setting' },
    recovered: [],
    keptBytes: () => keptBytes,
    released: DEFAULT_RELEASED_LIMITS,
    logger,
  })

const NO_SSH: SessionBackend<'ssh'> = {
  kind: 'ssh',
  describe: () => {
    throw new Error('there is no other machine')
  },
  launch: () => Promise.reject(new Error('there is no other machine')),
}

export const testRegistry = (backend: FakeBackend, options: TestRegistryOptions = {}): SessionRegistry => {
  const { maxSessions = () => 4, logger = recordingLogger(), screen = null } = options
  return new SessionRegistry({
    backends: { local: backend, ssh: NO_SSH },
    journal: options.journal ?? memoryJournal(logger, options.keptBytes),
    openScreen: () => screen,
    maxSessions,
    persistByDefault: options.persistByDefault ?? (() => false),
    logger,
  })
}
