/**
 * Finds where the newest text of a message ends: quoted lines with the line that introduces them ("On … wrote:"), and
 * the headings above a complete earlier message. It uses only text, in the languages of the large clients;
 * `clean-html.ts` has already evaluated the markup.
 */
import type { Line } from './clean-lines.ts'

/** Maximum length of an introduction. */
const MAX_INTRODUCTION = 400
const MAX_INTRODUCTION_LINES = 4
const HEADER_LINES = 8
/** Maximum number of header-like lines to check. A message between people has fewer. */
const MAX_HEADINGS = 1_000

const list = (text: string): string[] => text.split('|')

/** Texts between dashes. */
const SEPARATORS = new Set(
  list(
    'original message|original appointment|original|forwarded message|forwarded email|reply message|ursprüngliche nachricht|originalnachricht|weitergeleitete nachricht|message d’origine|message original|message initial|message transféré|message réexpédié|mensaje original|mensaje reenviado|messaggio originale|messaggio inoltrato|oorspronkelijk bericht|doorgestuurd bericht|mensagem original|mensagem encaminhada|ursprungligt meddelande|vidarebefordrat meddelande|oryginalna wiadomość|wiadomość oryginalna|przekazana wiadomość|wiadomość przekazana|исходное сообщение|пересылаемое сообщение|пересланное сообщение|перенаправленное сообщение|原始邮件|原始郵件|转发邮件|元のメッセージ|転送メッセージ|転送されたメッセージ',
  ),
)
/** Texts that are alone on their line. */
const OPENINGS = new Set(
  list(
    'begin forwarded message|start of forwarded message|anfang der weitergeleiteten nachricht|anfang der weitergeleiteten e-mail|début du message transféré|début du message réexpédié|inicio del mensaje reenviado|inizio messaggio inoltrato|begin doorgestuurd bericht|início da mensagem encaminhada|vidarebefordrat brev|börjar vidarebefordrat meddelande|początek przekazywanej wiadomości|начало переадресованного сообщения|начало пересылаемого сообщения|転送されたメッセージ',
  ),
)
const VERBS = list(
  'wrote|writes|schrieb|a écrit|écrivait|escribió|ha scritto|schreef|escreveu|skrev|napisał|napisała|pisze|написал|написала|пишет|писал|писала|のメール|書きました|さんは書|写道|寫道|kirjoitti|yazdı',
)
const STARTERS = list('on |am |le |el |il |op |em |a |no dia |den |w dniu |dnia |at |vào |dne ')

const FROM_FIELD = /^(from|von|de|da|van|från|fra|od|от|expéditeur|差出人|发件人|寄件者|보낸 사람)\s?[:：]/i
const OTHERS = [
  list(
    'sent|date|gesendet|datum|envoyé|fecha|enviado|enviado el|data|inviato|verzonden|skickat|sendt|wysłano|отправлено|дата|送信日時|日付|日時|发送时间',
  ),
  list('to|an|à|a|para|aan|till|til|do|кому|宛先|收件人|destinataire'),
  list('subject|betreff|objet|asunto|oggetto|onderwerp|assunto|ämne|emne|temat|тема|件名|主题'),
]

/** The lines that the author of the newest message wrote. */
export function withoutQuotes(lines: readonly Line[]): Line[] {
  const end = endOfNewest(lines)
  const retained: (Line | undefined)[] = lines.slice(0, end)
  for (let i = 0; i < retained.length; i++) {
    const quoted = retained[i]?.quoted
    if (quoted === undefined || quoted === 'no' || (i > 0 && lines[i - 1]?.quoted === quoted)) continue
    const introduction = introductionBefore(retained, i)
    if (quoted === 'perhaps' && introduction.length === 0) continue
    for (const index of introduction) retained[index] = undefined
    for (let j = i; j < retained.length && lines[j]?.quoted === quoted; j++) retained[j] = undefined
  }
  return retained.filter((each) => each !== undefined)
}

/** The index of the heading of an earlier message. */
function endOfNewest(lines: readonly Line[]): number {
  const lastQuoted = lines.findLastIndex(({ quoted }) => quoted !== 'no')
  let headings = 0
  for (const [index, each] of lines.entries()) {
    if (each.quoted === 'yes' || each.text.length < 3) continue
    const text = plain(each.text)
    if (isSeparator(text)) return index
    if (each.underRule && hasFields(lines, index)) return index
    if (headings < MAX_HEADINGS && mayHead(text)) {
      headings++
      if (isHeaderBlock(lines, text.startsWith('_') ? nextFilled(lines, index + 1) : index)) return index
    }
    if (index > lastQuoted && isIntroductionFrom(lines, index)) return index
  }
  return lines.length
}

