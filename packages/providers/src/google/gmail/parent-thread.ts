/**
 * Finds the thread of an answer: Gmail adds a sent or saved message to a thread only if the request names the thread.
 */

import { readMessageIds } from '@waypost/formats/mime/addresses'
import { headerOf } from '@waypost/formats/mime/headers'
import { ApiError } from '@waypost/platform/api-error'
import { headersOf } from '../../mail/mime-edits.ts'
import type { Answering } from '../../operations.ts'
import { providerStatus } from '../../shared/refusal.ts'
import type { Session } from '../session.ts'
import { gmailMessage, isMetadataOnly, me } from './gmail-api.ts'
import { messageList } from './listing.ts'

/** The Message-ID of the message that is answered. */
function parentOf(source: Uint8Array): string | undefined {
  const headers = headersOf(source)
  const named = (name: string): string[] => readMessageIds(headerOf(headers, name) ?? '')
  return named('in-reply-to')[0] ?? named('references').at(-1)
}

interface Answer extends Answering {
  source: Uint8Array
}

/**
 * The thread of the answered message, if the account has that message and may search for it. It is found by the
 * Message-ID in the headers, or by its id. Mail that reached the mailbox by other ways than SMTP may have no
 * Message-ID. Gmail files an answer by `threadId` and subject even if no header names the message (observed; its
 * guide asks for the headers, which the thread at the recipients depends on).
 */
export async function parentThread(
  session: Session,
  { source, replyToMessageId }: Answer,
): Promise<string | undefined> {
  const parent = parentOf(source)
  try {
    const found = parent === undefined ? undefined : await threadOfName(session, parent)
    return found ?? (await threadOfId(session, replyToMessageId))
  } catch (error) {
    // An account that may only send cannot search.
    if (error instanceof ApiError && error.code === 'insufficient_scopes') return undefined
    throw error
  }
}

async function threadOfName(session: Session, messageId: string): Promise<string | undefined> {
  if (isMetadataOnly(session)) return undefined
  const query = { q: named(messageId), includeSpamTrash: true, maxResults: 1, fields: 'messages(id,threadId)' }
  const { messages = [] } = await session.call('gmail', 'GET', `${me}/messages`, { query, read: messageList })
  return messages[0]?.threadId
}

async function threadOfId(session: Session, id: string | undefined): Promise<string | undefined> {
  if (id === undefined || !/^[0-9a-f]{1,32}$/i.test(id)) return undefined
  try {
    const query = { format: 'minimal', fields: 'id,threadId' }
    return (await session.call('gmail', 'GET', `${me}/messages/${id}`, { query, read: gmailMessage })).threadId
  } catch (error) {
    if (providerStatus(error) === 404) return undefined
    throw error
  }
}

/** The search for a message by its Message-ID. */
export const named = (messageId: string): string => `rfc822msgid:${messageId.replaceAll(/[\s"()]/g, '')}`
