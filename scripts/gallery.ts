/**
 * `npm run gallery`: one page with every picture that the browser suite took, a row per scenario, its looks side by side.
 * Takes no pictures itself.
 */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inRoot, isMain } from './project.ts'
import { runMain, UserError } from './user-error.ts'

const FOLDER = inRoot('.cache', 'gallery')
const SCHEMES = ['light', 'dark'] as const
const LOCALES = ['en', 'zh'] as const

/** What a picture shows. */
export interface Picture {
  readonly scenario: string
  readonly scheme: (typeof SCHEMES)[number]
  readonly locale: (typeof LOCALES)[number]
}

/** Where the picture is kept: `<scenario>.<scheme>.<locale>.png`. */
export const pictureFile = ({ scenario, scheme, locale }: Picture): string =>
  join(FOLDER, `${scenario.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.${scheme}.${locale}.png`)

const NAME = /^([a-z0-9-]+)\.(light|dark)\.(en|zh)\.png$/

/** The pictures among the files of a folder, by scenario. */
export const scenariosIn = (files: readonly string[]): ReadonlyMap<string, ReadonlyMap<string, string>> => {
  const scenarios = new Map<string, Map<string, string>>()
  for (const file of files.toSorted()) {
    const [, scenario, scheme, locale] = NAME.exec(file) ?? []
    if (scenario === undefined) continue
    const looks = scenarios.get(scenario) ?? new Map<string, string>()
    scenarios.set(scenario, looks.set(`${scheme} ${locale}`, file))
  }
  return scenarios
}

/** The contact sheet; names are of letters, digits and hyphens only. */
export const contactSheet = (scenarios: ReturnType<typeof scenariosIn>): string => {
  const looks = SCHEMES.flatMap((scheme) => LOCALES.map((locale) => `${scheme} ${locale}`))
  const rows = [...scenarios].map(([scenario, files]) => {
    const cells = looks.map((look) => {
      const file = files.get(look)
      return file === undefined
        ? '<td></td>'
        : `<td><a href="${file}"><img src="${file}" alt="${scenario}, ${look}" loading="lazy"></a></td>`
    })
    return `<tr id="${scenario}"><th scope="row"><a href="#${scenario}">${scenario}</a></th>${cells.join('')}</tr>`
  })
  const heads = looks.map((look) => `<th scope="col">${look}</th>`).join('')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>dsh-tty: every state</title>
<style>
body { margin: 24px; font: 13px/20px system-ui, sans-serif; background: #f4f4f5; color: #18181b }
table { border-spacing: 8px }
thead th { position: sticky; top: 0; background: #f4f4f5 }
th[scope=row] { text-align: start; vertical-align: top; font-weight: 500 }
img { display: block; width: 380px; border: 1px solid #d4d4d8; border-radius: 6px }
a { color: inherit }
</style>
<h1>dsh-tty: ${String(scenarios.size)} scenarios</h1>
<table>
<thead><tr><td></td>${heads}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</html>
`
}

if (isMain(import.meta.url)) {
  runMain(async () => {
    const files = await readdir(FOLDER).catch(
      () => [], // told below
    )
    const scenarios = scenariosIn(files)
    if (scenarios.size === 0)
      throw new UserError('There are no pictures yet. Run "npm run build && npm run test:e2e", then try again.')
    const page = join(FOLDER, 'index.html')
    await writeFile(page, contactSheet(scenarios))
    process.stdout.write(`${String(scenarios.size)} scenarios in ${page}\n`)
  })
}
