/** What the dialogs about other machines show, and what can be asked of them. */
import type { Book } from '../../protocol-src/host-frames.ts'
import type { Asked, SshLink } from './ssh-link.ts'

export type SshDialog =
  /** A new entry, or the one of that name. */
  | { readonly kind: 'entry'; readonly name: string | null }
  | { readonly kind: 'book' }
  | { readonly kind: 'host-keys' }
  | { readonly kind: 'import' }

export interface SshModel {
  /** Null until the host said what is in it. */
  readonly book: Book | null
  /** The last one is on screen; those below it come back when it closes. */
  readonly dialogs: readonly SshDialog[]
  /** Stand over the dialogs; the first one is on screen. */
  readonly questions: readonly Asked[]
}

export type SshRequests = Pick<
  SshLink,
  'save' | 'remove' | 'test' | 'hostKeys' | 'forgetHostKey' | 'readFiles' | 'takeOver' | 'answer'
>
