import { describe, expect, it } from 'vitest'
import { randomFromSeed } from '../../support/random.ts'
import {
  bundleProblems,
  moduleProblems,
  sourceMapProblems,
  sourceProblems,
  totalProblems,
} from '../../../scripts/check-bundle.ts'

const facts = { packageName: '@hyzyn/dsh-tty', table: ['react'] }
const bundle = (body: string, id = '@hyzyn/dsh-tty'): string =>
  `window.__ModuleLoader__.load({id:${JSON.stringify(id)},factory:(require)=>{${body}}});`

describe('client bundle', () => {
  it('may require what the module table answers', () => {
    expect(bundleProblems(bundle('return require("react")'), facts)).toEqual([])
  })

  it.each([
    ['a Node module', bundle('require("node:fs")'), /needs the Node module "node:fs"/],
    ['an unprefixed Node module', bundle('require("child_process")'), /needs the Node module "child_process"/],
    ['a module outside the table', bundle('require("lodash")'), /requires "lodash"/],
    ['a second React', bundle('e.__SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED = 1'), /second React/],
    ['the emulator', bundle('e.classList.add("xterm-helper-textarea")'), /contains the emulator/],
    ['another name', bundle('', 'other'), /registers itself as "other"/],
    ['no registration', 'var x = 1', /registers 0 modules/],
    ['a throwing script', 'throw new Error("early")', /throws while it registers itself: .*early/],
    ['an entry without factory', 'window.__ModuleLoader__.load({id:"@hyzyn/dsh-tty"})', /registers no factory/],
  ])('may not have %s', (_what, code, problem) => {
    expect(bundleProblems(code, facts).join('\n')).toMatch(problem)
  })

  it('may not outgrow its budget', () => {
    const noise = Buffer.from(randomFromSeed(1).bytes(100 * 1024)).toString('base64')
    expect(bundleProblems(bundle(`return "${noise}"`), facts).join('\n')).toMatch(/KiB after gzip; the budget is 90/)
    expect(totalProblems(220 * 1024)).toEqual([])
    expect(totalProblems(220 * 1024 + 1)).toEqual([expect.stringMatching(/together; the budget is 220/)])
  })

  it('may not name absolute paths in its source map', () => {
    const sources = ['../client-src/index.ts', '/home/me/x.ts', 'css:/home/me/x.css', 'C:\\x.ts']
    expect(sourceMapProblems(JSON.stringify({ sources }))).toHaveLength(3)
  })
})

describe('a script that pages load when they need it', () => {
  const wanted = { budget: 4096, exports: ['createView', 'pageTheme'] }
  const script = (body = '', exported = 'createView:()=>a,pageTheme:()=>b'): string =>
    `export const create=(require)=>{var module={exports:{}};var e=x=>x,a=1,b=1;${body};module.exports=e({${exported}});return module.exports};`
  const problems = async (code: string): Promise<string> => (await moduleProblems(code, wanted, ['react'])).join('\n')

  it('may be what the client half expects, and take what the page gives', async () => {
    expect(await problems(script('require("react");import(String(a))'))).toBe('')
  })

  it.each([
    ['a Node module', `import "node:fs";${script()}`, /imports "node:fs"/],
    ['a module by path', `import "./chunk.js";${script()}`, /imports "\.\/chunk\.js"/],
    ['what the page does not give', script('require("zod")'), /requires "zod"/],
    ['a second React', script('a.__SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED = 1'), /second React/],
    ['less than is wanted', script('', 'createView:()=>a'), /does not export pageTheme/],
    ['another interface', 'export const createView = 1', /exports createView and not "create" alone/],
    ['a syntax error', `${script()}(`, /is no module/],
  ])('may not have %s', async (_what, code, problem) => {
    expect(await problems(code)).toMatch(problem)
  })

  it('may not outgrow its budget', async () => {
    const noise = Buffer.from(randomFromSeed(1).bytes(8 * 1024)).toString('base64')
    expect(await problems(script(`"${noise}"`))).toMatch(/KiB after gzip; the budget is 4/)
  })
})

describe('client sources', () => {
  it('may not look for class names or write markup', () => {
    const text = `document.querySelector('[class*="Panel"]')\nelement.innerHTML = text\nelement.querySelector('[data-tab]')`
    expect(sourceProblems('a.ts', text)).toEqual([
      expect.stringContaining('a.ts:1: querySelector'),
      expect.stringContaining('a.ts:2: innerHTML'),
    ])
  })
})
