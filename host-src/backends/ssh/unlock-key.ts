/**
 * Opens a private key with its passphrase in a thread of its own: that takes some tenths of a second by design, in which no
 * terminal of this host would move. Keeps nothing.
 */
import { createPrivateKey } from 'node:crypto'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { messageOf } from '../../base/errors.ts'

/** Runs where nothing of this file is. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
const { utils } = require(workerData.ssh2)
const parsed = utils.parseKey(Buffer.from(workerData.text), workerData.passphrase)
const key = Array.isArray(parsed) ? parsed[0] : parsed
parentPort.postMessage(
  key instanceof Error
    ? { error: key.message }
    : { pem: key.getPrivatePEM(), type: key.type, publicKey: key.getPublicSSH(), comment: key.comment },
)
`

type Unlocked =
  | { readonly error: string }
  | { readonly pem: string; readonly type: string; readonly publicKey: Uint8Array; readonly comment: string }

/** @returns the key as a text without a passphrase, or why it cannot be read. Never rejects. */
export async function unlockKey(text: Buffer, passphrase: string): Promise<string | Error> {
  try {
    const unlocked = await inThread(text, passphrase)
    if ('error' in unlocked) return new Error(unlocked.error)
    // Of this type ssh2 gives a form that it does not read itself.
    return unlocked.type === 'ssh-ed25519' ? ed25519Text(unlocked) : unlocked.pem
  } catch (error) {
    return new Error(messageOf(error), { cause: error })
  }
}

function inThread(text: Buffer, passphrase: string): Promise<Unlocked> {
  return new Promise((resolve, reject) => {
    const ssh2 = createRequire(import.meta.url).resolve('ssh2')
    const thread = new Worker(THREAD, { eval: true, execArgv: [], workerData: { ssh2, text, passphrase } })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', () => {
      reject(new Error('the key could not be opened'))
    })
  })
}

/** The container that OpenSSH writes, without encryption. */
function ed25519Text({ pem, publicKey, comment }: Extract<Unlocked, { pem: string }>): string {
  const { d = '', x = '' } = createPrivateKey(pem).export({ format: 'jwk' })
  const [seed, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]
  const secret = Buffer.concat([
    Buffer.alloc(8), // two equal numbers, by which a wrong passphrase would show
    ...['ssh-ed25519', point, Buffer.concat([seed, point]), comment].map(counted),
  ])
  const padding = Buffer.from([1, 2, 3, 4, 5, 6, 7]).subarray(0, (8 - (secret.length % 8)) % 8)
  const body = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...['none', 'none', ''].map(counted),
    uint32(1),
    ...[publicKey, Buffer.concat([secret, padding])].map(counted),
  ])
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${body.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----\n`
}

function counted(part: string | Uint8Array): Buffer {
  const bytes = Buffer.from(part as Uint8Array)
  return Buffer.concat([uint32(bytes.length), bytes])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
