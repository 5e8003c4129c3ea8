/**
 * Guesses the charset of bytes without a declaration. Every charset that decodes the bytes without errors is rated by
 * how common its characters are, because mail mostly consists of a few hundred common characters. If none is common,
 * the result is windows-1252, which preserves the bytes. There are few bytes (a subject, a name), so a guess needs a
 * clear margin.
 */

/** The most likely charset of bytes that are not UTF-8. Undefined if there is no evidence. */
export function detectCharset(bytes: Buffer): string | undefined {
  const sample = bytes.subarray(0, MAX_SAMPLE)
  const scores = CANDIDATES.map(({ charset, score }) => ({ charset, points: score(sample, charset) }))
    .filter(({ points }) => points >= MIN_POINTS)
    .sort((a, b) => b.points - a.points)
  const [best, next] = scores
  return best !== undefined && best.points - (next?.points ?? 0) >= MARGIN ? best.charset : undefined
}

const MAX_SAMPLE = 16 * 1024
const MIN_POINTS = 0.5
const MARGIN = 0.04
/** With fewer characters than this, most of them must be common. */
const FEW = 4
const MIN_POINTS_OF_FEW = 0.68

type Score = (bytes: Buffer, charset: string) => number

/** The average commonness of the non-ASCII characters. Decoding errors rule a charset out. */
const byCharacter =
  (weigh: (character: string) => number): Score =>
  (bytes, charset) => {
    const text = decodeStrictly(bytes, charset)
    if (text === undefined) return 0
    let sum = 0
    let count = 0
    for (const character of text) {
      if (character < '\x80') continue
      sum += weigh(character)
      count++
    }
    return count < 2 || (count < FEW && sum / count < MIN_POINTS_OF_FEW) ? 0 : sum / count
  }

/** A sample may end within a character. */
function decodeStrictly(bytes: Buffer, charset: string): string | undefined {
  const decoder = new TextDecoder(charset, { fatal: true })
  for (let cut = 0; cut <= 3; cut++) {
    try {
      return decoder.decode(bytes.subarray(0, bytes.length - cut))
    } catch {
      if (cut >= bytes.length) return undefined
    }
  }
  return undefined
}

const setOf = (characters: string): ReadonlySet<string> => new Set(characters)

/** The most frequent characters of the language, plus those common in letters and business. */
const SIMPLIFIED = setOf(
  '的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里所去行过家十用发天如然作方成者多日都三小军二无同么经法当起与好看学进种将还分此心前面又定见只主没公从知使全动社力理向已间长样现关点开重新开应本情被两样高问什者物手它名文电话邮件请您谢收发送测试中文议司产品价格合同通知报告信息系统时间联系附件北京上海市区元月周今明早晚安回复关于客户服务工作计划项目号码订单付款账户安全密码欢迎使用免费网站更多查看点击参加活动主题世界',
)
const TRADITIONAL = setOf(
  '的一是不了人我在有他這為之大來以個中上們到說國和地也子時道出而要於就下得可你年生自會那後能對著事其裡所去行過家十用發天如然作方成者多日都三小軍二無同麼經法當起與好看學進種將還分此心前面又定見只主沒公從知使全動社力理向已間長樣現關點開重新應本情被兩高問什物手它名文電話郵件請您謝收送測試議司產品價格合約通知報告信息系統聯絡附檔台灣北市區元月週今明早晚安回覆關於客戶服務工作計畫專案號碼訂單付款帳戶安全密碼歡迎使用免費網站更多查看點擊參加活動主旨世界',
)
const KOREAN = setOf(
  '이다의는에을가고하지기로서사한도를은자있어인그리대나해시일아것수라만정스부전들보장과여주제으면내게원구요상안니까습님메회감녕세합드립계용문신청확공비생각국동소마무위연선물품입경우와관련오적성년월중모든조유분터방화업체명결',
)
const HAN = /\p{Script=Han}/u
const KANA = /[\u3040-\u30ff]/u
const HANGUL = /[\uac00-\ud7a3]/u
/** Punctuation of these languages: stops, brackets and full-width forms. */
const MARKS = /[\u3000-\u3011\uff01-\uff5e\u2018-\u201d\u2026\u30fc\u30fb]/u
const STRANGE = /[\ue000-\uf8ff\ufffd\u0080-\u009f]|[^\0-\uffff]/u

/** Han characters of a charset's common level score less than the most frequent ones, but more than the rest. */
const weighHan =
  (common: ReadonlySet<string>) =>
  (character: string): number => {
    if (common.has(character)) return 1
    if (MARKS.test(character)) return 0.6
    if (STRANGE.test(character)) return -1
    return HAN.test(character) && character >= '\u4e00' && character <= '\u9fa5' ? 0.4 : -0.2
  }

function weighJapanese(character: string): number {
  if (KANA.test(character)) return 1
  if (MARKS.test(character)) return 0.6
  if (STRANGE.test(character)) return -1
  if (SIMPLIFIED.has(character) || TRADITIONAL.has(character)) return 0.65
  return HAN.test(character) ? 0.35 : -0.3
}

function weighKorean(character: string): number {
  if (KOREAN.has(character)) return 1
  if (HANGUL.test(character)) return 0.55
  if (STRANGE.test(character)) return -1
  return MARKS.test(character) ? 0.3 : -0.2
}

/** The ten most frequent letters of Russian make up two thirds of a text. */
const COMMON_CYRILLIC = setOf('оеаинтсрвл')

/** Rates Cyrillic by frequent letters in plausible case, because its charsets swap each other's cases. */
const scoreCyrillic: Score = (bytes, charset) => {
  const text = new TextDecoder(charset).decode(bytes)
  let sum = 0
  let count = 0
  let words = 0
  let before = ' '
  for (const character of text) {
    if (character >= '\x80') {
      count++
      if (before < '\x80') words++
      const isCyrillic = /[\u0410-\u044f\u0401\u0451]/.test(character)
      const isCapital = isCyrillic && character < '\u0430' && character !== '\u0451'
      if (!isCyrillic) sum += /[№«»—–“”„…]/.test(character) ? 0.2 : -0.5
      else if (isCapital) sum += /[\u0430-\u044f]/.test(before) ? -0.5 : weighCapital(character)
      else sum += COMMON_CYRILLIC.has(character) ? 1 : 0.55
    }
    before = character
  }
  // Accented letters occur alone among others, Cyrillic letters form words.
  return count < FEW || count / words < 2 ? 0 : sum / count
}

const weighCapital = (letter: string): number => (COMMON_CYRILLIC.has(letter.toLowerCase()) ? 0.9 : 0.45)

const CANDIDATES: readonly { charset: string; score: Score }[] = [
  { charset: 'gb18030', score: byCharacter(weighHan(SIMPLIFIED)) },
  { charset: 'big5', score: byCharacter(weighHan(TRADITIONAL)) },
  { charset: 'shift_jis', score: byCharacter(weighJapanese) },
  { charset: 'euc-jp', score: byCharacter(weighJapanese) },
  { charset: 'euc-kr', score: byCharacter(weighKorean) },
  { charset: 'koi8-r', score: scoreCyrillic },
  { charset: 'windows-1251', score: scoreCyrillic },
]
