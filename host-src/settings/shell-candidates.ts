/** Shells that this machine offers its users. Others can be used as well: this only saves typing. */
import { access, constants, readFile } from 'node:fs/promises'

const MAX_BYTES = 64 * 1024
const MAX_SHELLS = 32

/** @returns those that exist, in the order of the list; none where there is no such list. Never rejects. */
export async function shellCandidates(list = '/etc/shells'): Promise<string[]> {
  const text = await readFile(list, 'utf8').catch(() => '')
  const named = shellsIn(text.slice(0, MAX_BYTES))
  const found = await Promise.all(
    named.map((path) =>
      access(path, constants.X_OK).then(
        () => [path],
        () => [],
      ),
    ),
  )
  return found.flat()
}

/** The paths in a file of the form of shells(5). */
export function shellsIn(text: string): string[] {
  const paths = text.split('\n').map((line) => line.replace(/#.*/, '').trim())
  return [...new Set(paths.filter((path) => path.startsWith('/')))].slice(0, MAX_SHELLS)
}
