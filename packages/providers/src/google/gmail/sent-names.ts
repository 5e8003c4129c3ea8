/** The names of sent messages: the Message-ID that Gmail gave, and the original one. */

import { readMessageIds } from '@waypost/formats/mime/addresses'
import { list, object, readableItems } from '@waypost/platform/json/reader'
import { ownName } from '../../mail/sent-name.ts'
import type { Session } from '../session.ts'
import { foundOf, type GmailHeader, type GmailMessage, gmailId, gmailMessage, me } from './gmail-api.ts'
import { headerOf } from './mapping/part.ts'
import { named } from './parent-thread.ts'

/** The header in which Gmail retains a Message-ID that it replaced. */
const googleName = 'X-Google-Original-Message-ID'

const metadata = { format: 'metadata', metadataHeaders: ['Message-ID', ownName, googleName] }

const idList = object({}, { messages: readableItems(object({ id: gmailId }, {})) })
/** A thread of which only the messages are requested. */
const messagesAlone = object({}, { messages: list(gmailMessage) })

export interface SentNames {
  id: string
  threadId: string
  /** As recipients see it; without brackets, like all of these. */
  messageId: string | undefined
  /** As it was sent here. */
  original: string | undefined
}

const idIn = (headers: readonly GmailHeader[] | undefined, name: string): string | undefined => {
  const value = headerOf(headers, name.toLowerCase())
  return value === undefined ? undefined : (readMessageIds(value)[0] ?? value.trim())
}

const namesOf = ({ id, threadId, payload }: GmailMessage): SentNames => ({
  id,
  threadId,
  messageId: idIn(payload?.headers, 'Message-ID'),
  original: idIn(payload?.headers, ownName) ?? idIn(payload?.headers, googleName),
})

/** The name that a message was sent under. */
export const sentUnder = ({ original, messageId }: SentNames): string | undefined => original ?? messageId

/** The names of messages by id. */
export async function sentNames(session: Session, ids: readonly string[]): Promise<SentNames[]> {
  const query = { ...metadata, fields: 'id,threadId,payload/headers' }
  const calls = ids.map((id) => ({ path: `${me}/messages/${id}`, query }))
  return foundOf(await session.batch('gmail', calls, gmailMessage)).map(namesOf)
}

/** The names of the sent messages with one of these Message-IDs. */
export async function namesByMessageId(session: Session, messageIds: readonly string[]): Promise<SentNames[]> {
  const calls = messageIds.map((messageId) => ({
    path: `${me}/messages`,
    query: { q: named(messageId), labelIds: 'SENT', includeSpamTrash: true, maxResults: 1, fields: 'messages/id' },
  }))
  const lists = foundOf(await session.batch('gmail', calls, idList))
  return sentNames(
    session,
    lists.flatMap(({ messages = [] }) => messages.map(({ id }) => id)),
  )
}

/** The names of the messages that the account sent in these threads. */
export async function threadNames(session: Session, threadIds: readonly string[]): Promise<SentNames[]> {
  const query = { ...metadata, fields: 'messages(id,threadId,labelIds,payload/headers)' }
  const calls = threadIds.map((id) => ({ path: `${me}/threads/${id}`, query }))
  const threads = foundOf(await session.batch('gmail', calls, messagesAlone))
  const sent = threads.flatMap(({ messages = [] }) => messages.filter(({ labelIds }) => labelIds?.includes('SENT')))
  return sent.map(namesOf)
}
