import { describe, expect, it } from 'vitest'
import { CommandTracker } from '../../../../host-src/terminal/command-tracker.ts'
import { MarkParser } from '../../../../host-src/terminal/mark-parser.ts'
import { commandRecordSchema, type CommandRecord } from '../../../../protocol-src/command.ts'
import { MAX_COMMANDS } from '../../../../protocol-src/limits.ts'
import { marksOf, NONCE, OTHER_NONCE } from '../../../support/marks.ts'
import { randomForTest } from '../../../support/random.ts'

const marks = marksOf(NONCE)
const foreign = marksOf(OTHER_NONCE)
const PROMPT = `${marks.promptStart}$ ${marks.promptEnd}`

/** A tracker that is fed with what a terminal prints, and whose clock counts what happened. */
const track = () => {
  let [clock, at, changes] = [0, 0, 0]
  const heard: string[] = []
  const told: CommandRecord[] = []
  const tracker = new CommandTracker({
    started: ({ id }) => {
      heard.push(`started ${id}`)
      return (clock += 1)
    },
    finished: ({ id, exitCode }) => {
      heard.push(`finished ${id} ${String(exitCode)}`)
      return (clock += 1)
    },
    lost: (id) => heard.push(`lost ${id}`),
    prompted: (offset) => heard.push(`prompt ${offset}`),
    moved: (cwd) => heard.push(`cwd ${cwd}`),
    command: (command) => told.push(commandRecordSchema.parse(command)),
    changed: () => (changes += 1),
  })
  const parser = new MarkParser(NONCE, {
    mark: (mark) => {
      tracker.take(mark)
    },
    nonceSeen: () => {
      tracker.distrust()
    },
  })
  let output = Buffer.alloc(0)
  return {
    tracker,
    heard,
    told,
    print: (text: string | Uint8Array) => {
      const bytes = Buffer.from(text)
      parser.feed(bytes, at)
      at += bytes.length
      output = Buffer.concat([output, bytes])
    },
    end: () => at,
    /** Announced since it was asked last. */
    changes: () => {
      const since = changes
      changes = 0
      return since
    },
    /** What stands between the marks of a command. */
    outputOf: ({ outputFrom, outputTo }: CommandRecord) =>
      outputFrom === null ? null : output.subarray(outputFrom, outputTo ?? undefined).toString(),
  }
}

/** What is said of a session. */
const stateOf = ({ running, current, last, seen, promptAt }: CommandTracker) => ({
  running,
  current: current?.text ?? null,
  last: last === null ? null : `${String(last.text)} ${String(last.exitCode)}`,
  seen,
  atPrompt: promptAt !== null,
})

const UNKNOWN = { running: undefined, current: null, last: null, atPrompt: false }

