/** Reads known_hosts: lines to records, and what cannot become one. Hashed names stay hashed. Touches no file. */
import type { FileNote } from '../../protocol-src/ssh-import.ts'
import { SSH_PORT, hostKeyRecordSchema, type HostKeyRecord } from '../../protocol-src/ssh.ts'
import { fingerprintOf } from './host-keys.ts'

export interface KnownHosts {
  readonly records: readonly HostKeyRecord[]
  readonly notes: readonly FileNote[]
}

const MAX_QUOTED = 200
/** What stands for a key that was revoked for names which only patterns give. */
const ANY_HOST = '*'

export function parseKnownHosts(text: string): KnownHosts {
  const records: HostKeyRecord[] = []
  const notes: FileNote[] = []
  for (const line of text.split(/\r?\n/)) {
    const fields = line.trim().split(/\s+/)
    if (fields[0] === '' || fields[0]?.startsWith('#') === true) continue
    const marker = fields[0]?.startsWith('@') === true ? fields.shift() : undefined
    const [names = '', type = '', key = ''] = fields
    const note = (code: FileNote['code']): void => {
      notes.push({ code, what: names.slice(0, MAX_QUOTED) })
    }
    if (marker === '@cert-authority') {
      note('cert-authority')
      continue
    }
    const fingerprint = fingerprintOfKey(type, key)
    if (fingerprint === null || (marker !== undefined && marker !== '@revoked')) {
      note('line')
      continue
    }
    const isRevoked = marker === '@revoked'
    const keys = isRevoked ? { fingerprints: [], revoked: [fingerprint] } : { fingerprints: [fingerprint], revoked: [] }
    const places = names.split(',').flatMap(toPlace)
    const found = places.flatMap((place) => hostKeyRecordSchema.safeParse({ ...place, ...keys }).data ?? [])
    // A key is revoked for every machine, so any name will do.
    if (isRevoked) records.push(found[0] ?? { host: ANY_HOST, port: SSH_PORT, ...keys })
    else {
      records.push(...found)
      if (found.length < names.split(',').length) note('pattern')
    }
  }
  return { records, notes }
}

/** @returns nothing for what only a pattern, or the opposite of a name, is */
function toPlace(name: string): { host: string; port: number }[] {
  if (name.startsWith('|1|')) return [{ host: name, port: SSH_PORT }]
  if (name === '' || /[*?!|]/.test(name)) return []
  const [, host, port] = /^\[([^\]]+)\]:(\d+)$/.exec(name) ?? []
  return [host === undefined ? { host: name, port: SSH_PORT } : { host, port: Number(port) }]
}

/** @returns the fingerprint with its type, or null for what is no key of that type */
function fingerprintOfKey(type: string, base64: string): string | null {
  if (!/^[A-Za-z0-9+/]+=*$/.test(base64)) return null
  const blob = Buffer.from(base64, 'base64')
  const length = blob.length >= 4 ? blob.readUInt32BE(0) : 0
  if (length === 0 || blob.toString('latin1', 4, 4 + length) !== type || blob.length <= 4 + length) return null
  return `${type} ${fingerprintOf(blob)}`
}
