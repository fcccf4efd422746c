/** The emulator's script without a host: answered at once, or held until a test says what becomes of it. */
import { Emulator } from '../../../../client-src/services/emulator.ts'

export interface FakeEmulator {
  readonly emulator: Emulator
  /** Addresses that were asked for, oldest first. */
  readonly urls: string[]
  readonly answer: (module?: unknown) => void
  readonly fail: () => void
  /** The page has nothing better to do. */
  readonly idle: () => void
}

export const MODULE = { createView: () => {}, pageTheme: () => ({}) }

/** @param isHeld nothing is answered by itself, and being idle has to be said */
export const fakeEmulator = (isHeld = false): FakeEmulator => {
  let last: { resolve: (module: unknown) => void; reject: (error: Error) => void } | undefined
  const idle = new Set<() => void>()
  const urls: string[] = []
  const emulator = new Emulator({
    importModule: (url) => {
      urls.push(url)
      if (!isHeld) return Promise.resolve(MODULE)
      return new Promise((resolve, reject) => {
        last = { resolve, reject }
      })
    },
    revision: 'abc',
    whenIdle: (run) => {
      if (isHeld) idle.add(run)
      else run()
      return () => idle.delete(run)
    },
  })
  return {
    emulator,
    urls,
    answer: (module = MODULE) => {
      last?.resolve(module)
    },
    fail: () => {
      last?.reject(new TypeError('Failed to fetch dynamically imported module'))
    },
    idle: () => {
      for (const run of idle) run()
    },
  }
}
