/**
 * esbuild plugin: every imported style sheet becomes one owned `<style>` tag, made when the client module body runs.
 * `x.module.css` exports its class names, hashed per file so that no other plugin's classes can collide with them.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, relative, sep } from 'node:path'
import { build, type BuildFailure, type Plugin } from 'esbuild'

/** A style sheet after esbuild parsed it. */
interface BuiltSheet {
  /** Minified CSS text, class names already hashed. */
  css: string
  /** Local class name to the name in `css`; null for a plain sheet. */
  classes: Record<string, string> | null
}

const CLASS_PREFIX_LENGTH = 8

/** A prefix that starts with a letter (a class selector may not start with a digit) and is stable per file. */
const classPrefix = (packageName: string, path: string): string =>
  `t${createHash('sha256').update(`${packageName}/${path}`).digest('hex').slice(0, CLASS_PREFIX_LENGTH)}`

/**
 * Builds one sheet. Names its esbuild module after the class prefix, because esbuild prefixes local names with the
 * module's name. Rejects with esbuild's own failure on a syntax error.
 */
const buildSheet = async (file: string, prefix: string | null): Promise<BuiltSheet> => {
  const contents = await readFile(file, 'utf8')
  const result = await build({
    stdin: { contents: `export { default } from 'sheet'`, loader: 'js' },
    bundle: true,
    format: 'esm',
    write: false,
    outdir: 'unused',
    logLevel: 'silent',
    minifySyntax: true,
    minifyWhitespace: true,
    charset: 'utf8',
    loader: { '.woff2': 'dataurl', '.png': 'dataurl', '.svg': 'dataurl' },
    plugins: [
      {
        name: 'one-sheet',
        setup(inner) {
          inner.onResolve({ filter: /^sheet$/ }, () => ({ path: prefix ?? 'plain', namespace: 'sheet' }))
          inner.onLoad({ filter: /.*/, namespace: 'sheet' }, () => ({
            contents,
            loader: prefix === null ? 'css' : 'local-css',
            resolveDir: dirname(file),
          }))
        },
      },
    ],
  })
  const text = (extension: string): string =>
    result.outputFiles.find((output) => output.path.endsWith(extension))?.text.trim() ?? ''
  if (prefix === null) return { css: text('.css'), classes: null }
  const exported = (await import(toDataUrl(text('.js')))) as { default: Record<string, string> }
  return { css: text('.css'), classes: { ...exported.default } }
}

const toDataUrl = (js: string): string => `data:text/javascript;base64,${Buffer.from(js).toString('base64')}`

const ownedTag = (packageName: string, path: string, sheet: BuiltSheet): string => {
  const tag = JSON.stringify(`${packageName}/${path}`)
  return `
const tag = ${tag}
if (![...document.querySelectorAll('style[data-plugin-css]')].some((each) => each.dataset.pluginCss === tag)) {
  const element = document.createElement('style')
  element.dataset.plugin = ${JSON.stringify(packageName)}
  element.dataset.pluginCss = tag
  element.textContent = ${JSON.stringify(sheet.css)}
  document.head.append(element)
}
export default ${JSON.stringify(sheet.classes ?? {})}
`
}

/** The path a tag is known by: relative to the source root, or to node_modules for a package's own sheet. */
const tagPath = (root: string, file: string): string => {
  const inside = relative(root, file).split(sep).join('/')
  return inside.replace(/^.*node_modules\//, '')
}

/** @param root absolute path of the checkout; tags and class hashes depend on paths relative to it only */
export const ownedCss = (packageName: string, root: string): Plugin => ({
  name: 'owned-css',
  setup(outer) {
    outer.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const known = tagPath(root, path)
      const prefix = path.endsWith('.module.css') ? classPrefix(packageName, known) : null
      try {
        return { loader: 'js', contents: ownedTag(packageName, known, await buildSheet(path, prefix)) }
      } catch (error) {
        const { errors } = error as BuildFailure
        if (errors === undefined) throw error
        return { errors: errors.map((each) => ({ text: `${known}: ${each.text}` })) }
      }
    })
  },
})
