/** Character sets by number: inside xterm.js they are table objects without a name. */
import { CHARSET_FLAGS, StateError, type CharsetNumber } from './terminal-state.ts'
import type { Charset, Core } from './xterm-internals.ts'

const tables = new WeakMap<object, readonly Charset[]>()

/** The tables in the order of CHARSET_FLAGS; asked of the emulator once, by designating each and putting back what was. */
export function charsetsOf(core: Core): readonly Charset[] {
  const service = core._charsetService
  const key = Object.getPrototypeOf(service) as object
  const known = tables.get(key)
  if (known !== undefined) return known
  const { charset, glevel, _charsets } = service
  const found = CHARSET_FLAGS.split('').map((flag) => {
    service._charsets = []
    core._inputHandler.selectCharset(`(${flag}`)
    return service._charsets[0]
  })
  service._charsets = _charsets
  service.glevel = glevel
  service.charset = charset
  tables.set(key, found)
  return found
}

/** @throws StateError for a table that no sequence can choose */
export function charsetNumber(core: Core, charset: Charset): CharsetNumber {
  if (charset === undefined) return 0
  const at = charsetsOf(core).indexOf(charset)
  if (at < 0) throw new StateError('the terminal uses a character set that this package does not know')
  return at
}
