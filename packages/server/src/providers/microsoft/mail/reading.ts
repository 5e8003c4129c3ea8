/** Reads messages by their ids, many with one request; and what Graph tells of a message only as its bytes. */
import { ApiError } from '../../../lib/api-error.ts'
import { text } from '../../../lib/json/reader.ts'
import { areAsWritten, headersIn } from '../../mail/source-headers.ts'
import { isMalformed } from '../../shared/answer.ts'
import { isTooLarge } from '../../shared/exchange.ts'
import { isMissing } from '../errors.ts'
import { pageBytes } from './listing.ts'
import { foundOf, type GraphMessage, graphMessage, idPath, type Mailbox, orNotFound } from './mail-api.ts'
import { asSent, queryOf, type Wanted } from './mapping/properties.ts'

const megabyte = 1024 * 1024
/** Exchange takes messages of up to 150 MB. */
export const sourceBytes = 210 * megabyte
export const downloadMs = 120_000

const messagePath = (mailbox: Mailbox, id: string): string => mailbox.path(`messages/${idPath('message', id)}`)

/** Reads one message, or the one that a draft is. */
export const readMessage = (
  mailbox: Mailbox,
  id: string,
  wanted: Wanted,
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

/** Reads messages by their ids, in their order; those that are gone by now are left out. */
export async function readMessages(mailbox: Mailbox, ids: readonly string[], wanted: Wanted): Promise<GraphMessage[]> {
  const query = queryOf(wanted)
  const calls = ids.map((id) => ({ path: messagePath(mailbox, id), query, prefer: asSent }))
  return foundOf(await mailbox.session.batch(calls, graphMessage))
}

/** The bytes of a message. */
export async function readSource(mailbox: Mailbox, id: string): Promise<Buffer> {
  const options = { maxBytes: sourceBytes, deadlineMs: downloadMs }
  const path = `${messagePath(mailbox, id)}/$value`
  const { body } = await orNotFound('message', () => mailbox.session.download(path, options))
  return body
}

/** What is no JSON stands in a batch in base64; a header has a colon, so that text would be told apart. */
const bytesOf = (value: string): Buffer =>
  /^[\w+/=\s-]*$/.test(value) ? Buffer.from(value, 'base64') : Buffer.from(value, 'latin1')

/** The bytes of messages by their ids; those that are gone by now are left out. */
export async function readSources(mailbox: Mailbox, ids: readonly string[]): Promise<Map<string, Buffer>> {
  const calls = ids.map((id) => ({ path: `${messagePath(mailbox, id)}/$value` }))
  const answers = await mailbox.session.batch(calls, text)
  const found = new Map<string, Buffer>()
  for (const [place, answer] of answers.entries()) {
    const id = ids[place] ?? ''
    if (!(answer instanceof ApiError)) found.set(id, bytesOf(answer))
    else if (!isMissing(answer)) found.set(id, await alone(mailbox, id, answer))
  }
  return found
}

/** What did not fit into a batch is read alone. */
function alone(mailbox: Mailbox, id: string, failure: ApiError): Promise<Buffer> {
  const isUnfit = isTooLarge(failure) || isMalformed(failure) || failure.code === 'provider_refused'
  if (!isUnfit) throw failure
  return readSource(mailbox, id)
}

/** Messages with their headers. Those that Graph does not tell, or decoded, are read from the bytes. */
export async function withHeaders(mailbox: Mailbox, messages: readonly GraphMessage[]): Promise<GraphMessage[]> {
  const bare = messages.filter(({ internetMessageHeaders = [] }) => !areAsWritten(internetMessageHeaders))
  if (bare.length === 0) return [...messages]
  const sources = await readSources(
    mailbox,
    bare.map(({ id }) => id),
  )
  const headers = await headersIn(mailbox.session.io, sources)
  return messages.map((message) => {
    const read = headers.get(message.id)
    return read ? { ...message, internetMessageHeaders: read } : message
  })
}
