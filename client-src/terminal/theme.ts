/**
 * The terminal's colours: ground, text and cursor from the app's tokens, so that it is part of the page; the sixteen ANSI
 * colours our own, one calm set per scheme, because the app has no such set.
 */
import type { ITheme } from '@xterm/xterm'
import { luminance, parseColour } from './colour.ts'

export type Scheme = 'light' | 'dark'

type AnsiName =
  | 'black'
  | 'red'
  | 'green'
  | 'yellow'
  | 'blue'
  | 'magenta'
  | 'cyan'
  | 'white'
  | 'brightBlack'
  | 'brightRed'
  | 'brightGreen'
  | 'brightYellow'
  | 'brightBlue'
  | 'brightMagenta'
  | 'brightCyan'
  | 'brightWhite'

/**
 * Hues keep their place on both grounds; lightness is what changes. Every colour that programs write with has a contrast
 * of at least 4.5 with the ground, `brightBlack` (comments, suggestions) at least 3. The one that plays the ground
 * (`black` on dark, `brightWhite` on light) is free.
 */
export const ANSI: Readonly<Record<Scheme, Readonly<Record<AnsiName, string>>>> = {
  light: {
    black: '#24272e',
    red: '#c0302e',
    green: '#1b7839',
    yellow: '#8a6000',
    blue: '#2a60c6',
    magenta: '#963dab',
    cyan: '#0d7277',
    white: '#646a74',
    brightBlack: '#7d838d',
    brightRed: '#d23b37',
    brightGreen: '#258442',
    brightYellow: '#9b6a00',
    brightBlue: '#3971dc',
    brightMagenta: '#aa4fbe',
    brightCyan: '#148087',
    brightWhite: '#a3a8b0',
  },
  dark: {
    black: '#3b3e45',
    red: '#f0716f',
    green: '#63c587',
    yellow: '#dcb262',
    blue: '#74a7f7',
    magenta: '#cc92e6',
    cyan: '#5fc4c9',
    white: '#c9ccd2',
    brightBlack: '#7c818b',
    brightRed: '#ff938f',
    brightGreen: '#86dba4',
    brightYellow: '#eecb87',
    brightBlue: '#9dc2ff',
    brightMagenta: '#ddb1f2',
    brightCyan: '#88dade',
    brightWhite: '#f6f7f9',
  },
}

const SELECTION: Readonly<Record<Scheme, { focused: string; blurred: string }>> = {
  light: { focused: '#b9d3fb', blurred: '#dce3ec' },
  dark: { focused: '#2f4a75', blurred: '#33373f' },
}

const GROUND: Readonly<Record<Scheme, { background: string; foreground: string }>> = {
  light: { background: '#ffffff', foreground: '#0f1115' },
  dark: { background: '#151517', foreground: '#f9fafb' },
}

/** xterm.js lifts what a program chose below this; our own set is above it, so it stays as drawn. */
export const MINIMUM_CONTRAST = 3

/**
 * @param token value of one of the app's custom properties, empty when it has none
 * @param fallback scheme when the app's ground cannot be read
 */
export function terminalTheme(token: (name: string) => string, fallback: Scheme): ITheme {
  const ground = parseColour(token('--dsw-alias-bg-base'))
  const scheme = ground === undefined ? fallback : luminance(ground) > 0.4 ? 'light' : 'dark'
  const text = parseColour(token('--dsw-alias-label-primary'))
  const background = ground === undefined ? GROUND[scheme].background : token('--dsw-alias-bg-base')
  const foreground = text === undefined ? GROUND[scheme].foreground : token('--dsw-alias-label-primary')
  const slider = scheme === 'dark' ? '#ffffff' : '#000000'
  return {
    ...ANSI[scheme],
    background,
    foreground,
    cursor: foreground,
    cursorAccent: background,
    selectionBackground: SELECTION[scheme].focused,
    selectionInactiveBackground: SELECTION[scheme].blurred,
    scrollbarSliderBackground: `${slider}22`,
    scrollbarSliderHoverBackground: `${slider}3d`,
    scrollbarSliderActiveBackground: `${slider}52`,
  }
}

/** The app's tokens as they are now. They live on the body and change in the same turn as the theme event. */
export function bodyToken(name: string): string {
  return getComputedStyle(document.body).getPropertyValue(name).trim()
}
