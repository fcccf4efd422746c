/** `npm run check`: the part of the tests that takes seconds. */
import { runStages, verdict } from './stage.ts'
import { FAST_STAGES } from './stages.ts'
import { runMain } from './user-error.ts'

runMain(async () => {
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  const { line, exitCode } = verdict(await runStages(FAST_STAGES, print))
  print(line)
  process.exitCode = exitCode
})
