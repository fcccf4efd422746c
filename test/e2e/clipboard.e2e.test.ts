/** Copy and paste: which keys, which bytes, and what a hostile clipboard cannot do. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { usePanelHost } from '../support/panel-host.ts'
import { PanelPage } from '../support/panel-page.ts'
import { until } from '../support/wait.ts'

const START = '\u001b[200~'
const END = '\u001b[201~'
/** ESC, and the C1 controls as a terminal's input encodes them; `latin1` shows each byte. */
// oxlint-disable-next-line no-control-regex -- control characters are the point
const CONTROL = /[\u001b\u009b]|\u00c2[\u0080-\u009f]/

describe('the clipboard', () => {
  const on = usePanelHost()

  /** Selects the word that is a whole line of the screen and `cells` wide. */
  const select = async (panel: PanelPage, word: string, cells = word.length): Promise<void> => {
    const row = (await panel.lines()).indexOf(word)
    expect(row).toBeGreaterThan(0)
    await panel.page.evaluate(
      (place) => {
        const holder = document.querySelector('[data-tty-panel] [data-tty-holder]')
        const seams = holder as unknown as Record<symbol, { select(place: object): void }>
        seams[Symbol.for('dsh-tty.view')]?.select(place)
      },
      { column: 0, row, length: cells },
    )
    expect((await panel.seam())?.selection).toBe(word)
  }
  const clipboard = (panel: PanelPage): Promise<string> => panel.page.evaluate(() => navigator.clipboard.readText())

  it('copies with Ctrl+C while text is selected, and interrupts without', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    await panel.run('echo copied-word')
    await panel.type('sleep 9993\n')
    await until(() => on.dsh.processes().some(({ argv }) => argv.join(' ') === 'sleep 9993'), { what: 'the program' })
    await select(panel, 'copied-word')
    await panel.press('Control+c')
    await until(async () => (await clipboard(panel)) === 'copied-word', { what: 'the text in the clipboard' })
    expect(panel.typed()).not.toContain('\u0003')
    expect((await panel.seam())?.selection).toBe('')
    await panel.press('Control+c')
    await panel.untilPrompt()
    expect(panel.typed().split('\u0003')).toHaveLength(2)
    expect(on.dsh.processes().some(({ argv }) => argv.join(' ') === 'sleep 9993')).toBe(false)
  })

  it('copies with Ctrl+Shift+C and pastes with Ctrl+Shift+V', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    await panel.run('echo 第二个词')
    await select(panel, '第二个词', 8)
    await panel.press('Control+Shift+C')
    await until(async () => (await clipboard(panel)) === '第二个词', { what: 'the text in the clipboard' })
    await panel.type('echo pasted-')
    await panel.press('Control+Shift+V')
    await panel.untilText(/\$ echo pasted-第二个词$/)
    await panel.press('Enter')
    await panel.untilText(/^pasted-第二个词$/m)
    expect(panel.typed()).not.toContain('\u0003')
  })

  it('pastes lines as a keyboard would send them, bracketed where the program asked', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    const pasted = async (): Promise<string> => {
      const before = panel.typed().length
      await panel.paste('a\r\nb\nc')
      await until(() => panel.typed().slice(before).includes('c'), { what: 'the paste' })
      return panel.typed().slice(before)
    }
    // Nothing but these programs reads what is pasted.
    await panel.type(
      `stty -echo; printf '\\e[?2004h'"re"'ady\\n'; head -n 3 >bracketed; printf '\\e[?2004l'; stty echo\n`,
    )
    await panel.untilText(/^ready$/m)
    expect(await pasted()).toBe(`${START}a\rb\rc${END}`)
    await panel.press('Enter')
    await panel.untilPrompt()
    expect(await panel.run('cat -v bracketed')).toBe('^[[200~a\nb\nc^[[201~')
    await panel.type(`stty -echo; echo pla''in; head -n 3 >plain; stty echo\n`)
    await panel.untilText(/^plain$/m)
    const before = panel.typed().length
    await panel.paste('a\r\nb\nc')
    await panel.dialog.getByRole('button', { name: panel.words['paste.lines'], exact: true }).click()
    await panel.dialog.waitFor({ state: 'detached' })
    expect(panel.typed().slice(before)).toBe('a\rb\rc')
    await panel.press('Enter')
    await panel.untilPrompt()
    expect(await panel.run('cat -v plain')).toBe('a\nb\nc')
  })

  describe('where the program cannot tell a paste from typing', () => {
    /** A shell that reads without an editor, so that whatever arrives with an Enter runs at once. */
    const startPlain = async (): Promise<PanelPage> => {
      const panel = await PanelPage.start(on.browser, on.dsh.url)
      await panel.type(`PS1='plain> ' bash --norc --noediting\n`)
      await panel.untilText(/^plain>$/m)
      return panel
    }
    const answer = async (
      panel: PanelPage,
      word: 'paste.lines' | 'paste.oneLine' | 'confirm.cancel',
    ): Promise<void> => {
      await panel.dialog.getByRole('button', { name: panel.words[word], exact: true }).last().click()
      await panel.dialog.waitFor({ state: 'detached' })
      const isFocused = await panel.page.evaluate(() => document.activeElement?.closest('[data-tty-holder]') !== null)
      expect(isFocused).toBe(true)
    }
    const ways: Record<string, (panel: PanelPage, text: string) => Promise<void>> = {
      'the key': (panel, text) => panel.paste(text),
      'the menu or the middle button': (panel, text) => transfer(panel, 'paste', text),
      'a drop': (panel, text) => transfer(panel, 'drop', text),
    }
    /** The event that the browser sends for them. */
    const transfer = async (panel: PanelPage, type: 'paste' | 'drop', text: string): Promise<void> => {
      await panel.root.locator('[data-tty-holder] textarea').evaluate(
        (field, event) => {
          const data = new DataTransfer()
          data.setData('text/plain', event.text)
          const init = { bubbles: true, cancelable: true }
          field.dispatchEvent(
            event.type === 'paste'
              ? new ClipboardEvent('paste', { ...init, clipboardData: data })
              : new DragEvent('drop', { ...init, dataTransfer: data }),
          )
        },
        { type, text },
      )
    }

    it('asks before any line of a paste runs, and pastes nothing when that is refused', async () => {
      const panel = await startPlain()
      for (const [what, paste] of Object.entries(ways)) {
        const before = panel.typed().length
        await paste(panel, 'touch ran\ntouch ran-too\n')
        await panel.dialog.getByText('Paste 2 lines?').waitFor()
        await answer(panel, 'confirm.cancel')
        await paste(panel, 'touch ran\n')
        await panel.dialog.getByText('Paste and run 1 line?').waitFor()
        await panel.page.keyboard.press('Escape')
        await panel.dialog.waitFor({ state: 'detached' })
        expect({ what, typed: panel.typed().slice(before) }).toEqual({ what, typed: '' })
      }
      expect(await panel.run('echo next')).toBe('next')
      expect(existsSync(join(on.dsh.home, 'ran'))).toBe(false)
    })

    it('shows what cannot be seen, leaves controls out, and runs what was agreed to', async () => {
      const panel = await startPlain()
      const before = panel.typed().length
      await panel.paste('echo one\u001b[201~\u0003\r\n\techo \u202etwo\n')
      await panel.dialog.waitFor()
      expect(await panel.dialog.locator('[data-tty-paste]').textContent()).toBe(
        'echo one^[[201~^C\n^Iecho <U+202E>two\n',
      )
      await answer(panel, 'paste.lines')
      await panel.untilText(/plain> \u202etwo$/m)
      expect(panel.typed().slice(before)).toBe(
        Buffer.from('echo one[201~\r\techo \u202etwo\r', 'utf8').toString('latin1'),
      )
    })

    it('pastes the lines as one, which does not run before Enter', async () => {
      const panel = await startPlain()
      const before = panel.typed().length
      await panel.paste('echo one \\\n    two\n\n')
      await panel.dialog.waitFor()
      await answer(panel, 'paste.oneLine')
      await panel.untilText(/plain> echo one two$/)
      expect(panel.typed().slice(before)).toBe('echo one two')
      await panel.press('Enter')
      await panel.untilText(/^one two$/m)
    })

    it('asks nothing about a single line, and drops no file', async () => {
      const panel = await startPlain()
      await panel.paste('echo sin')
      await transfer(panel, 'drop', 'gle')
      await panel.untilText(/plain> echo single$/)
      await panel.root.locator('[data-tty-holder] textarea').evaluate((field) => {
        const data = new DataTransfer()
        data.items.add(new File(['echo file\n'], 'file.sh'))
        field.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }))
      })
      await panel.press('Enter')
      await panel.untilText(/^single$/m)
      expect(await panel.dialog.count()).toBe(0)
      expect(await panel.text()).not.toContain('echo file')
    })
  })

  it('runs nothing of a paste that tries to end its bracket or to ask something', async () => {
    const pastes = {
      'ends the bracket itself': `echo safe${END}\nid >pwned\n${START}`,
      'uses the eight-bit form': 'echo safe\u009b201~\nid >pwned\n\u009b200~',
      'nests one end in another': `echo safe\u001b[20${END}1~\nid >pwned\n`,
      'interrupts the line that is being edited': 'echo safe\u0003\nid >pwned\n',
      'asks the terminal something': 'echo safe\u001b[c\u001b]52;c;?\u0007\u001bP$qm\u001b\\\nid >pwned\n',
    }
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    let shown = 0
    for (const [what, text] of Object.entries(pastes)) {
      await panel.untilPrompt()
      const before = panel.typed().length
      await panel.paste(text)
      await until(() => panel.typed().slice(before).endsWith(END), { what: `the paste that ${what}` })
      const typed = panel.typed().slice(before)
      expect({ what, isBracketed: typed.startsWith(START) }).toEqual({ what, isBracketed: true })
      const inside = typed.slice(START.length, -END.length)
      expect(inside).toContain('pwned')
      expect({ what, control: CONTROL.exec(inside) }).toEqual({ what, control: null })
      // An interrupt takes along what the shell has not read yet.
      shown += 1
      await until(async () => (await panel.text()).split('pwned').length > shown, { what: `the paste that ${what}` })
      await panel.press('Control+c')
      await panel.untilPrompt()
      expect(await panel.run('echo next')).toBe('next')
      expect({ what, hasRun: existsSync(join(on.dsh.home, 'pwned')) }).toEqual({ what, hasRun: false })
    }
  })

  it('copies and pastes where the page may not use the clipboard by itself', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url, async (page) => {
      await page.addInitScript(() => {
        Object.defineProperty(navigator, 'clipboard', { value: undefined })
      })
    })
    await panel.run('echo lonely-word')
    await select(panel, 'lonely-word')
    await panel.press('Control+Shift+C')
    await panel.press('Control+Shift+V')
    await panel.untilText(/\$ lonely-word$/)
    expect(await panel.notice.count()).toBe(0)
    await panel.press('Control+c')
    expect(await panel.run('echo fine')).toBe('fine')
  })
})
