/** What the kernel tells of programs that wait for input, with real programs on real terminals. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../support/local-pty.ts'
import { until } from '../support/wait.ts'

const state = async (command: string, wanted: object): Promise<void> => {
  const { handle } = await runCommand(command)
  onTestFinished(async () => {
    await handle.terminate(200)
  })
  let last: unknown
  await until(
    async () => {
      last = await handle.inputState()
      expect(last).toMatchObject(wanted)
      return true
    },
    { what: `${JSON.stringify(wanted)} of ${command}` },
  )
}

describe.skipIf(process.platform !== 'linux')('on Linux', () => {
  it.each([
    ['cat', { isWaiting: true, isSecret: false, isLineMode: true }],
    [`read -rsp 'Password: ' x`, { isWaiting: true, isSecret: true, isLineMode: true }],
    ['bash --norc -i', { isWaiting: true, isSecret: false, isLineMode: false }],
    ['less /etc/passwd', { isWaiting: true, isLineMode: false }],
    ['vim -u NONE', { isWaiting: true, isLineMode: false }],
    [`node -e 'process.stdin.on("data", () => {})'`, { isWaiting: true }],
    ['sleep 60', { isWaiting: false }],
    ['while :; do :; done', { isWaiting: false }],
    ['cat | sleep 60', { isWaiting: true }],
    ['sleep 60; cat', { isWaiting: false }],
    ['cat /dev/zero > /dev/null', { isWaiting: false }],
  ])('%s', state)

  it('leaves out what nobody can know: a server that also listens to keys', async () => {
    const program =
      'process.stdin.on("data", () => {}); require("http").createServer().listen(0, () => console.log("up"))'
    const { handle, output } = await runCommand(`node -e '${program}'`)
    onTestFinished(async () => {
      await handle.terminate(200)
    })
    await until(() => output().includes('up'), { what: 'the server' })
    await until(async () => !('isWaiting' in (await handle.inputState())), { what: 'the server to be at rest' })
  })

  it('tells nothing of a program that is gone', async () => {
    const { handle } = await runCommand('true')
    await handle.exited
    expect(await handle.inputState()).toEqual({})
  })
})
