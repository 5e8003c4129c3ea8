/** Which passwords are weak by themselves: those that are tried first. Pure. */
import { isMadeOf, plainLetters } from './password-pieces.ts'

/** What is looked at of a password: more of it makes nothing weak strong. */
const lookedAt = 64

/** What is wrong with a password, or undefined. */
export function weaknessOf(password: string): string | undefined {
  const text = password.slice(0, lookedAt).toLowerCase()
  if (new Set(text).size < 4) return 'has too few different characters'
  if (/^(.{1,4})\1+$/.test(text)) return 'is one piece over and over'
  const bare = text.replaceAll(/^[\W\d_]+|[\W\d_]+$/g, '')
  if (isMadeOf('walks', text) || (bare.length > 2 && isMadeOf('walks', bare))) return 'is a row of keys'
  if (/^[\d\W_]+$/.test(text) && text.length < 12) return 'is a number or a date'
  if (
    [bare, plainLetters(text), plainLetters(bare), plainLetters(text.replace(/[\d\W]+$/, ''))].some(
      (form) => form !== '' && isMadeOf('common', form),
    )
  ) {
    return 'is one of those that are tried first'
  }
  return undefined
}
