// What reports about a delivery are read to, and what all ways of reading them need. Pure.

export type Action = 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'

/** What is said of one recipient. */
export interface RecipientStatus {
  /** The address that was tried last, and the one that the sender wrote where it is told too. */
  address: string
  original?: string
  action: Action
  /** `5.1.1`, where it is told or follows from the text. */
  status?: string
  /** The SMTP reply code, `550`. */
  code?: string
  /** In the words of the server, one line. */
  reason: string
}

export interface DeliveryReport {
  kind: 'delivery'
  /** The Message-ID of the message that it is about, without brackets. */
  messageId?: string
  recipients: RecipientStatus[]
}

const MAX_REASON = 1_000

const STATUS_CODE = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/
const REPLY_CODE = /(?<![\d.])([45][0-5]\d)(?=[\s\-#,;:)\]<"]|$)/

export const statusIn = (text: string): string | undefined => STATUS_CODE.exec(text)?.[1]

/** The SMTP reply code and the status code in what a server said. */
export function codesOf(text: string): { code?: string; status?: string } {
  const code = REPLY_CODE.exec(text)?.[1]
  const status = statusIn(text)
  return { ...(code === undefined ? {} : { code }), ...(status === undefined ? {} : { status }) }
}

/** Without line breaks and control characters, as long as a reader wants. */
export const oneLine = (text: string): string =>
  text
    .replaceAll(/[\0-\x20\x7f]+/g, ' ')
    .trim()
    .slice(0, MAX_REASON)
    .toWellFormed()
