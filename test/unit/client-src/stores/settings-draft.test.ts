import { describe, expect, it, vi } from 'vitest'
import type { SettingValue } from '../../../../protocol-src/setting-fields.ts'
import { DEFAULT_SETTINGS, SETTING_KEYS, type SettingKey } from '../../../../protocol-src/settings.ts'
import {
  SettingsDraft,
  type FieldState,
  type HostSettings,
  type SaveAnswer,
  type SettingEdit,
} from '../../../../client-src/stores/settings-draft.ts'
import { createStore } from '../../../../client-src/stores/store.ts'

type User = Partial<Record<SettingKey, SettingValue>>

/** A host that keeps what it is told, unless it is told how to answer. */
class FakeHost {
  readonly settings = createStore<HostSettings | null>(null)
  readonly saves: (readonly SettingEdit[])[] = []
  answers: (() => SaveAnswer | Promise<SaveAnswer>)[] = []
  user: User = {}

  constructor(user: User = {}) {
    this.put(user)
  }

  put(user: User, isWritable = true): void {
    this.user = user
    const defaults = new Map<SettingKey, SettingValue>(SETTING_KEYS.map((key) => [key, DEFAULT_SETTINGS[key]]))
    this.settings.set({
      inForce: new Map([...defaults, ...(Object.entries(user) as [SettingKey, SettingValue][])]),
      own: new Set(Object.keys(user) as SettingKey[]),
      inherited: defaults,
      isWritable,
    })
  }

  async save(edits: readonly SettingEdit[]): Promise<SaveAnswer> {
    this.saves.push(edits)
    const answer = this.answers.shift()
    if (answer !== undefined) return answer()
    const next: User = { ...this.user }
    for (const edit of edits)
      if (edit.op === 'set') next[edit.key] = edit.value
      else delete next[edit.key]
    this.put(next)
    return { kind: 'saved' }
  }
}

const start = (user: User = {}) => {
  const host = new FakeHost(user)
  const draft = new SettingsDraft(host)
  const form = () => {
    const now = draft.getSnapshot()
    if (now === null) throw new Error('no form')
    return now
  }
  const field = (key: SettingKey): FieldState => {
    const state = form().fields.get(key)
    if (state === undefined) throw new Error(`no field ${key}`)
    return state
  }
  return { host, draft, form, field }
}

