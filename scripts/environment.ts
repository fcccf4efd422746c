/** The environment that spawned programs see: the user's own, without what npm and test runners added to it. */
import { delimiter } from 'node:path'

const ADDED_BY_RUNNERS = /^(npm_|INIT_CWD$|NODE_OPTIONS$|NODE_ENV$|VITEST|FORCE_COLOR$|NO_COLOR$|COLOR$)/i

const isRunnerPath = (entry: string): boolean => /[\\/]node_modules[\\/]\.bin$|node-gyp-bin$/.test(entry)

/**
 * `source` without the variables and PATH entries that npm, npx and vitest put there.
 * A shell started by the host then looks like one that the user opened by hand.
 */
export const userEnvironment = (source: NodeJS.ProcessEnv = process.env): Record<string, string> => {
  const result: Record<string, string> = {}
  for (const [key, value] of Object.entries(source)) {
    if (value !== undefined && !ADDED_BY_RUNNERS.test(key)) result[key] = value
  }
  const path = result['PATH']
  if (path !== undefined) {
    result['PATH'] = path
      .split(delimiter)
      .filter((entry) => !isRunnerPath(entry))
      .join(delimiter)
  }
  return result
}
