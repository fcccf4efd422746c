import { describe, expect, it } from 'vitest'
import { TtyError } from '../../../../host-src/base/errors.ts'
import { EXPECT_WINDOW_BYTES, ExpectWait, type ExpectOptions } from '../../../../host-src/tools/expect-engine.ts'
import { compilePattern, MAX_PATTERN_CHARS } from '../../../../host-src/tools/expect-pattern.ts'
import { fakeOutput, type FakeOutput } from '../../../support/fake-output.ts'

const ESC = '\u001b'

const waitFor = async (pattern: string, output: FakeOutput, options: Partial<ExpectOptions> = {}) =>
  new ExpectWait({
    pattern: await compilePattern(pattern),
    output,
    from: 0,
    sent: null,
    ended: null,
    size: { cols: 80, rows: 24 },
    maskSecrets: true,
    maxChars: 4000,
    ...options,
  })

describe('a wait for a text', () => {
  it('looks first at what was not read yet', async () => {
    const output = fakeOutput('booting\r\nready on port 3000\r\nmore\r\n')
    const wait = await waitFor('port (\\d+)', output)
    expect(wait.begin()).toEqual({
      matched: true,
      match: 'port 3000',
      matchedFrom: 'buffered',
      text: 'booting\nready on port 3000',
      bytesSeen: 27,
      bytesOmitted: 0,
      nextOffset: 27,
      notes: [],
    })
  })

  it('goes on after what matched before', async () => {
    const output = fakeOutput('tick\r\ntick\r\n')
    const first = (await waitFor('tick', output)).begin()
    const second = (await waitFor('tick', output, { from: first?.nextOffset ?? -1 })).begin()
    expect([first?.nextOffset, second?.nextOffset]).toEqual([4, 10])
    expect((await waitFor('tick', output, { from: 10 })).begin()).toBeNull()
  })

  it('does not look at what was read', async () => {
    const output = fakeOutput('old ready\r\n')
    const wait = await waitFor('ready', output, { from: output.end })
    expect(wait.begin()).toBeNull()
    output.print('ready now\r\n')
    expect(wait.printed()).toMatchObject({ matched: true, matchedFrom: 'live', text: 'ready', nextOffset: 16 })
  })

  it('matches what comes while it waits, in any pieces', async () => {
    const output = fakeOutput()
    const wait = await waitFor('^listening on .*$', output)
    expect(wait.begin()).toBeNull()
    const outcomes = ['compi', 'ling\r\nlist', `${ESC}[3`, '2mening', ` on${ESC}[0m :3000`, '\r\n'].map((piece) => {
      output.print(piece)
      return wait.printed()
    })
    expect(outcomes.map((outcome) => outcome?.matched)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      true,
      true,
    ])
    expect(outcomes[4]).toMatchObject({ match: 'listening on :3000', matchedFrom: 'live' })
  })

  it('matches lines as they look, not as they were painted', async () => {
    const output = fakeOutput('\rLoad  10%\rLoad 100%\r\nWorking\rDone\u001b[K\r\n')
    expect((await waitFor('10%\\s*L', output)).begin()).toBeNull()
    expect((await waitFor('^Load 100%\nDone$', output)).begin()).toMatchObject({ matched: true })
  })

  it('matches over rows that the terminal wrapped', async () => {
    const output = fakeOutput('the answer is forty-two, it said\r\n')
    const size = { cols: 16, rows: 10 }
    expect((await waitFor('forty-two', output, { size })).begin()).toMatchObject({ match: 'forty-two' })
  })

  it('says that it found the text in a command that was over, with its code', async () => {
    const output = fakeOutput('$ make\r\nHELLO_5\r\n$ ')
    const ended = { outputFrom: 8, outputTo: 17, exitCode: 0 }
    expect((await waitFor('HELLO_5', output, { from: 2, ended })).begin()).toMatchObject({
      matched: true,
      matchedFrom: 'last',
      exitCode: 0,
    })
  })

  it('looks at the whole of such a command, also at what was read of it', async () => {
    const output = fakeOutput('$ make\r\nHELLO_5\r\nrest\r\n$ ')
    const ended = { outputFrom: 8, outputTo: 23, exitCode: 3 }
    expect((await waitFor('HELLO_5', output, { from: 20, ended })).begin()).toMatchObject({
      matchedFrom: 'last',
      exitCode: 3,
    })
  })

  it('ends at once when the command is over and printed nothing that matches', async () => {
    const output = fakeOutput('$ false\r\n$ ')
    const ended = { outputFrom: 9, outputTo: 9, exitCode: 1 }
    expect((await waitFor('done', output, { ended })).begin()).toMatchObject({
      matched: false,
      commandEnded: true,
      exitCode: 1,
      nextOffset: output.end,
    })
  })

  it('ends with the command, after a last look', async () => {
    const output = fakeOutput('$ x\r\n')
    const without = await waitFor('ready', output, { from: 5 })
    expect(without.begin()).toBeNull()
    expect(without.commandEnded(2)).toMatchObject({ matched: false, commandEnded: true, exitCode: 2, text: '' })
    const wait = await waitFor('ready', output, { from: 5 })
    wait.begin()
    output.print('ready\r\n')
    expect(wait.commandEnded(null)).toEqual({
      matched: true,
      match: 'ready',
      matchedFrom: 'live',
      commandEnded: true,
      text: 'ready',
      bytesSeen: 5,
      bytesOmitted: 0,
      nextOffset: 10,
      notes: [],
    })
  })

  it('ends with the session, and settles at once on one that is over', async () => {
    const output = fakeOutput('fatal: no such file\r\n')
    expect((await waitFor('ready', output)).exited(127)).toMatchObject({
      matched: false,
      exited: true,
      exitCode: 127,
      text: 'fatal: no such file\n',
      nextOffset: 21,
    })
    expect((await waitFor('fatal', output)).exited(127)).toMatchObject({
      matched: true,
      matchedFrom: 'buffered',
      exited: true,
      exitCode: 127,
    })
  })

  it('gives the newest output back after a time-out, and uses nothing up', async () => {
    const output = fakeOutput(`${'noise\r\n'.repeat(2000)}last line\r\n`)
    const wait = await waitFor('never', output, { from: 7, maxChars: 20 })
    expect(wait.begin()).toBeNull()
    expect(wait.timedOut()).toMatchObject({
      matched: false,
      timedOut: true,
      text: 'noise\nlast line\n',
      bytesSeen: output.end - 7,
      bytesOmitted: output.end - 7 - 18,
      nextOffset: 7,
    })
  })

  it('looks a last time before it gives up', async () => {
    const output = fakeOutput()
    for (const giveUp of [(wait: ExpectWait) => wait.timedOut(), (wait: ExpectWait) => wait.userTyped()]) {
      output.set('')
      const wait = await waitFor('ready', output)
      wait.begin()
      output.print('ready')
      expect(giveUp(wait)).toMatchObject({ matched: true, matchedFrom: 'live' })
    }
  })

  it('ends when the user types', async () => {
    const output = fakeOutput('Proceed? ')
    const wait = await waitFor('never', output)
    expect(wait.begin()).toBeNull()
    expect(wait.userTyped()).toMatchObject({ matched: false, interruptedBy: 'user', text: 'Proceed? ', nextOffset: 0 })
  })

  it('has no keys without a value', async () => {
    const output = fakeOutput('x')
    for (const outcome of [
      (await waitFor('x', output)).begin(),
      (await waitFor('y', output)).timedOut(),
      (await waitFor('y', output)).exited(null),
      (await waitFor('y', output)).commandEnded(null),
    ])
      expect(Object.values(outcome ?? {})).not.toContain(undefined)
  })

  it('matches and shows what a model may read: nothing masked', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    const output = fakeOutput(`token ${secret} ok\r\n`)
    expect((await waitFor('ghp_[a-z0-9]', output)).begin()).toBeNull()
    expect((await waitFor('token (.*) ok', output)).begin()).toMatchObject({ match: 'token [masked GitHub token] ok' })
    expect((await waitFor('ghp_\\w+', output, { maskSecrets: false })).begin()).toMatchObject({ match: secret })
  })
})

