/** A store of the client as a hook, for stores that the app does not hand over as one. */
import { useCallback, useSyncExternalStore } from 'react'
import type { Store } from '../stores/store.ts'

export function useStore<T>(store: Store<T>): T {
  const subscribe = useCallback((listener: () => void) => store.subscribe(listener), [store])
  return useSyncExternalStore(subscribe, () => store.getSnapshot())
}
