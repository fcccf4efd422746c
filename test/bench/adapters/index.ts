/** Everything that can be measured, limits first. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { TICKET_PATH } from '../servers/ticket-path.ts'
import type { Terminal } from '../terminal.ts'
import type { Adapter, MeasureName, RunningServer } from './adapter.ts'
import type { Dialect } from './dialect.ts'
import { drainDialect } from './drain-dialect.ts'
import { echoDialect, naiveDialect } from './naive-dialect.ts'
import { openTerminal, startNodeServer } from './node-server.ts'
import { OurDialect, type Rejoin } from './our-dialect.ts'
import { gottyDialect, ttydDialect } from './peer-dialects.ts'
import { missingCommand, startPeer } from './peer-server.ts'

const run = promisify(execFile)
const here = (): null => null
const TERMINAL_MEASURES: readonly MeasureName[] = ['M1', 'M3', 'M4', 'M6']

/** A connection's worth of our protocol; the ticket is fetched first, as a page does. */
export const ourDialect = async (port: number, to: { kid: string; rejoin?: Rejoin }): Promise<OurDialect> => {
  const response = await fetch(`http://127.0.0.1:${String(port)}${TICKET_PATH}`)
  return new OurDialect({ ticket: await response.text(), command: `exec ${to.kid}`, rejoin: to.rejoin ?? null })
}

/** Our own terminals and those of others, as one of a server's viewers opens them. */
const DIALECTS: Readonly<Record<string, (at: { port: number; kid: string }) => Promise<Dialect>>> = {
  ours: ({ port, kid }) => ourDialect(port, { kid }),
  naive: () => Promise.resolve(naiveDialect()),
  'limit-node': () => Promise.resolve(drainDialect()),
  ttyd: () => Promise.resolve(ttydDialect()),
  gotty: () => Promise.resolve(gottyDialect()),
}

/** A further terminal on a server that another process has started. */
export const terminalOn = (name: string, at: { port: number; kid: string }): Promise<Terminal> => {
  const speak = DIALECTS[name]
  if (speak === undefined) throw new RangeError(`no server is called ${name}`)
  return openTerminal(at.port, { dialect: () => speak(at), hasChild: true })
}

const limitPty: Adapter = {
  name: 'limit-pty',
  measures: ['M1'],
  missing: here,
  start: (kid) => Promise.resolve(rawReader(kid)),
}

/** Each blast is a process of its own that ends with it. */
const rawReader = (kid: string): RunningServer => ({
  pid: null,
  port: 0,
  startMs: 0,
  openTerminal: () => Promise.reject(new Error('the raw reader has no terminal to connect to')),
  blast: async ({ corpus, expected }) => {
    const { stdout } = await run(kid, ['limit-pty', corpus.path, String(expected.rawBytes)])
    const { bytes, ms, cpuMs } = JSON.parse(stdout) as { bytes: number; ms: number; cpuMs: number }
    return { ms, cpuMs, isIntact: bytes === expected.bytes, wireBytes: bytes, payloadBytes: bytes, frames: 0, rssKb: 0 }
  },
  collectGarbage: () => Promise.resolve(null),
  stop: () => Promise.resolve(),
})

const limitWs: Adapter = {
  name: 'limit-ws',
  measures: ['M3'],
  missing: here,
  start: () =>
    startNodeServer({
      script: 'echo-server.ts',
      args: [],
      dialect: () => Promise.resolve(echoDialect()),
      hasChild: false,
    }),
}

const limitNode: Adapter = {
  name: 'limit-node',
  measures: ['M1', 'M3'],
  missing: here,
  start: (kid) =>
    startNodeServer({
      script: 'drain-server.ts',
      args: [kid],
      dialect: () => Promise.resolve(drainDialect()),
      hasChild: true,
    }),
}

const ours: Adapter = {
  name: 'ours',
  measures: [...TERMINAL_MEASURES, 'M5', 'M7'],
  missing: here,
  start: (kid) =>
    startNodeServer({
      script: 'our-server.ts',
      args: [],
      dialect: (port) => ourDialect(port, { kid }),
      hasChild: true,
    }),
}

const naive: Adapter = {
  name: 'naive',
  measures: TERMINAL_MEASURES,
  missing: here,
  start: (kid) =>
    startNodeServer({
      script: 'naive-server.ts',
      args: [kid],
      dialect: () => Promise.resolve(naiveDialect()),
      hasChild: true,
    }),
}

const ttyd: Adapter = {
  name: 'ttyd',
  measures: TERMINAL_MEASURES,
  missing: () => missingCommand('ttyd'),
  start: (kid) =>
    startPeer({
      command: 'ttyd',
      args: (port) => ['-p', String(port), '-i', '127.0.0.1', '-W', kid],
      dialect: ttydDialect,
    }),
}

const gotty: Adapter = {
  name: 'gotty',
  measures: TERMINAL_MEASURES,
  missing: () => missingCommand('gotty'),
  start: (kid) =>
    startPeer({
      command: 'gotty',
      args: (port) => ['-a', '127.0.0.1', '-p', String(port), '-w', kid],
      dialect: gottyDialect,
    }),
}

export const ADAPTERS: readonly Adapter[] = [limitPty, limitNode, limitWs, ours, naive, ttyd, gotty]
