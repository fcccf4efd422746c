/** What this process holds: counted after garbage was collected, so that what is left is really held. */
import { readdirSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

/** @returns bytes on the heap and beside it, without garbage */
export const collectGarbage = (): number => {
  gc()
  gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

export interface Resources {
  /** Timers, sockets, pipes and whatever else keeps an event loop busy, by kind. */
  readonly active: Readonly<Record<string, number>>
  readonly descriptors: number
  readonly threads: number
}

export const resourcesNow = (): Resources => {
  const active: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) active[kind] = (active[kind] ?? 0) + 1
  return {
    active,
    descriptors: readdirSync('/proc/self/fd').length,
    threads: readdirSync('/proc/self/task').length,
  }
}
