/** Command marks as a person meets them: real shells, the real host, and what is drawn beside the terminal. */
import { isDeepStrictEqual } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { REPLAY_MAX_BYTES } from '../../protocol-src/limits.ts'
import { contrast, parseColour } from '../../client-src/terminal/colour.ts'
import type { Locator } from 'playwright-core'
import { launchTestBrowser, type TestBrowser } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { shoot } from '../support/gallery.ts'
import { LANGUAGES, accessibilityFaults, inBothColours, layoutOf } from '../support/look.ts'
import { PanelPage } from '../support/panel-page.ts'
import { staysTrue, until } from '../support/wait.ts'

/** Something between two prompts, and no history of an earlier test. */
const BASHRC = { '.bashrc': `PS1='$ '\nHISTFILE=/dev/null\n` }

interface SeenMark {
  readonly outcome: string
  readonly label: string
  /** The text of the row that it stands beside. */
  readonly line: string
}

/** The marks on screen, with the row beside each: found by where they are drawn. */
const marksOf = (panel: PanelPage): Promise<SeenMark[]> =>
  panel.page.evaluate(() => {
    const holder = document.querySelector('[data-tty-panel] [data-tty-holder]')
    const screen = holder?.querySelector('.xterm-screen')?.getBoundingClientRect()
    const seams = holder as unknown as Record<symbol, { rows(): string[] } | undefined> | null
    const rows = seams?.[Symbol.for('dsh-tty.view')]?.rows() ?? []
    return Array.from(document.querySelectorAll<HTMLElement>('[data-tty-mark]'), (mark) => {
      const box = mark.getBoundingClientRect()
      const row =
        screen === undefined
          ? -1
          : Math.floor(((box.top + box.bottom) / 2 - screen.top) / (screen.height / rows.length))
      const isBeside = screen !== undefined && Math.abs(box.right - screen.left) < 2
      return {
        outcome: mark.dataset['outcome'] ?? '',
        label: mark.getAttribute('aria-label') ?? '',
        line: isBeside ? (rows[row] ?? 'no row') : 'not beside the terminal',
      }
    })
  })

const untilMarks = (
  panel: PanelPage,
  expected: readonly (readonly [outcome: string, line: string])[],
): Promise<unknown> => {
  let last: unknown
  return until(
    async () => {
      const seen = (await marksOf(panel)).map(({ outcome, line }) => [outcome, line])
      last = seen
      return JSON.stringify(seen) === JSON.stringify(expected)
    },
    { what: `the marks ${JSON.stringify(expected)}` },
  ).catch(async (error: unknown) => {
    throw new Error(`${String(error)}\nThe marks are ${JSON.stringify(last)}\nThe screen is:\n${await panel.text()}`, {
      cause: error,
    })
  })
}

/** Type a command line and wait for the next prompt. */
const run = async (panel: PanelPage, text: string): Promise<void> => {
  const before = (await panel.lines()).filter((line) => line.startsWith('$')).length
  await panel.type(`${text}\n`)
  await until(
    async () => {
      const lines = await panel.lines()
      return lines.at(-1) === '$' && lines.filter((line) => line.startsWith('$')).length > before
    },
    { what: `the prompt after ${text}` },
  )
}

const clipboard = (panel: PanelPage): Promise<string> => panel.page.evaluate(() => navigator.clipboard.readText())

/** The mark of the command line, as far as it is on screen. */
const markOf = (panel: PanelPage, command: string) => panel.root.getByRole('button', { name: `: ${command},` })

const focusedMark = (panel: PanelPage): Promise<string | null> =>
  panel.page.evaluate(() => document.activeElement?.closest('[data-tty-mark]')?.getAttribute('aria-label') ?? null)

/** More than a viewer gets as plain output: it starts from a snapshot. */
const MUCH = `head -c ${String(REPLAY_MAX_BYTES)} /dev/zero | tr '\\0' '.' | fold -w 64; echo`

