/**
 * The tokens of CSS. The tokenizer of @csstools decodes escapes and removes comments by the letter of CSS Syntax
 * (https://www.w3.org/TR/css-syntax-3/), in linear time.
 */
import { type CSSToken, TokenType, tokenizer } from '@csstools/css-tokenizer'
import type { Budget } from './budget.ts'

export type { CSSToken }
export type Tokens = readonly CSSToken[]

/** The tokens of a text without comments; those up to the end of the budget. */
export function tokensOf(css: string, budget: Budget): CSSToken[] {
  const source = tokenizer({ css })
  const tokens: CSSToken[] = []
  while (!source.endOfFile() && budget.takeToken()) {
    const token = source.nextToken()
    if ((token[0] === TokenType.URL || token[0] === TokenType.String) && token[4].value.includes('//')) {
      budget.meets(token[4].value)
    }
    if (token[0] !== TokenType.Comment && token[0] !== TokenType.EOF) tokens.push(token)
  }
  return tokens
}

export const isSpace = (token: CSSToken | undefined): boolean => token?.[0] === TokenType.Whitespace

/** The word of an identifier in small letters. */
export const identOf = (token: CSSToken | undefined): string | undefined =>
  token?.[0] === TokenType.Ident ? token[4].value.toLowerCase() : undefined

export const functionOf = (token: CSSToken | undefined): string | undefined =>
  token?.[0] === TokenType.Function ? token[4].value.toLowerCase() : undefined

export const delimOf = (token: CSSToken | undefined): string | undefined =>
  token?.[0] === TokenType.Delim ? token[4].value : undefined

export const isComma = (token: CSSToken | undefined): boolean => token?.[0] === TokenType.Comma

const opens = new Set<TokenType>([TokenType.Function, TokenType.OpenParen, TokenType.OpenSquare, TokenType.OpenCurly])
const closes = new Set<TokenType>([TokenType.CloseParen, TokenType.CloseSquare, TokenType.CloseCurly])
export const isOpening = ([type]: CSSToken): boolean => opens.has(type)
export const isClosing = ([type]: CSSToken): boolean => closes.has(type)

export function trimmed(tokens: Tokens): Tokens {
  let from = 0
  let end = tokens.length
  while (from < end && isSpace(tokens[from])) from++
  while (end > from && isSpace(tokens[end - 1])) end--
  return tokens.slice(from, end)
}

/** The parts between separators that are in no brackets. */
export function split(tokens: Tokens, separates: (token: CSSToken) => boolean): Tokens[] {
  const parts: CSSToken[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (isOpening(token)) depth++
    else if (isClosing(token)) depth--
    if (depth === 0 && separates(token)) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts.map(trimmed)
}

/** The values of a list that blanks separate. */
export const words = (tokens: Tokens): Tokens[] => split(tokens, isSpace).filter(({ length }) => length > 0)

/** What the brackets that begin at a position contain, and the position after them. */
export function inside(tokens: Tokens, at: number): { content: Tokens; end: number } {
  let depth = 0
  for (let end = at; end < tokens.length; end++) {
    const token = tokens[end]
    if (!token) break
    if (isOpening(token)) depth++
    else if (isClosing(token) && --depth === 0) return { content: trimmed(tokens.slice(at + 1, end)), end: end + 1 }
  }
  return { content: trimmed(tokens.slice(at + 1)), end: tokens.length }
}

export const written = (tokens: Tokens): string => tokens.map(([, text]) => text).join('')
