/**
 * The directory that a shell without our hooks may report: OSC 7, OSC 9;9 and OSC 1337;CurrentDir. Anybody can print these, so
 * they are hints for display and for the next start, and never more.
 */
import { hostname } from 'node:os'
import { isUsablePath } from './mark-text.ts'

/** The machine that paths are of. */
export interface Machine {
  /** Its own names, in lower case. */
  readonly hostNames: readonly string[]
  readonly isWindows: boolean
}

/** The machine that this host runs on. */
export function thisMachine(): Machine {
  const name = hostname().toLowerCase()
  return { hostNames: [name, name.split('.', 1)[0] ?? name], isWindows: process.platform === 'win32' }
}

/** @param payload what stands between `OSC` and its end, as Latin-1. @returns null when it reports no directory of `machine` */
export function reportedCwd(payload: string, machine: Machine): string | null {
  const text = Buffer.from(payload, 'latin1').toString('utf8')
  const report = /^(?:7;(?<url>.*)|9;9;"?(?<conEmu>[^"]*)"?|1337;CurrentDir=(?<iTerm>.*))$/su.exec(text)?.groups
  if (report === undefined) return null
  const { url, conEmu, iTerm } = report
  const path = url === undefined ? (conEmu ?? iTerm ?? '') : pathOfUrl(url, machine)
  return path !== null && isUsablePath(path) ? path : null
}

function pathOfUrl(url: string, { hostNames, isWindows }: Machine): string | null {
  const parts = /^file:\/\/(?<host>[^/]*)(?<path>\/.*)$/su.exec(url)?.groups
  if (parts === undefined) return null
  const host = (parts['host'] ?? '').toLowerCase()
  if (host !== '' && host !== 'localhost' && !hostNames.includes(host)) return null
  try {
    const path = decodeURIComponent(parts['path'] ?? '')
    return isWindows ? path.replace(/^\/(?=[A-Za-z]:)/, '').replaceAll('/', '\\') : path
  } catch {
    return null // a percent sign that encodes nothing
  }
}

/** Longest report: a path whose every byte is percent-encoded, and a host. */
const MAX_REPORT_BYTES = 16 * 1024
const BEGINNINGS = ['7;', '9;9;', '1337;CurrentDir=']
const LONGEST_BEGINNING = Math.max(...BEGINNINGS.map(({ length }) => length))
const INTRODUCER = Buffer.from('\u001b]', 'utf8')
const C1_INTRODUCER = Buffer.from('\u009d', 'utf8')
const BEL = 0x07
const CAN = 0x18
const SUB = 0x1a
const ESC = 0x1b
/** U+009C, ST in one character, in UTF-8. */
const C1_LEAD = 0xc2
const C1_ST = 0x9c

/** What a report holds that coloured text does not: looking for ESC would stop at every colour. */
const NEEDLES = [...BEGINNINGS.map((beginning) => Buffer.from(`]${beginning}`)), C1_INTRODUCER]

/** Index in a read from which a report may begin: without a whole beginning, one may still begin at the end. */
function firstThatMatters(chunk: Buffer): number {
  if (NEEDLES.some((needle) => chunk.includes(needle))) return 0
  return Math.max(0, chunk.length - INTRODUCER.length - LONGEST_BEGINNING)
}

/** Finds reports in raw output, however it is cut into reads. */
export class CwdReports {
  readonly #machine: Machine
  readonly #report: (path: string) => void
  /** A sequence that has begun and may be a report. */
  #held: Buffer = Buffer.alloc(0)

  constructor(machine: Machine, report: (path: string) => void) {
    this.#machine = machine
    this.#report = report
  }

  feed(bytes: Uint8Array): void {
    const fresh = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    const chunk = this.#held.length === 0 ? fresh : Buffer.concat([this.#held, fresh])
    let [from, nextEscape, nextC1] = [this.#held.length === 0 ? firstThatMatters(chunk) : 0, -1, -1]
    for (;;) {
      if (nextEscape < from) nextEscape = indexOrEnd(chunk, INTRODUCER, from)
      if (nextC1 < from) nextC1 = indexOrEnd(chunk, C1_INTRODUCER, from)
      const begin = Math.min(nextEscape, nextC1)
      if (begin === chunk.length) break
      const after = this.#sequence(chunk, begin)
      if (after === -1) {
        this.#held = Buffer.from(chunk.subarray(begin))
        return
      }
      from = after
    }
    // Either introducer may be cut in two.
    const last = chunk.subarray(-1)
    const isCut = last[0] === INTRODUCER[0] || last[0] === C1_INTRODUCER[0]
    this.#held = isCut ? Buffer.from(last) : Buffer.alloc(0)
  }

  /** Look at the sequence at `begin`. @returns the index from which to go on, or -1 when more must be read first */
  #sequence(chunk: Buffer, begin: number): number {
    const body = begin + INTRODUCER.length
    const head = chunk.toString('latin1', body, Math.min(chunk.length, body + LONGEST_BEGINNING))
    const isReport = BEGINNINGS.some((beginning) => head.startsWith(beginning))
    const isWhole = body + LONGEST_BEGINNING <= chunk.length
    if (!isReport && (isWhole || !BEGINNINGS.some((beginning) => beginning.startsWith(head)))) return body
    const end = endOfString(chunk, body)
    if (end === chunk.length || end - body > MAX_REPORT_BYTES) return end - body > MAX_REPORT_BYTES ? body : -1
    const isUndone = chunk[end] === CAN || chunk[end] === SUB
    const path = isUndone ? null : reportedCwd(chunk.toString('latin1', body, end), this.#machine)
    if (path !== null) this.#report(path)
    return end
  }
}

/** Index of what ends the string that goes on at `from`, or the length. */
function endOfString(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at]
    if (byte === BEL || byte === ESC || byte === CAN || byte === SUB) return at
    if (byte === C1_LEAD && chunk[at + 1] === C1_ST) return at
  }
  return chunk.length
}

function indexOrEnd(chunk: Buffer, bytes: Buffer, from: number): number {
  const index = chunk.indexOf(bytes, from)
  return index === -1 ? chunk.length : index
}
