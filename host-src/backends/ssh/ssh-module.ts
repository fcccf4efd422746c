/**
 * Loads ssh2 with the first connection, so that no start of the host waits for it, and names the parts of it that its typings
 * do not show.
 */
import type * as ssh2 from 'ssh2'
import type { Client } from 'ssh2'

export type Ssh2 = typeof ssh2

let loading: Promise<Ssh2> | undefined

export function loadSsh2(): Promise<Ssh2> {
  loading ??= import('ssh2').then((module) => module.default as unknown as Ssh2)
  return loading
}

/** What a server says to a refused attempt. */
export interface AuthFailure {
  readonly methods: readonly string[]
  /** The attempt was accepted, and more is asked for. */
  readonly isPartial: boolean
}

interface Internals {
  readonly _protocol?: {
    readonly _handlers?: { USERAUTH_FAILURE?: (...args: [unknown, string[] | undefined, boolean]) => void }
  }
}

/**
 * Hear of every refusal. ssh2 1.17 keeps those of an agent's keys to itself, so that a key that was accepted as the first of
 * two steps looks like one that was refused.
 */
export function onAuthFailure(client: Client, listener: (failure: AuthFailure) => void): void {
  const handlers = (client as unknown as Internals)._protocol?._handlers
  const own = handlers?.USERAUTH_FAILURE
  if (handlers === undefined || own === undefined) return
  handlers.USERAUTH_FAILURE = (protocol, methods, isPartial) => {
    listener({ methods: methods ?? [], isPartial })
    own(protocol, methods, isPartial)
  }
}
