/** What a terminal asks of the page around it, whichever tab it is in. */
import type { FindModel, HoveredLink, PasteChoice } from '../stores/popup-model.ts'

export interface PagePorts {
  /** @returns whether the browser took the text */
  readonly writeClipboard: (text: string) => Promise<boolean>
  /** Show a person what would be pasted. Never rejects. */
  readonly confirmPaste: (text: string) => Promise<PasteChoice>
  /** Show where a link leads; null: no more. */
  readonly linkHovered: (link: HoveredLink | null) => void
  /** Open an address that a person chose. */
  readonly openLink: (href: string) => void
  /** What is known of a search now; null: nobody looks for anything. */
  readonly findChanged: (find: FindModel | null) => void
}
