import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { JSDOM } from 'jsdom'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownedCss } from '../../../scripts/css-plugin.ts'

const SOURCES: Record<string, string> = {
  'client-src/panel/Panel.module.css': `
    /* .notAClass */
    .root { margin: 0.5em; background: url(data:image/png;base64,AA.BB) }
    .root:hover > .tab-bar, .root :global(.xterm) { color: red }
    .wide { composes: root; }
    @keyframes blink { from { opacity: 0 } }
    .cursor { animation: blink 1s }
  `,
  'client-src/settings/Panel.module.css': `.root { color: blue }`,
  'client-src/plain.css': `.xterm { cursor: text }`,
  'client-src/index.ts': `
    import './plain.css'
    import panel from './panel/Panel.module.css'
    import settings from './settings/Panel.module.css'
    window.classes = { panel, settings }
  `,
  'client-src/broken.ts': `import './broken.module.css'`,
  'client-src/broken.module.css': `.a { color: red`,
}

describe('owned style sheets', () => {
  let root: string
  let code: string

  const bundle = async (entry: string): Promise<string> => {
    const result = await build({
      entryPoints: [join(root, entry)],
      bundle: true,
      write: false,
      logLevel: 'silent',
      plugins: [ownedCss('@hyzyn/dsh-tty', root)],
    })
    return result.outputFiles[0]?.text ?? ''
  }

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'dsh-tty-css-'))
    for (const [path, text] of Object.entries(SOURCES)) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
    code = await bundle('client-src/index.ts')
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  const run = (times = 1): { tags: HTMLStyleElement[]; classes: Record<string, Record<string, string>> } => {
    const { window } = new JSDOM('', { runScripts: 'outside-only' })
    for (let at = 0; at < times; at++) window.eval(code)
    const tags = [...window.document.querySelectorAll('style')]
    return { tags, classes: (window as unknown as { classes: Record<string, Record<string, string>> }).classes }
  }

  it('are one tag each, named after the package and the file, and only once', () => {
    const { tags } = run(2)
    expect(tags.map(({ dataset }) => [dataset['plugin'], dataset['pluginCss']])).toEqual([
      ['@hyzyn/dsh-tty', '@hyzyn/dsh-tty/client-src/plain.css'],
      ['@hyzyn/dsh-tty', '@hyzyn/dsh-tty/client-src/panel/Panel.module.css'],
      ['@hyzyn/dsh-tty', '@hyzyn/dsh-tty/client-src/settings/Panel.module.css'],
    ])
  })

  it('hash the class names of modules per file, beginning with a letter', () => {
    const { tags, classes } = run()
    const { panel, settings } = classes
    expect(Object.keys(panel ?? {}).sort()).toEqual(expect.arrayContaining(['cursor', 'root', 'tab-bar', 'wide']))
    expect(panel).not.toHaveProperty('notAClass')
    expect(panel?.['root']).toMatch(/^t[0-9a-f]{8}_root$/)
    expect(panel?.['root']).not.toBe(settings?.['root'])
    expect(panel?.['wide']?.split(' ')).toContain(panel?.['root'])
    const css = tags[1]?.textContent ?? ''
    expect(css).toContain(`.${panel?.['root']}`)
    expect(css).toContain('.xterm')
    expect(css).toContain('margin:.5em')
  })

  it('leave plain sheets as they are', () => {
    expect(run().tags[0]?.textContent).toBe('.xterm{cursor:text}')
  })

  it('say which sheet does not parse', async () => {
    await expect(bundle('client-src/broken.ts')).resolves.toBeDefined()
    await writeFile(join(root, 'client-src/broken.module.css'), `.a { composes: b from './gone.module.css' }`)
    await expect(bundle('client-src/broken.ts')).rejects.toThrow(/broken\.module\.css/)
  })
})
