/** Entry of the thread that parses for all sessions. A stream can stall it; then it is ended and begun anew. */
import { parentPort, workerData } from 'node:worker_threads'
import { ScreenEmulator } from './screen-emulator.ts'
import { ProgressBoard, type Answers, type FromThread, type Question, type ToThread } from './screen-messages.ts'

const port = parentPort
if (port === null) throw new Error('this file runs as a worker thread')
const { memory } = workerData as { memory: SharedArrayBuffer }
const board = new ProgressBoard(memory)
const emulators = new Map<number, ScreenEmulator>()

const post = (message: FromThread, transfer: ArrayBuffer[] = []): void => {
  port.postMessage(message, transfer)
}

function answer(
  emulator: ScreenEmulator,
  { id, request, question }: { id: number; request: number; question: Question },
): Answers[Question['kind']] {
  switch (question.kind) {
    case 'state':
      if (!question.screenFirst) return emulator.state()
      return emulator.state((screen) => {
        post({ type: 'screen', id, request, screen })
      })
    case 'text':
      return emulator.text(question.scrollbackLines)
    case 'visible':
      return emulator.visible()
  }
}

function open(message: Extract<ToThread, { type: 'open' }>): void {
  const { id, scrollbackLines, markNonce } = message
  emulators.get(id)?.dispose()
  emulators.set(
    id,
    new ScreenEmulator(message, {
      scrollbackLines,
      markNonce,
      onReply: (bytes) => {
        post({ type: 'reply', id, bytes })
      },
      beginPiece: (offset) => {
        pieceStart = offset
        board.begin(id, offset)
      },
    }),
  )
}

/** Where the piece began that is being parsed. */
let pieceStart = 0

function handle(message: ToThread): void {
  if (message.type === 'open') {
    open(message)
    return
  }
  const emulator = emulators.get(message.id)
  // One that failed is gone; what was sent to it before that was known is of no use.
  if (emulator === undefined) {
    if (message.type === 'write' || message.type === 'ask') post({ type: 'ignored', id: message.id })
    return
  }
  switch (message.type) {
    case 'write':
      emulator.write(message.bytes, message.answers)
      post({ type: 'parsed', id: message.id, offset: message.offset + message.bytes.length })
      return
    case 'resize':
      emulator.resize(message.size, message.sizeChanges)
      return
    case 'skip':
      emulator.skipTo(message.offset)
      return
    case 'ask':
      post({ type: 'answer', id: message.id, request: message.request, answer: answer(emulator, message) })
      return
    case 'drop':
      emulators.delete(message.id)
      emulator.dispose()
  }
}

port.on('message', (message: ToThread) => {
  pieceStart = 'offset' in message ? message.offset : pieceStart
  // Only bytes can be to blame for what takes too long.
  board.begin(message.id, message.type === 'write' ? message.offset : -1)
  try {
    handle(message)
  } catch (error) {
    emulators.delete(message.id)
    const to = message.type === 'write' ? message.offset + message.bytes.length : pieceStart
    // The message of an emulator's error holds no text of the stream.
    post({
      type: 'failed',
      id: message.id,
      from: pieceStart,
      to,
      message: error instanceof Error ? error.message : String(error),
    })
  }
  board.end()
})

post({ type: 'ready' })
