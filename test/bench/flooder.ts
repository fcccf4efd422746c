/** A viewer in a process of its own, taking a flood at full speed: the neighbour of whoever is measured. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Flooder {
  stop(): Promise<void>
}

/** @param target the server on which it opens a session, or null to have no flood at all */
export const startFlooder = async (target: { name: string; port: number } | null): Promise<Flooder> => {
  if (target === null) return { stop: () => Promise.resolve() }
  const worker = fileURLToPath(new URL('workers/flood-viewer.ts', import.meta.url))
  const child = fork(worker, [target.name, String(target.port)], { execArgv: [] })
  await once(child, 'message') // the flood has begun
  return {
    stop: async () => {
      const ended = once(child, 'exit')
      child.send('stop')
      await ended
    },
  }
}
