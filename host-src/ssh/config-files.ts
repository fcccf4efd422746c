/**
 * The user's SSH configuration as one sequence of blocks: files that it includes stand where they are included, each block with
 * the conditions under which it counts. Reads files and runs nothing.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, parse as parsePath, resolve } from 'node:path'
import SSHConfig, { glob, type Line } from 'ssh-config'
import type { FileNote } from '../../protocol-src/ssh-import.ts'

/** As deep as OpenSSH goes. */
const MAX_DEPTH = 16
const MAX_FILES = 200
const MAX_FILE_BYTES = 1024 * 1024

export interface ConfigDirective {
  /** In lower case. */
  readonly name: string
  readonly value: string
}

export interface ConfigBlock {
  /** Patterns of a host name; each list has to match. None: it counts for every host. */
  readonly conditions: readonly (readonly string[])[]
  readonly directives: readonly ConfigDirective[]
}

export interface ConfigFiles {
  readonly blocks: readonly ConfigBlock[]
  readonly notes: readonly FileNote[]
}

interface Reading {
  readonly home: string
  readonly blocks: ConfigBlock[]
  readonly notes: FileNote[]
  files: number
}

/** @param path of the configuration; a file that is not there is an empty one */
export async function readConfigFiles(path: string, home: string): Promise<ConfigFiles> {
  const reading: Reading = { home, blocks: [], notes: [], files: 0 }
  await readInto(reading, path, { conditions: [], depth: 0 })
  return { blocks: reading.blocks, notes: reading.notes }
}

interface Place {
  readonly conditions: ConfigBlock['conditions']
  readonly depth: number
}

async function readInto(reading: Reading, path: string, place: Place): Promise<void> {
  reading.files += 1
  if (place.depth > MAX_DEPTH || reading.files > MAX_FILES) {
    reading.notes.push({ code: 'too-many', what: path })
    return
  }
  let lines: readonly Line[]
  try {
    const text = await readBounded(path)
    if (text === null) return
    lines = SSHConfig.parse(text)
  } catch {
    reading.notes.push({ code: 'unreadable', what: path })
    return
  }
  await readLines(reading, lines, place)
}

async function readLines(reading: Reading, lines: readonly Line[], place: Place): Promise<void> {
  let directives: ConfigDirective[] = []
  const flush = (): void => {
    if (directives.length > 0) reading.blocks.push({ conditions: place.conditions, directives })
    directives = []
  }
  for (const line of lines) {
    if (line.type !== SSHConfig.DIRECTIVE) continue
    const name = line.param.toLowerCase()
    const words = wordsOf(line)
    if (name === 'include') {
      flush()
      for (const pattern of words)
        for (const path of await filesOf(pattern, reading.home))
          await readInto(reading, path, { ...place, depth: place.depth + 1 })
    } else if ('config' in line) {
      flush()
      const isForAll = name === 'match' && words.length === 1 && words[0]?.toLowerCase() === 'all'
      if (name === 'match' && !isForAll) reading.notes.push({ code: 'match', what: words.join(' ') })
      else {
        const conditions = isForAll ? place.conditions : [...place.conditions, words]
        // A name is an entry even where nothing is said of it.
        reading.blocks.push({ conditions, directives: [] })
        await readLines(reading, line.config, { ...place, conditions })
      }
    } else directives.push({ name, value: words.join(' ') })
  }
  flush()
}

/** Values without quotes and without what stands behind a `#`. */
function wordsOf(line: Extract<Line, { param: string }>): string[] {
  if (Array.isArray(line.value)) return line.value.map(({ val }) => val)
  if (line.quoted === true) return [line.value]
  return [line.value.replace(/\s+#.*$/, '')]
}

/** Null when it is not there. */
async function readBounded(path: string): Promise<string | null> {
  try {
    const { size } = await stat(path)
    if (size > MAX_FILE_BYTES) throw new RangeError('too large')
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw error
  }
}

/** The files that an include names; its pattern may stand in any part of the path. */
async function filesOf(pattern: string, home: string): Promise<string[]> {
  const spelled = pattern.startsWith('~/') ? join(home, pattern.slice(2)) : pattern
  const path = isAbsolute(spelled) ? resolve(spelled) : join(home, '.ssh', spelled)
  const { root } = parsePath(path)
  let found = [root]
  for (const part of path.slice(root.length).split(/[\\/]/)) {
    if (!/[*?]/.test(part)) found = found.map((folder) => join(folder, part))
    else {
      const inside = await Promise.all(found.map((folder) => entriesOf(folder, part)))
      found = inside.flat()
    }
  }
  // A folder beside the files is no configuration.
  return found.filter((each) => each !== dirname(path))
}

async function entriesOf(folder: string, pattern: string): Promise<string[]> {
  try {
    const names = await readdir(folder)
    const isShown = (name: string): boolean => pattern.startsWith('.') || !name.startsWith('.')
    return names
      .filter((name) => isShown(name) && glob([pattern], name))
      .sort()
      .map((name) => join(folder, name))
  } catch {
    return [] // not there, or not ours to read: nothing is included
  }
}
