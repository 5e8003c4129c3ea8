/** Colours of an application, made readable: contrast as WCAG 2.2 reckons it. */

type Rgb = readonly [red: number, green: number, blue: number]

/** The colour of `#rgb` or `#rrggbb`; what has an opacity too is taken without it. */
export function parseColour(text: string | null | undefined): Rgb | undefined {
  const digits = /^#([0-9a-f]{3,8})$/i.exec(text ?? '')?.[1]
  if (digits === undefined || digits.length === 5 || digits.length === 7) return undefined
  const wide = digits.length <= 4 ? digits.replace(/./g, '$&$&') : digits
  const at = (index: number): number => Number.parseInt(wide.slice(index, index + 2), 16)
  return [at(0), at(2), at(4)]
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

/** Black or white, whichever is read better on a colour: one of them always has a contrast above 4.5. */
export const textOn = (colour: Rgb): string =>
  contrast(colour, [255, 255, 255]) >= contrast(colour, [0, 0, 0]) ? '#ffffff' : '#000000'

export const cssOf = ([red, green, blue]: Rgb): string => `rgb(${red} ${green} ${blue})`
