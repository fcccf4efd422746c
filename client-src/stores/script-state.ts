/** What is known of a script that the page loads when it needs it, and what can be asked of it. */
import type { LinkError } from '../connection/link-error.ts'
import type { Store } from './store.ts'

export type ScriptState<T> =
  | { readonly kind: 'absent' | 'loading' }
  | { readonly kind: 'failed'; readonly error: LinkError }
  | { readonly kind: 'ready'; readonly module: T }

export interface ScriptSource<T> {
  readonly state: Store<ScriptState<T>>
  /** It is needed: get it now. What failed stays failed until `retry`. */
  load(): void
  retry(): void
}
