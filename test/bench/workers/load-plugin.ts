/** Loads the plugin named on the command line as its host would, and prints how many milliseconds that took. */
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

const started = performance.now()
const plugin = (await import(pathToFileURL(process.argv[2] ?? '').href)) as Plugin
plugin.apply(context, {})
process.stdout.write((performance.now() - started).toFixed(2))
