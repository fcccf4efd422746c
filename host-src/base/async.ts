/** Waiting that is bounded, abortable and never left rejected. */
import { messageOf } from './errors.ts'
import type { Logger } from './logger.ts'

/** Resolve after `ms`; the timer does not keep the process alive. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}

/**
 * Wait for `promise`, but not longer than `ms`.
 * @returns what it gave, or `{ timedOut: true }`; a time-out ends the wait, not the work
 */
export async function withDeadline<T>(
  promise: Promise<T>,
  ms: number,
): Promise<{ timedOut: false; value: T } | { timedOut: true }> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      promise.then((value) => ({ timedOut: false as const, value })),
      new Promise<{ timedOut: true }>((resolve) => {
        timer = setTimeout(() => {
          resolve({ timedOut: true })
        }, ms)
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}

/** Start work that nobody waits for: a failure is one log line, never an unhandled rejection (which would end the host). */
export function detached(logger: Logger, what: string, work: () => Promise<unknown>): void {
  void (async () => {
    try {
      await work()
    } catch (error) {
      logger.error('detached-work.failed', { what, message: messageOf(error) })
    }
  })()
}

/** @returns a function that runs what it is given, but at most `limit` at a time; the others wait in order */
export function atMost(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= limit) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
    } else running += 1
    try {
      return await work()
    } finally {
      // The place goes to the next in line without ever being free.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

/**
 * Wait for `promise` until `signal` aborts. The work itself goes on unheard; its failure then is nobody's.
 * @throws what `aborted` makes, when the signal aborts first
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal, aborted: () => Error): Promise<T> {
  let stop = (): void => {}
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        stop = () => {
          reject(aborted())
        }
        if (signal.aborted) stop()
        else signal.addEventListener('abort', stop, { once: true })
      }),
    ])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
