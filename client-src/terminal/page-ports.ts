/** What a terminal asks of the page around it, whichever tab it is in. */
import type { PasteChoice } from '../stores/popup-model.ts'

export interface PagePorts {
  /** @returns whether the browser took the text */
  readonly writeClipboard: (text: string) => Promise<boolean>
  /** Show a person what would be pasted. Never rejects. */
  readonly confirmPaste: (text: string) => Promise<PasteChoice>
}
