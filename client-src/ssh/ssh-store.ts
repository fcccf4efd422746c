/** Keeps which dialog about other machines is on screen, and joins it with what the host says. */
import { createStore, type Store, type Unsubscribe } from '../stores/store.ts'
import type { SshLink } from './ssh-link.ts'
import type { SshDialog, SshModel } from './ssh-model.ts'

export class SshStore implements Store<SshModel> {
  readonly #store
  readonly #link: Pick<SshLink, 'book' | 'questions'>
  readonly #stop: readonly Unsubscribe[]
  #dialogs: readonly SshDialog[] = []

  constructor(link: Pick<SshLink, 'book' | 'questions'>) {
    this.#link = link
    this.#store = createStore(this.#model())
    const publish = (): void => {
      this.#store.set(this.#model())
    }
    this.#stop = [link.book.subscribe(publish), link.questions.subscribe(publish)]
  }

  getSnapshot = (): SshModel => this.#store.getSnapshot()
  subscribe = (listener: () => void): Unsubscribe => this.#store.subscribe(listener)

  dispose(): void {
    for (const stop of this.#stop) stop()
  }

  /** Over the one that is on screen. */
  show(dialog: SshDialog): void {
    this.#change([...this.#dialogs, dialog])
  }

  close(): void {
    this.#change(this.#dialogs.slice(0, -1))
  }

  closeAll(): void {
    this.#change([])
  }

  #change(dialogs: readonly SshDialog[]): void {
    this.#dialogs = dialogs
    this.#store.set(this.#model())
  }

  #model(): SshModel {
    return {
      book: this.#link.book.getSnapshot(),
      dialogs: this.#dialogs,
      questions: this.#link.questions.getSnapshot(),
    }
  }
}
