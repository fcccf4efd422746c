/** A real shell on a real terminal, with or without our hooks, and what its marks say. */
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import { platformOf } from '../../host-src/backends/platform.ts'
import { newMarkNonce, newSessionId } from '../../host-src/base/random-id.ts'
import { ShellIntegration } from '../../host-src/terminal/shell-integration.ts'
import type { ExitStatus } from '../../protocol-src/session.ts'
import { localBackend } from './local-pty.ts'
import { recordingLogger, type RecordingLogger } from './recording-logger.ts'
import { MARK, withoutMarks } from './shell-marks.ts'
import { descendantsOf } from './proc.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { until } from './wait.ts'

export interface ShellOptions {
  shell: string
  /** Files of HOME, path to text. */
  files?: Readonly<Record<string, string>>
  env?: Readonly<Record<string, string | undefined>>
  /** Off: the same shell as if we were not there. */
  integrated?: boolean
  /** How the prompt ends. */
  prompt?: RegExp
  /** Changes the hook's text, to stand for a shell that is not here. */
  asIf?: (hook: string) => string
  /** As on macOS. */
  login?: boolean
  zshSystemFiles?: readonly string[]
  /** As in the environment of a host that was started in a terminal of ours. */
  zdotdirOfAnEarlierStart?: boolean
  size?: { cols: number; rows: number }
}

/** One mark with our nonce. */
export interface SeenMark {
  readonly kind: string
  /** `D`'s exit status as it stands there. */
  readonly status: string | null
  readonly fields: Readonly<Record<string, string>>
  /** Index in `output`: where it begins, and after its end. */
  readonly from: number
  readonly to: number
}

export interface SeenCommand {
  readonly text: string | null
  readonly cut: boolean
  readonly exit: string | null
  /** Between the marks, as printed. */
  readonly output: string
}

// oxlint-disable-next-line no-control-regex -- control sequences are what this is about
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[()][A-Z0-9]|[=>78M])/g
const READY = '\u001b[?2004h'

export class ShellTerminal {
  readonly home: string
  readonly nonce = newMarkNonce()
  readonly logger: RecordingLogger = recordingLogger()
  readonly #shellsFolder: string
  readonly #options: ShellOptions
  readonly #decoder = new TextDecoder()
  #output = ''
  #write: (data: Uint8Array) => void = () => {}
  #resize: (size: { cols: number; rows: number }) => void = () => {}
  pid = 0
  exited!: Promise<ExitStatus>

  private constructor(folders: { home: string; shells: string }, options: ShellOptions) {
    this.home = folders.home
    this.#shellsFolder = folders.shells
    this.#options = options
  }

  /** Started and waiting at its first prompt. */
  static async open(options: ShellOptions): Promise<ShellTerminal> {
    const terminal = await ShellTerminal.start(options)
    await terminal.untilPrompt(0)
    return terminal
  }

  /** Started; whether it gets to a prompt is for the test to say. */
  static async start(options: ShellOptions): Promise<ShellTerminal> {
    const home = await temporaryFolder()
    for (const [path, text] of Object.entries(options.files ?? {})) {
      await mkdir(dirname(join(home, path)), { recursive: true })
      await writeFile(join(home, path), text)
    }
    const terminal = new ShellTerminal({ home, shells: await temporaryFolder() }, options)
    await terminal.#launch()
    return terminal
  }