describe('what is known of a shell', () => {
  it.each([
    ['nothing', '', { ...UNKNOWN, seen: 0 }],
    ['output without marks', 'hello\r\n$ ', { ...UNKNOWN, seen: 0 }],
    [
      'marks of somebody else',
      `${foreign.promptStart}$ ${foreign.start('x')}${foreign.end(0)}`,
      { ...UNKNOWN, seen: 0 },
    ],
    ['a directory only', marks.cwd('/x'), { ...UNKNOWN, seen: 0 }],
    ['a prompt', PROMPT, { running: false, current: null, last: null, seen: 0, atPrompt: true }],
    [
      'a command that runs',
      `${PROMPT}ls\r\n${marks.start('ls')}a`,
      { running: true, current: 'ls', last: null, seen: 1, atPrompt: false },
    ],
    [
      'a command that ended',
      `${PROMPT}${marks.start('ls')}a${marks.end(2)}`,
      { running: false, current: null, last: 'ls 2', seen: 1, atPrompt: false },
    ],
    [
      'the prompt after it',
      `${PROMPT}${marks.start('ls')}a${marks.end(2)}${PROMPT}`,
      { running: false, current: null, last: 'ls 2', seen: 1, atPrompt: true },
    ],
    [
      'an end without a code',
      `${marks.start('ls')}${marks.end()}`,
      { running: false, current: null, last: 'ls null', seen: 1, atPrompt: false },
    ],
    [
      'an empty line, which is no command',
      `${marks.start('out')}out\n${marks.end(3)}${PROMPT}\r\n${marks.end(0)}${PROMPT}`,
      { running: false, current: null, last: 'out 3', seen: 1, atPrompt: true },
    ],
    [
      'an end that comes twice',
      `${marks.start('a')}${marks.end(3)}${marks.end(0)}`,
      { running: false, current: null, last: 'a 3', seen: 1, atPrompt: false },
    ],
    [
      'a second command while the first has no end',
      `${marks.start('false')}${marks.start('echo two')}two`,
      { running: true, current: 'echo two', last: null, seen: 2, atPrompt: false },
    ],
    [
      'a foreign end and prompt while a command runs: a nested shell, or a forger',
      `${marks.start('bash')}${foreign.end(0)}${foreign.promptStart}\x1b]133;D;0\x07\x1b]133;A\x07`,
      { running: true, current: 'bash', last: null, seen: 1, atPrompt: false },
    ],
    [
      'a prompt while a command runs: it may have ended, and the command may have printed it',
      `${marks.start('a')}${PROMPT}`,
      { running: undefined, current: 'a', last: null, seen: 1, atPrompt: false },
    ],
    [
      'an end after such a prompt: of what, nobody knows',
      `${marks.start('a')}${PROMPT}${marks.end(0)}`,
      { running: false, current: null, last: 'a null', seen: 1, atPrompt: false },
    ],
    [
      'a command after such a prompt',
      `${marks.start('a')}${PROMPT}${marks.start('b')}`,
      { running: true, current: 'b', last: null, seen: 2, atPrompt: false },
    ],
    [
      'a prompt that redraws itself',
      `${PROMPT}${PROMPT}\r${PROMPT}`,
      { running: false, current: null, last: null, seen: 0, atPrompt: true },
    ],
    [
      'a command whose text the shell does not say',
      `${marks.start()}${marks.end(0)}`,
      { running: false, current: null, last: 'null 0', seen: 1, atPrompt: false },
    ],
    [
      'a nonce that was printed',
      `${PROMPT}${marks.start('set')}K=${NONCE}\r\n${marks.end(0)}${PROMPT}`,
      { ...UNKNOWN, seen: 1 },
    ],
  ])('after %s', (_name, text, expected) => {
    const { tracker, print } = track()
    print(text)
    expect(stateOf(tracker)).toEqual(expected)
  })
})

describe('a command', () => {
  it('has its text, place, output, code and times', () => {
    const { tracker, print, told, outputOf } = track()
    print(`${marks.cwd('/src')}${PROMPT}`)
    const promptAt = marks.cwd('/src').length
    print(`make\r\n${marks.start('make')}one\r\ntwo\r\n`)
    print(`${marks.end(2)}${marks.cwd('/src')}${PROMPT}`)
    const last = tracker.last
    expect(last).toMatchObject({ id: 1, text: 'make', cwd: '/src', promptAt, exitCode: 2, startedAt: 1, endedAt: 2 })
    expect(last === null ? null : outputOf(last)).toBe('one\r\ntwo\r\n')
    expect(told.map(({ id, endedAt }) => [id, endedAt])).toEqual([
      [1, null],
      [1, 2],
    ])
  })

  it('loses none of its output when several are pasted at once, and no code is made up', () => {
    const { tracker, print, outputOf } = track()
    print(`${PROMPT}${marks.start('false')}${marks.start('echo two')}two\r\n${marks.end(0)}${PROMPT}`)
    expect(tracker.list({ limit: 10 }).map((each) => [each.text, each.exitCode, outputOf(each)])).toEqual([
      ['false', null, ''],
      ['echo two', 0, 'two\r\n'],
    ])
  })

  it('that was not seen to end stops where the next prompt began', () => {
    const { tracker, print, outputOf } = track()
    print(`${marks.start('a')}out${PROMPT}b${marks.start('b')}more${marks.end(0)}`)
    expect(tracker.list({ limit: 10 }).map((each) => outputOf(each))).toEqual(['out', 'more'])
    expect(tracker.last?.promptAt).toBe(Buffer.byteLength(`${marks.start('a')}out`))
  })

  it('ends with the process, with a code that nobody knows', () => {
    const { tracker, print, end } = track()
    print(`${PROMPT}${marks.start('kill -9 $$')}Killed`)
    tracker.processEnded(end())
    expect(stateOf(tracker)).toMatchObject({ running: false, last: 'kill -9 $$ null', atPrompt: false })
    expect(tracker.last?.outputTo).toBe(end())
  })

  it('has no end when another program took the place of the shell', () => {
    const { tracker, print, heard } = track()
    print(`${PROMPT}${marks.start('exec other')}`)
    tracker.shellReplaced()
    expect(stateOf(tracker)).toEqual({ ...UNKNOWN, seen: 1 })
    expect(tracker.list({ limit: 1 })).toMatchObject([{ text: 'exec other', endedAt: null, exitCode: null }])
    expect(heard).toEqual(['prompt 0', 'started 1', 'lost 1'])
    print(PROMPT)
    expect(stateOf(tracker)).toMatchObject({ running: false, last: null })
  })

  it('is among the newest 200, which are told by pages', () => {
    const { tracker, print } = track()
    for (let n = 1; n <= MAX_COMMANDS + 5; n += 1) print(`${marks.start(String(n))}${marks.end(0)}`)
    const ids = (page: { before?: number; limit: number }): number[] => tracker.list(page).map(({ id }) => id)
    expect(tracker.seen).toBe(205)
    expect(ids({ limit: 1000 })).toHaveLength(MAX_COMMANDS)
    expect(ids({ limit: 3 })).toEqual([203, 204, 205])
    expect(ids({ before: 203, limit: 2 })).toEqual([201, 202])
    expect(ids({ before: 6, limit: 2 })).toEqual([])
  })
})

