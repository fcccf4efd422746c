/** A run of stages: each prints its name, duration and verdict; all run even when one fails; the totals come last. */

/** What one stage found. */
export interface StageResult {
  passed: number
  failed: number
  /** Shown whole when the stage failed. */
  output: string
}

/** One thing to check. A rejection counts as one failure. */
export interface Stage {
  name: string
  run(): Promise<StageResult>
}

/** Sums of all stages. */
export interface Totals {
  passed: number
  failed: number
}

/** A stage that either passes or fails as one. */
export const single = (name: string, check: () => Promise<{ ok: boolean; output: string }>): Stage => ({
  name,
  run: async () => {
    const { ok, output } = await check()
    return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, output }
  },
})

/** Runs the stages one after the other. @param print gets whole lines */
export const runStages = async (stages: readonly Stage[], print: (line: string) => void): Promise<Totals> => {
  const totals: Totals = { passed: 0, failed: 0 }
  for (const stage of stages) {
    print(`• ${stage.name} …`)
    const started = performance.now()
    const result = await runStage(stage)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    totals.passed += result.passed
    totals.failed += result.failed
    const isGreen = result.failed === 0
    if (!isGreen) print(result.output.trimEnd())
    print(`${isGreen ? '✓' : '✗'} ${stage.name} · ${seconds} s · ${result.passed} passed, ${result.failed} failed`)
  }
  return totals
}

const runStage = async (stage: Stage): Promise<StageResult> => {
  try {
    return await stage.run()
  } catch (error) {
    const output = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { passed: 0, failed: 1, output }
  }
}

/** The line that ends a run, and the exit code that goes with it. A run without a single test has failed. */
export const verdict = ({ passed, failed }: Totals): { line: string; exitCode: number } => {
  const counted = passed + failed === 0 ? { passed, failed: 1 } : { passed, failed }
  return {
    line: `${counted.passed} passed, ${counted.failed} failed`,
    exitCode: counted.failed === 0 ? 0 : 1,
  }
}
