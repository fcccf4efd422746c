/** Host keys that are known as long as the test runs. */
import {
  fingerprintOf,
  type HostKey,
  type HostKeyPlace,
  type HostKeys,
  type HostKeyVerdict,
} from '../../host-src/ssh/host-keys.ts'

export class MemoryHostKeys implements Pick<HostKeys, 'check' | 'knownTypes' | 'remember'> {
  readonly #known = new Map<string, HostKey[]>()

  #at({ host, port, alias }: HostKeyPlace): HostKey[] {
    const name = alias ?? `${host}:${port}`
    const keys = this.#known.get(name) ?? []
    this.#known.set(name, keys)
    return keys
  }

  check(at: HostKeyPlace, key: HostKey): HostKeyVerdict {
    const known = this.#at(at)
    if (known.some(({ blob }) => Buffer.from(blob).equals(key.blob))) return { verdict: 'known' }
    const sameType = known.filter(({ type }) => type === key.type)
    if (sameType.length > 0) return { verdict: 'changed', known: sameType.map(({ blob }) => fingerprintOf(blob)) }
    return { verdict: 'unknown', others: known.map(({ blob }) => fingerprintOf(blob)) }
  }

  knownTypes(at: HostKeyPlace): readonly string[] {
    return this.#at(at).map(({ type }) => type)
  }

  remember(at: HostKeyPlace, key: HostKey): Promise<void> {
    this.#at(at).push({ type: key.type, blob: Buffer.from(key.blob) })
    return Promise.resolve()
  }

  /** A line of a `.pub` file. */
  know(at: HostKeyPlace, line: string): void {
    const [type = '', base64 = ''] = line.split(' ')
    this.#at(at).push({ type, blob: Buffer.from(base64, 'base64') })
  }

  count(at: HostKeyPlace): number {
    return this.#at(at).length
  }
}
