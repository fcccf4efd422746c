/** Starts a session for an agent: a normal tab in the user's panel, owned by the agent. */
import { isAbsolute, resolve } from 'node:path'
import type { PersistName } from '../../protocol-src/ids.ts'
import type { LaunchSpec } from '../../protocol-src/session.ts'
import { TtyError } from '../base/errors.ts'
import type { Session } from '../sessions/session.ts'
import { requireDrivable } from './session-view.ts'
import type { ToolContext } from './tool.ts'

export const AGENT_SIZE = { cols: 120, rows: 32 }

export interface OpenWish {
  readonly command?: string | undefined
  readonly cwd?: string | undefined
  /** An entry of the connection book; this machine by default. */
  readonly ssh?: string | undefined
  readonly size?: { cols: number; rows: number }
  readonly persistName?: PersistName | undefined
}

/**
 * The session that is kept under the name that is wished for, or a new one.
 * @throws TtyError NOT_YOUR_SESSION for another agent's, those of the registry and the backend; CANCELLED when `signal` aborts, after the session is gone again
 */
export async function openSession(context: ToolContext, wish: OpenWish, signal: AbortSignal): Promise<Session> {
  const { registry, agents, caller, confine } = context
  if (signal.aborted) throw cancelled()
  const cwd = wish.ssh === undefined ? directory(wish.cwd, caller.cwd) : remoteDirectory(wish.cwd)
  const spec: LaunchSpec = {
    ...(wish.ssh === undefined ? { kind: 'local' } : { kind: 'ssh', host: { book: wish.ssh } }),
    ...(cwd === null ? {} : { cwd }),
    ...(wish.command === undefined ? {} : { command: wish.command }),
    ...(wish.persistName === undefined ? {} : { persist: wish.persistName }),
  }
  const kept = registry.findKept(spec)
  if (kept !== undefined) return requireDrivable(context, kept.id)
  const owner = { kind: 'agent' as const, agentId: caller.agentId }
  const request = { spec, owner, size: wish.size ?? AGENT_SIZE, confine }
  const session = registry.reserve(request)
  agents.opened(session, caller)
  const abort = (): void => {
    session.close('cancelled').catch(() => {}) // it never rejects
  }
  signal.addEventListener('abort', abort, { once: true })
  try {
    await registry.launch(session, request)
  } finally {
    signal.removeEventListener('abort', abort)
  }
  return session
}

export const cancelled = (): TtyError => new TtyError('CANCELLED', 'The call was cancelled.')

/** The caller's own directory is of this machine. */
function remoteDirectory(wanted: string | undefined): string | null {
  if (wanted === undefined || wanted.startsWith('/')) return wanted ?? null
  throw new TtyError(
    'BAD_ARGUMENTS',
    `"cwd" must be an absolute path on the other machine; "${wanted}" is not. Nothing was started.`,
  )
}

function directory(wanted: string | undefined, base: string | null): string | null {
  if (wanted === undefined) return base
  if (isAbsolute(wanted)) return wanted
  if (base === null)
    throw new TtyError('BAD_ARGUMENTS', `"cwd" must be an absolute path here; "${wanted}" is not. Nothing was started.`)
  return resolve(base, wanted)
}
