import headless from '@xterm/headless'
import { describe, expect, it } from 'vitest'
import { QUERIES, ReplyGate } from '../../../../client-src/terminal/reply-gate.ts'

const ESC = '\u001b'
const ST = `${ESC}\\`

/** How each row of the table looks in output, and what xterm.js 6.0 answers without a gate; null is nothing. */
const CASES: readonly (readonly [name: string, sequence: string, answer: string | null])[] = [
  ['DA1', `${ESC}[c`, `${ESC}[?1;2c`],
  ['DA1', `${ESC}[0c`, `${ESC}[?1;2c`],
  ['DA2', `${ESC}[>c`, `${ESC}[>0;276;0c`],
  ['DA3', `${ESC}[=c`, null],
  ['DSR and CPR', `${ESC}[5n`, `${ESC}[0n`],
  ['DSR and CPR', `${ESC}[6n`, `${ESC}[1;1R`],
  ['DEC DSR and CPR', `${ESC}[?6n`, `${ESC}[?1;1R`],
  ['DEC DSR and CPR', `${ESC}[?15n`, null],
  ['DEC DSR and CPR', `${ESC}[?996n`, null],
  ['DECRQM, ANSI modes', `${ESC}[4$p`, `${ESC}[4;2$y`],
  ['DECRQM, DEC modes', `${ESC}[?2004$p`, `${ESC}[?2004;2$y`],
  ['DECRQM, DEC modes', `${ESC}[?31337$p`, `${ESC}[?31337;0$y`],
  ['XTVERSION', `${ESC}[>q`, null],
  ['DECREQTPARM', `${ESC}[x`, null],
  ['DECRQCRA', `${ESC}[1;1;1;1;1;1*y`, null],
  ['DECRQTSR', `${ESC}[1$u`, null],
  ['DECRQPSR', `${ESC}[1$w`, null],
  ['DECRQUPSS', `${ESC}[&u`, null],
  ['kitty keyboard query', `${ESC}[?u`, null],
  ['XTQMODKEYS', `${ESC}[?4m`, null],
  ['XTSMGRAPHICS', `${ESC}[?1;1;0S`, null],
  // Titles and geometry are reported only where window reports are allowed; here they are not.
  ['window reports', `${ESC}[18t`, null],
  ['window reports', `${ESC}]2;x;id;\u0007${ESC}[21t`, null],
  ['DECRQSS', `${ESC}P$qm${ST}`, `${ESC}P1$r0m${ST}`],
  ['DECRQSS', `${ESC}P$q"p${ST}`, `${ESC}P1$r61;1"p${ST}`],
  ['DECRQSS', `${ESC}P$qfoo\nid\n${ST}`, `${ESC}P0$r${ST}`],
  ['XTGETTCAP', `${ESC}P+q544e${ST}`, null],
  // The colours are answered by the part of xterm.js that draws; the browser suite asks it.
  ['palette colour', `${ESC}]4;1;?${ST}`, null],
  ['foreground', `${ESC}]10;?${ST}`, null],
  ['background', `${ESC}]11;?${ST}`, null],
  ['cursor colour', `${ESC}]12;?${ST}`, null],
  ['clipboard', `${ESC}]52;c;?${ST}`, null],
]
/** Asks in ways that have no handler at all. */
const UNGATED: readonly string[] = ['\u0005', `${ESC}GQ`, `${ESC}Z`]