/** Whether a line can begin a block of headers: it is a rule above it, or its first field. */
const mayHead = (text: string): boolean => /^_{5,}$/.test(text) || FROM_FIELD.test(text)

/** The text without Markdown marks, such as those around `**From:**`. */
const plain = (text: string): string =>
  text
    .slice(0, MAX_INTRODUCTION * 2)
    .replaceAll(/[*#]+/g, '')
    .trim()

function isSeparator(text: string): boolean {
  const lower = text.slice(0, 120).toLowerCase().replaceAll("'", '’')
  if (lower.startsWith('--')) return SEPARATORS.has(lower.replaceAll(/^[-\s]+|[-\s]+$/g, ''))
  return OPENINGS.has(lower.replace(/\s?[:：]$/, ''))
}

const nextFilled = (lines: readonly Line[], from: number): number => {
  let at = from
  while (at < lines.length && lines[at]?.text === '') at++
  return at
}

/** Whether a block has `From:` and at least two of date, recipients and subject shortly after. */
function isHeaderBlock(lines: readonly Line[], index: number): boolean {
  if (!FROM_FIELD.test(fieldOf(lines[index]) ?? '')) return false
  const block = filledFrom(lines, index, HEADER_LINES).map((text) => ` ${text}`)
  const found = OTHERS.filter((labels) =>
    labels.some((label) => block.some((text) => text.startsWith(` ${label}:`) || text.includes(` ${label}: `))),
  )
  return found.length >= 2
}

/** Whether there are at least three consecutive fields, in any language. */
const hasFields = (lines: readonly Line[], index: number): boolean =>
  filledFrom(lines, index, 3).filter((text) => /^[^:]{1,30}:/.test(text)).length === 3

function fieldOf(each: Line | undefined): string | undefined {
  if (each === undefined || each.quoted === 'yes') return undefined
  return plain(each.text)
    .toLowerCase()
    .replaceAll('：', ':')
    .replace(/^([^:]{0,30}\S)\s{1,3}:/, '$1:')
}

function filledFrom(lines: readonly Line[], index: number, count: number): string[] {
  const found: string[] = []
  for (let i = index; i < lines.length && i < index + count * 2 && found.length < count; i++) {
    const text = fieldOf(lines[i])
    if (text !== undefined && text !== '') found.push(text)
  }
  return found
}

/** The lines before a quotation that introduce it. */
function introductionBefore(lines: readonly (Line | undefined)[], index: number): number[] {
  const found: number[] = []
  let text = ''
  let last: number[] = []
  for (let i = index - 1; i >= 0 && i >= index - 8 && found.length < MAX_INTRODUCTION_LINES; i--) {
    const each = lines[i]
    if (each === undefined || each.quoted === 'yes') break
    if (each.text === '' && found.length === 0) continue
    // An introduction is one paragraph without a sentence of the author's own.
    if (each.text === '' || (found.length > 0 && /[.!?]$/.test(each.text))) break
    found.push(i)
    text = `${plain(each.text)} ${text}`.trim()
    if (isIntroduction(text)) {
      if (startsAnIntroduction(text)) return found
      if (last.length === 0) last = [...found]
    } else if (!mayContinue(text)) break
  }
  return last
}

/** Whether this may be the end of an introduction that begins a line above. */
const mayContinue = (text: string): boolean => /[:：>]$/.test(text) && text.length < MAX_INTRODUCTION

/** For example `On 3 March 2026, Ann <ann@example.com> wrote:`, or a time and an address before a colon. */
function isIntroduction(text: string): boolean {
  if (text.length > MAX_INTRODUCTION) return false
  const lower = text.toLowerCase()
  if (VERBS.some((verb) => lower.includes(verb))) return /([:：]|wrote)$/.test(lower)
  return /[>\w][:：]$/.test(lower) && lower.includes('@') && /\d/.test(lower)
}

const startsAnIntroduction = (text: string): boolean => {
  const lower = text.toLowerCase()
  return STARTERS.some((starter) => lower.startsWith(starter)) || /^[^\s]{0,5}\s?\d/.test(lower)
}

/** Whether an introduction with a date begins here. If no quoted line follows it, everything after it is quoted. */
function isIntroductionFrom(lines: readonly Line[], index: number): boolean {
  let text = ''
  for (let i = index; i < lines.length && i < index + MAX_INTRODUCTION_LINES; i++) {
    const each = lines[i]
    if (each === undefined || each.text === '') break
    text = `${text} ${plain(each.text)}`.trim()
    if (i === index && !STARTERS.some((starter) => text.toLowerCase().startsWith(starter))) return false
    if (/[:：]$/.test(text)) return isIntroduction(text) && /\d/.test(text) && nextFilled(lines, i + 1) < lines.length
  }
  return false
}
