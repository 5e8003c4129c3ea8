/**
 * Whether a media query is true on ordinary screens (https://www.w3.org/TR/mediaqueries-4/). Mail is read on wide and
 * narrow ones. What only narrow or dark ones display does not change what the message says, so it counts as false.
 */
import { TokenType } from '@csstools/css-tokenizer'
import { identOf, inside, isComma, split, type Tokens, trimmed, written } from './tokens.ts'

export type Certainty = 'yes' | 'maybe'
type Answer = Certainty | 'no'

const WIDE = { width: 1_280, height: 800 }
const NARROW = { width: 390, height: 844 }
type Screen = typeof WIDE

export function appliesTo(query: Tokens): Answer {
  if (trimmed(query).length === 0) return 'yes'
  const queries = split(query, isComma)
  const on = (screen: Screen): Answer => best(queries.map((each) => one(each, screen)))
  const wide = on(WIDE)
  return wide === 'yes' && on(NARROW) !== 'yes' ? 'maybe' : wide
}

const best = (answers: readonly Answer[]): Answer =>
  answers.includes('yes') ? 'yes' : answers.includes('maybe') ? 'maybe' : 'no'
const worst = (answers: readonly Answer[]): Answer =>
  answers.includes('no') ? 'no' : answers.includes('maybe') ? 'maybe' : 'yes'
const opposite = (answer: Answer): Answer => (answer === 'yes' ? 'no' : answer === 'no' ? 'yes' : 'maybe')

function one(query: Tokens, screen: Screen): Answer {
  const answers: Answer[] = []
  let isNot = false
  for (let at = 0; at < query.length; ) {
    const token = query[at]
    const word = identOf(token)
    if (token?.[0] === TokenType.OpenParen) {
      const { content, end } = inside(query, at)
      answers.push(feature(content, screen))
      at = end
      continue
    }
    if (word === 'not') isNot = true
    else if (word === 'or') return 'maybe'
    else if (word !== undefined && word !== 'only' && word !== 'and') {
      answers.push(word === 'all' || word === 'screen' ? 'yes' : 'no')
    } else if (word === undefined && token?.[0] !== TokenType.Whitespace) return 'maybe'
    at++
  }
  const answer = worst(answers)
  return isNot ? opposite(answer) : answer
}

/** Features of an ordinary screen with light colors and without touch. */
const KNOWN: Readonly<Record<string, string>> = {
  'prefers-color-scheme': 'light',
  'prefers-reduced-motion': 'no-preference',
  '-ms-high-contrast': '',
  'forced-colors': 'none',
  orientation: 'landscape',
}
/** True on some screens and false on others, as everybody who uses them wants. */
const DENSITY = /^(?:-webkit-)?(?:min|max)?-?(?:device-pixel-ratio|resolution)$/

function feature(tokens: Tokens, screen: Screen): Answer {
  const name = identOf(tokens[0])
  if (name === undefined || tokens.some(([type]) => type === TokenType.OpenParen)) return 'maybe'
  const colon = tokens.findIndex(([type]) => type === TokenType.Colon)
  if (colon === -1) return /^(?:color|width|height|grid)$/.test(name) && tokens.length === 1 ? 'yes' : 'maybe'
  const value = trimmed(tokens.slice(colon + 1))
  const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined
  if (known !== undefined) return written(value).toLowerCase() === known ? 'yes' : 'no'
  if (DENSITY.test(name)) return /^0+(?:\.0+)?[a-z]*$/i.test(written(value)) && !name.includes('max') ? 'yes' : 'no'
  const [, bound, side] = /^(min|max)-(?:device-)?(width|height)$/.exec(name) ?? []
  const limit = pixelsOf(value)
  if (bound === undefined || limit === undefined) return 'maybe'
  const size = side === 'width' ? screen.width : screen.height
  return (bound === 'min' ? size >= limit : size <= limit) ? 'yes' : 'no'
}

const PIXELS: Readonly<Record<string, number>> = { px: 1, em: 16, rem: 16, pt: 4 / 3, in: 96, cm: 37.8, mm: 3.78 }

function pixelsOf([token, ...rest]: Tokens): number | undefined {
  if (rest.length > 0) return undefined
  if (token?.[0] === TokenType.Number) return token[4].value
  const factor = token?.[0] === TokenType.Dimension ? PIXELS[token[4].unit.toLowerCase()] : undefined
  return token?.[0] === TokenType.Dimension && factor !== undefined ? token[4].value * factor : undefined
}
