/** Screens over the real thread: exact, answering, watched, and rebuilt when they must be. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Screen, type ScreenOptions } from '../../host-src/terminal/screen.ts'
import { ScreenThread } from '../../host-src/terminal/screen-thread.ts'
import type { MarkNonce } from '../../protocol-src/ids.ts'
import { hashState } from '../../screen-src/hash.ts'
import { prependHistory, restore } from '../../screen-src/restore.ts'
import { marksOf } from '../../screen-src/tracked.ts'
import { command, MARK_NONCE } from '../../scripts/record-streams/sequences.ts'
import { recordingLogger } from '../support/recording-logger.ts'
import { until } from '../support/wait.ts'
import { feed, newEmulator, type Emulator } from '../unit/screen-src/emulator.ts'
import { feedRange, loadStreams } from '../unit/screen-src/streams.ts'

const STALLING_WORKER = new URL('./screen-stalling-worker.ts', import.meta.url)
const SIZE = { cols: 80, rows: 24 }

/** A session's output in memory, all of it. */
class Output {
  start = 0
  reads = 0
  #bytes = new Uint8Array(0)

  get end(): number {
    return this.#bytes.length
  }

  append(data: Uint8Array | string): void {
    const more = typeof data === 'string' ? new TextEncoder().encode(data) : data
    const all = new Uint8Array(this.#bytes.length + more.length)
    all.set(this.#bytes)
    all.set(more, this.#bytes.length)
    this.#bytes = all
  }

  read(from: number, maxBytes: number): Uint8Array | null {
    this.reads += 1
    if (from < this.start || from > this.end) return null
    return this.#bytes.subarray(from, from + Math.min(maxBytes, 10_000))
  }
}

const open: { dispose(): void }[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.dispose()
})

const newThread = (options: { stuckMs?: number; workerUrl?: URL } = {}): ScreenThread => {
  const thread = new ScreenThread({ logger: recordingLogger(), ...options })
  open.push(thread)
  return thread
}

const newScreen = (thread: ScreenThread, options: Partial<ScreenOptions> = {}): { screen: Screen; output: Output } => {
  const output = new Output()
  const screen = new Screen({
    source: output,
    thread,
    logger: recordingLogger(),
    size: SIZE,
    scrollbackLines: 100,
    markNonce: MARK_NONCE as MarkNonce,
    ...options,
  })
  open.unshift(screen)
  return { screen, output }
}

const viewerOf = async (screen: Screen): Promise<{ viewer: Emulator; offset: number; sizeChanges: number }> => {
  const snapshot = await screen.snapshot()
  if (snapshot === null) throw new Error('there is no snapshot')
  const viewer = newEmulator({ ...SIZE, scrollback: 100 }, { markNonce: MARK_NONCE })
  restore(viewer, snapshot.screenPart)
  for (const part of snapshot.historyParts) prependHistory(viewer, part)
  expect(hashState(viewer)).toBe(snapshot.hash)
  return { viewer, offset: snapshot.offset, sizeChanges: snapshot.sizeChanges }
}

describe('a snapshot', () => {
  it.each(loadStreams())('of $name at random offsets goes on like a terminal that never left', async (stream) => {
    const { screen, output } = newScreen(newThread(), {
      size: { cols: stream.cols, rows: stream.rows },
      checkpointBytes: 2000,
    })
    const shape = { cols: stream.cols, rows: stream.rows, scrollback: 100 }
    const reference = newEmulator(shape, { markNonce: MARK_NONCE })
    feedRange(reference, stream, { from: 0, to: stream.bytes.length })
    const step = Math.ceil(stream.bytes.length / 17)
    const resizes = [...stream.resizes]
    for (let from = 0; from < stream.bytes.length; from += step) {
      const to = Math.min(stream.bytes.length, from + step)
      for (let at = from; at < to;) {
        const next = resizes[0] !== undefined && resizes[0].offset < to ? resizes.shift() : undefined
        const end = next?.offset ?? to
        output.append(stream.bytes.subarray(at, end))
        screen.notify()
        if (next !== undefined) screen.resizeAt(end, next)
        at = end
      }
      const { viewer, offset, sizeChanges } = await viewerOf(screen)
      // The rest, with the resizes that the state has not had.
      let at = offset
      for (const resize of stream.resizes.slice(sizeChanges)) {
        feed(viewer, stream.bytes.subarray(at, resize.offset))
        viewer.resize(resize.cols, resize.rows)
        at = resize.offset
      }
      feed(viewer, stream.bytes.subarray(at))
      expect(hashState(viewer), `from ${String(offset)}`).toBe(hashState(reference))
    }
    expect(screen.health).toBe('exact')
  })

  it('of a stream cut inside a sequence is the state before it', async () => {
    const { screen, output } = newScreen(newThread())
    output.append('plain \u001b[38;5')
    const { viewer, offset } = await viewerOf(screen)
    expect(offset).toBe(6)
    output.append(';196mred')
    feed(viewer, output.read(offset, 100) as Uint8Array)
    expect((await screen.hash())?.hash).toBe(hashState(viewer))
  })

  it('has a resize exactly where it was, also inside a sequence that does something before its end', async () => {
    const { screen, output } = newScreen(newThread())
    const reference = newEmulator({ ...SIZE, scrollback: 100 })
    // The line feed inside the sequence scrolls the margins that the resize takes away.
    const before = 'one\r\ntwo\r\nthree\u001b[1;3r\u001b[3;1H\u001b[\n'
    output.append(before)
    screen.resizeAt(output.end, { cols: 40, rows: 10 })
    output.append('1mend')
    feed(reference, before)
    reference.resize(40, 10)
    feed(reference, '1mend')
    expect((await screen.hash())?.hash).toBe(hashState(reference))
  })

  it('stays possible while a sequence goes on for a megabyte and the size changes in it', async () => {
    const { screen, output } = newScreen(newThread())
    output.append(`before\u001b]1337;${'x'.repeat(1_000_000)}`)
    const resizedAt = output.end
    screen.resizeAt(resizedAt, { cols: 40, rows: 10 })
    output.append('yyy')
    const { viewer, offset, sizeChanges } = await viewerOf(screen)
    expect([offset, sizeChanges]).toEqual([6, 0])
    output.append('\u0007after')
    for (let at = offset; at < output.end;) {
      if (at === resizedAt) viewer.resize(40, 10)
      const bytes = output.read(at, at < resizedAt ? resizedAt - at : 7) as Uint8Array
      feed(viewer, bytes)
      at += bytes.length
    }
    expect((await screen.visible()).lines[0]).toBe('beforeafter')
    expect((await screen.hash())?.hash).toBe(hashState(viewer))
  })

  it('is parsed from the last checkpoint, and the emulator is let go when nobody asks', async () => {
    const pins: number[] = []
    const { screen, output } = newScreen(newThread(), { idleMs: 30, onPin: (offset) => pins.push(offset) })
    output.append('line\r\n'.repeat(50_000))
    expect((await screen.visible()).lines[0]).toBe('line')
    await until(() => pins.at(-1) === 300_000, { what: 'a checkpoint at rest' })
    const reads = output.reads
    output.append('end')
    expect(await screen.text({ scrollbackLines: 2 })).toBe(`${'line\n'.repeat(25)}end`)
    // Only what came after the checkpoint was read again.
    expect(output.reads - reads).toBeLessThan(3)
    expect(screen.pinnedFrom).toBe(300_000)
  })
})

describe('a screen whose viewers hold its program up', () => {
  it('is not parsed at rest until they read again', async () => {
    const thread = newThread()
    const post = vi.spyOn(thread, 'post')
    const pins: number[] = []
    const { screen: held, output } = newScreen(thread, { idleMs: 20, onPin: (offset) => pins.push(offset) })
    held.hold(true)
    output.append('line\r\n'.repeat(50_000))
    held.notify()
    const other = newScreen(newThread(), { idleMs: 40, onPin: (offset) => pins.push(-offset) })
    other.output.append('line\r\n'.repeat(50_000))
    other.screen.notify()
    await until(() => pins.includes(-300_000), { what: 'a screen that comes to rest later' })
    expect(post).not.toHaveBeenCalled()
    held.hold(false)
    await until(() => pins.at(-1) === 300_000, { what: 'a checkpoint of the screen that was held' })
  })
})

describe('the start of a viewer', () => {
  const startOf = async (screen: Screen) => {
    const start = await screen.snapshotStart()
    if (start === null) throw new Error('there is no start')
    return start
  }

  it('tells the screen before the scrollback, and both are one state', async () => {
    const { screen, output } = newScreen(newThread(), { scrollbackLines: 10_000 })
    output.append('\u001b[31mline\u001b[0m of text\r\n'.repeat(20_000))
    const { screenPart, rest, offset } = await startOf(screen)
    expect(rest).toBeInstanceOf(Promise)
    output.append('what follows changes nothing of it')
    const { historyParts, hash } = await rest
    const viewer = newEmulator({ ...SIZE, scrollback: 10_000 })
    restore(viewer, screenPart)
    for (const part of historyParts) prependHistory(viewer, part)
    expect(hashState(viewer)).toBe(hash)
    expect(offset).toBe(output.end - 34)
  })

  it('asks nobody while the checkpoint is the newest state, or the viewer parses what followed as fast', async () => {
    const thread = newThread()
    const post = vi.spyOn(thread, 'post')
    const { screen, output } = newScreen(thread, { idleMs: 30 })
    output.append('line\r\n'.repeat(50_000))
    const taken = await screen.snapshot()
    await until(() => post.mock.calls.some(([{ type }]) => type === 'drop'), { what: 'the emulator to be let go' })
    post.mockClear()
    screen.resizeAt(output.end, SIZE)
    for (const behind of ['', 'a little more']) {
      output.append(behind)
      const start = await startOf(screen)
      expect(start).toMatchObject({ offset: 300_000, sizeChanges: 0, rest: { hash: taken?.hash } })
    }
    expect(post).not.toHaveBeenCalled()
    screen.resizeAt(output.end, { cols: 40, rows: 10 })
    expect(await startOf(screen)).toMatchObject({ offset: output.end, sizeChanges: 2 })
    expect(post).toHaveBeenCalled()
  })

  it('rejects what is above a screen when nobody can tell it any more', async () => {
    const { screen, output } = newScreen(newThread(), { scrollbackLines: 10_000 })
    output.append('line\r\n'.repeat(50_000))
    const { rest } = await startOf(screen)
    screen.dispose()
    await expect(rest).rejects.toThrow(/closed/)
  })
})

describe('the text of a screen', () => {
  it('has wrapped lines whole, wide and joined characters, and the cursor', async () => {
    const { screen, output } = newScreen(newThread())
    output.append(`${'w'.repeat(100)}\r\n汉字|e\u0301|👨‍👩‍👧|\r\n\u001b]0;name\u0007\u001b[?25l$ `)
    expect(await screen.text({ scrollbackLines: 0 })).toBe(`${'w'.repeat(100)}\n汉字|e\u0301|👨‍👩‍👧|\n$ `)
    const visible = await screen.visible()
    expect(visible).toMatchObject({
      cursor: { x: 2, y: 3, isHidden: true },
      title: 'name',
      isAlternate: false,
      size: SIZE,
    })
    output.append('\u001b[?1049h\u001b[Htop')
    expect(await screen.visible()).toMatchObject({ isAlternate: true, cursor: { x: 3, y: 0 } })
    output.append('\u001b[?1049l')
    expect((await screen.visible()).lines[2]).toBe('汉字|e\u0301|👨‍👩‍👧|')
  })

  it('has the rows above it, and none above a full-screen program', async () => {
    const { screen, output } = newScreen(newThread())
    output.append(Array.from({ length: 500 }, (_, at) => `line ${at}\r\n`).join(''))
    const { above, lines } = await screen.visible()
    expect([above.at(-1), lines[0]]).toEqual([`line ${499 - SIZE.rows + 1}`, `line ${499 - SIZE.rows + 2}`])
    expect(above).toHaveLength(100)
    output.append('\u001b[?1049h\u001b[Htop')
    expect((await screen.visible()).above).toEqual([])
  })

  it('survives resizes that break an emulator without scrollback', async () => {
    const { screen, output } = newScreen(newThread(), { size: { cols: 60, rows: 3 }, scrollbackLines: 0 })
    const say = (text: string, size?: [number, number]): void => {
      output.append(text)
      screen.notify()
      if (size !== undefined) screen.resizeAt(output.end, { cols: size[0], rows: size[1] })
    }
    say('A'.repeat(300))
    say('\u001b[3;9r\r\n', [70, 40])
    say('\r\n', [33, 5])
    say('', [118, 8])
    say('A'.repeat(300), [21, 11])
    say('\nend')
    expect((await screen.text({ scrollbackLines: 10 })).replaceAll('\n', '').trimEnd()).toMatch(/end$/)
    expect(screen.health).toBe('exact')
  })
})

describe('answers', () => {
  const collect = (screen: Screen): (() => string) => {
    let all = ''
    screen.onReply((bytes) => {
      all += new TextDecoder().decode(bytes)
    })
    return () => all
  }

  it('come once for each question while the screen answers, and only then', async () => {
    const { screen, output } = newScreen(newThread(), { idleMs: 20 })
    const replies = collect(screen)
    const say = (text: string): void => {
      output.append(text)
      screen.notify()
    }
    say('\u001b[c')
    screen.answerQueries(true)
    say('ab\u001b[')
    say('6n')
    await until(() => replies() === '\u001b[1;3R', { what: 'the cursor position' })
    say('\u001b[>c')
    screen.answerQueries(false)
    say('\u001b[c\u001b[5n')
    await until(() => replies().endsWith('\u001b[>0;276;0c'), { what: 'the question before the change' })
    await screen.visible()
    expect(replies()).toBe('\u001b[1;3R\u001b[>0;276;0c')
  })

  it('tell modes, margins and colours, changed or not, and echo nothing a program chose', async () => {
    const { screen, output } = newScreen(newThread())
    const replies = collect(screen)
    screen.answerQueries(true)
    output.append(
      '\u001b[?25$p\u001bP$qr\u001b\\\u001b]11;?\u0007\u001b]4;1;#112233\u0007\u001b]4;1;?\u0007\u001bP$qevil\u001b\\\u001b[21t',
    )
    screen.notify()
    await until(() => replies().includes('P0$r'), { what: 'the last answer' })
    expect(replies()).toBe(
      '\u001b[?25;1$y\u001bP1$r1;24r\u001b\\\u001b]11;rgb:0000/0000/0000\u001b\\\u001b]4;1;rgb:1111/2222/3333\u001b\\\u001bP0$r\u001b\\',
    )
  })

  it('are not given again when the same bytes are parsed again', async () => {
    const thread = newThread({ stuckMs: 200, workerUrl: STALLING_WORKER })
    const { screen, output } = newScreen(thread)
    const replies = collect(screen)
    screen.answerQueries(true)
    output.append('\u001b[c')
    screen.notify()
    await until(() => replies() === '\u001b[?1;2c', { what: 'the answer' })
    output.append('POISON')
    expect((await screen.visible()).lines[0]).toBe('')
    expect(screen.health).toBe('rebuilt')
    expect(replies()).toBe('\u001b[?1;2c')
  })
})

describe('hostile output', () => {
  it('of twelve bytes does not keep other sessions waiting, nor the host', async () => {
    const thread = newThread()
    const hostile = newScreen(thread)
    const other = newScreen(thread)
    await other.screen.visible()
    for (const final of 'STLMIZb@PX') hostile.output.append(`\u001b[99999999${final}`.repeat(20))
    const asked = hostile.screen.visible()
    for (let at = 0; at < 20; at++) {
      other.output.append(`${String(at)}\r\n`)
      expect((await other.screen.visible()).lines[at % 24]).toBeDefined()
    }
    await asked
    // Carried out to the letter it would stall the thread, which is then replaced, and the screens rebuilt.
    expect([hostile.screen.health, other.screen.health]).toEqual(['exact', 'exact'])
  })

  it('that stalls the thread is left out, and every other session recovers by itself', async () => {
    const thread = newThread({ stuckMs: 200, workerUrl: STALLING_WORKER })
    const poisoned = newScreen(thread)
    const other = newScreen(thread)
    other.output.append('other\r\n')
    await other.screen.visible()
    poisoned.output.append('before\r\n')
    await poisoned.screen.visible()
    poisoned.output.append(`POISON${'p'.repeat(100)}\r\nafter`)
    const started = performance.now()
    const asked = poisoned.screen.visible()
    other.output.append('still here')
    expect((await other.screen.visible()).lines.slice(0, 2)).toEqual(['other', 'still here'])
    expect(performance.now() - started).toBeLessThan(3000)
    expect((await asked).lines.slice(0, 2)).toEqual(['before', ''])
    expect([poisoned.screen.health, other.screen.health]).toEqual(['rebuilt', 'exact'])
    poisoned.output.append(' and on')
    expect((await poisoned.screen.visible()).lines.join('')).toContain('and on')
  })

  it('that stalls the thread again and again costs no other session what its screen shows', async () => {
    const thread = newThread({ stuckMs: 200, workerUrl: STALLING_WORKER })
    const other = newScreen(thread)
    other.output.append('kept\r\n')
    // At rest: its state is kept, and nothing of it is under way.
    const { hash } = (await other.screen.snapshot()) ?? {}
    for (let round = 0; round < 4; round += 1) {
      const poisoned = newScreen(thread)
      poisoned.output.append('POISON')
      await poisoned.screen.visible()
      expect(poisoned.screen.health).toBe('rebuilt')
    }
    expect(other.screen.health).toBe('exact')
    expect((await other.screen.snapshot())?.hash).toBe(hash)
    expect((await other.screen.visible()).lines[0]).toBe('kept')
  })

  it('that makes an emulator throw costs that session its emulator and nobody else', async () => {
    const thread = newThread({ workerUrl: STALLING_WORKER })
    const broken = newScreen(thread)
    const other = newScreen(thread)
    broken.output.append('before\r\n')
    await broken.screen.visible()
    broken.output.append('THROW\r\nafter')
    expect((await broken.screen.visible()).lines[0]).toBe('before')
    expect(broken.screen.health).toBe('rebuilt')
    expect((await other.screen.visible()).lines[0]).toBe('')
  })

  it('says so when there is no thread to parse in', async () => {
    const { screen } = newScreen(newThread({ workerUrl: new URL('./nowhere.ts', import.meta.url) }))
    await expect(screen.visible()).rejects.toThrow('cannot be told')
    expect(screen.health).toBe('unavailable')
  })

  it('that was not held any more takes the ordinals of commands along, but not their outcomes', async () => {
    const { screen, output } = newScreen(newThread())
    const before = command('one', '') + command('two', '')
    output.append(before)
    const { commands } = marksOf((await viewerOf(screen)).viewer).state()
    expect(commands.map(({ id, outcome }) => [id, outcome])).toEqual([
      [1, 0],
      [2, 0],
    ])
    output.append('gone\r\n'.repeat(1000))
    output.start = output.end
    output.append(command('three', '', 3))
    const late = marksOf((await viewerOf(screen)).viewer).state()
    expect(late.count).toBeNull()
    expect(late.commands.map(({ id, outcome }) => [id, outcome])).toEqual([
      [1, 0],
      [2, 0],
      [0, 3],
    ])
  })

  it('that was not held any more leaves a gap, and says so', async () => {
    const { screen, output } = newScreen(newThread())
    output.append('gone\r\n'.repeat(1000))
    output.start = 3000
    expect((await screen.visible()).lines[0]).toBe('gone')
    expect(screen.health).toBe('gap')
  })
})

it('keeps no timer, no thread and no listener after disposal', async () => {
  const thread = newThread()
  const { screen, output } = newScreen(thread)
  output.append('text')
  const asked = screen.visible()
  screen.dispose()
  await expect(asked).rejects.toThrow('closed')
  await expect(screen.text({ scrollbackLines: 0 })).rejects.toThrow('closed')
  thread.dispose()
})