describe('the settings form', () => {
  it('is not there while the host serves no settings', () => {
    const { host, draft } = start()
    host.settings.set(null)
    expect(draft.getSnapshot()).toBeNull()
  })

  it('shows what is in force, with a field for every setting', () => {
    const { form, field } = start({ fontSize: 18 })
    expect([...form().fields.keys()]).toEqual(SETTING_KEYS)
    expect(field('fontSize')).toMatchObject({ input: '18', isOwn: true, isEdited: false, inherited: 13 })
    expect(field('cursorBlink')).toMatchObject({ input: true, isOwn: false })
    expect(form()).toMatchObject({ unsaved: 0, firstInvalid: null, outcome: null })
  })

  it('holds edits until they are saved, writes them in one go, and then shows the host’s answer', async () => {
    const { host, draft, form, field } = start({ term: 'xterm' })
    draft.edit('fontSize', ' 15 ')
    draft.edit('cursorBlink', false)
    draft.reset('term')
    expect(form().unsaved).toBe(3)
    expect(field('term')).toMatchObject({ input: 'xterm-256color', isOwn: false, isEdited: true })
    expect(host.saves).toEqual([])
    await draft.save()
    expect(host.saves).toEqual([
      [
        { op: 'set', key: 'fontSize', value: 15 },
        { op: 'set', key: 'cursorBlink', value: false },
        { op: 'unset', key: 'term' },
      ],
    ])
    expect(host.user).toEqual({ fontSize: 15, cursorBlink: false })
    expect(field('fontSize')).toMatchObject({ input: '15', isEdited: false, isOwn: true })
    expect(form()).toMatchObject({ unsaved: 0, outcome: { kind: 'saved', applies: new Set(['live', 'next']) } })
  })

  it('has nothing to save when an edit is taken back', async () => {
    const { host, draft, form } = start()
    draft.edit('fontSize', '14')
    draft.edit('fontSize', '13')
    expect(form().unsaved).toBe(0)
    draft.edit('fontSize', '013')
    expect(form().unsaved).toBe(0)
    await draft.save()
    expect(host.saves).toEqual([])
  })

  it.each(['', '7', '33', '13.5', '1e1', 'x', '+13'])(
    'does not save a font size of "%s", and keeps it',
    async (text) => {
      const { host, draft, form, field } = start()
      draft.edit('fontSize', text)
      expect(field('fontSize')).toMatchObject({ input: text, isInvalid: true })
      expect(form()).toMatchObject({ unsaved: 1, firstInvalid: 'fontSize' })
      await draft.save()
      expect(host.saves).toEqual([])
      expect(field('fontSize').input).toBe(text)
      draft.discard()
      expect(field('fontSize')).toMatchObject({ input: '13', isInvalid: false })
    },
  )

  it('goes back from an invalid text by a reset', () => {
    const { draft, form, field } = start()
    draft.edit('fontSize', 'x')
    draft.reset('fontSize')
    expect(field('fontSize').input).toBe('13')
    expect(form().unsaved).toBe(0)
  })

  it('resets what the user set, and nothing else', async () => {
    const { host, draft, form } = start({ fontSize: 13, shell: '/bin/sh' })
    draft.edit('term', 'vt100')
    draft.resetAll()
    // Setting a default is a choice of the user's, too.
    expect(form().unsaved).toBe(2)
    await draft.save()
    expect(host.saves[0]?.map(({ op, key }) => `${op} ${key}`).toSorted()).toEqual(['unset fontSize', 'unset shell'])
    expect(host.user).toEqual({})
  })

  it('takes no edits where the host takes none', () => {
    const { host, draft, form, field } = start()
    host.put({ fontSize: 20 }, false)
    draft.edit('fontSize', '21')
    draft.reset('fontSize')
    expect(field('fontSize').input).toBe('20')
    expect(form()).toMatchObject({ isWritable: false, unsaved: 0 })
  })

  it('follows a change from elsewhere', () => {
    const { host, form, field } = start()
    host.put({ fontSize: 20 })
    expect(field('fontSize')).toMatchObject({ input: '20', isOwn: true, isMovedElsewhere: false })
    expect(form().unsaved).toBe(0)
  })

  it('shows a change from elsewhere under an edit, and loses neither', async () => {
    const { host, draft, field } = start()
    draft.edit('fontSize', '15')
    draft.edit('term', 'vt100')
    host.put({ fontSize: 20 })
    expect(field('fontSize')).toMatchObject({ input: '15', inForce: 20, isMovedElsewhere: true, isEdited: true })
    expect(field('term')).toMatchObject({ input: 'vt100', isMovedElsewhere: false })
    draft.edit('fontSize', '16')
    expect(field('fontSize')).toMatchObject({ input: '16', isMovedElsewhere: true })
    draft.drop('fontSize')
    expect(field('fontSize')).toMatchObject({ input: '20', isMovedElsewhere: false })
    await draft.save()
    expect(host.user).toEqual({ fontSize: 20, term: 'vt100' })
  })

  it('forgets an edit that somebody else has saved', () => {
    const { host, draft, form, field } = start()
    draft.edit('fontSize', '15')
    host.put({ fontSize: 15 })
    expect(form().unsaved).toBe(0)
    host.put({ fontSize: 16 })
    expect(field('fontSize')).toMatchObject({ input: '16', isEdited: false })
  })

  it('saves again by itself when somebody else saved other fields in between', async () => {
    const { host, draft, form } = start()
    draft.edit('fontSize', '15')
    host.answers = [
      () => {
        host.put({ term: 'vt100' })
        return { kind: 'moved' }
      },
    ]
    await draft.save()
    expect(host.user).toEqual({ term: 'vt100', fontSize: 15 })
    expect(form().outcome).toMatchObject({ kind: 'saved' })
  })

  it('asks the person when somebody else saved the same field in between', async () => {
    const { host, draft, form, field } = start()
    draft.edit('fontSize', '15')
    host.answers = [
      () => {
        host.put({ fontSize: 20 })
        return { kind: 'moved' }
      },
    ]
    await draft.save()
    expect(host.saves).toHaveLength(1)
    expect(form().outcome).toEqual({ kind: 'moved' })
    expect(field('fontSize')).toMatchObject({ input: '15', inForce: 20, isMovedElsewhere: true })
    await draft.save()
    expect(host.user).toEqual({ fontSize: 15 })
  })

  it('gives up on a host that says for ever that somebody saved', async () => {
    const { host, draft, form } = start()
    draft.edit('fontSize', '15')
    host.answers = Array.from({ length: 9 }, () => () => ({ kind: 'moved' }))
    await draft.save()
    expect(host.saves).toHaveLength(3)
    expect(form()).toMatchObject({ unsaved: 1, outcome: { kind: 'moved' } })
  })

  it('names the fields that the host refuses, and keeps what was typed', async () => {
    const { host, draft, form, field } = start()
    draft.edit('fontSize', '15')
    draft.edit('term', 'vt100')
    host.answers = [() => ({ kind: 'refused', reason: 'not valid (term: no such terminal)' })]
    await draft.save()
    expect(form()).toMatchObject({ unsaved: 2, isSaving: false, outcome: { kind: 'refused' } })
    expect(field('term')).toMatchObject({ input: 'vt100', isRefused: true })
    expect(field('fontSize')).toMatchObject({ input: '15', isRefused: false })
    draft.edit('term', 'vt102')
    expect(field('term').isRefused).toBe(false)
    expect(form().outcome).toBeNull()
  })

  it('does not know what became of a save that got no answer', async () => {
    const { host, draft, form, field } = start()
    draft.edit('fontSize', '15')
    host.answers = [() => Promise.reject(new Error('the line is cut'))]
    await draft.save()
    expect(form()).toMatchObject({ unsaved: 1, isSaving: false, outcome: { kind: 'unreachable' } })
    expect(field('fontSize').input).toBe('15')
  })

  it('shows what the host made of a value, and that it is another one', async () => {
    const { host, draft, form, field } = start()
    draft.edit('maxSessions', '9')
    host.answers = [
      () => {
        host.put({ maxSessions: 6 })
        return { kind: 'saved' }
      },
    ]
    await draft.save()
    expect(field('maxSessions')).toMatchObject({ input: '6', isAnsweredOtherwise: true, isEdited: false })
    draft.edit('maxSessions', '5')
    expect(field('maxSessions').isAnsweredOtherwise).toBe(false)
    expect(form().unsaved).toBe(1)
  })

  it('keeps what is typed while a save is on its way, and saves once', async () => {
    const { host, draft, form, field } = start()
    draft.edit('fontSize', '15')
    let resolve = (_answer: SaveAnswer): void => {}
    const promise = new Promise<SaveAnswer>((settle) => {
      resolve = settle
    })
    host.answers = [() => promise]
    const saved = draft.save()
    expect(form().isSaving).toBe(true)
    draft.edit('fontSize', '16')
    draft.edit('term', 'vt100')
    await draft.save()
    expect(host.saves).toHaveLength(1)
    host.put({ fontSize: 15 })
    expect(field('fontSize').isMovedElsewhere).toBe(false)
    resolve({ kind: 'saved' })
    await saved
    expect(field('fontSize')).toMatchObject({ input: '16', inForce: 15, isEdited: true, isMovedElsewhere: false })
    expect(form()).toMatchObject({ unsaved: 2, isSaving: false })
  })

  it('leaves out what the host does not know', () => {
    const { host, form } = start()
    const { inForce, ...rest } = host.settings.getSnapshot() as HostSettings
    host.settings.set({ ...rest, inForce: new Map([...inForce].filter(([key]) => key !== 'shell')) })
    expect(form().fields.has('shell')).toBe(false)
    expect(form().fields.has('term')).toBe(true)
  })

  it('tells its listeners, until it is disposed', () => {
    const { host, draft } = start()
    const listener = vi.fn()
    draft.subscribe(listener)
    draft.edit('fontSize', '15')
    expect(listener).toHaveBeenCalledTimes(1)
    draft.dispose()
    host.put({ fontSize: 20 })
    expect(listener).toHaveBeenCalledTimes(1)
  })
})
