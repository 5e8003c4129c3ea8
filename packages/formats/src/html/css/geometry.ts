/** Where the box of an element is and how large: outside of the page, without size, clipped, turned or shrunk. */
import { TokenType } from '@csstools/css-tokenizer'
import type { Findings } from './budget.ts'
import { lengthOf, numberOf, UNKNOWN } from './lengths.ts'
import { isWide, type Style } from './longhands.ts'
import { functionOf, identOf, inside, isComma, split, type Tokens, words } from './tokens.ts'

/** The part of a style that is about places and sizes. */
export interface Place {
  /** The distance from the place that the element would have, in pixels. */
  readonly x: number
  readonly y: number
  /** The factor by which the element is drawn smaller. */
  readonly scale: number
}

export const HERE: Place = { x: 0, y: 0, scale: 1 }

interface Sized {
  readonly name: string
  readonly style: Style
  readonly fontSize: number
}

/** The widths that percentages refer to: an ordinary mail is about this wide. */
const PAGE = { width: 640, height: 800 }
const OUTSIDE = 500
const AWAY = 100
const FAR = 2_500

const keyword = (style: Style, name: string): string | undefined => identOf(style.get(name)?.[0])

class Measures {
  readonly #style: Style
  readonly #fontSize: number

  constructor({ style, fontSize }: Sized) {
    this.#style = style
    this.#fontSize = fontSize
  }

