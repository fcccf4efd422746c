/** Reading ahead of the stream changes how much comes at once, and nothing else: not the order, not what pause means. */
import { afterEach, describe, expect, it } from 'vitest'
import type { PtyHandle } from '../../host-src/backends/backend.ts'
import { localBackend, runCommand } from '../support/local-pty.ts'
import { randomForTest } from '../support/random.ts'
import { staysTrue, until } from '../support/wait.ts'

const LINES = 200_000
/** Numbered lines as the terminal gives them out. */
const NUMBERS = Array.from({ length: LINES }, (_, n) => `${String(n + 1)}\r\n`).join('')

const running: PtyHandle[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((handle) => handle.terminate(100)))
})

describe('a program that ends while nobody reads', () => {
  it.each([false, true])('loses nothing of what the kernel holds for it (somebody types: %s)', async (isTyping) => {
    const backend = localBackend()
    const { handle, output } = await runCommand('stty raw -echo; printf ready; read -r _; seq -w 2000', backend)
    const elsewhere = await runCommand('stty raw -echo; exec cat', backend)
    running.push(handle, elsewhere.handle)
    const typist = setInterval(() => {
      if (isTyping) elsewhere.handle.write(Buffer.from('x'))
    }, 5)
    await until(() => output().toString().endsWith('ready'), { what: 'the program to wait' })
    handle.pause()
    handle.write(Buffer.from('\n'))
    await handle.exited
    clearInterval(typist)
    const numbers = Array.from({ length: 2000 }, (_, n) => `${String(n + 1).padStart(4, '0')}\n`).join('')
    expect(output().toString()).toBe(`ready${numbers}`)
  })
})

describe('a flood', () => {
  it('comes whole and in order, however often it is paused and at whatever chunk', async () => {
    const random = randomForTest()
    for (let round = 0; round < 3; round += 1) {
      const { handle, output } = await runCommand(`seq ${String(LINES)}`)
      running.push(handle)
      handle.onData(() => {
        if (!random.boolean(0.5)) return
        handle.pause()
        setTimeout(
          () => {
            handle.resume()
          },
          random.integer(0, 3),
        )
      })
      await handle.exited
      expect(output().toString() === NUMBERS).toBe(true)
    }
  })

  it('comes in large pieces, so that a megabyte takes few turns', async () => {
    const { handle } = await runCommand(`seq ${String(LINES)}`)
    running.push(handle)
    const sizes: number[] = []
    handle.onData((chunk) => sizes.push(chunk.length))
    await handle.exited
    expect(Math.max(...sizes)).toBeGreaterThan(16 * 1024)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(64 * 1024)
  })

  it('stands still while it is paused, and goes on from there', async () => {
    const { handle, output } = await runCommand(`seq ${String(LINES)}; exec sleep 100`)
    running.push(handle)
    let announced = 0
    handle.onData((chunk) => {
      announced += chunk.length
    })
    await until(() => announced > 100_000, { what: 'the flood' })
    handle.pause()
    const before = announced
    await staysTrue(() => announced === before, { what: 'nothing comes while it is paused', forMs: 300 })
    handle.resume()
    await until(() => announced >= NUMBERS.length, { what: 'the rest' })
    expect(output().toString() === NUMBERS).toBe(true)
  })

  it('does not keep the echo of another session waiting for long', async () => {
    const flood = await runCommand('exec cat /dev/zero')
    const shell = await runCommand('stty raw -echo; printf ready; exec cat')
    running.push(flood.handle, shell.handle)
    await until(() => shell.output().toString().endsWith('ready'), { what: 'the echoing program' })
    for (const key of 'abcdefgh') {
      shell.handle.write(Buffer.from(key))
      await until(() => shell.output().toString().endsWith(key), { what: `the echo of ${key}`, pollMs: 1 })
    }
  })
})
