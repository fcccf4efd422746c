/** What can be said of a terminal on the page from outside. */
import type { TerminalSize } from '../../protocol-src/session.ts'

/** `none` before it was on screen for the first time. */
export type Renderer = 'webgl' | 'dom' | 'none'

export interface ViewFacts {
  readonly size: TerminalSize
  readonly isDriver: boolean
  readonly renderer: Renderer
  /** The grid has another size than would fit here, because another viewer drives it. */
  readonly isLetterboxed: boolean
}