describe('command marks', () => {
  let dsh: TestDsh
  let browser: TestBrowser

  beforeAll(async () => {
    dsh = await bootTestDsh({ homeFiles: BASHRC, settings: { tty: { maxSessions: 16, reconnectGraceSec: 60 } } })
  })
  afterAll(() => dsh.stop())
  beforeEach(async () => {
    browser = await launchTestBrowser({ webgl: 'none' })
  })
  afterEach(() => browser.close())

  it('tell how each command went, and make none of what is no command', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await run(panel, 'echo one')
    await run(panel, '(exit 42)')
    await run(panel, '')
    // Anybody can print a mark; nobody knows the nonce.
    await run(panel, String.raw`printf '\e]133;A\a\e]133;C\a\e]133;D;0\a\e]133;D;0;k=%032d\a'; false`)
    await panel.type('cat\n')
    const printf = String.raw`$ printf '\e]133;A\a\e]133;C\a\e]133;D;0\a\e]133;D;0;k=%032d\a'; false`
    const before = [
      ['success', '$ echo one'],
      ['failure', '$ (exit 42)'],
      ['failure', printf],
    ] as const
    await untilMarks(panel, [...before, ['running', '$ cat']])
    await panel.press('Control+c')
    await untilMarks(panel, [...before, ['failure', '$ cat']])
    const labels = (await marksOf(panel)).map(({ label }) => label)
    expect(labels[0]).toMatch(/^Succeeded, exit code 0: echo one, took \d.*m?s, in \/.*home$/)
    expect(labels[1]).toMatch(/^Failed, exit code 42: \(exit 42\), took /)
    expect(labels[3]).toMatch(/^Failed, exit code 130: cat, took /)
  })

  it('keep the command on top of its output while that is scrolled', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    const sticky = panel.root.locator('[data-tty-sticky]')
    await run(panel, 'seq 200; false')
    expect(await sticky.count()).toBe(0)
    const { x, y } = await panel.cell(10, 3)
    await panel.page.mouse.move(x, y)
    await panel.page.mouse.wheel(0, -600)
    await sticky.waitFor()
    expect(await sticky.getAttribute('data-outcome')).toBe('failure')
    expect(await sticky.innerText()).toMatch(/^seq 200; false\s+Failed, exit code 1$/)
    await shoot(panel.page, 'marks-sticky')
    expect(await accessibilityFaults(panel.page)).toEqual([])
    expect((await layoutOf(panel.page)).covered).toEqual([])
  })

  it('fill a command in again without running it, and only at an empty prompt', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await run(panel, 'echo again-$((20+1))')
    const item = panel.root.locator('[data-tty-item="runAgain"]')
    await markOf(panel, 'echo again-$((20+1))').click()
    expect(await item.getAttribute('aria-disabled')).toBeNull()
    await item.click()
    await until(async () => (await panel.lines()).at(-1) === '$ echo again-$((20+1))', { what: 'the command, typed' })
    await staysTrue(async () => (await panel.text()).match(/^again-21$/gm)?.length === 1, {
      what: 'nothing run',
      forMs: 400,
    })
    // There is something at the prompt now.
    await markOf(panel, 'echo again-$((20+1))').click()
    await until(async () => (await item.getAttribute('aria-disabled')) === 'true', { what: 'the item to be off' })
    await panel.page.keyboard.press('Escape')
    await panel.press('Enter')
    await until(async () => (await panel.text()).match(/^again-21$/gm)?.length === 2, { what: 'it to run with Enter' })
    await panel.type('cat\n')
    await untilMarks(panel, [
      ['success', '$ echo again-$((20+1))'],
      ['success', '$ echo again-$((20+1))'],
      ['running', '$ cat'],
    ])
    await markOf(panel, 'echo again-$((20+1))').first().click()
    expect(await item.getAttribute('aria-disabled')).toBe('true')
  })

  it('hand a question about a failure over unsent, without secrets', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await run(panel, 'echo token=ghp_0123456789abcdefghijABCDEFGHIJ0123456; (exit 3)')
    await panel.root.getByRole('button', { name: /^Failed, exit code 3/ }).click()
    await panel.root.locator('[data-tty-item="ask"]').click()
    await panel.page.locator('[data-tty-notice^="mark.asked"]').waitFor()
    await shoot(panel.page, 'marks-asked')
    const [asked] = await panel.page
      .locator('[data-tty-notice^="mark.asked"]')
      .evaluateAll((all: HTMLElement[]) => all.map((notice) => notice.dataset['ttyNotice']))
    // The page opens with no conversation that could take it.
    expect(asked).toBe('mark.asked.clipboard')
    const question = await clipboard(panel)
    expect(question).toContain('exit code 3')
    expect(question).toContain('(exit 3)')
    expect(question).not.toContain('ghp_0123456789')
    // A command that did not fail has nothing to ask about.
    await run(panel, 'true')
    await markOf(panel, 'true').click()
    expect(await panel.root.locator('[data-tty-item="ask"]').count()).toBe(0)
  })

  it('clear the screen as the shell does, and not under a command that runs', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await run(panel, 'seq 5')
    await panel.tool('Clear screen').click()
    await until(async () => (await panel.seam())?.cursor.y === 0, { what: 'the prompt on the first row' })
    expect((await panel.seam())?.inexactSnapshots).toBe(0)
    await panel.type('cat\n')
    await untilMarks(panel, [['running', '$ cat']])
    await panel.tool('Clear screen').click()
    await panel.page.locator('[data-tty-notice="notice.clear"]').waitFor()
    expect(panel.typed()).not.toMatch(/cat\r[^]*\f/)
  })

  it('say that a command is over, once and for the terminal in view', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    const said = (): Promise<string[]> =>
      panel.root.locator('[data-tty-ended]').evaluateAll((all: HTMLElement[]) => all.map((each) => each.innerText))
    await run(panel, 'seq 3; (exit 4)')
    await until(async () => (await said())[0] === 'seq 3; (exit 4) finished, exit code 4, 3 lines', { what: 'the end' })
    await run(panel, 'true')
    await until(async () => (await said())[0] === 'true finished, exit code 0, no output', { what: 'the next end' })
    // What ended elsewhere, or before, is not said.
    await panel.newTab()
    expect(await said()).toEqual([])
    await panel.tab(0).click()
    await panel.untilPrompt()
    expect(await said()).toEqual([])
  })

  it('are drawn no more once anybody could print them', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await run(panel, 'false')
    await untilMarks(panel, [['failure', '$ false']])
    // Whatever tells the nonce: from then on a program may know it.
    await run(panel, 'complete -p __dsh_key')
    await run(panel, 'true')
    await run(panel, 'echo done')
    const drawn = (await marksOf(panel)).map(({ line }) => line)
    expect(drawn).not.toContain('$ true')
    expect(drawn).not.toContain('$ echo done')
    await panel.reload()
    await panel.untilPrompt()
    await staysTrue(async () => !(await marksOf(panel)).some(({ line }) => /true|done/.test(line)), {
      what: 'no mark of what nobody can confirm',
      forMs: 500,
    })
  })

  it('show what is known of a command to pointer and keyboard, and copy command and output', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await run(panel, `printf '\\e[31m%s\\e[0m\\n' "$(seq -s ' ' 1 120)" 第二行; (exit 3)`)
    const output = `${Array.from({ length: 120 }, (_, at) => String(at + 1)).join(' ')}\n第二行`
    const mark = panel.root.locator('[data-tty-mark]')
    const card = panel.root.locator('[data-tty-card]')
    await mark.hover()
    await card.getByText('Failed, exit code 3').waitFor()
    await card.getByText(dsh.home).waitFor()
    // A person may move over to the card and read on.
    await card.hover()
    await staysTrue(() => card.isVisible(), { what: 'the card is there', forMs: 400 })
    await panel.page.mouse.move(600, 300)
    await card.waitFor({ state: 'detached' })

    await mark.click()
    await panel.root.getByRole('menu').waitFor()
    await mark.click()
    await panel.root.getByRole('menu').waitFor({ state: 'detached' })
    await mark.click()
    await panel.root.getByRole('menuitem', { name: 'Copy output' }).click()
    await until(async () => (await clipboard(panel)) === output, { what: 'the output in the clipboard' })
    await panel.root.getByText('Output copied').waitFor({ state: 'attached' })
    await card.waitFor({ state: 'detached' })
    // The keyboard is back in the terminal.
    await panel.page.keyboard.type('echo typed')
    await panel.untilText(/\$ echo typed$/)

    await panel.press('Control+Shift+ArrowUp')
    await card.getByText('Failed, exit code 3').waitFor()
    await panel.page.keyboard.press('Enter')
    await panel.root.getByRole('menuitem', { name: 'Copy command' }).waitFor()
    await panel.page.keyboard.press('Escape')
    await until(async () => (await focusedMark(panel)) !== null, { what: 'the mark to have the keyboard again' })
    await panel.page.keyboard.press('Enter')
    await panel.page.keyboard.press('ArrowDown')
    await panel.page.keyboard.press('ArrowUp')
    await panel.page.keyboard.press('Enter')
    await until(async () => (await clipboard(panel)).startsWith("printf '"), { what: 'the command in the clipboard' })
    expect(await clipboard(panel)).toBe(`printf '\\e[31m%s\\e[0m\\n' "$(seq -s ' ' 1 120)" 第二行; (exit 3)`)
  })

  it('are gone to by keys, except from a program that has the whole screen', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    // Without a mark the key is the program's.
    await panel.type('cat -v')
    await panel.press('Control+Shift+ArrowUp')
    await until(() => panel.typed().includes('\u001b[1;6A'), { what: 'the key at the shell' })
    await panel.press('Control+c')
    await panel.untilPrompt()
    for (const name of ['first', 'second', 'third']) await run(panel, `echo ${name}; seq 30`)
    panel.frames.length = 0
    const untilAt = (command: string): Promise<unknown> =>
      until(async () => (await focusedMark(panel))?.includes(`: ${command}; seq 30,`), {
        what: `the mark of ${command}`,
      })
    await panel.press('Control+Shift+ArrowUp')
    await untilAt('echo third')
    await panel.page.keyboard.press('Control+Shift+ArrowUp')
    await untilAt('echo second')
    await panel.page.keyboard.press('ArrowUp')
    await untilAt('echo first')
    expect((await marksOf(panel)).map(({ line }) => line)).toEqual(['$ echo first; seq 30'])
    await panel.page.keyboard.press('ArrowUp')
    await untilAt('echo first')
    await panel.page.keyboard.press('ArrowDown')
    await untilAt('echo second')
    expect(panel.typed()).toBe('')
    // Who types means the program, and is where it writes.
    await panel.page.keyboard.type('echo back\n')
    await panel.untilText(/^back$/m)
    await panel.press('Control+Shift+ArrowUp', 'Escape')
    await until(async () => (await focusedMark(panel)) === null, { what: 'the terminal to have the keyboard' })
    await panel.page.keyboard.type(String.raw`printf '\e[?1049h'; cat -v; printf '\e[?1049l'` + '\n')
    await untilMarks(panel, [])
    panel.frames.length = 0
    await panel.press('Control+Shift+ArrowUp')
    await until(() => panel.typed() === '\u001b[1;6A', { what: 'the key at the program' })
    await panel.press('Enter', 'Control+d')
    await until(async () => (await marksOf(panel)).length > 0, { what: 'the marks to be back' })
  })

  it.each([
    ['output', 'true'],
    ['a snapshot', MUCH],
  ])('are there after a reload, from %s', async (_, much) => {
    const panel = await PanelPage.start(browser, dsh.url)
    await run(panel, much)
    await run(panel, '(exit 7)')
    await run(panel, 'echo two')
    await panel.type('cat\n')
    await until(async () => (await marksOf(panel)).at(-1)?.outcome === 'running', { what: 'the running mark' })
    const before = await marksOf(panel)
    expect(before.slice(-3).map(({ outcome, line }) => [outcome, line])).toEqual([
      ['failure', '$ (exit 7)'],
      ['success', '$ echo two'],
      ['running', '$ cat'],
    ])
    await panel.reload()
    await panel.untilState('live')
    await until(async () => isDeepStrictEqual(await marksOf(panel), before), { what: 'the same marks' })
    expect((await panel.seam())?.inexactSnapshots).toBe(0)
    await panel.press('Control+c')
    await until(async () => (await marksOf(panel)).at(-1)?.outcome === 'failure', { what: 'the end of what ran' })
    await markOf(panel, 'echo two').click()
    await panel.root.getByRole('menuitem', { name: 'Copy output' }).click()
    await until(async () => (await clipboard(panel)) === 'two', { what: 'the output in the clipboard' })
  })

  it('are beside the same lines in a second window, of another size', async () => {
    const one = await PanelPage.start(browser, dsh.url)
    await run(one, 'false')
    await run(one, 'echo two')
    const two = await one.duplicate(browser, { width: 700, height: 900 })
    await untilMarks(two, [
      ['failure', '$ false'],
      ['success', '$ echo two'],
    ])
    expect((await two.seam())?.isLetterboxed).toBe(true)
    await one.page.bringToFront()
    await run(one, '(exit 9)')
    for (const panel of [one, two]) {
      await panel.page.bringToFront()
      await untilMarks(panel, [
        ['failure', '$ false'],
        ['success', '$ echo two'],
        ['failure', '$ (exit 9)'],
      ])
    }
  })

  it('stay with their lines when the window becomes narrow and wide again, and go with clear', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.tool(panel.words['panel.maximise']).click()
    const long = `: ${'x'.repeat(100)}`
    await run(panel, `${long}; false`)
    await panel.type(`printf ${'y'.repeat(130)}; (exit 5)\n`)
    // The prompt stands behind output without an end.
    await until(async () => (await panel.lines()).at(-1)?.endsWith('y$'), { what: 'the prompt' })
    await panel.type('echo three\n')
    await until(async () => (await marksOf(panel)).length === 3, { what: 'three marks' })
    const [first, second, third] = (await marksOf(panel)).map(({ line }) => line)
    expect([first, second]).toEqual([`$ ${long}; false`, `$ printf ${'y'.repeat(130)}; (exit 5)`])
    expect(third).toMatch(/y\$ echo three$/)
    for (const width of [480, 1000, 320, 1280]) {
      await panel.page.setViewportSize({ width, height: 800 })
      const cols = await until(async () => (await panel.seam())?.isDriver === true && (await panel.seam())?.size.cols, {
        what: 'a size',
      })
      await until(
        async () => {
          const lines = (await marksOf(panel)).map(({ line }) => line)
          return (
            lines.length === 3 &&
            lines[0]?.startsWith('$ : xxx') &&
            lines[1]?.startsWith('$ printf yyy') &&
            /\$ ?e?c?h?o? ?t?h?r?e?e?$/.test(lines[2] ?? '')
          )
        },
        { what: `the marks beside their lines at ${String(cols)} columns` },
      )
    }
    await markOf(panel, `printf ${'y'.repeat(130)}; (exit 5)`.slice(0, 120)).click()
    await panel.root.getByRole('menuitem', { name: 'Copy output' }).click()
    await until(async () => (await clipboard(panel)) === 'y'.repeat(130), { what: 'the output in the clipboard' })
    await panel.type('clear\n')
    await untilMarks(panel, [])
    await run(panel, 'false')
    await untilMarks(panel, [['failure', '$ false']])
  })
})

