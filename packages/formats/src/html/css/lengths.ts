/** Lengths in pixels, also those that a formula gives (https://www.w3.org/TR/css-values-4/). */
import { TokenType } from '@csstools/css-tokenizer'
import { delimOf, functionOf, isComma, isSpace, type Tokens } from './tokens.ts'

export interface Base {
  /** The font size in pixels that `em` refers to. */
  readonly em: number
  /** What 100% are; undefined if that depends on the layout. */
  readonly whole: number | undefined
}

/** A length that depends on what we do not compute. */
export const UNKNOWN = Number.NaN

const PIXELS: Readonly<Record<string, number>> = {
  px: 1,
  rem: 16,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 37.8,
  mm: 3.78,
  q: 0.945,
  vw: 12.8,
  vh: 8,
  vmin: 8,
  vmax: 12.8,
  svw: 12.8,
  lvw: 12.8,
  dvw: 12.8,
  svh: 8,
  lvh: 8,
  dvh: 8,
  vi: 12.8,
  vb: 8,
  rlh: 19.2,
}
const EMS: Readonly<Record<string, number>> = { em: 1, ex: 0.5, ch: 0.5, cap: 0.7, ic: 1, lh: 1.2 }

/** A length in pixels; undefined for what is none. */
export function lengthOf(value: Tokens, base: Base): number | undefined {
  const [token] = value
  if (token?.[0] === TokenType.Function) {
    return /^(?:var|env|attr|anchor|anchor-size|round|mod|rem|sin|cos|tan|pow|sqrt|hypot|log|exp|abs|sign|fit-content)$/.test(
      functionOf(token) ?? '',
    )
      ? UNKNOWN
      : formulaOf(value, base)
  }
  return value.length === 1 ? single(value, base) : undefined
}

function single([token]: Tokens, { em, whole }: Base): number | undefined {
  switch (token?.[0]) {
    case TokenType.Number:
      return token[4].value
    case TokenType.Percentage:
      return whole === undefined ? UNKNOWN : (token[4].value / 100) * whole
    case TokenType.Dimension: {
      const unit = token[4].unit.toLowerCase()
      const factor = Object.hasOwn(PIXELS, unit) ? PIXELS[unit] : em * (EMS[unit] ?? UNKNOWN)
      return token[4].value * (factor ?? UNKNOWN)
    }
    default:
      return undefined
  }
}

const CHOICES = new Set(['min', 'max', 'clamp'])
const MAX_DEPTH = 20

/** Evaluates `calc()`, `min()`, `max()` and `clamp()`. */
function formulaOf(value: Tokens, base: Base): number | undefined {
  const tokens = value.filter((token) => !isSpace(token))
  let at = 0
  const sum = (depth: number): number => {
    let total = product(depth)
    for (let sign = delimOf(tokens[at]); sign === '+' || sign === '-'; sign = delimOf(tokens[at])) {
      at++
      const next = product(depth)
      total = sign === '+' ? total + next : total - next
    }
    return total
  }
  const product = (depth: number): number => {
    let total = term(depth)
    for (let sign = delimOf(tokens[at]); sign === '*' || sign === '/'; sign = delimOf(tokens[at])) {
      at++
      const next = term(depth)
      total = sign === '*' ? total * next : total / next
    }
    return total
  }
  const term = (depth: number): number => {
    const token = tokens[at++]
    if (!token || depth > MAX_DEPTH) return UNKNOWN
    const name = token[0] === TokenType.OpenParen ? 'calc' : functionOf(token)
    if (name === undefined) return single([token], base) ?? UNKNOWN
    const parts = [sum(depth + 1)]
    for (; isComma(tokens[at]); ) {
      at++
      parts.push(sum(depth + 1))
    }
    at++
    if (/^(?:-webkit-|-moz-)?calc$/.test(name) && parts.length === 1) return parts[0] ?? UNKNOWN
    if (!CHOICES.has(name)) return UNKNOWN
    const [first = UNKNOWN, second = UNKNOWN, third = UNKNOWN] = parts
    if (name === 'clamp') return Math.max(first, Math.min(second, third))
    return name === 'min' ? Math.min(...parts) : Math.max(...parts)
  }
  const result = sum(0)
  return at >= tokens.length ? result : UNKNOWN
}

/** A number, or a percentage as a share. */
export function numberOf(value: Tokens): number | undefined {
  const [token] = value
  if (value.length !== 1) return token?.[0] === TokenType.Function ? formulaOf(value, { em: 16, whole: 1 }) : undefined
  if (token?.[0] === TokenType.Number) return token[4].value
  return token?.[0] === TokenType.Percentage ? token[4].value / 100 : undefined
}