describe('the end that was told last', () => {
  it('says of which command it is, and of none after an empty line, a syntax error or Ctrl-C', () => {
    const { tracker, print } = track()
    print(`${PROMPT}${marks.start('a')}`)
    expect(tracker.lastEnd).toBeNull()
    print(marks.end(1))
    expect(tracker.lastEnd).toMatchObject({ exitCode: 1, command: 1 })
    print(`${PROMPT}if; then\r\nbash: syntax error\r\n${marks.end(2)}`)
    expect(tracker.lastEnd).toMatchObject({ exitCode: 2, command: null })
    expect(stateOf(tracker)).toMatchObject({ running: false, last: 'a 1' })
  })
})

describe('a change', () => {
  it('is announced for whatever can be asked for, and not for a prompt that is drawn again', () => {
    const { tracker, print, changes } = track()
    for (const [text, isChange] of [
      [marks.promptStart, true],
      [marks.promptEnd, false],
      [PROMPT, false],
      [marks.start('a'), true],
      ['output', false],
      [marks.end(1), true],
      [marks.promptStart, true],
      [marks.end(0), true],
      [PROMPT, true],
      [marks.cwd('/x'), true],
      [marks.cwd('/x'), false],
      [marks.start('b'), true],
      [PROMPT, true],
      [PROMPT, false],
    ] as const) {
      print(text)
      expect(changes() > 0, JSON.stringify(text)).toBe(isChange)
    }
    tracker.distrust()
    expect(changes()).toBe(1)
  })
})

describe('the directory', () => {
  it('is where the process started, then where anybody says, then only where the shell says', () => {
    const { tracker, print, heard } = track()
    tracker.startIn('/start')
    tracker.hintCwd('/hint')
    expect([tracker.cwd, tracker.cwdIsProven]).toEqual(['/hint', false])
    print(marks.cwd('/proven') + marks.cwd('/proven'))
    tracker.hintCwd('/other')
    expect([tracker.cwd, tracker.cwdIsProven]).toEqual(['/proven', true])
    // What anybody can print is not written down.
    expect(heard).toEqual(['cwd /start', 'cwd /proven'])
  })
})

