import { Context } from '@deepseek-ai/cordis'
import { SettingsProvider, redactSecrets } from '@deepseek-ai/dsh-settings'
import library from '@deepseek-ai/schemastery'
import { describe, expect, it } from 'vitest'
import { bindSettings } from '../../../../host-src/dsh/bind-settings.ts'
import { toHostSchema } from '../../../../host-src/dsh/config-schema.ts'
import { SettingsStore } from '../../../../host-src/settings/settings-store.ts'
import { recordingLogger } from '../../../support/recording-logger.ts'
import { until } from '../../../support/wait.ts'

type Document = Record<string, Record<string, unknown>>
type Namespace = Parameters<SettingsProvider['update']>[0]
const TTY = 'tty' as Namespace

/** DSH's own settings service over a document in memory. */
class MemorySettings extends SettingsProvider {
  held: Document

  constructor(ctx: Context, held: Document) {
    super(ctx)
    this.held = held
  }

  override get writable(): boolean {
    return true
  }

  protected override load(): Promise<Document> {
    return Promise.resolve(structuredClone(this.held))
  }

  protected override persist(ns: string, section: Record<string, unknown>): Promise<void> {
    this.held = { ...this.held, [ns]: structuredClone(section) }
    return Promise.resolve()
  }

  /** Somebody edits the file. */
  editFile(section: Record<string, unknown>): void {
    this.held = { ...this.held, tty: section }
    this.publish(structuredClone(this.held))
  }
}

const bind = async (section: Record<string, unknown> = {}, base: Record<string, unknown> = {}) => {
  const ctx = new Context()
  const logger = recordingLogger()
  await ctx.plugin(MemorySettings as never, { tty: section } as never)
  const store = new SettingsStore(logger)
  const file = await bindSettings(ctx, { store, base, logger, lookMs: 5 })
  const service = ctx.get('settings') as MemorySettings
  return { service, store, logger, file }
}

const ENTRY = { name: 'a', host: 'a.example', username: 'b' }

