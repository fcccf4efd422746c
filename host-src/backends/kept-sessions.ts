/**
 * What is remembered of sessions that outlive the host, beside their records: enough to take one over again. The nonce of
 * its marks is among it, so the files are their owner's alone, as everything is that the nonce protects.
 */
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { markNonceSchema, persistNameSchema, sessionIdSchema, type PersistName } from '../../protocol-src/ids.ts'
import { launchSpecSchema, ownerSchema } from '../../protocol-src/session.ts'
import { systemCodeOf } from '../base/errors.ts'
import { tmuxNameOf } from './tmux-files.ts'

const keptSessionSchema = z.object({
  v: z.literal(1),
  sessionId: sessionIdSchema,
  persist: persistNameSchema,
  spec: launchSpecSchema,
  owner: ownerSchema,
  markNonce: markNonceSchema,
  /** Epoch milliseconds. */
  startedAt: z.number(),
  /** Printed into its terminal after its program has ended: everything before it is the program's. */
  fence: z.string().regex(/^[0-9a-f]{32}$/),
  /** How much further the record is than the session's output: by what was lost. */
  shift: z.int(),
})
export type KeptSession = z.output<typeof keptSessionSchema>

const FACTS_FILE = 'session.json'

export class KeptSessions {
  readonly #directory: string

  /** @param directory absolute; holds a folder per session */
  constructor(directory: string) {
    this.#directory = directory
  }

  /** The folder of a session, whether it is there or not. */
  folder(name: PersistName): string {
    return join(this.#directory, tmuxNameOf(name))
  }

  /** Make the folder of a new session. Nothing of an earlier one of the name is left in it. */
  async begin(session: KeptSession): Promise<void> {
    const folder = this.folder(session.persist)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await this.write(session)
  }

  async write(session: KeptSession): Promise<void> {
    const path = join(this.folder(session.persist), FACTS_FILE)
    await writeFile(`${path}.new`, JSON.stringify(session), { mode: 0o600 })
    await rename(`${path}.new`, path)
  }

  async remove(name: PersistName): Promise<void> {
    await rm(this.folder(name), { recursive: true, force: true, maxRetries: 3, retryDelay: 50 })
  }

  /** All that are remembered; what cannot be read is left out. */
  async all(): Promise<readonly KeptSession[]> {
    const found = await Promise.all((await this.#folders()).map((name) => this.#read(name)))
    return found.filter((session) => session !== null)
  }

  async #folders(): Promise<readonly string[]> {
    try {
      return (await readdir(this.#directory)).filter((name) => name.startsWith('dsh-'))
    } catch (error) {
      if (systemCodeOf(error) === 'ENOENT') return [] // nothing was ever kept
      throw error
    }
  }

  async #read(folder: string): Promise<KeptSession | null> {
    try {
      const text = await readFile(join(this.#directory, folder, FACTS_FILE), 'utf8')
      const parsed = keptSessionSchema.safeParse(JSON.parse(text))
      return parsed.success && tmuxNameOf(parsed.data.persist) === folder ? parsed.data : null
    } catch {
      return null // a start or an end that was cut short
    }
  }
}
