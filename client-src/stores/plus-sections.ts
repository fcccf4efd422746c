/**
 * What "+" offers beside a plain terminal: sections that other areas contribute, in the order in which they came. Knows
 * nothing of what an entry opens.
 */
import type { Message } from '../locales.ts'
import { createStore, type Store, type Unsubscribe } from './store.ts'

/** A text as it is, or one to be put into words. */
export type PlusText = string | Message

export interface PlusAction {
  readonly key: string
  readonly label: PlusText
  readonly icon: 'edit' | 'files' | 'remove'
  readonly onSelect: () => void
  /** The menu stays open. */
  readonly isStaying?: boolean
}

export interface PlusItem {
  /** Unique in its section. */
  readonly key: string
  readonly label: PlusText
  readonly hint?: PlusText
  /** Says something and opens nothing. */
  readonly isDisabled?: boolean
  readonly onSelect: () => void
  readonly actions?: readonly PlusAction[]
}

export interface PlusSection {
  readonly id: string
  readonly title?: PlusText
  /** A section without items is not shown. */
  readonly items: readonly PlusItem[]
}

export class PlusSections implements Store<readonly PlusSection[]> {
  readonly #store = createStore<readonly PlusSection[]>([])
  readonly #contributed = new Set<Store<PlusSection>>()

  getSnapshot = (): readonly PlusSection[] => this.#store.getSnapshot()
  subscribe = (listener: () => void): Unsubscribe => this.#store.subscribe(listener)

  /** @returns takes the section away */
  add(section: Store<PlusSection>): Unsubscribe {
    const own: Store<PlusSection> = {
      getSnapshot: () => section.getSnapshot(),
      subscribe: (each) => section.subscribe(each),
    }
    this.#contributed.add(own)
    const unsubscribe = section.subscribe(() => {
      this.#publish()
    })
    this.#publish()
    return () => {
      unsubscribe()
      if (this.#contributed.delete(own)) this.#publish()
    }
  }

  #publish(): void {
    this.#store.set([...this.#contributed].map((each) => each.getSnapshot()).filter(({ items }) => items.length > 0))
  }
}
