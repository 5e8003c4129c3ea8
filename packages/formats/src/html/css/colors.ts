/** Colors of CSS (https://www.w3.org/TR/css-color-4/) and of old HTML, and whether a reader can tell two apart. */
import { TokenType } from '@csstools/css-tokenizer'
import { Budget } from './budget.ts'
import { NAMED_COLORS } from './named-colors.ts'
import { functionOf, identOf, inside, type Tokens, tokensOf } from './tokens.ts'

/** Red, green and blue up to 255, and alpha up to 1. */
export type Color = readonly [number, number, number, number]

export const BLACK: Color = [0, 0, 0, 1]
export const WHITE: Color = [255, 255, 255, 1]
export const CLEAR: Color = [0, 0, 0, 0]

/** Colors of the system, as ordinary screens have them. */
const SYSTEM: Readonly<Record<string, Color>> = {
  windowtext: BLACK,
  canvastext: BLACK,
  buttontext: BLACK,
  fieldtext: BLACK,
  infotext: BLACK,
  menutext: BLACK,
  captiontext: BLACK,
  window: WHITE,
  canvas: WHITE,
  field: WHITE,
  buttonface: [240, 240, 240, 1],
  linktext: [0, 0, 238, 1],
  graytext: [109, 109, 109, 1],
  '-webkit-link': [0, 0, 238, 1],
}

export function namedColor(name: string): Color | undefined {
  if (name === 'transparent') return CLEAR
  if (Object.hasOwn(SYSTEM, name)) return SYSTEM[name]
  const value = Object.hasOwn(NAMED_COLORS, name) ? NAMED_COLORS[name] : undefined
  return value === undefined ? undefined : [(value >> 16) & 255, (value >> 8) & 255, value & 255, 1]
}

function hexColor(digits: string): Color | undefined {
  if (!/^[0-9a-f]+$/i.test(digits)) return undefined
  const wide = digits.length < 5 ? Array.from(digits, (digit) => digit + digit).join('') : digits
  if (wide.length !== 6 && wide.length !== 8) return undefined
  const part = (at: number): number => Number.parseInt(wide.slice(at, at + 2), 16)
  return [part(0), part(2), part(4), wide.length === 8 ? part(6) / 255 : 1]
}

/** A color; undefined for what is none, or none that we read, such as `oklch()`. */
export function colorOf(value: Tokens): Color | undefined {
  const [token] = value
  const name = identOf(token)
  if (name !== undefined) return namedColor(name) ?? hexColor(name)
  if (token?.[0] === TokenType.Hash) return hexColor(token[4].value)
  // Old documents may omit the number sign.
  if ((token?.[0] === TokenType.Number || token?.[0] === TokenType.Dimension) && value.length === 1) {
    return token[1].length === 6 || token[1].length === 3 ? hexColor(token[1]) : undefined
  }
  const called = functionOf(token)
  return called === undefined ? undefined : functionColor(called, inside(value, 0).content)
}

function functionColor(name: string, content: Tokens): Color | undefined {
  const kind = /^(rgb|hsl|hwb)a?$/.exec(name)?.[1]
  if (kind === undefined) return undefined
  const parts: { value: number; percent: boolean }[] = []
  for (const token of content) {
    const [type] = token
    if (type === TokenType.Whitespace || type === TokenType.Comma || (type === TokenType.Delim && token[1] === '/'))
      continue
    if (type === TokenType.Number) parts.push({ value: token[4].value, percent: false })
    else if (type === TokenType.Percentage) parts.push({ value: token[4].value, percent: true })
    else if (type === TokenType.Dimension) parts.push({ value: degrees(token[4]), percent: false })
    else if (identOf(token) === 'none') parts.push({ value: 0, percent: false })
    else return undefined
  }
  const [first, second, third, fourth] = parts
  if (!first || !second || !third || parts.length > 4) return undefined
  const alpha = fourth ? clamp(fourth.percent ? fourth.value / 100 : fourth.value, 1) : 1
  if (kind === 'rgb') {
    const channel = ({ value, percent }: typeof first): number => clamp(percent ? value * 2.55 : value, 255)
    return [channel(first), channel(second), channel(third), alpha]
  }
  const [one, two] = [clamp(second.value / 100, 1), clamp(third.value / 100, 1)]
  return [...(kind === 'hsl' ? hsl(first.value, one, two) : hwb(first.value, one, two)), alpha]
}

