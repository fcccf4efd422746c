/** Reads settings of older shapes as what they mean now. Judges nothing: what it does not know stays for the schema. */

type Section = Readonly<Record<string, unknown>>

/** @returns `section` itself when it is of the present shape */
export function migrateSettings(section: unknown): unknown {
  if (!isRecord(section) || !Array.isArray(section['hostKeys'])) return section
  const records = section['hostKeys'] as unknown[]
  const migrated = records.map(toManyFingerprints)
  return migrated.every((record, index) => record === records[index]) ? section : { ...section, hostKeys: migrated }
}

/** A machine had one key: `fingerprint`. */
function toManyFingerprints(record: unknown): unknown {
  if (!isRecord(record) || typeof record['fingerprint'] !== 'string') return record
  const { fingerprint, fingerprints, ...rest } = record
  const more: unknown[] = Array.isArray(fingerprints) ? fingerprints : []
  return { ...rest, fingerprints: [...new Set([withPrefix(fingerprint), ...more])] }
}

/** The hash as OpenSSH spells it: named, and without padding. */
function withPrefix(fingerprint: string): string {
  const hash = fingerprint.replace(/^SHA256:/i, '').replace(/=+$/, '')
  return /^[A-Za-z0-9+/]{43}$/.test(hash) ? `SHA256:${hash}` : fingerprint
}

function isRecord(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
