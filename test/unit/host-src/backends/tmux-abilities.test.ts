import { describe, expect, it } from 'vitest'
import { abilitiesOf, findTmux } from '../../../../host-src/backends/tmux-abilities.ts'

describe('what a tmux can do', () => {
  it.each([
    ['tmux 3.3a\n', { kind: 'usable', version: '3.3a', missing: [] }],
    ['tmux 3.5\n', { kind: 'usable', version: '3.5', missing: [] }],
    ['tmux next-3.6\n', { kind: 'usable', version: 'next-3.6', missing: [] }],
    ['tmux master\n', { kind: 'usable', version: 'master', missing: [] }],
    ['tmux openbsd-7.4\n', { kind: 'usable', version: 'openbsd-7.4', missing: [] }],
    ['tmux 3.2a\n', { kind: 'usable', version: '3.2a', missing: ['exit-signal'] }],
    ['tmux 3.0\n', { kind: 'usable', version: '3.0', missing: ['quiet-control', 'exit-signal'] }],
    ['tmux 2.9a\n', { kind: 'unusable', reason: 'too-old', version: '2.9a' }],
    ['something else\n', { kind: 'unusable', reason: 'failed', version: null }],
    ['', { kind: 'unusable', reason: 'failed', version: null }],
  ] as const)('is read off %j', (answer, found) => {
    expect(abilitiesOf(answer)).toEqual(found)
  })

  it.each([
    ['there is none', { exitCode: 127, stdout: '', stderr: '' }, 'missing'],
    ['it fails', { exitCode: 1, stdout: 'tmux 3.3a', stderr: '' }, 'failed'],
    ['it hangs', { exitCode: null, stdout: '', stderr: '' }, 'failed'],
  ] as const)('is nothing when %s', async (_, result, reason) => {
    expect(await findTmux({ run: () => Promise.resolve(result) })).toEqual({ kind: 'unusable', reason, version: null })
  })

  it('is nothing when it may not be run', async () => {
    const found = await findTmux({ run: () => Promise.reject(new Error('EACCES')) })
    expect(found).toEqual({ kind: 'unusable', reason: 'failed', version: null })
  })
})
