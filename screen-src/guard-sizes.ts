/** Bounds on what a stream can make a terminal keep: titles, links, and marks joined to one character. */
import type { BufferLine, Core, LinkEntry } from './xterm-internals.ts'

/** Longest title kept; far beyond what any panel shows. */
export const MAX_TITLE_LENGTH = 4096
/** Longest address of a link; a longer one is shown as plain text. */
export const MAX_URI_LENGTH = 8192
/** Links remembered. The oldest is forgotten for a new one: its text stays. */
export const MAX_LINKS = 4096
/** Lines by which a link is remembered: it is forgotten when all of these are gone. */
export const MAX_LINES_PER_LINK = 16
/** Longest text joined in one cell, in UTF-16 units. The longest emoji sequences have about 30. */
export const MAX_JOINED_LENGTH = 128

export function guardTitles(core: Core): void {
  const input = core._inputHandler
  for (const code of [0, 1, 2])
    input.registerOscHandler(code, (text) => {
      if (text.length <= MAX_TITLE_LENGTH) return false
      const title = text.slice(0, MAX_TITLE_LENGTH)
      if (code !== 1) input.setTitle(title)
      if (code !== 2) input.setIconName(title)
      return true
    })
}

/** Every marker costs something with every line that scrolls, and every character of a link looks through its lines. */
export function guardLinks(core: Core): void {
  const service = core._oscLinkService
  core._inputHandler.registerOscHandler(8, (data) => {
    if (data.length <= MAX_URI_LENGTH) return false
    return core._inputHandler.setHyperlink(';')
  })
  const registerLink = service.registerLink.bind(service)
  service.registerLink = (data) => {
    if (service._dataByLinkId.size >= MAX_LINKS) forgetOldest(core)
    return registerLink(data)
  }
  const addLineToLink = service.addLineToLink.bind(service)
  service.addLineToLink = (id, line) => {
    const lines = service._dataByLinkId.get(id)?.lines
    if (lines === undefined || lines.at(-1)?.line === line) return
    addLineToLink(id, line)
    if (lines.length > MAX_LINES_PER_LINK) dropMarker(lines)
  }
}

function forgetOldest(core: Core): void {
  const service = core._oscLinkService
  const [oldest] = service._dataByLinkId.values()
  if (oldest === undefined) return
  while (oldest.lines.length > 0) dropMarker(oldest.lines)
  // A link whose markers were thrown away by a reset is in no buffer's hands.
  service._dataByLinkId.delete(oldest.id)
  if (oldest.key !== undefined) service._entriesWithId.delete(oldest.key)
}

/** Let go of the first marker: xterm.js takes it out of the list itself, unless it is of a buffer that is gone. */
function dropMarker(lines: LinkEntry['lines']): void {
  const marker = lines[0] as { dispose?: () => void } | undefined
  const { length } = lines
  marker?.dispose?.()
  if (lines.length === length) lines.shift()
}

const guardedLines = new WeakSet()

/** The prototype is shared by all terminals of one copy of xterm.js. */
export function guardJoinedText(core: Core): void {
  const prototype = Object.getPrototypeOf(core._bufferService.buffers.normal.lines.get(0)) as BufferLine
  if (guardedLines.has(prototype)) return
  guardedLines.add(prototype)
  // oxlint-disable-next-line unbound-method -- called with the line it belongs to
  const { addCodepointToCell } = prototype
  // oxlint-disable-next-line max-params -- xterm.js calls it
  prototype.addCodepointToCell = function (this: BufferLine, column, codePoint, width) {
    const isLong = (this._combined[column]?.length ?? 0) >= MAX_JOINED_LENGTH
    if (isLong && this._data[column * 3] !== undefined && ((this._data[column * 3] as number) & 0x200000) !== 0) return
    addCodepointToCell.call(this, column, codePoint, width)
  }
}
