/**
 * The links of one terminal: those that programs declare (OSC 8) and addresses in the text. Shows where one leads while the
 * pointer rests on it, and opens it when a person asks for just that.
 */
import type { ILink, Terminal } from '@xterm/xterm'
import { coreOf, HAS_EXTENDED } from '../../screen-src/xterm-internals.ts'
import { isMac } from '../keys.ts'
import { lineFrom, partsOf, type LineText } from './line-text.ts'
import { linksIn, linkTarget } from './link-target.ts'
import type { PagePorts } from './page-ports.ts'

/** Rows of a wrapped line that are looked at on either side. */
const MAX_ROWS = 40

export class TerminalLinks {
  readonly #terminal: Terminal
  readonly #ports: Pick<PagePorts, 'linkHovered' | 'openLink'>
  /** xterm.js gives the address of the link with each call. */
  readonly #handler = {
    activate: (event: MouseEvent, text: string): void => {
      if (isMac() ? event.metaKey : event.ctrlKey) this.open(text)
    },
    hover: ({ clientX: x, clientY: y }: MouseEvent, text: string): void => {
      const href = linkTarget(text)
      this.#ports.linkHovered(href === null ? null : { href, x, y })
    },
    leave: (): void => {
      this.leave()
    },
  }

  constructor(terminal: Terminal, ports: Pick<PagePorts, 'linkHovered' | 'openLink'>) {
    this.#terminal = terminal
    this.#ports = ports
    terminal.options.linkHandler = this.#handler
    terminal.registerLinkProvider({
      provideLinks: (y, callback) => {
        callback(this.#inText(y - 1))
      },
    })
  }

  /** All that can be opened from what is on screen, each once. */
  onScreen(): string[] {
    const { active } = this.#terminal.buffer
    const rows = Array.from({ length: this.#terminal.rows }, (_, row) => active.viewportY + row)
    const declared = rows.flatMap((row) => this.#declared(row))
    const inText = rows.flatMap((row) => linksIn(this.#lineAt(row).text))
    return [...new Set([...declared, ...inText.map(({ href }) => href)])]
  }

  /** Open what a person was shown. */
  open(text: string): void {
    const href = linkTarget(text)
    if (href !== null) this.#ports.openLink(href)
  }

  /** Nothing is under the pointer any more. */
  leave(): void {
    this.#ports.linkHovered(null)
  }

  #inText(row: number): ILink[] {
    const line = this.#lineAt(row)
    return linksIn(line.text).flatMap(({ index, text, href }) => {
      const parts = partsOf(this.#terminal.buffer.active, line, [index, index + text.length])
      const [first, last] = [parts[0], parts.at(-1)]
      if (first === undefined || last === undefined) return []
      const range = { start: { x: first.start + 1, y: first.row + 1 }, end: { x: last.end, y: last.row + 1 } }
      return { ...this.#handler, range, text: href }
    })
  }

  /** The wrapped line that a row is part of. */
  #lineAt(row: number): LineText {
    const { active } = this.#terminal.buffer
    let first = row
    while (first > 0 && row - first < MAX_ROWS && active.getLine(first)?.isWrapped === true) first -= 1
    return lineFrom(active, first, 2 * MAX_ROWS)
  }

  #declared(row: number): string[] {
    const core = coreOf(this.#terminal)
    const line = core._bufferService.buffers.active.lines.get(row)
    const ids = new Set<number>()
    for (let column = 0; line !== undefined && column < line.length; column += 1) {
      const has = ((line._data[column * 3 + 2] ?? 0) & HAS_EXTENDED) !== 0
      if (has) ids.add(line._extendedAttrs[column]?._urlId ?? 0)
    }
    return Array.from(ids).flatMap((id) => {
      const href = linkTarget(core._oscLinkService._dataByLinkId.get(id)?.data.uri ?? '')
      return href ?? []
    })
  }
}
