/** Links as xterm.js keeps them: by number, with a marker on every line they were seen on. */
import type { LinkState } from './terminal-state.ts'
import type { Core, LinkEntry } from './xterm-internals.ts'

/** Forget all links and register these, numbered from 1 in their order. */
export function restoreLinks(core: Core, links: readonly LinkState[]): void {
  const service = core._oscLinkService
  service._dataByLinkId.clear()
  service._entriesWithId.clear()
  service._nextId = links.length + 1
  for (const [at, link] of links.entries()) register(core, link, at + 1)
}

function register(core: Core, link: LinkState, number: number): void {
  const { _oscLinkService: service, _bufferService } = core
  const { normal, alt } = _bufferService.buffers
  const key = link.id === null ? undefined : `${link.id};;${link.uri}`
  const entry: LinkEntry = {
    id: number,
    data: link.id === null ? { uri: link.uri } : { id: link.id, uri: link.uri },
    ...(key === undefined ? {} : { key }),
    lines: link.lines.map(({ buffer, line }) => {
      // A marker of a buffer that a reset threw away moves no more and is never let go.
      if (buffer === 2) return { line }
      const marker = (buffer === 0 ? normal : alt).addMarker(line)
      marker.onDispose(() => {
        service._removeMarkerFromLink(entry, marker)
      })
      return marker
    }),
  }
  service._dataByLinkId.set(number, entry)
  if (key !== undefined) service._entriesWithId.set(key, entry)
}
