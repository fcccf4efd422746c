/**
 * What an earlier run left: which sessions there are, whether their files are as they were left, and the end of those
 * that were live when the host died. Runs once, before anything else is written.
 */
import { join } from 'node:path'
import { delay } from '../base/async.ts'
import type { Logger } from '../base/logger.ts'
import type { SessionId } from '../../protocol-src/ids.ts'
import type { FilePort } from './file-port.ts'
import type { Anchor, HeadAnchors } from './head-anchors.ts'
import type { PastSession } from './journal.ts'
import { emptyChain, linkHash, parseRow, sealRecord, type ChainHead, type JournalRecord } from './journal-record.ts'
import type { JournalEventMap, JournalEventType } from './journal-events.ts'
import type { JournalTable, SessionRows } from './journal-table.ts'
import { SegmentFiles } from './segment-files.ts'
import type { ChainStart } from './session-chain.ts'

/** The parts of a directory that a journal on disk is made of. */
export interface JournalDisk {
  readonly table: JournalTable
  readonly anchors: HeadAnchors
  readonly files: FilePort
  /** Holds one directory of segment files per session. */
  readonly outputDirectory: string
}

export interface RecoveredSession {
  readonly id: SessionId
  readonly start: ChainStart
  /** Null when it was released. */
  readonly segments: SegmentFiles | null
  readonly anchor: Anchor | null
  /** Null when its first record is gone. */
  readonly past: Omit<PastSession, 'output' | 'releasedReason'> | null
  readonly released: { readonly reason: JournalEventMap['released']['reason']; readonly at: number } | null
}

const BUSY_WAIT_MS = 50
const BUSY_ATTEMPTS = 40

/**
 * @param survivors sessions that go on without a host: they get no end
 * @throws what the storage throws; nothing is half done then that a next run would not finish
 */
export async function recoverSessions(
  disk: JournalDisk,
  { survivors, logger }: { survivors: ReadonlySet<SessionId>; logger: Logger },
): Promise<readonly RecoveredSession[]> {
  const sessions = disk.table.sessions()
  removeStrays(disk, new Set(sessions), logger)
  const recovered = sessions.map((sid) => recoverSession(disk, sid, survivors.has(sid)))
  const ends = recovered.flatMap(({ end }) => end ?? [])
  for (let attempt = 1; ends.length > 0 && !disk.table.commit(ends); attempt++) {
    if (attempt === BUSY_ATTEMPTS) throw new Error('another process holds the journal file')
    await delay(BUSY_WAIT_MS)
  }
  for (const { session, isAnchored } of recovered) {
    if (session.start.state === 'changed') logger.warn('journal.session-changed', { sessionId: session.id })
    else if (!isAnchored && session.anchor !== null) disk.anchors.write(session.id, session.anchor)
  }
  return recovered.map(({ session }) => session)
}

/** Files of sessions that the table does not know: a release or a first commit that a crash cut short. */
function removeStrays(disk: JournalDisk, known: ReadonlySet<string>, logger: Logger): void {
  for (const name of disk.files.list(disk.outputDirectory))
    if (!known.has(name)) disk.files.removeDirectory(join(disk.outputDirectory, name))
  for (const sid of disk.anchors.list()) {
    if (known.has(sid)) continue
    const anchor = disk.anchors.read(sid)
    if (anchor !== null && anchor.seq > 0) logger.warn('journal.session-missing', { sessionId: sid, seq: anchor.seq })
    disk.anchors.remove(sid)
  }
}

interface Recovered {
  readonly session: RecoveredSession
  /** The record of its end, to be committed. */
  readonly end: SessionRows | null
  /** Whether the anchor says so already. */
  readonly isAnchored: boolean
}

function recoverSession(disk: JournalDisk, sid: SessionId, isAlive: boolean): Recovered {
  const find = finder(disk.table, sid)
  const anchor = disk.anchors.read(sid)
  const head = disk.table.last(sid, null) ?? emptyChain(sid)
  const released = find('released')
  const recordedTo = find('output')?.data.to ?? 0
  const directory = join(disk.outputDirectory, sid)
  let isSound = anchor !== null && continues(disk.table, sid, anchor)
  let segments: SegmentFiles | null = null
  if (released === null) {
    segments = SegmentFiles.recover(directory, disk.files, { end: recordedTo, cut: isSound })
    isSound &&= segments.end === recordedTo && segments.start <= (anchor?.fileStart ?? 0)
  } else if (isSound) disk.files.removeDirectory(directory)
  const opened = find('opened')
  isSound &&= opened !== null
  const seen = find('exited')
  const end =
    isSound && !isAlive && released === null && seen === null
      ? sealRecord(head, { type: 'exited', data: HOST_STOPPED, at: Date.now() })
      : null
  const exited = end?.record ?? seen
  const chainEnd: ChainHead = end === null ? head : { seq: end.row.seq, hash: end.row.hash }
  const state = !isSound ? 'changed' : released === null ? 'open' : 'released'
  const shown = find('shown')?.seq ?? 0
  const session: RecoveredSession = {
    id: sid,
    start: { head: { seq: chainEnd.seq, hash: chainEnd.hash }, recordedTo, state },
    segments,
    anchor: isSound
      ? { seq: chainEnd.seq, hash: chainEnd.hash, fileStart: segments?.start ?? recordedTo, isExact: true }
      : anchor,
    released: released === null ? null : { reason: released.data.reason, at: released.at },
    past:
      opened === null
        ? null
        : {
            id: sid,
            opened: opened.data,
            startedAt: opened.at,
            exited: exited?.data ?? null,
            exitedAt: exited?.at ?? null,
            terminated: find('terminated')?.data ?? null,
            owner: opened.data.owner,
            isHidden: (find('hidden')?.seq ?? 0) > shown,
            title: find('renamed')?.data.title ?? null,
            cwd: find('cwd')?.data.path ?? opened.data.cwd,
            size: find('resized')?.data ?? opened.data.size,
            isSound,
          },
  }
  const isAnchored = anchor?.isExact === true && end === null && anchor.fileStart === session.anchor?.fileStart
  return { session, end: end === null ? null : { sid, rows: [end.row] }, isAnchored }
}

const HOST_STOPPED: JournalEventMap['exited'] = { exitCode: null, signal: null, reason: 'host stopped' }

/** The newest record of a type; null when there is none, or what there is was changed. */
function finder(table: JournalTable, sid: SessionId) {
  return <T extends JournalEventType>(type: T): JournalRecord<T> | null => {
    const row = table.last(sid, type)
    if (row === undefined) return null
    try {
      return parseRow(row) as JournalRecord<T>
    } catch {
      // `verify` names it; here the session is only listed without this fact.
      return null
    }
  }
}

/** Whether the rows go on from the anchor as a host would have left them. Looks at the end of the chain only. */
function continues(table: JournalTable, sid: SessionId, anchor: Anchor): boolean {
  let link: ChainHead = emptyChain(sid)
  if (anchor.seq > 0) {
    const [anchored] = table.rows(sid, { after: anchor.seq - 1, types: null, limit: 1 })
    if (anchored === undefined || anchored.seq !== anchor.seq) return false
    link = anchored
  }
  if (link.hash !== anchor.hash) return false
  for (const row of table.rows(sid, { after: anchor.seq, types: null, limit: Number.MAX_SAFE_INTEGER })) {
    if (anchor.isExact || row.seq !== link.seq + 1 || linkHash(link.hash, row) !== row.hash) return false
    link = row
  }
  return true
}