describe('trust', () => {
  it('ends for good when the nonce was printed, also while a command runs', () => {
    const { tracker, print, heard } = track()
    print(`${PROMPT}${marks.start('declare -p')}${NONCE}`)
    expect([tracker.isTrusted, tracker.running, tracker.current]).toEqual([false, undefined, null])
    print(`${marks.end(0)}${PROMPT}${marks.start('rm')}${marks.end(0)}${marks.cwd('/')}`)
    expect(stateOf(tracker)).toEqual({ ...UNKNOWN, seen: 1 })
    expect(heard).toEqual(['prompt 0', 'started 1', 'lost 1'])
  })

  it('is never given to bytes without the nonce: they change nothing', () => {
    const random = randomForTest()
    const pieces = [
      foreign.promptStart,
      foreign.promptEnd,
      foreign.start('rm'),
      foreign.end(0),
      foreign.cwd('/etc'),
      '\x1b]133;D;0\x07',
      '\x1b]133;C\x07',
      '\x1b]133;D;0;k=\x07',
      '\x1bPtmux;\x1b\x1b]133;D;0\x07\x1b\\',
      '\x1b]633;D;0\x07',
    ]
    const states = [
      '',
      PROMPT,
      `${PROMPT}${marks.start('a')}`,
      `${marks.start('a')}${PROMPT}`,
      `${marks.start('a')}${marks.end(1)}`,
    ]
    for (let round = 0; round < 400; round += 1) {
      const { tracker, print, told } = track()
      print(random.pick(states))
      const before = JSON.stringify([stateOf(tracker), tracker.lastEnd, tracker.cwd, told])
      for (let n = random.integer(1, 20); n > 0; n -= 1) {
        const bytes = random.boolean()
          ? Buffer.from(random.pick(pieces))
          : Buffer.from(random.bytes(random.integer(0, 60)))
        const cut = random.integer(0, bytes.length)
        print(bytes.subarray(0, cut))
        print(bytes.subarray(cut))
      }
      expect(JSON.stringify([stateOf(tracker), tracker.lastEnd, tracker.cwd, told])).toBe(before)
    }
  })
})

describe('a session of an earlier run', () => {
  it('has its commands, and none that runs', () => {
    const { tracker } = track()
    const command = { id: 7, text: 'a', truncated: false, cwd: null, startedAt: 1, promptAt: null, outputFrom: 4 }
    const ended = { ...command, endedAt: 2, exitCode: 0, outputTo: 9 }
    const known = { seen: 7, running: undefined, isTrusted: true }
    tracker.restore({ ...known, commands: [ended], cwd: '/x' })
    expect(stateOf(tracker)).toEqual({ running: false, current: null, last: 'a 0', seen: 7, atPrompt: false })
    expect(tracker.cwd).toBe('/x')
    tracker.restore({ ...known, commands: [{ ...ended, endedAt: null }], cwd: null })
    expect(tracker.last).toBeNull()
  })

  it('that goes on is where it was: at a prompt, in a command, or nobody knows', () => {
    const command = { id: 7, text: 'a', truncated: false, cwd: null, startedAt: 1, promptAt: null, outputFrom: 4 }
    const open = { ...command, endedAt: null, exitCode: null, outputTo: null }
    const known = { commands: [open], seen: 7, cwd: '/x', isTrusted: true }
    const one = track()
    one.tracker.resume({ ...known, running: true })
    expect(stateOf(one.tracker)).toMatchObject({ running: true, current: 'a' })
    one.print(marks.end(3))
    expect(stateOf(one.tracker)).toMatchObject({ running: false, current: null, last: 'a 3' })
    const two = track()
    two.tracker.resume({ ...known, running: undefined })
    expect(stateOf(two.tracker)).toEqual({ ...UNKNOWN, seen: 7 })
    two.print(PROMPT + marks.start('b'))
    expect(stateOf(two.tracker)).toMatchObject({ running: true, current: 'b', seen: 8 })
    const three = track()
    three.tracker.resume({ ...known, running: true, isTrusted: false })
    three.print(marks.end(0))
    expect(three.tracker.last).toBeNull()
  })

  it('has lost a command when another program took the place of its shell, and says so once', () => {
    const { tracker, heard, print } = track()
    print(PROMPT + marks.start('exec sleep'))
    tracker.shellReplaced()
    tracker.distrust()
    expect(heard.filter((each) => each.startsWith('lost'))).toEqual(['lost 1'])
  })
})
