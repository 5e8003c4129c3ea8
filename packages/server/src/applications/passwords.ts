/** Which passwords are no good: those that are tried first. Pure. */

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
const walks = rows.flatMap((row) => [row, [...row].reverse().join('')])

/** Signs that stand for letters. */
const plain = (text: string): string =>
  text.replaceAll(
    /[@430157$!]/g,
    (sign) => ({ '@': 'a', 4: 'a', 3: 'e', 0: 'o', 1: 'i', 5: 's', 7: 't', $: 's', '!': 'i' })[sign] ?? sign,
  )

/** Whether a text is nothing but common words one behind another. */
function isOfCommonWords(text: string): boolean {
  if (text === '') return true
  for (let length = text.length; length > 2; length--) {
    if (common.has(text.slice(0, length)) && isOfCommonWords(text.slice(length))) return true
  }
  return false
}

/** Whether a text is made of pieces of keyboard rows, each at least three keys long. */
function isWalk(text: string): boolean {
  if (text === '') return true
  for (let length = text.length; length > 2; length--) {
    const piece = text.slice(0, length)
    if (walks.some((row) => row.includes(piece)) && isWalk(text.slice(length))) return true
  }
  return false
}

/** What is wrong with a password, or undefined. */
export function weaknessOf(password: string): string | undefined {
  const text = password.toLowerCase().slice(0, 64)
  if (new Set(text).size < 4) return 'has too few different characters'
  if (/^(.{1,4})\1+$/.test(text)) return 'is one piece over and over'
  const bare = text.replaceAll(/^[\W\d_]+|[\W\d_]+$/g, '')
  if (isWalk(text) || (bare.length > 2 && isWalk(bare))) return 'is a row of keys'
  if (/^[\d\W_]+$/.test(text) && text.length < 12) return 'is a number or a date'
  if (
    [bare, plain(text), plain(bare), plain(text.replace(/[\d\W]+$/, ''))].some(
      (form) => form !== '' && isOfCommonWords(form),
    )
  ) {
    return 'is one of those that are tried first'
  }
  return undefined
}
