import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boundaryProblems, checkBoundaries, type BoundaryReport } from '../../../scripts/check-boundaries.ts'
import { inRoot } from '../../../scripts/project.ts'

/** A house in which each file breaks one rule, beside files that break none. */
const HOUSE: Record<string, string> = {
  'protocol-src/ids.ts': `export const id = 1`,
  'protocol-src/leaky.ts': `import { readFileSync } from 'node:fs'\nexport const leak = readFileSync`,
  'host-src/base/async.ts': `import { id } from '../../protocol-src/ids.ts'\nexport const wait = id`,
  'host-src/base/upward.ts': `import { session } from '../sessions/session.ts'\nexport const up = session`,
  'host-src/sessions/session.ts': `import { wait } from '../base/async.ts'\nexport const session = wait`,
  'host-src/sftp/transfer.ts': `import { tunnel } from '../tunnels/tunnel.ts'\nexport const transfer = tunnel`,
  'host-src/tunnels/tunnel.ts': `export const tunnel = 1`,
  'host-src/gateway/pty.ts': `import { spawn } from 'node-pty'\nexport const start = spawn`,
  'host-src/journal/sqlite-journal.ts': `import { DatabaseSync } from 'node:sqlite'\nexport const db = DatabaseSync`,
  'host-src/stats/sql.ts': `import { DatabaseSync } from 'node:sqlite'\nexport const db = DatabaseSync`,
  'host-src/base/types.ts': `import type { ServerOptions } from 'ws'\nexport type Options = ServerOptions`,
  'host-src/base/peek.ts': `import { compose } from '../compose.ts'\nexport const peek = compose`,
  'host-src/attic/box.ts': `export const box = 1`,
  'host-src/tools/box.ts': `import { box } from '../attic/box.ts'\nexport const used = box`,
  'host-src/backends/ring-a.ts': `import { b } from './ring-b.ts'\nexport const a = (): unknown => b`,
  'host-src/backends/ring-b.ts': `import { a } from './ring-a.ts'\nexport const b = (): unknown => a`,
  'host-src/compose.ts': `import { session } from './sessions/session.ts'\nexport const compose = session`,
  'screen-src/state.ts': `export const state = 1`,
  'screen-src/curious.ts': `import { id } from '../protocol-src/ids.ts'\nexport const curious = id`,
  'client-src/stores/store.ts': `export const store = 1`,
  'client-src/stores/tab-store.ts': `import { store } from './store.ts'\nexport const tabs = store`,
  'client-src/connection/link.ts': `import { store } from '../stores/store.ts'\nexport const link = store`,
  'host-src/backends/node-pty-module.ts': `import { spawn } from 'node-pty'\nexport const start = spawn`,
  'client-src/connection/tabs.ts': `import { tabs } from '../stores/tab-store.ts'\nexport const seen = tabs`,
  'client-src/terminal/view.ts': `import { store } from '../stores/store.ts'\nexport const view = store`,
  'client-src/panel/Panel.tsx': `import { useState } from 'react'\nimport { link } from '../connection/link.ts'\nexport const Panel = [useState, link]`,
  'client-src/services/react.ts': `import { useState } from 'react'\nexport const hook = useState`,
  'client-src/services/eager.ts': `import { view } from '../terminal/view.ts'\nexport const eager = view`,
  'client-src/services/typed.ts': `import type { view } from '../terminal/view.ts'\nexport type Typed = typeof view`,
  'client-src/services/host.ts': `import { session } from '../../host-src/sessions/session.ts'\nexport const host = session`,
}

describe('import boundaries', () => {
  let house: string
  let report: BoundaryReport

  beforeAll(async () => {
    house = await mkdtemp(join(tmpdir(), 'dsh-tty-house-'))
    for (const [path, text] of Object.entries(HOUSE)) {
      await mkdir(dirname(join(house, path)), { recursive: true })
      await writeFile(join(house, path), `${text}\n`)
    }
    for (const file of ['.dependency-cruiser.cjs', 'tsconfig.base.json', 'package.json']) {
      await writeFile(join(house, file), await readFile(inRoot(file)))
    }
    await symlink(inRoot('node_modules'), join(house, 'node_modules'))
    report = await checkBoundaries(house)
  }, 60_000)

  afterAll(() => rm(house, { recursive: true, force: true }))

  const rulesBrokenBy = (file: string): string[] =>
    report.violations.filter(({ from }) => from === file).map(({ rule }) => rule)

  it.each([
    ['protocol-src/leaky.ts', 'protocol-imports-nothing-but-zod'],
    ['screen-src/curious.ts', 'screen-imports-nothing'],
    ['host-src/base/upward.ts', 'host-src-base-looks-left-only'],
    ['host-src/base/peek.ts', 'host-src-base-looks-left-only'],
    ['host-src/sftp/transfer.ts', 'host-src-sftp-looks-left-only'],
    ['host-src/gateway/pty.ts', 'only-its-owner-imports-node-pty'],
    ['host-src/stats/sql.ts', 'only-its-owner-imports-sqlite'],
    ['host-src/base/types.ts', 'only-its-owner-imports-ws'],
    ['host-src/tools/box.ts', 'host-src-room-has-no-place-in-the-order'],
    ['host-src/backends/ring-a.ts', 'no-cycles'],
    ['client-src/connection/tabs.ts', 'client-src-connection-looks-left-only'],
    ['client-src/services/react.ts', 'only-its-owner-imports-react'],
    ['client-src/services/eager.ts', 'only-types-of-terminal-leave-its-room'],
    ['client-src/services/host.ts', 'client-never-meets-host'],
  ])('reports %s as %s', (file, rule) => {
    expect(rulesBrokenBy(file)).toContain(rule)
  })

  it('reports nothing else', () => {
    const innocent = [
      'host-src/base/async.ts',
      'host-src/sessions/session.ts',
      'host-src/journal/sqlite-journal.ts',
      'host-src/backends/node-pty-module.ts',
      'host-src/compose.ts',
      'client-src/stores/tab-store.ts',
      'client-src/connection/link.ts',
      'client-src/terminal/view.ts',
      'client-src/services/typed.ts',
      'client-src/panel/Panel.tsx',
    ]
    expect(innocent.flatMap(rulesBrokenBy)).toEqual([])
  })

  it('counts what it saw, and takes seeing nothing for a failure', () => {
    expect(report.modules['host-src']).toBeGreaterThan(10)
    const blind: BoundaryReport = { violations: [], modules: { ...report.modules, 'host-src': 0 } }
    expect(boundaryProblems(blind)).toEqual(['host-src: no module was seen, so nothing was checked'])
  })
})
