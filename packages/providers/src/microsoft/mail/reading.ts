/** Reads messages by their ids, many in one request, and the bytes of messages. */
import type { Message, MessageFields } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { text } from '@waypost/platform/json/reader'
import type { Source } from '../../mail/exchange/mail-api.ts'
import { isMalformed } from '../../shared/answer.ts'
import { isTooLarge } from '../../shared/exchange.ts'
import { isMissing } from '../errors.ts'
import { foundOf, type GraphMessage, graphMessage, idPath, type Mailbox, orNotFound } from './mail-api.ts'
import { fromMessage } from './mapping/message.ts'
import { asSent, type MessageQuery, queryOf } from './mapping/properties.ts'

const megabyte = 1024 * 1024
/** The most that is read of one page of messages with their texts. */
export const pageBytes = 48 * megabyte
/** Exchange stores messages of up to 150 MB; base64 adds a third. */
export const sourceBytes = 210 * megabyte
export const downloadMs = 120_000

export const messageOf = ({ session }: Mailbox, message: GraphMessage, fields: MessageFields = 'standard'): Message =>
  fromMessage(message, { grantId: session.grant.id, fields, shown: session.io.shown })

const messagePath = (mailbox: Mailbox, id: string): string => mailbox.path(`messages/${idPath('message', id)}`)

export const readMessage = (
  mailbox: Mailbox,
  id: string,
  wanted: MessageQuery,
  what: 'message' | 'draft' = 'message',
): Promise<GraphMessage> =>
  orNotFound(what, () =>
    mailbox.session.call('GET', mailbox.path(`messages/${idPath(what, id)}`), {
      read: graphMessage,
      query: queryOf(wanted),
      prefer: asSent,
      maxBytes: pageBytes,
    }),
  )

/** Reads listed messages in their order. Messages that were deleted meanwhile are left out. */
export async function readMessages(
  mailbox: Mailbox,
  ids: readonly string[],
  wanted: MessageQuery,
): Promise<GraphMessage[]> {
  const query = queryOf(wanted)
  const calls = ids.map((id) => ({ path: messagePath(mailbox, id), query, prefer: asSent }))
  return foundOf(await mailbox.session.batch(calls, graphMessage))
}

const texts: MessageQuery = { properties: ['id', 'body'], attachments: false }

export async function withTexts(mailbox: Mailbox, messages: readonly GraphMessage[]): Promise<GraphMessage[]> {
  const ids = messages.map(({ id }) => id)
  const bodies = new Map((await readMessages(mailbox, ids, texts)).map(({ id, body }) => [id, body]))
  return messages.map((message) => {
    const body = bodies.get(message.id)
    return body ? { ...message, body } : message
  })
}

export async function readSource(mailbox: Mailbox, id: string, what: 'message' | 'draft' = 'message'): Promise<Source> {
  const options = { maxBytes: sourceBytes, deadlineMs: downloadMs }
  const path = `${messagePath(mailbox, id)}/$value`
  const { body } = await orNotFound(what, () => mailbox.session.download(path, options))
  return { id, bytes: body }
}

/** A batch contains bytes as base64. Text is recognized by the colon that every header has. */
const bytesOf = (value: string): Buffer =>
  /^[\w+/=\s-]*$/.test(value) ? Buffer.from(value, 'base64') : Buffer.from(value, 'latin1')

/** The bytes of messages by their ids. Messages that were deleted meanwhile are left out. */
export async function readSources(mailbox: Mailbox, ids: readonly string[]): Promise<Source[]> {
  const calls = ids.map((id) => ({ path: `${messagePath(mailbox, id)}/$value` }))
  const answers = await mailbox.session.batch(calls, text)
  const found: Source[] = []
  for (const [place, answer] of answers.entries()) {
    const id = ids[place] ?? ''
    if (!(answer instanceof ApiError)) found.push({ id, bytes: bytesOf(answer) })
    else if (!isMissing(answer)) found.push(await readAlone(mailbox, id, answer))
  }
  return found
}

/** Reads a message that did not fit into a batch. */
function readAlone(mailbox: Mailbox, id: string, failure: ApiError): Promise<Source> {
  const isUnfit = isTooLarge(failure) || isMalformed(failure) || failure.code === 'provider_refused'
  if (!isUnfit) throw failure
  return readSource(mailbox, id)
}
