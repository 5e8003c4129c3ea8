/** Characters of JSON text, for `guard.ts`. */
const MAX_ECHO_LENGTH = 40

/**
 * Formats a path like `settings.emails[2]`, safe for logs. Long paths lose their beginning, because the end says the
 * most.
 */
export function formatPath(path: (string | number)[]): string {
  let written = ''
  for (const step of path) {
    if (typeof step === 'number') written += `[${step}]`
    else if (step !== '') written += written === '' ? step : `.${step}`
  }
  const echo = written.length > MAX_ECHO_LENGTH ? `…${written.slice(1 - MAX_ECHO_LENGTH)}` : written
  return echo.replace(/[\p{C}\p{Z}]/gu, '?')
}

export function indexOrEnd(text: string, search: string, from: number): number {
  const index = text.indexOf(search, from)
  return index === -1 ? text.length : index
}

export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

/** NUL, or half of a surrogate pair, which can only be judged together with its neighbor. */
export const isDelicate = (unit: number): boolean => unit === 0 || (unit & 0xf800) === 0xd800

const ESCAPED: ReadonlySet<number> = new Set(Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0)))
export const isEscaped = (code: number): boolean => code === QUOTE || code === BACKSLASH || ESCAPED.has(code)

/** The value of a hexadecimal digit, or -1. */
export function hexDigit(code: number): number {
  if (isDigit(code)) return code - ZERO
  const letter = code | 0x20
  return letter >= LOWER_A && letter <= LOWER_F ? letter - LOWER_A + 10 : -1
}

export const TAB = 0x09
export const NEWLINE = 0x0a
export const RETURN = 0x0d
export const SPACE = 0x20
export const QUOTE = 0x22
export const PLUS = 0x2b
export const COMMA = 0x2c
export const MINUS = 0x2d
export const DOT = 0x2e
export const ZERO = 0x30
export const NINE = 0x39
export const COLON = 0x3a
export const UPPER_E = 0x45
export const OPEN_BRACKET = 0x5b
export const CLOSE_BRACKET = 0x5d
export const BACKSLASH = 0x5c
export const LOWER_A = 0x61
export const LOWER_E = 0x65
export const LOWER_F = 0x66
export const LOWER_U = 0x75
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d
