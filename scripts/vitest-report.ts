/** Counts what vitest's JSON reporter wrote. A test that did not run is a failed one. */

/** The parts of the report that are counted. */
export interface VitestReport {
  testResults: readonly {
    name: string
    status: string
    message?: string
    assertionResults: readonly { status: string; fullName: string }[]
  }[]
}

/** Passed and failed tests, and why tests that did not run count as failed. */
export interface Tally {
  passed: number
  failed: number
  /** Sentences for what vitest itself does not report as a failure. */
  notes: string[]
}

/**
 * @param report the parsed report, or null when vitest left none
 * @param exitCode of the vitest process; a non-zero one without a failed test (an error outside any test) is one failure
 */
export const tallyVitest = (report: VitestReport | null, exitCode: number | null): Tally => {
  if (report === null) return { passed: 0, failed: 1, notes: ['vitest left no result'] }
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const passed = tests.filter(({ status }) => status === 'passed').length
  const failedTests = tests.filter(({ status }) => status === 'failed').length
  const notRun = tests.filter(({ status }) => status !== 'passed' && status !== 'failed')
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) ||
      assertionResults.length === 0,
  )
  const notes = [
    ...notRun.map(({ status, fullName }) => `did not run (${status}): ${fullName}`),
    ...brokenFiles.map(({ name }) => `no test of this file ran to its end: ${name}`),
  ]
  const counted = failedTests + notRun.length + brokenFiles.length
  if (tests.length === 0 && counted === 0) return { passed: 0, failed: 1, notes: ['no test was found'] }
  if (exitCode !== 0 && counted === 0) {
    return { passed, failed: 1, notes: [`vitest ended with ${exitCode ?? 'a signal'} although every test passed`] }
  }
  return { passed, failed: counted, notes }
}
