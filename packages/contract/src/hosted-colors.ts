/**
 * Colors of the hosted sign-in pages: makes the chosen colors readable, and measures their contrast (WCAG 2.2, 1.4.3
 * and 1.4.11). Pure functions, so that the pages and the preview compute the same result.
 */

export type Rgb = readonly [red: number, green: number, blue: number]
export type Scheme = 'light' | 'dark'
export const schemes: readonly Scheme[] = ['light', 'dark']

/** Parses `#rgb` or `#rrggbb`; an opacity is ignored. */
export function parseColor(text: string | null | undefined): Rgb | undefined {
  const digits = /^#([0-9a-f]{3,8})$/i.exec(text ?? '')?.[1]
  if (digits === undefined || digits.length === 5 || digits.length === 7) return undefined
  const wide = digits.length <= 4 ? digits.replace(/./g, '$&$&') : digits
  const at = (index: number): number => Number.parseInt(wide.slice(index, index + 2), 16)
  return [at(0), at(2), at(4)]
}

export const hexOf = (color: Rgb): string => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]

/** Black or white, whichever is more readable on a color: one of them always has a contrast above 4.5. */
export const textOn = (color: Rgb): Rgb => (contrast(color, white) >= contrast(color, black) ? white : black)

const least = (color: Rgb, grounds: readonly Rgb[]): number =>
  Math.min(...grounds.map((ground) => contrast(color, ground)))

/** Mixes a color with black or white; `share` is between 0 and 1. */
const mixed = (color: Rgb, into: Rgb, share: number): Rgb => {
  const part = (index: 0 | 1 | 2): number => Math.round(color[index] + (into[index] - color[index]) * share)
  return [part(0), part(1), part(2)]
}

/** The nearest darker or lighter color with sufficient contrast on all given backgrounds. */
export function nearestReadable(color: Rgb, grounds: readonly Rgb[], ratio: number): Rgb {
  for (let step = 0; step <= 200; step++) {
    const found = [black, white]
      .map((into) => mixed(color, into, step / 200))
      .find((each) => least(each, grounds) >= ratio)
    if (found) return found
  }
  return least(black, grounds) >= least(white, grounds) ? black : white
}

const rgb = (text: string): Rgb => parseColor(text) ?? black

/** Default colors of the pages. `soft` is the background of hints inside the form. */
export const usual = {
  light: { ground: '#eef1f5', form: '#ffffff', soft: '#f3f5f8', fill: '#0b5cc0', link: '#0b5cc0' },
  dark: { ground: '#0d1319', form: '#161f28', soft: '#1f2a35', fill: '#7db8ff', link: '#8cc0ff' },
} as const satisfies Record<Scheme, Record<string, string>>

export interface ChosenColors {
  color_primary?: string | null | undefined
  color_secondary?: string | null | undefined
  background_color?: string | null | undefined
}

export interface PageColors {
  fill: Rgb
  onFill: Rgb
  link: Rgb
  accent: Rgb
  ground: Rgb
}

/** Minimum contrast of text and of other elements. */
const needs = { text: 4.5, shape: 3 }

/** Backgrounds of links. */
const linkGrounds = (scheme: Scheme): Rgb[] => [rgb(usual[scheme].form), rgb(usual[scheme].soft)]

/** The colors of an application's pages: links use the readable color nearest to the chosen one. */
export function colorsOf(chosen: ChosenColors, scheme: Scheme): PageColors {
  const primary = parseColor(chosen.color_primary)
  const fill = primary ?? rgb(usual[scheme].fill)
  return {
    fill,
    onFill: textOn(fill),
    link: primary ? nearestReadable(primary, linkGrounds(scheme), needs.text) : rgb(usual[scheme].link),
    accent: parseColor(chosen.color_secondary) ?? fill,
    ground: parseColor(chosen.background_color) ?? rgb(usual[scheme].ground),
  }
}

export interface ContrastFinding {
  what: 'button_text' | 'links' | 'button' | 'background'
  scheme: Scheme
  /** Contrast of the chosen color. */
  ratio: number
  /** Required contrast; undefined if nothing has to be readable and the figure is only informative. */
  needs: number | undefined
  passes: boolean
  /** The nearest color that passes. */
  nearest?: string
}

/** Checks the contrast of the chosen colors. */
export function checkContrast(chosen: ChosenColors): ContrastFinding[] {
  return schemes.flatMap((scheme) => {
    const { fill, onFill, ground } = colorsOf(chosen, scheme)
    const form = rgb(usual[scheme].form)
    const link = parseColor(chosen.color_primary) ?? rgb(usual[scheme].link)
    const find = (what: ContrastFinding['what'], color: Rgb, grounds: Rgb[], needed?: number): ContrastFinding => {
      const ratio = least(color, grounds)
      const passes = needed === undefined || ratio >= needed
      const nearest = passes || needed === undefined ? {} : { nearest: hexOf(nearestReadable(color, grounds, needed)) }
      return { what, scheme, ratio, needs: needed, passes, ...nearest }
    }
    return [
      find('button_text', onFill, [fill], needs.text),
      find('links', link, linkGrounds(scheme), needs.text),
      find('button', fill, [form], needs.shape),
      find('background', form, [ground]),
    ]
  })
}
