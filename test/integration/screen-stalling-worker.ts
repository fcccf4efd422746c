/** The thread of screens with two words that do what no stream should: POISON never ends, THROW is an emulator's error. */
import { parentPort, workerData } from 'node:worker_threads'
import { ProgressBoard, type ToThread } from '../../host-src/terminal/screen-messages.ts'
import { ScreenEmulator } from '../../host-src/terminal/screen-emulator.ts'

const board = new ProgressBoard((workerData as { memory: SharedArrayBuffer }).memory)
// oxlint-disable-next-line unbound-method -- called with the emulator it belongs to
const { write } = ScreenEmulator.prototype
ScreenEmulator.prototype.write = function (this: ScreenEmulator, bytes, answers) {
  if (Buffer.from(bytes).includes('THROW')) throw new TypeError('Cannot set properties of undefined')
  write.call(this, bytes, answers)
}

parentPort?.on('message', (message: ToThread) => {
  if (message.type !== 'write' || !Buffer.from(message.bytes).includes('POISON')) return
  board.begin(message.id, message.offset)
  for (;;) board.read()
})

await import('../../host-src/terminal/screen-worker.ts')
