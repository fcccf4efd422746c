/** Checks who imports whom against .dependency-cruiser.cjs, and that the check saw the sources at all. */
import { runCommand } from './command.ts'
import { inRoot, isMain, ROOT } from './project.ts'
import { runMain, UserError } from './user-error.ts'

/** The source roots. */
export const SOURCE_ROOTS = ['protocol-src', 'screen-src', 'host-src', 'client-src'] as const

/** One forbidden import. */
export interface Violation {
  rule: string
  from: string
  to: string
}

/** What the check saw. */
export interface BoundaryReport {
  violations: Violation[]
  /** Modules seen, by source root. A root with none means that the check looked at nothing. */
  modules: Record<(typeof SOURCE_ROOTS)[number], number>
}

interface CruiseResult {
  modules: { source: string }[]
  summary: { violations: { rule: { name: string }; from: string; to: string }[] }
}

/** @param checkout folder with the source roots, the cruiser's configuration and node_modules */
export const checkBoundaries = async (checkout: string = ROOT): Promise<BoundaryReport> => {
  const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...SOURCE_ROOTS]
  const { stdout, output } = await runCommand(inRoot('node_modules', '.bin', 'depcruise'), args, { cwd: checkout })
  if (!stdout.startsWith('{')) throw new UserError(`The import check did not run:\n${output}`)
  const { modules, summary } = JSON.parse(stdout) as CruiseResult
  const count = (root: string): number =>
    modules.filter(({ source }) => source.startsWith(`${root}/`) && !source.endsWith('.d.ts')).length
  return {
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
    modules: {
      'protocol-src': count('protocol-src'),
      'screen-src': count('screen-src'),
      'host-src': count('host-src'),
      'client-src': count('client-src'),
    },
  }
}

/** Sentences about what is wrong; empty when nothing is. */
export const boundaryProblems = ({ violations, modules }: BoundaryReport): string[] => [
  ...violations.map(({ rule, from, to }) => `${from} imports ${to}: ${rule}`),
  ...SOURCE_ROOTS.filter((root) => modules[root] === 0).map(
    (root) => `${root}: no module was seen, so nothing was checked`,
  ),
]

if (isMain(import.meta.url)) {
  runMain(async () => {
    const report = await checkBoundaries()
    const problems = boundaryProblems(report)
    if (problems.length > 0) throw new UserError(problems.join('\n'))
    const seen = SOURCE_ROOTS.map((root) => `${root} ${report.modules[root]}`).join(', ')
    process.stdout.write(`modules seen: ${seen}\n`)
  })
}
