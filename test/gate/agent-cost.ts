/**
 * How much a model reads for ten small tasks, by our tools and by the host's own shell tool, through the host's agent loop.
 * Writes docs/agent-cost.md: `node scripts/run.mjs ../test/gate/agent-cost`.
 */
import { writeFile } from 'node:fs/promises'
import { build } from '../../scripts/build.ts'
import { inRoot } from '../../scripts/project.ts'
import { runMain } from '../../scripts/user-error.ts'
import { bootAgentHost, type TestAgent } from '../support/agent-host.ts'

interface Task {
  readonly name: string
  readonly command: string
}

const TASKS: readonly Task[] = [
  { name: 'one line', command: 'echo hello' },
  { name: 'a failure', command: 'ls /nonexistent; exit 3' },
  { name: 'a list of 200 files', command: 'ls' },
  {
    name: 'a progress bar, 500 steps',
    command: String.raw`for i in $(seq 1 500); do printf '\rdownloading %3d/500' $i; done; echo; echo done`,
  },
  {
    name: 'a coloured build log, 120 lines',
    command: String.raw`for i in $(seq 1 120); do printf '\033[32m✓\033[0m \033[1mcompiled\033[0m \033[36msrc/module-%d.ts\033[0m\n' $i; done`,
  },
  { name: 'a log of 300 commits, with a pager', command: 'git log' },
  { name: '20,000 lines', command: 'seq 1 20000' },
  {
    name: 'a status that is drawn over, 200 times',
    command: String.raw`for i in $(seq 1 200); do printf '\033[2K\033[1Gtests: %d passed' $i; done; echo`,
  },
  {
    name: 'an error in the middle of 400 lines',
    command: 'seq 1 200; echo "error: no such module" >&2; seq 1 200; exit 1',
  },
  { name: 'a question with nobody to answer', command: 'read -p "Overwrite? [y/N] " answer; echo "answer=$answer"' },
]

const SETUP = `touch file-{001..200}.txt; git init -q . && for i in $(seq 1 300); do git -c user.name=a -c user.email=a@b commit -q --allow-empty -m "change $i"; done`

/** Bytes of a result, as the model reads it. */
const bytesOf = async (agent: TestAgent, tool: string, args: object): Promise<number> =>
  Buffer.byteLength((await agent.call(tool, args, { timeoutMs: 200_000 })).text)

runMain(async () => {
  await build()
  const host = await bootAgentHost()
  try {
    const agent = await host.agent({ tier: 'danger-full-access' })
    await agent.call('tty_run', { command: SETUP, timeoutSec: 120 }, { timeoutMs: 130_000 })
    const rows: string[] = []
    let ours = 0
    let theirs = 0
    for (const { name, command } of TASKS) {
      const own = await bytesOf(agent, 'tty_run', { command, timeoutSec: 20 })
      const shell = await bytesOf(agent, 'bash', { command, description: name })
      ours += own
      theirs += shell
      rows.push(`| ${name} | ${own} | ${shell} |`)
    }
    const offered = host.llm.agentRequests().at(-1)?.tools ?? []
    const schemaBytes = (isOurs: (name: string) => boolean): number =>
      offered.filter((tool) => isOurs(tool.function.name)).reduce((sum, tool) => sum + JSON.stringify(tool).length, 0)
    await writeFile(
      inRoot('docs/agent-cost.md'),
      [
        '# What a model reads',
        '',
        'Bytes of the result that the model is given for one call, by `tty_run` and by the host’s own `bash` tool, through the real agent loop.',
        'Written by `node scripts/run.mjs ../test/gate/agent-cost`.',
        '',
        '| task | tty_run | bash |',
        '| --- | ---: | ---: |',
        ...rows,
        `| **all ten** | ${ours} | ${theirs} |`,
        '',
        `The ten tools together are ${schemaBytes((name) => name.startsWith('tty_'))} bytes of schemas and descriptions in each request; \`bash\` is ${schemaBytes((name) => name === 'bash')}.`,
        'A `tty_run` result says in its first line what was left out and where to read on.',
        '',
      ].join('\n'),
    )
  } finally {
    await host.stop()
  }
})