  /** What a starting shell reads, as far as it is still there. */
  async leftInShellsFolder(): Promise<string[]> {
    return await readdir(this.#shellsFolder)
  }

  async untilNothingIsLeft(): Promise<void> {
    await until(async () => (await this.leftInShellsFolder()).length === 0, {
      what: 'the files of the start to be gone',
    })
  }

  /** Everything printed. */
  get output(): string {
    return this.#output
  }

  /** The same without our marks. */
  get unmarked(): string {
    return withoutMarks(this.#output)
  }

  /** What a person would read, more or less: without marks and other sequences. */
  get text(): string {
    return visible(this.#output)
  }

  type(text: string): void {
    this.#write(Buffer.from(text))
  }

  bytes(data: Uint8Array): void {
    this.#write(data)
  }

  resize(size: { cols: number; rows: number }): void {
    this.#resize(size)
  }

  /** Type a line and wait for the next prompt. @returns what was printed meanwhile, without marks and sequences */
  async line(text: string): Promise<string> {
    return await this.act(`${text}\r`)
  }

  /** Type the line of a program that goes on, and wait until it is there. */
  async run(text: string): Promise<void> {
    this.type(`${text}\r`)
    const [program = ''] = text.split(' ')
    await until(() => descendantsOf(this.pid).some(({ name }) => name === program), { what: `${text} to run` })
  }

  /** Type something that ends in a prompt. */
  async act(text: string): Promise<string> {
    const from = this.#output.length
    this.type(text)
    await this.untilPrompt(from)
    return visible(this.#output.slice(from))
  }

  /** A prompt that was printed after index `from` waits. */
  async untilPrompt(from: number): Promise<void> {
    const prompt = this.#options.prompt ?? /[$#%>] $/
    await this.#until('a prompt', from, (since) => since.includes(READY) && prompt.test(visible(since)))
  }

  /** @param from index in `output` */
  async untilText(pattern: RegExp, from = 0): Promise<void> {
    await this.#until(String(pattern), from, (since) => pattern.test(visible(since)))
  }

  async #until(what: string, from: number, fact: (since: string) => boolean): Promise<void> {
    await until(
      () => {
        const since = this.#output.slice(from)
        if (!fact(since)) throw new Error(`the output so far: ${JSON.stringify(since.slice(-800))}`)
        return true
      },
      { what },
    )
  }

  get marks(): SeenMark[] {
    return [...this.#output.matchAll(MARK)]
      .filter(([, , , nonce]) => nonce === this.nonce)
      .map((match) => ({
        kind: match[1] ?? '',
        status: match[2] === undefined ? null : match[2],
        fields: Object.fromEntries(
          (match[4] ?? '')
            .split(';')
            .slice(1)
            .map((field) => [field.slice(0, 1), unescaped(field.slice(2))]),
        ),
        from: match.index,
        to: match.index + match[0].length,
      }))
  }

  /** The kinds in order, as `ABCDPABCD…`; the status stands behind its `D`. */
  get kinds(): string {
    return this.marks.map(({ kind, status }) => `${kind}${status ?? ''}`).join(' ')
  }

  /** Commands that were seen to start and to end. */
  get commands(): SeenCommand[] {
    const commands: SeenCommand[] = []
    let start: SeenMark | null = null
    for (const mark of this.marks) {
      if (mark.kind === 'C') start = mark
      if (mark.kind !== 'D' || start === null) continue
      commands.push({
        text: start.fields['c'] ?? null,
        cut: start.fields['t'] === '1',
        exit: mark.status,
        output: this.#output.slice(start.to, mark.from),
      })
      start = null
    }
    return commands
  }

  /** Text and exit of each command, briefly. */
  get record(): string[] {
    return this.commands.map(({ text, exit }) => `${text ?? '?'} -> ${exit ?? '?'}`)
  }

  get lastCwd(): string | null {
    return this.marks.findLast(({ fields }) => 'd' in fields)?.fields['d'] ?? null
  }

  async #launch(): Promise<void> {
    const { shell, env, integrated = true, asIf, zshSystemFiles, size = { cols: 80, rows: 24 } } = this.#options
    const integration = new ShellIntegration({
      directory: this.#shellsFolder,
      logger: this.logger,
      ...(asIf === undefined ? {} : { hooks: await changedHooks(asIf) }),
      ...(zshSystemFiles === undefined ? {} : { zshSystemFiles }),
    })
    const earlier = this.#options.zdotdirOfAnEarlierStart === true ? { ZDOTDIR: join(this.#shellsFolder, '1-x') } : {}
    const backend = localBackend(
      { shell, shellIntegration: integrated },
      {
        integration,
        ...(this.#options.login === true ? { platform: LOGIN_PLATFORM } : {}),
        logger: this.logger,
        startDirectory: this.home,
        hostEnv: { PATH: process.env['PATH'], HOME: this.home, LANG: 'C.UTF-8', ...earlier, ...env },
      },
    )
    const { handle } = await backend.launch({
      sessionId: newSessionId(),
      spec: { kind: 'local' },
      size,
      owner: { kind: 'user' },
      markNonce: this.nonce,
      signal: new AbortController().signal,
    })
    handle.onData((chunk) => {
      this.#output += this.#decoder.decode(chunk, { stream: true })
    })
    this.pid = handle.pid ?? 0
    this.exited = handle.exited
    this.#write = (data) => {
      handle.write(data)
    }
    this.#resize = (to) => {
      handle.resize(to)
    }
    onTestFinished(async () => {
      await handle.terminate(200)
    })
  }
}

const LOGIN_PLATFORM = { ...platformOf(process.platform), interactiveArgs: () => ['-l', '-i'] }

const HOOKS = new URL('../../host-src/terminal/hooks/', import.meta.url)

const changedHooks = async (change: (hook: string) => string): Promise<URL> => {
  const folder = await temporaryFolder()
  for (const name of await readdir(HOOKS))
    await writeFile(join(folder, name), change(await readFile(new URL(name, HOOKS), 'utf8')))
  return pathToFileURL(`${folder}/`)
}

const visible = (output: string): string => output.replace(SEQUENCE, '')

const unescaped = (text: string): string =>
  text.replace(/\\(?:\\|x([0-9a-f]{2}))/g, (_whole, hex: string | undefined) =>
    hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
  )

/**
 * The same lines to the same shell with and without us.
 * @returns what both printed, without marks and with HOME written `~`; the lines go in one by one, each at a prompt
 */
export const bothWays = async (
  options: Omit<ShellOptions, 'integrated'>,
  lines: readonly string[],
): Promise<{ ours: string; plain: string; terminal: ShellTerminal }> => {
  const run = async (integrated: boolean): Promise<ShellTerminal> => {
    const terminal = await ShellTerminal.open({ ...options, integrated })
    for (const line of lines) await terminal.line(line)
    return terminal
  }
  const [terminal, plain] = [await run(true), await run(false)]
  const told = (from: ShellTerminal): string => from.unmarked.replaceAll(from.home, '~')
  return { ours: told(terminal), plain: told(plain), terminal }
}
