import { describe, expect, it } from 'vitest'
import { fingerprintOf } from '../../../../host-src/ssh/host-keys.ts'
import { parseKnownHosts } from '../../../../host-src/ssh/known-hosts.ts'

const blobOf = (type: string, text: string): Buffer => {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(type.length)
  return Buffer.concat([head, Buffer.from(type), Buffer.from(text)])
}
const ED = blobOf('ssh-ed25519', 'one')
const RSA = blobOf('ssh-rsa', 'two')
const ed = `ssh-ed25519 ${ED.toString('base64')}`
const rsa = `ssh-rsa ${RSA.toString('base64')}`
const ED_KEPT = `ssh-ed25519 ${fingerprintOf(ED)}`
const RSA_KEPT = `ssh-rsa ${fingerprintOf(RSA)}`
const HASHED = '|1|MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=|MTIzNDU2Nzg5MDEyMzQ1Njc4OTA='

describe('parseKnownHosts', () => {
  it('reads names, ports, addresses, lists and hashed names', () => {
    const { records, notes } = parseKnownHosts(
      [
        `plain ${ed} somebody@somewhere`,
        `[h]:2222,[::1]:22,fe80::1 ${rsa}`,
        `${HASHED} ${ed}\r`,
        '',
        '# comment',
        '  ',
      ].join('\n'),
    )
    expect(notes).toEqual([])
    expect(records).toEqual([
      { host: 'plain', port: 22, fingerprints: [ED_KEPT], revoked: [] },
      { host: 'h', port: 2222, fingerprints: [RSA_KEPT], revoked: [] },
      { host: '::1', port: 22, fingerprints: [RSA_KEPT], revoked: [] },
      { host: 'fe80::1', port: 22, fingerprints: [RSA_KEPT], revoked: [] },
      { host: HASHED, port: 22, fingerprints: [ED_KEPT], revoked: [] },
    ])
  })

  it('keeps revoked keys as revoked, for names and for patterns', () => {
    const { records, notes } = parseKnownHosts(`@revoked h ${ed}\n@revoked * ${rsa}\n`)
    expect(notes).toEqual([])
    expect(records).toEqual([
      { host: 'h', port: 22, fingerprints: [], revoked: [ED_KEPT] },
      { host: '*', port: 22, fingerprints: [], revoked: [RSA_KEPT] },
    ])
  })

  it('names what it leaves out', () => {
    const { records, notes } = parseKnownHosts(
      [
        `@cert-authority *.example.com ${ed}`,
        `*.example.com ${ed}`,
        `a,!b ${ed}`,
        'torn ssh-ed25519 AAAA',
        `wrong-type ssh-rsa ${ED.toString('base64')}`,
        'only-a-name',
        `@unknown h ${ed}`,
        'h ssh-ed25519 ###',
      ].join('\n'),
    )
    expect(records).toEqual([{ host: 'a', port: 22, fingerprints: [ED_KEPT], revoked: [] }])
    expect(notes).toEqual([
      { code: 'cert-authority', what: '*.example.com' },
      { code: 'pattern', what: '*.example.com' },
      { code: 'pattern', what: 'a,!b' },
      { code: 'line', what: 'torn' },
      { code: 'line', what: 'wrong-type' },
      { code: 'line', what: 'only-a-name' },
      { code: 'line', what: 'h' },
      { code: 'line', what: 'h' },
    ])
  })

  it('takes any bytes without failing', () => {
    for (const text of [
      '\0',
      '@',
      '@revoked',
      ',,, ssh-rsa AAAA',
      `[x:22 ${ed}`,
      `[a]:99999 ${ed}`,
      `${'x'.repeat(600)} ${ed}`,
    ])
      expect(parseKnownHosts(text).records.every(({ host }) => host.length <= 512)).toBe(true)
  })
})