describe('command marks of other shells', () => {
  it.each([
    ['zsh', { '.zshrc': `PS1='$ '\n` }],
    ['fish', { '.config/fish/config.fish': `set -g fish_greeting\nfunction fish_prompt; printf '$ '; end\n` }],
  ])('are the same in %s', async (shell, homeFiles) => {
    const settings = { tty: { maxSessions: 16, reconnectGraceSec: 60, shell: `/usr/bin/${shell}` } }
    await using dsh = await bootTestDsh({ homeFiles, settings })
    await using browser = await launchTestBrowser({ webgl: 'none' })
    const panel = await PanelPage.start(browser, dsh.url)
    for (const command of ['echo one', 'false', 'printf "a\\nbc"', '']) await run(panel, command)
    const expected = [
      ['success', '$ echo one'],
      ['failure', '$ false'],
      ['success', '$ printf "a\\nbc"'],
    ] as const
    await untilMarks(panel, expected)
    for (const [command, output] of [
      ['printf "a\\nbc"', 'a\nbc'],
      ['echo one', 'one'],
    ] as const) {
      await markOf(panel, command).click()
      await panel.root.getByRole('menuitem', { name: 'Copy output' }).click()
      await until(async () => (await clipboard(panel)) === output, {
        what: `the output of ${command} in the clipboard`,
      })
    }
    await panel.reload()
    await panel.untilPrompt()
    await untilMarks(panel, expected)
    await panel.page.setViewportSize({ width: 500, height: 800 })
    await until(async () => ((await panel.seam())?.size.cols ?? 99) < 70, { what: 'fewer columns' })
    await untilMarks(panel, expected)
    expect((await panel.seam())?.inexactSnapshots).toBe(0)
  })
})

