/**
 * The file operations the journal needs, as a port, so that a test can make any of them fail. Directories are made with
 * mode 0700 and files with 0600. All of them are synchronous: each is one or a few system calls on small data or one large slice.
 */
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { systemCodeOf } from '../base/errors.ts'

const PRIVATE_DIRECTORY = 0o700
const PRIVATE_FILE = 0o600

/** Every operation throws Node's system error unless it says otherwise. */
export interface FilePort {
  /** With its parents; an existing one gets mode 0700. */
  makeDirectory(path: string): void
  /** For writing at the end and reading anywhere; made when absent, and an existing one gets mode 0600. */
  openAppend(path: string): number
  openRead(path: string): number
  /** @returns bytes taken, which may be fewer than given */
  write(fd: number, bytes: Uint8Array): number
  /** @returns bytes read, 0 at the end of the file */
  read(fd: number, into: Uint8Array, position: number): number
  /** Push the file's bytes to the disk, off the main thread. */
  sync(fd: number): Promise<void>
  /** The same at once: for the end, when nobody waits. */
  syncNow(fd: number): void
  close(fd: number): void
  truncate(path: string, bytes: number): void
  /** Bytes in the file. */
  size(path: string): number
  /** Names in the directory; none when it is absent. */
  list(path: string): readonly string[]
  /** The whole file, or null when it is absent. */
  readText(path: string): string | null
  /** Write `text` over the beginning of the file, in one call; made when absent, and never made shorter. */
  overwriteText(path: string, text: string): void
  /** @returns whether it was made: false when it is there already. It has all its text from the first moment. */
  createText(path: string, text: string): boolean
  rename(from: string, to: string): void
  /** A file that is absent is removed. */
  removeFile(path: string): void
  /** With all it holds; one that is absent is removed. */
  removeDirectory(path: string): void
}

export const nodeFiles: FilePort = {
  makeDirectory(path) {
    mkdirSync(path, { recursive: true, mode: PRIVATE_DIRECTORY })
    chmodSync(path, PRIVATE_DIRECTORY)
  },
  openAppend(path) {
    const fd = openSync(path, 'a+', PRIVATE_FILE)
    chmodSync(path, PRIVATE_FILE)
    return fd
  },
  openRead: (path) => openSync(path, 'r'),
  write: (fd, bytes) => writeSync(fd, bytes),
  read: (fd, into, position) => readSync(fd, into, 0, into.length, position),
  sync: promisify(fdatasync),
  syncNow: fdatasyncSync,
  close: closeSync,
  truncate(path, bytes) {
    const fd = openSync(path, 'r+')
    try {
      ftruncateSync(fd, bytes)
    } finally {
      closeSync(fd)
    }
  },
  size: (path) => statSync(path).size,
  list: (path) => unlessAbsent(() => readdirSync(path)) ?? [],
  readText: (path) => unlessAbsent(() => readFileSync(path, 'utf8')),
  overwriteText(path, text) {
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT, PRIVATE_FILE)
    try {
      writeSync(fd, text, 0)
    } finally {
      closeSync(fd)
    }
  },
  createText(path, text) {
    const part = `${path}.${randomUUID()}.part`
    writeFileSync(part, text, { mode: PRIVATE_FILE })
    try {
      linkSync(part, path)
      return true
    } catch (error) {
      if (systemCodeOf(error) === 'EEXIST') return false
      throw error
    } finally {
      unlinkSync(part)
    }
  },
  rename: renameSync,
  removeFile(path) {
    unlessAbsent(() => {
      unlinkSync(path)
      return true
    })
  },
  removeDirectory(path) {
    rmSync(path, { recursive: true, force: true })
  },
}

function unlessAbsent<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw error
  }
}
