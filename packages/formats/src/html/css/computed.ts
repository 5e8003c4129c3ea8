/**
 * The style of an element as far as it decides what people can read: from its declarations, its attributes and the
 * element around it.
 */
import { TokenType } from '@csstools/css-tokenizer'
import { BLOCKS } from '../html-text.ts'
import { CssFindings } from './budget.ts'
import { HERE, type Place, placeOf } from './geometry.ts'
import { knowledgeOf } from './known-properties.ts'
import { lengthOf, numberOf, UNKNOWN } from './lengths.ts'
import { isWide, type Style, setLonghands } from './longhands.ts'
import { isColor, PAPER, type Paint, paintOf, type Reading, readingOf } from './paint.ts'
import type { Element } from './selector-tests.ts'
import type { Declaration } from './sheet.ts'
import { functionOf, identOf, inside, type Tokens, words, written } from './tokens.ts'

export interface Box {
  /** Why nothing inside is visible. */
  readonly hidden: string | undefined
  readonly doubts: readonly string[]
  readonly isVisible: boolean
  /** In pixels. */
  readonly fontSize: number
  readonly opacity: number
  readonly place: Place
  /** Whether it has a background and lies where other elements can be. */
  readonly covers: boolean
  readonly paint: Paint
  /** The paint of the element around. */
  readonly around: Paint
  /** Inherited properties that only matter where text is. */
  readonly text: Style
}

export const PAGE: Box = {
  hidden: undefined,
  doubts: [],
  isVisible: true,
  fontSize: 16,
  opacity: 1,
  place: HERE,
  covers: false,
  paint: PAPER,
  around: PAPER,
  text: new Map(),
}

const CELLS = new Set(['td', 'th'])
const INHERITED = [
  'text-indent',
  'letter-spacing',
  'word-spacing',
  'line-height',
  'text-security',
  'writing-mode',
] as const
const DISPLAYS =
  /^(?:none|inline|block|flow|flow-root|inline-block|flex|inline-flex|grid|inline-grid|table|inline-table|table-.+|list-item|run-in|contents|ruby|ruby-.+|math|-webkit-box|-webkit-inline-box|-webkit-flex|-webkit-inline-flex|-ms-flexbox|-ms-inline-flexbox|-ms-grid|-moz-box|box|flexbox|subgrid|grid-lanes)$/
const WORDS: Readonly<Record<string, RegExp>> = {
  display: DISPLAYS,
  visibility: /^(?:visible|hidden|collapse)$/,
  position: /^(?:static|relative|absolute|fixed|sticky|-webkit-sticky)$/,
  'overflow-x': /^(?:visible|hidden|clip|scroll|auto|overlay)$/,
  'overflow-y': /^(?:visible|hidden|clip|scroll|auto|overlay)$/,
  'content-visibility': /^(?:visible|auto|hidden)$/,
}
const LENGTHS =
  /^(?:(?:max-|min-)?(?:width|height)|(?:margin|padding)-(?:left|top)|left|right|top|bottom|letter-spacing|word-spacing|text-indent)$/

const isVariable = (value: Tokens): boolean =>
  value.some((token) => /^(?:var|env|attr|if)$/.test(functionOf(token) ?? ''))

/** Whether browsers accept a value. They ignore declarations with others. */
function isValid(name: string, value: Tokens): boolean {
  if (isWide(value) || isVariable(value)) return true
  const allowed = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined
  if (allowed) return words(value).every(([token]) => allowed.test(identOf(token) ?? ''))
  if (name === 'color' || name === 'background-color' || name === 'text-fill-color') return isColor(value)
  if (name === 'font-size') return sizeOf(value, 16) !== undefined
  if (name === 'opacity') return numberOf(value) !== undefined
  if (LENGTHS.test(name))
    return identOf(value[0]) !== undefined || lengthOf(value, { em: 16, whole: 100 }) !== undefined
  return true
}

const NAMED_SIZES: Readonly<Record<string, number>> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
  'xxx-large': 48,
}

