/** Recomputes one session's chain, and the digests of the output that is kept, from what is stored. Changes nothing. */
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SessionId, StreamOffset } from '../../protocol-src/ids.ts'
import type { VerifyFailure, VerifyResult } from './journal.ts'
import { linkHash, parseRow, type ChainHead, type JournalRecord, type RecordRow } from './journal-record.ts'
import type { JournalTable } from './journal-table.ts'

const PAGE_ROWS = 256
const READ_BYTES = 256 * 1024

export interface ChainUnderTest {
  readonly sid: SessionId
  /** Tables in order of their records; a later one continues an earlier one. */
  readonly tables: readonly JournalTable[]
  /** Where the chain must end; null when the anchor is gone. */
  readonly head: (ChainHead & { readonly isExact: boolean }) | null
  /** Output from here on must be there. Read at the moment of use: it moves when output is pruned. */
  readonly heldFrom: () => StreamOffset
  /** Stored bytes, or null when they cannot be read. */
  readonly readBytes: (from: StreamOffset, maxBytes: number) => Uint8Array | null
}

interface Walk {
  link: ChainHead
  verified: number
  pruned: number
}

/** @throws what the storage throws when it cannot be read at all */
export async function verifyChain(chain: ChainUnderTest): Promise<VerifyResult> {
  const walk: Walk = { link: { seq: 0, hash: chain.sid }, verified: 0, pruned: 0 }
  const end = chain.head === null || !chain.head.isExact ? Infinity : chain.head.seq
  for (const table of chain.tables) {
    const base = table.base(chain.sid)
    // A table in memory drops its oldest records; what is left of the chain begins at its base.
    if (base.seq > walk.link.seq) walk.link = base
    for (;;) {
      const limit = Math.min(PAGE_ROWS, end - walk.link.seq)
      const rows = limit <= 0 ? [] : table.rows(chain.sid, { after: walk.link.seq, types: null, limit })
      for (const row of rows) {
        const failure = follow(walk, row, chain)
        if (failure !== null) return { ok: false, ...failure }
      }
      if (rows.length < limit || rows.length === 0) break
      await nextTurn()
    }
  }
  const failure = judgeEnd(walk.link, chain.head)
  if (failure !== null) return { ok: false, ...failure }
  return { ok: true, head: walk.link, outputs: { verified: walk.verified, pruned: walk.pruned } }
}

type Failure = { readonly seq: number; readonly reason: VerifyFailure } | null

function follow(walk: Walk, row: RecordRow, chain: ChainUnderTest): Failure {
  const seq = walk.link.seq + 1
  if (row.seq !== seq) return { seq, reason: 'gap' }
  if (linkHash(walk.link.hash, row) !== row.hash) return { seq, reason: 'hash' }
  walk.link = { seq, hash: row.hash }
  if (chain.head?.seq === seq && chain.head.hash !== row.hash) return { seq, reason: 'anchor' }
  let record: JournalRecord
  try {
    record = parseRow(row)
  } catch {
    return { seq, reason: 'payload' }
  }
  if (record.type !== 'output') return null
  const { from, to, sha256 } = record.data
  if (from < chain.heldFrom()) {
    walk.pruned++
    return null
  }
  const digest = digestOf(chain, from, to)
  if (digest === null && from < chain.heldFrom()) walk.pruned++
  else if (digest === null) return { seq, reason: 'bytes-missing' }
  else if (digest !== sha256) return { seq, reason: 'bytes' }
  else walk.verified++
  return null
}

function digestOf(chain: ChainUnderTest, from: StreamOffset, to: StreamOffset): string | null {
  const digest = createHash('sha256')
  for (let at = from; at < to;) {
    const bytes = chain.readBytes(at, Math.min(READ_BYTES, to - at))
    if (bytes === null || bytes.length === 0) return null
    digest.update(bytes)
    at += bytes.length
  }
  return digest.digest('hex')
}

function judgeEnd(link: ChainHead, head: ChainUnderTest['head']): Failure {
  if (head === null) return { seq: link.seq, reason: 'anchor' }
  return link.seq < head.seq ? { seq: link.seq + 1, reason: 'cut-tail' } : null
}
