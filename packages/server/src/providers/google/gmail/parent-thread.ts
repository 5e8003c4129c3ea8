/** The thread that an answer goes into: Gmail joins what is sent or saved through its API to one only where it is named. */
import { readMessageIds } from '../../../formats/mime-addresses.ts'
import { type Header, headerOf, readHeaders } from '../../../formats/mime-headers.ts'
import { ApiError } from '../../../lib/api-error.ts'
import type { Session } from '../session.ts'
import { isMetadataOnly, me } from './gmail-api.ts'
import { messageList } from './listing.ts'

/** The headers of a message that was composed here, or by a client of ours. */
export function headersOf(source: Uint8Array): Header[] {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  const [crlf, lf] = [bytes.indexOf('\r\n\r\n'), bytes.indexOf('\n\n')]
  const ends = [crlf, lf].filter((at) => at !== -1)
  const text = bytes.toString('latin1', 0, ends.length === 0 ? bytes.length : Math.min(...ends))
  return readHeaders(text, { start: 0, end: text.length }).headers
}

/** The message that one answers, by its Message-ID. */
function parentOf(source: Uint8Array): string | undefined {
  const headers = headersOf(source)
  const named = (name: string): string[] => readMessageIds(headerOf(headers, name) ?? '')
  return named('in-reply-to')[0] ?? named('references').at(-1)
}

/** The thread of the message that these bytes answer, if the account has that message and lets it be looked for. */
export async function parentThread(session: Session, source: Uint8Array): Promise<string | undefined> {
  const parent = parentOf(source)
  if (parent === undefined || isMetadataOnly(session)) return undefined
  try {
    const query = { q: named(parent), includeSpamTrash: true, maxResults: 1, fields: 'messages(id,threadId)' }
    const { messages = [] } = await session.call('gmail', 'GET', `${me}/messages`, { query, read: messageList })
    return messages[0]?.threadId
  } catch (error) {
    // An account that may only send may not search.
    if (error instanceof ApiError && error.code === 'insufficient_scopes') return undefined
    throw error
  }
}

/** The search for a message by its Message-ID. */
export const named = (messageId: string): string => `rfc822msgid:${messageId.replaceAll(/[\s"()]/g, '')}`
