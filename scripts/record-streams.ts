/**
 * `node scripts/run.mjs record-streams [name…]`: records what real programs write to a terminal, and writes down what they
 * never do, as test/fixtures/streams/<name>.bin (the bytes) and .json (the sizes, by offset). Everything is run in a folder
 * of neutral names with an environment of its own; what it records still depends on the versions of the programs.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { spawn } from 'node-pty'
import { inRoot, isMain } from './project.ts'
import { runMain, UserError } from './user-error.ts'
import { writtenStreams } from './record-streams/written.ts'
import { programs, type Program, type Step } from './record-streams/programs.ts'

const OUT = inRoot('test', 'fixtures', 'streams')
const FOLDER = '/tmp/streams'
const MAX_BYTES = 64 * 1024
/** Silence after which a program is taken to wait for the next key. */
const QUIET_MS = 150

export interface Resize {
  /** Bytes of the stream before it. */
  offset: number
  cols: number
  rows: number
}

export interface StreamInfo {
  about: string
  cols: number
  rows: number
  resizes: Resize[]
}

const ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  HOME: FOLDER,
  PS1: '$ ',
  TZ: 'UTC',
  LESSHISTFILE: '-',
  HTOPRC: join(FOLDER, 'htoprc'),
}

async function record(program: Program): Promise<{ bytes: Uint8Array; info: StreamInfo }> {
  await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER, { recursive: true })
  for (const [name, text] of Object.entries(program.files)) await writeFile(join(FOLDER, name), text)
  const { cols, rows, about } = program
  const [file = 'sh', ...args] = program.argv
  const pty = spawn(file, args, { cols, rows, cwd: FOLDER, env: ENVIRONMENT, name: ENVIRONMENT.TERM, encoding: null })
  const chunks: Buffer[] = []
  const resizes: Resize[] = []
  let length = 0
  let lastAt = Date.now()
  let hasEnded = false
  pty.onData((data) => {
    const bytes = data as unknown as Buffer
    chunks.push(bytes)
    length += bytes.length
    lastAt = Date.now()
  })
  pty.onExit(() => {
    hasEnded = true
  })
  const apply = (step: Step): void => {
    if ('keys' in step) pty.write(step.keys)
    else if ('cols' in step) {
      resizes.push({ offset: length, cols: step.cols, rows: step.rows })
      pty.resize(step.cols, step.rows)
    }
  }
  for (const step of program.steps) {
    if ('ms' in step) await delay(step.ms)
    else await quiet(() => lastAt)
    apply(step)
  }
  await quiet(() => lastAt)
  if (!hasEnded) pty.kill('SIGKILL')
  await rm(FOLDER, { recursive: true, force: true })
  return { bytes: withoutNames(Buffer.concat(chunks)), info: { about, cols, rows, resizes } }
}

/** Replaces what would tell who recorded this, and where, by letters: lengths stay, and with them the offsets. */
function withoutNames(bytes: Buffer): Uint8Array {
  const text = [userInfo().username, hostname()].reduce(
    (latin, name) => latin.replaceAll(name, 'user'.repeat(name.length).slice(0, name.length)),
    bytes.toString('latin1'),
  )
  return Buffer.from(text, 'latin1')
}

const delay = async (ms: number): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, ms))
}

/** Wait until nothing has come for QUIET_MS, and at most three seconds. */
async function quiet(lastAt: () => number): Promise<void> {
  const until = Date.now() + 3000
  await delay(QUIET_MS)
  while (Date.now() - lastAt() < QUIET_MS && Date.now() < until) await delay(20)
}

async function save(name: string, bytes: Uint8Array, info: StreamInfo): Promise<void> {
  if (bytes.length === 0) throw new UserError(`${name} wrote nothing: is the program installed?`)
  if (bytes.length > MAX_BYTES) throw new UserError(`${name} wrote ${String(bytes.length)} bytes: record less of it`)
  await writeFile(join(OUT, `${name}.bin`), bytes)
  await writeFile(join(OUT, `${name}.json`), `${JSON.stringify(info, null, 2)}\n`)
  process.stdout.write(`${name}: ${String(bytes.length)} bytes\n`)
}

if (isMain(import.meta.url))
  runMain(async () => {
    const wanted = process.argv.slice(2)
    const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name)
    await mkdir(OUT, { recursive: true })
    for (const stream of writtenStreams()) if (isWanted(stream.name)) await save(stream.name, stream.bytes, stream.info)
    for (const program of programs) {
      if (!isWanted(program.name)) continue
      const { bytes, info } = await record(program)
      await save(program.name, bytes, info)
    }
  })
