import { describe, expect, it } from 'vitest'
import { contrast, parseColour, type Rgb } from '../../../../client-src/terminal/colour.ts'
import { ANSI, terminalTheme, type Scheme } from '../../../../client-src/terminal/theme.ts'

/** The app's own tokens. */
const TOKENS: Record<Scheme, Record<string, string>> = {
  light: { '--dsw-alias-bg-base': '#fff', '--dsw-alias-label-primary': '#0f1115' },
  dark: { '--dsw-alias-bg-base': '#151517', '--dsw-alias-label-primary': '#f9fafb' },
}
const themeOf = (scheme: Scheme) => terminalTheme((name) => TOKENS[scheme][name] ?? '', scheme)
const rgb = (text: string | undefined): Rgb => {
  const colour = parseColour(text ?? '')
  if (colour === undefined) throw new Error(`no colour: ${String(text)}`)
  return colour
}
/** The colour that plays the ground of the scheme. */
const GROUND = { light: 'brightWhite', dark: 'black' } as const

describe.each(['light', 'dark'] as const)('the %s palette', (scheme) => {
  const theme = themeOf(scheme)
  const background = rgb(theme.background)
  const names = Object.keys(ANSI[scheme]) as (keyof (typeof ANSI)['light'])[]
  const readable = names.filter((name) => name !== GROUND[scheme] && name !== 'brightBlack')

  it.each(readable)('is readable: %s', (name) => {
    expect(readable).toHaveLength(14)
    expect(contrast(rgb(theme[name]), background)).toBeGreaterThanOrEqual(4.5)
  })

  it('keeps comments visible: brightBlack', () => {
    expect(contrast(rgb(theme.brightBlack), background)).toBeGreaterThanOrEqual(3)
  })

  it('has sixteen different colours', () => {
    expect(new Set(Object.values(ANSI[scheme])).size).toBe(16)
    for (const one of names) {
      for (const other of names) {
        if (one >= other) continue
        const [a, b] = [rgb(theme[one]), rgb(theme[other])]
        const distance = Math.hypot(a.red - b.red, a.green - b.green, a.blue - b.blue)
        expect(distance, `${one} and ${other}`).toBeGreaterThan(14)
      }
    }
  })

  it('shows a selection, with and without the keyboard, and text stays readable in it', () => {
    for (const selection of [theme.selectionBackground, theme.selectionInactiveBackground]) {
      expect(contrast(rgb(selection), background)).toBeGreaterThan(1.2)
      expect(contrast(rgb(theme.foreground), rgb(selection))).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('shows the text and the cursor', () => {
    expect(contrast(rgb(theme.foreground), background)).toBeGreaterThan(12)
    expect(theme.cursor).toBe(theme.foreground)
    expect(theme.cursorAccent).toBe(theme.background)
  })
})

describe('terminalTheme', () => {
  it('follows the ground that is there, not the name of the scheme', () => {
    expect(terminalTheme((name) => TOKENS.dark[name] ?? '', 'light')['red']).toBe(ANSI.dark.red)
    expect(terminalTheme(() => 'rgb(250, 250, 250)', 'dark')['red']).toBe(ANSI.light.red)
  })

  it('has a whole set where the app has no tokens', () => {
    for (const scheme of ['light', 'dark'] as const) {
      const theme = terminalTheme(() => '', scheme)
      expect(contrast(rgb(theme.foreground), rgb(theme.background))).toBeGreaterThan(12)
      expect(theme.green).toBe(ANSI[scheme].green)
    }
  })
})

describe('parseColour', () => {
  it.each([
    ['#fff', { red: 255, green: 255, blue: 255 }],
    ['#1a2B3c', { red: 26, green: 43, blue: 60 }],
    ['rgb(1, 2, 3)', { red: 1, green: 2, blue: 3 }],
    ['rgba(1 2 3 / 50%)', { red: 1, green: 2, blue: 3 }],
    ['', undefined],
    ['#12', undefined],
    ['tomato', undefined],
  ])('%s', (text, colour) => {
    expect(parseColour(text)).toEqual(colour)
  })

  it('knows the contrast of black and white', () => {
    expect(contrast(rgb('#000'), rgb('#fff'))).toBeCloseTo(21)
  })
})
