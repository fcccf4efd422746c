/** Programs that print anything: host and viewer have the same terminal, or the host says why not, and nobody else waits. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { REPLAY_MAX_BYTES } from '../../protocol-src/limits.ts'
import { startInProcessHost } from '../support/in-process-host.ts'
import { randomForTest, type Random } from '../support/random.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ViewerTerminal } from '../support/viewer-terminal.ts'
import { until } from '../support/wait.ts'
import { randomSequence } from '../unit/screen-src/sequences.ts'
import { LIMIT_MS, PATIENCE_MS, sizeOf } from './size.ts'

const STREAMS = sizeOf({ bounded: 4, full: 150 })
const SCROLLBACK = 1000
/** Ends whatever sequence the stream left open, so that a state can be taken. */
const CALM = '\u0018\u001b\\\u0018'
const HOSTILE_COUNTS = [
  '99999999',
  '2147483647',
  '65535',
  '4294967296',
  '0',
  '-1',
  '1;1;99999999',
  ';;;;;;;;',
  '9'.repeat(500),
]
const HOSTILE_FINALS = 'STLMPX@ABCDEFGHIZdabcrmhlnpqtu~`'.split('')

const hostile = (random: Random): string => {
  switch (random.integer(0, 5)) {
    case 0:
      return `\u001b[${random.pick(['', '?', '>', '=', '!'])}${random.pick(HOSTILE_COUNTS)}${random.pick(['', ' ', '$', '"', "'"])}${random.pick(HOSTILE_FINALS)}`
    case 1:
      return `\u001b]${random.integer(0, 120)};${'x'.repeat(random.integer(0, 3_000))}${random.pick(['\u0007', '\u001b\\', '', '\u0018'])}`
    case 2:
      return `\u001bP${random.pick(['$q', '+q', '1;2|', ''])}${'y'.repeat(random.integer(0, 500))}${random.pick(['\u001b\\', '', '\u0018'])}`
    case 3:
      return '\u001b[1;2;3;4;5;6;7;8;9;'.repeat(random.integer(1, 20))
    case 4:
      return random.pick(['\u001b7', '\u001b8', '\u001bc', '\u001b[!p', '\u001b[?1049h', '\u001b[?1049l', '\u001b[r'])
    default:
      return '👨‍👩‍👧'.repeat(random.integer(1, 40)) + '\u0301'.repeat(random.integer(1, 100))
  }
}

const streamOf = (random: Random, minBytes: number): Buffer => {
  const parts: Buffer[] = []
  for (let bytes = 0; bytes < minBytes; bytes += parts.at(-1)?.length ?? 0) {
    const kind = random.integer(0, 9)
    if (kind === 0) parts.push(Buffer.from(random.bytes(random.integer(1, 60))))
    else if (kind < 4) parts.push(Buffer.from(hostile(random)))
    else parts.push(Buffer.from(Array.from({ length: 20 }, () => randomSequence(random)).join('')))
  }
  return Buffer.concat(parts)
}

it(
  'leave host and viewers with the same terminal, and other sessions answer meanwhile',
  async () => {
    const random = randomForTest()
    const folder = await temporaryFolder()
    await using host = await startInProcessHost({ settings: { scrollback: SCROLLBACK } })
    const client = await host.connect()
    const other = await client.start({ command: 'stty -echo; printf ready; exec cat' })
    await other.untilText(/ready/)
    for (let n = 0; n < STREAMS; n += 1) {
      const file = join(folder, String(n))
      // Half of them too long to be sent again: who comes later gets a snapshot of what they left.
      const stream = streamOf(random, random.boolean() ? 20_000 : REPLAY_MAX_BYTES + 1)
      await writeFile(file, Buffer.concat([stream, Buffer.from(CALM)]))
      const total = stream.length + CALM.length
      const slices = 6
      const slice = Math.ceil(total / slices)
      // Raw, so that what is printed is what is in the file; answers to its questions go nowhere.
      const command = `stty raw -echo; for i in $(seq 0 ${slices - 1}); do dd bs=1 count=1 of=/dev/null 2>/dev/null; tail -c +$((i*${slice}+1)) ${file} | head -c ${slice}; done; exec cat >/dev/null`
      const terminal = new ViewerTerminal(SCROLLBACK)
      const view = await client.start({ command }, { terminal, keepBytes: 1000 })
      const session = host.composition.registry.require(view.sid)
      for (let at = 1; at <= slices; at += 1) {
        await view.resize({ cols: random.integer(2, 200), rows: random.integer(1, 80) })
        view.input('g')
        await until(() => view.record.next >= Math.min(total, at * slice), {
          what: 'the stream',
          timeoutMs: PATIENCE_MS,
        })
      }
      other.input(`line ${n}\n`)
      await other.untilText(new RegExp(`line ${n}\\r\\n`), PATIENCE_MS)

      const late = new ViewerTerminal(SCROLLBACK)
      const second = await host.connect()
      const later = await second.attach(view.sid, { terminal: late, keepBytes: 1000, resumeFrom: null })
      const isRebuilt = (): boolean =>
        host.logger.of('screen.rebuilt').some(({ fields }) => fields['sessionId'] === view.sid)
      await until(
        async () => {
          const { hash } = await session.hash().catch(() => ({ hash: null }))
          return isRebuilt() || (terminal.hash === hash && late.hash === hash && hash !== null)
        },
        { what: `the same terminal everywhere (stream ${n}, ${later.start.start.mode})`, timeoutMs: PATIENCE_MS },
      )
      expect(view.record.faults).toEqual([])
      await second.close()
      await client.request({ type: 'close', sid: view.sid })
      terminal.dispose()
      late.dispose()
    }
    expect(host.logger.lines.filter(({ level }) => level === 'error')).toEqual([])
    // These streams are hostile, but the guards know them: no emulator was lost to any.
    expect(host.logger.of('screen.rebuilt')).toEqual([])
  },
  LIMIT_MS,
)
