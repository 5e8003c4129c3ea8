/** Rules for new passwords. The minimum length is in the contract. There are no composition rules. */
import { invalidField } from '@waypost/platform/api-error'
import { isBreached, type PasswordFile } from './forbidden-passwords.ts'

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

/**
 * Public facts about an account. A password must not be derived from them (OWASP ASVS 5.0, 6.2.11).
 */
interface PasswordContext {
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

/** Words that common passwords consist of, alone, combined, or with digits and punctuation. */
const common = new Set(
  `password passwort passw0rd p@ssword p@ssw0rd pass secret geheim admin administrator root welcome willkommen letmein
  changeme change default master test testing tester example guest user login access private public service server
  system computer internet network security secure private office company waypost dashboard mail email calendar
  iloveyou love lovely sunshine princess princesa monkey dragon football baseball basketball soccer hockey superman
  batman spiderman pokemon starwars trustno shadow michael michelle jennifer jessica jordan ashley daniel charlie
  thomas george andrew robert william joshua matthew nicole amanda samantha elizabeth victoria anthony hunter ranger
  buster killer pepper ginger tigger cookie summer winter spring autumn sommer herbst fruehling january february march
  april june july august september october november december monday tuesday wednesday thursday friday saturday sunday
  freedom whatever chocolate butterfly purple orange yellow silver golden diamond angel angels flower flowers
  blessed jesus jesuschrist christ hello helloworld goodbye hallo world computer matrix mustang corvette mercedes
  porsche ferrari yamaha harley chelsea liverpool arsenal barcelona realmadrid juventus bayern manchester cowboys
  eagles steelers yankees lakers phoenix tiger lion eagle wolf panther jaguar falcon dolphin elephant rainbow
  midnight thunder lightning storm maverick cowboy ninja samurai zxcvbn qwerty qwertz azerty qwert asdfgh yxcvbn
  google facebook twitter instagram microsoft windows linux ubuntu debian apple iphone android samsung nokia
  abcdef abc aaa qaz wsx edc qazwsx qweasd qweasdzxc asdf asd zxc qwe number one two three money business
  family friend friends forever baby babygirl babyboy girl boy lover mother father brother sister daddy mommy
  london paris berlin madrid newyork america canada germany france england brasil mexico`.split(/\s+/),
)

/** Keyboard rows and other well-known sequences. */
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
]
/** Three or more consecutive keys of a row, in either direction. */
const walks = new Set(
  rows
    .flatMap((row) => [row, [...row].reverse().join('')])
    .flatMap((row) => [...row].flatMap((_, from) => [...row].map((__, length) => row.slice(from, from + length + 1))))
    .filter((piece) => piece.length > 2),
)

/** Replaces digits and symbols that stand for letters. */
const plainLetters = (text: string): string =>
  text.replaceAll(
    /[@430157$!]/g,
    (sign) => ({ '@': 'a', 4: 'a', 3: 'e', 0: 'o', 1: 'i', 5: 's', 7: 't', $: 's', '!': 'i' })[sign] ?? sign,
  )

/** Longer than the longest piece of either kind. */
const maxPieceLength = 26

/**
 * Whether a text consists only of pieces of at least three letters. Every position is visited once, however many ways
 * there are to split the text, so that no input takes long.
 */
function isMadeOf(kind: 'common' | 'walks', text: string): boolean {
  const pieces = kind === 'common' ? common : walks
  const ends = new Set([0])
  for (let from = 0; from < text.length; from++) {
    if (!ends.has(from)) continue
    for (let to = from + 3; to <= Math.min(text.length, from + maxPieceLength); to++) {
      if (pieces.has(text.slice(from, to))) ends.add(to)
    }
  }
  return ends.has(text.length)
}