describe('command marks at a prompt of two lines', () => {
  const typed = (text: string): string => `$ ${text}`
  it.each([
    ['bash', { '.bashrc': `PS1='\\n[here]\\n$ '\nHISTFILE=/dev/null\n` }, typed],
    ['zsh', { '.zshrc': `PS1=$'\\n[here]\\n$ '\n` }, typed],
    // Fish tells where its prompt begins, and not where it ends.
    [
      'fish',
      { '.config/fish/config.fish': `set -g fish_greeting\nfunction fish_prompt; printf '\\n[here]\\n$ '; end\n` },
      () => '[here]',
    ],
  ])('stand beside what was typed, or its prompt, in %s', async (shell, homeFiles, lineOf) => {
    const settings = { tty: { maxSessions: 16, reconnectGraceSec: 60, shell: `/usr/bin/${shell}` } }
    await using dsh = await bootTestDsh({ homeFiles, settings })
    await using browser = await launchTestBrowser({ webgl: 'none' })
    const panel = await PanelPage.start(browser, dsh.url)
    for (const command of ['echo one', 'false']) await run(panel, command)
    await untilMarks(panel, [
      ['success', lineOf('echo one')],
      ['failure', lineOf('false')],
    ])
    // Drawn again: without the mark of a prompt, the line above the output is that of the command.
    await panel.type('sh -c "exit 3"')
    await panel.press('Control+l')
    await panel.press('Enter')
    await untilMarks(panel, [['failure', typed('sh -c "exit 3"')]])
  })
})

