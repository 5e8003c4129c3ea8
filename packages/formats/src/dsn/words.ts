/**
 * Maps the texts of mail systems about failed deliveries to status codes (RFC 3463), in several languages. The words
 * count only if a mail system wrote them (`heuristics.ts`).
 */
import { codesOf, oneLine, type RecipientStatus } from './report.ts'

/** The result for an address, without the address. */
export type Verdict = Omit<RecipientStatus, 'address' | 'original'>

const any = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'), 'iu')

export const BOUNCE_SUBJECT = any(
  /undeliver|non[- ]?deliver|not (?:be )?(?:deliver|sent)|deliver\w* (?:problem|fail|error|report|status|notif)/,
  /(?:fail|error|problem)\w*[ :-].{0,30}deliver|fail(?:ed|ure) (?:notice|mail|message)|mail fail(?:ed|ure)/,
  /return(?:ed|ing) (?:mail|message|to sender)|mail (?:delivery|system) (?:fail|error)/,
  /message (?:could not|status|blocked|rejected)|user unknown/,
  /unzustellbar|nicht zustellbar|nicht zugestellt|zustellung fehlgeschlagen|fehlgeschlagene zustellung/,
  /non (?:remis|distribu)|(?:échec|echec) de (?:la )?(?:remise|livraison|distribution)|(?:remise|livraison) impossible/,
  /no se (?:ha podido |pudo )?entreg|no entregad|fallo (?:de|en la) entrega|error de entrega/,
  /mancato recapito|non recapitabile|não entregue|falha na entrega|onbestelbaar|niet bezorgd|niedostarcz/,
  /退信|无法投递|投递失败|無法傳遞|не доставлено|недоставлен|не удалось доставить|配信(?:不能|エラー|失敗|できません)|メールエラー通知/,
)

/** The subject of a person's message that forwards or answers a bounce. */
export const PASSED_ON = /^\s*(?:re|fwd?|wg|aw|tr|rv|enc|i|vs|doorst|antw|回复|转发|答复)\s*(?:\[\d+\])?\s*[:：]/iu

