import { describe, expect, it } from 'vitest'
import { defectProblems, roadmapIds, roadmapProblems, todoProblems } from '../../../scripts/check-ledgers.ts'

const DEFECTS = `# Defects

| id | severity | status | symptom | area | test |
| -- | -------- | ------ | ------- | ---- | ---- |
| D002 | S1 | open | bytes are lost | sessions | — |
| D001 | S2 | fixed | half an escape on the first line | terminal | screen.test.ts |

### D002 · S1 · open — bytes are lost
Symptom:  output ends early

### D001 · S2 · fixed — half an escape on the first line
Symptom:  reattach
Guard:    test/unit/terminal/screen.test.ts › "snapshot starts at a safe boundary" — seen red: yes
Family:   truncation
`
const TESTS: Record<string, string> = {
  'test/unit/terminal/screen.test.ts': `it('snapshot starts at a safe boundary', () => {})`,
}
const check = (text: string): string[] => defectProblems(text, (path) => TESTS[path] ?? null)

describe('DEFECTS.md', () => {
  it('may be in order', () => {
    expect(check(DEFECTS)).toEqual([])
  })

  it.each([
    ['a guard that does not exist', /screen\.test\.ts ›/, 'gone.test.ts ›', /guard .*gone\.test\.ts does not exist/],
    ['a guard without that title', /a safe boundary/, 'a wall', /has no test "snapshot starts at a wall"/],
    ['a guard never seen red', /seen red: yes/, 'seen red: no', /D001 is fixed and has no line: Guard/],
    ['a status on which table and block differ', /D001 · S2 · fixed/, 'D001 · S2 · open', /the table says S2 fixed/],
    ['an id used twice', /\| D002 \| S1/, '| D001 | S1', /D001 is in the table twice/],
    ['an open defect without a block', /### D002[\s\S]*?\n\n/, '', /D002 is open and has no block/],
    ['a block without a row', /\| D001 .*\n/, '', /D001 has a block but no row/],
    ['an unknown status', /open \| bytes/, 'maybe | bytes', /"maybe" is no status/],
    ['an unknown severity', /S1 \| open/, 'bad | open', /"bad" is no severity/],
    ['a heading of another form', /### D002 · S1 · open —/, '### D002 (S1)', /block headings are not/],
  ])('may not have %s', (_what, pattern, replacement, problem) => {
    expect(check(DEFECTS.replace(pattern, replacement)).join('\n')).toMatch(problem)
  })
})

const ROADMAP = `# Roadmap

## Now
- R01 · a terminal opens · typing echoes · client-src · M
- R02 · it survives a reload · the screen is the same · sessions · M

## Next
- R03 · ssh · a host answers · ssh · L

## Later
- R104 · sftp · a file arrives · sftp · L

## Not doing (why)
- a tiling window manager: tmux is there
`

describe('ROADMAP.md', () => {
  it('may be in order', () => {
    expect(roadmapProblems(ROADMAP)).toEqual([])
    expect(roadmapIds(ROADMAP)).toEqual(['R01', 'R02', 'R03', 'R104'])
  })

  it.each([
    ['an id twice', /R03/, 'R01', /R01 is there twice/],
    ['an item without its acceptance check', / · a host answers/, '', /is not "R07 · outcome/],
    ['no section Later', /## Later/, '## Someday', /no section "## Later"/],
    [
      'six items in Now',
      /## Next/,
      '- R11 · a · b · c · S\n'.repeat(4).replaceAll(/R11/g, 'R12') + '## Next',
      /Now has 6/,
    ],
  ])('may not have %s', (_what, pattern, replacement, problem) => {
    expect(roadmapProblems(ROADMAP.replace(pattern, replacement)).join('\n')).toMatch(problem)
  })
})

describe('TODO marks', () => {
  it('name an item of the roadmap', () => {
    expect(todoProblems('a.ts', '// TODO(R01): faster', ['R01'])).toEqual([])
    expect(todoProblems('a.ts', '// fine\n// TODO: faster', ['R01'])).toEqual([
      'a.ts:2: a TODO must name its roadmap item: TODO(R07)',
    ])
    expect(todoProblems('a.ts', '// TODO(R09): faster', ['R01'])).toEqual(['a.ts:1: R09 is not in ROADMAP.md'])
  })
})
