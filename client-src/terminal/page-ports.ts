/** What a terminal asks of the page around it, whichever tab it is in. */
import type { WebglAddon } from '@xterm/addon-webgl'
import type { FindModel, HoveredLink, PasteChoice } from '../stores/popup-model.ts'
import type { Store } from '../stores/store.ts'

/** The renderer of visible terminals, which the page loads when one is shown. */
export interface WebglSource {
  readonly state: Store<
    | { readonly kind: 'absent' | 'loading' | 'failed' }
    | { readonly kind: 'ready'; readonly module: { readonly WebglAddon: new () => WebglAddon } }
  >
  load(): void
  retry(): void
}

export interface PagePorts {
  readonly webgl: WebglSource
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
