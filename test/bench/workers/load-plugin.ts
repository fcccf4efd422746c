/**
 * Loads the plugin named on the command line as its host would. Prints the milliseconds that the host waits, and those of
 * CPU time until all of it is loaded, which happens beside the host's own start.
 */
import { pathToFileURL } from 'node:url'

type Plugin = { apply: (context: unknown, config: unknown) => void }

const nothing = (): void => undefined
/** A host that offers no service: what is left is what the plugin does by itself. */
const context = {
  logger: () => ({ debug: nothing, info: nothing, warn: nothing, error: nothing }),
  effect: nothing,
  inject: nothing,
  get: nothing,
}

const cpuBefore = process.cpuUsage()
const started = performance.now()
const plugin = (await import(pathToFileURL(process.argv[2] ?? '').href)) as Plugin
plugin.apply(context, {})
const waited = performance.now() - started
await import(pathToFileURL(process.argv[3] ?? '').href)
const { user, system } = process.cpuUsage(cpuBefore)
process.stdout.write(`${waited.toFixed(2)} ${((user + system) / 1000).toFixed(2)}`)
process.exit()
