/** The arithmetic of the tables. */

/** @throws RangeError when there are no values: a median of nothing would look like a measurement */
export const percentile = (values: readonly number[], share: number): number => {
  if (values.length === 0) throw new RangeError('no values')
  const sorted = [...values].sort((a, b) => a - b)
  // Between two values in proportion, so that the median of an even number is the middle of the two in the middle.
  const at = (sorted.length - 1) * share
  const low = sorted[Math.floor(at)] as number
  const high = sorted[Math.ceil(at)] as number
  return low + (high - low) * (at - Math.floor(at))
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** Smallest to largest, as the tables show it. */
export const span = (values: readonly number[]): string => `${show(Math.min(...values))}–${show(Math.max(...values))}`

/** Median of the ratios of each run: what changes from run to run on a shared machine cancels out. */
export const medianRatio = (values: readonly number[], bases: readonly number[]): number => {
  if (values.length !== bases.length) throw new RangeError('a ratio needs both values of every run')
  return median(values.map((value, run) => value / (bases[run] as number)))
}

/** Three significant digits, never an exponent. */
export const show = (value: number): string => {
  if (!Number.isFinite(value)) return '–'
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
  return value.toFixed(Math.min(digits, 3))
}
