/**
 * Host half of the example: uses the service `tty` when it is there, and works without it. Its own page reaches it over DSH's
 * fenced RPC.
 */
export const name = 'tty-example'
// `tty` is not in it: a required service that is missing would stop the host.
export const inject = []

/** Stands in the list of terminals and on record. */
const PLUGIN = 'example'
const CHANNEL = '/tty-example-rpc'
const VERSION = 1

export function apply(ctx) {
  /** @type {string[]} What happened to terminals since ours was loaded last. */
  let events = []

  // Runs when the terminals are there, again after each reload of them; its effects end with them.
  ctx.inject(['tty'], (scope) => {
    if (scope.tty.version !== VERSION) return
    events = []
    scope.effect(
      () => scope.tty.onEvent(({ type, session }) => events.push(`${type} ${session.owner} ${session.target}`)),
      'example: terminal events',
    )
  })

  const answers = {
    async terminals(tty) {
      return { sessions: tty.list(), events }
    },
    /** Passes the gate like a tool: in a restricted permission tier nobody can be asked here, so it is refused. */
    async run(tty, signal) {
      return await tty.run({ plugin: PLUGIN, command: 'uname -s; exit 3', timeoutMs: 10_000, signal })
    },
    /** Opens a terminal, types into it, reads what comes, and ends it. */
    async converse(tty, signal) {
      const { sid } = await tty.open({
        plugin: PLUGIN,
        command: 'read line; echo "you said $line"',
        title: 'Example',
        signal,
      })
      return await new Promise((resolve, reject) => {
        let text = ''
        const terminal = tty.attach({
          plugin: PLUGIN,
          sid,
          from: 'start',
          onOutput: (bytes) => {
            text += new TextDecoder().decode(bytes)
          },
          onEnd: ({ exitCode }) => {
            terminal.close().then(() => resolve({ sid, text, exitCode }), reject)
          },
        })
        terminal.write('hello\r').catch(reject)
      })
    },
  }

  ctx.inject(['connection'], (scope) => {
    scope.connection.rpc.handle(
      CHANNEL,
      async (endpoint, _payload, signal) => {
        // Read at the moment of use: it may have come or gone since.
        const tty = ctx.get('tty')
        if (tty === undefined) return { ok: true, value: { absent: true } }
        try {
          return { ok: true, value: await answers[endpoint](tty, signal) }
        } catch (error) {
          return { ok: true, value: { refused: String(error.code), message: error.message } }
        }
      },
      { authority: 'loopback' },
    )
  })
}
