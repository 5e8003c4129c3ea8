/** The types of delivery reports, and helpers for all their readers. Pure. */

export type Action = 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'

/** The status of one recipient. */
export interface RecipientStatus {
  /** The address of the last attempt; `original` is the address that the sender used, if the report contains it. */
  address: string
  original?: string
  action: Action
  /** Such as `5.1.1`, from the report or derived from its text. */
  status?: string
  /** The SMTP reply code, such as `550`. */
  code?: string
  /** The server's own words, on one line. */
  reason: string
}

export interface DeliveryReport {
  kind: 'delivery'
  /** The Message-ID of the reported message, without brackets. */
  messageId?: string
  recipients: RecipientStatus[]
}

const MAX_REASON = 1_000

const STATUS_CODE = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/
const REPLY_CODE = /(?<![\d.])([45][0-5]\d)(?=[\s\-#,;:)\]<"]|$)/

export const statusIn = (text: string): string | undefined => STATUS_CODE.exec(text)?.[1]

/** The SMTP reply code and the status code in a server's text. */
export function codesOf(text: string): { code?: string; status?: string } {
  const code = REPLY_CODE.exec(text)?.[1]
  const status = statusIn(text)
  return { ...(code === undefined ? {} : { code }), ...(status === undefined ? {} : { status }) }
}

/** The text without line breaks and control characters, at most `MAX_REASON` characters. */
export const oneLine = (text: string): string =>
  text
    .replaceAll(/[\0-\x20\x7f]+/g, ' ')
    .trim()
    .slice(0, MAX_REASON)
    .toWellFormed()
