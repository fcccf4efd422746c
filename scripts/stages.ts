/** The list of everything that is checked, in the order in which it runs. */
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { build } from './build.ts'
import { boundaryProblems, checkBoundaries } from './check-boundaries.ts'
import { checkBundle } from './check-bundle.ts'
import { checkLedgers } from './check-ledgers.ts'
import { checkPackage } from './check-package.ts'
import { runCommand } from './command.ts'
import { ensureDebianPackages } from './debian-packages.ts'
import { ensureDshHost } from './dsh-host.ts'
import { staleDocuments } from './gen-docs.ts'
import { inRoot } from './project.ts'
import { single, type Stage } from './stage.ts'
import { describeError } from './user-error.ts'
import { tallyVitest, type VitestReport } from './vitest-report.ts'

const VITEST_PROJECTS = ['unit', 'contract', 'integration', 'e2e', 'e2e-alone'] as const
type VitestProject = (typeof VITEST_PROJECTS)[number]

const program = (name: string, command: string, args: readonly string[]): Stage =>
  single(name, async () => {
    const { code, output } = await runCommand(command, args)
    return { ok: code === 0, output }
  })

/** Fails when `check` rejects, and shows a person's sentence rather than a stack. */
const effect = (name: string, check: () => Promise<unknown>): Stage =>
  single(name, async () => {
    try {
      await check()
      return { ok: true, output: '' }
    } catch (error) {
      return { ok: false, output: describeError(error) }
    }
  })

/** Fails when there are problems. */
const problems = (name: string, find: () => Promise<readonly string[]>): Stage =>
  single(name, async () => {
    const found = await find()
    return { ok: found.length === 0, output: found.join('\n') }
  })

const vitest = (project: VitestProject): Stage => ({
  name: `${project} tests`,
  run: async () => {
    const outputFile = inRoot('.cache', 'vitest', `${project}.json`)
    await rm(outputFile, { force: true })
    const { code, output } = await runCommand('vitest', [
      'run',
      ...['--project', project],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`],
    ])
    const report = existsSync(outputFile) ? (JSON.parse(await readFile(outputFile, 'utf8')) as VitestReport) : null
    const { passed, failed, notes } = tallyVitest(report, code)
    return { passed, failed, output: [output.trimEnd(), ...notes].join('\n') }
  },
})

const TYPES = program('types', 'tsc', ['-b'])
const FORMAT = program('format', 'oxfmt', ['--check'])
const LINT = program('lint', 'oxlint', ['--type-aware', '--report-unused-disable-directives'])
const BOUNDARIES = problems('import boundaries', async () => boundaryProblems(await checkBoundaries()))
const DOCUMENTS = problems('generated documents', staleDocuments)
const DEAD_CODE = program('dead code', 'knip', ['--no-progress'])

/** What `npm run check` does: no build, no host, no browser. */
export const FAST_STAGES: readonly Stage[] = [
  TYPES,
  FORMAT,
  LINT,
  BOUNDARIES,
  DOCUMENTS,
  DEAD_CODE,
  vitest('unit'),
  vitest('contract'),
]

/** What `npm test` does. */
export const ALL_STAGES: readonly Stage[] = [
  effect('needed programs', () => ensureDebianPackages()),
  TYPES,
  FORMAT,
  LINT,
  BOUNDARIES,
  DOCUMENTS,
  DEAD_CODE,
  effect('build', () => build()),
  effect('DSH host', () => ensureDshHost()),
  problems('client bundle', async () => (await checkBundle()).problems),
  problems('package', checkPackage),
  problems('ledgers', checkLedgers),
  ...VITEST_PROJECTS.map(vitest),
]
