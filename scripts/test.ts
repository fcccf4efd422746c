/** `npm test`: everything. The last line is `N passed, N failed`. */
import { runStages, verdict } from './stage.ts'
import { ALL_STAGES } from './stages.ts'
import { runMain } from './user-error.ts'

runMain(async () => {
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  const { line, exitCode } = verdict(await runStages(ALL_STAGES, print))
  print(line)
  process.exitCode = exitCode
})
