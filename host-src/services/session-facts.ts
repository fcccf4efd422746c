/** What a plugin may know of a session. */
import type { SessionDescriptor } from '../../protocol-src/session.ts'
import type { TtySession } from './tty-contract.ts'

/** Not of a session that is closed: there is nothing to be known of it any more. */
export function sessionFacts(descriptor: SessionDescriptor): TtySession {
  const { id, kind, target, title, cwd, pid, owner, phase, running, exit } = descriptor
  return {
    sid: id,
    kind,
    target,
    title,
    cwd,
    pid,
    owner: owner.kind,
    plugin: owner.kind === 'plugin' ? owner.plugin : null,
    phase: phase === 'closed' ? 'exited' : phase,
    isBusy: running ?? null,
    exitCode: exit?.exitCode ?? null,
    signal: exit?.signal ?? null,
  }
}
