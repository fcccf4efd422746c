/**
 * What the foreground programs of a Linux terminal wait for, read from the kernel: the system call each is blocked in, and
 * the modes of the terminal. A fact that cannot be had is left out; nothing is concluded from silence.
 */
import { execFile } from 'node:child_process'
import { open, readFile, readlink, readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { linuxProcessTable } from './process-table.ts'
import type { InputState } from './backend.ts'

const run = promisify(execFile)

type Call = 'read' | 'select' | 'poll' | 'epoll'

/** Numbers of the system calls in which a program waits for input. */
const CALLS: Readonly<Record<string, Readonly<Record<number, Call>>>> = {
  x64: { 0: 'read', 23: 'select', 270: 'select', 7: 'poll', 271: 'poll', 232: 'epoll', 281: 'epoll' },
  arm64: { 63: 'read', 72: 'select', 73: 'poll', 22: 'epoll' },
}
const MAX_WATCHED = 64
const POLLIN = 1
const STTY_LIMIT_MS = 1_000

/** @param root the first process of the session */
export async function linuxInputState(root: number): Promise<InputState> {
  try {
    const rows = await linuxProcessTable.list()
    const own = rows.find(({ pid }) => pid === root)
    const device = own === undefined ? null : terminalPath(Number(own.tty))
    if (own === undefined || device === null || own.foreground <= 0) return {}
    const foreground = rows.filter(({ pgid, tty, isZombie }) => pgid === own.foreground && tty === own.tty && !isZombie)
    const [verdicts, modes] = await Promise.all([
      Promise.all(foreground.map(({ pid }) => waitsFor(pid, device))),
      terminalModes(device),
    ])
    const isWaiting = verdicts.includes(true) ? true : verdicts.includes(null) || verdicts.length === 0 ? null : false
    return { ...(isWaiting === null ? {} : { isWaiting }), ...modes }
  } catch {
    return {} // the processes went away meanwhile
  }
}

/** Path of a pseudo terminal by its device number; null for another kind of terminal. */
function terminalPath(device: number): string | null {
  const major = (device >> 8) & 0xfff
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00)
  return major >= 136 && major <= 143 ? `/dev/pts/${String((major - 136) * 256 + minor)}` : null
}

/** Whether `pid` waits for the terminal and for nothing else; null when that cannot be told. */
async function waitsFor(pid: number, device: string): Promise<boolean | null> {
  const verdicts = await Promise.all((await readdir(`/proc/${String(pid)}/task`)).map((task) => taskWaits(pid, task)))
  // A program with several threads waits when one waits for the keyboard and none is at work.
  if (verdicts.includes('works')) return false
  const waits = verdicts.filter((verdict) => typeof verdict !== 'string')
  if (waits.some((wait) => wait.length > 0 && wait.every((fd) => fd.isTerminal))) return true
  return verdicts.includes('unknown') || waits.some((wait) => wait.some((fd) => fd.isTerminal)) ? null : false

  async function taskWaits(pid: number, task: string): Promise<'works' | 'unknown' | { isTerminal: boolean }[]> {
    const folder = `/proc/${String(pid)}`
    const text = (await readFile(`${folder}/task/${task}/syscall`, 'latin1')).trim()
    if (text === 'running') return 'works'
    const [number, ...words] = text.split(' ')
    const call = CALLS[process.arch]?.[Number(number)]
    if (CALLS[process.arch] === undefined) return 'unknown'
    if (call === undefined) return []
    const fds = await watched(pid, call, words.map(Number))
    if (fds === null) return 'unknown'
    const targets = await Promise.all(fds.map((fd) => readlink(`${folder}/fd/${String(fd)}`).catch(() => '')))
    // What a runtime uses to wake itself is no source of input.
    return targets
      .filter((target) => !/^(?:anon_inode|pipe):/.test(target))
      .map((target) => ({ isTerminal: target === device || target === '/dev/tty' }))
  }
}

/** The descriptors for which a blocked call waits to become readable; null when they cannot be read. */
async function watched(pid: number, call: Call, words: readonly number[]): Promise<number[] | null> {
  const [first = 0, second = 0] = words
  switch (call) {
    case 'read':
      return [first]
    case 'select': {
      if (second === 0) return []
      const set = await memoryOf(pid, second, Math.ceil(Math.min(first, MAX_WATCHED) / 8))
      return set === null
        ? null
        : Array.from({ length: Math.min(first, MAX_WATCHED) }, (_, fd) => fd).filter(
            (fd) => (((set[fd >> 3] ?? 0) >> (fd & 7)) & 1) === 1,
          )
    }
    case 'poll': {
      const count = Math.min(second, MAX_WATCHED)
      const list = count === 0 ? Buffer.alloc(0) : await memoryOf(pid, first, count * 8)
      if (list === null) return null
      return Array.from({ length: count }, (_, at) => at * 8)
        .filter((at) => (list.readInt16LE(at + 4) & POLLIN) !== 0)
        .map((at) => list.readInt32LE(at))
        .filter((fd) => fd >= 0)
    }
    case 'epoll': {
      const info = await readFile(`/proc/${String(pid)}/fdinfo/${String(first)}`, 'latin1')
      return Array.from(info.matchAll(/^tfd:\s*(\d+) events:\s*([0-9a-f]+)/gm))
        .filter(([, , events]) => (Number.parseInt(events ?? '0', 16) & POLLIN) !== 0)
        .map(([, fd]) => Number(fd))
    }
  }
}

async function memoryOf(pid: number, address: number, length: number): Promise<Buffer | null> {
  try {
    const memory = await open(`/proc/${String(pid)}/mem`, 'r')
    try {
      const { buffer, bytesRead } = await memory.read(Buffer.alloc(length), 0, length, address)
      return bytesRead === length ? buffer : null
    } finally {
      await memory.close()
    }
  } catch {
    return null // not ours to read
  }
}

/** Echo and line mode, as `stty` reads them: Node has no call for it. */
async function terminalModes(device: string): Promise<Pick<InputState, 'isSecret' | 'isLineMode'>> {
  try {
    const { stdout } = await run('stty', ['-F', device, '-a'], {
      timeout: STTY_LIMIT_MS,
      env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    })
    const words = new Set(stdout.split(/[\s;]+/))
    const isLineMode = words.has('icanon')
    // Line editors turn the echo off too, but they read key by key.
    return { isLineMode, isSecret: isLineMode && words.has('-echo') }
  } catch {
    return {}
  }
}