/** Contrast of each mark and of each text of the card with what is painted behind it. */
const contrasts = async (panel: PanelPage): Promise<{ what: string; contrast: number }[]> => {
  const seen = await panel.page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    if (context === null) throw new Error('no canvas')
    /** Colours painted over one another, from the back. */
    const painted = (colours: readonly string[]): string => {
      for (const colour of colours) {
        context.fillStyle = colour
        context.fillRect(0, 0, 1, 1)
      }
      const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
      return `rgb(${String(red)}, ${String(green)}, ${String(blue)})`
    }
    const grounds = (element: Element | null): string[] =>
      element === null ? ['#fff'] : [...grounds(element.parentElement), getComputedStyle(element).backgroundColor]
    const parts = document.querySelectorAll<HTMLElement>('[data-tty-mark], [data-tty-card] div, [data-tty-card] button')
    return Array.from(parts, (part) => {
      const behind = grounds(part)
      const colour = painted([...behind, getComputedStyle(part).color])
      return { what: part.dataset['outcome'] ?? part.textContent ?? '', colour, ground: painted(behind) }
    })
  })
  return seen.map(({ what, colour, ground }) => {
    const [one, other] = [parseColour(colour), parseColour(ground)]
    return { what, contrast: one === undefined || other === undefined ? 0 : contrast(one, other) }
  })
}

