/** Notifications of messages that arrived or changed. */

import type { Message } from '@waypost/contract'
import { readMessageIds } from '@waypost/formats/mime/addresses'
import { changedNames } from '../../mail/exchange/message-notifications.ts'
import { answeredBy, type FreshMessage, type MessageChange, messageChanges } from '../../mail/message-notifications.ts'
import type { Session } from '../session.ts'
import { isMetadataOnly } from './gmail-api.ts'
import { fromReading } from './mapping/message.ts'
import { bytesOf, headerOf } from './mapping/part.ts'
import { type Reading, readMessages } from './reading.ts'
import { namesByMessageId, threadNames } from './sent-names.ts'

/** Threads and reports whose names are looked up in one round. */
const maxLookedUp = 100

interface ToTell {
  come: readonly string[]
  changed: readonly string[]
  /** Milliseconds. */
  notBefore: number
  /** Older messages are ignored; in milliseconds. */
  from?: number | undefined
}

interface FreshGmailMessage extends FreshMessage {
  threadId: string
}

/** Each save of a draft creates another message, so a draft is notified when it is sent. */
export const isUnnotified = (labelIds: readonly string[] = []): boolean =>
  labelIds.includes('DRAFT') || labelIds.includes('CHAT')

/**
 * Notifies messages as they are now, arrived ones first. Deleted messages and those older than the grant are left
 * out.
 */
export async function messageNotifications(
  session: Session,
  { come, changed, notBefore, from = 0 }: ToTell,
): Promise<MessageChange[]> {
  const fields = isMetadataOnly(session) ? 'include_headers' : 'standard'
  const readings = await readMessages(session, [...come, ...changed], { fields, format: 'full' })
  const { grant, io } = session
  const came = new Set(come)
  const fresh = readings.flatMap((reading): FreshGmailMessage[] => {
    const { labelIds, threadId } = reading.message
    if (isUnnotified(labelIds)) return []
    const message = fromReading(reading, { grantId: grant.id, fields, shown: io.shown })
    const isNew = came.has(message.id)
    if (isNew && (message.date ?? 0) < Math.floor(from / 1000)) return []
    const [messageId] = idsIn(reading, 'message-id')
    const references = answeredBy(idsIn(reading, 'references'), idsIn(reading, 'in-reply-to')[0])
    return [{ message, threadId, isNew, isDraft: false, isHtml: reading.parsed?.isHtml, messageId, references }]
  })
  return messageChanges(fresh, {
    grant,
    io,
    notBefore,
    suffix: isMetadataOnly(session) ? 'metadata' : undefined,
    sourcesOf: (messages) => sourcesOf(session, messages),
    originalNames: (replies, reported) => originalNames(session, replies, reported),
  })
}

/** The bytes of messages, if the grant may read more than headers. */
async function sourcesOf(
  session: Session,
  suspects: readonly Message[],
): Promise<{ id: string; source: Uint8Array }[]> {
  if (isMetadataOnly(session)) return []
  const ids = suspects.map(({ id }) => id)
  const raws = await readMessages(session, ids, { fields: 'raw_mime', format: 'raw' })
  return raws.map(({ message }) => ({ id: message.id, source: bytesOf(message.raw ?? '') }))
}

/** Replies and reports refer to names that Gmail gave; the names that the messages were sent under are looked up. */
async function originalNames(
  session: Session,
  replies: readonly FreshGmailMessage[],
  reported: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const threads = new Set(replies.map(({ threadId }) => threadId))
  const found = [
    ...(await threadNames(session, [...threads].slice(0, maxLookedUp))),
    ...(await namesByMessageId(session, [...new Set(reported)].slice(0, maxLookedUp))),
  ]
  return changedNames(found.map(({ messageId, original }) => ({ name: messageId, original })))
}

const idsIn = ({ headers }: Reading, name: string): string[] => readMessageIds(headerOf(headers, name) ?? '')
