/**
 * `npm run dev`: as `npm start`, and rebuilds on change. A new client half reaches open pages by itself;
 * a new host half needs a new host process, so that is restarted on the same port.
 */
import { build, type Half } from './build.ts'
import { prepareDshHome } from './dsh-home.ts'
import { bootDshWeb, type DshWeb } from './dsh-web.ts'
import { announce, launchWeb, parseLaunchOptions, say, untilStopped } from './launch.ts'
import { describeError, runMain } from './user-error.ts'

runMain(async () => {
  const options = parseLaunchOptions(process.argv.slice(2))
  await untilStopped(async (stop) => {
    let web: DshWeb | undefined
    let work = Promise.resolve()
    const restart = async (): Promise<void> => {
      await web?.stop()
      await prepareDshHome({ dshHome: options.dshHome, client: 'live' })
      web = await bootDshWeb({ dshHome: options.dshHome, port: options.port, signal: stop })
      say('host half: rebuilt and restarted')
    }
    const onBuilt = (half: Half, errors: readonly string[]): void => {
      if (web === undefined || stop.aborted) return
      if (errors.length > 0) say(`${half} half: not built\n  ${errors.join('\n  ')}`)
      else if (half === 'client') say('client half: rebuilt')
      else work = work.then(restart).catch((error: unknown) => say(describeError(error)))
    }
    const watching = await build({ watch: true, onBuilt })
    try {
      web = await launchWeb({ ...options, client: 'live', signal: stop })
      announce(web, options)
      await new Promise((done) => stop.addEventListener('abort', done, { once: true }))
    } finally {
      await watching.dispose()
      await work
      await web?.stop()
    }
  })
})
