/** Where a terminal is in an element of another plugin; what it is made of and drawn with comes with the first. */
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import type { Translate } from '../locales.ts'
import type { ScriptSource } from '../stores/script-state.ts'
import { ScriptWait, useScript } from './ScriptWait.tsx'

interface MountSlotProps<P> {
  readonly script: ScriptSource<{ readonly MountView: (props: P) => ReactNode }>
  readonly props: P
}

/** Draw a terminal in `host` until the result is called. */
export function showMount<P extends { readonly t: Translate }>(host: HTMLElement, slot: MountSlotProps<P>): () => void {
  // A root of React wants a container that nobody else fills.
  const container = document.createElement('div')
  container.style.cssText = 'width:100%;height:100%'
  host.append(container)
  const root = createRoot(container)
  root.render(<MountSlot {...slot} />)
  return () => {
    container.remove()
    // The plugin may be in the middle of a rendering of its own.
    queueMicrotask(() => {
      root.unmount()
    })
  }
}

function MountSlot<P extends { readonly t: Translate }>({ script, props }: MountSlotProps<P>) {
  const state = useScript(script)
  return state.kind === 'ready' ? <state.module.MountView {...props} /> : <ScriptWait t={props.t} source={script} />
}
