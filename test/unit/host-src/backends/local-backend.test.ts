import { describe, expect, it } from 'vitest'
import { LocalBackend } from '../../../../host-src/backends/local-backend.ts'
import type { NodePty } from '../../../../host-src/backends/node-pty-module.ts'
import { platformOf } from '../../../../host-src/backends/platform.ts'
import { newMarkNonce, newSessionId } from '../../../../host-src/base/random-id.ts'
import { DEFAULT_SETTINGS } from '../../../../protocol-src/settings.ts'
import { settled } from '../../../support/fake-backend.ts'
import { recordingLogger } from '../../../support/recording-logger.ts'

const backend = (loadPty: () => Promise<NodePty>): LocalBackend =>
  new LocalBackend({
    platform: platformOf('linux'),
    settings: () => ({ ...DEFAULT_SETTINGS, shell: '/bin/bash' }),
    hostEnv: {},
    startDirectory: '/',
    logger: recordingLogger(),
    loadPty,
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
