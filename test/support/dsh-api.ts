/** The web app's own API from Node: unary calls, the event stream, and agent turns with their approvals. */
import { randomUUID } from 'node:crypto'
import { until } from './wait.ts'

const TURN_LIMIT_MS = 30_000

/** A frame of the event stream; `payload.type` says which. */
export interface ApiFrame {
  rpcId: string
  method: string
  payload: { type: string; sessionId?: string; event?: SessionEvent; [key: string]: unknown }
}

/** One entry of a session's log. */
export interface SessionEvent {
  type: string
  data: Record<string, unknown>
}

/** What an approval card shows. */
export interface ApprovalRequest {
  sessionId: string
  approvalId: string
  toolName: string
  callId: string
  reason: string
}

/** What a person would answer; null leaves the question open. */
export type ApprovalAnswer = 'allowed-once' | 'rejected' | null

/** How to run one turn. */
export interface TurnOptions {
  /** Asked once per approval; without it, approvals stay open. */
  onApproval?: (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>
  timeoutMs?: number
}

/** A finished turn. */
export interface Turn {
  /** Every session event of the turn, in order. */
  events: readonly SessionEvent[]
  /** Outcomes of the tool calls, in order, as the model reads them. */
  results: readonly { text: string; isError: boolean }[]
  /** `completed`, `aborted`, `error`, … */
  reason: string
}

/** The API of one running host. */
export interface DshApi extends Disposable {
  /** Unary call of `/api/<method>`; rejects with `<method>: <code>: <message>` when the host refuses. */
  call<T = unknown>(method: string, payload?: object): Promise<T>
  /** A new agent session; `agentPreset` as in the app: `standard`, `code`, `minimal`. */
  createSession(options: { cwd: string; agentPreset?: string }): Promise<string>
  /** Runs a slash command line, e.g. `/permission danger-full-access`; rejects when it does not succeed. */
  command(sessionId: string, line: string): Promise<void>
  /** Sends a prompt (a script of the scripted model) and waits for the end of that turn. */
  turn(sessionId: string, prompt: string, options?: TurnOptions): Promise<Turn>
  /** Every frame so far, oldest first. */
  readonly frames: readonly ApiFrame[]
  close(): void
}

/** Connects to a host; rejects when its event stream does not open. */
export const connectDshApi = async (url: string): Promise<DshApi> => {
  const frames: ApiFrame[] = []
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/events.mux`)
  socket.addEventListener('message', ({ data }) => frames.push(JSON.parse(String(data)) as ApiFrame))
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true })
    socket.addEventListener('error', () => reject(new Error(`No event stream at ${url}`)), { once: true })
  })

  const call = async <T>(method: string, payload: object = {}): Promise<T> => {
    const reply = await post(`${url}/api/${method}`, { type: 'client-request', rpcId: randomUUID(), method, payload })
    const { result } = reply as { result: { ok: boolean; value: T; error?: { code: string; message: string } } }
    if (!result.ok) throw new Error(`${method}: ${result.error?.code}: ${result.error?.message}`)
    return result.value
  }

  const respond = async (rpcId: string, value: object): Promise<void> => {
    await post(`${url}/api/respond`, { type: 'client-response', rpcId, result: { ok: true, value } })
  }

  const turn = async (sessionId: string, prompt: string, options: TurnOptions = {}): Promise<Turn> => {
    const from = frames.length
    const answered = new Set<string>()
    const ours = (): ApiFrame[] => frames.slice(from).filter(({ payload }) => payload.sessionId === sessionId)
    await call('session.prompt', { sessionId, mode: 'queue', content: [{ type: 'text', text: prompt }] })
    await until(
      async () => {
        for (const { rpcId, payload } of ours()) {
          if (payload.type !== 'approval/requested' || options.onApproval === undefined || answered.has(rpcId)) continue
          answered.add(rpcId)
          const request = payload as unknown as ApprovalRequest
          const outcome = await options.onApproval(request)
          if (outcome !== null) await respond(rpcId, { sessionId, approvalId: request.approvalId, outcome })
        }
        return ours().some(({ payload }) => payload.event?.type === 'turn/end')
      },
      { what: `the end of the turn "${prompt}"`, timeoutMs: options.timeoutMs ?? TURN_LIMIT_MS },
    )
    return toTurn(ours().flatMap(({ payload }) => payload.event ?? []))
  }

  const api: DshApi = {
    call,
    frames,
    turn,
    createSession: async (options) => (await call<{ sessionId: string }>('session.create', options)).sessionId,
    command: async (sessionId, line) => {
      const done = await call<{ result: { kind: string; text: string } }>('commands/execute', {
        args: { agentId: sessionId, line, images: [] },
      })
      if (done.result.kind !== 'success') throw new Error(`${line}: ${done.result.text}`)
    },
    close: () => socket.close(),
    [Symbol.dispose]: () => socket.close(),
  }
  return api
}

const post = async (url: string, body: object): Promise<unknown> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url}: HTTP ${response.status} ${await response.text()}`)
  return response.json()
}

const toTurn = (events: SessionEvent[]): Turn => {
  const end = events.findLast(({ type }) => type === 'turn/end')
  return {
    events,
    results: events.filter(({ type }) => type === 'tool/result').map(toResult),
    reason: (end?.data['reason'] as { kind?: string } | undefined)?.kind ?? 'unknown',
  }
}

const toResult = ({ data }: SessionEvent): { text: string; isError: boolean } => {
  const message = data['message'] as { content: { content: { text?: string }[]; isError?: boolean }[] }
  const [block] = message.content
  return { text: (block?.content ?? []).map(({ text }) => text ?? '').join(''), isError: block?.isError ?? false }
}
