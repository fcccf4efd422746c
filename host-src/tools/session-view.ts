/** What a tool may see of a session, and the sentences for what it may not. */
import type { SessionId } from '../../protocol-src/ids.ts'
import type { SessionDescriptor } from '../../protocol-src/session.ts'
import { TtyError } from '../base/errors.ts'
import type { Session } from '../sessions/session.ts'
import type { ToolContext } from './tool.ts'

const HIDDEN_SENTENCE = 'The user hid this terminal from agents; ask them to show it again if you need it.'

/** The session as far as the caller may see it. A hidden one is not there. @throws TtyError SESSION_NOT_FOUND */
export function requireVisible({ registry }: Pick<ToolContext, 'registry'>, sid: string): Session {
  const session = registry.get(sid as SessionId)
  if (session === undefined) throw notThere(sid, '')
  refuseHidden(session)
  return session
}

/** Also after a wait: the user may have hidden it meanwhile. @throws TtyError SESSION_NOT_FOUND */
export function refuseHidden({ id, isHidden }: Session): void {
  if (isHidden) throw notThere(id, ` ${HIDDEN_SENTENCE}`)
}

function notThere(sid: string, why: string): TtyError {
  return new TtyError(
    'SESSION_NOT_FOUND',
    `There is no session "${sid.slice(0, 64)}". Call tty_list for those that there are.${why}`,
  )
}

/** Sessions that agents may see, oldest first, and how many the user keeps from them. */
export function visibleSessions({ registry }: Pick<ToolContext, 'registry'>): { visible: Session[]; hidden: number } {
  const open = registry.all.filter(({ phase }) => phase !== 'closed')
  const visible = open.filter(({ isHidden }) => !isHidden)
  return { visible, hidden: open.length - visible.length }
}

/** A session that the caller may type into or end. @throws TtyError NOT_YOUR_SESSION for another agent's */
export function requireDrivable(context: ToolContext, sid: string): Session {
  const session = requireVisible(context, sid)
  if (session.owner.kind !== 'user' && !context.agents.isOwn(session, context.caller))
    throw new TtyError(
      'NOT_YOUR_SESSION',
      `${session.owner.kind === 'agent' ? 'Another agent' : 'A plugin'} opened this terminal: you can read it, but not type into it or end it. Open one of your own with tty_open.`,
    )
  return session
}

export type OwnerInWords = 'you' | 'user' | 'another agent' | 'a plugin'

export function ownerInWords(context: Pick<ToolContext, 'agents' | 'caller'>, session: Session): OwnerInWords {
  if (session.owner.kind === 'user') return 'user'
  if (session.owner.kind === 'plugin') return 'a plugin'
  return context.agents.isOwn(session, context.caller) ? 'you' : 'another agent'
}

/** What the shell's marks tell of its work. `running` is absent when nobody knows, which is not "no". */
export type Activity = Pick<SessionDescriptor, 'running' | 'lastCommand' | 'currentCommand'>

export function activityOf({ running, lastCommand, currentCommand }: SessionDescriptor): Activity {
  return { ...(running === undefined ? {} : { running }), lastCommand, currentCommand }
}
