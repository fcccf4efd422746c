/** Runs a program and keeps all it prints. */
import { spawn } from 'node:child_process'
import { delimiter } from 'node:path'
import { inRoot, ROOT } from './project.ts'

/** What a finished program left. */
export interface CommandResult {
  /** Null when a signal ended it or when it did not start. */
  code: number | null
  /** Standard output and standard error, in the order they came. */
  output: string
  /** Standard output alone. */
  stdout: string
}

/** @property env added to the present environment, in which this checkout's programs come first */
export interface CommandOptions {
  cwd?: string
  env?: Record<string, string>
}

/** Resolves when the program has ended, whatever its exit code; never rejects. No input, no colours. */
export const runCommand = (
  command: string,
  args: readonly string[],
  { cwd = ROOT, env = {} }: CommandOptions = {},
): Promise<CommandResult> =>
  new Promise((resolve) => {
    let output = ''
    let stdout = ''
    const PATH = [inRoot('node_modules', '.bin'), process.env['PATH']].join(delimiter)
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      stdout += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.once('error', (error) =>
      resolve({ code: null, output: `${command} did not start: ${error.message}`, stdout }),
    )
    child.once('close', (code) => resolve({ code, output, stdout }))
  })
