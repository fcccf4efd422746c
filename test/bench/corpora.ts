/** What the child writes: blocks of 8 MB, the same on every machine and in every run. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { cachePath, MB } from './workspace.ts'

const BLOCK_BYTES = 8 * MB
/** Raised whenever a generator changes, so that no old block is used. */
const EDITION = 1
const NEWLINE = 10

export const CORPUS_NAMES = ['plain', 'ansi', 'cjk', 'yes'] as const
export type CorpusName = (typeof CORPUS_NAMES)[number]

export interface Corpus {
  readonly name: CorpusName
  readonly path: string
  readonly block: Buffer
}

/** What a terminal in cooked mode makes of the first bytes of a corpus. */
export interface Expected {
  /** Written by the child, newlines as one byte each. */
  readonly rawBytes: number
  /** Read from the terminal, newlines as two bytes each. */
  readonly bytes: number
  readonly crc: number
}

type Draw = (below: number) => number

/** xorshift32: varied enough for text, and the same everywhere. */
const drawFrom = (seed: number): Draw => {
  let state = seed
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

const WORDS =
  'build compile resolve module target cache worker thread socket buffer render layout frame event signal process handle stream offset window session client server request reply warning passed failed skipped done'.split(
    ' ',
  )
const EMOJI = ['👩‍💻', '👨‍👩‍👧‍👦', '🏳️‍🌈', '🚀', '✅', '👍🏽', '🇩🇪', '❤️']

const words = (draw: Draw, count: number): string =>
  Array.from({ length: count }, () => WORDS[draw(WORDS.length)]).join(' ')

const stamp = (draw: Draw): string =>
  `12:${String(draw(60)).padStart(2, '0')}:${String(draw(60)).padStart(2, '0')}.${String(draw(1000)).padStart(3, '0')}`

const LINES: Readonly<Record<CorpusName, (draw: Draw) => string>> = {
  plain: (draw) => `${stamp(draw)} ${words(draw, 6 + draw(12))}\n`,
  ansi: (draw) =>
    `\x1b[2m${stamp(draw)}\x1b[0m \x1b[1;3${String(1 + draw(6))}m${words(draw, 1)}\x1b[0m ` +
    `\x1b[38;5;${String(draw(256))}m${words(draw, 2 + draw(3))}\x1b[39m ` +
    `\x1b[38;2;${String(draw(256))};${String(draw(256))};${String(draw(256))}m${words(draw, 2 + draw(5))}\x1b[0m ` +
    `\x1b[4m${words(draw, 1)}\x1b[24m=\x1b[48;5;${String(draw(256))}m${String(draw(100_000))}\x1b[0m\n`,
  cjk: (draw) => {
    const han = Array.from({ length: 10 + draw(25) }, () => String.fromCodePoint(0x4e00 + draw(0x5000)))
    const kana = Array.from({ length: 5 + draw(15) }, () => String.fromCodePoint(0x3042 + draw(80)))
    return `${words(draw, 1)} ${han.join('')} ${EMOJI[draw(EMOJI.length)] ?? ''} ${kana.join('')} ${EMOJI[draw(EMOJI.length)] ?? ''}\n`
  },
  yes: () => 'y\n',
}

const generate = (name: CorpusName): Buffer => {
  const draw = drawFrom(0x5eed + CORPUS_NAMES.indexOf(name))
  const parts: Buffer[] = []
  let length = 0
  while (length < BLOCK_BYTES) {
    const part = Buffer.from(Array.from({ length: name === 'yes' ? 1000 : 1 }, () => LINES[name](draw)).join(''))
    parts.push(part)
    length += part.length
  }
  const last = parts.pop() ?? Buffer.alloc(0)
  const room = BLOCK_BYTES - (length - last.length)
  // Whole lines only: a block that is repeated must not begin inside a character or an escape sequence.
  return Buffer.concat([...parts, Buffer.alloc(room - 1, 'x'), Buffer.from('\n')])
}

/** The block of `name`, made on first use. */
export const loadCorpus = (name: CorpusName): Corpus => {
  const path = cachePath(`${name}-${String(EDITION)}.txt`)
  if (!existsSync(path)) writeFileSync(path, generate(name))
  return { name, path, block: readFileSync(path) }
}

/** ONLCR: every newline becomes carriage return and newline. */
export const throughTerminal = (raw: Uint8Array): Buffer => {
  const out = Buffer.allocUnsafe(raw.length * 2)
  let to = 0
  for (const byte of raw) {
    if (byte === NEWLINE) out[to++] = 13
    out[to++] = byte
  }
  return out.subarray(0, to)
}

/** Length and CRC-32 of the first `rawBytes` of the repeated corpus, as a terminal gives them out. */
export const expectedOf = ({ block }: Pick<Corpus, 'block'>, rawBytes: number): Expected => {
  const cooked = throughTerminal(block)
  let [bytes, crc, left] = [0, 0, rawBytes]
  for (; left >= block.length; left -= block.length) {
    crc = crc32(cooked, crc)
    bytes += cooked.length
  }
  const rest = throughTerminal(block.subarray(0, left))
  return { rawBytes, bytes: bytes + rest.length, crc: crc32(rest, crc) }
}

/** How many bytes of the block hold its first `count` lines. */
export const bytesOfLines = ({ block }: Corpus, count: number): number => {
  let at = 0
  for (let line = 0; line < count; line += 1) {
    const next = block.indexOf(NEWLINE, at)
    if (next === -1) throw new RangeError(`the block has fewer than ${String(count)} lines`)
    at = next + 1
  }
  return at
}
