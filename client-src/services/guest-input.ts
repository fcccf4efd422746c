/** Judges what other plugins hand in: their arguments are foreign data, whatever their types say. */
import { MAX_PATH_CHARS, MAX_TITLE_CHARS } from '../../protocol-src/limits.ts'
import type { LaunchSpec } from '../../protocol-src/session.ts'
import { hostRefSchema, type HostRef } from '../../protocol-src/ssh.ts'
import type { PaneSide } from '../stores/pane-store.ts'

const MAX_COMMAND_CHARS = 2000
const MAX_HINT_CHARS = 400
const DEFAULT_MIN_PX = 120
const MAX_PX = 10_000

type Fields = Readonly<Record<string, unknown>>

/** @param call such as `ttyTerminal.open`: what was not done */
export function refuse(call: string, why: string): TypeError {
  return new TypeError(`${call} did nothing: ${why}. See docs/services.md of @hyzyn/dsh-tty.`)
}

export interface TerminalWish {
  readonly spec: LaunchSpec
  readonly label: string | null
  readonly isReused: boolean
}

/** @param cwd where a terminal starts that names no directory @throws TypeError */
export function terminalWish(call: string, options: unknown, cwd: string | undefined): TerminalWish {
  const fields = fieldsOf(call, options ?? {})
  const command = text(call, fields['command'], { name: 'command', max: MAX_COMMAND_CHARS })
  if (command !== undefined && /[\r\n\0]/.test(command)) throw refuse(call, '"command" must be one line')
  const { reuse = true } = fields
  if (typeof reuse !== 'boolean') throw refuse(call, '"reuse" must be true or false')
  const host = hostOf(call, fields)
  // Where the person works says nothing of another machine.
  const start = text(call, fields['cwd'], { name: 'cwd', max: MAX_PATH_CHARS }) ?? (host === null ? cwd : undefined)
  return {
    spec: {
      ...(host === null ? { kind: 'local' } : { kind: 'ssh', host }),
      ...(start === undefined ? {} : { cwd: start }),
      ...(command === undefined ? {} : { command }),
    },
    label: text(call, fields['label'], { name: 'label', max: MAX_TITLE_CHARS }) ?? null,
    isReused: reuse,
  }
}

/** The other machine, or null. */
function hostOf(call: string, { book, spec }: Fields): HostRef | null {
  if (book === undefined && spec === undefined) return null
  if (book !== undefined && spec !== undefined) throw refuse(call, 'give "book" or "spec", not both')
  const parsed = hostRefSchema.safeParse(book === undefined ? { connection: spec } : { book })
  if (parsed.success) return parsed.data
  throw refuse(
    call,
    book === undefined
      ? '"spec" must be a connection: { host, username, port?, auth?, … }'
      : '"book" must be the name of an entry of the connection book',
  )
}

export interface PaneWish {
  readonly title: string
  readonly hint: string | null
  readonly side: PaneSide
  readonly size: number | null
  readonly min: number
  readonly ownerSid: string | undefined
  readonly onClose: () => void
}

/** @throws TypeError */
export function paneWish(call: string, options: unknown): PaneWish {
  const fields = fieldsOf(call, options)
  const { side, onClose } = fields
  if (side !== 'right' && side !== 'bottom') throw refuse(call, '"side" must be "right" or "bottom"')
  if (onClose !== undefined && typeof onClose !== 'function') throw refuse(call, '"onClose" must be a function')
  return {
    title: paneTitle(call, fields['title']),
    hint: paneHint(call, fields['hint']),
    side,
    size: pixels(call, fields, 'size') ?? null,
    min: pixels(call, fields, 'min') ?? DEFAULT_MIN_PX,
    ownerSid: text(call, fields['ownerSid'], { name: 'ownerSid', max: MAX_TITLE_CHARS }),
    onClose: (onClose as (() => void) | undefined) ?? (() => {}),
  }
}

/** @throws TypeError */
export function paneTitle(call: string, title: unknown): string {
  const given = text(call, title, { name: 'title', max: MAX_TITLE_CHARS })
  if (given === undefined) throw refuse(call, '"title" is missing')
  return given
}

/** @throws TypeError */
export function paneHint(call: string, hint: unknown): string | null {
  return text(call, hint, { name: 'hint', max: MAX_HINT_CHARS }) ?? null
}

/** @throws TypeError */
export function elementOf(call: string, value: unknown): HTMLElement {
  if (value instanceof HTMLElement) return value
  throw refuse(call, 'the first argument must be the element to put the terminal into')
}

/** @throws TypeError */
export function functionOf<F>(call: string, value: F): F {
  if (typeof value === 'function') return value
  throw refuse(call, 'its argument must be a function')
}

function fieldsOf(call: string, options: unknown): Fields {
  if (typeof options === 'object' && options !== null) return options as Fields
  throw refuse(call, 'its options must be an object')
}

function text(call: string, value: unknown, { name, max }: { name: string; max: number }): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw refuse(call, `"${name}" must be a text`)
  if (value.trim() === '') throw refuse(call, `"${name}" is empty; leave it out instead`)
  if (value.length > max) throw refuse(call, `"${name}" has more than ${String(max)} characters`)
  return value
}

function pixels(call: string, fields: Fields, name: string): number | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && value > 0 && value <= MAX_PX) return value
  throw refuse(call, `"${name}" must be a number of pixels`)
}
