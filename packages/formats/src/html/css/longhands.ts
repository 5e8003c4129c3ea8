/** Declarations as the longhand properties that are examined. */
import { TokenType } from '@csstools/css-tokenizer'
import { colorOf } from './colors.ts'
import { plainName } from './known-properties.ts'
import type { Declaration } from './sheet.ts'
import { type CSSToken, delimOf, functionOf, identOf, isComma, split, type Tokens, words } from './tokens.ts'

/** Longhand properties and their values. */
export type Style = Map<string, Tokens>

const word = (text: string): Tokens => [[TokenType.Ident, text, 0, 0, { value: text }]]
const SIDES = ['top', 'right', 'bottom', 'left'] as const

/** Properties that depend on the direction of the text, for text from left to right. */
const LOGICAL: Readonly<Record<string, string>> = {
  'inline-size': 'width',
  'block-size': 'height',
  'max-inline-size': 'max-width',
  'max-block-size': 'max-height',
  'inset-inline-start': 'left',
  'inset-inline-end': 'right',
  'inset-block-start': 'top',
  'inset-block-end': 'bottom',
  'margin-inline-start': 'margin-left',
  'margin-inline-end': 'margin-right',
  'margin-block-start': 'margin-top',
  'margin-block-end': 'margin-bottom',
  'padding-inline-start': 'padding-left',
  'padding-block-start': 'padding-top',
  'overflow-inline': 'overflow-x',
  'overflow-block': 'overflow-y',
  'word-spacing': 'word-spacing',
}
const PAIRS: Readonly<Record<string, readonly [string, string]>> = {
  'margin-inline': ['margin-left', 'margin-right'],
  'margin-block': ['margin-top', 'margin-bottom'],
  'padding-inline': ['padding-left', 'padding-right'],
  'padding-block': ['padding-top', 'padding-bottom'],
  'inset-inline': ['left', 'right'],
  'inset-block': ['top', 'bottom'],
  overflow: ['overflow-x', 'overflow-y'],
}

function fourSides(style: Style, value: Tokens, nameOf: (side: string) => string): void {
  const parts = words(value)
  if (parts.length === 0 || parts.length > 4) return
  const [top = [], right = top, bottom = top, left = right] = parts
  for (const [index, part] of [top, right, bottom, left].entries()) style.set(nameOf(SIDES[index] ?? ''), part)
}

/** Writes one declaration over those before it. */
export function setLonghands(style: Style, { name: given, value }: Declaration): void {
  const plain = given.startsWith('--') ? given : plainName(given)
  const name = Object.hasOwn(LOGICAL, plain) ? (LOGICAL[plain] ?? plain) : plain
  const pair = Object.hasOwn(PAIRS, name) ? PAIRS[name] : undefined
  if (pair) {
    const [first = [], second = first] = words(value)
    style.set(pair[0], first)
    style.set(pair[1], second)
  } else if (name === 'margin' || name === 'padding') fourSides(style, value, (side) => `${name}-${side}`)
  else if (name === 'inset') fourSides(style, value, (side) => side)
  else if (name === 'background') setBackground(style, value)
  else if (name === 'font') setFont(style, value)
  else if (name === 'animation') style.set('animation-name', identOf(value[0]) === 'none' ? word('none') : value)
  else if (name === 'mask' || name === 'mask-box-image' || name === 'mask-border') style.set('mask-image', value)
  else if (name === 'flex-flow') {
    for (const part of words(value)) if (identOf(part[0])?.includes('-reverse')) style.set('flex-direction', part)
  } else style.set(name, value)
}

const WIDE = new Set(['inherit', 'initial', 'unset', 'revert', 'revert-layer'])
/** Whether a value is one of the words that every property understands. */
export const isWide = (value: Tokens): boolean => value.length === 1 && WIDE.has(identOf(value[0]) ?? '')

function setBackground(style: Style, value: Tokens): void {
  const layers = split(value, isComma)
  let color: Tokens = word('transparent')
  const images: CSSToken[] = []
  let clip: Tokens = word('border-box')
  for (const part of layers.flatMap((layer) => words(layer))) {
    const [token] = part
    const name = identOf(token)
    if (
      token?.[0] === TokenType.URL ||
      /gradient$|^(?:url|image|image-set|-webkit-image-set|element|cross-fade|paint)$/i.test(functionOf(token) ?? '')
    ) {
      images.push(...part)
    } else if (name === 'text') clip = part
    else if (
      name === 'currentcolor' ||
      functionOf(token) === 'var' ||
      colorOf(part) ||
      isColorFunction(functionOf(token))
    ) {
      // Numbers are positions here, also those that look like colors.
      if (token?.[0] !== TokenType.Number && token?.[0] !== TokenType.Dimension) color = part
      else if (layers.length === 1 && words(value).length === 1) color = part
    }
  }
  style.set('background-color', isWide(value) ? value : color)
  style.set('background-image', images.length > 0 ? images : word('none'))
  style.set('background-clip', clip)
}

export const isColorFunction = (name: string | undefined): boolean =>
  name !== undefined &&
  /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|device-cmyk|contrast-color)$/.test(name)

const SIZE = /^(?:xx-small|x-small|small|medium|large|x-large|xx-large|xxx-large|smaller|larger)$/

function setFont(style: Style, value: Tokens): void {
  if (isWide(value)) {
    style.set('font-size', value)
    return
  }
  const at = value.findIndex((token, index) => isSize(token, value[index + 1]))
  const token = value[at]
  if (!token) return
  if (token[0] === TokenType.Function) style.set('font-size', words(value.slice(at))[0] ?? [])
  else style.set('font-size', [token])
  const slash = value.findIndex((each) => delimOf(each) === '/')
  if (slash === -1) {
    style.set('line-height', word('normal'))
    return
  }
  const [height = []] = words(value.slice(slash + 1))
  style.set('line-height', height)
}

function isSize(token: CSSToken, next: CSSToken | undefined): boolean {
  const [type] = token
  if (type === TokenType.Dimension) return !/^(?:deg|grad|rad|turn)$/i.test(token[4].unit)
  if (type === TokenType.Percentage) return true
  if (type === TokenType.Number) return token[4].value === 0 || delimOf(next) === '/'
  if (type === TokenType.Function) return functionOf(token) !== 'oblique'
  return SIZE.test(identOf(token) ?? '')
}
