import { describe, expect, it } from 'vitest'
import { judgeRequest, type TrustRequest } from '../../../../host-src/gateway/request-trust.ts'
import { FENCE_TABLE, headersOf } from '../../../support/fence-table.ts'

const AUTHORITY = '127.0.0.1:3080'

const request = (headers: Record<string, string>, change: Partial<TrustRequest> = {}): TrustRequest => ({
  intent: 'read',
  remoteAddress: '127.0.0.1',
  host: headers['host'],
  origin: headers['origin'],
  fetchSite: headers['sec-fetch-site'],
  ...change,
})

describe.each(['read', 'write', 'upgrade'] as const)('the fence for a %s', (intent) => {
  it.each(FENCE_TABLE)('and $name', (row) => {
    expect(judgeRequest(request(headersOf(row, AUTHORITY), { intent }), []).trusted).toBe(row[intent])
  })
})

describe('the peer', () => {
  it.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1', '::FFFF:127.0.0.1'])('may be %s', (remoteAddress) => {
    expect(judgeRequest(request({ host: AUTHORITY }, { remoteAddress }), []).trusted).toBe(true)
  })

  it.each([
    '192.168.0.7',
    '10.0.0.1',
    '::ffff:10.0.0.1',
    'fe80::1',
    '2001:db8::1',
    '',
    'localhost',
    '127.0.0.1.evil',
    undefined,
  ])('may not be %s', (remoteAddress) => {
    expect(judgeRequest(request({ host: AUTHORITY }, { remoteAddress }), []).trusted).toBe(false)
  })
})

describe('the Host', () => {
  it.each(['localhost', 'localhost:3080', 'LOCALHOST:1', '127.0.0.1', '127.1.2.3:80', '[::1]', '[::1]:3080'])(
    'may be %s',
    (host) => {
      expect(judgeRequest(request({ host }), []).trusted).toBe(true)
    },
  )

  it.each([
    undefined,
    'localhost.',
    'localhost.evil.test',
    '::1',
    '[::2]',
    '[::ffff:127.0.0.1]',
    '127.0.0.1:99999999',
    '127.0.0.1:',
    'localhost:3080:1',
    ' localhost',
    'localhost,evil.test',
    'loc\u0430lhost',
    'http://localhost',
    '2130706433',
    '0x7f000001',
  ])('may not be %j', (host) => {
    expect(judgeRequest(request({}, { host }), []).trusted).toBe(false)
  })
})

describe('hosts that the web server trusts', () => {
  const trusted = ['box.lan', 'other.lan:8443', '[fd00::7]']
  const judge = (host: string, change: Partial<TrustRequest> = {}): boolean =>
    judgeRequest(request({ host }, { remoteAddress: '192.168.0.9', ...change }), trusted).trusted

  it('are reached from the network: by name on any port, by name and port on that one', () => {
    expect(judge('box.lan')).toBe(true)
    expect(judge('BOX.lan:3080')).toBe(true)
    expect(judge('other.lan:8443')).toBe(true)
    expect(judge('[fd00::7]:1')).toBe(true)
  })

  it('are not reached by another name or port', () => {
    for (const host of ['other.lan', 'other.lan:1', 'box.lan.evil.test', 'evilbox.lan', 'localhost', AUTHORITY])
      expect(judge(host), host).toBe(false)
  })

  it('keep the other rules', () => {
    expect(judge('box.lan', { origin: 'http://box.lan' })).toBe(true)
    expect(judge('box.lan', { origin: 'https://box.lan' })).toBe(true)
    expect(judge('box.lan:3080', { origin: 'http://box.lan' })).toBe(false)
    expect(judge('box.lan', { origin: 'http://evil.test' })).toBe(false)
    expect(judge('box.lan', { fetchSite: 'cross-site' })).toBe(false)
    expect(judge('box.lan', { intent: 'write' })).toBe(false)
  })

  it('may be listed with nonsense among them', () => {
    expect(judgeRequest(request({ host: 'box.lan' }), ['', 'http://x', '*', 'box.lan']).trusted).toBe(true)
    expect(judgeRequest(request({ host: 'evil.test' }), ['', '*', 'http://evil.test']).trusted).toBe(false)
  })
})

describe('the default port', () => {
  it('is the same whether it is written or not', () => {
    expect(judgeRequest(request({ host: 'localhost', origin: 'http://localhost:80' }), []).trusted).toBe(true)
    expect(judgeRequest(request({ host: 'localhost:80', origin: 'http://localhost' }), []).trusted).toBe(true)
    expect(judgeRequest(request({ host: 'localhost', origin: 'https://localhost:443' }), []).trusted).toBe(true)
    expect(judgeRequest(request({ host: 'localhost', origin: 'http://localhost:8080' }), []).trusted).toBe(false)
  })
})
