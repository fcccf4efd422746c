/** The panel with a real shell in it: typing, full-screen programs, size, tabs, closing. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { launchTestBrowser } from '../support/browser.ts'
import { usePanelHost } from '../support/panel-host.ts'
import { PanelPage } from '../support/panel-page.ts'
import { isAlive, untilGone } from '../support/proc.ts'
import { until } from '../support/wait.ts'

describe('a shell in the panel', () => {
  const on = usePanelHost()

  it('opens from the sidebar and runs what is typed', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    await panel.type('echo $((6*7))\n')
    await panel.untilText(/^42$/m)
    expect((await panel.lines()).slice(0, 2)).toEqual(['$ echo $((6*7))', '42'])
    expect(await panel.run('pwd')).toBe(on.dsh.home)
    expect(await panel.run('[ -t 0 ] && echo $TERM')).toBe('xterm-256color')
  })

  it('is drawn with WebGL, or without where the browser has none', async () => {
    await using capable = await launchTestBrowser({ webgl: 'software' })
    const panel = await PanelPage.start(capable, on.dsh.url)
    expect((await panel.seam())?.renderer).toBe('webgl')
    expect(await panel.run('echo drawn')).toBe('drawn')
    const other = await PanelPage.start(on.browser, on.dsh.url)
    expect((await other.seam())?.renderer).toBe('dom')
    expect(await other.run('echo drawn')).toBe('drawn')
    expect(await other.page.locator('.xterm-rows').innerText()).toContain('drawn')
  })

  it('is shown and hidden by Ctrl+`, also while the terminal has the keyboard', async () => {
    const panel = await PanelPage.open(on.browser, on.dsh.url)
    await panel.page.keyboard.press('Control+Backquote')
    await panel.untilPrompt()
    const pid = await panel.pid()
    await panel.press('Control+Backquote')
    await panel.root.waitFor({ state: 'detached' })
    expect(isAlive(pid)).toBe(true)
    await panel.page.keyboard.press('Control+Backquote')
    await panel.untilPrompt()
    // The keyboard is in the terminal again, without a click.
    await panel.page.keyboard.type('echo $$-again\n')
    await panel.untilText(`${String(pid)}-again`)
  })

  it('runs vim, which saves what was typed', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    await panel.type('vim -u NONE -N notes.txt\n')
    await panel.untilText(/^~ *$/m)
    await panel.type('ifirst line, 第二行')
    await panel.press('Enter', 'Escape')
    await panel.type('o')
    await panel.type('third')
    await panel.press('Escape')
    await panel.type(':wq\n')
    await panel.untilPrompt()
    expect(await readFile(join(on.dsh.home, 'notes.txt'), 'utf8')).toBe('first line, 第二行\n\nthird\n')
    // Back on the normal screen with what was there before.
    expect((await panel.lines())[0]).toBe('$ vim -u NONE -N notes.txt')
  })

  it('runs htop, which draws its meters and ends with q', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    await panel.type('htop\n')
    const text = await panel.untilText(/F10Quit/)
    expect(text).toMatch(/Mem\[.*\]/)
    expect(text).toMatch(/PID\s+USER/)
    await panel.type('q')
    await panel.untilPrompt()
  })

  it('tells the program every new size of the dock', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    const said = async (): Promise<number[]> => (await panel.run('tput cols lines')).split('\n').map(Number)
    const shown = async (): Promise<number[]> => {
      const { cols = 0, rows = 0 } = (await panel.seam())?.size ?? {}
      return [cols, rows]
    }
    const attributes = async (): Promise<number[]> => [
      Number(await panel.root.getAttribute('data-tty-cols')),
      Number(await panel.root.getAttribute('data-tty-rows')),
    ]
    // A drag goes through many sizes: until page, panel and program have the same, and it is one that is meant.
    const settled = (isMeant: (size: number[]) => boolean, what: string): Promise<number[]> =>
      until(
        async () => {
          const program = await said()
          const here = [await shown(), await attributes()]
          return isMeant(program) && here.every((size) => String(size) === String(program)) && program
        },
        { what, timeoutMs: 30_000 },
      )
    const first = await shown()
    expect(await said()).toEqual(first)

    const handle = panel.root.getByRole('separator')
    const box = await handle.boundingBox()
    if (box === null) throw new Error('the handle of the dock is not on screen')
    await panel.page.mouse.move(box.x + 200, box.y + 4)
    await panel.page.mouse.down()
    await panel.page.mouse.move(box.x + 200, box.y - 100, { steps: 5 })
    await panel.page.mouse.up()
    await settled(([, rows = 0]) => rows > (first[1] ?? 0), 'more rows after dragging the dock')

    await panel.page.setViewportSize({ width: 900, height: 700 })
    await settled(([cols = 0]) => cols < (first[0] ?? 0), 'fewer columns in a narrower window')
  })

  it('keeps the output of three tabs apart', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    await panel.run('name=one')
    await panel.newTab()
    await panel.run('name=two')
    await panel.newTab()
    await panel.run('name=three')
    const tabs = await panel.tabs()
    expect(tabs.map(({ label, isActive }) => ({ label, isActive }))).toEqual([
      { label: 'bash', isActive: false },
      { label: 'bash 2', isActive: false },
      { label: 'bash 3', isActive: true },
    ])
    expect(new Set(tabs.map(({ sid }) => sid)).size).toBe(3)
    for (const [index, name] of ['one', 'two', 'three'].entries()) {
      await panel.tab(index).click()
      await until(async () => (await panel.sid()) === tabs[index]?.sid, { what: `tab ${index} to be active` })
      expect(await panel.run('echo "i am $name"')).toBe(`i am ${name}`)
      const others = ['one', 'two', 'three'].filter((other) => other !== name)
      for (const other of others) expect(await panel.text()).not.toContain(`name=${other}`)
    }
  })

  it('renames a tab, and gives nothing of the keys to its shell', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    const half = 'touch half-typed'
    await panel.type(half)
    await until(() => panel.typed().endsWith(half), { what: 'all keys on their way' })
    const typed = panel.typed()
    await panel.renameTab(0, 'my name')
    await until(async () => (await panel.tabs())[0]?.label === 'my name', { what: 'the name on the tab' })
    await panel.tab(0).dblclick()
    await panel.page.keyboard.press('Escape')
    await panel.root.getByRole('textbox', { name: 'Name of the terminal' }).waitFor({ state: 'detached' })
    // The keyboard is in the terminal again; whatever went there before would come before this.
    await panel.page.keyboard.press('Control+c')
    await panel.untilPrompt()
    expect(panel.typed()).toBe(`${typed}\u0003`)
    expect((await panel.tabs())[0]?.label).toBe('my name')
  })

  it('ends the shell and its background programs with the tab, and nothing else', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    const kept = await panel.pid()
    await panel.newTab()
    const shell = await panel.pid()
    const jobs = await panel.run('sleep 9991 & (setsid sleep 9992 & echo $!); echo $!')
    const pids = [shell, ...Array.from(jobs.matchAll(/^\d+$/gm), ([pid]) => Number(pid))]
    expect(pids).toHaveLength(3)
    expect(pids.filter(isAlive)).toEqual(pids)
    await panel.closeTab(1)
    await untilGone(pids)
    await until(async () => (await panel.tabs()).length === 1, { what: 'the tab to go' })
    expect(isAlive(kept)).toBe(true)
    expect(await panel.run('echo still here')).toBe('still here')
  })

  it('asks before it ends running terminals, and Minimise keeps them', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    const first = await panel.pid()
    await panel.newTab()
    const second = await panel.pid()
    const close = panel.tool('Close and end all terminals')
    await close.click()
    await panel.dialog.getByText('End 2 running terminals?').waitFor()
    await panel.dialog.getByRole('button', { name: 'Minimise' }).click()
    await panel.root.waitFor({ state: 'detached' })
    expect([first, second].every(isAlive)).toBe(true)
    expect(await panel.entry.getAttribute('aria-label')).toBe('Terminal 2/2 running')
    expect(await panel.entry.innerText()).toMatch(/2\/2/)

    await panel.show()
    expect(await panel.pid()).toBe(second)
    await close.click()
    await panel.dialog.getByRole('button', { name: 'Cancel' }).first().click()
    await panel.dialog.waitFor({ state: 'detached' })
    expect([first, second].every(isAlive)).toBe(true)
    await close.click()
    await panel.dialog.getByRole('button', { name: 'End all' }).click()
    await untilGone([first, second])
    await panel.root.waitFor({ state: 'detached' })
    await until(async () => (await panel.entry.getAttribute('aria-label')) === 'Terminal', { what: 'no badge' })
  })

  it('shows on the sidebar entry that a hidden terminal printed something', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    await panel.type('until [ -e go ]; do sleep 0.05; done; echo done\n')
    await panel.minimise()
    await panel.entry.getByText('1/1').waitFor()
    expect(await panel.entry.locator('[data-tty-activity]').count()).toBe(0)
    await writeFile(join(on.dsh.home, 'go'), '')
    await until(async () => (await panel.entry.getAttribute('aria-label'))?.endsWith(', new output'), {
      what: 'the mark of new output',
    })
    await panel.show()
    await panel.untilText(/^done$/m)
    await panel.minimise()
    expect(await panel.entry.getAttribute('aria-label')).toBe('Terminal 1/1 running')
  })
})
