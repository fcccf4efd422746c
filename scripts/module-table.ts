/** What the web app's module loader answers to `require`: the only imports a client bundle may leave open. */
import type { Plugin } from 'esbuild'

const ANSWERED = [
  'react',
  'react/jsx-runtime',
  'react-dom',
  'react-dom/client',
  '@deepseek-ai/cordis',
  '@deepseek-ai/dsh-client-ui-slots',
  '@deepseek-ai/dsh-client-ui-primitives',
  '@deepseek-ai/dsh-client-runtime/client',
]

/** @param external the manifest's `dsh.client.external`: other plugins' bundles that load before this one */
export const moduleTable = (external: readonly string[] = []): readonly string[] => [...ANSWERED, ...external]

/** esbuild plugin: leaves table entries external; any other value import of the app's own packages is an error. */
export const onlyTheModuleTable = (table: readonly string[]): Plugin => ({
  name: 'only-the-module-table',
  setup(build) {
    build.onResolve({ filter: /^(@deepseek-ai\/|react($|\/)|react-dom($|\/))/ }, ({ path, importer }) =>
      table.includes(path)
        ? { path, external: true }
        : { errors: [{ text: `"${path}" is not in the module table; import only its types (from ${importer})` }] },
    )
  },
})