const clamp = (value: number, max: number): number => Math.min(Math.max(value, 0), max)
const TURNS: Readonly<Record<string, number>> = { deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 }
const degrees = ({ value, unit }: { value: number; unit: string }): number => value * (TURNS[unit.toLowerCase()] ?? 1)

function hsl(hue: number, saturation: number, light: number): [number, number, number] {
  const channel = (n: number): number => {
    const k = (((n + hue / 30) % 12) + 12) % 12
    const amount = saturation * Math.min(light, 1 - light)
    return 255 * (light - amount * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return [channel(0), channel(8), channel(4)]
}

function hwb(hue: number, white: number, black: number): [number, number, number] {
  if (white + black >= 1) return gray(white / (white + black))
  const [red, green, blue] = hsl(hue, 1, 0.5)
  const mixed = (channel: number): number => channel * (1 - white - black) + 255 * white
  return [mixed(red), mixed(green), mixed(blue)]
}

const gray = (light: number): [number, number, number] => [255 * light, 255 * light, 255 * light]

/** A color attribute: browsers make a color of every text (https://html.spec.whatwg.org/#rules-for-parsing-a-legacy-colour-value). */
export function legacyColor(text: string): Color | undefined {
  const value = text.trim().slice(0, 200).toLowerCase()
  if (value === '' || value === 'transparent') return undefined
  const named = namedColor(value)
  if (named) return named
  if (/^#[0-9a-f]{3}$/.test(value)) return hexColor(value.slice(1))
  if (value.includes('(')) return colorOf(tokensOf(value, new Budget({ tokens: 30, steps: 0 })))
  let digits = Array.from(value.slice(0, 128).replace(/^#/, ''), (each) => (/[0-9a-f]/.test(each) ? each : '0')).join(
    '',
  )
  while (digits.length === 0 || digits.length % 3 !== 0) digits += '0'
  const length = digits.length / 3
  let parts = [digits.slice(0, length), digits.slice(length, 2 * length), digits.slice(2 * length)]
  parts = parts.map((part) => part.slice(-8))
  while ((parts[0]?.length ?? 0) > 2 && parts.every((part) => part.startsWith('0')))
    parts = parts.map((part) => part.slice(1))
  const [red = 0, green = 0, blue = 0] = parts.map((part) => Number.parseInt(part.slice(0, 2), 16))
  return [red, green, blue, 1]
}

/** A color on top of another. */
export function over([red, green, blue, alpha]: Color, below: Color): Color {
  const mix = (top: number, under: number): number => top * alpha + under * (1 - alpha)
  return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2]), 1]
}

function luminance([red, green, blue]: Color): number {
  const part = (value: number): number => {
    const share = value / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
}

export type Legibility = 'unreadable' | 'doubtful' | 'readable'

/** Whether people can read text of one color on the other: by contrast (WCAG 2.2) and by the distance of the channels. */
export function legibility(text: Color, background: Color): Legibility {
  const [one, other] = [luminance(text), luminance(background)]
  const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
  const distance = Math.max(...[0, 1, 2].map((at) => Math.abs((text[at] ?? 0) - (background[at] ?? 0))))
  if (distance <= 20 || (contrast < 1.15 && distance <= 48)) return 'unreadable'
  return contrast < 1.2 || (contrast < 1.5 && distance < 96) ? 'doubtful' : 'readable'
}
