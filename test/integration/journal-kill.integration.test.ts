import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { SessionId } from '../../protocol-src/ids.ts'
import type { Committed } from '../support/journal-child.ts'
import { holdsPattern, journalDirectory, openTestJournal } from '../support/journal-fixture.ts'
import { randomFromSeed } from '../support/random.ts'

const CHILD = fileURLToPath(new URL('../support/journal-child.ts', import.meta.url))

/** Run the recording child until `ms` after its first commit, kill it, and give what it had seen committed by then. */
const recordAndKill = async (directory: string, seed: number, ms: number): Promise<Map<string, number>> => {
  const child = spawn(process.execPath, [CHILD, directory, String(seed)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  const closed = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), closed])
  await delay(ms)
  child.kill('SIGKILL')
  await closed
  expect(child.signalCode).toBe('SIGKILL')
  const committed = new Map<string, number>()
  // The last line may be torn.
  for (const line of text.split('\n').slice(0, -1)) {
    const { sid, seq } = JSON.parse(line) as Committed
    committed.set(sid, seq)
  }
  return committed
}

test.each(Array.from({ length: 20 }, (_, at) => at + 1))(
  'a host killed at seeded moment %i leaves a sound file, whole up to its last batch',
  async (seed) => {
    const directory = journalDirectory()
    const committed = await recordAndKill(directory, seed, randomFromSeed(seed).integer(0, 400))
    expect(committed.size).toBe(3)

    const { journal, lines } = await openTestJournal({ directory })
    expect([journal.health, lines]).toEqual([{ mode: 'disk' }, []])
    const past = journal.pastSessions()
    expect(past.map(({ id }) => id).sort()).toEqual([...committed.keys()].sort())
    for (const { id, isSound, exited, output } of past) {
      expect([isSound, exited?.reason]).toEqual([true, 'host stopped'])
      const session = journal.find(id) ?? expect.fail('not found')
      // What the child saw committed is there; `exited` comes after it.
      expect(session.lastSeq).toBeGreaterThan(committed.get(id as SessionId) ?? Infinity)
      const last = session.read({ types: ['output'], limit: 1e6 }).at(-1)
      expect(last?.data).toMatchObject({ to: output.end })
      expect(holdsPattern(session.output)).toBe(true)
      expect(await session.verify()).toMatchObject({ ok: true })
    }
    journal.dispose()
    const database = new DatabaseSync(join(directory, 'journal.db'), { readOnly: true })
    expect(database.prepare('PRAGMA integrity_check').all()).toMatchObject([{ integrity_check: 'ok' }])
    database.close()
  },
)
