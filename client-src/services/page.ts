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

/** By then the app's first frame is there, or is late for other reasons. */
const AFTER_FIRST_FRAME_MS = 1_000
/** In a page that is never idle it is done all the same. */
const IDLE_LIMIT_MS = 5_000

/** Call `run` when the page is up and has nothing better to do. @returns does not, if that is still to come */
export function whenIdle(run: () => void): () => void {
  let handle = 0
  const timer = setTimeout(() => {
    // Safari has none.
    if (typeof requestIdleCallback === 'undefined') run()
    else handle = requestIdleCallback(run, { timeout: IDLE_LIMIT_MS })
  }, AFTER_FIRST_FRAME_MS)
  return () => {
    clearTimeout(timer)
    if (handle !== 0) cancelIdleCallback(handle)
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

/** Open an address in a page that knows nothing of this one. */
export function openLink(href: string): void {
  window.open(href, '_blank', 'noopener,noreferrer')
}

/** An address of the web server as a socket address. */
export function socketUrl(path: string): URL {
  const url = new URL(path, location.origin)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url
}
