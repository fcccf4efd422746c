/** The emulator's script without a host: answered at once, or held until a test says what becomes of it. */
import { emulatorScript, type Emulator } from '../../../../client-src/services/emulator.ts'

export interface FakeEmulator {
  readonly emulator: Emulator
  /** Addresses that were asked for, oldest first. */
  readonly urls: string[]
  readonly answer: (script?: unknown) => void
  readonly fail: () => void
  /** The page has nothing better to do. */
  readonly idle: () => void
}

export const MODULE = { createView: () => {}, pageTheme: () => ({}) }
/** As it comes from the host: its body runs when it is told to. */
export const SCRIPT = { create: (): object => MODULE }

/** @param isHeld nothing is answered by itself, and being idle has to be said */
export const fakeEmulator = (isHeld = false): FakeEmulator => {
  let last: { resolve: (script: unknown) => void; reject: (error: Error) => void } | undefined
  const idle = new Set<() => void>()
  const urls: string[] = []
  const emulator = emulatorScript({
    importModule: (url) => {
      urls.push(url)
      if (!isHeld) return Promise.resolve(SCRIPT)
      return new Promise((resolve, reject) => {
        last = { resolve, reject }
      })
    },
    revisions: { terminal: 'abc', settings: 'def', guests: '', webgl: '', help: 'ghi', ssh: 'ssh' },
    shared: { react: 'the page’s own' },
    whenIdle: (run) => {
      if (isHeld) idle.add(run)
      else run()
      return () => idle.delete(run)
    },
  })
  return {
    emulator,
    urls,
    answer: (script = SCRIPT) => {
      last?.resolve(script)
    },
    fail: () => {
      last?.reject(new TypeError('Failed to fetch dynamically imported module'))
    },
    idle: () => {
      for (const run of idle) run()
    },
  }
}
