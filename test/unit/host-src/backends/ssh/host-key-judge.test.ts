import { describe, expect, it } from 'vitest'
import { hostKeyAlgorithms, keyTypeOf } from '../../../../../host-src/backends/ssh/host-key-judge.ts'

describe('the key of a machine', () => {
  it('of a known kind is asked for first, in all its forms', () => {
    expect(hostKeyAlgorithms(['ssh-rsa']).slice(0, 4)).toEqual([
      'rsa-sha2-512',
      'rsa-sha2-256',
      'ssh-rsa',
      'ssh-ed25519',
    ])
    expect(hostKeyAlgorithms([])[0]).toBe('ssh-ed25519')
    expect(hostKeyAlgorithms(['ssh-dss', 'x']).length).toBe(hostKeyAlgorithms([]).length)
  })

  it('says its kind, whatever stands there', () => {
    const blob = Buffer.from([0, 0, 0, 7, ...Buffer.from('ssh-rsa'), 1, 2, 3])
    expect(keyTypeOf(blob)).toBe('ssh-rsa')
    expect(keyTypeOf(Buffer.from([0, 0, 1, 0, 65]))).toBe('')
    expect(keyTypeOf(Buffer.from([1]))).toBe('')
    expect(keyTypeOf(Buffer.from([0, 0, 0, 2, 27, 65]))).toBe('A')
  })
})
