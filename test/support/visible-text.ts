/** What a terminal that starts empty shows after it was fed some bytes. */
import headless from '@xterm/headless'

const SIZE = { cols: 400, rows: 10 }
const terminal = new headless.Terminal({ ...SIZE, scrollback: 100, allowProposedApi: true })

/** Every visible character in reading order, without spaces. */
export const visibleText = async (bytes: Uint8Array): Promise<string> => {
  // A byte of an unfinished character or sequence would stay in the parser over a reset.
  await write(Uint8Array.of(0x18))
  terminal.reset()
  await write(bytes)
  const { active } = terminal.buffer
  const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '')
  return lines.join('').replaceAll(/\s/g, '')
}

const write = (bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    terminal.write(bytes, resolve)
  })
