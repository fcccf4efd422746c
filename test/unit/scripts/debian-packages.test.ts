import { describe, expect, it } from 'vitest'
import { ensureDebianPackages, type Installer, type Need } from '../../../scripts/debian-packages.ts'

/** A machine on which some packages are missing and an installer that may or may not work. */
const machine = (
  present: string[],
  { privilege, exitCode = 0 }: { privilege: readonly string[] | null; exitCode?: number },
): { needs: Need[]; installer: Installer; commands: string[] } => {
  const commands: string[] = []
  const there = new Set(present)
  return {
    commands,
    needs: ['tmux', 'zsh', 'fish'].map((name) => ({ debianPackage: name, isThere: () => there.has(name) })),
    installer: {
      privilege: async () => privilege,
      run: async (command, args) => {
        commands.push([command, ...args].join(' '))
        if (exitCode === 0 && args.includes('install')) for (const arg of args) there.add(arg)
        return { code: exitCode, output: 'E: no network', stdout: '' }
      },
    },
  }
}

describe('needed programs', () => {
  it('are left alone when all are there', async () => {
    const { needs, installer, commands } = machine(['tmux', 'zsh', 'fish'], { privilege: [] })
    expect(await ensureDebianPackages(needs, installer)).toEqual([])
    expect(commands).toEqual([])
  })

  it('are installed, only the missing ones, with the words that allow it', async () => {
    const { needs, installer, commands } = machine(['zsh'], { privilege: ['sudo', '-n'] })
    expect(await ensureDebianPackages(needs, installer)).toEqual(['tmux', 'fish'])
    expect(commands).toEqual([
      'sudo -n apt-get update -q',
      'sudo -n apt-get install -y -q --no-install-recommends tmux fish',
    ])
  })

  it('are named exactly when this user may not install', async () => {
    const { needs, installer } = machine(['zsh'], { privilege: null })
    await expect(ensureDebianPackages(needs, installer)).rejects.toThrow(
      'The tests need programs that are not here: tmux, fish. As root: apt-get install -y --no-install-recommends tmux fish',
    )
  })

  it('fail with the output of the installer', async () => {
    const { needs, installer } = machine([], { privilege: [], exitCode: 100 })
    await expect(ensureDebianPackages(needs, installer)).rejects.toThrow(/ended with code 100:\nE: no network/)
  })
})
