import { describe, expect, it } from 'vitest'
import { runStages, single, verdict, type Stage } from '../../../scripts/stage.ts'
import { tallyVitest, type VitestReport } from '../../../scripts/vitest-report.ts'

const file = (name: string, ...statuses: string[]): VitestReport['testResults'][number] => ({
  name,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  assertionResults: statuses.map((status, at) => ({ status, fullName: `${name} ${at}` })),
})

describe('totals of a vitest run', () => {
  it('counts passed and failed tests over all files', () => {
    const report = { testResults: [file('a', 'passed', 'failed'), file('b', 'passed', 'passed')] }
    expect(tallyVitest(report, 1)).toEqual({ passed: 3, failed: 1, notes: [] })
  })

  it.each(['skipped', 'pending', 'todo', 'disabled'])('counts a %s test as failed', (status) => {
    const report = { testResults: [file('a', 'passed', status)] }
    expect(tallyVitest(report, 0)).toEqual({ passed: 1, failed: 1, notes: [`did not run (${status}): a 1`] })
  })

  it('counts a file that could not be loaded as one failure', () => {
    const broken = { name: 'broken', status: 'failed', message: 'SyntaxError', assertionResults: [] }
    expect(tallyVitest({ testResults: [broken, file('a', 'passed')] }, 1)).toMatchObject({ passed: 1, failed: 1 })
  })

  it('counts a file whose hook failed after green tests as one failure', () => {
    const broken = { ...file('a', 'passed'), status: 'failed' }
    expect(tallyVitest({ testResults: [broken] }, 1)).toMatchObject({ passed: 1, failed: 1 })
  })

  it('counts a run without a report or without tests as failed', () => {
    expect(tallyVitest(null, 0)).toMatchObject({ passed: 0, failed: 1 })
    expect(tallyVitest({ testResults: [] }, 0)).toMatchObject({ passed: 0, failed: 1 })
  })

  it('does not trust green tests when vitest itself failed', () => {
    expect(tallyVitest({ testResults: [file('a', 'passed')] }, 1)).toMatchObject({ passed: 1, failed: 1 })
    expect(tallyVitest({ testResults: [file('a', 'passed')] }, null)).toMatchObject({ failed: 1 })
  })
})

describe('a run of stages', () => {
  const stage = (name: string, passed: number, failed: number): Stage => ({
    name,
    run: async () => ({ passed, failed, output: `${name}: output` }),
  })

  it('runs every stage, sums up, and shows the output of failing stages only', async () => {
    const lines: string[] = []
    const boom: Stage = { name: 'boom', run: () => Promise.reject(new Error('no such tool')) }
    const stages = [
      stage('bad', 1, 2),
      boom,
      single('one', async () => ({ ok: true, output: 'quiet' })),
      stage('good', 4, 0),
    ]
    expect(await runStages(stages, (line) => lines.push(line))).toEqual({ passed: 6, failed: 3 })
    const text = lines.join('\n')
    expect(text).toContain('bad: output')
    expect(text).toContain('no such tool')
    expect(text).not.toContain('quiet')
    expect(text).not.toContain('good: output')
    expect(text).toMatch(/✗ bad · \d+\.\d s · 1 passed, 2 failed/)
    expect(text).toMatch(/✓ good · \d+\.\d s · 4 passed, 0 failed/)
  })

  it('ends with exit code 0 only when something passed and nothing failed', () => {
    expect(verdict({ passed: 3, failed: 0 })).toEqual({ line: '3 passed, 0 failed', exitCode: 0 })
    expect(verdict({ passed: 3, failed: 1 })).toEqual({ line: '3 passed, 1 failed', exitCode: 1 })
    expect(verdict({ passed: 0, failed: 0 })).toEqual({ line: '0 passed, 1 failed', exitCode: 1 })
  })
})
