/** The names of sent messages: the Message-ID that Gmail gave, and the one that a message was handed over with. */
import { readMessageIds } from '../../../formats/mime-addresses.ts'
import { ApiError } from '../../../lib/api-error.ts'
import type { Session } from '../session.ts'
import { type GmailHeader, type GmailMessage, type GmailThread, isMissing, me } from './gmail-api.ts'
import { headerOf } from './mapping/part.ts'
import { named } from './parent-thread.ts'

/** Carries the Message-ID that a message was sent under here. */
export const ownName = 'X-Waypost-Message-ID'
/** What Gmail itself writes where it keeps the name that it replaced. */
const googleName = 'X-Google-Original-Message-ID'

const metadata = { format: 'metadata', metadataHeaders: ['Message-ID', ownName, googleName] }

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

function found<T>(answers: readonly (T | ApiError)[]): T[] {
  return answers.flatMap((answer) => {
    if (!(answer instanceof ApiError)) return [answer]
    if (isMissing(answer)) return []
    throw answer
  })
}

/** The names of messages by their ids. */
export async function sentNames(session: Session, ids: readonly string[]): Promise<SentNames[]> {
  const query = { ...metadata, fields: 'id,threadId,payload/headers' }
  const calls = ids.map((id) => ({ path: `${me}/messages/${id}`, query }))
  return found(await session.batch<GmailMessage>('gmail', calls)).map(namesOf)
}

/** The names of the sent messages that have one of these Message-IDs. */
export async function namesByMessageId(session: Session, messageIds: readonly string[]): Promise<SentNames[]> {
  const calls = messageIds.map((messageId) => ({
    path: `${me}/messages`,
    query: { q: named(messageId), labelIds: 'SENT', includeSpamTrash: true, maxResults: 1, fields: 'messages/id' },
  }))
  const lists = found(await session.batch<{ messages?: { id: string }[] }>('gmail', calls))
  return sentNames(
    session,
    lists.flatMap(({ messages = [] }) => messages.map(({ id }) => id)),
  )
}

/** The names of the messages of threads that the account sent. */
export async function threadNames(session: Session, threadIds: readonly string[]): Promise<SentNames[]> {
  const query = { ...metadata, fields: 'messages(id,threadId,labelIds,payload/headers)' }
  const calls = threadIds.map((id) => ({ path: `${me}/threads/${id}`, query }))
  const threads = found(await session.batch<GmailThread>('gmail', calls))
  const sent = threads.flatMap(({ messages = [] }) => messages.filter(({ labelIds }) => labelIds?.includes('SENT')))
  return sent.map(namesOf)
}
