import { describe, expect, it } from 'vitest'
import { SettingsStore, parseSettings, type SettingsChange } from '../../../../host-src/settings/settings-store.ts'
import { DEFAULT_SETTINGS, clientSettingsSchema } from '../../../../protocol-src/settings.ts'
import { recordingLogger } from '../../../support/recording-logger.ts'

const store = (): SettingsStore => new SettingsStore(recordingLogger())

describe('SettingsStore', () => {
  it('begins with the defaults, and a field that is left out goes back to its default', () => {
    const settings = store()
    expect(settings.current).toEqual(DEFAULT_SETTINGS)
    expect(settings.adopt({ maxSessions: 8 })).toEqual(['maxSessions'])
    expect(settings.adopt({ fontSize: 20 })).toEqual(['maxSessions', 'fontSize'])
    expect(settings.current).toEqual({ ...DEFAULT_SETTINGS, fontSize: 20 })
  })

  it('announces what changed, with both states, and nothing when nothing changed', () => {
    const settings = store()
    const changes: SettingsChange[] = []
    settings.onChange((change) => changes.push(change))
    settings.adopt({})
    settings.adopt({ ...DEFAULT_SETTINGS })
    expect(changes).toEqual([])
    settings.adopt({ shell: '/bin/zsh', cursorBlink: false })
    expect(changes).toHaveLength(1)
    expect(changes[0]?.keys).toEqual(['cursorBlink', 'shell'])
    expect(changes[0]?.previous).toEqual(DEFAULT_SETTINGS)
    expect(changes[0]?.next.shell).toBe('/bin/zsh')
  })

  it('tells a watcher of its own keys only', () => {
    const settings = store()
    let heard = 0
    const stop = settings.watch(['reconnectGraceSec'], () => (heard += 1))
    settings.adopt({ fontSize: 20 })
    expect(heard).toBe(0)
    settings.adopt({ fontSize: 20, reconnectGraceSec: 0 })
    expect(heard).toBe(1)
    stop()
    settings.adopt({})
    expect(heard).toBe(1)
  })

  it('keeps the last valid state and names each field that is wrong', () => {
    const settings = store()
    settings.adopt({ maxSessions: 8 })
    expect(() => settings.adopt({ maxSessions: 99, fontSize: 'big', typo: 1 })).toThrow(
      expect.objectContaining({
        code: 'SETTINGS_INVALID',
        message: expect.stringMatching(/maxSessions.*fontSize.*unknown setting typo/s) as unknown,
      }),
    )
    expect(settings.current.maxSessions).toBe(8)
  })

  it.each([null, undefined, 1, 'x', []])('refuses %j as a whole', (candidate) => {
    expect(() => parseSettings(candidate)).toThrow(expect.objectContaining({ code: 'SETTINGS_INVALID' }))
  })

  it('cannot be changed from outside nor through __proto__', () => {
    const settings = store()
    settings.adopt({ maxSessions: 5 })
    expect(() => {
      ;(settings.current as { maxSessions: number }).maxSessions = 16
    }).toThrow(TypeError)
    expect(() => settings.adopt(JSON.parse('{"__proto__": {"maxSessions": 16}}'))).toThrow(/unknown setting __proto__/)
    expect(settings.current.maxSessions).toBe(5)
    expect(({} as Record<string, unknown>)['maxSessions']).toBeUndefined()
  })

  it('gives clients their share and no more', () => {
    const settings = store()
    settings.adopt({ shell: '/secret/shell', fontSize: 20 })
    expect(clientSettingsSchema.parse(settings.forClients).fontSize).toBe(20)
    expect(JSON.stringify(settings.forClients)).not.toContain('secret')
  })
})
