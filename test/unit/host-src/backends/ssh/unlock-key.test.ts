import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ssh2, { type ParsedKey } from 'ssh2'
import { describe, expect, it } from 'vitest'
import { unlockKey } from '../../../../../host-src/backends/ssh/unlock-key.ts'
import { makeKey } from '../../../../support/sshd.ts'
import { temporaryFolder } from '../../../../support/temporary-folder.ts'

const parsed = (text: string | Buffer): ParsedKey => {
  const key = ssh2.utils.parseKey(text)
  if (key instanceof Error) throw key
  return key
}

describe('a key with a passphrase', () => {
  it.each([
    ['ed25519', false],
    ['rsa', true],
    ['ecdsa', false],
  ])('%s (PEM: %s) is opened, and signs what its public half verifies', async (type, pem) => {
    const path = join(await temporaryFolder(), 'key')
    await makeKey(path, { type, pem, passphrase: 'sésame' })
    const text = await unlockKey(await readFile(path), 'sésame')
    expect(text).toBeTypeOf('string')
    const key = parsed(text as string)
    const half = parsed(await readFile(`${path}.pub`))
    expect(key.isPrivateKey()).toBe(true)
    expect(key.getPublicSSH()).toEqual(half.getPublicSSH())
    expect(half.verify('words', key.sign('words'))).toBe(true)
  })

  it('is not opened with another one, and leaves the event loop alone meanwhile', async () => {
    const path = join(await temporaryFolder(), 'key')
    await makeKey(path, { passphrase: 'right' })
    const text = await readFile(path)
    let turns = 0
    const count = setInterval(() => (turns += 1), 1)
    const refused = await unlockKey(text, 'wrong')
    clearInterval(count)
    expect((refused as Error).message).toMatch(/bad passphrase/i)
    expect(turns).toBeGreaterThan(5)
  })
})
