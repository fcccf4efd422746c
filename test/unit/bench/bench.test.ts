import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { naiveDialect } from '../../bench/adapters/naive-dialect.ts'
import { gottyDialect, ttydDialect } from '../../bench/adapters/peer-dialects.ts'
import { parseCommandLine } from '../../bench/command-line.ts'
import { bytesOfLines, expectedOf, throughTerminal } from '../../bench/corpora.ts'
import { judge } from '../../bench/goals.ts'
import { median, medianRatio, percentile, show } from '../../bench/statistics.ts'
import { tableOf } from '../../bench/table.ts'
import { Terminal } from '../../bench/terminal.ts'

const text = (bytes: Uint8Array | null): string | null => (bytes === null ? null : Buffer.from(bytes).toString())

describe('statistics', () => {
  it('takes the middle, or the middle of the two in the middle', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
    expect(percentile([10, 20, 30, 40, 50], 0.95)).toBeCloseTo(48)
    expect(() => median([])).toThrow('no values')
  })

  it('compares runs with their own run only', () => {
    expect(medianRatio([10, 40, 90], [10, 20, 30])).toBe(2)
    expect(() => medianRatio([1], [1, 2])).toThrow('every run')
  })

  it('shows three digits and no exponent', () => {
    expect([0, 0.2345, 6.789, 123.4, 98_765].map(show)).toEqual(['0', '0.234', '6.79', '123', '98765'])
    expect(show(Infinity)).toBe('–')
  })
})

describe('corpora', () => {
  it('predicts what a terminal makes of newlines, over repeats of the block', () => {
    expect(throughTerminal(Buffer.from('a\nb\n')).toString()).toBe('a\r\nb\r\n')
    const corpus = { block: Buffer.from('ab\ncd\n') }
    const whole = expectedOf({ block: Buffer.from('ab\ncd\nab\ncd\nab') }, 14)
    expect(expectedOf(corpus, 14)).toEqual(whole)
    expect(whole.bytes).toBe(18)
    expect(bytesOfLines({ ...corpus, name: 'plain', path: '' }, 1)).toBe(3)
  })
})

describe('dialects', () => {
  it('find the terminal bytes in the frames of each server', () => {
    const naive = naiveDialect()
    expect(text(naive.received(Buffer.from('{"type":"data","data":"\\u001b[1mé"}'), false))).toBe('\x1b[1mé')
    expect(naive.received(Buffer.from('{"type":"bell"}'), false)).toBeNull()
    expect(naive.typed(Buffer.from('ls\n'))).toBe('{"type":"input","data":"ls\\n"}')
    expect(text(ttydDialect().received(Buffer.from('0out'), true))).toBe('out')
    expect(ttydDialect().received(Buffer.from('1title'), true)).toBeNull()
    expect(text(gottyDialect().received(Buffer.from(`1${btoa('out')}`), false))).toBe('out')
    expect(gottyDialect().typed(Buffer.from('x'))).toBe('1x')
  })
})

describe('terminal', () => {
  it('counts frames, terminal bytes and wire bytes apart, and hears what it waits for across frames', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    new WebSocketServer({ server }).on('connection', (ws) => {
      for (const data of ['~~REA', 'DY~~', 'x'.repeat(1000)]) ws.send(JSON.stringify({ type: 'data', data }))
      ws.send('{"type":"bell"}')
    })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const terminal = new Terminal({ port, dialect: naiveDialect() })
    const whole = terminal.untilText('x'.repeat(100))
    await terminal.untilText('~~READY~~')
    await whole
    const { frames, payloadBytes, wireBytes } = terminal.traffic
    terminal.close()
    expect({ frames, payloadBytes }).toEqual({ frames: 3, payloadBytes: 1009 })
    expect(wireBytes).toBeGreaterThan(1009)
  })
})

describe('the command line', () => {
  it('measures everything by default and names a wrong word', () => {
    expect(parseCommandLine(['--only', 'M3,M1', '--runs', '7']).measures).toEqual(['M1', 'M3'])
    expect(parseCommandLine(['--servers', 'ours']).servers).toEqual(['ours'])
    expect(() => parseCommandLine(['--only', 'M2'])).toThrow('--only knows M1, M3')
    expect(() => parseCommandLine(['--runs', '0'])).toThrow('whole number above 0')
    expect(() => parseCommandLine(['--fast'])).toThrow('Usage: npm run bench')
  })
})

describe('goals', () => {
  it('judge our own rows and nobody else’s', () => {
    const rows = [
      { corpus: 'ansi', server: 'ours', 'x limit-pty': 0.7, 'CPU ms/MB': 5 },
      { corpus: 'ansi', server: 'naive', 'x limit-pty': 0.9, 'CPU ms/MB': 9 },
    ]
    expect(judge('M1', rows).map(({ column, verdict }) => [column, verdict])).toEqual([
      ['x limit-pty', 'MISSED'],
      ['CPU ms/MB', 'met'],
    ])
    expect(tableOf('T', rows)[1]).toBe('corpus  server  x limit-pty  CPU ms/MB')
    expect(tableOf('T', [])).toEqual(['T: nothing was measured'])
  })
})
