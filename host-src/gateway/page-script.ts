/** How one content of the page's own script is told from another. The build writes it into the page, the route compares. */
import { createHash } from 'node:crypto'

const REVISION_LENGTH = 12

export function revisionOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, REVISION_LENGTH)
}
