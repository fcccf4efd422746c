/** Reads a private key, with its passphrase from the entry or from the person. What it read is kept nowhere. */
import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { ParsedKey } from 'ssh2'
import { messageOf, systemCodeOf, type TtyError } from '../../base/errors.ts'
import { plainWords } from './plain-words.ts'
import { sshError } from './ssh-faults.ts'
import type { Ssh2 } from './ssh-module.ts'
import type { Steps } from './steps.ts'
import { unlockKey } from './unlock-key.ts'

const MAX_KEY_BYTES = 64 * 1024
/** Times that a person may give a passphrase. */
const TRIES = 3

export interface KeyFilePorts {
  readonly ssh2: Ssh2
  readonly steps: Steps
  /** The entry's own, or null. */
  readonly passphrase: () => Promise<string | null>
  /** @returns what the person typed; throws when there is no answer */
  readonly ask: (again: boolean) => Promise<string>
}

interface KeyFile {
  readonly keyPath: string
  readonly steps: Steps
}

/** `~` is the home of the host's user. */
export function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
}

/** @throws TtyError SSH_KEY_FILE */
export async function readPrivateKey(keyPath: string, ports: KeyFilePorts): Promise<ParsedKey> {
  const text = await readText(keyPath, ports.steps)
  let parsed = parse(text, ports.ssh2)
  if (parsed instanceof Error && isEncrypted(parsed)) parsed = await decrypt(text, ports)
  if (parsed instanceof Error)
    throw unusable({ keyPath, ...ports }, `it cannot be read as a key (${plainWords(parsed.message, 200)})`, parsed)
  if (!parsed.isPrivateKey())
    throw unusable({ keyPath, ...ports }, 'it holds a public key; the private one is the file without ".pub"')
  return parsed
}

async function decrypt(text: Buffer, { ssh2, passphrase, ask }: KeyFilePorts): Promise<ParsedKey | Error> {
  const open = async (given: string): Promise<ParsedKey | Error> => {
    const unlocked = await unlockKey(text, given)
    return unlocked instanceof Error ? unlocked : parse(unlocked, ssh2)
  }
  const stored = await passphrase()
  let parsed: ParsedKey | Error = stored === null ? new Error('it is encrypted') : await open(stored)
  for (let tries = 0; tries < TRIES && parsed instanceof Error; tries += 1) {
    parsed = await open(await ask(stored !== null || tries > 0))
    if (parsed instanceof Error && !isBadPassphrase(parsed)) break
  }
  return parsed
}

function parse(text: Buffer | string, ssh2: Ssh2): ParsedKey | Error {
  try {
    const parsed: ParsedKey | Error | ParsedKey[] = ssh2.utils.parseKey(text)
    // OpenSSH's own format could hold several; it never does.
    return Array.isArray(parsed) ? (parsed[0] as ParsedKey) : parsed
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const isEncrypted = (error: Error): boolean => error.message.includes('no passphrase given')
const isBadPassphrase = (error: Error): boolean => /bad passphrase|bad decrypt|integrity check/i.test(error.message)

async function readText(keyPath: string, steps: Steps): Promise<Buffer> {
  const path = expandHome(keyPath)
  if (!isAbsolute(path)) throw unusable({ keyPath, steps }, 'its path is not absolute')
  try {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      if (size > MAX_KEY_BYTES) throw unusable({ keyPath, steps }, 'it is too large for a key')
      return await file.readFile()
    } finally {
      await file.close()
    }
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === undefined) throw error
    throw unusable(
      { keyPath, steps },
      code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`,
      error,
    )
  }
}

function unusable(file: KeyFile, why: string, cause?: unknown): TtyError {
  const { keyPath, steps } = file
  return sshError(
    'SSH_KEY_FILE',
    { where: steps.where, phase: 'authenticate' },
    {
      why: `the key file "${plainWords(keyPath, 200)}" cannot be used: ${why}`,
      advice: 'Choose another file, or another kind of login, in the entry of the connection.',
      details: { keyPath },
      ...(cause === undefined ? {} : { cause: messageOf(cause) }),
    },
  )
}
