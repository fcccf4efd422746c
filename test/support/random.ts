/** Seeded randomness for property tests: the same seed gives the same run, and a failing run prints its seed. */
import { onTestFailed } from 'vitest'

const MODULUS = 2 ** 32

/** A deterministic source. Every method draws from the same sequence. */
export interface Random {
  readonly seed: number
  /** 0 <= x < 1. */
  next(): number
  /** Whole number, both ends included. */
  integer(min: number, max: number): number
  boolean(chance?: number): boolean
  pick<T>(items: readonly T[]): T
  bytes(length: number): Uint8Array
  shuffle<T>(items: readonly T[]): T[]
}

/**
 * A source for the running test. The seed comes from the variable TEST_SEED, else from the clock, and is printed when
 * the test fails, so that `TEST_SEED=<it> npx vitest run <file>` repeats the run.
 */
export const randomForTest = (): Random => {
  const given = process.env['TEST_SEED']
  const random = randomFromSeed(given === undefined ? Date.now() % MODULUS : Number(given))
  onTestFailed(() => {
    process.stderr.write(`repeat this run with TEST_SEED=${random.seed}\n`)
  })
  return random
}

/** A source that needs no test around it. */
export const randomFromSeed = (seed: number): Random => {
  const next = mulberry32(seed)
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  const pick = <T>(items: readonly T[]): T => {
    if (items.length === 0) throw new RangeError('Cannot pick from nothing')
    return items[integer(0, items.length - 1)] as T
  }
  return {
    seed,
    next,
    integer,
    pick,
    boolean: (chance = 0.5) => next() < chance,
    bytes: (length) => Uint8Array.from({ length }, () => integer(0, 255)),
    shuffle: (items) => {
      const result = [...items]
      for (let at = result.length - 1; at > 0; at--) {
        const other = integer(0, at)
        const held = result[at] as (typeof result)[number]
        result[at] = result[other] as (typeof result)[number]
        result[other] = held
      }
      return result
    },
  }
}

/** A 32-bit generator with a full period; good enough to vary tests, of no use for secrets. */
const mulberry32 = (seed: number): (() => number) => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / MODULUS
  }
}
