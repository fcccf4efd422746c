/** What the page around the panel allows and tells. */

/**
 * Whether a page of another origin frames this one: it could lay its own content over the terminal and have a person
 * type or drop into it unknowingly.
 */
export function isFramedByForeignPage(page: Window): boolean {
  let frame = page
  while (frame.parent !== frame) {
    frame = frame.parent
    try {
      if (frame.location.origin !== page.location.origin) return true
    } catch {
      // A foreign page does not even say where it is from.
      return true
    }
  }
  return false
}

/** Call `wake` when the page is on line or visible again. @returns takes the listeners off */
export function onWake(wake: () => void): () => void {
  const handleVisible = (): void => {
    if (document.visibilityState === 'visible') wake()
  }
  window.addEventListener('online', wake)
  document.addEventListener('visibilitychange', handleVisible)
  return () => {
    window.removeEventListener('online', wake)
    document.removeEventListener('visibilitychange', handleVisible)
  }
}

/** Call `toggle` on Ctrl+`, wherever the keyboard is. @returns takes the listener off */
export function onToggleKey(toggle: () => void): () => void {
  const handleKey = (event: KeyboardEvent): void => {
    const isChord = event.code === 'Backquote' && event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey
    if (!isChord || event.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    if (!event.repeat) toggle()
  }
  // In the capture phase, because a focused terminal keeps what reaches it.
  window.addEventListener('keydown', handleKey, true)
  return () => {
    window.removeEventListener('keydown', handleKey, true)
  }
}

/** An address of the web server as a socket address. */
export function socketUrl(path: string): URL {
  const url = new URL(path, location.origin)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url
}
