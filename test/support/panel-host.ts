/** What most tests of the panel need around them: one host for all of a group, and a browser with nothing in it for each. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { launchTestBrowser, type TestBrowser, type TestBrowserOptions } from './browser.ts'
import { bootTestDsh, type TestDsh } from './dsh.ts'
import { PLAIN_BASHRC } from './panel-page.ts'

/** How they differ from the plain ones. */
export interface PanelHostOptions {
  /** Files of the user's home beside a plain .bashrc. */
  readonly homeFiles?: Record<string, string>
  /** Settings of the terminal; by default 16 sessions, which end a second after their page. */
  readonly tty?: Record<string, unknown>
  readonly browser?: TestBrowserOptions
}

/** To be read within a test. */
export interface PanelHost {
  readonly dsh: TestDsh
  readonly browser: TestBrowser
}

/** Starts them before the tests of the group in which it is called, and ends them after. */
export const usePanelHost = ({ homeFiles, tty, browser: wish }: PanelHostOptions = {}): PanelHost => {
  let dsh: TestDsh
  let browser: TestBrowser
  beforeAll(async () => {
    dsh = await bootTestDsh({
      homeFiles: { ...PLAIN_BASHRC, ...homeFiles },
      settings: { tty: { maxSessions: 16, reconnectGraceSec: 1, ...tty } },
    })
  })
  afterAll(() => dsh.stop())
  beforeEach(async () => {
    browser = await launchTestBrowser(wish)
  })
  afterEach(() => browser.close())
  return {
    get dsh() {
      return dsh
    },
    get browser() {
      return browser
    },
  }
}