describe('a wait: how much it looks at', () => {
  it('looks at the newest 64 KiB, and counts the rest', async () => {
    const output = fakeOutput(`start\r\n${'.'.repeat(EXPECT_WINDOW_BYTES)}\r\nend\r\n`)
    expect((await waitFor('start', output)).begin()).toBeNull()
    const found = (await waitFor('end', output)).begin()
    expect(found).toMatchObject({ matched: true, bytesSeen: output.end - 2 })
    expect(found?.bytesOmitted).toBeGreaterThanOrEqual(7)
  })

  it('leaves a little output for later, and looks at much of it at once', async () => {
    const output = fakeOutput('x'.repeat(EXPECT_WINDOW_BYTES))
    const wait = await waitFor('ready', output)
    expect(wait.begin()).toBeNull()
    expect(wait.isDue).toBe(false)
    output.print('ready')
    expect(wait.printed()).toBeNull()
    expect(wait.isDue).toBe(true)
    expect(wait.look()).toMatchObject({ matched: true })
    expect(wait.isDue).toBe(false)
    output.print('.'.repeat(EXPECT_WINDOW_BYTES / 8))
    expect(wait.printed()).not.toBeNull()
  })

  it('misses nothing in a flood', async () => {
    const output = fakeOutput()
    const wait = await waitFor('needle', output)
    expect(wait.begin()).toBeNull()
    for (let chunk = 0; chunk < 12; chunk++) {
      output.print('hay\r\n'.repeat(2000))
      expect(wait.printed()).toBeNull()
    }
    output.print(`hay\r\nneedle\r\n${'hay\r\n'.repeat(2000)}`)
    expect(wait.printed()).toMatchObject({ match: 'needle' })
  })

  it('keeps nobody waiting for a large pattern, and looks less often with it', async () => {
    const output = fakeOutput()
    const small = await waitFor('ready', output)
    const large = await waitFor('(?:never|ready|[a-z]{30}x|[0-9]{30}y)', output)
    expect([small.begin(), large.begin()]).toEqual([null, null])
    expect(large.pauseMs).toBeGreaterThan(small.pauseMs)
    output.print('ready')
    expect(large.printed()).toBeNull()
    expect(large.isDue).toBe(true)
    expect(large.look()).toMatchObject({ matched: true })
    expect(small.printed()).toMatchObject({ matched: true })
  })

  it('goes on where output is no longer held', async () => {
    const output = fakeOutput('gone\r\nhere\r\n')
    output.forget(6)
    expect((await waitFor('gone', output)).begin()).toBeNull()
    expect((await waitFor('here', output)).begin()).toMatchObject({ matched: true, text: 'here' })
  })
})