function sizeOf(value: Tokens, outer: number): number | undefined {
  const name = identOf(value[0])
  if (name === 'smaller') return outer / 1.2
  if (name === 'larger') return outer * 1.2
  if (name === 'math') return outer
  if (name !== undefined) return Object.hasOwn(NAMED_SIZES, name) ? NAMED_SIZES[name] : undefined
  const size = lengthOf(value, { em: outer, whole: outer })
  return size !== undefined && size < 0 ? undefined : size
}

/** The sizes of `<font size>`. */
const FONT_SIZES = [10, 13, 16, 18, 24, 32, 48]
const SMALLER = new Set(['small', 'sub', 'sup', 'rt'])

function fontSizeOf({ name, attributes }: Element, style: Style, outer: number): number {
  const value = style.get('font-size')
  if (value !== undefined && isVariable(value)) return UNKNOWN
  if (value !== undefined && isWide(value)) return identOf(value[0]) === 'initial' ? 16 : outer
  const own = value === undefined ? undefined : sizeOf(value, outer)
  if (own !== undefined) return own
  if (name === 'font' && attributes.size !== undefined) {
    const [, sign, digits] = /^\s*([+-]?)(\d{1,3})/.exec(attributes.size) ?? []
    const steps = Number(digits ?? 3)
    const index = sign === '-' ? 3 - steps : sign === '+' ? 3 + steps : steps
    return FONT_SIZES[Math.min(Math.max(index, 1), 7) - 1] ?? outer
  }
  return SMALLER.has(name) ? outer / 1.2 : outer
}

export function styleOf(declarations: readonly Declaration[]): { style: Style; hasUnknown: boolean } {
  const style: Style = new Map()
  let hasUnknown = false
  for (const declaration of declarations) {
    const knowledge = knowledgeOf(declaration.name)
    if (knowledge === 'examined' || SHORTHANDS.test(declaration.name)) set(style, declaration)
    else if (knowledge === 'unknown') hasUnknown = true
  }
  return { style, hasUnknown }
}

const SHORTHANDS =
  /^(?:-[a-z]+-)?(?:margin|padding|inset|overflow|background|font|animation|mask|flex-flow|mask-box-image|mask-border)$|^(?:margin|padding|inset|overflow)-(?:inline|block)|^(?:max-)?(?:inline|block)-size$/

/** Values that browsers ignore leave the earlier ones. */
function set(style: Style, declaration: Declaration): void {
  const own: Style = new Map()
  setLonghands(own, declaration)
  for (const [name, value] of own) if (isValid(name, value)) style.set(name, value)
}

export function boxOf(element: Element, declarations: readonly Declaration[], outer: Box): Box {
  const { style, hasUnknown } = styleOf(declarations)
  const found = new CssFindings()
  if (hasUnknown) found.doubts('an unknown style')
  if ([...style.values()].some(isVariable)) found.doubts('a value that a variable has')
  const fontSize = fontSizeOf(element, style, outer.fontSize)
  examineDisplay(element, style, found)
  examineEffects(style, found)
  examineDirection(element, style, found)
  const place = placeOf({ name: element.name, style, fontSize }, outer.place, found)
  const opacity = outer.opacity * opacityOf(style, found)
  const paint = paintOf({ name: element.name, attributes: element.attributes, style }, outer.paint)
  return {
    hidden: outer.hidden ?? found.hidden,
    doubts: found.doubtful.length > 0 ? [...outer.doubts, ...found.doubtful].slice(0, 10) : outer.doubts,
    isVisible: visibilityOf(style) ?? outer.isVisible,
    fontSize,
    opacity,
    place,
    paint,
    around: outer.paint,
    covers: found.hidden === undefined && isLifted(style) && hasBackground(element, style),
    text: textStyle(element.name, style, { fontSize, outer }),
  }
}

const isLifted = (style: Style): boolean =>
  /^(?:absolute|fixed)$/.test(identOf(style.get('position')?.[0]) ?? '') ||
  (lengthOf(style.get('margin-top') ?? [], { em: 16, whole: 640 }) ?? 0) <= -16

