/** Emulators for tests: headless, guarded, fed at once instead of through timers. */
import { createRequire } from 'node:module'
import type { UnicodeGraphemesAddon as Addon } from '@xterm/addon-unicode-graphemes'
import type { Terminal } from '@xterm/headless'
import { emulatorOptions } from '../../../screen-src/emulator-options.ts'
import { installGuards } from '../../../screen-src/guards.ts'
import { marksOf } from '../../../screen-src/tracked.ts'
import { coreOf } from '../../../screen-src/xterm-internals.ts'

const require = createRequire(import.meta.url)
const headless = require('@xterm/headless') as { Terminal: typeof Terminal }
const graphemes = require('@xterm/addon-unicode-graphemes') as { UnicodeGraphemesAddon: typeof Addon }

export type Emulator = Terminal

export interface Shape {
  cols: number
  rows: number
  scrollback?: number
}

export const newEmulator = (
  { cols, rows, scrollback = 50 }: Shape,
  { isGuarded = true, markNonce = null as string | null } = {},
): Emulator => {
  const emulator = new headless.Terminal({ cols, rows, ...emulatorOptions(scrollback) })
  emulator.loadAddon(new graphemes.UnicodeGraphemesAddon())
  if (isGuarded) {
    installGuards(emulator)
    marksOf(emulator).nonce = markNonce
  }
  return emulator
}

/** Parse bytes (or the UTF-8 of a text) before returning. */
export const feed = (emulator: Emulator, data: Uint8Array | string): void => {
  void coreOf(emulator)._inputHandler.parse(typeof data === 'string' ? new TextEncoder().encode(data) : data)
}
