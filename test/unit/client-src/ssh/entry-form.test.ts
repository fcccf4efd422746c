import { describe, expect, it } from 'vitest'
import {
  EMPTY_FORM,
  draftOf,
  formOf,
  isOfAnother,
  refOf,
  type EntryForm,
} from '../../../../client-src/ssh/entry-form.ts'
import { publicEntrySchema } from '../../../../protocol-src/ssh.ts'

const BEFORE = publicEntrySchema.parse({
  name: 'one',
  host: 'one.example',
  port: 2222,
  username: 'ada',
  auth: 'password',
  jump: 'bastion',
  password: { isSet: true, reference: 'env:PW' },
  passphrase: { isSet: false, reference: null },
})
const typed = (text: string, isStored = true) => ({ isKept: false, text, isStored })
const filled = (change: Partial<EntryForm> = {}): EntryForm => ({
  ...EMPTY_FORM,
  name: 'new',
  host: ' new.example ',
  username: 'eve',
  ...change,
})

describe('the form of an entry', () => {
  it('means the entry that it was made of, with secrets as they are', () => {
    const { password, passphrase, ...open } = BEFORE
    expect(draftOf(formOf(BEFORE), BEFORE, true)).toEqual({
      value: { ...open, password: { kind: 'keep' }, passphrase: { kind: 'clear' } },
    })
    expect([password, passphrase]).toHaveLength(2)
  })

  it('means a new entry, with defaults for what is left empty', () => {
    expect(draftOf(filled(), null, true)).toEqual({
      value: {
        name: 'new',
        host: 'new.example',
        port: 22,
        username: 'eve',
        auth: 'agent',
        agentForward: false,
        persist: true,
        password: { kind: 'clear' },
        passphrase: { kind: 'clear' },
      },
    })
  })

  it('stores what was typed in the credential store, unless there is none or somebody does not want it', () => {
    const stored = (form: EntryForm, canStore: boolean): unknown => {
      const draft = draftOf(form, null, canStore)
      return 'value' in draft ? draft.value.password : draft
    }
    expect(stored(filled({ password: typed('x') }), true)).toEqual({ kind: 'set', value: 'x', store: true })
    expect(stored(filled({ password: typed('x', false) }), true)).toEqual({ kind: 'set', value: 'x', store: false })
    expect(stored(filled({ password: typed('x') }), false)).toEqual({ kind: 'set', value: 'x', store: false })
  })

  it.each([{ host: 'two.example' }, { port: '22' }, { username: 'eve' }])(
    'keeps no secret for another account: %j',
    (change) => {
      const form = { ...formOf(BEFORE), ...change }
      expect(isOfAnother(form, BEFORE)).toBe(true)
      expect(draftOf(form, BEFORE, true)).toMatchObject({ value: { password: { kind: 'clear' } } })
      const ref = refOf(form, BEFORE)
      expect('value' in ref && 'secretsOf' in ref.value).toBe(false)
    },
  )

  it('tests an edited entry with the secrets that the host has, and those that were typed', () => {
    const kept = refOf({ ...formOf(BEFORE), agentForward: true }, BEFORE)
    expect(kept).toMatchObject({ value: { secretsOf: 'one', connection: { agentForward: true } } })
    expect(JSON.stringify(kept)).not.toContain('password":"')
    const other = refOf({ ...formOf(BEFORE), password: typed('x') }, BEFORE)
    expect(other).toMatchObject({ value: { connection: { password: 'x' } } })
    expect('value' in other && 'secretsOf' in other.value).toBe(false)
  })

  it.each<[string, Partial<EntryForm>]>([
    ['name', { name: ' ' }],
    ['host', { host: '' }],
    ['host', { host: '-oProxyCommand=x' }],
    ['port', { port: '0' }],
    ['port', { port: '22a' }],
    ['port', { port: '' }],
    ['username', { username: 'a b' }],
    ['keyPath', { auth: 'key' }],
    ['proxyCommand', { proxyCommand: 'a\nb' }],
  ])('says that %s is wrong in %j', (field, change) => {
    const draft = draftOf(filled(change), null, true)
    expect('errors' in draft ? [...draft.errors] : draft).toEqual([field])
  })

  it('needs no name to try a connection', () => {
    expect(refOf(filled({ name: '' }), null)).toMatchObject({ value: { connection: { host: 'new.example' } } })
  })
})
