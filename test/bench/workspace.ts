/** Where the bench keeps what it makes: the compiled child and the corpora, in an ignored folder. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inRoot } from '../../scripts/project.ts'
import { UserError } from '../../scripts/user-error.ts'

/** Decimal megabytes everywhere: MB/s and ms/MB must mean the same. */
export const MB = 1_000_000

export const cachePath = (name: string): string => {
  mkdirSync(inRoot('.cache', 'bench'), { recursive: true })
  return inRoot('.cache', 'bench', name)
}

/**
 * The compiled child of every measurement; compiled when its source changed.
 * @throws UserError when there is no C compiler
 */
export const ensureKid = (): string => {
  const source = fileURLToPath(new URL('kid.c', import.meta.url))
  const digest = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 12)
  const program = cachePath(`kid-${digest}`)
  if (existsSync(program)) return program
  const unfinished = `${program}.${String(process.pid)}`
  const { status, error, stderr } = spawnSync('cc', ['-O2', '-o', unfinished, source, '-lutil'], { encoding: 'utf8' })
  if (error !== undefined)
    throw new UserError('The bench needs a C compiler called "cc" for its child program and found none; install one.')
  if (status !== 0) throw new UserError(`The bench's child program did not compile: ${stderr.trim()}`)
  renameSync(unfinished, program)
  return program
}
