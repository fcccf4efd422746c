/** Arithmetic on the colours that style sheets and terminals speak of. */

export interface Rgb {
  readonly red: number
  readonly green: number
  readonly blue: number
}

const HEX = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i
const RGB = /^rgba?\(\s*(\d+(?:\.\d+)?)\s*[, ]\s*(\d+(?:\.\d+)?)\s*[, ]\s*(\d+(?:\.\d+)?)/i

/** @returns undefined for notations other than #rgb, #rrggbb, rgb() and rgba() */
export function parseColour(text: string): Rgb | undefined {
  const hex = HEX.exec(text.trim())?.[1]
  if (hex !== undefined) {
    const full = hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex
    const value = Number.parseInt(full, 16)
    return { red: value >> 16, green: (value >> 8) & 0xff, blue: value & 0xff }
  }
  const [, red, green, blue] = RGB.exec(text.trim()) ?? []
  if (red === undefined || green === undefined || blue === undefined) return undefined
  return { red: Number(red), green: Number(green), blue: Number(blue) }
}

/** Relative luminance as WCAG 2 defines it, 0 to 1. */
export function luminance({ red, green, blue }: Rgb): number {
  const linear = (channel: number): number => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** Contrast as WCAG 2 defines it, 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}
