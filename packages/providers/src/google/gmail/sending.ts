/**
 * Sending by Gmail, which files sent messages by itself. It gives a message that is sent through its API a Message-ID
 * of its own, so a header of the message carries our Message-ID, by which it is found again.
 */

import { flag, object, readableItems, text } from '@waypost/platform/json/reader'
import { withRecipients } from '../../mail/mime-edits.ts'
import { SentIds } from '../../mail/sent-ids.ts'
import { withOwnName } from '../../mail/sent-name.ts'
import { transmissionMs } from '../../mail/transmission.ts'
import type { OutgoingMessage, SentMessage } from '../../operations.ts'
import { SendFailed, type SentMail } from '../../provider.ts'
import { providerStatus } from '../../shared/refusal.ts'
import { sendFailure } from '../../shared/send-failure.ts'
import type { Session } from '../session.ts'
import { me } from './gmail-api.ts'
import { type ListedId, messageList } from './listing.ts'
import { uploadMessage } from './message-upload.ts'
import { named, parentThread } from './parent-thread.ts'
import { sentNames, sentUnder } from './sent-names.ts'

const sentMessage = object({ id: text }, {})

const sendMs = transmissionMs - 30_000

/** The ids of messages that this node sent. Message-IDs are unique, so all accounts share one table. */
const sentIds = ({ io }: Session): SentIds => io.shared('sent ids', () => new SentIds())

/** Sends a message. Gmail reads the recipients from its headers. */
export async function sendThroughGmail(
  session: Session,
  message: OutgoingMessage,
  begin: () => Promise<void>,
): Promise<SentMessage> {
  const threadId = await parentThread(session, message)
  // Gmail needs Bcc recipients and our Message-ID in the headers.
  const source = withRecipients(withOwnName(message.source, message.messageId), message.recipients)
  const { path, body } = destinationOf(message, threadId)
  let isBegun = false
  const call = {
    method: 'POST' as const,
    path: `${me}/${path}`,
    query: { fields: 'id' },
    body,
    read: sentMessage,
    deadlineMs: sendMs,
  }
  try {
    const { id } = await uploadMessage(session, call, { source, largeFiles: message.largeFiles }, async () => {
      await begin()
      isBegun = true
    })
    sentIds(session).add(message.messageId, id)
    return { id }
  } catch (error) {
    throw isBegun ? sendFailure(error) : error
  }
}

/** The path and the JSON body of a send. Sending a draft also deletes it. */
function destinationOf({ draftId }: OutgoingMessage, threadId: string | undefined): { path: string; body?: object } {
  const thread = threadId === undefined ? {} : { threadId }
  if (draftId !== undefined) return { path: 'drafts/send', body: { id: draftId, message: thread } }
  return { path: 'messages/send', ...(threadId === undefined ? {} : { body: thread }) }
}

/** At most this many of the newest sent messages are searched. */
const checkedAt = 100

async function find(session: Session, messageId: string): Promise<string | undefined> {
  const list = async (query: Record<string, string | number>): Promise<ListedId[]> => {
    const all = { ...query, labelIds: 'SENT', includeSpamTrash: true, fields: 'messages(id,threadId)' }
    const { messages = [] } = await session.call('gmail', 'GET', `${me}/messages`, { query: all, read: messageList })
    return messages
  }
  const [same] = await list({ q: named(messageId), maxResults: 1 })
  if (same) return same.id
  const newest = await list({ maxResults: checkedAt })
  const found = await sentNames(
    session,
    newest.map(({ id }) => id),
  )
  return found.find((each) => sentUnder(each) === messageId)?.id
}

export const sent: SentMail<Session> = {
  find,
  async file(session, message) {
    const id = sentIds(session).take(message.messageId) ?? (await find(session, message.messageId))
    if (id === undefined) throw new SendFailed('Gmail has not filed the message yet')
    return { id }
  },
}

const sendAs = object({ sendAsEmail: text }, { isPrimary: flag, verificationStatus: text })
const answer = object({}, { sendAs: readableItems(sendAs) })

/**
 * The verified addresses that an account may send from, in addition to its own; none if the grant may not read them.
 */
export async function aliases(session: Session): Promise<string[]> {
  const query = { fields: 'sendAs(sendAsEmail,isPrimary,verificationStatus)' }
  try {
    const { sendAs: all = [] } = await session.call('gmail', 'GET', `${me}/settings/sendAs`, { query, read: answer })
    return all
      .filter(({ isPrimary, verificationStatus }) => !isPrimary && (verificationStatus ?? 'accepted') === 'accepted')
      .map(({ sendAsEmail }) => sendAsEmail)
  } catch (error) {
    if (providerStatus(error) === 403) return []
    throw error
  }
}
