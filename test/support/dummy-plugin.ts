/** A plugin package of a few lines in a folder, for tests of the harness itself. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const NAME = '@hyzyn/dummy'

/** Answers with `{ ok: true }`; pass it as `readyPath`. */
export const DUMMY_HEALTH_PATH = '/api/dummy/health'

/** The code of both halves. */
export interface DummyPluginCode {
  /** Statements run in the host half's `apply(ctx)`, before the health route is registered. */
  host?: string
  /** Statements run in the client half's `apply(ctx)`. */
  client?: string
}

/** Writes the package into `folder`, which is created; give it to `bootTestDsh` as `packageDir`. */
export const writeDummyPlugin = async (
  folder: string,
  { host = '', client = '' }: DummyPluginCode = {},
): Promise<void> => {
  await mkdir(join(folder, 'lib'), { recursive: true })
  const manifest = {
    name: NAME,
    version: '1.0.0',
    type: 'module',
    main: './lib/index.js',
    exports: Object.fromEntries([
      ['.', './lib/index.js'],
      ['./client', './lib/client.js'],
      ...['cordis.patch.yml', 'package.json'].map((file) => [`./${file}`, `./${file}`]),
    ]),
    files: ['lib', 'cordis.patch.yml'],
    dsh: { bundle: { patch: './cordis.patch.yml' }, client: { platform: 'web' } },
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'cordis.patch.yml'), JSON.stringify([{ insert: [{ id: 'dummy', name: NAME }] }]))
  await writeFile(join(folder, 'lib', 'index.js'), hostCode(host))
  await writeFile(join(folder, 'lib', 'client.js'), dummyClientCode(client))
}

const hostCode = (statements: string): string => `
import { spawn } from 'node:child_process'
export const name = 'dummy'
export function apply(ctx) {
  ${statements}
  ctx.inject(['webServer'], (web) => {
    web.effect(() => web.webServer.register({
      kind: 'exact',
      path: '${DUMMY_HEALTH_PATH}',
      handler: (request, response) => {
        response.setHeader('content-type', 'application/json')
        response.end('{"ok":true}')
      },
    }))
  })
}
`

/** The built client half, as lib/client.js of the package. */
export const dummyClientCode = (statements: string): string =>
  `window.__ModuleLoader__.load({ id: '${NAME}', factory: () => ({ name: 'dummy', inject: [], apply(ctx) { ${statements} } }) })`
