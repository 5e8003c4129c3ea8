/** Common building blocks of passwords: words and rows of keys. Pure. */

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
export const plainLetters = (text: string): string =>
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
export function isMadeOf(kind: 'common' | 'walks', text: string): boolean {
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
