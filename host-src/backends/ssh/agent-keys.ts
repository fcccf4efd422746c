/** The user's SSH agent: which it is, which keys it has, and one key of it at a time. */
import { readFile } from 'node:fs/promises'
import type { BaseAgent, IdentityCallback, ParsedKey, SignCallback, SigningRequestOptions } from 'ssh2'
import { expandHome } from './key-file.ts'
import type { Ssh2 } from './ssh-module.ts'

const WINDOWS_PIPE = String.raw`\\.\pipe\openssh-ssh-agent`

/** Where the agent listens, or null when none runs. */
export function agentPath(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string | null {
  const path = env['SSH_AUTH_SOCK']
  if (path !== undefined && path !== '') return path
  return platform === 'win32' ? WINDOWS_PIPE : null
}

export type Agent = BaseAgent<ParsedKey>

/** @throws Error when it does not answer */
export function keysOf(agent: Agent, ssh2: Ssh2): Promise<ParsedKey[]> {
  return new Promise((resolve, reject) => {
    agent.getIdentities((error, keys) => {
      if (error !== undefined && error !== null) {
        reject(error)
        return
      }
      // Entries with a comment come from agents that somebody wrote, not from the two that there are here.
      const parsed = (keys ?? []).map((key) => ssh2.utils.parseKey(key as ParsedKey))
      resolve(parsed.filter((key): key is ParsedKey => !(key instanceof Error)))
    })
  })
}

/** An agent that has this key only: a server that counts tries is offered no more than what is asked for. */
export function withOneKey(agent: Agent, key: ParsedKey, ssh2: Ssh2): BaseAgent {
  class OneKey extends ssh2.BaseAgent<ParsedKey> {
    getIdentities(callback: IdentityCallback<ParsedKey>): void {
      callback(null, [key])
    }
    sign(
      ...args:
        | [ParsedKey, Buffer, SignCallback]
        | [ParsedKey, Buffer, SigningRequestOptions, (SignCallback | undefined)?]
    ): void {
      // One of two ways to be called, as it came.
      agent.sign(...(args as [ParsedKey, Buffer, SignCallback]))
    }
  }
  return new OneKey() as unknown as BaseAgent
}

/** Those keys first whose public half stands beside `keyPath`. */
export async function sortedKeys(
  keys: readonly ParsedKey[],
  keyPath: string | undefined,
  ssh2: Ssh2,
): Promise<ParsedKey[]> {
  if (keyPath === undefined || keyPath === '') return [...keys]
  try {
    const path = expandHome(keyPath)
    const wanted = ssh2.utils.parseKey(await readFile(path.endsWith('.pub') ? path : `${path}.pub`))
    if (wanted instanceof Error) return [...keys]
    const isWanted = (key: ParsedKey): boolean => key.getPublicSSH().equals(wanted.getPublicSSH())
    return [...keys.filter(isWanted), ...keys.filter((key) => !isWanted(key))]
  } catch {
    return [...keys] // there is no public half: every key is as good
  }
}
