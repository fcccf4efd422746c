/** Looking at the processes of the machine must not fail, and must not overlook any, when many sessions end together. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { inRoot } from '../../scripts/project.ts'

const run = promisify(execFile)
const OPEN_FILES = 100
const LOOKS = 30

describe.skipIf(process.platform !== 'linux')('the process table', () => {
  it('is whole for thirty looks at once in a process that may open a hundred files', async () => {
    const script = `
      const { linuxProcessTable } = await import(${JSON.stringify(inRoot('host-src/backends/process-table.ts'))})
      const looks = await Promise.all(Array.from({ length: ${String(LOOKS)} }, () => linuxProcessTable.list()))
      const marked = await Promise.all(looks.map((rows) => linuxProcessTable.marked(rows.map(({ pid }) => pid), 'none')))
      process.stdout.write(String(looks.filter((rows) => rows.some(({ pid }) => pid === process.pid)).length + marked.length))`
    const command = `ulimit -n ${String(OPEN_FILES)} && exec "$0" --input-type=module -e "$1"`
    const { stdout } = await run('bash', ['-c', command, process.execPath, script])
    expect(Number(stdout)).toBe(2 * LOOKS)
  })
})
