/**
 * A scripted model: a local server that speaks the streaming chat-completions dialect of the host's adapter.
 * The prompt is the script, so one server serves any number of sessions and subagents at once, in any order:
 *
 *   @call TOOL {"json": "arguments"}   one model step that calls a tool; lines joined by @and share one step
 *   @think TEXT                        reasoning before the next step
 *   @say TEXT                          a final answer; {last} is the text of the last tool result
 *   @status 429                        answers this step with an HTTP error
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message of a request as the adapter sends it. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content?: string | readonly { text?: string }[] | null
}

/** The parts of a request that scripts and tests look at. */
export interface ChatRequest {
  model: string
  messages: readonly ChatMessage[]
  tools?: readonly { function: { name: string; description?: string; parameters?: unknown } }[]
}

/** One model step. */
export type ScriptStep =
  | { kind: 'calls'; calls: { name: string; args: string }[]; think?: string }
  | { kind: 'say'; text: string; think?: string }
  | { kind: 'status'; status: number }

/** A running scripted model. */
export interface MockLlm extends AsyncDisposable {
  /** What `bootTestDsh` takes as `modelUrl`. */
  readonly url: string
  /** Every chat request so far, oldest first. */
  readonly requests: readonly ChatRequest[]
  /** Requests of agent steps only, which carry tools; a title request does not. */
  agentRequests(): readonly ChatRequest[]
  close(): Promise<void>
}

/** The plain text of a message. */
export const textOf = (message: ChatMessage | undefined): string => {
  const content = message?.content
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => part.text ?? '').join('')
}

/** The steps that a prompt's lines describe; lines that are no commands are ignored. */
export const parseScript = (prompt: string): ScriptStep[] => {
  const steps: ScriptStep[] = []
  let think: string | undefined
  let joinsPrevious = false
  const withThought = (): { think?: string } => {
    const thought = think
    think = undefined
    return thought === undefined ? {} : { think: thought }
  }
  for (const line of prompt.split('\n')) {
    const [, command, rest = ''] = /^\s*@(call|and|think|say|status)\b[ \t]*(.*?)\s*$/.exec(line) ?? []
    if (command === 'and') joinsPrevious = true
    if (command === 'think') think = rest
    if (command === 'say') steps.push({ kind: 'say', text: rest, ...withThought() })
    if (command === 'status') steps.push({ kind: 'status', status: Number(rest) })
    if (command === 'call') {
      const [, name = '', args] = /^(\S+)\s*(.*)$/.exec(rest) ?? []
      const call = { name, args: args === undefined || args === '' ? '{}' : args }
      const previous = steps.at(-1)
      if (joinsPrevious && previous?.kind === 'calls') previous.calls.push(call)
      else steps.push({ kind: 'calls', calls: [call], ...withThought() })
      joinsPrevious = false
    }
  }
  return steps
}

/** The step that answers a request: stateless, found from the conversation in the request itself. */
export const decideStep = ({ messages, tools }: ChatRequest): ScriptStep => {
  if (tools === undefined || tools.length === 0) return { kind: 'say', text: 'Scripted title' }
  const at = messages.findLastIndex(({ role, ...rest }) => role === 'user' && isScript(textOf({ role, ...rest })))
  if (at < 0) return { kind: 'say', text: 'There is no script in the prompt.' }
  const taken = messages.slice(at + 1).filter(({ role }) => role === 'assistant').length
  const step = parseScript(textOf(messages[at]))[taken] ?? { kind: 'say', text: 'Done. {last}' }
  if (step.kind !== 'say') return step
  const last = textOf(messages.findLast(({ role }) => role === 'tool'))
  return { ...step, text: step.text.replaceAll('{last}', () => last) }
}

const isScript = (text: string): boolean => /^\s*@(call|say|status)\b/m.test(text)

/** Words for conversations that shall read like a person's, without scripts in the prompts. */
export interface MockLlmOptions {
  /** Final answers, by a part of the prompt. */
  answers?: Readonly<Record<string, string>>
  /** What a request for a title gets. */
  title?: string
}

/** Starts the server on a free port of 127.0.0.1. */
export const startMockLlm = async (options: MockLlmOptions = {}): Promise<MockLlm> => {
  const requests: ChatRequest[] = []
  const respond = (body: ChatRequest): ScriptStep => {
    requests.push(body)
    return decideByOptions(body, options) ?? decideStep(body)
  }
  const server = createServer((request, response) => {
    answer(request, response, respond).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    agentRequests: () => requests.filter(({ tools }) => (tools?.length ?? 0) > 0),
    close,
    [Symbol.asyncDispose]: close,
  }
}

const decideByOptions = (
  { messages, tools }: ChatRequest,
  { answers = {}, title }: MockLlmOptions,
): ScriptStep | null => {
  if (tools === undefined || tools.length === 0) return title === undefined ? null : { kind: 'say', text: title }
  // The host may put messages of its own after the prompt.
  for (const message of messages.toReversed()) {
    const answer = Object.entries(answers).find(([part]) => message.role === 'user' && textOf(message).includes(part))
    if (answer !== undefined) return { kind: 'say', text: answer[1] }
  }
  return null
}

let lastOrdinal = 0

const answer = async (
  request: IncomingMessage,
  response: ServerResponse,
  respond: (body: ChatRequest) => ScriptStep,
): Promise<void> => {
  if (request.method === 'GET') {
    sendJson(response, 200, { object: 'list', data: [{ id: 'scripted', object: 'model' }] })
    return
  }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest
  const step = respond(body)
  if (step.kind === 'status') {
    sendJson(response, step.status, { error: { message: `scripted status ${step.status}`, type: 'scripted' } })
  } else streamStep(response, step, { model: body.model, ordinal: ++lastOrdinal })
}

const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const PIECE_CHARS = 40

const streamStep = (
  response: ServerResponse,
  step: Exclude<ScriptStep, { kind: 'status' }>,
  { model, ordinal }: { model: string; ordinal: number },
): void => {
  const send = (choice: { delta: object; finish_reason?: string }, extra: object = {}): void => {
    const chunk = { id: `scripted-${ordinal}`, object: 'chat.completion.chunk', created: 1, model, ...extra }
    response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, finish_reason: null, ...choice }] })}\n\n`)
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  send({ delta: { role: 'assistant', content: '' } })
  if (step.think !== undefined) send({ delta: { reasoning_content: step.think } })
  if (step.kind === 'calls') {
    for (const [index, { name, args }] of step.calls.entries()) {
      const id = `call_${ordinal}_${index}`
      send({ delta: { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] } })
      send({ delta: { tool_calls: [{ index, function: { arguments: args } }] } })
    }
  } else {
    // The adapter takes an empty answer for an error.
    const text = step.text === '' ? ' ' : step.text
    for (let at = 0; at < text.length; at += PIECE_CHARS) send({ delta: { content: text.slice(at, at + PIECE_CHARS) } })
  }
  send({ delta: {}, finish_reason: step.kind === 'calls' ? 'tool_calls' : 'stop' }, { usage: USAGE })
  response.end('data: [DONE]\n\n')
}