  /** A length; undefined if there is none, or the layout decides. */
  length(name: string, whole: number): number | undefined {
    const value = this.#style.get(name)
    return value === undefined || isWide(value) ? undefined : lengthOf(value, { em: this.#fontSize, whole })
  }

  number(name: string, whole: number): number {
    const length = this.length(name, whole)
    return length === undefined || Number.isNaN(length) ? 0 : length
  }
}

export function placeOf(sized: Sized, before: Place, found: Findings): Place {
  const { style } = sized
  const measures = new Measures(sized)
  const moved = shiftOf(sized, measures, found)
  const turned = transformOf(sized, found)
  const place = {
    x: before.x + moved.x + turned.x,
    y: before.y + moved.y + turned.y,
    scale: before.scale * turned.scale,
  }
  if (place.x <= -OUTSIDE || place.y <= -OUTSIDE || place.x >= FAR) found.hides('text outside of the page')
  else if (place.x <= -AWAY || place.y <= -AWAY || place.y >= FAR || place.x >= FAR / 2) {
    found.doubts('text that is moved far from its place')
  }
  if (Number.isNaN(place.x + place.y)) found.doubts('text at a place that cannot be computed')
  examineSize(sized, measures, found)
  examineClips(style, found)
  return Number.isNaN(place.x + place.y) ? { ...place, x: before.x, y: before.y } : place
}

function shiftOf({ name, style }: Sized, measures: Measures, found: Findings): { x: number; y: number } {
  const position = keyword(style, 'position')
  let x = measures.number('margin-left', PAGE.width) + measures.number('padding-left', PAGE.width)
  let y = measures.number('margin-top', PAGE.width) + measures.number('padding-top', PAGE.width)
  if (position === 'absolute' || position === 'fixed' || position === 'relative' || position === 'sticky') {
    const [left, right] = [measures.length('left', 1_280), measures.length('right', 1_280)]
    const [top, bottom] = [measures.length('top', PAGE.height), measures.length('bottom', PAGE.height)]
    x += left ?? -(right ?? 0)
    y += top ?? -(bottom ?? 0)
    if (position === 'absolute' || position === 'fixed') found.doubts('text that may lie over or under other text')
  }
  const zIndex = numberOf(style.get('z-index') ?? [])
  if (zIndex !== undefined && zIndex < 0) found.doubts('text behind other parts')
  if (Math.abs(measures.number('vertical-align', 20)) > 100) found.doubts('text that is moved far from its line')
  // Margins on the left and right of a block in the middle are "auto", and a table has no inside.
  return name === 'table' ? { x: Math.min(x, 0), y } : { x, y }
}

const CLIPPING = new Set(['hidden', 'clip', 'scroll', 'auto', 'overlay'])
const CELLS = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr', 'td', 'th', 'img', 'html', 'body'])

function examineSize({ name, style, fontSize }: Sized, measures: Measures, found: Findings): void {
  const clips = CLIPPING.has(keyword(style, 'overflow-x') ?? '') || CLIPPING.has(keyword(style, 'overflow-y') ?? '')
  for (const side of ['width', 'height'] as const) {
    const largest = measures.length(`max-${side}`, PAGE[side])
    const own = measures.length(side, PAGE[side])
    const least = measures.length(`min-${side}`, PAGE[side]) ?? 0
    const size = Math.max(Math.min(own ?? Number.POSITIVE_INFINITY, largest ?? Number.POSITIVE_INFINITY), least)
    if (Number.isNaN(size)) {
      if (clips) found.doubts(`text in a box of unknown ${side}`)
      continue
    }
    const padding = side === 'width' ? 'padding-left' : 'padding-top'
    if (clips && size <= 3) {
      if (measures.number(padding, PAGE.width) > 3) found.doubts('text in a box without size')
      else found.hides('text in a box without size')
    } else if (clips && size < (side === 'width' ? Math.max(50, fontSize) : FAR))
      found.doubts('text in a box that may be too small for it')
    else if (!clips && size <= 1 && !CELLS.has(name)) found.doubts('text in a box without size')
  }
  const rows = [...(style.get('grid-template-rows') ?? []), ...(style.get('grid-template') ?? [])]
  if (clips && rows.some((token) => token[0] === TokenType.Dimension && token[4].value === 0)) {
    found.doubts('text in a row without height')
  }
}

function examineClips(style: Style, found: Findings): void {
  const mask = style.get('mask-image')
  if (mask !== undefined && identOf(mask[0]) !== 'none' && !isWide(mask)) found.doubts('text under a mask')
  const path = style.get('clip-path')
  if (path !== undefined && identOf(path[0]) !== 'none' && !isWide(path)) examinePath(path, found)
  const clip = style.get('clip')
  if (clip === undefined || identOf(clip[0]) === 'auto' || isWide(clip)) return
  const edges = sizesIn(clip)
  const [top = UNKNOWN, right = UNKNOWN, bottom = UNKNOWN, left = UNKNOWN] = edges
  const position = keyword(style, 'position')
  const isUsed = position === 'absolute' || position === 'fixed'
  if (isUsed && (bottom - top <= 3 || right - left <= 3)) found.hides('text that is clipped')
  else found.doubts('text that is clipped')
}

/** The numbers of a shape, of which 100% are 100. */
const sizesIn = (shape: Tokens): number[] =>
  split(inside(shape, 0).content, isComma)
    .flatMap((part) => words(part))
    .map((part) => lengthOf(part, { em: 16, whole: 100 }))
    .filter((size) => size !== undefined)

function examinePath(path: Tokens, found: Findings): void {
  const name = functionOf(path[0])
  const sizes = sizesIn(path)
  const [first = UNKNOWN, second = first] = sizes
  if (name === 'inset') {
    const [top = UNKNOWN, right = top, bottom = top, left = right] = sizes
    if (sizes.every((size) => size <= 0)) return
    if (top + bottom >= 95 || left + right >= 95) found.hides('text that is clipped')
    else found.doubts('text that is clipped')
  } else if ((name === 'circle' || name === 'ellipse') && (first <= 2 || second <= 0))
    found.hides('text that is clipped')
  else if (name === 'polygon' && areaOf(sizes) < 50) found.hides('text that is clipped')
  else found.doubts('text that is clipped')
}

/** The area of a polygon by its corners. */
function areaOf(sizes: readonly number[]): number {
  let area = 0
  for (let at = 0; at < sizes.length; at += 2) {
    const [x = 0, y = 0] = [sizes[at], sizes[at + 1]]
    const [nextX = 0, nextY = 0] = at + 2 < sizes.length ? [sizes[at + 2], sizes[at + 3]] : [sizes[0], sizes[1]]
    area += x * nextY - nextX * y
  }
  return Math.abs(area) / 2
}

/** The property of browsers, which is no provider. */
const ENLARGING = 'zoom'

interface Transform {
  x: number
  y: number
  scale: number
}

function transformOf({ style, fontSize }: Sized, found: Findings): Transform {
  const result: Transform = { x: 0, y: 0, scale: 1 }
  const enlarged = numberOf(style.get(ENLARGING) ?? [])
  if (enlarged !== undefined && enlarged >= 0) result.scale *= enlarged
  const parts = words(style.get('transform') ?? []).filter((part) => functionOf(part[0]) !== undefined)
  // The properties of the same name have the same effect.
  const calls: { name: string; values: Tokens[] }[] = parts.slice(0, 20).map((part) => ({
    name: functionOf(part[0]) ?? '',
    values: split(inside(part, 0).content, isComma).flatMap((each) => words(each)),
  }))
  if (parts.length > 20) found.doubts('a transformation that is too long')
  for (const name of ['translate', 'rotate', 'scale']) {
    const value = style.get(name)
    if (value !== undefined && identOf(value[0]) !== 'none' && !isWide(value))
      calls.push({ name, values: words(value) })
  }
  for (const call of calls) apply(call, { result, fontSize, found })
  if (result.scale < 0.2) found.hides('text that is shrunk to nothing')
  return result
}

const isTurned = (angle: number): boolean => {
  const rest = Math.abs(angle) % 360
  return rest > 15 && rest < 345
}

function angleOf([token]: Tokens): number {
  if (token?.[0] === TokenType.Number) return token[4].value
  if (token?.[0] !== TokenType.Dimension) return UNKNOWN
  const factor = { deg: 1, grad: 0.9, rad: 57.3, turn: 360 }[token[4].unit.toLowerCase()]
  return token[4].value * (factor ?? UNKNOWN)
}

function apply(
  { name, values }: { name: string; values: Tokens[] },
  { result, fontSize, found }: { result: Transform; fontSize: number; found: Findings },
): void {
  const [first = [], second] = values
  const numbers = values.map((value) => numberOf(value) ?? UNKNOWN)
  const shift = (value: Tokens | undefined, whole: number): number =>
    value === undefined ? 0 : (lengthOf(value, { em: fontSize, whole }) ?? UNKNOWN)
  if (/^translate(?:3d)?$/.test(name)) {
    result.x += shift(first, PAGE.width)
    result.y += shift(second, 100)
  } else if (name === 'translatex') result.x += shift(first, PAGE.width)
  else if (name === 'translatey') result.y += shift(first, 100)
  else if (name === 'translatez') return
  else if (/^scale(?:x|y|3d)?$/.test(name)) {
    const factors = name === 'scale' || name === 'scale3d' ? numbers.slice(0, 2) : numbers.slice(0, 1)
    draw(factors, result, found)
  } else if (name === 'matrix' && numbers.length === 6) {
    const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = numbers
    result.x += x
    result.y += y
    if (Math.abs(a * d - b * c) < 0.04) found.hides('text that is shrunk to nothing')
    else if (a < 0.9 || d < 0.9 || Math.abs(b) > 0.1 || Math.abs(c) > 0.1)
      found.doubts('text that is turned or mirrored')
  } else if (name === 'rotate' || name === 'rotatez') {
    const angle = values.length === 1 ? angleOf(first) : UNKNOWN
    if (Number.isNaN(angle) || isTurned(angle)) found.doubts('text that is turned or mirrored')
  } else if (name === 'rotatex' || name === 'rotatey') {
    const angle = Math.abs(angleOf(first)) % 180
    if (angle > 80 && angle < 100) found.hides('text that is turned away')
    else if (Number.isNaN(angle) || isTurned(angleOf(first))) found.doubts('text that is turned or mirrored')
  } else found.doubts('text that is turned or mirrored')
}

function draw(factors: readonly number[], result: Transform, found: Findings): void {
  for (const factor of factors) {
    if (Number.isNaN(factor)) found.doubts('text of unknown size')
    else if (factor < 0) found.doubts('text that is turned or mirrored')
  }
  const smallest = Math.min(...factors.map((factor) => Math.abs(factor)))
  if (smallest < 1) result.scale *= smallest
}