describe('the look of command marks', () => {
  let dsh: TestDsh

  beforeAll(async () => {
    dsh = await bootTestDsh({
      homeFiles: {
        '.bashrc': `PS1='\\[\\e[36m\\]shop\\[\\e[0m\\] $ '\nHISTFILE=/dev/null\nmkdir -p ~/shop; cd ~/shop\n`,
      },
      settings: { tty: { maxSessions: 16, reconnectGraceSec: 60 } },
    })
  })
  afterAll(() => dsh.stop())

  const inspect = (panel: PanelPage, name: string, shown?: Locator): Promise<void> =>
    inBothColours({ page: panel.page, shown }, () => inspectOnce(panel, name))

  const inspectOnce = async (panel: PanelPage, name: string): Promise<void> => {
    await shoot(panel.page, name)
    const { overflowX } = await layoutOf(panel.page)
    expect({ name, overflowX: Math.max(0, overflowX) }).toEqual({ name, overflowX: 0 })
    const pale = (await contrasts(panel)).filter((each) => each.contrast < 4.5)
    expect({ name, pale }).toEqual({ name, pale: [] })
    expect({ name, faults: await accessibilityFaults(panel.page) }).toEqual({ name, faults: [] })
  }

  it.each(LANGUAGES)('is legible and accessible: $language', async ({ locale }) => {
    await using browser = await launchTestBrowser({ locale })
    const panel = await PanelPage.open(browser, dsh.url)
    const card = panel.root.locator('[data-tty-card]')
    const mark = panel.root.locator('[data-tty-mark]')
    const outcomes = async (): Promise<string> => (await marksOf(panel)).map(({ outcome }) => outcome).join(' ')
    const enter = async (command: string, expected: string): Promise<void> => {
      await until(async () => (await panel.lines()).at(-1) === 'shop $', { what: 'the prompt' })
      await panel.type(`${command}\n`)
      await until(async () => (await outcomes()) === expected, { what: `the marks ${expected}` })
    }
    await panel.show()
    await enter('printf "%s\\n" 第一 第二', 'success')
    await enter(
      `grep -rn 'parsePrice(' --include='*.ts' . ../lib ../test | sort -u | head -n 40; false`,
      'success failure',
    )
    await enter('sleep 9997', 'success failure running')
    await inspect(panel, 'marks')
    await mark.nth(1).hover()
    await card.waitFor()
    await inspect(panel, 'marks-facts', card)
    await mark.nth(0).click()
    await panel.root.getByRole('menu').waitFor()
    await inspect(panel, 'marks-menu', panel.root.getByRole('menu'))
    await panel.page.keyboard.press('Escape')
    await panel.page.setViewportSize({ width: 320, height: 640 })
    await until(async () => (await panel.seam())?.size.cols !== undefined && (await mark.count()) > 0, {
      what: 'marks',
    })
    await mark.last().click()
    await panel.root.getByRole('menu').waitFor()
    // Nothing was printed yet, and it cannot be run again now.
    expect(await panel.root.locator('[role="menuitem"]:not([aria-disabled])').count()).toBe(1)
    await inspect(panel, 'marks-narrow', panel.root.getByRole('menu'))
    await panel.page.keyboard.press('Escape')
    const other = await panel.duplicate(browser, { width: 1280, height: 900 })
    await until(async () => (await marksOf(other)).length > 0, { what: 'the marks in the other window' })
    await inspect(other, 'marks-letterboxed')
    await panel.page.bringToFront()
    await panel.press('Control+c')
  })
})
