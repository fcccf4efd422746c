/** Clients that do everything in any order: at quiet all who look see what the host sees, and nothing is left behind. */
import { expect, it } from 'vitest'
import { startInProcessHost, type InProcessHost } from '../support/in-process-host.ts'
import { randomForTest, type Random } from '../support/random.ts'
import { ViewerTerminal } from '../support/viewer-terminal.ts'
import { until } from '../support/wait.ts'
import { WireFailure, newClientId, type ClientView, type WsClient } from '../support/ws-client.ts'
import type { SessionId } from '../../protocol-src/ids.ts'
import { REPLAY_MAX_BYTES } from '../../protocol-src/limits.ts'
import { LIMIT_MS, PATIENCE_MS, sizeOf } from './size.ts'

const ROUNDS = sizeOf({ bounded: 3, full: 300 })
const STEPS = 120
const CLIENTS = 4
const SESSIONS = 3
/** Few lines, because each resize lays all of them out again. */
const SCROLLBACK = 1000
/** Answers every line with more output than a viewer may have unparsed, in colours, and tells its size when it changes. */
const COMMAND = `stty -echo; trap 'stty size' WINCH; seq -s ' ' 60000; while IFS= read -r l || [ $? -gt 128 ]; do for i in $(seq 40); do printf '\\033[3%dm%s-%s 中文 \\033[7m%s\\033[0m\\r\\n' $((i%8)) "$l" $i "$l"; done; case $l in *flood*) seq -s ' ' 60000;; esac; done`

interface Look {
  view: ClientView
  terminal: ViewerTerminal
}

interface Seat {
  client: WsClient
  /** What it looks at, by session; the newest view of each counts. */
  views: Map<SessionId, Look>
}

class Scene {
  readonly host: InProcessHost
  readonly random: Random
  readonly seats: Seat[] = []
  readonly sessions: SessionId[] = []
  readonly trail: string[] = []

  constructor(host: InProcessHost, random: Random) {
    this.host = host
    this.random = random
  }

  async fill(): Promise<void> {
    while (this.seats.length < CLIENTS) this.seats.push({ client: await this.host.connect(), views: new Map() })
    const [first] = this.seats
    while (first !== undefined && this.sessions.length < SESSIONS) {
      const { id } = await first.client.open({ command: COMMAND })
      // A past too long to be sent again: who comes anew gets a snapshot, which takes its time.
      const session = this.host.composition.registry.require(id)
      await until(() => session.end.offset > REPLAY_MAX_BYTES, { what: 'a past', timeoutMs: PATIENCE_MS })
      this.sessions.push(id)
    }
  }

