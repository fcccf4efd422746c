import { describe, expect, it } from 'vitest'
import { derivedName } from '../../../../host-src/ssh/secrets.ts'
import {
  bookEntrySchema,
  entryDraftSchema,
  sshConnectionSchema,
  type EntryDraft,
} from '../../../../protocol-src/ssh.ts'
import { testBook } from '../../../support/test-book.ts'

const KEEP = { kind: 'keep' } as const
const NAMES = { username: 'ada', host: 'one.example', port: 22 }

const draft = (over: Record<string, unknown> = {}): EntryDraft =>
  entryDraftSchema.parse({ name: 'one', ...NAMES, password: KEEP, passphrase: KEEP, ...over })

const set = (value: string, store: boolean) => ({ kind: 'set', value, store }) as const

describe('ConnectionBook', () => {
  it('keeps an entry whose password is in the credential store as a reference, and shows no more than that', async () => {
    const { settings, held, book } = testBook()
    await book.save(draft({ auth: 'password', password: set('hunter2', true) }), null)
    const reference = `env:${derivedName(NAMES, 'password')}`
    expect(settings.current.sshHosts).toMatchObject([{ name: 'one', password: reference }])
    expect(Object.values(held)).toEqual(['hunter2'])
    expect(book.list()).toMatchObject([
      { name: 'one', password: { isSet: true, reference }, passphrase: { isSet: false, reference: null } },
    ])
    expect(JSON.stringify([settings.current, book.list()])).not.toContain('hunter2')
  })

  it('shows nothing of a password that the settings hold themselves', async () => {
    const { settings, book } = testBook()
    await book.save(draft({ password: set('hunter2', false) }), null)
    expect(settings.current.sshHosts[0]?.password).toBe('hunter2')
    expect(JSON.stringify(book.list())).not.toContain('hunter2')
    expect(book.list()[0]?.password).toEqual({ isSet: true, reference: null })
  })

  it('takes a reference that somebody chose as it is', async () => {
    const { settings, held, book } = testBook()
    await book.save(draft({ password: set('env:MY_PW', true) }), null)
    expect(settings.current.sshHosts[0]?.password).toBe('env:MY_PW')
    expect(held).toEqual({})
  })

  it('keeps what was not changed, and clears what was', async () => {
    const { book } = testBook()
    await book.save(draft({ password: set('a', true), passphrase: set('b', false) }), null)
    await book.save(draft({ name: 'renamed', agentForward: true }), 'one')
    expect(book.find('one')).toBeNull()
    expect(book.find('renamed')).toMatchObject({ agentForward: true, passphrase: 'b' })
    await book.save(draft({ name: 'renamed', password: { kind: 'clear' } }), 'renamed')
    expect(book.find('renamed')?.password).toBeUndefined()
    expect(book.find('renamed')?.passphrase).toBe('b')
  })

  it.each([{ host: 'two.example' }, { port: 2222 }, { username: 'eve' }])(
    'does not let a secret follow to %j',
    async (over) => {
      const { held, book } = testBook()
      await book.save(draft({ password: set('hunter2', true) }), null)
      await expect(book.save(draft(over), 'one')).rejects.toMatchObject({ code: 'SECRET_OF_ANOTHER' })
      expect(book.find('one')).toMatchObject(NAMES)
      const connection = sshConnectionSchema.parse({ ...NAMES, ...over })
      expect(book.target({ connection, secretsOf: 'one' })?.connection.password).toBeUndefined()
      await book.save(draft({ ...over, password: set('other', true) }), 'one')
      expect(Object.entries(held)).toEqual([[derivedName({ ...NAMES, ...over }, 'password'), 'other']])
    },
  )

  it('completes a connection that is being edited with the secrets of its entry, but for those that were typed', async () => {
    const { book } = testBook()
    await book.save(draft({ password: set('stored', false), passphrase: set('phrase', false) }), null)
    const connection = sshConnectionSchema.parse({ ...NAMES, password: 'typed' })
    expect(book.target({ connection, secretsOf: 'one' })).toMatchObject({
      connection: { password: 'typed', passphrase: 'phrase' },
      book: null,
    })
    expect(book.target({ connection, secretsOf: 'gone' })?.connection).toEqual(connection)
    expect(book.target({ book: 'one' })).toMatchObject({ book: 'one', connection: { password: 'stored' } })
    expect(book.target({ book: 'gone' })).toBeNull()
  })

  it('refuses a name that is taken, by a new entry and by a renamed one, and changes nothing', async () => {
    const { settings, book } = testBook()
    await book.save(draft(), null)
    await book.save(draft({ name: 'two' }), null)
    const before = settings.current.sshHosts
    await expect(book.save(draft({ host: 'x' }), null)).rejects.toMatchObject({
      code: 'BOOK_NAME_TAKEN',
      details: { name: 'one' },
    })
    await expect(book.save(draft({ name: 'two' }), 'one')).rejects.toMatchObject({ code: 'BOOK_NAME_TAKEN' })
    await expect(book.add([bookEntrySchema.parse({ name: 'one', ...NAMES })])).rejects.toMatchObject({
      code: 'BOOK_NAME_TAKEN',
    })
    expect(settings.current.sshHosts).toEqual(before)
    await Promise.allSettled([book.save(draft({ name: 'three' }), null), book.save(draft({ name: 'three' }), null)])
    expect(book.entries.map(({ name }) => name)).toEqual(['one', 'two', 'three'])
  })

  it('follows the new name of a machine that stands before others, and does not let it go', async () => {
    const { book } = testBook()
    await book.save(draft(), null)
    await book.save(draft({ name: 'inner', jump: 'one' }), null)
    await book.save(draft({ name: 'bastion' }), 'one')
    expect(book.find('inner')?.jump).toBe('bastion')
    await expect(book.remove('bastion')).rejects.toMatchObject({
      code: 'BOOK_ENTRY_NEEDED',
      details: { behind: 'inner' },
    })
    await book.remove('inner')
    await book.remove('bastion')
    expect(book.entries).toEqual([])
    await expect(book.remove('bastion')).rejects.toMatchObject({ code: 'BOOK_NAME_UNKNOWN' })
  })

  it('leaves nothing in the credential store that no entry refers to', async () => {
    const { held, book } = testBook()
    await book.save(draft({ password: set('shared', true) }), null)
    await book.save(draft({ name: 'same account', password: set('shared', true) }), null)
    await book.remove('one')
    expect(Object.values(held)).toEqual(['shared'])
    await book.remove('same account')
    expect(held).toEqual({})
  })

  it('reads what is in force at the moment of use', () => {
    const { settings, book } = testBook()
    settings.adopt({ sshHosts: [{ name: 'by hand', host: '[::1]', username: 'x' }] })
    expect(book.find('by hand')).toMatchObject({ host: '::1', port: 22, auth: 'agent' })
    expect(() => settings.adopt({ sshHosts: [NAMES, NAMES].map((each) => ({ name: 'twice', ...each })) })).toThrow(
      /two entries named "twice"/,
    )
    expect(book.find('by hand')).not.toBeNull()
  })
})
