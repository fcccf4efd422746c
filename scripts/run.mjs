// Entry of every npm script: checks what TypeScript files need in order to run at all, then imports the named script.
// Plain JavaScript on purpose: a Node too old for the rest must still be able to read this sentence.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NEEDED = [22, 19]

const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const tooOld = major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])
const installed = existsSync(fileURLToPath(new URL('../node_modules/esbuild', import.meta.url)))
if (!installed) {
  fail('Cannot start: the dependencies of this checkout are not installed. Run "npm ci" here first, then try again.')
}
if (tooOld) {
  fail(
    `Cannot start: this needs Node ${NEEDED.join('.')} or newer and found ${process.versions.node}. ` +
      'Run it through npm ("npm start"), which uses the Node of this checkout, or install a newer Node.',
  )
}

const [name, ...rest] = process.argv.slice(2)
const script = new URL(`./${name}.ts`, import.meta.url)
if (name === undefined || !existsSync(fileURLToPath(script))) fail(`Cannot start: there is no script called "${name}".`)
process.argv.splice(1, process.argv.length - 1, fileURLToPath(script), ...rest)
await import(script.href)
