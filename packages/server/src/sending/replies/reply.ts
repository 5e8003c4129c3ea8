/** How an answer hangs on the message it answers (RFC 5322 §3.6.4): In-Reply-To, References and the subject. Pure. */
import { isMessageId } from '../compose/headers.ts'

/** The message that is answered. */
export interface Parent {
  /** Without its brackets; some messages have none. */
  messageId?: string
  references: readonly string[]
  subject: string
}

/** Threads can have thousands of messages; the first and the newest name the thread well enough. */
const MOST_REFERENCES = 30

/** References of an answer: what the parent refers to and the parent itself. What strangers wrote there and is no id is left out. */
export function referencesTo({ messageId, references }: Parent): string[] {
  const named = messageId === undefined ? references : [...references.filter((id) => id !== messageId), messageId]
  const [first, ...rest] = [...new Set(named)].filter(isMessageId)
  return first === undefined ? [] : [first, ...rest.slice(-(MOST_REFERENCES - 1))]
}

/** What In-Reply-To names: the parent itself, if it has a name. */
export const inReplyTo = ({ messageId }: Parent): string | undefined =>
  messageId !== undefined && isMessageId(messageId) ? messageId : undefined

/**
 * "Re" as programs write it: English and Latin; German AW and Antw; Danish, Norwegian and Swedish SV; Finnish VS; Icelandic
 * SV; Italian R and RIF; Portuguese RES; Polish ODP; Turkish YNT; Hungarian Vá; Welsh ATB; Indonesian
 * BLS; Romanian RĂ; Estonian VS; Greek ΑΠ and ΣΧΕΤ; Russian На and Отв; Ukrainian Відп; Hebrew and Arabic; Chinese, Japanese
 * and Korean. Some count: `Re[2]:`, `Re(2):`, `Re^2:`, `RE2:`.
 */
const ANSWER =
  /^\s*(?:re\d{0,4}|aw|antw|antwort|sv|vs|r|rif|res|odp|ynt|vá|va|atb|bls|ră|απ|σχετ|на|отв|відп|השב|תשובה|رد|回复|回覆|答复|答覆|返信|답장|회신)\s*(?:\[\d{1,4}\]|\(\d{1,4}\)|\^\d{1,4})?\s*[:：]/iu

/** Whether a subject says already that the message is an answer. */
export const isAnswer = (subject: string): boolean => ANSWER.test(subject.normalize('NFC'))

/** The subject of an answer: `Re: ` before the parent's, unless it stands there in some language. */
export function answerSubject(subject: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what strangers wrote becomes one line
  const line = subject.replaceAll(/[\0-\x1f\x7f-\x9f]+/g, ' ').trim()
  return isAnswer(line) ? line : `Re: ${line}`.trim()
}
