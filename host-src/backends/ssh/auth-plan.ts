/**
 * How one login goes: what is tried in which order, what the person is asked, and what is said when it fails. Servers may want
 * several steps; each accepted one begins the next. Secrets pass through here and stay nowhere.
 */
import type { AnyAuthMethod, BaseAgent, KeyboardInteractiveCallback, ParsedKey, Prompt } from 'ssh2'
import type { Question } from '../../../protocol-src/question.ts'
import { MAX_PROMPT_CHARS, MAX_PROMPTS } from '../../../protocol-src/question.ts'
import { TtyError, messageOf } from '../../base/errors.ts'
import { agentPath, keysOf, sortedKeys, withOneKey, type Agent } from './agent-keys.ts'
import { readPrivateKey } from './key-file.ts'
import { plainLines, plainWords } from './plain-words.ts'
import { machineName, sshCancelled, sshError } from './ssh-faults.ts'
import type { AuthFailure, Ssh2 } from './ssh-module.ts'
import type { ConnectContext, SshPorts, SshTarget } from './ssh-ports.ts'
import type { Steps } from './steps.ts'

/** Times that a person may answer one kind of question. */
const TRIES = 3

interface Parts {
  readonly target: SshTarget
  readonly ports: SshPorts
  readonly context: ConnectContext
  readonly steps: Steps
  readonly ssh2: Ssh2
}

type PromptsQuestion = Extract<Question, { kind: 'prompts' }>
type Attempts = AsyncGenerator<AnyAuthMethod, void, AuthFailure>
/** Says at its end whether an attempt was accepted as one of several steps. */
type Stage = AsyncGenerator<AnyAuthMethod, boolean, AuthFailure>
type PromptArguments = [
  name: string,
  instructions: string,
  language: string,
  prompts: Prompt[],
  finish: KeyboardInteractiveCallback,
]

