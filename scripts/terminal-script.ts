/**
 * esbuild plugin of the client half: builds the emulator's own script before it, and tells the client half which content
 * of that script to load. A change of the emulator is thereby a change of the client half, which open pages notice.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { context, type BuildFailure, type BuildOptions, type OutputFile, type Plugin } from 'esbuild'
import { revisionOf } from '../host-src/gateway/page-script.ts'

/** The module whose one export is replaced. */
const REVISION_SOURCE = /[\\/]client-src[\\/]services[\\/]terminal-revision\.ts$/

/** @param options of the script; it is written to their `outdir`, and only when it is another one than before */
export const terminalScript = (options: BuildOptions & { absWorkingDir: string }): Plugin => ({
  name: 'terminal-script',
  setup: async (outer) => {
    const script = await context({ ...options, write: false, metafile: true })
    let inputs: string[] = []
    outer.onLoad({ filter: REVISION_SOURCE }, async () => {
      try {
        const { outputFiles, metafile } = await script.rebuild()
        inputs = Object.keys(metafile.inputs).map((path) => join(options.absWorkingDir, path))
        await Promise.all(outputFiles.map(writeChanged))
        const code = outputFiles.find(({ path }) => path.endsWith('.js'))?.contents ?? new Uint8Array()
        const contents = `export const TERMINAL_REVISION = ${JSON.stringify(revisionOf(code))}`
        return { contents, loader: 'js', watchFiles: inputs }
      } catch (error) {
        const { errors } = error as BuildFailure
        if (errors === undefined) throw error
        return { errors, watchFiles: inputs }
      }
    })
    outer.onDispose(() => void script.dispose())
  },
})

const writeChanged = async ({ path, contents }: OutputFile): Promise<void> => {
  const known = await readFile(path).catch(
    () => null, // not there yet
  )
  if (known?.equals(contents) === true) return
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, contents)
}
