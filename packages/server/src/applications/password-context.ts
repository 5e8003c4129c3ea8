/**
 * Passwords that follow from whose they are: made of the person's address or name, or of the name or host of the service
 * (OWASP ASVS 5.0, 6.2.11). Pure.
 */
import { isMadeOf, plainLetters } from './password-pieces.ts'

/** What somebody who guesses knows of an account. */
export interface PasswordContext {
  email?: string | undefined
  names?: readonly string[]
  /** The address of the service. */
  baseUrl: string
}

/** Names of this service and of its first account. `docs/security.md` lists them. */
const serviceWords = ['waypost', 'admin', 'administrator', 'dashboard', 'installation']
/** Parts of addresses that say nothing by themselves, and so may stand beside the rest. */
const fillers = ['mailto', 'https', 'http', 'www']
/** Letters that a password needs beside what everybody knows of its owner. */
const ownLetters = 6

/** Lower case, without accents, full-width and similar forms. */
const folded = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

const lettersAndDigits = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The words of a text, and all of them in a row. Two Latin letters are in too many passwords to mean anything. */
const wordsOf = (text: string): string[] =>
  [lettersAndDigits(text), ...text.split(/[^\p{L}\p{N}]+/u)].filter(
    (word) => word.length > 2 || (word.length === 2 && !/^[\x20-\x7e]*$/.test(word)),
  )

/** The words of a context, the longest first, and those that count only beside them. */
function knownWords({ email = '', names = [], baseUrl }: PasswordContext): { words: string[]; beside: string[] } {
  const address = folded(email)
  const at = address.lastIndexOf('@')
  const host = new URL(baseUrl).hostname
  const domains = [at < 0 ? '' : address.slice(at + 1), /^[\d.:[\]]+$|^localhost$/.test(host) ? '' : host]
  const topLevels = domains.map((domain) => domain.split('.').at(-1) ?? '')
  const texts = [address, address.slice(0, Math.max(at, 0)), ...names.map(folded)]
  const labels = domains.flatMap((domain) => [domain, domain.split('.').slice(0, -1).join('.')])
  const words = [...serviceWords, ...[...texts, ...labels].flatMap(wordsOf)]
  const byLength = (list: readonly string[]): string[] =>
    [...new Set(list.map((word) => plainLetters(word)).concat(list))].sort((a, b) => b.length - a.length)
  return {
    words: byLength(words.filter((word) => !topLevels.includes(word))),
    beside: [...fillers, ...topLevels.filter((word) => word.length > 1)],
  }
}

const reversed = (text: string): string => [...text].reverse().join('')

/** Whether what is left of a text without the known words is too little to be a secret. */
function isGuessable(text: string, { words, beside }: ReturnType<typeof knownWords>): boolean {
  const without = words.reduce((rest, word) => rest.replaceAll(word, ' '), text)
  if (without === text) return false
  const rest = beside.reduce((left, word) => left.replaceAll(word, ' '), without).replaceAll(/[\s\d]/g, '')
  return rest.length < ownLetters || isMadeOf('common', rest)
}

/** Whether a password is little more than the address, the name or the service that it is for. */
export function followsFromContext(password: string, context: PasswordContext): boolean {
  const known = knownWords(context)
  const text = folded(password)
  const forms = [lettersAndDigits(text), lettersAndDigits(plainLetters(text))]
  return forms.some((form) => isGuessable(form, known) || isGuessable(reversed(form), known))
}
