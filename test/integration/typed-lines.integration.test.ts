/** What real shells paint when a line is typed: it is no output to wait for, and a secret in it is masked, at any moment. */
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ExpectWait } from '../../host-src/tools/expect-engine.ts'
import { compilePattern } from '../../host-src/tools/expect-pattern.ts'
import { modelText } from '../../host-src/tools/model-text.ts'
import { rawModelText } from '../../host-src/tools/raw-text.ts'
import { fakeOutput } from '../support/fake-output.ts'
import { ShellTerminal } from '../support/shell-terminal.ts'

const BODY = 'q7Wz'.repeat(9)
const FISH = `set token ghp_${BODY}; set x MARK_77; echo "done:$x"`
const LINE = `token=ghp_${BODY}; x=MARK_77; echo "done:$x"`
const DONE = 'done:MARK_77'

const SHELLS = [
  { name: 'bash', shell: '/bin/bash', files: { '.bashrc': 'bind "set bell-style none"' } },
  { name: 'zsh', shell: '/usr/bin/zsh', files: { '.zshrc': 'PROMPT="%% "; RPROMPT="[right]"' } },
  {
    name: 'fish',
    shell: '/usr/bin/fish',
    files: { '.config/fish/config.fish': 'set -g fish_greeting; function fish_prompt; echo -n "> "; end' },
  },
  { name: 'sh', shell: '/bin/sh', files: {} },
].filter(({ shell }) => existsSync(shell))

const sizes = [40, 53, 70, 200].map((cols) => ({ cols, rows: 24 }))

describe.each(SHELLS)('$name', ({ name, shell, files }) => {
  const line = name === 'fish' ? FISH : LINE

  it.each(sizes)('in $cols columns', async (size) => {
    const terminal = await ShellTerminal.start({ shell, files, integrated: false, size, env: { PS1: '$ ' } })
    await terminal.untilText(/[$#%>] *(?:\[right\])?\r?$/)
    const at = Buffer.byteLength(terminal.output)
    terminal.type(`${line}\r`)
    await terminal.untilText(new RegExp(`^${DONE}`, 'm'), terminal.output.length)
    const stream = Buffer.from(terminal.output)
    const printed = stream.lastIndexOf(DONE)
    const pattern = await compilePattern('MARK_77')
    const output = fakeOutput()
    for (let end = at; end <= stream.length; end++) {
      const part = stream.subarray(0, end)
      output.set(part.toString('latin1'))
      const wait = new ExpectWait({
        pattern,
        output,
        from: at,
        sent: { at, text: `${line}\r` },
        ended: null,
        size,
        maskSecrets: true,
        maxChars: 4000,
      })
      const outcome = wait.begin()
      if (end <= printed) expect(outcome, JSON.stringify(part.toString())).toBeNull()
      if (end === printed + DONE.length) expect(outcome).toMatchObject({ matched: true, matchedFrom: 'buffered' })
      const options = { maxChars: 4000, maskSecrets: true, size }
      const shown = [modelText(part, options).text, rawModelText(part, options).text, wait.timedOut().text].join('\n')
      expect(shown, JSON.stringify(part.toString())).not.toContain(BODY.slice(0, 6))
    }
  })
})
