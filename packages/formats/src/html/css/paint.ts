/** What text is painted with: its color, and the colors that may be behind it. */
import { TokenType } from '@csstools/css-tokenizer'
import { BLACK, CLEAR, type Color, colorOf, legacyColor, legibility, over, WHITE } from './colors.ts'
import { isWide, type Style } from './longhands.ts'
import { functionOf, identOf, inside, isComma, split, type Tokens, words } from './tokens.ts'

export interface Paint {
  /** Undefined for a color that we cannot read. */
  readonly color: Color | undefined
  /** The color of the letters where it is another one; `none` without. */
  readonly fill: Color | undefined | 'none'
  /** The colors that may be behind text; undefined for one that we cannot read. */
  readonly behind: readonly (Color | undefined)[]
  /** Whether an image may cover them. */
  readonly hasImage: boolean
  /** Whether the background is visible through the letters only. */
  readonly isClipped: boolean
  /** The colors of links, of the attributes of a body. */
  readonly link: Color
}

/** The colors of an ordinary mail program. */
export const PAPER: Paint = {
  color: BLACK,
  fill: 'none',
  behind: [WHITE],
  hasImage: false,
  isClipped: false,
  link: [0, 0, 238, 1],
}

const MAX_COLORS = 8

interface Painted {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | undefined>>
  readonly style: Style
}

/** The color of a value; `current` for `currentcolor`. */
function read(value: Tokens, current: Color | undefined): Color | undefined {
  return identOf(value[0]) === 'currentcolor' ? current : colorOf(value)
}

/** Whether browsers accept a value as a color. */
export const isColor = (value: Tokens): boolean =>
  isWide(value) ||
  value[0]?.[0] === TokenType.Function ||
  identOf(value[0]) === 'currentcolor' ||
  colorOf(value) !== undefined

function textColor({ name, attributes, style }: Painted, before: Paint): Color | undefined {
  const value = style.get('color')
  if (value !== undefined && !isWide(value)) return read(value, before.color)
  if (value !== undefined) return identOf(value[0]) === 'initial' ? BLACK : before.color
  const old = name === 'body' ? attributes.text : name === 'font' ? attributes.color : undefined
  const legacy = old === undefined ? undefined : legacyColor(old)
  if (legacy) return legacy
  if (name === 'a' && attributes.href !== undefined) return before.link
  return name === 'mark' || name === 'button' || name === 'input' || name === 'textarea' || name === 'select'
    ? BLACK
    : before.color
}

const OWN_BACKGROUND: Readonly<Record<string, Color>> = {
  mark: [255, 255, 0, 1],
  button: [240, 240, 240, 1],
  textarea: WHITE,
  select: WHITE,
}

const onTop = (top: Color | undefined, below: Paint['behind']): Paint['behind'] =>
  top === undefined || top[3] === 1 ? [top] : below.map((each) => each && over(top, each))

function background(
  painted: Painted,
  before: Paint,
  color: Color | undefined,
): Pick<Paint, 'behind' | 'hasImage' | 'isClipped'> {
  const { name, attributes, style } = painted
  const isClipped = identOf(style.get('background-clip')?.at(-1)) === 'text'
  const value = style.get('background-color')
  const old = attributes.bgcolor === undefined ? undefined : legacyColor(attributes.bgcolor)
  const own = Object.hasOwn(OWN_BACKGROUND, name) ? OWN_BACKGROUND[name] : undefined
  let { behind, hasImage } = before
  const shown = value === undefined ? (old ?? own ?? CLEAR) : isWide(value) ? CLEAR : read(value, color)
  behind = onTop(shown, behind)
  if (shown?.[3] === 1) hasImage = false
  const image = style.get('background-image')
  if (image !== undefined) {
    const painting = gradients(image, color)
    if (painting.hasImage) hasImage = true
    if (painting.stops.length > 0) behind = painting.stops.flatMap((stop) => onTop(stop, behind)).slice(0, MAX_COLORS)
  } else if (attributes.background?.trim()) hasImage = true
  return { behind, hasImage, isClipped }
}

function gradients(value: Tokens, color: Color | undefined): { stops: (Color | undefined)[]; hasImage: boolean } {
  const stops: (Color | undefined)[] = []
  let hasImage = false
  for (const part of split(value, isComma).flatMap((each) => words(each))) {
    const called = functionOf(part[0])
    if (part[0]?.[0] === TokenType.URL || (called !== undefined && !called.endsWith('gradient'))) hasImage = true
    if (!called?.endsWith('gradient')) continue
    for (const stop of split(inside(part, 0).content, isComma).slice(0, 20)) {
      const found = words(stop).find((each) => isColor(each) && !isNumber(each))
      if (found) stops.push(read(found, color))
    }
  }
  return { stops: stops.slice(0, MAX_COLORS), hasImage }
}

const isNumber = ([token]: Tokens): boolean =>
  token?.[0] === TokenType.Number ||
  token?.[0] === TokenType.Dimension ||
  token?.[0] === TokenType.Percentage ||
  functionOf(token) === 'calc'

export function paintOf(painted: Painted, before: Paint): Paint {
  const color = textColor(painted, before)
  const given = painted.style.get('text-fill-color')
  const fill: Paint['fill'] =
    given === undefined || identOf(given[0]) === 'inherit' || identOf(given[0]) === 'unset'
      ? before.fill
      : isWide(given) || identOf(given[0]) === 'currentcolor'
        ? 'none'
        : read(given, color)
  const { link } = painted.attributes
  const body = painted.name === 'body' && link !== undefined ? legacyColor(link) : undefined
  return { color, fill, link: body ?? before.link, ...background(painted, before, color) }
}

export type Reading = 'shown' | 'doubtful' | 'hidden'

/** Whether people can read letters with this paint. */
export function readingOf(paint: Paint, around: Paint, opacity: number): Reading {
  const { behind, hasImage, isClipped } = paint
  const color = paint.fill === 'none' ? paint.color : paint.fill
  if (color === undefined) return 'doubtful'
  if (isClipped && color[3] < 0.1) {
    const best = behind.map((each) => (each ? readingOn(each, around.behind) : 'doubtful'))
    return hasImage && best.every((each) => each === 'hidden') ? 'doubtful' : worst(best)
  }
  const [red, green, blue, alpha] = color
  const reading = readingOn([red, green, blue, alpha * opacity], isClipped ? around.behind : behind)
  return reading === 'hidden' && hasImage && alpha * opacity > 0.1 ? 'doubtful' : reading
}

function readingOn(color: Color, behind: Paint['behind']): Reading {
  return worst(
    behind.map((each) => {
      if (each === undefined) return 'doubtful'
      const found = legibility(over(color, each), each)
      return found === 'unreadable' ? 'hidden' : found === 'doubtful' ? 'doubtful' : 'shown'
    }),
  )
}

/** Hidden if it is so everywhere. */
const worst = (readings: readonly Reading[]): Reading =>
  readings.every((each) => each === 'hidden')
    ? 'hidden'
    : readings.every((each) => each === 'shown')
      ? 'shown'
      : 'doubtful'
