/** The part of a terminal's colours and attributes that decides whether text can be seen at all. */

export interface Rendition {
  /** SGR 8. */
  readonly isHidden: boolean
  /** As a name that is equal for equal colours; empty for the default, which is not known here. */
  readonly foreground: string
  readonly background: string
}

export const INITIAL_RENDITION: Rendition = { isHidden: false, foreground: '', background: '' }

/** Text that is hidden, or in the colour of its background. */
export function isConcealed({ isHidden, foreground, background }: Rendition): boolean {
  return isHidden || (foreground !== '' && foreground === background)
}

/** @param text the parameters of an SGR sequence */
export function selectRendition(before: Rendition, text: string): Rendition {
  let { isHidden, foreground, background } = before
  const parameters = text.split(';')
  for (let at = 0; at < parameters.length; at++) {
    const parameter = parameters[at] as string
    const code = Number.parseInt(parameter, 10) || 0
    if (code === 0) ({ isHidden, foreground, background } = INITIAL_RENDITION)
    else if (code === 8) isHidden = true
    else if (code === 28) isHidden = false
    else if (code === 38 || code === 48) {
      const { color, used } = extendedColor(parameter, parameters.slice(at + 1, at + 5))
      at += used
      if (code === 38) foreground = color
      else background = color
    } else if (code === 39) foreground = ''
    else if (code === 49) background = ''
    else {
      foreground = namedColor(code, 30, 90) ?? foreground
      background = namedColor(code, 40, 100) ?? background
    }
  }
  return { isHidden, foreground, background }
}

function namedColor(code: number, dark: number, bright: number): string | undefined {
  if (code >= dark && code < dark + 8) return String(code - dark)
  return code >= bright && code < bright + 8 ? String(code - bright + 8) : undefined
}

/** `38:2::r:g:b` in one parameter, or `38;2;r;g;b` in several. */
function extendedColor(parameter: string, following: readonly string[]): { color: string; used: number } {
  const parts = parameter.split(':').slice(1)
  const [kind, ...values] = parts.length > 0 ? parts : following
  if (kind === '5') return { color: values[0] ?? '', used: parts.length > 0 ? 0 : 2 }
  if (kind !== '2') return { color: '', used: 0 }
  if (parts.length > 0) return { color: `rgb ${values.slice(-3).join(' ')}`, used: 0 }
  return { color: `rgb ${values.slice(0, 3).join(' ')}`, used: 4 }
}
