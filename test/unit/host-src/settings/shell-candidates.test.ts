import { describe, expect, it } from 'vitest'
import { shellCandidates, shellsIn } from '../../../../host-src/settings/shell-candidates.ts'

describe('shellsIn', () => {
  it('takes each path once, and neither comments nor what is no path', () => {
    expect(
      shellsIn('# /etc/shells: valid login shells\n/bin/sh\n\n /bin/bash # the usual one\n/bin/sh\r\nzsh\n'),
    ).toEqual(['/bin/sh', '/bin/bash'])
  })

  it('takes no more than a person would look through', () => {
    expect(shellsIn(Array.from({ length: 99 }, (_, at) => `/bin/s${String(at)}`).join('\n'))).toHaveLength(32)
  })
})

describe('shellCandidates', () => {
  it('offers what is there, and nothing where there is no list', async () => {
    const all = await shellCandidates()
    expect(all.every((path) => path.startsWith('/'))).toBe(true)
    expect(await shellCandidates('/no/such/list')).toEqual([])
  })
})
