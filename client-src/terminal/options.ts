/** How settings become options of xterm.js. */
import type { ITerminalOptions } from '@xterm/xterm'
import type { ClientSettings } from '../../protocol-src/settings.ts'

export type ViewSettings = Omit<ClientSettings, 'maxSessions'>

/** After the font that is set: what the systems bring, and CJK fonts of a regular width. */
const FONT_STACK =
  'ui-monospace, "SFMono-Regular", Menlo, Consolas, "Cascadia Mono", "DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono CJK SC", "Source Han Mono SC", "PingFang SC", "Microsoft YaHei", monospace'

export function optionsFrom(settings: ViewSettings): ITerminalOptions {
  const { fontFamily, fontSize, cursorStyle, cursorBlink, screenReaderMode, scrollback } = settings
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  return {
    fontFamily: fontFamily === '' ? FONT_STACK : `${fontFamily}, ${FONT_STACK}`,
    fontSize,
    lineHeight: 1.2,
    cursorStyle,
    cursorBlink: cursorBlink && !isStill,
    screenReaderMode,
    scrollback,
  }
}
