/** The four kinds of tests; each folder's rules are in docs/architecture.md. */
import { defineConfig } from 'vitest/config'

const SECOND = 1000
const FAULT_TESTS = 'test/faults/**/*.faults.test.ts'

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.{ts,tsx}'],
          pool: 'threads',
          testTimeout: 10 * SECOND,
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['test/contract/**/*.contract.test.{ts,tsx}'],
          pool: 'forks',
          testTimeout: 20 * SECOND,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.integration.test.{ts,tsx}', FAULT_TESTS],
          pool: 'forks',
          testTimeout: 60 * SECOND,
          hookTimeout: 60 * SECOND,
          globalSetup: ['test/support/prepare-host.ts'],
        },
      },
      {
        extends: true,
        test: {
          // The fault tests once more, at their full size; not part of `npm test`.
          name: 'soak',
          include: [FAULT_TESTS],
          pool: 'forks',
          fileParallelism: false,
          env: { TEST_FAULTS: 'full' },
          hookTimeout: 60 * SECOND,
          globalSetup: ['test/support/prepare-host.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.e2e.test.{ts,tsx}'],
          // One host and one browser at a time: timings on a small machine would otherwise say nothing.
          pool: 'forks',
          fileParallelism: false,
          testTimeout: 120 * SECOND,
          hookTimeout: 120 * SECOND,
          globalSetup: ['test/support/prepare-host.ts'],
        },
      },
    ],
    // React components load CSS Modules; their names stay readable in tests.
    css: { include: [/\.module\.css$/], modules: { classNameStrategy: 'non-scoped' } },
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
  },
})
