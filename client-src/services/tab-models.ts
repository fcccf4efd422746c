/** Derives what a tab looks like from what is known of it. Pure: facts in, model out. */
import type { AttachmentState, SessionEnd } from '../connection/attachment.ts'
import type { LinkError } from '../connection/link-error.ts'
import type { LinkState } from '../connection/socket.ts'
import { errorMessage, type Message } from '../locales.ts'
import type { ConnectionModel, Cover, LinkLine, Strip, TabDot, TabModel } from '../stores/panel-model.ts'
import type { Tab } from '../stores/tab-store.ts'
import type { JournalHealth } from '../../protocol-src/host-frames.ts'
import { withoutSecrets, type HostRef } from '../../protocol-src/ssh.ts'
import type {
  ExitStatus,
  LaunchSpec,
  SessionDescriptor,
  SessionNotice,
  Termination,
  UserRequest,
} from '../../protocol-src/session.ts'
import type { ViewFacts } from '../terminal/view-facts.ts'

/** How a session came to its end, beyond its program's exit. */
export type TabEnd = SessionEnd | { readonly kind: 'host-restarted' }

export interface TabFacts {
  readonly tab: Tab
  readonly descriptor: SessionDescriptor | null
  readonly link: LinkState
  readonly attachment: AttachmentState | null
  /** Something was on screen already. */
  readonly hasContent: boolean
  /** Opening failed, or there is no terminal to show anything in. */
  readonly error: LinkError | null
  readonly exit: ExitStatus | null
  readonly end: TabEnd | null
  readonly isClosing: boolean
  /** Of a session that was ended and may have left something behind. */
  readonly termination: Termination | null
  readonly lostBytes: number
  readonly isNoticeDismissed: boolean
  /** How often its program rang. */
  readonly bells: number
  /** It rang while nobody looked. */
  readonly hasRung: boolean
  readonly view: ViewFacts
}

export function tabModel(facts: TabFacts): Omit<TabModel, 'viewId'> {
  const { tab, descriptor, view } = facts
  return {
    key: tab.key,
    sid: tab.sid,
    label: labelOf(tab, descriptor),
    target: targetOf(tab, descriptor),
    dot: dotOf(facts),
    life: lifeOf(facts),
    isBusy: descriptor?.running === true && descriptor.spec.command === undefined,
    isAgent: descriptor?.owner.kind === 'agent',
    isHidden: descriptor?.hidden === true,
    isKept: typeof descriptor?.persist === 'string',
    isAsking: requestOf(facts) !== null,
    isClosing: facts.isClosing,
    connection: connectionOf(facts),
    strip: stripOf(facts),
    cover: coverOf(facts),
    isDriver: view.isDriver,
    size: view.size,
    renderer: view.renderer,
    isLetterboxed: view.isLetterboxed,
    isCtrlHeld: view.isCtrlHeld,
    bells: facts.bells,
    hasRung: facts.hasRung,
  }
}

function labelOf(tab: Tab, descriptor: SessionDescriptor | null): string | null {
  const name = descriptor === null ? tab.title : (descriptor.title ?? tab.title)
  if (name !== null) return name
  const target = targetOf(tab, descriptor)
  if (target === null || tab.ordinal === 1) return target
  return `${target} ${String(tab.ordinal)}`
}

function targetOf({ spec }: Tab, descriptor: SessionDescriptor | null): string | null {
  const remote = spec?.kind === 'ssh' ? hostName(spec.host) : null
  return descriptor?.target ?? spec?.command ?? remote
}

function lifeOf({ tab, descriptor, error, exit, end, termination }: TabFacts): TabModel['life'] {
  const isEnded = exit !== null || end !== null || termination !== null || descriptor?.phase === 'exited'
  if (isEnded || (tab.sid === null && error !== null)) return 'over'
  return tab.sid === null ? 'opening' : 'live'
}