  /** One thing that some client does. Refusals are answers like others; which are right is asserted at quiet. */
  async step(): Promise<void> {
    const { random } = this
    const seat = random.pick(this.seats)
    const sid = random.pick(this.sessions)
    const viewed = seat.views.get(sid)
    const size = { cols: random.integer(20, 160), rows: random.integer(5, 60) }
    const what = random.integer(0, 19)
    this.trail.push(`${this.seats.indexOf(seat)}:${this.sessions.indexOf(sid)}:${what}`)
    if (what < 4) seat.views.set(sid, await this.#attach(seat, sid))
    else if (what === 4) {
      // The later one counts.
      const first = this.#attach(seat, sid, 'anew').catch(onlyRefused)
      seat.views.set(sid, await this.#attach(seat, sid, 'anew'))
      await first
    } else if (what < 7) {
      // Also while an attach is under way, as a page does that closes a tab.
      const pending = random.boolean() ? this.#attach(seat, sid, 'anew').catch(onlyRefused) : undefined
      await seat.client.request({ type: 'detach', sid })
      await pending
      seat.views.delete(sid)
    } else if (what < 10) await viewed?.view.resize(size).catch(onlyRefused)
    else if (what < 15) viewed?.view.input(random.boolean(0.2) ? 'flood\n' : `w${random.integer(1, 999)}\n`)
    else if (what === 15) viewed?.view.setAcks(random.pick(['auto', 'none']))
    else if (what === 16) await seat.client.request({ type: 'rename', sid, title: random.pick(['a', 'b', null]) })
    else if (what < 19) await this.#reconnect(seat)
    else if (random.boolean(0.3)) {
      await seat.client.request({ type: 'close', sid })
      this.sessions.splice(this.sessions.indexOf(sid), 1)
      for (const each of this.seats) each.views.delete(sid)
      await this.fill()
    }
  }

  async #attach(seat: Seat, sid: SessionId, how: 'any' | 'anew' = 'any'): Promise<Look> {
    const { random } = this
    const before = seat.views.get(sid)
    const wantsToGoOn = before !== undefined && how === 'any' && random.boolean()
    // As a page does: what it goes on with gets nothing from the old view any more, and is whole.
    if (wantsToGoOn) await seat.client.request({ type: 'detach', sid })
    const isGoingOn = wantsToGoOn && before.view.isWhole
    const terminal = isGoingOn ? before.terminal : new ViewerTerminal(SCROLLBACK)
    const view = await seat.client.attach(sid, {
      terminal,
      size: { cols: random.integer(20, 160), rows: random.integer(5, 60) },
      acks: random.boolean(0.2) ? 'none' : 'auto',
      keepBytes: 4096,
      ...(isGoingOn ? { record: before.view.record } : {}),
    })
    return { view, terminal }
  }

  async #reconnect(seat: Seat): Promise<void> {
    if (this.random.boolean()) seat.client.cut()
    const clientId = this.random.boolean(0.8) ? seat.client.id : newClientId()
    const old = seat.client
    seat.client = await this.host.connect({ clientId })
    if (clientId !== old.id) old.cut()
    seat.views.clear()
  }

  /** Everybody parses; then each viewer has the terminal of the host. */
  async atQuiet(): Promise<void> {
    const { host } = this
    for (const { views } of this.seats) for (const { view } of views.values()) view.setAcks('auto')
    for (const sid of this.sessions) {
      const session = host.composition.registry.require(sid)
      const watching = this.seats.flatMap(({ views }) => views.get(sid) ?? [])
      for (const { view, terminal } of watching) {
        let last = ''
        await until(
          async () => {
            view.acknowledge()
            const { position, hash } = await session.hash()
            last = `host ${JSON.stringify(position)}, viewer ${JSON.stringify(view.record.position)}`
            return terminal.hash === hash && view.record.next === session.end.offset
          },
          { what: `a viewer to have the terminal of the host`, timeoutMs: PATIENCE_MS },
        ).catch((error: unknown) => {
          throw new Error(`${last} after ${this.trail.slice(-40).join(' ')}`, { cause: error })
        })
        expect(view.record.faults).toEqual([])
      }
      // No viewer but those we know of, and exactly one of them drives.
      await until(() => session.descriptor.attachments === watching.length, {
        what: `${watching.length} viewers, not ${session.descriptor.attachments}, after ${this.trail.slice(-40).join(' ')}`,
      })
      const drivers = watching.filter(({ view }) => view.isDriver)
      expect(drivers.length).toBe(Math.min(1, watching.length))
      // Nothing is held back: its program still answers.
      const client = this.seats[0]?.client
      if (client === undefined) throw new Error('there is no client')
      const probe = await client.attach(sid, { resumeFrom: session.end, keepBytes: 100_000 })
      probe.input('probe\n')
      await until(() => probe.text.includes('probe-40'), { what: 'the program to answer', timeoutMs: PATIENCE_MS })
      await client.request({ type: 'detach', sid })
      this.seats[0]?.views.delete(sid)
    }
  }
}

const onlyRefused = (error: unknown): void => {
  if (!(error instanceof WireFailure)) throw error
}

it(
  'gives every viewer the terminal of the host, leaks no viewer and holds up no program',
  async () => {
    const random = randomForTest()
    await using host = await startInProcessHost({ settings: { scrollback: SCROLLBACK } })
    const scene = new Scene(host, random)
    await scene.fill()
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let step = 0; step < STEPS; step += 1) await scene.step()
      await scene.atQuiet()
    }
    expect(host.logger.lines.filter(({ level }) => level === 'error')).toEqual([])
  },
  LIMIT_MS,
)
