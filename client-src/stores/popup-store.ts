/** Keeps what stands over the terminal of this page, at most one of each kind, and gives the answers back. */
import { NO_POPUPS, type FindModel, type HoveredLink, type PasteChoice, type PopupModel } from './popup-model.ts'
import { createStore, type Store } from './store.ts'

export class PopupStore implements Store<PopupModel> {
  readonly #store = createStore(NO_POPUPS)
  #answer: ((choice: PasteChoice) => void) | null = null

  getSnapshot = (): PopupModel => this.#store.getSnapshot()
  subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener)

  /** Resolves with what a person chose; a text that comes meanwhile takes the place of the one before. */
  confirmPaste(text: string): Promise<PasteChoice> {
    this.answerPaste('nothing')
    return new Promise((resolve) => {
      this.#answer = resolve
      this.#change({ paste: text })
    })
  }

  answerPaste(choice: PasteChoice): void {
    const answer = this.#answer
    if (answer === null) return
    this.#answer = null
    this.#change({ paste: null })
    answer(choice)
  }

  hoverLink(hovered: HoveredLink | null): void {
    this.#change({ hovered })
  }

  /** Offer links to choose from; null takes them away. */
  listLinks(links: readonly string[] | null): void {
    this.#change({ links })
  }

  showFind(find: FindModel | null): void {
    this.#change({ find })
  }

  #change(change: Partial<PopupModel>): void {
    this.#store.set({ ...this.getSnapshot(), ...change })
  }
}
