import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LocalBackend, type LocalBackendPorts } from '../../../../host-src/backends/local-backend.ts'
import type { NodePty } from '../../../../host-src/backends/node-pty-module.ts'
import { platformOf } from '../../../../host-src/backends/platform.ts'
import { newMarkNonce, newSessionId } from '../../../../host-src/base/random-id.ts'
import { ShellIntegration } from '../../../../host-src/terminal/shell-integration.ts'
import { DEFAULT_SETTINGS } from '../../../../protocol-src/settings.ts'
import { settled } from '../../../support/fake-backend.ts'
import { recordingLogger } from '../../../support/recording-logger.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const backend = (loadPty: () => Promise<NodePty>, ports: Partial<LocalBackendPorts> = {}): LocalBackend =>
  new LocalBackend({
    platform: platformOf('linux'),
    settings: () => ({ ...DEFAULT_SETTINGS, shell: '/bin/bash' }),
    hostEnv: {},
    startDirectory: '/',
    logger: recordingLogger(),
    loadPty,
    ...ports,
  })

describe('a launch that hangs, as on a mount that does not answer', () => {
  it('is left when it is cancelled, and starts nothing when the answer comes after all', async () => {
    let answer = (_module: NodePty): void => {}
    let spawned = 0
    const hanging = backend(
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    )
    const abort = new AbortController()
    const size = { cols: 80, rows: 24 }
    const launch = hanging.launch({
      sessionId: newSessionId(),
      spec: { kind: 'local' },
      size,
      owner: { kind: 'user' },
      markNonce: newMarkNonce(),
      signal: abort.signal,
    })
    const outcome = expect(launch).rejects.toMatchObject({ code: 'CANCELLED' })
    abort.abort()
    await outcome
    answer({
      spawn: () => {
        spawned += 1
        throw new Error('must not be called')
      },
    })
    await settled()
    expect(spawned).toBe(0)
  })
})

describe('what a shell with hooks would have read', () => {
  const launch = async (): Promise<{ left: () => Promise<string[]>; outcome: Promise<unknown> }> => {
    const directory = join(await temporaryFolder(), 'shells')
    const integration = new ShellIntegration({ directory, logger: recordingLogger() })
    const failing = (): Promise<NodePty> =>
      Promise.resolve({
        spawn: () => {
          throw new Error('no terminal left')
        },
      })
    const outcome = backend(failing, { integration }).launch({
      sessionId: newSessionId(),
      spec: { kind: 'local' },
      size: { cols: 80, rows: 24 },
      owner: { kind: 'user' },
      markNonce: newMarkNonce(),
      signal: new AbortController().signal,
    })
    return { left: () => readdir(directory).catch(() => []), outcome }
  }

  it('is gone when the shell could not be started', async () => {
    const { left, outcome } = await launch()
    await expect(outcome).rejects.toMatchObject({ code: 'SPAWN_FAILED' })
    expect(await left()).toEqual([])
  })
})
