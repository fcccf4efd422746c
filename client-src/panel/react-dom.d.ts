/** The part of the app's own React DOM that is used here; its types are no dependency. */
declare module 'react-dom/client' {
  import type { ReactNode } from 'react'

  export function createRoot(container: Element): {
    render(children: ReactNode): void
    unmount(): void
  }
}
