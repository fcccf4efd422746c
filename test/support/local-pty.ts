/** Real programs on real terminals, without anything of the protocol around them. */
import { LocalBackend, type LocalBackendPorts } from '../../host-src/backends/local-backend.ts'
import { platformOf } from '../../host-src/backends/platform.ts'
import type { PtyHandle } from '../../host-src/backends/backend.ts'
import { newMarkNonce, newSessionId } from '../../host-src/base/random-id.ts'
import type { SessionId } from '../../protocol-src/ids.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../protocol-src/settings.ts'
import { recordingLogger } from './recording-logger.ts'

export const localBackend = (settings: Partial<Settings> = {}, ports: Partial<LocalBackendPorts> = {}): LocalBackend =>
  new LocalBackend({
    platform: platformOf(process.platform),
    settings: () => ({ ...DEFAULT_SETTINGS, shell: '/bin/bash', ...settings }),
    hostEnv: process.env,
    startDirectory: '/',
    logger: recordingLogger(),
    ...ports,
  })

/** A command that runs, and what it has printed so far. */
export interface RunningCommand {
  readonly handle: PtyHandle
  readonly sessionId: SessionId
  readonly output: () => Buffer
}

export const runCommand = async (command: string, backend = localBackend()): Promise<RunningCommand> => {
  const sessionId = newSessionId()
  const parts: Buffer[] = []
  const { handle } = await backend.launch({
    sessionId,
    spec: { kind: 'local', command },
    size: { cols: 80, rows: 24 },
    owner: { kind: 'user' },
    markNonce: newMarkNonce(),
    signal: new AbortController().signal,
  })
  handle.onData((chunk) => parts.push(Buffer.from(chunk)))
  return { handle, sessionId, output: () => Buffer.concat(parts) }
}
