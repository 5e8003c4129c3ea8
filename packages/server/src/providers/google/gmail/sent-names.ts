/** The names of sent messages: the Message-ID that Gmail gave, and the one that a message was handed over with. */
import { readMessageIds } from '../../../formats/mime/addresses.ts'
import { list, object, readableItems } from '../../../lib/json/reader.ts'
import type { Session } from '../session.ts'
import { foundOf, type GmailHeader, type GmailMessage, gmailId, gmailMessage, me } from './gmail-api.ts'
import { headerOf } from './mapping/part.ts'
import { named } from './parent-thread.ts'

/** Carries the Message-ID that a message was sent under here. */
export const ownName = 'X-Waypost-Message-ID'
/** What Gmail itself writes where it keeps the name that it replaced. */
const googleName = 'X-Google-Original-Message-ID'

const metadata = { format: 'metadata', metadataHeaders: ['Message-ID', ownName, googleName] }

const idList = object({}, { messages: readableItems(object({ id: gmailId }, {})) })
/** A thread of which nothing but its messages is asked for. */
const messagesAlone = object({}, { messages: list(gmailMessage) })

export interface SentNames {
  id: string
  threadId: string
  /** As everybody else sees it; without brackets, as all of these. */
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

/** The name that a message was sent under here. */
export const sentUnder = ({ original, messageId }: SentNames): string | undefined => original ?? messageId

/** The names of messages by their ids. */
export async function sentNames(session: Session, ids: readonly string[]): Promise<SentNames[]> {
  const query = { ...metadata, fields: 'id,threadId,payload/headers' }
  const calls = ids.map((id) => ({ path: `${me}/messages/${id}`, query }))
  return foundOf(await session.batch('gmail', calls, gmailMessage)).map(namesOf)
}

/** The names of the sent messages that have one of these Message-IDs. */
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

/** The names of the messages of threads that the account sent. */
export async function threadNames(session: Session, threadIds: readonly string[]): Promise<SentNames[]> {
  const query = { ...metadata, fields: 'messages(id,threadId,labelIds,payload/headers)' }
  const calls = threadIds.map((id) => ({ path: `${me}/threads/${id}`, query }))
  const threads = foundOf(await session.batch('gmail', calls, messagesAlone))
  const sent = threads.flatMap(({ messages = [] }) => messages.filter(({ labelIds }) => labelIds?.includes('SENT')))
  return sent.map(namesOf)
}