/** Texts about a message that is delayed, not lost. */
const STILL_TRYING = any(
  /not yet been (?:delivered|possible)|will (?:continue|keep|be (?:retried|tried)|retry|try)|still (?:trying|being tried|be retried)/,
  /warning message only|no (?:action|need to resend)|attempts? (?:to deliver )?will continue/,
  /wird weiter(?:hin)? versucht|weitere zustellversuche|nouvelles? tentatives?|seguir(?:á|emos) intentando|nuevo intento/,
  /continuer(?:à|emo) a tentare|будут продолжены|будет продолжать|将继续尝试|繼續嘗試|再送を(?:続け|試み)/,
)
const DELAY = any(
  /\bdelay(?:ed)?\b.{0,80}(?:deliver|message|mail)|(?:deliver|message|mail)\w*\b.{0,80}\bdelayed/,
  /temporar(?:y|ily) (?:problem|fail|defer)/,
  /zustellung.{0,40}verzögert|verzögert.{0,40}zustell|retard de (?:la )?(?:remise|livraison)|entrega.{0,30}retrasad/,
  /consegna.{0,30}ritard|entrega.{0,30}atrasad|доставка.{0,40}(?:задерж|отлож)|延迟(?:投递|送达)|配信.{0,20}遅延/,
)
/** Texts of a mail system that will not try again, regardless of the code of the last reply. */
const GIVEN_UP = any(
  /\b(?:i'm |am |are |is )?not going to try again|(?:been |too long )in (?:the |our |my )?queue too long|too long in (?:the |our )?queue/,
  /retry time(?:out)? (?:exceeded|not reached for any host after a long)|(?:giving|gave|given) (?:it )?up\b(?! on)|will be deleted from (?:the )?queue/,
  /(?:message|mail|delivery(?: time)?|queue(?: time)?)\b.{0,30}\bexpired|expired (?:in|from) (?:the )?queue|maximum.time.expired/,
  /(?:no (?:more|further)|will not (?:be )?(?:make|any)?) ?(?:delivery )?(?:attempts?|retr(?:y|ies)|retried)|exceeded (?:the )?max(?:imum)? (?:retry|number of (?:retries|attempts))/,
  /delivery failed (?:after )?\d+ attempts|unable to deliver (?:message |mail )?(?:after|for) (?:multiple|\d+)|too many (?:retries|delivery attempts)/,
  /keine weiteren zustellversuche|aufgegeben|abandonn(?:é|ons)|ne sera plus tent|no se (?:harán|realizarán) más|больше не будут?|不再(?:尝试|重试)|再送を(?:中止|打ち切)/,
)

const NAME = String.raw`(?:[^.\n]|\.(?=\S)){0,80}`
const DOMAIN = any(
  new RegExp(
    String.raw`\b(?:domain|host|hostname|mx)\b${NAME}\b(?:not found|unknown|does(?: not|n't) exist|lookup|invalid|not exist|no such|(?:does not|doesn't) receive)`,
  ),
  /no such (?:domain|host)|(?:unknown|invalid|bad) (?:domain|host)|nxdomain|null mx|unrouteable mail domain|name (?:service|or service) (?:error|not known)/,
  /no mx (?:or a|record)|could not find a gateway|host or domain name|couldn't find any host|dns (?:error|failure)|had no relevant answers/,
  /domäne?.{0,40}(?:nicht gefunden|existiert nicht)|domaine.{0,40}(?:introuvable|inexistant)|dominio.{0,40}(?:no existe|inesistente)|домен.{0,30}не (?:найден|существует)|域名.{0,10}不存在/,
)
const MAILBOX = any(
  /invalid final delivery userid|no mailbox here|not listed in|unrouteable address|no longer (?:exists|available|valid|in use|here)/,
  /(?:unknown|no such|invalid|bad|nonexist\w*|non-exist\w*|unrecogni[sz]ed|undefined) (?:local[- ]?)?(?:user|recipient|address|mailbox|account|person|local ?part|email)/,
  /(?:user|recipient|address(?:ee)?|mailbox|account|name|inbox|e-?mail\w*)\b[^.\n]{0,60}\b(?:unknown|unavailable|not (?:be )?(?:found|known)|does(?: not|n.t) exist|disabled|inactive|suspended|invalid|not recogni[sz]ed|not exist|rejected|terminated|not listed|not (?:a )?valid|closed)/,
  /does not have an? .{0,30}account|this user doesn't have/,
  /(?:empfänger|benutzer|adresse|postfach)\b.{0,50}(?:unbekannt|nicht gefunden|existiert nicht|nicht vorhanden)/,
  /(?:destinataire|utilisateur|adresse|compte)\b.{0,50}(?:inconnue?|introuvable|n'existe p(?:as|lus)|inexistante?)/,
  /(?:destinatario|usuario|utente|dirección|indirizzo|buz[óo]n|casella)\b.{0,50}(?:desconocid|no existe|inesistente|sconosciut|non (?:esiste|trovat)|no encontrad)/,
  /(?:destinat[áa]rio|usu[áa]rio|endereço|caixa postal)\b.{0,50}(?:desconhecid|não existe|inexistente|não encontrad)/,
  /(?:пользовател|получател|адрес|ящик)\S*.{0,50}не (?:найден|существует|зарегистрирован)/,
  /不存在|查无此人|用户名?错误|(?:ユーザ|宛先|アドレス|メールボックス).{0,30}(?:不明|存在しません|見つかりません)|リストにありません/,
)
const FULL = any(
  /(?:mailbox|quota|inbox|storage|disk)\b[^.\n]{0,40}\b(?:full|exceed\w*|over|limit)|exceed\w*\b.{0,20}\bquota|over ?quota|out of storage/,
  /postfach.{0,20}voll|speicherplatz.{0,30}(?:erschöpft|überschritten)|bo[iî]te.{0,30}pleine|quota dépassé|buz[óo]n.{0,20}lleno|casella.{0,20}piena|caixa.{0,20}cheia/,
  /ящик.{0,20}переполнен|已满|空间不足|いっぱい|容量.{0,20}超/,
)
const LARGE =
  /(?:message|mail)\b[^.\n]{0,30}\b(?:too (?:large|big|long)|size (?:exceed|limit))|exceed\w*\b.{0,40}\bsize|nachricht.{0,30}zu groß|message.{0,20}trop (?:gros|volumineux)/iu
const PERMANENT = any(
  /permanent(?:ly)? (?:error|fail\w*|delivery error)|fail\w* permanently|fatal error|permanent(?:ly)? undeliver/,
  /(?:could|can) ?not be (?:delivered|sent)|(?:was|were|is) not delivered|did not reach|undeliverable|(?:unable|not able) to deliver|could not deliver|error (?:while )?delivering/,
  /(?:recipients?|address(?:es|\(es\))?) (?:has |have )?failed|recipients? (?:was|were) rejected|delivery (?:has )?failed|failed recipient/,
  /konnte nicht zugestellt|nicht zustellbar|n'a pas pu être (?:remis|délivr|distribu)|pas pu etre delivre|impossible de (?:remettre|livrer|distribuer)/,
  /no (?:se pudo|ha podido|pudo ser) entreg|non (?:è stato possibile|può essere|è stato) (?:consegna|recapita)|não (?:pôde|foi possível).{0,20}entreg/,
  /не (?:может быть|было|удалось) достав|无法送达|无法投递|投递失败|無法傳遞|配信(?:できません|不能)|配送できません/,
)

/** Whether a subject says that a message is lost. */
export const subjectFails = (subject: string): boolean =>
  /fail|undeliver|return|could not|rejected|unknown|unzustellbar|nicht zugestellt|退信|不能|失敗|失败|не доставлено|недоставлен/iu.test(
    subject,
  ) && !subjectDelays(subject)

/** Whether a subject says that a message is only delayed. */
export const subjectDelays = (subject: string): boolean =>
  (/\b(?:delay(?:ed)?|warning|deferred|temporar\w+)\b|still (?:being |not )?\w+|not yet/i.test(subject) ||
    DELAY.test(subject)) &&
  !/undeliver|return|fail(?:ed|ure)|unknown|rejected/i.test(subject)

/** The verdict of a mail system's text, or undefined if it is not about a delivery. */
export function judge(text: string, subject: string): Verdict | undefined {
  const { code, status } = codesOf(text)
  const said = { ...(status === undefined ? {} : { status }), ...(code === undefined ? {} : { code }) }
  const reason = reasonIn(text)
  if (subjectDelays(subject)) return { action: 'delayed', ...said, reason }
  if ((status ?? code)?.startsWith('5')) {
    const precise = status ?? statusByWords(text) ?? '5.0.0'
    return { action: 'failed', status: precise, ...(code?.startsWith('5') ? { code } : {}), reason }
  }
  if (STILL_TRYING.test(text)) return { action: 'delayed', ...said, reason }
  if (GIVEN_UP.test(text))
    return { action: 'failed', ...said, status: status ?? statusByWords(text) ?? '4.4.7', reason }
  if (DELAY.test(text)) return { action: 'delayed', ...said, reason }
  const known = statusByWords(text)
  if ((status ?? code) !== undefined) {
    const action = subjectFails(subject) || known !== undefined || PERMANENT.test(text) ? 'failed' : 'delayed'
    return { action, ...said, status: status ?? '4.0.0', reason }
  }
  if (known !== undefined) return { action: 'failed', status: known, reason }
  return PERMANENT.test(text) ? { action: 'failed', status: '5.0.0', reason } : undefined
}

/** The verdict if only the subject is in a supported language. */
export const judgeSubject = (subject: string): Verdict | undefined =>
  subjectFails(subject) ? { action: 'failed', status: '5.0.0', reason: oneLine(subject) } : undefined

function statusByWords(text: string): string | undefined {
  if (DOMAIN.test(text)) return '5.1.2'
  if (MAILBOX.test(text)) return '5.1.1'
  if (FULL.test(text)) return '5.2.2'
  return LARGE.test(text) ? '5.3.4' : undefined
}

/** The paragraph with a code or a recognized phrase, or else the first one. */
function reasonIn(text: string): string {
  const paragraphs = text
    .split(/\n\s*\n/)
    .map((paragraph) => oneLine(paragraph.replace(/^[\s:<>.,)*-]+/, '')))
    .filter((paragraph) => /\p{L}/u.test(paragraph))
  const telling = paragraphs.find((paragraph) => {
    const { code, status } = codesOf(paragraph)
    return code !== undefined || status !== undefined || statusByWords(paragraph) !== undefined
  })
  return (telling ?? paragraphs[0] ?? '').slice(0, 500)
}
