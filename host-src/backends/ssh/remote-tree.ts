/**
 * The processes of a session on another machine: everything that carries its marker, and what came from that. Seen through
 * /proc by programs that are run there; where that shows nothing, nothing is said to be gone.
 */
import type { SessionId } from '../../../protocol-src/ids.ts'
import { SESSION_MARKER } from '../child-env.ts'
import type { Machine } from '../machine.ts'
import { parseStat, type ProcessRow } from '../process-table.ts'

const LOOK =
  'if [ -r /proc/self/environ ]; then for f in /proc/[0-9]*/stat; do read -r l <$f && printf "%s\\n" "$l"; done 2>/dev/null; echo marked; grep -lF "$1" /proc/[0-9]*/environ 2>/dev/null; echo end; fi; [ -z "$2" ] || rm -rf -- "$2"'
/** Only what is still the process that was seen. */
const SEND =
  'for e in "$@"; do p=${e%%:*}; s=$(sed "s/.*) //" /proc/$p/stat 2>/dev/null | cut -d" " -f20); [ "$s" = "${e#*:}" ] && kill -s $0 $p 2>/dev/null; done; true'

export interface RemoteProcess {
  readonly pid: number
  readonly startedAt: string
  readonly command: string
}

const keyOf = ({ pid, startedAt }: Pick<RemoteProcess, 'pid' | 'startedAt'>): string => `${String(pid)}:${startedAt}`

export class RemoteTree {
  readonly #machine: Machine
  readonly #marker: string
  readonly #folder: string
  readonly #timeoutMs: number
  /** Members ever seen: a process stays one after its parent went. */
  readonly #known = new Set<string>()

  /** @param folder of its start */
  constructor(machine: Machine, { sessionId, folder }: { sessionId: SessionId; folder: string }, timeoutMs: number) {
    this.#machine = machine
    this.#folder = folder
    this.#marker = `${SESSION_MARKER}=${sessionId}`
    this.#timeoutMs = timeoutMs
  }

  /**
   * @param isOver the session has ended: nothing of its start is wanted any more, if it is still there
   * @returns null where nothing can be seen
   */
  async members({ isOver }: { isOver: boolean }): Promise<RemoteProcess[] | null> {
    const { stdout } = await this.#machine.run(
      ['/bin/sh', '-c', LOOK, 'look', this.#marker, isOver ? this.#folder : ''],
      {
        timeoutMs: this.#timeoutMs,
      },
    )
    const seen = parseLook(stdout)
    if (seen === null) return null
    const { rows, marked } = seen
    const members = new Set(
      rows.filter((row) => marked.has(row.pid) || this.#known.has(keyOf(row))).map(({ pid }) => pid),
    )
    for (let grew = true; grew;) {
      grew = false
      for (const row of rows) {
        if (members.has(row.pid) || !members.has(row.ppid)) continue
        members.add(row.pid)
        grew = true
      }
    }
    const found = rows.filter((row) => members.has(row.pid) && !row.isZombie)
    for (const row of found) this.#known.add(keyOf(row))
    return found.map(({ pid, startedAt, command }) => ({ pid, startedAt, command }))
  }

  async kill(processes: readonly RemoteProcess[]): Promise<void> {
    if (processes.length === 0) return
    await this.#machine.run(['/bin/sh', '-c', SEND, 'KILL', ...processes.map(keyOf)], { timeoutMs: this.#timeoutMs })
  }
}

/** @returns null when it is not whole: a process that is overlooked would count as gone */
export function parseLook(text: string): { rows: ProcessRow[]; marked: Set<number> } | null {
  const lines = text.split('\n')
  const [from, to] = [lines.lastIndexOf('marked'), lines.lastIndexOf('end')]
  if (from === -1 || to < from) return null
  const rows: ProcessRow[] = []
  for (const line of lines.slice(0, from)) {
    const row = parseStat(Number.parseInt(line, 10), line)
    if (row !== null && Number.isInteger(row.pid)) rows.push(row)
  }
  const marked = lines.slice(from + 1, to).map((path) => Number(/^\/proc\/(\d+)\/environ$/.exec(path)?.[1]))
  return { rows, marked: new Set(marked) }
}
