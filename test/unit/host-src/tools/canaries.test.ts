/** No secret of the corpus reaches a model: on no surface, however the terminal or the reader breaks it up. */
import { describe, expect, it } from 'vitest'
import { ExpectWait } from '../../../../host-src/tools/expect-engine.ts'
import { compilePattern } from '../../../../host-src/tools/expect-pattern.ts'
import { modelText, type ModelTextOptions } from '../../../../host-src/tools/model-text.ts'
import { rawModelText } from '../../../../host-src/tools/raw-text.ts'
import { CANARIES, leakOf, type Canary } from '../../../fixtures/secrets/canaries.ts'
import { fakeOutput } from '../../../support/fake-output.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const shown = (text: string, options: Partial<ModelTextOptions> = {}) =>
  modelText(bytes(text), { maxChars: 100_000, maskSecrets: true, ...options }).text
const printed = ({ text }: Canary) => `before\r\n${text.replaceAll('\n', '\r\n')}\r\nafter\r\n`

/** Long secrets are not broken at every place: the step is prime, so that every column is met. */
const placesIn = (text: string) =>
  Array.from({ length: text.length }, (_, at) => at).filter((at) => text.length < 400 || at % 7 === 0)

/** The same text in rows of `width` columns, as a program prints it that breaks lines itself. */
const inRows = (text: string, width: number) =>
  text
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${String(width)}}`, 'g')) ?? [''])
    .join('\n')

const expectNoLeak = (canary: Canary, text: string, where: string) => {
  if (leakOf(canary, text) !== null) expect.fail(`${where}: ${JSON.stringify(text.slice(0, 2000))}`)
}

/** All but those that only what follows them gives away. */
it.each(CANARIES.filter(({ isLate }) => !isLate))('$name is masked in two reads that meet anywhere', (canary) => {
  const stream = bytes(printed(canary))
  for (const at of placesIn(printed(canary))) {
    const first = modelText(stream.subarray(0, at), { maxChars: 100_000, maskSecrets: true })
    const from = first.nextOffset
    const second = modelText(stream, { maxChars: 100_000, maskSecrets: true, from })
    expectNoLeak(canary, first.text + second.text, `cut at ${String(at)}`)
  }
})

describe.each(CANARIES)('$name', (canary) => {
  const { text } = canary

  it('is seen by the test when it is not masked', () => {
    expect(leakOf(canary, shown(printed(canary), { maskSecrets: false }))).not.toBeNull()
  })

  it('is masked, and nothing around it', () => {
    const all = shown(printed(canary))
    expectNoLeak(canary, all, 'whole')
    expect(all).toMatch(/^before\n[^]*\[masked [\w ]+\][^]*\nafter\n$/)
  })

  it('is masked in a text cut to any length, at either end', () => {
    for (const at of placesIn(printed(canary))) {
      expectNoLeak(canary, shown(printed(canary), { maxChars: at }), `tail of ${String(at)}`)
      expectNoLeak(canary, shown(printed(canary), { maxChars: at, keep: 'head' }), `head of ${String(at)}`)
    }
  })

  it('is masked in pages of any size', () => {
    const stream = bytes(printed(canary))
    for (const maxChars of [1, 5, 37, 200]) {
      let all = ''
      for (let from = 0; from < stream.length;) {
        const page = modelText(stream, { maxChars, maskSecrets: true, keep: 'head', from })
        expect(page.nextOffset).toBeGreaterThan(from)
        all += page.text
        from = page.nextOffset
      }
      expectNoLeak(canary, all, `pages of ${String(maxChars)}`)
    }
  })

  it('is masked where the terminal wraps it, at every place', () => {
    for (const at of placesIn(text)) {
      const indent = ' '.repeat(80 - (at % 80))
      expectNoLeak(
        canary,
        shown(indent + printed(canary), { size: { cols: 80, rows: 24 } }),
        `wrapped at ${String(at)}`,
      )
    }
    for (const cols of [12, 20, 40, 132])
      expectNoLeak(canary, shown(printed(canary), { size: { cols, rows: 24 } }), `${String(cols)} columns`)
  })

  it('is masked in the rows of a screen, however they break', () => {
    for (const at of placesIn(text)) {
      const rows = inRows(' '.repeat(80 - (at % 80)) + text, 80)
      expectNoLeak(canary, shown(`before\n${rows}\nafter\n`, { size: { cols: 80, rows: 24 } }), `row at ${String(at)}`)
    }
    for (const cols of [12, 20, 40])
      expectNoLeak(canary, shown(inRows(text, cols), { size: { cols, rows: 24 } }), `rows of ${String(cols)}`)
  })

  it('is masked where a line editor wraps it', () => {
    for (const at of placesIn(text)) {
      const line = `${' '.repeat(80 - (at % 80))}${text.split('\n')[0] as string}`
      // readline moves to the next row by a blank and a carriage return.
      const edited = line.match(/.{1,80}/g)?.join(' \r') ?? ''
      const rest = text.slice((text.split('\n')[0] as string).length).replaceAll('\n', '\r\n')
      expectNoLeak(canary, shown(`${edited}${rest}\r\n`, { size: { cols: 80, rows: 24 } }), `edited at ${String(at)}`)
    }
  })

  it.each([
    ['a colour', '\u001b[38;5;196m'],
    ['a title', '\u001b]0;title\u0007'],
    ['a mark of a shell', '\u001b]133;C\u001b\\'],
    ['an 8-bit sequence', '\u009b1m'],
    ['characters that show nothing', '\u200b\u2060\u202e'],
    ['control characters', '\u0000\u0001\u000e\u007f'],
    ['a character that is taken back', 'x\b \b'],
    ['an erased rest of the line', 'xyz\b\b\b\u001b[K'],
  ])('is masked with %s in it, at any place and at every one', (_, inserted) => {
    const everywhere = printed(canary)
      .split('')
      .map((each) => (each === '\r' || each === '\n' ? each : each + inserted))
    expectNoLeak(canary, shown(everywhere.join('')), 'everywhere')
    for (const at of placesIn(text)) {
      const broken = `before\r\n${`${text.slice(0, at)}${inserted}${text.slice(at)}`.replaceAll('\n', '\r\n')}\r\nafter\r\n`
      expectNoLeak(canary, shown(broken), `at ${String(at)}`)
    }
  })

  it('is masked in what was printed, with all its sequences, and painted over since', () => {
    const size = { cols: 80, rows: 24 }
    const raw = (stream: string | Uint8Array, options: Partial<ModelTextOptions> = {}) =>
      rawModelText(typeof stream === 'string' ? bytes(stream) : stream, {
        maxChars: 100_000,
        maskSecrets: true,
        size,
        ...options,
      })
    expect(leakOf(canary, raw(printed(canary), { maskSecrets: false }).text)).not.toBeNull()
    const everywhere = printed(canary).replaceAll(/[^\r\n]/g, '$&\u001b[38;5;196m')
    for (const [where, stream] of Object.entries({
      plain: printed(canary),
      everywhere,
      overwritten: `${printed(canary)}\u001b[H\u001b[2J${text.split('\n').pop() ?? ''}\r\u001b[Kgone\r\n`,
      'in a title': `\u001b]0;${text}\u0007 \u009d0;${text}\u009c \u001bP${text}\u001b\\ ok`,
      'painted again': [...text.split('\n')].map((line) => `${line}${'\b'.repeat(line.length)}${line}`).join('\r\n'),
    }).filter(([where]) => where !== 'painted again' || canary.isLate !== true))
      expectNoLeak(canary, raw(stream).text, where)
    const stream = bytes(printed(canary))
    for (const at of placesIn(printed(canary)).filter(() => canary.isLate !== true)) {
      const first = raw(stream.subarray(0, at))
      expectNoLeak(canary, first.text + raw(stream, { from: first.nextOffset }).text, `cut at ${String(at)}`)
      expectNoLeak(canary, raw(stream, { maxChars: at }).text, `tail of ${String(at)}`)
    }
  })

  it('is masked in what a wait gives back, whatever it waits for, as it comes', async () => {
    const anything = await compilePattern('(?s).*\\S{6,}.*|\\w+')
    const never = await compilePattern('NEVER-PRINTED')
    for (const pattern of [anything, never]) {
      const output = fakeOutput()
      for (const at of placesIn(text).filter((place) => place % 3 === 0 && canary.isLate !== true)) {
        output.set(text.slice(0, at).replaceAll('\n', '\r\n'))
        const wait = new ExpectWait({
          pattern,
          output,
          from: 0,
          sent: null,
          ended: null,
          size: { cols: 80, rows: 24 },
          maskSecrets: true,
          maxChars: 4000,
        })
        const outcome = wait.begin() ?? wait.timedOut()
        expectNoLeak(canary, `${outcome.text}${outcome.match ?? ''}`, `printed up to ${String(at)}`)
      }
    }
  })
})
