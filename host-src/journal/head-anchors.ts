/**
 * The end of each session's chain, kept outside the database in `<directory>/<sid>`: without it nobody could tell a file
 * whose last records were cut off from a whole one. A guard against a changed or damaged file, not against somebody who
 * rewrites file and anchor together.
 */
import { join } from 'node:path'
import * as z from 'zod'
import { sessionIdSchema, streamOffsetSchema, type SessionId } from '../../protocol-src/ids.ts'
import { canonicalJson } from '../base/canonical-json.ts'
import type { FilePort } from './file-port.ts'

const anchorSchema = z.strictObject({
  seq: z.int().min(0),
  hash: z.string(),
  /** Offset of the oldest output byte in the session's files. */
  fileStart: streamOffsetSchema,
  /** Whether the chain ends exactly here; else a crash may have left records of one more batch after it. */
  isExact: z.boolean(),
})
export type Anchor = z.infer<typeof anchorSchema>

/**
 * All anchors have the same length, so that one write in place replaces the whole: within one disk sector it is not torn.
 * A new file put over the old one costs ten times as much, because file systems push it to the disk at once.
 */
const ANCHOR_CHARS = 256

export class HeadAnchors {
  readonly #directory: string
  readonly #files: FilePort

  constructor(directory: string, files: FilePort) {
    this.#directory = directory
    this.#files = files
  }

  /** @returns null when there is none, or what there is is no anchor. @throws Node's system error */
  read(sid: SessionId): Anchor | null {
    const text = this.#files.readText(join(this.#directory, sid))
    if (text === null) return null
    try {
      return anchorSchema.parse(JSON.parse(text))
    } catch {
      // Cut or edited: as good as absent, and reported as such.
      return null
    }
  }

  /** @throws Node's system error */
  write(sid: SessionId, anchor: Anchor): void {
    this.#files.overwriteText(join(this.#directory, sid), `${canonicalJson(anchor).padEnd(ANCHOR_CHARS - 1)}\n`)
  }

  /** @throws Node's system error */
  remove(sid: SessionId): void {
    this.#files.removeFile(join(this.#directory, sid))
  }

  list(): readonly SessionId[] {
    return this.#files.list(this.#directory).flatMap((name) => sessionIdSchema.safeParse(name).data ?? [])
  }
}
