/** Looking for a text in a terminal: what is counted, marked and gone to, and who has the keyboard. */
import { describe, expect, it } from 'vitest'
import type { ViewSeam } from '../../client-src/terminal/view-seam.ts'
import { usePanelHost } from '../support/panel-host.ts'
import { PanelPage } from '../support/panel-page.ts'
import { until } from '../support/wait.ts'

/** 3000 lines; every tenth has a word, every hundredth another one. */
const LOG = Array.from({ length: 3000 }, (_, at) =>
  [`line ${at}`, at % 10 === 0 ? 'needle' : '', at % 100 === 0 ? 'Needles 针' : ''].join(' ').trimEnd(),
)

describe('find', () => {
  const on = usePanelHost({
    homeFiles: { log: `${LOG.join('\n')}\n`, wide: `${'中文'.repeat(80)} 针 x\n` },
    tty: { scrollback: 5000 },
  })

  const start = async (command: string, last: RegExp): Promise<PanelPage> => {
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    await panel.type(`clear; ${command}\n`)
    await panel.untilText(last)
    await panel.press('Control+f')
    await bar(panel).waitFor()
    return panel
  }
  const bar = (panel: PanelPage) => panel.root.locator('[data-tty-find]')
  const field = (panel: PanelPage) => bar(panel).getByRole('textbox')
  const toggle = (panel: PanelPage, name: 'find.case' | 'find.word' | 'find.regExp') =>
    bar(panel).getByRole('button', { name: panel.words[name], exact: true })
  const untilCount = (panel: PanelPage, text: string): Promise<unknown> =>
    until(async () => (await bar(panel).locator('output').textContent()) === text, { what: `"${text}"` }).catch(
      async (error: unknown) => {
        throw new Error(`shown: ${(await bar(panel).locator('output').textContent()) ?? ''}`, { cause: error })
      },
    )
  /** The texts under the marks on screen, and the row of the one that was gone to, once they are drawn. */
  const marked = (panel: PanelPage): Promise<{ texts: string[]; current: string[] }> =>
    panel.page.evaluate(() => {
      const holder = document.querySelector('[data-tty-panel] [data-tty-holder]')
      const seam = (holder as unknown as Record<symbol, ViewSeam>)[Symbol.for('dsh-tty.view')]
      const rows = seam?.rows() ?? []
      const { cols } = seam?.size ?? { cols: 1 }
      const boxes = [...document.querySelectorAll<HTMLElement>('[data-tty-found] > *')]
      const share = (box: HTMLElement, side: 'left' | 'top' | 'width'): number =>
        Number.parseFloat(box.style[side]) / 100
      const rowOf = (box: HTMLElement): string => rows[Math.round(share(box, 'top') * rows.length)] ?? ''
      return {
        // Only where every character is one cell.
        texts: boxes.map((box) => {
          const from = Math.round(share(box, 'left') * cols)
          return rowOf(box).slice(from, from + Math.round(share(box, 'width') * cols))
        }),
        current: boxes.filter((box) => box.dataset['current'] === 'true').map(rowOf),
      }
    })
  const untilCurrent = (panel: PanelPage, row: string): Promise<unknown> =>
    until(async () => (await marked(panel)).current.join() === row, { what: `the keyboard's place on "${row}"` })

  it('counts over the whole scrollback, marks what is on screen, and goes round', async () => {
    const panel = await start('cat log', /line 2999\n\$$/)
    await panel.page.keyboard.type('needle')
    const total = LOG.join('\n').match(/needle/gi)?.length ?? 0
    expect(total).toBe(330)
    // From what is on screen on.
    const first = LOG.findIndex((line, at) => at > 2970 && line.includes('needle'))
    await until(async () => (await marked(panel)).current.length > 0, { what: 'marks' })
    expect(new Set((await marked(panel)).texts.map((text) => text.toLowerCase()))).toEqual(new Set(['needle']))
    const shown = (await marked(panel)).current[0] ?? ''
    expect(LOG.indexOf(shown)).toBeGreaterThan(2970)
    expect(LOG.indexOf(shown)).toBeLessThanOrEqual(first + 20)
    // Behind the last comes the first.
    await until(
      async () => {
        if ((await bar(panel).locator('output').textContent()) === '1 of 330') return true
        await panel.page.keyboard.press('Enter')
        return false
      },
      { what: 'the first of them' },
    )
    await untilCurrent(panel, 'line 0 needle Needles 针')
    await panel.page.keyboard.press('Enter')
    await untilCount(panel, '2 of 330')
    await panel.page.keyboard.press('Enter')
    await untilCurrent(panel, 'line 10 needle')
    await panel.page.keyboard.press('Shift+Enter')
    await panel.page.keyboard.press('Shift+Enter')
    await panel.page.keyboard.press('Shift+Enter')
    await untilCount(panel, '330 of 330')
    await untilCurrent(panel, 'line 2990 needle')

    await toggle(panel, 'find.case').click()
    await untilCount(panel, '300 of 300')
    await toggle(panel, 'find.case').click()
    await toggle(panel, 'find.word').click()
    await untilCount(panel, '300 of 300')
    await toggle(panel, 'find.word').click()
    await toggle(panel, 'find.regExp').click()
    await field(panel).fill('^line \\d+00 needle')
    await until(async () => /^\d+ of 29$/.test((await bar(panel).locator('output').textContent()) ?? ''), {
      what: 'the pattern to be counted',
    })
    await field(panel).fill('(')
    await untilCount(panel, 'Not a valid pattern: Unterminated group')
    expect((await marked(panel)).texts).toEqual([])
    await field(panel).fill('nowhere')
    await untilCount(panel, '0 of 0')
  })

  it('follows what the program prints meanwhile', async () => {
    const panel = await start(`(read -r; printf 'needle %s\\n' 1 2 3) & fg`, /fg|read/)
    await panel.page.keyboard.type('needle 3')
    await untilCount(panel, '0 of 0')
    await panel.press('Enter')
    await until(async () => ((await bar(panel).locator('output').textContent()) ?? '').endsWith('of 1'), {
      what: 'what came after the question',
    })
  })

  it('gives the keyboard back, and sends the program nothing of it', async () => {
    const panel = await start('echo once needle', /once needle\n\$$/)
    const before = panel.typed().length
    await panel.page.keyboard.type('needle')
    await until(async () => (await marked(panel)).texts.length > 0, { what: 'marks' })
    await panel.page.keyboard.press('Escape')
    await bar(panel).waitFor({ state: 'detached' })
    expect(await panel.page.locator('[data-tty-found]').count()).toBe(0)
    expect(panel.typed().slice(before)).toBe('')
    expect(await panel.run('echo back')).toBe('back')

    // Again, by the button, from what is selected.
    await panel.page.evaluate(() => {
      const holder = document.querySelector('[data-tty-panel] [data-tty-holder]')
      const seam = (holder as unknown as Record<symbol, ViewSeam>)[Symbol.for('dsh-tty.view')]
      seam?.select({ column: 5, row: 0, length: 6 })
    })
    await panel.tool(panel.words.find).click()
    expect(await field(panel).inputValue()).toBe((await panel.seam())?.selection)
    await panel.newTab()
    await bar(panel).waitFor({ state: 'detached' })
  })

  it('marks wide characters where they are, over the rows of one line', async () => {
    const panel = await start('cat wide', /针 x\n\$$/)
    await panel.page.keyboard.type('文 针 x')
    await untilCount(panel, '1 of 1')
    const places = await until(
      async () => {
        const boxes = await panel.page
          .locator('[data-tty-found] > *')
          .evaluateAll((all) =>
            (all as HTMLElement[]).map(({ style }) =>
              [style.left, style.width].map((share) => Number.parseFloat(share) / 100),
            ),
          )
        return boxes.length > 0 && boxes
      },
      { what: 'marks' },
    )
    const { cols } = (await panel.seam())?.size ?? { cols: 0 }
    // 160 wide characters, a blank, a wide one, a blank and a letter; the match is the last 7 cells.
    const perRow = Math.floor(cols / 2) * 2
    const left = (318 % perRow) / cols
    expect(places).toHaveLength(1)
    expect(places[0]?.[0]).toBeCloseTo(left, 3)
    expect(places[0]?.[1]).toBeCloseTo(7 / cols, 3)
  })

  it('leaves Ctrl+F to a program that has the whole screen', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    await panel.type(`printf '\\e[?1049h'; stty raw -echo; head -c 1 | od -An -c; stty sane; printf '\\e[?1049l'\n`)
    await until(async () => !(await panel.text()).includes('$'), { what: 'the other screen' })
    await panel.press('Control+Shift+F')
    await bar(panel).waitFor()
    await panel.page.keyboard.press('Escape')
    await bar(panel).waitFor({ state: 'detached' })
    await panel.press('Control+f')
    await panel.untilPrompt()
    expect(panel.typed()).toContain('\u0006')
    expect(await bar(panel).count()).toBe(0)
  })
})
