/** Detects passwords that are weak in themselves, because attackers try them first. Pure. */
import { isMadeOf, plainLetters } from './password-pieces.ts'

/** Only this many characters are checked: more of the same does not make a weak password strong. */
const lookedAt = 64

/** The problem with a password, or undefined. */
export function weaknessOf(password: string): string | undefined {
  const text = password.slice(0, lookedAt).toLowerCase()
  if (new Set(text).size < 4) return 'has too few different characters'
  if (/^(.{1,4})\1+$/.test(text)) return 'repeats one short piece'
  const bare = text.replaceAll(/^[\W\d_]+|[\W\d_]+$/g, '')
  if (isMadeOf('walks', text) || (bare.length > 2 && isMadeOf('walks', bare))) return 'is a row of keys'
  if (/^[\d\W_]+$/.test(text) && text.length < 12) return 'is a number or a date'
  if (
    [bare, plainLetters(text), plainLetters(bare), plainLetters(text.replace(/[\d\W]+$/, ''))].some(
      (form) => form !== '' && isMadeOf('common', form),
    )
  ) {
    return 'is one of the most common passwords'
  }
  return undefined
}
