/** The kinds of tests; each folder's rules are in docs/architecture.md. */
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
          include: ['test/e2e/*.e2e.test.{ts,tsx}'],
          // Two browsers on a small machine can starve each other; what fails twice is wrong.
          retry: 1,
          // Each file has hosts, browsers, ports and folders of its own; most of the time it waits for them.
          pool: 'forks',
          maxWorkers: 2,
          testTimeout: 240 * SECOND,
          hookTimeout: 120 * SECOND,
          globalSetup: ['test/support/prepare-host.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          // What builds lib/ anew: nobody else may load it meanwhile.
          name: 'e2e-alone',
          include: ['test/e2e/alone/*.e2e.test.ts'],
          pool: 'forks',
          fileParallelism: false,
          testTimeout: 120 * SECOND,
          hookTimeout: 120 * SECOND,
          globalSetup: ['test/support/prepare-host.ts'],
          sequence: { groupOrder: 1 },
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