export class AuthPlan {
  readonly #parts: Parts
  readonly #attempts: Attempts
  /** What was tried, for people: `key /home/me/.ssh/id` and the like. */
  readonly #tried: string[] = []
  /** What the server would have taken last. */
  #offered: readonly string[] = []
  #keysOffered = 0
  #accepted = 0
  #fault: TtyError | null = null
  #isStoredPasswordUsed = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#attempts = this.#plan()
  }

  /** @param failure what the last attempt met, or null before the first. @returns false when nothing is left to try */
  async next(failure: AuthFailure | null): Promise<AnyAuthMethod | false> {
    if (failure !== null) this.#offered = failure.methods
    try {
      const step = await this.#attempts.next(failure ?? { methods: [], isPartial: false })
      return step.done === true ? false : step.value
    } catch (error) {
      this.#fault = error instanceof TtyError ? error : this.#error(plainWords(messageOf(error), 200), CHECK)
      return false
    }
  }

  /** The server accepts nothing more of this connection; or nothing was left to try. */
  failure(thrown: unknown): TtyError {
    if (this.#fault !== null) return this.#fault
    if (thrown instanceof TtyError) return thrown
    const message = messageOf(thrown)
    const isTooMany = /too many auth/i.test(message)
    if (isTooMany && this.#keysOffered > 1)
      return this.#error(
        `the server hung up after ${String(this.#keysOffered)} keys of the agent: it lets nobody try as many`,
        'Name the key file in the entry of the connection, or keep fewer keys in the agent.',
      )
    if (isTooMany) return this.#error('the server lets nobody try as often', 'Try again later.')
    if (!message.startsWith('All configured authentication methods'))
      return this.#error(plainWords(message, 200), CHECK)
    const tried = this.#tried.length === 0 ? 'nothing could be tried' : `refused: ${this.#tried.join(', ')}`
    const offered =
      this.#offered.length === 0 ? 'nothing more' : this.#offered.map((name) => plainWords(name, 40)).join(', ')
    return this.#error(`${tried}; the server takes ${offered}`, this.#advice())
  }

  #advice(): string {
    const { auth } = this.#parts.target.connection
    const takesPassword = this.#offered.includes('password') || this.#offered.includes('keyboard-interactive')
    if (auth !== 'password' && takesPassword && !this.#offered.includes('publickey'))
      return 'Choose the login by password in the entry of the connection.'
    if (auth === 'password' && !takesPassword) return 'Choose the login by key or agent in the entry of the connection.'
    return 'Check the user name, and the key or password.'
  }

  async *#plan(): Attempts {
    const { username } = this.#parts.target.connection
    // Costs no try, and tells what the server takes.
    yield { type: 'none', username }
    while (yield* this.#stage(this.#offered)) this.#accepted += 1
  }

  /** Everything that makes sense now. @returns whether one was accepted, so that more is asked for */
  async *#stage(offered: readonly string[]): Stage {
    const { auth } = this.#parts.target.connection
    const isFirst = this.#accepted === 0
    const takes = (method: string): boolean => offered.length === 0 || offered.includes(method)
    if (isFirst && auth !== 'password') {
      if (!takes('publickey')) return false
      return auth === 'agent' ? yield* this.#byAgent() : yield* this.#byKey()
    }
    const isStored = !this.#isStoredPasswordUsed && (await this.#storedPassword()) !== null
    // Its own questions may ask for more than a password; a password that is known already needs none.
    const kinds = isStored
      ? (['password', 'keyboard-interactive'] as const)
      : (['keyboard-interactive', 'password'] as const)
    for (const kind of kinds.filter(takes)) {
      if (kind === 'password' ? yield* this.#byPassword() : yield* this.#byQuestions()) return true
    }
    return false
  }

  async *#byAgent(): Stage {
    const { ssh2, ports, target, steps } = this.#parts
    const { username, keyPath } = target.connection
    const path = agentPath(ports.hostEnv, process.platform)
    const fail = (why: string, advice: string): TtyError =>
      sshError('SSH_AGENT', { where: steps.where, phase: 'authenticate' }, { why, advice })
    const advice =
      'Start an agent and restart DSH from a shell that knows it, or choose the login by key file or password.'
    if (path === null) throw fail('no SSH agent runs for this host (SSH_AUTH_SOCK is not set)', advice)
    const agent = ssh2.createAgent(path) as Agent
    let keys: ParsedKey[]
    try {
      keys = await sortedKeys(await keysOf(agent, ssh2), keyPath, ssh2)
    } catch (error) {
      throw fail(`the SSH agent does not answer (${plainWords(messageOf(error), 100)})`, advice)
    }
    if (keys.length === 0)
      throw fail('the SSH agent has no keys', 'Add one with "ssh-add", or choose the login by key file or password.')
    for (const key of keys) {
      this.#keysOffered += 1
      const met = yield { type: 'agent', username, agent: withOneKey(agent, key, ssh2) as BaseAgent }
      if (met.isPartial) return true
    }
    this.#tried.push(`${String(keys.length)} ${keys.length === 1 ? 'key' : 'keys'} of the agent`)
    return false
  }

  async *#byKey(): Stage {
    const { ssh2, target, steps } = this.#parts
    const { username, keyPath = '', passphrase } = target.connection
    const key = await readPrivateKey(keyPath, {
      ssh2,
      steps,
      passphrase: () => this.#resolved(passphrase),
      ask: async (again) => {
        const prompts = [{ text: '', echo: false }]
        const [value = ''] = await this.#ask({
          purpose: 'passphrase',
          name: '',
          instructions: '',
          prompts,
          again,
          keyPath,
        })
        return value
      },
    })
    const met = yield { type: 'publickey', username, key }
    if (!met.isPartial) this.#tried.push(`key ${plainWords(keyPath, 200)}`)
    return met.isPartial
  }

  async *#byPassword(): Stage {
    const { username } = this.#parts.target.connection
    let again = false
    for (let tries = 0; tries < TRIES; tries += 1) {
      let password = this.#isStoredPasswordUsed ? null : await this.#storedPassword()
      this.#isStoredPasswordUsed = true
      if (password === null) {
        const prompts = [{ text: '', echo: false }]
        ;[password = ''] = await this.#ask({ purpose: 'password', name: '', instructions: '', prompts, again })
      }
      const met = yield { type: 'password', username, password }
      if (met.isPartial) return true
      if (!met.methods.includes('password')) break
      again = true
    }
    this.#tried.push('password')
    return false
  }

  async *#byQuestions(): Stage {
    const { username } = this.#parts.target.connection
    let again = false
    for (let tries = 0; tries < TRIES; tries += 1) {
      const met = yield {
        type: 'keyboard-interactive',
        username,
        prompt: (...args) => {
          this.#answer(args, again)
        },
      }
      if (met.isPartial) return true
      if (this.#fault !== null || !met.methods.includes('keyboard-interactive')) break
      again = true
    }
    this.#tried.push('the questions of the server')
    return false
  }

  /** Questions of the server: the stored password answers a single secret one, once; the person all others. */
  #answer([name, instructions, , prompts, finish]: PromptArguments, again: boolean): void {
    void (async () => {
      try {
        const stored = this.#isStoredPasswordUsed ? null : await this.#storedPassword()
        if (stored !== null && prompts.length === 1 && prompts[0]?.echo !== true) {
          this.#isStoredPasswordUsed = true
          finish([stored])
          return
        }
        const shown = prompts.slice(0, MAX_PROMPTS).map(({ prompt, echo }) => ({
          text: plainWords(prompt, MAX_PROMPT_CHARS),
          echo: echo === true,
        }))
        const question = {
          purpose: 'keyboard-interactive' as const,
          name: plainWords(name, MAX_PROMPT_CHARS),
          instructions: plainLines(instructions, MAX_PROMPT_CHARS),
          prompts: shown,
          again,
        }
        finish(await this.#ask(question))
      } catch (error) {
        this.#fault ??= error instanceof TtyError ? error : this.#error(plainWords(messageOf(error), 200), CHECK)
        finish([]) // refused by the server, after which nothing more is tried
      }
    })()
  }

  /** @throws TtyError when there is no answer */
  async #ask(question: Omit<PromptsQuestion, 'kind' | 'where'>): Promise<string[]> {
    const { steps, context, ports } = this.#parts
    const asked = { kind: 'prompts' as const, where: steps.where, ...question }
    const reply = await steps.unhurried(() => ports.person.ask(asked, context.audience, context.signal))
    const what = question.purpose === 'keyboard-interactive' ? 'the questions of the server' : `the ${question.purpose}`
    switch (reply.kind) {
      case 'prompts':
        return question.prompts.map((_, index) => reply.values[index] ?? '')
      case 'aborted':
        throw sshCancelled()
      case 'nobody':
        throw this.#error(
          `nobody could be asked for ${what}, because no panel is there`,
          `Store it in the entry of the connection, or open ${machineName(steps.where)} from the panel.`,
        )
      case 'timed-out':
        throw this.#error(`no answer for ${what} came in time`, 'Connect again to be asked again.')
      case 'declined':
      case 'accept':
        throw this.#error(`no answer was given for ${what}`, 'Connect again to be asked again.')
    }
  }

  async #resolved(ref: string | undefined): Promise<string | null> {
    return ref === undefined || ref === '' ? null : await this.#parts.ports.secrets.resolve(ref)
  }

  #storedPassword(): Promise<string | null> {
    const { auth, password } = this.#parts.target.connection
    return auth === 'password' ? this.#resolved(password) : Promise.resolve(null)
  }

  #error(why: string, advice: string): TtyError {
    const details = { tried: this.#tried.join(', '), offered: this.#offered.join(', ') }
    return sshError('SSH_AUTH', { where: this.#parts.steps.where, phase: 'authenticate' }, { why, advice, details })
  }
}

const CHECK = 'Check the user name and the kind of login, and what the log of the server says.'