/** The way to another machine; of a command that runs there and ends, nothing is offered. */
function connectionOf({ tab, descriptor, error }: TabFacts): ConnectionModel | null {
  const spec = descriptor?.spec ?? tab.spec
  if (spec?.kind !== 'ssh' || spec.command !== undefined) return null
  const link = descriptor?.link ?? null
  return {
    tab: { key: tab.key, sid: tab.sid },
    spec: publicSpec(spec),
    bookName: 'book' in spec.host ? spec.host.book : null,
    target: descriptor?.target ?? hostName(spec.host),
    state: link?.state ?? (error === null ? 'connecting' : 'closed'),
    phase: link?.phase,
  }
}

/** As others may see it. */
function publicSpec(spec: Extract<LaunchSpec, { kind: 'ssh' }>): LaunchSpec {
  return 'book' in spec.host
    ? spec
    : { ...spec, host: { ...spec.host, connection: withoutSecrets(spec.host.connection) } }
}

function hostName(host: HostRef): string {
  return 'book' in host ? host.book : `${host.connection.username}@${host.connection.host}`
}

function dotOf({ error, end, exit, link, attachment, descriptor }: TabFacts): TabDot {
  if (error !== null || attachment?.kind === 'failed') return 'failed'
  if (wasEnded(end) || endedWithHost(descriptor)) return 'over'
  if (isLost(descriptor)) return 'disconnected'
  if (exit !== null) return exit.exitCode === 0 ? 'done' : 'failed'
  if (end !== null) return 'over'
  if (link.kind !== 'open') return 'disconnected'
  if (!link.responding) return 'unresponsive'
  return attachment?.kind === 'attached' && descriptor?.phase !== 'starting' ? 'live' : 'starting'
}

function stripOf(facts: TabFacts): Strip | null {
  const { termination, end, exit, attachment, lostBytes, descriptor, isNoticeDismissed } = facts
  if (termination !== null && !termination.verified) return survivorsStrip(termination)
  if (end === null && endedWithHost(descriptor)) return endStrip({ kind: 'host-restarted' })
  const request = requestOf(facts)
  if (request !== null) return requestStrip(request)
  if (descriptor !== null && isLost(descriptor) && end === null) return lostStrip(descriptor)
  if (exit !== null && !wasEnded(end)) return exitStrip(exit)
  if (end !== null) return endStrip(end)
  if (attachment?.kind === 'failed' && facts.hasContent) {
    return { tone: 'error', message: errorMessage(attachment.error), action: 'retry' }
  }
  if (isNoticeDismissed) return null
  if (lostBytes > 0) {
    return {
      tone: 'warning',
      message: { key: 'strip.lostOutput', params: { size: bytesInWords(lostBytes) } },
      action: 'dismiss',
    }
  }
  const notice = descriptor?.notices[0]
  if (notice === undefined) return null
  return { ...noticeLine(notice), action: 'dismiss' }
}

function noticeLine(notice: SessionNotice): Pick<Strip, 'tone' | 'message'> {
  switch (notice.code) {
    case 'CWD_FALLBACK': {
      const { requested, used } = notice
      return { tone: 'warning', message: { key: 'strip.cwdFallback', params: { requested, used } } }
    }
    case 'PERSIST_UNAVAILABLE':
      return { tone: 'plain', message: { key: `strip.persist.${notice.reason}` } }
    case 'PERSIST_LIMITED':
      return { tone: 'plain', message: { key: 'strip.persist.limited', params: { version: notice.version } } }
    case 'OUTPUT_LOST':
      return { tone: 'warning', message: { key: 'strip.outputLost' } }
  }
}

/** What an agent asks here, while somebody can still answer. */
function requestOf({ descriptor, exit, end }: TabFacts): UserRequest | null {
  return exit === null && end === null ? (descriptor?.request ?? null) : null
}

/** The words of an agent stay what they are: text, in quotes. */
function requestStrip({ prompt, isSecret }: UserRequest): Strip {
  const key = isSecret ? 'strip.request.secret' : 'strip.request'
  return { tone: 'warning', message: { key, params: { prompt } }, action: 'decline' }
}

/** Somebody ended it: the exit that follows from that (a hangup) says less. Only what ended before is evicted. */
function wasEnded(end: TabEnd | null): boolean {
  return end?.kind === 'closed' && end.reason !== 'evicted'
}

/** It ran when an earlier run of the host ended: how its program ended says nothing, if anybody saw it at all. */
function endedWithHost(descriptor: SessionDescriptor | null): boolean {
  return descriptor?.exitReason === 'host stopped'
}

