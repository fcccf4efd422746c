/** How much the fault tests do: a little within `npm test`, all of it within `npm run test:soak`. */
const isFull = process.env['TEST_FAULTS'] === 'full'

/** The number that counts in this run. */
export const sizeOf = (sizes: { bounded: number; full: number }): number => (isFull ? sizes.full : sizes.bounded)

/** How long one test may take: enough for a busy machine, and never a claim about speed. */
export const LIMIT_MS = isFull ? 60 * 60_000 : 120_000

/** For waiting on what must come, on a machine that does other things. */
export const PATIENCE_MS = 60_000
