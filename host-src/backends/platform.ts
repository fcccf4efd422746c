/** The one place where operating systems differ for local sessions. Chosen once, at composition. */
import type { InputState } from './backend.ts'
import { linuxInputState } from './input-state.ts'
import type { ProcessTable } from './process-table.ts'
import { linuxImageOf } from './program-image.ts'
import { linuxProcessTable, psProcessTable } from './process-table.ts'

export interface Platform {
  readonly name: NodeJS.Platform
  /** Whether files carry an execute bit that is worth looking at. */
  readonly hasExecuteBit: boolean
  defaultShell(env: Readonly<Record<string, string | undefined>>): string
  /** Arguments of an interactive shell. */
  interactiveArgs(shell: string): readonly string[]
  /** Arguments with which `shell` runs `command` and ends with it. */
  commandArgs(shell: string, command: string): readonly string[]
  /** What the programs at the terminal of process `pid` wait for. Never rejects. Absent where the system does not tell. */
  readonly inputState?: (pid: number) => Promise<InputState>
  /** How to look at the process table; null where only the terminal's own kill exists. */
  readonly processes: ProcessTable | null
  /** Names what a process runs; null where that cannot be known. */
  imageOf(pid: number): string | null
}

const posix = {
  hasExecuteBit: true,
  commandArgs: (_shell: string, command: string) => ['-c', command],
  imageOf: () => null,
} as const

const isPowerShell = (shell: string): boolean => /(?:^|[\\/])(?:pwsh|powershell)(?:\.exe)?$/i.test(shell)

export function platformOf(name: NodeJS.Platform): Platform {
  switch (name) {
    case 'win32':
      return {
        name,
        hasExecuteBit: false,
        defaultShell: (env) => env['COMSPEC'] ?? 'C:\\Windows\\System32\\cmd.exe',
        interactiveArgs: (shell) => (isPowerShell(shell) ? ['-NoLogo'] : []),
        commandArgs: (shell, command) =>
          isPowerShell(shell) ? ['-NoLogo', '-Command', command] : ['/d', '/s', '/c', command],
        processes: null,
        imageOf: () => null,
      }
    case 'darwin':
      // Terminal programs on macOS start login shells: a session of the desktop has read no profile yet.
      return {
        name,
        ...posix,
        defaultShell: () => '/bin/zsh',
        interactiveArgs: () => ['-l'],
        processes: psProcessTable,
      }
    case 'linux':
      return {
        name,
        ...posix,
        defaultShell: () => '/bin/sh',
        interactiveArgs: () => ['-i'],
        inputState: linuxInputState,
        processes: linuxProcessTable,
        imageOf: linuxImageOf,
      }
    default:
      return { name, ...posix, defaultShell: () => '/bin/sh', interactiveArgs: () => ['-i'], processes: psProcessTable }
  }
}
