/** Ties a session's stream to the host's own screen of it: sizes and drivers in order, answers while nobody is there. */
import type { MarkNonce } from '../../protocol-src/ids.ts'
import type { Logger } from '../base/logger.ts'
import type { OutputReader } from '../journal/output-store.ts'
import type { ScreenSource } from '../terminal/screen-feed.ts'
import { Screen } from '../terminal/screen.ts'
import type { ScreenThread } from '../terminal/screen-thread.ts'
import type { SessionStream } from './session-stream.ts'
import type { ScreenHooks, ScreenSnapshot, SessionScreen } from './view-planner.ts'

export interface SessionScreenParts {
  readonly stream: SessionStream
  readonly output: OutputReader
  /** Of the marks to be believed; null: none. */
  readonly markNonce: MarkNonce | null
  readonly thread: ScreenThread
  readonly scrollbackLines: number
  /** Unparsed bytes after which parsing begins although output goes on: less than what may wait. */
  readonly backlogBytes: () => number
  readonly logger: Logger
}

export function openSessionScreen(parts: SessionScreenParts, hooks: ScreenHooks): SessionScreen {
  const { stream, output, markNonce, thread, scrollbackLines, backlogBytes, logger } = parts
  const screen = new Screen({
    source: sourceOf(output),
    thread,
    logger,
    size: stream.sizeAfter(0),
    scrollbackLines,
    markNonce,
    backlogBytes,
    onPin: (offset) => {
      output.setPin(offset)
      hooks.parsed()
    },
  })
  output.setPin(0)
  screen.onReply(hooks.say)
  // A session of an earlier run has its changes already.
  for (let number = 0; number < stream.end.change; number += 1) {
    const change = stream.changeAt(number)
    if (change !== undefined) screen.resizeAt(change.offset, change.size)
  }
  screen.answerQueries(stream.driver === null)
  const required = <T>(taken: T | null): T => {
    if (taken === null) throw new Error('the state cannot be taken here')
    return taken
  }
  return {
    snapshot: async (): Promise<ScreenSnapshot> => {
      const { offset, sizeChanges, screenPart, rest } = required(await screen.snapshotStart())
      return { position: { offset, change: sizeChanges }, screenPart, rest }
    },
    hash: async () => {
      const { offset, sizeChanges, hash } = required(await screen.snapshot())
      return { position: { offset, change: sizeChanges }, hash }
    },
    visible: () => screen.visible(),
    noted: () => {
      screen.notify()
    },
    held: (isHeld) => {
      screen.hold(isHeld)
    },
    changed: ({ offset, size, driver }) => {
      screen.resizeAt(offset, size)
      screen.answerQueries(driver === null)
    },
    dispose: () => {
      output.setPin(null)
      screen.dispose()
    },
  }
}

/** The same output in arrays of their own: what is sent to the thread is moved there, and must not take the store's memory. */
function sourceOf(output: OutputReader): ScreenSource {
  return {
    get start() {
      return output.start
    },
    get end() {
      return output.end
    },
    read: (from, maxBytes) => {
      const bytes = output.read(from, maxBytes)
      return bytes === null ? null : new Uint8Array(bytes)
    },
  }
}
