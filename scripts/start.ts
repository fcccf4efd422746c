/** `npm start`: builds, boots the real host with this plugin in it, and stays until it is told to stop. */
import { build } from './build.ts'
import { announce, keepRunning, launchWeb, parseLaunchOptions, untilStopped } from './launch.ts'
import { runMain } from './user-error.ts'

runMain(async () => {
  const options = parseLaunchOptions(process.argv.slice(2))
  await untilStopped(async (stop) => {
    await build()
    const web = await launchWeb({ ...options, client: 'copied', signal: stop })
    announce(web, options)
    await keepRunning(web, stop)
  })
})
