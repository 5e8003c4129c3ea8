/** Threads a reply with its parent (RFC 5322 §3.6.4): In-Reply-To, References and subject. Pure. */

export interface Parent {
  /** Without angle brackets; some messages have none. */
  messageId?: string
  references: readonly string[]
  subject: string
}

/** What stands between the brackets of a Message-ID or Content-ID: printable ASCII without blanks and brackets. */
const MESSAGE_ID = /^[!-;=?-~]{1,900}$/
export const isMessageId = (text: string): boolean => MESSAGE_ID.test(text)

/** Threads can have thousands of messages. The first one and the newest ones are enough to identify the thread. */
const MAX_REFERENCES = 30

/** References of a reply: the parent's references and the parent itself. Invalid ids are left out. */
export function referencesTo({ messageId, references }: Parent): string[] {
  const named = messageId === undefined ? references : [...references.filter((id) => id !== messageId), messageId]
  const [first, ...rest] = [...new Set(named)].filter(isMessageId)
  return first === undefined ? [] : [first, ...rest.slice(-(MAX_REFERENCES - 1))]
}

/** The value of In-Reply-To, if the parent has a Message-ID. */
export const inReplyTo = ({ messageId }: Parent): string | undefined =>
  messageId !== undefined && isMessageId(messageId) ? messageId : undefined

/**
 * "Re" in the languages of mail clients: English and Latin; German AW and Antw; Danish, Norwegian and Swedish SV;
 * Finnish VS; Icelandic SV; Italian R and RIF; Portuguese RES; Polish ODP; Turkish YNT; Hungarian Vá; Welsh ATB;
 * Indonesian BLS; Romanian RĂ; Estonian VS; Greek ΑΠ and ΣΧΕΤ; Russian На and Отв; Ukrainian Відп; Hebrew and Arabic;
 * Chinese, Japanese and Korean. Some clients count: `Re[2]:`, `Re(2):`, `Re^2:`, `RE2:`.
 */
const ANSWER =
  /^\s*(?:re\d{0,4}|aw|antw|antwort|sv|vs|r|rif|res|odp|ynt|vá|va|atb|bls|ră|απ|σχετ|на|отв|відп|השב|תשובה|رد|回复|回覆|答复|答覆|返信|답장|회신)\s*(?:\[\d{1,4}\]|\(\d{1,4}\)|\^\d{1,4})?\s*[:：]/iu

/** The prefix of an answer is not longer, with its spaces. */
const MAX_PREFIX = 100

export const isAnswer = (subject: string): boolean => ANSWER.test(subject.slice(0, MAX_PREFIX).normalize('NFC'))

/** Adds `Re: ` unless the subject already begins with it in some language. */
export function answerSubject(subject: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what strangers wrote becomes one line
  const line = subject.replaceAll(/[\0-\x1f\x7f-\x9f]+/g, ' ').trim()
  return isAnswer(line) ? line : `Re: ${line}`.trim()
}
