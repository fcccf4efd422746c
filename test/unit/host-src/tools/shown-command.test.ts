import { describe, expect, it } from 'vitest'
import { shownCommand, shownInput } from '../../../../host-src/tools/shown-command.ts'

describe('a command that somebody is asked for', () => {
  it('is shown as it stands', () => {
    const command = `for f in *; do echo "$f" | grep 'ä€😀'; done\ncat <<EOF\n\${x}\nEOF`
    expect(shownCommand(command)).toBe(command)
  })

  it('hides nothing: what cannot be seen is spelled out (X-33)', () => {
    const shown = shownCommand('a\u202eb\u2066c\u200bd\u{e0061}e\u001b[8mf\rg\th\u00ad\u115f\u2028i\u0000')
    expect(shown).toBe(String.raw`a\u{202e}b\u{2066}c\u{200b}d\u{e0061}e\u{1b}[8mf\rg\th\u{ad}\u{115f}\u{2028}i\u{0}`)
    expect(shownInput('rm x\n')).toBe(String.raw`"rm x\n"`)
  })

  it('is cut in the middle when it is very long, and says so', () => {
    const shown = shownCommand(`first${'x'.repeat(10_000)}last`)
    expect(shown.length).toBeLessThan(4_200)
    expect(shown).toMatch(/^first.*\n\[… 6009 characters more, see the call …\]\n.*last$/s)
  })
})
