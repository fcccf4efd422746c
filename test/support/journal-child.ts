/**
 * A process that records as fast as it can until it is killed. Arguments: the journal's directory, a seed. Each line on
 * standard output says what was committed by then, as JSON: session id, seq, and offset to which output was appended at
 * the time of the flush.
 */
import { writeSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SessionJournal } from '../../host-src/journal/journal.ts'
import { openJournal } from '../../host-src/journal/open-journal.ts'
import { newSessionId } from '../../host-src/base/random-id.ts'
import { patternAt } from './journal-pattern.ts'

/** A whole number below `limit`; the same seed gives the same sequence. (The shared source belongs to the test runner.) */
const numbersFrom = (seed: number): ((limit: number) => number) => {
  let state = seed | 1
  return (limit) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % limit
  }
}

/** What the child has seen committed. */
export interface Committed {
  sid: string
  seq: number
}

const record = async (directory: string, seed: number): Promise<never> => {
  const below = numbersFrom(seed)
  const silent = (): void => undefined
  const logger = { debug: silent, info: silent, warn: silent, error: silent }
  const journal = await openJournal({ mode: 'disk', directory, keptBytes: () => 2 * 1024 * 1024, logger })
  if (journal.health.mode !== 'disk') throw new Error('the journal is not on disk')
  const sessions = [1, 2, 3].map(() => journal.begin(newSessionId()))
  const told = new Map<SessionJournal, number>()
  for (const session of sessions) {
    session.append('opened', {
      kind: 'local',
      target: 'bash',
      run: { shell: '/bin/bash' },
      cwd: '/',
      size: { cols: 80, rows: 24 },
      owner: { kind: 'user' },
      retryOf: null,
    })
  }
  for (;;) {
    const session = sessions[below(sessions.length)] as SessionJournal
    session.appendOutput(patternAt(session.output.end, 1 + below(below(50) === 0 ? 400_000 : 30_000)))
    if (below(3) === 0) session.appendInput('user', 1 + below(9))
    if (below(20) === 0) session.append('commandFinished', { id: 1, exitCode: below(256), outputTo: null })
    for (const each of sessions) {
      if (each.committedSeq === (told.get(each) ?? 0)) continue
      told.set(each, each.committedSeq)
      writeSync(1, `${JSON.stringify({ sid: each.id, seq: each.committedSeq } satisfies Committed)}\n`)
    }
    await nextTurn()
  }
}

const [, script, directory, seed] = process.argv
if (script?.endsWith('journal-child.ts') === true && directory !== undefined) await record(directory, Number(seed))