const hasBackground = ({ name, attributes }: Element, style: Style): boolean =>
  name === 'img' ||
  attributes.bgcolor !== undefined ||
  !isNone(style.get('background-color'), /^transparent$/) ||
  !isNone(style.get('background-image'))

function visibilityOf(style: Style): boolean | undefined {
  const value = identOf(style.get('visibility')?.[0])
  return value === undefined || value === 'inherit' || value === 'unset'
    ? undefined
    : !/^(?:hidden|collapse)$/.test(value)
}

function textStyle(tag: string, style: Style, { fontSize, outer }: { fontSize: number; outer: Box }): Style {
  if (!INHERITED.some((name) => style.has(name))) return outer.text
  const text = new Map(outer.text)
  for (const name of INHERITED) {
    const value = style.get(name)
    if (value === undefined || identOf(value[0]) === 'inherit' || identOf(value[0]) === 'unset') continue
    // The line of an element in a line is at least as high as that of the block around.
    if (name === 'line-height' && !BLOCKS.has(tag) && !CELLS.has(tag) && !style.has('display')) continue
    if (isWide(value)) text.delete(name)
    else text.set(name, pixels(name, value, fontSize))
  }
  return text
}

/** Lengths are inherited as they were computed. The line height is inherited as a number, if it is one. */
function pixels(name: string, value: Tokens, em: number): Tokens {
  const isFactor = name === 'line-height' && value[0]?.[0] === TokenType.Number
  const length = isFactor ? undefined : lengthOf(value, { em, whole: name === 'line-height' ? em : 640 })
  if (length === undefined) return value
  return [[TokenType.Dimension, '', 0, 0, { value: length, type: 'number' as never, unit: 'px' }]]
}

function examineDisplay({ name, attributes }: Element, style: Style, found: CssFindings): void {
  const display = identOf(style.get('display')?.[0])
  const hasDisplay = display !== undefined && !isWide(style.get('display') ?? [])
  if (display === 'none') found.hides('text that is not displayed')
  if (attributes.hidden !== undefined && !hasDisplay) found.hides('text that is not displayed')
  if (attributes.popover !== undefined || (name === 'dialog' && attributes.open === undefined && !hasDisplay)) {
    found.hides('text in a closed window')
  }
  if (identOf(style.get('content-visibility')?.[0]) === 'hidden') found.hides('text that is not displayed')
  if (identOf(style.get('mso-hide')?.[0]) === 'all') found.hides('text that Outlook does not display')
  const content = style.get('content')
  if (content !== undefined && !/^(?:none|normal)$/.test(identOf(content[0]) ?? '') && !isWide(content)) {
    found.doubts('text that a style replaces')
  }
}

const isNone = (value: Tokens | undefined, none = /^(?:none|normal|auto|0)$/): boolean =>
  value === undefined || isWide(value) || none.test(written(value).toLowerCase())

function examineEffects(style: Style, found: CssFindings): void {
  if (!isNone(style.get('mix-blend-mode'))) found.doubts('text that is blended with its background')
  if (!isNone(style.get('animation-name'))) found.doubts('text that is animated')
  if (!isNone(style.get('line-clamp'))) found.doubts('text that is cut')
  if (!isNone(style.get('order')) || identOf(style.get('flex-direction')?.[0])?.endsWith('-reverse')) {
    found.doubts('text in another order')
  }
  const adjust = numberOf(style.get('font-size-adjust') ?? [])
  if (adjust !== undefined && adjust < 0.3) found.doubts('text of unknown size')
  const stroke = style.get('text-stroke-width') ?? style.get('text-stroke')
  if (!isNone(stroke, /^(?:none|0[a-z]*)(?:\s|$)/)) found.doubts('letters under a line')
  const shadow = style.get('box-shadow') ?? []
  const isInside = shadow.some((token) => identOf(token) === 'inset')
  if (isInside && shadow.some((token) => token[0] === TokenType.Dimension && Math.abs(token[4].value) > 20)) {
    found.doubts('text over a shadow')
  }
}

