import { describe, expect, it } from 'vitest'
import { Secrets, derivedName, type CredentialStore } from '../../../../host-src/ssh/secrets.ts'
import { recordingLogger } from '../../../support/recording-logger.ts'

const ACCOUNT = { username: 'ada', host: 'Example.com', port: 22 }

const memoryStore = (
  held: Record<string, string> = {},
): CredentialStore & { readonly held: Record<string, string> } => ({
  held,
  resolve: async (name) => held[name] ?? null,
  set: async (name, value) => {
    held[name] = value
  },
  unset: async (name) => {
    delete held[name]
  },
})

describe('Secrets', () => {
  it('looks a reference up at every use: in the credential store, then in the environment', async () => {
    const store = memoryStore()
    const hostEnv: Record<string, string> = {}
    const secrets = new Secrets({ credentials: () => store, hostEnv, logger: recordingLogger() })
    expect(await secrets.resolve('env:PW')).toBeNull()
    hostEnv['PW'] = 'from the environment'
    expect(await secrets.resolve('env:PW')).toBe('from the environment')
    store.held['PW'] = 'from the store'
    expect(await secrets.resolve('env:PW')).toBe('from the store')
    delete store.held['PW']
    expect(await secrets.resolve('env:PW')).toBe('from the environment')
    hostEnv['PW'] = ''
    expect(await secrets.resolve('env:PW')).toBeNull()
  })

  it.each(['plain', 'env:', 'env:a-b', 'env:1A', 'ENV:PW', ' env:PW'])('takes %j for a value', async (text) => {
    const secrets = new Secrets({
      credentials: () => memoryStore({ PW: 'no' }),
      hostEnv: {},
      logger: recordingLogger(),
    })
    expect(await secrets.resolve(text)).toBe(text)
  })

  it('goes on with the environment when the store fails, and repeats nothing that it said', async () => {
    const logger = recordingLogger()
    const failing = { ...memoryStore(), resolve: () => Promise.reject(new Error('line 3: PW: hunter2')) }
    const secrets = new Secrets({ credentials: () => failing, hostEnv: { PW: 'x' }, logger })
    expect(await secrets.resolve('env:PW')).toBe('x')
    expect(JSON.stringify(logger.lines)).not.toContain('hunter2')
    expect(logger.of('credentials.unreadable')).toHaveLength(1)
  })

  it('stores under a name of its own, and takes back only that', async () => {
    const store = memoryStore({ CHOSEN: 'mine' })
    const secrets = new Secrets({ credentials: () => store, hostEnv: {}, logger: recordingLogger() })
    const reference = await secrets.store(ACCOUNT, 'password', 'hunter2')
    expect(reference).toBe(`env:${derivedName(ACCOUNT, 'password')}`)
    expect(await secrets.resolve(reference)).toBe('hunter2')
    await secrets.forget(ACCOUNT, 'password', 'env:CHOSEN')
    await secrets.forget({ ...ACCOUNT, port: 23 }, 'password', reference)
    expect(Object.keys(store.held)).toHaveLength(2)
    await secrets.forget(ACCOUNT, 'password', reference)
    expect(store.held).toEqual({ CHOSEN: 'mine' })
  })

  it('says nothing of the value when it cannot be stored', async () => {
    const failing = {
      ...memoryStore(),
      set: (_: string, value: string) => Promise.reject(new Error(`cannot store ${value}`)),
    }
    for (const credentials of [() => failing, () => null]) {
      const secrets = new Secrets({ credentials, hostEnv: {}, logger: recordingLogger() })
      const error: unknown = await secrets.store(ACCOUNT, 'password', 'hunter2').catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'CREDENTIALS_FAILED' })
      expect(JSON.stringify(error) + String(error)).not.toContain('hunter2')
    }
  })
})

describe('derivedName', () => {
  it('is a name that the environment can have', () => {
    for (const account of [
      ACCOUNT,
      { username: '用户', host: 'fe80::1%eth0', port: 2222 },
      { username: 'a'.repeat(128), host: 'b'.repeat(255), port: 1 },
    ])
      expect(derivedName(account, 'passphrase')).toMatch(/^[A-Z_][A-Z0-9_]{0,99}$/)
  })

  it('is the same for the same account, whatever the case of its host, and another for every other', () => {
    expect(derivedName({ ...ACCOUNT, host: 'EXAMPLE.com' }, 'password')).toBe(derivedName(ACCOUNT, 'password'))
    const names = [
      derivedName(ACCOUNT, 'password'),
      derivedName(ACCOUNT, 'passphrase'),
      derivedName({ ...ACCOUNT, username: 'Ada' }, 'password'),
      derivedName({ ...ACCOUNT, port: 222 }, 'password'),
      derivedName({ username: 'a_b', host: 'c', port: 22 }, 'password'),
      derivedName({ username: 'a', host: 'b_c', port: 22 }, 'password'),
    ]
    expect(new Set(names).size).toBe(names.length)
  })
})
