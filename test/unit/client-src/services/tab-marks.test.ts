import { expect, it } from 'vitest'
import { KnownCommands } from '../../../../client-src/services/tab-marks.ts'
import type { CommandRecord } from '../../../../protocol-src/command.ts'

const record = (facts: Partial<CommandRecord> = {}): CommandRecord => ({
  id: 1,
  text: 'make',
  truncated: false,
  cwd: '/work',
  startedAt: 1000,
  endedAt: null,
  exitCode: null,
  outputFrom: 10,
  outputTo: null,
  promptAt: 0,
  ...facts,
})
const shown = (outcome: 'running' | 'unknown' | number, id = 1) => ({ id, outcome, row: 2, hasOutput: true })

const known = (...records: CommandRecord[]): KnownCommands => {
  const commands = new KnownCommands()
  commands.take(records)
  return commands
}

it('joins where a command is with what the host knows of it', () => {
  const commands = known(record({ endedAt: 3500, exitCode: 2 }))
  expect(commands.modelOf(shown(2), false)).toEqual({
    id: 1,
    row: 2,
    outcome: 2,
    hasOutput: true,
    text: 'make',
    isCut: false,
    cwd: '/work',
    startedAt: 1000,
    durationMs: 2500,
  })
})

it('shows nothing that the host does not confirm, or that it says otherwise', () => {
  const commands = known(record({ endedAt: 3500, exitCode: 2 }))
  expect(commands.has(2)).toBe(false)
  expect(commands.modelOf(shown(0, 2), false)).toBeUndefined()
  expect(commands.modelOf(shown(0), false)).toBeUndefined()
  expect(commands.modelOf(shown('unknown'), false)).toBeUndefined()
})

it('waits for the other half of what it hears: the end on the terminal, or the record', () => {
  const commands = known(record())
  expect(commands.modelOf(shown('running'), false)).toMatchObject({ outcome: 'running', durationMs: null })
  expect(commands.modelOf(shown(0), false)).toMatchObject({ outcome: 0, durationMs: null })
  commands.take([record({ endedAt: 900, exitCode: 0 })])
  expect(commands.modelOf(shown('running'), false)).toMatchObject({ outcome: 'running' })
  // A clock that was set back.
  expect(commands.modelOf(shown(0), false)).toMatchObject({ durationMs: 0 })
})

it('says unknown of what ran when the shell ended, and of what the host saw end without a code', () => {
  expect(known(record({ endedAt: 2000 })).modelOf(shown(0), false)).toMatchObject({ outcome: 'unknown' })
  expect(known(record()).modelOf(shown('running'), true)).toMatchObject({ outcome: 'unknown' })
})

it('knows which command ended last of those it heard end, and not of those that were over', () => {
  const commands = known(record({ endedAt: 3500, exitCode: 2 }))
  expect(commands.lastEnded).toBeNull()
  commands.hear(record({ id: 2 }))
  expect(commands.lastEnded).toBeNull()
  commands.hear(record({ id: 2, endedAt: 4000, exitCode: 0 }))
  expect(commands.lastEnded).toMatchObject({ id: 2, exitCode: 0 })
})

it('gives the text of a command as a whole, or not at all', () => {
  const commands = known(record(), record({ id: 2, truncated: true }))
  expect([commands.wholeText(1), commands.wholeText(2), commands.wholeText(3)]).toEqual(['make', null, null])
})
