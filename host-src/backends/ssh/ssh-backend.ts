/** Sessions on other machines: a connection, a start that marks, a channel as their terminal. */
import type { ClientChannel, PseudoTtyOptions } from 'ssh2'
import type { SessionNotice } from '../../../protocol-src/session.ts'
import { TtyError, messageOf } from '../../base/errors.ts'
import type { LaunchRequest, Launched, SessionBackend, SpecOf, Target } from '../backend.ts'
import type { Machine } from '../machine.ts'
import { describeTarget } from '../shell-plan.ts'
import { questionPlaceOf, targetOf } from './connector.ts'
import { ChannelRefused, type SshLink } from './link.ts'
import type { SshPool } from './link-pool.ts'
import { lookAt, type RemoteFacts } from './remote-facts.ts'
import { RemoteMachine } from './remote-machine.ts'
import { newFolder, putScript, removeFolder, startCommand, startScript } from './remote-start.ts'
import { RemoteTree } from './remote-tree.ts'
import { machineName } from './ssh-faults.ts'
import type { ConnectContext, SshPorts } from './ssh-ports.ts'
import { SshPtyHandle } from './ssh-pty.ts'

/** Time for what is run beside a terminal. */
const ASIDE_MS = 8_000
/** Time for one look at the processes of a session that ends. */
const LOOK_MS = 3_000

interface Started {
  readonly channel: ClientChannel
  readonly tree: RemoteTree | null
  readonly cwd: string | null
  readonly hostName: string | null
  readonly notices: readonly SessionNotice[]
}

export class SshBackend implements SessionBackend<'ssh'> {
  readonly kind = 'ssh'
  readonly #ports: SshPorts
  readonly #pool: SshPool
  readonly #facts = new WeakMap<SshLink, RemoteFacts | null>()

  constructor(ports: SshPorts, pool: SshPool) {
    this.#ports = ports
    this.#pool = pool
  }

  describe(spec: SpecOf<'ssh'>): Target {
    const target = targetOf(spec.host, this.#ports)
    const name = machineName(questionPlaceOf(target, 'target'))
    const { command } = spec
    if (command === undefined) return { name, run: { shell: '' } }
    return { name: `${name}: ${describeTarget(command, '')}`, run: { argv: [name, command] } }
  }

  async launch(request: LaunchRequest<'ssh'>): Promise<Launched> {
    const { sessionId: sid, signal, owner, began } = request
    if (request.confine !== null && request.confine !== undefined)
      throw new TtyError(
        'NOT_ALLOWED',
        'On another machine nothing runs inside the sandbox of this permission tier. Nothing was started. Ask the user to open the connection.',
      )
    const context: ConnectContext = {
      audience: { kind: 'session', sid, owner: owner.kind },
      signal,
      ...(began === undefined ? {} : { began }),
    }
    began?.('target', 'resolve')
    const { lease, opened } = await this.#open(request, context)
    const { channel, tree, cwd, hostName, notices } = opened
    const handle = new SshPtyHandle({ channel, lease, tree, logger: this.#ports.logger })
    if (signal.aborted) {
      await handle.terminate(0)
      throw new TtyError('CANCELLED', 'The session was cancelled before its shell started.')
    }
    return { handle, cwd, notices, hostNames: hostName === null ? [] : [hostName], machine: machineOn(lease.link) }
  }

  async #open(request: LaunchRequest<'ssh'>, context: ConnectContext) {
    const { host } = request.spec
    let hasLook = true
    const open = async (link: SshLink): Promise<Started> => {
      try {
        return await this.#start(link, request, hasLook)
      } catch (error) {
        // Some servers hang up when anything but a shell is asked for.
        if (!link.isUp && hasLook && !context.signal.aborted) throw new HungUp(messageOf(error))
        throw error
      }
    }
    try {
      return await this.#pool.open(host, context, open)
    } catch (error) {
      if (!(error instanceof HungUp)) throw error
      hasLook = false
      return await this.#pool.open(host, context, open)
    }
  }

  async #start(link: SshLink, request: LaunchRequest<'ssh'>, hasLook: boolean): Promise<Started> {
    const { spec, signal, sessionId, markNonce, size } = request
    const { term, shellIntegration } = this.#ports.settings()
    const pty: PseudoTtyOptions = { term, rows: size.rows, cols: size.cols, width: 0, height: 0 }
    request.began?.(link.where.hop, 'open')
    const machine = machineOn(link)
    const facts = hasLook ? await this.#factsOf(link, machine, signal) : null
    const { cwd = null, command = null } = spec
    if (facts !== null) {
      const start = { sessionId, nonce: markNonce, cwd, command, hasHooks: shellIntegration }
      const folder = newFolder(facts)
      const script = await startScript(facts, start, folder)
      const put = await orNull(putScript(machine, { folder, script, cwd }, { timeoutMs: ASIDE_MS, signal }))
      if (put !== null) {
        const channel = await this.#startIn(folder, { link, machine, pty, signal })
        const isFallback = cwd !== null && !put.isCwdUsable
        return {
          channel,
          tree: new RemoteTree(machine, { sessionId, folder }, LOOK_MS),
          cwd: cwd === null || isFallback ? facts.home : cwd,
          hostName: facts.hostName === '' ? null : facts.hostName,
          notices: isFallback ? [{ code: 'CWD_FALLBACK', requested: cwd, used: facts.home }] : [],
        }
      }
    }
    const channel = command === null ? await link.shell(pty, signal) : await link.exec(command, pty, signal)
    const notices: SessionNotice[] = cwd === null ? [] : [{ code: 'CWD_FALLBACK', requested: cwd, used: '~' }]
    return { channel, tree: null, cwd: null, hostName: null, notices }
  }

  async #startIn(
    folder: string,
    { link, machine, pty, signal }: { link: SshLink; machine: Machine; pty: PseudoTtyOptions; signal: AbortSignal },
  ): Promise<ClientChannel> {
    try {
      return await link.exec(startCommand(folder), pty, signal)
    } catch (error) {
      await orNull(removeFolder(machine, folder, { timeoutMs: ASIDE_MS }))
      throw error
    }
  }

  /** The same for every session of a connection. */
  async #factsOf(link: SshLink, machine: Machine, signal: AbortSignal): Promise<RemoteFacts | null> {
    const known = this.#facts.get(link)
    if (known !== undefined) return known
    const facts = await orNull(lookAt(machine, { timeoutMs: ASIDE_MS, signal }))
    if (link.isUp && !signal.aborted) this.#facts.set(link, facts)
    return facts
  }
}

/** The server took the connection away instead of an answer. */
class HungUp extends Error {}

export function machineOn(link: SshLink): Machine {
  return new RemoteMachine((command, signal) => link.exec(command, null, signal))
}

/** Whatever went wrong beside the terminal: it starts without. That the server lets nothing more open is another matter. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ChannelRefused || (error instanceof TtyError && error.code === 'CANCELLED')) throw error
    return null
  }
}
