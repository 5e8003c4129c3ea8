/**
 * Rejects passwords that can be derived from their owner: the person's address or name, or the name or host of the
 * service (OWASP ASVS 5.0, 6.2.11). Pure.
 */
import { isMadeOf, plainLetters } from './password-pieces.ts'

/** Public facts about an account. */
export interface PasswordContext {
  email?: string | undefined
  names?: readonly string[]
  /** The URL of the service. */
  baseUrl: string
}

/** Names of this service and its first account, listed in `docs/security.md`. */
const serviceWords = ['waypost', 'admin', 'administrator', 'dashboard', 'installation']
/** Parts of addresses that count as known text only next to other known words. */
const fillers = ['mailto', 'https', 'http', 'www']
/** Minimum number of letters in a password besides public facts about its owner. */
const ownLetters = 6

/** Lower case, without accents, full-width and similar forms. */
const folded = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

const lettersAndDigits = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The words of a text, and all of them joined. Two Latin letters occur in too many passwords to mean anything. */
const wordsOf = (text: string): string[] =>
  [lettersAndDigits(text), ...text.split(/[^\p{L}\p{N}]+/u)].filter(
    (word) => word.length > 2 || (word.length === 2 && !/^[\x20-\x7e]*$/.test(word)),
  )

/** The words of a context, longest first, and those that count only next to them. */
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

/** Whether too little of a text remains without the known words. */
function isGuessable(text: string, { words, beside }: ReturnType<typeof knownWords>): boolean {
  const without = words.reduce((rest, word) => rest.replaceAll(word, ' '), text)
  if (without === text) return false
  const rest = beside.reduce((left, word) => left.replaceAll(word, ' '), without).replaceAll(/[\s\d]/g, '')
  return rest.length < ownLetters || isMadeOf('common', rest)
}

/** Whether a password is little more than the address, the name or the service it is for. */
export function followsFromContext(password: string, context: PasswordContext): boolean {
  const known = knownWords(context)
  const text = folded(password)
  const forms = [lettersAndDigits(text), lettersAndDigits(plainLetters(text))]
  return forms.some((form) => isGuessable(form, known) || isGuessable(reversed(form), known))
}
