/** The connection book as a section of the "+" menu: an item for each entry, and one for a connection that is in no book. */
import type { Book } from '../../protocol-src/host-frames.ts'
import type { HostRef } from '../../protocol-src/ssh.ts'
import type { PlusSection } from '../stores/plus-sections.ts'
import { createStore, type Store, type Unsubscribe } from '../stores/store.ts'

export interface BookActions {
  readonly connect: (host: HostRef) => void
  /** @param name null for a new entry */
  readonly edit: (name: string | null) => void
}

export function bookSection(
  book: Store<Book | null>,
  actions: BookActions,
): { readonly section: Store<PlusSection>; readonly dispose: Unsubscribe } {
  const section = createStore(sectionOf(book.getSnapshot(), actions))
  const dispose = book.subscribe(() => {
    section.set(sectionOf(book.getSnapshot(), actions))
  })
  return { section, dispose }
}

/** Nothing as long as the host has not said what there is. */
function sectionOf(book: Book | null, { connect, edit }: BookActions): PlusSection {
  const entries = (book?.entries ?? []).map(({ name, username, host, port }) => ({
    key: name,
    label: name,
    hint: `${username}@${host}${port === 22 ? '' : `:${String(port)}`}`,
    onSelect: () => {
      connect({ book: name })
    },
    actions: [
      {
        key: 'edit',
        label: { key: 'plus.ssh.edit' as const, params: { name } },
        icon: 'edit' as const,
        onSelect: () => {
          edit(name)
        },
      },
    ],
  }))
  const more = {
    key: 'new',
    label: { key: 'plus.ssh.new' as const },
    onSelect: () => {
      edit(null)
    },
  }
  return { id: 'ssh', title: { key: 'plus.ssh' }, items: book === null ? [] : [...entries, more] }
}
