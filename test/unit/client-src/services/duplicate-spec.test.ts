import { expect, it } from 'vitest'
import { duplicateSpec } from '../../../../client-src/services/duplicate-spec.ts'
import type { PersistName } from '../../../../protocol-src/ids.ts'
import type { LaunchSpec } from '../../../../protocol-src/session.ts'

const NAME = 'kept' as PersistName
it.each([
  ['a shell, where it is now', { kind: 'local', cwd: '/a' }, { kind: 'local', cwd: '/now' }],
  ['a shell elsewhere', { kind: 'ssh', host: { book: 'b' } }, { kind: 'ssh', host: { book: 'b' }, cwd: '/now' }],
  [
    'a command, where it was started',
    { kind: 'local', cwd: '/a', command: 'top' },
    { kind: 'local', cwd: '/a', command: 'top' },
  ],
  ['a kept session, under a name of its own', { kind: 'local', persist: NAME }, { kind: 'local', cwd: '/now' }],
  ['one that is not to be kept', { kind: 'local', persist: false }, { kind: 'local', cwd: '/now', persist: false }],
] satisfies [string, LaunchSpec, LaunchSpec][])('is %s', (_, spec, another) => {
  expect(duplicateSpec(spec, '/now')).toEqual(another)
})

it('leaves the place to the host where nobody knows it', () => {
  expect(duplicateSpec({ kind: 'local' }, null)).toEqual({ kind: 'local' })
})
