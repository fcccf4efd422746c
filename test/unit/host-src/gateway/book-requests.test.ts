import { describe, expect, it } from 'vitest'
import { replySchemas } from '../../../../protocol-src/host-frames.ts'
import { entryDraftSchema } from '../../../../protocol-src/ssh.ts'
import { testBook } from '../../../support/test-book.ts'

const DRAFT = entryDraftSchema.parse({
  name: 'one',
  host: 'one.example',
  username: 'ada',
  password: { kind: 'set', value: 'hunter2', store: false },
  passphrase: { kind: 'clear' },
})
const save = { type: 'saveHost', id: 1, draft: DRAFT, replaces: null } as const

describe('what pages ask about the connection book', () => {
  it('is answered as agreed, and never with a secret', async () => {
    const { requests, settings } = testBook()
    expect(await requests.saveHost(save)).toEqual({})
    const book = replySchemas.book.parse(requests.book())
    expect(book.entries).toMatchObject([{ name: 'one', password: { isSet: true, reference: null } }])
    expect(JSON.stringify(book)).not.toContain('hunter2')
    expect(settings.current.sshHosts[0]?.password).toBe('hunter2')
    await requests.removeHost({ type: 'removeHost', id: 2, name: 'one' })
    expect(requests.book().entries).toEqual([])
  })

  it('offers commands as a way only where both switches are on', () => {
    for (const mayProxy of [true, false])
      for (const allowProxyCommand of [true, false]) {
        const { requests, settings } = testBook({ mayProxy })
        settings.adopt({ allowProxyCommand })
        expect(requests.book().hasProxyCommand).toBe(mayProxy && allowProxyCommand)
      }
  })

  it('is told anew when something of it changed, and only then', async () => {
    const { requests, settings } = testBook()
    let heard = 0
    const stop = requests.onChange(() => (heard += 1))
    settings.adopt({ fontSize: 20 })
    expect(heard).toBe(0)
    await requests.saveHost(save)
    expect(heard).toBe(1)
    settings.adopt({ ...settings.current, allowProxyCommand: true })
    expect(heard).toBe(2)
    stop()
    await requests.removeHost({ type: 'removeHost', id: 2, name: 'one' })
    expect(heard).toBe(2)
  })

  it('gives the keys that are left when one is forgotten', async () => {
    const { requests, hostKeys } = testBook()
    const at = { host: 'h', port: 22, alias: null }
    for (const type of ['ssh-rsa', 'ssh-ed25519']) await hostKeys.remember(at, { type, blob: Buffer.from(type) })
    const [record] = replySchemas.hostKeys.parse(requests.hostKeys()).records
    const [first = '', second = ''] = record?.fingerprints ?? []
    const forget = { type: 'forgetHostKey', id: 1, host: 'h', port: 22 } as const
    expect(await requests.forgetHostKey({ ...forget, fingerprint: first })).toMatchObject({
      records: [{ fingerprints: [second] }],
    })
    expect(await requests.forgetHostKey({ ...forget, fingerprint: null })).toEqual({ records: [] })
  })
})
