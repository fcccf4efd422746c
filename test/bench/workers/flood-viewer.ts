/** The process behind flooder.ts: opens a session on a running server, starts a flood and takes it until told to stop. */
import { terminalOn } from '../adapters/index.ts'
import { loadCorpus } from '../corpora.ts'
import { ensureKid } from '../workspace.ts'

const LONGEST_SECONDS = 600
const BEGUN_BYTES = 1_000_000

const [name = '', port = ''] = process.argv.slice(2)
const terminal = await terminalOn(name, { port: Number(port), kid: ensureKid() })
let seen = 0
terminal.listen((bytes) => {
  if (seen < BEGUN_BYTES && seen + bytes.length >= BEGUN_BYTES) process.send?.('begun')
  seen += bytes.length
})
process.on('message', () => {
  void terminal.end().then(() => process.exit(0))
})
process.on('disconnect', () => {
  process.exit(0)
})
terminal.type(`flood ${loadCorpus('ansi').path} ${String(LONGEST_SECONDS)}\n`)