function survivorsStrip({ survivors }: Termination): Strip {
  if (survivors.length === 0) return { tone: 'warning', message: { key: 'strip.unverified' }, action: 'dismiss' }
  const list = survivors.map(({ pid, command }) => `${command} (${String(pid)})`).join(', ')
  return {
    tone: 'warning',
    message: { key: 'strip.survivors', params: { count: survivors.length, list } },
    action: 'dismiss',
  }
}

/** The connection broke: how its program ended, if it did, nobody saw. */
function isLost(descriptor: SessionDescriptor | null): boolean {
  return descriptor?.exitReason === 'connection lost'
}

function lostStrip({ target }: SessionDescriptor): Strip {
  return { tone: 'error', message: { key: 'strip.connectionLost', params: { target } }, action: 'reconnect' }
}

function exitStrip({ exitCode, signal }: ExitStatus): Strip {
  const message: Message =
    signal === null
      ? { key: 'strip.exited', params: { code: exitCode ?? '?' } }
      : { key: 'strip.exited.signal', params: { signal } }
  return { tone: exitCode === 0 ? 'plain' : 'error', message, action: 'restart' }
}

function endStrip(end: TabEnd): Strip {
  if (end.kind === 'host-restarted')
    return { tone: 'warning', message: { key: 'strip.hostRestarted' }, action: 'restart' }
  if (end.kind === 'unknown') return { tone: 'warning', message: { key: 'strip.gone' }, action: 'restart' }
  switch (end.reason) {
    case 'agent':
      return { tone: 'plain', message: { key: 'strip.closedByAgent' }, action: 'dismiss' }
    case 'user':
    case 'plugin':
    case 'cancelled':
      return { tone: 'plain', message: { key: 'strip.closedElsewhere' }, action: 'dismiss' }
    case 'orphaned':
    case 'evicted':
    case 'shutdown':
      return { tone: 'warning', message: { key: 'strip.hostStopped' }, action: 'restart' }
  }
}

function coverOf({ error, hasContent, end, exit, attachment, isClosing }: TabFacts): Cover | null {
  if (error !== null)
    return { kind: 'failed', message: errorMessage(error), isHostKey: error.code === 'SSH_HOST_KEY_CHANGED' }
  if (hasContent || end !== null || exit !== null || isClosing) return null
  if (attachment?.kind === 'failed') return { kind: 'failed', message: errorMessage(attachment.error) }
  return attachment?.kind === 'attached' ? null : { kind: 'connecting' }
}

/** The line about the connection. `isTypingRefused`: somebody typed while nothing could be sent. */
export function linkLine(link: LinkState, isTypingRefused: boolean): LinkLine | null {
  switch (link.kind) {
    case 'idle':
      return null
    case 'connecting':
    case 'waiting':
      return isTypingRefused
        ? { tone: 'error', message: { key: 'link.refused.typing' }, canRetry: true }
        : { tone: 'warning', message: { key: 'link.reconnecting' }, canRetry: link.kind === 'waiting' }
    case 'open':
      return link.responding ? null : { tone: 'warning', message: { key: 'link.unresponsive' }, canRetry: false }
    case 'refused':
      return { tone: 'error', message: refusal(link), canRetry: true }
  }
}

/** What to say of how the host keeps history; null while that is as it was wanted. */
export function journalMessage(journal: JournalHealth | null): Message | null {
  if (journal?.mode !== 'degraded') return null
  return { key: 'journal.degraded', params: { reason: { key: `journal.${journal.reason}` } } }
}

function refusal({ code, stale }: Extract<LinkState, { kind: 'refused' }>): Message {
  if (code !== 'PROTOCOL_MISMATCH' || stale === 'unknown') return errorMessage({ code, details: {} })
  return { key: stale === 'page' ? 'link.stale.page' : 'link.stale.host' }
}

function bytesInWords(bytes: number): string {
  if (bytes < 1024) return `${String(bytes)} B`
  if (bytes < 1024 * 1024) return `${String(Math.round(bytes / 1024))} KiB`
  return `${(bytes / (1024 * 1024)).toFixed(1)} MiB`
}