describe('bindSettings', () => {
  it('keeps an edit of ours in the document, and has it in force when it is kept', async () => {
    const { service, store } = await bind({ maxSessions: 8 })
    await store.edit(({ sshHosts }) => ({
      sshHosts: [...sshHosts, { ...ENTRY, port: 22, auth: 'agent', agentForward: false, persist: true }],
    }))
    expect(store.current).toMatchObject({ maxSessions: 8, sshHosts: [ENTRY] })
    expect(service.held['tty']).toMatchObject({ maxSessions: 8, sshHosts: [ENTRY] })
  })

  it('loses none of several edits', async () => {
    const { store, service } = await bind()
    const add = (name: string) =>
      store.edit(({ sshHosts }) => ({
        sshHosts: [...sshHosts, { ...ENTRY, name, port: 22, auth: 'agent', agentForward: false, persist: true }],
      }))
    await Promise.all(['a', 'b', 'c'].map(add))
    expect(store.current.sshHosts.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(service.held['tty']?.['sshHosts']).toHaveLength(3)
  })

  it('says that an edit was not kept, and leaves what is in force', async () => {
    const { store, service } = await bind()
    Object.assign(service, { persist: () => Promise.reject(new Error('disk full')) })
    await expect(store.edit(() => ({ fontSize: 20 }))).rejects.toMatchObject({ code: 'SETTINGS_NOT_SAVED' })
    expect(store.current.fontSize).toBe(13)
  })

  it('rewrites settings of an older shape, once', async () => {
    const old = { host: 'h', fingerprint: 'A'.repeat(43) }
    const { service, store } = await bind({ hostKeys: [old] })
    const kept = [{ host: 'h', port: 22, fingerprints: [`SHA256:${'A'.repeat(43)}`], revoked: [] }]
    expect(store.current.hostKeys).toEqual(kept)
    await until(() => !JSON.stringify(service.held).includes('"fingerprint"'), { what: 'the document to be rewritten' })
    expect(service.held['tty']?.['hostKeys']).toEqual(kept)
  })

  it('names what is wrong in a file that somebody edits, and nothing once it is corrected', async () => {
    const { service, store, file, logger } = await bind({ fontSize: 20 }, { maxSessions: 8 })
    expect(file.problem()).toBeNull()
    service.editFile({ fontSize: 2100, shel: '/bin/sh' })
    await until(() => file.problem() !== null, { what: 'the problem to be found' })
    expect(file.problem()).toMatch(/fontSize.*unknown setting shel/s)
    expect(logger.of('settings.invalid')).toHaveLength(1)
    expect(store.current.fontSize).toBe(20)
    // What a page asks for is no fault of the file.
    service.editFile({ fontSize: 22 })
    await expect(service.update(TTY, { fontSize: 3000 })).rejects.toThrow()
    await until(() => store.current.fontSize === 22, { what: 'the corrected value' })
    await until(() => file.problem() === null, { what: 'nothing to be wrong' })
    expect(logger.of('settings.invalid')).toHaveLength(1)
  })

  it('names what is wrong in the file from the start, and takes it once it is corrected', async () => {
    const { service, store, file, logger } = await bind({ fontSize: 2100 }, { maxSessions: 8 })
    expect(file.problem()).toMatch(/fontSize|2100/)
    expect(logger.of('settings.invalid')).toHaveLength(1)
    expect(store.current).toMatchObject({ fontSize: 13, maxSessions: 8 })
    service.editFile({ fontSize: 21 })
    await until(() => store.current.fontSize === 21, { what: 'the corrected value' })
    await until(() => file.problem() === null, { what: 'nothing to be wrong' })
    expect(store.current.maxSessions).toBe(8)
    // It is followed as if it had been right from the start.
    await service.update(TTY, { fontSize: 22 })
    await until(() => store.current.fontSize === 22, { what: 'a change of a page' })
  })

  it('lets the file turn on what no page may', async () => {
    const { service, store } = await bind()
    service.editFile({ allowProxyCommand: true })
    await until(() => store.current.allowProxyCommand, { what: 'the setting of the file' })
    await service.update(TTY, { fontSize: 20 })
    await until(() => store.current.fontSize === 20, { what: 'the other setting' })
    expect(store.current.allowProxyCommand).toBe(true)
    await service.update(TTY, { allowProxyCommand: false })
    await until(() => !store.current.allowProxyCommand, { what: 'the page to turn it off' })
    await expect(service.update(TTY, { allowProxyCommand: true })).rejects.toThrow(
      /allowProxyCommand can only be turned on in/,
    )
  })

  it.each([
    ['update', (service: MemorySettings) => service.update(TTY, { allowProxyCommand: true })],
    ['replace', (service: MemorySettings) => service.replace(TTY, { allowProxyCommand: true })],
    [
      'mutate',
      (service: MemorySettings) => service.mutate(TTY, [{ op: 'set', path: ['allowProxyCommand'], value: true }]),
    ],
  ])('does not let a page turn it on by %s', async (_, write) => {
    const { service, store } = await bind()
    await expect(write(service)).rejects.toThrow(/allowProxyCommand can only be turned on in/)
    expect(store.current.allowProxyCommand).toBe(false)
    expect(JSON.stringify(service.held)).not.toContain('allowProxyCommand')
  })

  it('does not let a page take back that it was turned off, where the installation has it on', async () => {
    const { service, store } = await bind({}, { allowProxyCommand: true })
    expect(store.current.allowProxyCommand).toBe(true)
    await service.update(TTY, { allowProxyCommand: false })
    await expect(service.mutate(TTY, [{ op: 'unset', path: ['allowProxyCommand'] }])).rejects.toThrow(/turned on/)
  })

  it('gives no page a secret of the connection book', async () => {
    const { service } = await bind({ sshHosts: [{ ...ENTRY, password: 'hunter2', passphrase: 'open sesame' }] })
    const seen = JSON.stringify(service.describe({ redactSecrets: true }))
    expect(seen).toContain('a.example')
    expect(seen).not.toMatch(/hunter2|open sesame/)
    const { value } = redactSecrets(toHostSchema(library) as never, { sshHosts: [{ ...ENTRY, password: 'hunter2' }] })
    expect(JSON.stringify(value)).not.toContain('hunter2')
  })
})
