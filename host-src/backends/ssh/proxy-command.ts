/** A program that the user named as the way to a machine. Runs only where both switches are on. */
import { spawn } from 'node:child_process'
import { Duplex } from 'node:stream'
import { isHostVariable } from '../child-env.ts'
import { plainWords } from './plain-words.ts'
import { sshError } from './ssh-faults.ts'
import type { SshPorts, SshTarget } from './ssh-ports.ts'
import type { Steps } from './steps.ts'

/** Named by an environment variable of the host, so that no web page can switch it on. */
const PROXY_COMMAND_SWITCH = 'DSH_TTY_ALLOW_PROXY_COMMAND'

const HOST_WORD = /^[A-Za-z0-9._:%][A-Za-z0-9._:%-]*$/
const USER_WORD = /^[A-Za-z0-9._@\\][A-Za-z0-9._@\\-]*$/

/**
 * The words of a ProxyCommand put in. They become part of a shell's command line, so only plain ones are.
 * @throws Error that says which is not
 */
export function expandProxyCommand(command: string, { connection, book }: SshTarget): string {
  const { host, port, username } = connection
  const word = (what: string, value: string, allowed: RegExp): string => {
    if (!allowed.test(value)) throw new Error(`the ${what} has characters that a ProxyCommand may not get`)
    return value
  }
  return command.replaceAll(/%(.?)/gs, (_, key: string) => {
    switch (key) {
      case '%':
        return '%'
      case 'h':
        return word('host name', host, HOST_WORD)
      case 'p':
        return String(port)
      case 'r':
        return word('user name', username, USER_WORD)
      case 'n':
        return word('name', book ?? host, HOST_WORD)
      default:
        throw new Error(`"%${key}" is not known in a ProxyCommand; there are %h %p %r %n %%`)
    }
  })
}

export interface ProxyStream {
  readonly stream: Duplex
  /** Resolves when the command ended, with what it said. */
  readonly ended: Promise<string>
}

/** @throws TtyError SSH_PROXY_OFF: never a direct connection instead */
export async function proxyCommandTo(target: SshTarget, ports: SshPorts, steps: Steps): Promise<ProxyStream> {
  const { hostEnv, settings } = ports
  const off = (why: string, advice: string): Error =>
    sshError('SSH_PROXY_OFF', { where: steps.where, phase: 'connect' }, { why, advice })
  if (hostEnv[PROXY_COMMAND_SWITCH] !== '1')
    throw off(
      'its entry has a ProxyCommand, and these are switched off',
      `Start DSH with ${PROXY_COMMAND_SWITCH}=1 to allow them, or take it out of the entry.`,
    )
  if (!settings().allowProxyCommand)
    throw off(
      'its entry has a ProxyCommand, and the setting "allowProxyCommand" is off',
      'Switch it on, or take the ProxyCommand out of the entry.',
    )
  return await steps.run('connect', () => {
    const line = expandProxyCommand(target.connection.proxyCommand ?? '', target)
    const env = Object.fromEntries(Object.entries(hostEnv).filter(([name]) => !isHostVariable(name)))
    // In a group of its own, so that what it starts ends with it.
    const child = spawn('/bin/sh', ['-c', line], { stdio: ['pipe', 'pipe', 'pipe'], env, detached: true })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-500)
    })
    const end = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      } catch {
        // It is gone already.
      }
    }
    const stream = Duplex.from({ readable: child.stdout, writable: child.stdin })
    stream.on('error', () => {}) // its user hears of it, too
    stream.once('close', end)
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => {
        resolve(`the ProxyCommand could not be started (${plainWords(error.message, 200)})`)
      })
      child.once('close', (code) => {
        const words = plainWords(said, 200)
        resolve(`the ProxyCommand ended with ${String(code)}${words === '' ? '' : `: ${words}`}`)
      })
    })
    void ended.then(() => stream.destroy())
    return Promise.resolve({ stream, ended })
  })
}
