/**
 * Reads the fields of a delivery status (RFC 3464 §2, with the international forms of RFC 6533 §3) for each
 * recipient. Most mail systems write them in a separate part, some in the text. Pure.
 */

import { readMessageIds } from '../mime/addresses.ts'
import { type Header, headerOf, readHeaders } from '../mime/headers.ts'
import { decodeWords } from '../mime/words.ts'
import { type Action, codesOf, oneLine, type RecipientStatus, statusIn } from './report.ts'

const MAX_RECIPIENTS = 500
const MAX_BLOCKS = 1_000
const ACTIONS: ReadonlySet<string> = new Set<Action>(['failed', 'delayed', 'delivered', 'relayed', 'expanded'])
const isAction = (text: string): text is Action => ACTIONS.has(text)

export interface StatusFields {
  messageId: string | undefined
  recipients: RecipientStatus[]
}

/** Reads a block of fields about the message, then one for each recipient. */
export function readStatusFields(content: Buffer): StatusFields {
  const recipients: RecipientStatus[] = []
  let messageId: string | undefined
  for (const fields of fieldBlocks(content).flatMap(byRecipient)) {
    const named = headerOf(fields, 'x-original-message-id') ?? headerOf(fields, 'original-message-id')
    messageId ??= readMessageIds(named ?? '')[0]
    const recipient = recipientOf(fields)
    if (recipient && recipients.length < MAX_RECIPIENTS) recipients.push(recipient)
  }
  return { messageId, recipients }
}

/** Header blocks separated by blank lines (RFC 3464 §2.1). */
export function fieldBlocks(content: Buffer): Header[][] {
  const text = content.toString('latin1').replace(/^\s+/, '')
  const blocks = text.split(/(?:\r?\n[ \t]*){2,}/, MAX_BLOCKS)
  return blocks.map((block) => readHeaders(block, { start: 0, end: block.length }).headers)
}

/** Splits recipients whose fields follow each other without a blank line. */
function byRecipient(fields: readonly Header[]): Header[][] {
  const blocks: Header[][] = [[]]
  for (const field of fields) {
    const last = blocks.at(-1)
    const isNext = /^(?:original|final)-recipient$/i.test(field.name) && last?.some(({ name }) => name === field.name)
    if (isNext) blocks.push([field])
    else last?.push(field)
  }
  return blocks
}

function recipientOf(fields: readonly Header[]): RecipientStatus | undefined {
  const original = addressIn(headerOf(fields, 'original-recipient'))
  const address = addressIn(headerOf(fields, 'final-recipient')) ?? addressIn(headerOf(fields, 'x-actual-recipient'))
  const known = address ?? original
  if (known === undefined) return undefined
  const diagnostic = headerOf(fields, 'diagnostic-code') ?? headerOf(fields, 'x-postfix-diagnostic-code') ?? ''
  const reported = headerOf(fields, 'status') ?? ''
  const reason = oneLine(decodeWords(diagnostic.replace(/^\s*[\w.-]+\s*;/, '')) || reasonOf(reported))
  const codes = codesOf(reason)
  const status = preciseStatus(statusIn(reported), codes.status) ?? statusByAction(headerOf(fields, 'action'))
  const action = actionOf(headerOf(fields, 'action') ?? '') ?? actionByCode(status ?? codes.code)
  if (action === undefined) return undefined
  return {
    address: known,
    ...(original === undefined ? {} : { original }),
    action,
    ...(status === undefined ? {} : { status }),
    ...(codes.code === undefined ? {} : { code: codes.code }),
    reason: reason === '' ? (status ?? action) : reason,
  }
}

/** The first word of an Action; some systems use other words for a failure. */
function actionOf(field: string): Action | undefined {
  const said =
    field
      .trim()
      .toLowerCase()
      .split(/[\s(;]/)[0] ?? ''
  if (isAction(said)) return said
  return /^(?:fail\w*|undeliverable|expired)$/.test(said) ? 'failed' : undefined
}

const statusByAction = (field = ''): string | undefined => (/^\s*expired\b/i.test(field) ? '4.4.7' : undefined)

const actionByCode = (code: string | undefined): Action | undefined =>
  code?.startsWith('5') ? 'failed' : code?.startsWith('4') ? 'delayed' : undefined

/** An SMTP reply in the place of the status code: `553 Message is too large`. */
const reasonOf = (status: string): string => (/^\s*[45]\d\d\b/.test(status) ? status : '')

/** The address in `rfc822; someone@example.com`, without brackets and comments. */
function addressIn(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const semicolon = value.indexOf(';')
  const text = unescapeAddress(semicolon === -1 ? value : value.slice(semicolon + 1))
  const [found] = /(?:"[^"\n]{1,100}"|[^\s<>()";,]{1,250})@[^\s<>()";,]{1,250}/.exec(text) ?? []
  return found
}

/** Non-ASCII characters in an address are written as `\x{1F600}` (RFC 6533 §3). */
const unescapeAddress = (text: string): string =>
  text.replaceAll(/\\x\{([0-9a-f]{1,6})\}/gi, (written, digits: string) => {
    const point = Number.parseInt(digits, 16)
    return point > 0x20 && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000)
      ? String.fromCodePoint(point)
      : written
  })

/** `5.0.0` only means failure. The status of the other server is more precise, if it is in the same class. */
export function preciseStatus(reported: string | undefined, said: string | undefined): string | undefined {
  if (reported === undefined || said === undefined) return reported ?? said
  return /^[245]\.0\.0$/.test(reported) && said[0] === reported[0] ? said : reported
}