/** The opacity of an element, also by a filter. */
function opacityOf(style: Style, found: CssFindings): number {
  const own = numberOf(style.get('opacity') ?? [])
  let opacity = own === undefined || Number.isNaN(own) ? 1 : Math.min(Math.max(own, 0), 1)
  if (Number.isNaN(own)) found.doubts('text of unknown opacity')
  for (const call of words(style.get('filter') ?? [])) {
    const name = functionOf(call[0])
    const [first = []] = words(inside(call, 0).content)
    if (name === 'opacity') opacity *= Math.min(numberOf(first) ?? 1, 1)
    else if (name === 'blur') {
      const radius = lengthOf(first, { em: 16, whole: undefined }) ?? 0
      if (radius >= 8) found.hides('text that is blurred')
      else if (radius > 0.5 || Number.isNaN(radius)) found.doubts('text that is blurred')
    } else if (name !== undefined && !/^(?:drop-shadow|grayscale|sepia|saturate|hue-rotate)$/.test(name)) {
      const isWhole = name !== 'alpha' && name !== 'invert' && numberOf(first) === 1
      if (!isWhole) found.doubts('text under a filter')
    }
  }
  return opacity
}

function examineDirection({ name, attributes }: Element, style: Style, found: CssFindings): void {
  const override = identOf(style.get('unicode-bidi')?.[0])
  const overrides = override === undefined ? name === 'bdo' : override.endsWith('-override')
  const direction = identOf(style.get('direction')?.[0]) ?? attributes.dir?.trim().toLowerCase()
  if (overrides && direction !== 'ltr') found.doubts('text that reads in the other direction')
}

/** How people read text directly inside of a box, and what is the matter with it. */
export function judge({ hidden, isVisible, fontSize, opacity, place, paint, around, text, doubts }: Box): {
  reading: Reading
  reasons: readonly string[]
} {
  const hide = (reason: string) => ({ reading: 'hidden' as const, reasons: [reason] })
  if (hidden !== undefined) return hide(hidden)
  if (!isVisible) return hide('text that is not displayed')
  if (opacity < 0.1) return hide('transparent text')
  const size = fontSize * place.scale
  if (size < 4) return hide('text that is too small to read')
  const found = new CssFindings()
  const reading = readingOf(paint, around, opacity)
  if (reading === 'hidden') return hide('text in the color of its background')
  if (reading === 'doubtful') found.doubts('text whose color may be that of its background')
  if (size < 7 || Number.isNaN(size)) found.doubts('text that is very small')
  if (opacity < 0.3) found.doubts('nearly transparent text')
  examineText(text, fontSize, found)
  if (found.hidden !== undefined) return hide(found.hidden)
  const reasons = [...doubts, ...found.doubtful]
  return { reading: reasons.length > 0 ? 'doubtful' : 'shown', reasons }
}

function examineText(text: Style, fontSize: number, found: CssFindings): void {
  if (text.size === 0) return
  const length = (name: string): number => lengthOf(text.get(name) ?? [], { em: fontSize, whole: 640 }) ?? 0
  const indent = length('text-indent')
  if (indent <= -99 || indent >= 600) found.hides('text outside of the page')
  const spacing = length('letter-spacing')
  if (spacing <= -0.4 * fontSize) found.hides('letters on top of each other')
  else if (spacing <= -0.15 * fontSize || spacing > 100) found.doubts('letters on top of or far from each other')
  if (Math.abs(length('word-spacing')) >= Math.max(fontSize, 100))
    found.doubts('words on top of or far from each other')
  if (length('word-spacing') <= -0.8 * fontSize) found.doubts('words on top of each other')
  const security = identOf(text.get('text-security')?.[0])
  if (security !== undefined && security !== 'none') found.hides('text behind dots')
  const height = text.get('line-height')
  const [token] = height ?? []
  const line = token?.[0] === TokenType.Number ? token[4].value * fontSize : height ? length('line-height') : fontSize
  if (identOf(token) === undefined && line < 0.35 * fontSize) found.doubts('lines on top of each other')
  if (/^(?:sideways|vertical)/.test(identOf(text.get('writing-mode')?.[0]) ?? '')) found.doubts('text that is turned')
}
