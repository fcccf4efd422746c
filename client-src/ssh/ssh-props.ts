/** What every dialog about other machines gets. */
import type { Book } from '../../protocol-src/host-frames.ts'
import type { HostRef, PublicEntry } from '../../protocol-src/ssh.ts'
import type { Kit } from '../panel/kit.ts'
import type { EntryField, EntryForm } from './entry-form.ts'
import type { SshDialog, SshRequests } from './ssh-model.ts'
import type { SaySsh } from './words.ts'

/** Puts anything that was thrown, or that the host answered, into the words of the page. */
export type SayError = (error: unknown) => string

export interface SshProps {
  readonly kit: Kit
  readonly t: SaySsh
  readonly sayError: SayError
  readonly requests: SshRequests
  /** Show another dialog over this one. */
  readonly onShow: (dialog: SshDialog) => void
  readonly onClose: () => void
  /** Open a terminal there, and close every dialog. */
  readonly onConnect: (host: HostRef) => void
}

export interface BookProps extends SshProps {
  readonly book: Book
}

/** What the parts of the form of an entry have in common. */
export interface FormPart extends Pick<BookProps, 't' | 'book'> {
  readonly form: EntryForm
  readonly before: PublicEntry | null
  readonly errorOf: (field: EntryField) => string | null
  readonly onChange: (change: Partial<EntryForm>) => void
}
