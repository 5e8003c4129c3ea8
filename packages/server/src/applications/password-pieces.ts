/** What well-known passwords are made of: common words, and rows of keys. Pure. */

/** Words that well-known passwords are made of, alone, together, and with digits and signs around them. */
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

/** Rows of a keyboard, and what is said in order. */
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
/** Three keys or more of a row, in either direction. */
const walks = new Set(
  rows
    .flatMap((row) => [row, [...row].reverse().join('')])
    .flatMap((row) => [...row].flatMap((_, from) => [...row].map((__, length) => row.slice(from, from + length + 1))))
    .filter((piece) => piece.length > 2),
)

/** A text with letters in place of the signs that stand for them. */
export const plainLetters = (text: string): string =>
  text.replaceAll(
    /[@430157$!]/g,
    (sign) => ({ '@': 'a', 4: 'a', 3: 'e', 0: 'o', 1: 'i', 5: 's', 7: 't', $: 's', '!': 'i' })[sign] ?? sign,
  )

/** More letters than the longest piece of either kind. */
const longestPiece = 26

/**
 * Whether a text is nothing but pieces, each at least three letters long, one behind another. Every place is looked at
 * once, however many ways there are to cut the text, so that nobody can choose one that takes long.
 */
export function isMadeOf(kind: 'common' | 'walks', text: string): boolean {
  const pieces = kind === 'common' ? common : walks
  const ends = new Set([0])
  for (let from = 0; from < text.length; from++) {
    if (!ends.has(from)) continue
    for (let to = from + 3; to <= Math.min(text.length, from + longestPiece); to++) {
      if (pieces.has(text.slice(from, to))) ends.add(to)
    }
  }
  return ends.has(text.length)
}
