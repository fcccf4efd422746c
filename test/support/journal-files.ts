/** A file system in memory for the journal's port, and a wrapper that makes operations of any port fail. */
import type { FilePort } from '../../host-src/journal/file-port.ts'

const absent = (path: string): Error => Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })

/** Files by absolute path; directories exist by themselves. */
export class MemoryFiles implements FilePort {
  readonly contents = new Map<string, Uint8Array>()
  readonly #open = new Map<number, string>()
  #nextFd = 3

  /** Paths that are open right now. */
  get openPaths(): readonly string[] {
    return [...this.#open.values()]
  }

  makeDirectory(): void {
    // Every directory is there.
  }

  openAppend(path: string): number {
    if (!this.contents.has(path)) this.contents.set(path, new Uint8Array(0))
    return this.openRead(path)
  }

  openRead(path: string): number {
    this.#bytes(path)
    const fd = this.#nextFd++
    this.#open.set(fd, path)
    return fd
  }

  write(fd: number, bytes: Uint8Array): number {
    const path = this.#pathOf(fd)
    this.contents.set(path, Buffer.concat([this.#bytes(path), bytes]))
    return bytes.length
  }

  read(fd: number, into: Uint8Array, position: number): number {
    const bytes = this.#bytes(this.#pathOf(fd)).subarray(position, position + into.length)
    into.set(bytes)
    return bytes.length
  }

  async sync(): Promise<void> {
    // Memory is as far as it goes.
  }

  syncNow(): void {
    // As above.
  }

  close(fd: number): void {
    this.#pathOf(fd)
    this.#open.delete(fd)
  }

  truncate(path: string, bytes: number): void {
    this.contents.set(path, this.#bytes(path).slice(0, bytes))
  }

  size(path: string): number {
    return this.#bytes(path).length
  }

  list(path: string): readonly string[] {
    const names = [...this.contents.keys()].flatMap((each) =>
      each.startsWith(`${path}/`) ? (each.slice(path.length + 1).split('/')[0] ?? []) : [],
    )
    return [...new Set(names)]
  }

  readText(path: string): string | null {
    const bytes = this.contents.get(path)
    return bytes === undefined ? null : Buffer.from(bytes).toString()
  }

  overwriteText(path: string, text: string): void {
    const rest = this.contents.get(path)?.subarray(text.length) ?? new Uint8Array(0)
    this.contents.set(path, Buffer.concat([Buffer.from(text), rest]))
  }

  createText(path: string, text: string): boolean {
    if (this.contents.has(path)) return false
    this.contents.set(path, Buffer.from(text))
    return true
  }

  rename(from: string, to: string): void {
    this.contents.set(to, this.#bytes(from))
    this.contents.delete(from)
  }

  removeFile(path: string): void {
    this.contents.delete(path)
  }

  removeDirectory(path: string): void {
    for (const each of this.contents.keys()) if (each.startsWith(`${path}/`)) this.contents.delete(each)
  }

  #bytes(path: string): Uint8Array {
    const bytes = this.contents.get(path)
    if (bytes === undefined) throw absent(path)
    return bytes
  }

  #pathOf(fd: number): string {
    const path = this.#open.get(fd)
    if (path === undefined) throw Object.assign(new Error(`EBADF: ${fd}`), { code: 'EBADF' })
    return path
  }
}

/** Which operations fail, and with which system code. */
export type Faults = Map<keyof FilePort, string>

/** `files`, except that an operation named in `faults` throws with its code for as long as it is there. */
export const faultyFiles = (files: FilePort, faults: Faults): FilePort =>
  new Proxy(files, {
    get: (target, name: keyof FilePort) => {
      const operation = target[name] as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        const code = faults.get(name)
        if (code !== undefined) throw Object.assign(new Error(`${code}: ${name} failed`), { code })
        return operation.apply(target, args)
      }
    },
  })