const make = (options: { windowReports?: boolean } = {}) => {
  const terminal = new headless.Terminal({
    allowProposedApi: true,
    cols: 80,
    rows: 24,
    ...(options.windowReports === true ? { windowOptions: { getWinSizeChars: true } } : {}),
  })
  /** Sequences that reached the terminal's own handlers. */
  const seen: string[] = []
  for (const { name, id } of QUERIES.csi) terminal.parser.registerCsiHandler(id, () => Boolean(seen.push(name) && 0))
  for (const { name, id } of QUERIES.dcs) terminal.parser.registerDcsHandler(id, () => Boolean(seen.push(name) && 0))
  for (const { name, id } of QUERIES.osc) terminal.parser.registerOscHandler(id, () => Boolean(seen.push(name) && 0))
  const gate = new ReplyGate(terminal.parser as never)
  const sent: string[] = []
  terminal.onData((data) => {
    if (gate.lets(data)) sent.push(data)
  })
  const write = (data: string) => new Promise<void>((resolve) => terminal.write(data, resolve))
  return { terminal, gate, sent, seen, write }
}

describe('an open gate', () => {
  it.each(CASES)('lets %s (%j) be answered as xterm.js does', async (_, sequence, answer) => {
    const { sent, write } = make()
    await write(sequence)
    expect(sent.join('')).toBe(answer ?? '')
  })

  it.each(UNGATED)('has nothing to hold back in %j', async (sequence) => {
    const { sent, write } = make()
    await write(sequence)
    expect(sent).toEqual([])
  })

  it('knows every sequence that is asked here', () => {
    const known = [...QUERIES.csi, ...QUERIES.dcs, ...QUERIES.osc].map(({ name }) => name)
    expect(known).toEqual(expect.arrayContaining(CASES.map(([name]) => name)))
    expect(new Set(known).size).toBe(known.length)
  })
})

describe.each([
  ['history', (gate: ReplyGate) => gate.setHistory(true)],
  ['a viewer that does not drive', (gate: ReplyGate) => gate.setDriver(false)],
] as const)('a gate shut for %s', (_, shut) => {
  it.each(CASES)('answers nothing to %s (%j)', async (name, sequence) => {
    const { gate, sent, seen, write } = make()
    shut(gate)
    expect(gate.isShut).toBe(true)
    await write(sequence)
    await write('text')
    expect(sent).toEqual([])
    const row = [...QUERIES.csi, ...QUERIES.dcs, ...QUERIES.osc].find((each) => each.name === name)
    if (row?.effect === 'swallow') expect(seen).toEqual([])
  })

  it('answers again once it is open', async () => {
    const { gate, sent, write } = make()
    shut(gate)
    await write(`${ESC}[c`)
    gate.setHistory(false)
    gate.setDriver(true)
    await write(`${ESC}[c`)
    expect(sent).toEqual([`${ESC}[?1;2c`])
  })

  it('carries out what is more than a question', async () => {
    const { gate, terminal, seen, write } = make()
    shut(gate)
    await write(`${ESC}[?1004h${ESC}[?2004h${ESC}]10;#123456${ST}${ESC}]4;1;#abcdef;2;?${ST}`)
    expect(terminal.modes.sendFocusMode).toBe(true)
    expect(terminal.modes.bracketedPasteMode).toBe(true)
    expect(seen).toEqual(['focus reports on', 'focus reports on', 'foreground', 'palette colour'])
  })

  it('silences a report that the terminal sends at once, and only that', async () => {
    const { gate, terminal, sent, write } = make({ windowReports: true })
    shut(gate)
    await write(`${ESC}[18t`)
    expect(sent).toEqual([])
    // A person types: in a later turn than any parsing.
    terminal.input('x')
    expect(sent).toEqual(['x'])
  })

  it('drops reports of the keyboard coming and going', () => {
    const { gate } = make()
    shut(gate)
    expect([gate.lets(`${ESC}[I`), gate.lets(`${ESC}[O`), gate.lets(`${ESC}[A`)]).toEqual([false, false, true])
  })
})

it('opens exactly at the byte where history ends, whatever came in one piece', async () => {
  const { gate, sent, terminal } = make()
  gate.setHistory(true)
  await new Promise<void>((resolve) => {
    terminal.write(`${ESC}[6n${ESC}[c`, () => gate.setHistory(false))
    terminal.write(`ab${ESC}[6n`, resolve)
  })
  expect(sent).toEqual([`${ESC}[1;3R`])
})
