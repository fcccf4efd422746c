/** Every byte that a program prints arrives, in order, before its exit; and exits are told as they were. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { PtyHandle } from '../../host-src/backends/backend.ts'
import { runCommand, type RunningCommand } from '../support/local-pty.ts'
import { isAlive } from '../support/proc.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/wait.ts'

const running: PtyHandle[] = []
const run = async (command: string): Promise<RunningCommand> => {
  const started = await runCommand(command)
  running.push(started.handle)
  return started
}
afterEach(async () => {
  await Promise.all(running.splice(0).map((handle) => handle.terminate(100)))
})

describe('the output of a command', () => {
  it('is complete for a hundred programs that print 20 KiB and end at once (PT-01)', async () => {
    for (let round = 0; round < 10; round += 1) {
      const commands = Array.from({ length: 10 }, async (_, n) => {
        const { handle, output } = await run(`/bin/echo -n ${String(n % 10).repeat(20_480)}`)
        expect(await handle.exited).toEqual({ exitCode: 0, signal: null })
        return output()
      })
      for (const [n, output] of (await Promise.all(commands)).entries())
        expect(output.toString()).toBe(String(n % 10).repeat(20_480))
    }
  })

  it('keeps a character together that comes in pieces (PT-05)', async () => {
    const { handle, output } = await run(String.raw`printf '\344\270'; sleep 0.3; printf '\255\n'`)
    await until(() => output().length >= 2, { what: 'the first piece' })
    expect([...output()]).toEqual([0xe4, 0xb8])
    await handle.exited
    expect(output().toString('utf8')).toBe('中\r\n')
  })

  it('is passed on as bytes, also when it is no UTF-8', async () => {
    const { handle, output } = await run(String.raw`printf '\377\376\000\200'`)
    await handle.exited
    expect([...output()]).toEqual([0xff, 0xfe, 0x00, 0x80])
  })
})

describe('a paused program', () => {
  it.each([1000, 4000, 12_000, 60_000])('loses none of its %i bytes when it ends meanwhile', async (bytes) => {
    const folder = await temporaryFolder()
    const text = Array.from({ length: bytes / 4 }, (_, n) => String(n % 1000).padStart(4, '.')).join('')
    await writeFile(join(folder, 'text'), text)
    // It starts to print when it is already paused, and prints as much as the terminal takes.
    const { handle, output } = await run(`read -r _; stty -opost -echo; printf ready; read -r _; cat ${folder}/text`)
    handle.write(Buffer.from('\n'))
    await until(() => output().toString().endsWith('ready'), { what: 'the program to wait' })
    const before = output().length
    handle.pause()
    handle.write(Buffer.from('\n'))
    if (bytes <= 4000) await until(() => handle.pid !== null && !isAlive(handle.pid), { what: 'the program to end' })
    else handle.resume()
    expect(await handle.exited).toEqual({ exitCode: 0, signal: null })
    expect(output().subarray(before).toString()).toBe(text)
  })

  it('loses nothing when it is paused in the middle of its output and ends then', async () => {
    const folder = await temporaryFolder()
    for (let round = 0; round < 8; round += 1) {
      const text = Array.from({ length: 1500 }, (_, n) => String(n).padStart(4, '.')).join('')
      await writeFile(join(folder, 'text'), text)
      const { handle, output } = await run(`stty -opost; cat ${folder}/text`)
      const pause = handle.onData(() => {
        handle.pause()
        pause()
      })
      await handle.exited
      expect(output().toString()).toBe(text)
    }
  })
})

describe('the exit of a program', () => {
  it.each([
    ['exit 0', { exitCode: 0, signal: null }],
    ['exit 7', { exitCode: 7, signal: null }],
    ['kill -TERM $$', { exitCode: null, signal: 'SIGTERM' }],
    ['kill -KILL $$', { exitCode: null, signal: 'SIGKILL' }],
    ['kill -SEGV $$', { exitCode: null, signal: 'SIGSEGV' }],
    ['no-such-command-at-all', { exitCode: 127, signal: null }],
  ])('%s is told as it was', async (command, status) => {
    const { handle } = await run(command)
    expect(await handle.exited).toEqual(status)
  })

  it('refuses input afterwards and ignores every other call', async () => {
    const { handle } = await run('true')
    await handle.exited
    expect(() => handle.write(Buffer.from('x'))).toThrow(expect.objectContaining({ code: 'SESSION_EXITED' }))
    for (let n = 0; n < 20; n += 1) handle.resize({ cols: 80 + n, rows: 24 })
    handle.pause()
    handle.resume()
    expect(await handle.terminate(10)).toEqual({ verified: true, killed: [], survivors: [] })
  })
})
