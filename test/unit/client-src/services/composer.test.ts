import { expect, it } from 'vitest'
import { compose } from '../../../../client-src/services/composer.ts'

const app = ({ draft = '', phase = 'plain', current = 'c1' as string | null, takes = true } = {}) => {
  const box = { draft }
  const services: Record<string, unknown> = {
    sessions: { list: { getSnapshot: () => (current === null ? {} : { current }) }, scope: (id: string) => ({ id }) },
    conversation: {
      input: {
        for: () => ({
          state: { getSnapshot: () => ({ draft: box.draft, phase }) },
          setDraft: (text: string) => {
            if (takes) box.draft = text
          },
        }),
      },
    },
  }
  return { box, services, get: (name: string) => services[name] }
}

it('puts text into the box, after what a person wrote', () => {
  const empty = app()
  expect(compose(empty, 'why?')).toBe(true)
  expect(empty.box.draft).toBe('why?')
  const written = app({ draft: 'Hello.\n' })
  expect(compose(written, 'why?')).toBe(true)
  expect(written.box.draft).toBe('Hello.\n\nwhy?')
})

it.each([
  ['no conversation is on screen', app({ current: null })],
  ['the box is sending', app({ phase: 'submitting' })],
  ['the box takes nothing', app({ takes: false })],
  ['the app has no such service', { get: () => undefined }],
  ['the app is another one', { get: () => ({ input: {}, list: { getSnapshot: () => ({ current: 'c1' }) } }) }],
])('says no when %s', (_, services) => {
  expect(compose(services, 'why?')).toBe(false)
})
