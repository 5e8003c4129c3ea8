/** Rules for new passwords. The minimum length is in the contract. There are no composition rules. */
import { invalidField } from '@waypost/platform/api-error'
import { isBreached } from './breached-passwords.ts'
import { followsFromContext } from './password-context.ts'
import type { PasswordFile } from './password-file.ts'
import { isMadeOf, plainLetters } from './password-pieces.ts'

/** The owner of the password. Absent for the installation password. */
export interface PasswordOwner {
  email: string
  names: readonly string[]
}

export interface PasswordPolicy {
  /** The problem with a password, or undefined. */
  problemWith(password: string, owner?: PasswordOwner): Promise<string | undefined>
  /** Throws an error that names the field if the password is not acceptable. */
  need(password: string, field: string, owner?: PasswordOwner): Promise<void>
}

export function createPasswordPolicy({
  baseUrl,
  file,
}: {
  baseUrl: string
  /** The operator's own list. */
  file?: PasswordFile | undefined
}): PasswordPolicy {
  const problemWith: PasswordPolicy['problemWith'] = async (password, owner) => {
    if (followsFromContext(password, { ...owner, baseUrl })) {
      return 'is little more than your name, your address or the name of this service'
    }
    const weakness = weaknessOf(password)
    if (weakness) return weakness
    if (await isBreached(password)) return 'is on a list of passwords from data breaches'
    return (await file?.has(password)) ? 'is on the list of passwords that this installation refuses' : undefined
  }
  return {
    problemWith,
    async need(password, field, owner) {
      const problem = await problemWith(password, owner)
      if (problem) throw invalidField(field, `${problem}: choose a longer or less usual one`)
    },
  }
}

/** Only this many characters are checked: more of the same does not make a weak password strong. */
const checkedLength = 64

/** Why a password is weak in itself, because attackers try it first; undefined if it is not. */
export function weaknessOf(password: string): string | undefined {
  const text = password.slice(0, checkedLength).toLowerCase()
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