describe('a wait: the echo of what was typed', () => {
  const typed = (text: string, options: Partial<ExpectOptions> = {}): Partial<ExpectOptions> => ({
    sent: { at: 2, text },
    from: 0,
    ...options,
  })
  const COMMAND = 'sleep 2; echo MARK_77'

  it.each([
    ['plain', `${COMMAND}\r\n`],
    ['coloured as it is typed', `${ESC}[32msleep${ESC}[0m 2${ESC}[1m;${ESC}[0m ${ESC}[32mecho${ESC}[0m MARK_77\r\n`],
    ['painted again by the shell', `s\bsl\b\bsle\b\b\bsleep 2; ec\b\b${ESC}[1mecho${ESC}[0m MARK_77\r\n`],
    ['drawn in the wrong place first', `\u001b[5Csle\r$ ${ESC}[K${COMMAND}\r\n`],
    ['with a note of the shell at the right', `${COMMAND}${' '.repeat(30)}[23:18]\r\n`],
    ['over a note of the shell at the right', `${' '.repeat(15)}[right]\r$ ${COMMAND}${ESC}[K\r\n`],
    ['without its line end yet', COMMAND],
    ['echoed by the terminal, then drawn at the prompt', `${COMMAND}\r\nuser@host:~$ ${COMMAND}\r\n`],
    ['echoed by the terminal, and being drawn at the prompt', `${COMMAND}\r\nuser@host:~$ sleep 2; echo MARK_7`],
  ])('never matches: %s', async (_, echo) => {
    const output = fakeOutput('$ ')
    const wait = await waitFor('MARK_7', output, typed(`${COMMAND}\n`))
    expect(wait.begin()).toBeNull()
    for (const each of echo) {
      output.print(each)
      expect(wait.look(), JSON.stringify(output.end)).toBeNull()
    }
    const outcome = wait.timedOut()
    expect(outcome).toMatchObject({ matched: false, echoOnly: true })
    expect(outcome.text).not.toContain('MARK_7')
  })

  it.each([12, 20, 21, 22, 23, 24])('never matches where %i columns wrap it', async (cols) => {
    const size = { cols, rows: 24 }
    // As a terminal wraps it, and as readline does.
    for (const end of ['', ' \r']) {
      const output = fakeOutput('$ ')
      const rows = `$ ${COMMAND}`.match(new RegExp(`.{1,${String(cols)}}`, 'g')) ?? []
      const wait = await waitFor('MARK', output, typed(`${COMMAND}\n`, { size }))
      for (const each of `${rows.join(end).slice(2)}\r\n`) {
        output.print(each)
        expect(wait.look()).toBeNull()
      }
      output.print('MARK_77\r\n$ ')
      expect(wait.look()).toMatchObject({ match: 'MARK', text: '$ \nMARK' })
    }
  })

  it('matches the same text once it is printed', async () => {
    const output = fakeOutput(`$ ${COMMAND}\r\n`)
    const wait = await waitFor('MARK_77', output, typed(`${COMMAND}\n`))
    expect(wait.begin()).toBeNull()
    output.print('MARK_77\r\n$ ')
    const outcome = wait.look()
    expect(outcome).toMatchObject({ matched: true, match: 'MARK_77' })
    expect(outcome?.text).not.toContain('sleep 2; echo')
  })

  it('matches what a program prints that gives back each line', async () => {
    const output = fakeOutput('> hello\r\n')
    const wait = await waitFor('hello', output, typed('hello\n'))
    expect(wait.begin()).toBeNull()
    output.print('hello\r\n')
    expect(wait.look()).toMatchObject({ matched: true })
  })

  it('knows the echo of several lines, in their order', async () => {
    const output = fakeOutput('$ ')
    const wait = await waitFor('two|ONE', output, typed('echo ONE\necho two\n'))
    output.print('echo ONE\r\necho two\r\n')
    expect(wait.look()).toBeNull()
    output.print('ONE\r\n')
    expect(wait.look()).toMatchObject({ match: 'ONE' })
  })

  it('takes no answer of a program for the echo of a short line', async () => {
    for (const [sent, printed, pattern] of [
      ['y\n', 'y\r\nready\r\n', 'ready'],
      ['y\n', 'already\r\n', 'already'],
      ['n\n', 'npm install\r\n', 'npm'],
      ['ls\n', 'ls\r\ntools  false\r\n', 'tools'],
      ['\n', 'ok\r\n', 'ok'],
    ] as const) {
      const output = fakeOutput('? ')
      const wait = await waitFor(pattern, output, typed(sent))
      output.print(printed)
      expect(wait.look(), `${JSON.stringify(sent)} ${printed}`).toMatchObject({ match: pattern })
    }
  })

  it('does not take a prompt with an echo behind it for one that waits', async () => {
    const output = fakeOutput('$ sleep 5')
    const wait = await waitFor('\\$ $', output, typed('sleep 5\n', { from: 2 }))
    expect(wait.begin()).toBeNull()
    output.print('\r\n')
    expect(wait.look()).toBeNull()
    output.print('$ ')
    expect(wait.look()).toMatchObject({ matched: true })
  })

  it('is no match for patterns that take anything', async () => {
    const output = fakeOutput('$ ')
    const wait = await waitFor('\\S{2,}|[^$ \\n]+', output, typed('abc\n'))
    output.print('abc\r\n')
    expect(wait.look()).toBeNull()
    output.print('abc!\r\n')
    expect(wait.look()).toMatchObject({ match: 'abc!' })
  })

  it('says nothing of an echo when nothing would have matched at all', async () => {
    const output = fakeOutput('$ make\r\n')
    expect((await waitFor('done', output, typed('make\n'))).timedOut()).not.toHaveProperty('echoOnly')
  })
})

