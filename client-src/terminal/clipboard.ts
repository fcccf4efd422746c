/** Copy and paste of one terminal, where the browser lets and as harmless text only. */
import type { Terminal } from '@xterm/xterm'
import { isMac } from '../keys.ts'
import { clipboardKey, type ClipboardKey } from './clipboard-keys.ts'
import type { PagePorts } from './page-ports.ts'
import { asOneLine, harmlessPaste, hasLineEnd } from './pasted-text.ts'

export interface ClipboardPorts extends Pick<PagePorts, 'writeClipboard' | 'confirmPaste'> {
  readonly copied: (isDone: boolean) => void
  /** A paste key was pressed and the browser gave nothing. */
  readonly pasteFailed: () => void
}

/** How long the browser's own paste event may take after the key. */
const PASTE_EVENT_MS = 120

export class TerminalClipboard {
  readonly #terminal: Terminal
  readonly #ports: ClipboardPorts
  /** Paste events so far. */
  #pastes = 0

  /** @param holder element around the terminal */
  constructor(terminal: Terminal, holder: HTMLElement, ports: ClipboardPorts) {
    this.#terminal = terminal
    this.#ports = ports
    holder.addEventListener('paste', this.#handlePaste, true)
    holder.addEventListener('dragover', preventDefault, true)
    holder.addEventListener('drop', this.#handleDrop, true)
  }

  /** @returns whether the terminal shall see the key */
  handleKey(event: KeyboardEvent): boolean {
    const key = clipboardKey(event, { isMac: isMac(), hasSelection: this.#terminal.hasSelection() })
    if (key === null) return true
    if (event.type === 'keydown') this.#carryOut(key, event)
    return false
  }

  /** What a button asks for; there is no key whose event could bring the text. */
  carryOut(what: 'copy' | 'paste'): void {
    if (what === 'paste') void this.#pasteFromClipboard()
    else void this.#copy(this.#terminal.getSelection())
  }

  #carryOut(key: ClipboardKey, event: KeyboardEvent): void {
    if (key === 'paste') {
      // The browser's own paste needs no permission: it comes as an event, unless the browser has none for this key.
      const pastes = this.#pastes
      setTimeout(() => {
        if (pastes === this.#pastes) void this.#pasteFromClipboard()
      }, PASTE_EVENT_MS)
      return
    }
    event.preventDefault()
    if (key === 'nothing') return
    const text = this.#terminal.getSelection()
    if (key === 'copy-or-interrupt') this.#terminal.clearSelection()
    void this.#copy(text)
  }

  async #copy(text: string): Promise<void> {
    const isDone = await this.#ports.writeClipboard(text).catch(() => false)
    this.#ports.copied(isDone)
    // The port's fallback moves the focus to a field of its own.
    if (this.#terminal.element?.isConnected === true) this.#terminal.focus()
  }

  async #pasteFromClipboard(): Promise<void> {
    // Absent on plain http from another machine.
    const clipboard = navigator.clipboard as Clipboard | undefined
    const text = await clipboard?.readText().catch(() => undefined)
    if (text === undefined) this.#ports.pasteFailed()
    else void this.#paste(text)
  }

  /** Dropped text is pasted; left to the browser it would be typed unchecked, and a dropped file would replace the page. */
  readonly #handleDrop = (event: DragEvent): void => {
    event.preventDefault()
    event.stopImmediatePropagation()
    const text = event.dataTransfer?.getData('text/plain') ?? ''
    if (text === '') return
    this.#terminal.focus()
    void this.#paste(text)
  }

  readonly #handlePaste = (event: ClipboardEvent): void => {
    event.preventDefault()
    event.stopImmediatePropagation()
    this.#pastes += 1
    void this.#paste(event.clipboardData?.getData('text/plain') ?? '')
  }

  async #paste(text: string): Promise<void> {
    const harmless = harmlessPaste(text)
    if (harmless === '') return
    const isTyping = hasLineEnd(harmless) && !this.#terminal.modes.bracketedPasteMode
    const choice = isTyping ? await this.#ports.confirmPaste(text) : 'lines'
    if (choice === 'lines') this.#terminal.paste(harmless)
    else if (choice === 'one-line') this.#terminal.paste(asOneLine(harmless))
  }
}

function preventDefault(event: Event): void {
  event.preventDefault()
}
