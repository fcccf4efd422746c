/** Waiting for facts. The only place in the tests that lets time pass. */
import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'

const DEFAULT_LIMIT_MS = 10_000
const POLL_MS = 20

/** What is waited for, and for how long. */
export interface UntilOptions {
  /** The fact in words; becomes the failure's message. */
  what: string
  timeoutMs?: number
  /** Pause between two looks. */
  pollMs?: number
}

/**
 * Polls `fact` until it gives something other than `false`, `null` or `undefined`, and returns that.
 * A fact that throws counts as not true yet; the last error is the cause of the failure when time runs out.
 */
export const until = async <T>(
  fact: () => T | Promise<T>,
  { what, timeoutMs = DEFAULT_LIMIT_MS, pollMs = POLL_MS }: UntilOptions,
): Promise<Exclude<T, false | null | undefined>> => {
  const deadline = performance.now() + timeoutMs
  let last: unknown
  let cause: unknown
  for (;;) {
    try {
      last = await fact()
      cause = undefined
      if (last !== false && last !== null && last !== undefined) return last as Exclude<T, false | null | undefined>
    } catch (error) {
      cause = error
    }
    if (performance.now() > deadline) {
      const seen = cause === undefined ? `last seen: ${inspect(last)}` : `last error: ${inspect(cause)}`
      throw new Error(`Waited ${timeoutMs} ms in vain for ${what} (${seen})`, { cause })
    }
    await delay(pollMs)
  }
}

/**
 * Watches that `fact` stays true for `forMs`; rejects at once when it does not. For "nothing happens" claims only,
 * which have no event to wait for.
 */
export const staysTrue = async (
  fact: () => boolean | Promise<boolean>,
  { what, forMs }: { what: string; forMs: number },
): Promise<void> => {
  const end = performance.now() + forMs
  while (performance.now() < end) {
    if (!(await fact())) throw new Error(`Expected to stay true, but it did not: ${what}`)
    await delay(POLL_MS)
  }
}