describe('patterns', () => {
  const refused = async (source: string): Promise<TtyError> => {
    try {
      await compilePattern(source)
    } catch (error) {
      if (error instanceof TtyError) return error
    }
    return expect.fail('it was taken')
  }

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(MAX_PATTERN_CHARS + 1)],
    ['unfinished', 'a(b'],
    ['a class without end', '[a'],
    ['a back-reference', '(a)\\1'],
    ['look-ahead', 'a(?=b)'],
    ['too much repetition', '(?:abc){500}'],
    ['more than too much', 'a{1000}'.repeat(70)],
    ['repeated repetition', '((a{100}){100}){100}'],
  ])('refuses one that is %s, and says what is taken', async (_, source) => {
    const { code, message } = await refused(source)
    expect(code).toBe('PATTERN_INVALID')
    expect(message).toMatch(/^The pattern cannot be used: .+ Patterns are RE2/)
    expect(message).not.toContain('(?m)')
    expect(message.length).toBeLessThan(1000)
  })

  it('finds from a place on, by lines', async () => {
    const pattern = await compilePattern('^b.$')
    expect(pattern.find('ab\nbc\nbd', 0)).toEqual({ start: 3, end: 5 })
    expect(pattern.find('ab\nbc\nbd', 4)).toEqual({ start: 6, end: 8 })
    expect(pattern.find('ab', 0)).toBeNull()
  })

  // A backtracking engine needs longer for each of these than the universe is old.
  it.each([
    '^(a+)+$',
    '(.*)*x',
    '(a|a)*b',
    '(x+x+)+y',
    '(.*a){20}q!',
    '(?:a?b?c?){20}Z$',
    '([a-z]+)*=',
    '(a*)*(a*)*(a*)*b9',
  ])('answers %s on a whole window', async (source) => {
    const pattern = await compilePattern(source)
    for (const text of [
      `${'a'.repeat(EXPECT_WINDOW_BYTES)}!`,
      'ab q x y= Z'.repeat(EXPECT_WINDOW_BYTES / 11),
      `${'xa'.repeat(EXPECT_WINDOW_BYTES / 2)}q`,
    ])
      expect(() => pattern.find(text, 0)).not.toThrow()
  })
})
