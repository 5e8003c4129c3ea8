/**
 * Sending by Gmail, which files what it sends by itself. It gives a message that comes through its API a Message-ID of its
 * own, so a message carries the one that it was sent under in a header beside it: by that it is found again.
 */
import { readAddresses } from '../../../formats/mime/addresses.ts'
import { object, text } from '../../../lib/json/reader.ts'
import { hiddenRecipients } from '../../mail/outline.ts'
import { SentIds } from '../../mail/sent-ids.ts'
import { transmissionMs } from '../../mail/transmission.ts'
import type { OutgoingMessage, Sent } from '../../operations.ts'
import { SendFailed, type SentMail } from '../../provider.ts'
import { sendFailure } from '../../shared/send-failure.ts'
import type { Session } from '../session.ts'
import { me } from './gmail-api.ts'
import { type Listed, messageList } from './listing.ts'
import { headersOf, named, parentThread } from './parent-thread.ts'
import { ownName, sentNames, sentUnder } from './sent-names.ts'

const sentMessage = object({ id: text }, {})

const sendMs = transmissionMs - 30_000

/** What this node sent: Message-IDs are unique, so that all accounts share it. */
const sentIds = ({ io }: Session): SentIds => io.shared('sent ids', () => new SentIds())

/** Sends a message. Who is to have it, Gmail reads from its headers. */
export async function sendThroughGmail(
  session: Session,
  message: OutgoingMessage,
  begin: () => Promise<void>,
): Promise<Sent> {
  const threadId = await parentThread(session, message)
  const bytes = Buffer.concat([Buffer.from(headersFor(message)), message.source])
  // Whatever is wrong with the account itself shows before the message is on its way.
  await session.io.accessToken()
  await begin()
  try {
    const { path, body } = destinationOf(message, threadId)
    const { id } = await session.call('gmail', 'POST', `${me}/${path}`, {
      read: sentMessage,
      query: { fields: 'id' },
      raw: { bytes, contentType: 'message/rfc822' },
      body,
      deadlineMs: sendMs,
    })
    sentIds(session).add(message.messageId, id)
    return { id }
  } catch (error) {
    throw sendFailure(error)
  }
}

/** Where a message is posted, and what is said of it: a draft ends with its sending. */
function destinationOf({ draftId }: OutgoingMessage, threadId: string | undefined): { path: string; body?: object } {
  const thread = threadId === undefined ? {} : { threadId }
  if (draftId !== undefined) return { path: 'drafts/send', body: { id: draftId, message: thread } }
  return { path: 'messages/send', ...(threadId === undefined ? {} : { body: thread }) }
}

/** What a message needs for Gmail: those who get it without being named, and the name that it is sent under. */
function headersFor({ messageId, recipients, source }: OutgoingMessage): string {
  const named = headersOf(source)
    .filter(({ name }) => /^(to|cc|bcc)$/i.test(name))
    .flatMap(({ value }) => readAddresses(value))
  const hidden = hiddenRecipients(recipients, named)
  return [
    ...(hidden.length > 0 ? [`Bcc: ${hidden.map((address) => `<${address}>`).join(',\r\n ')}\r\n`] : []),
    `${ownName}: <${messageId}>\r\n`,
  ].join('')
}

/** So many of the newest sent messages are looked through. */
const lookedAt = 100

async function find(session: Session, messageId: string): Promise<string | undefined> {
  const list = async (query: Record<string, string | number>): Promise<Listed[]> => {
    const all = { ...query, labelIds: 'SENT', includeSpamTrash: true, fields: 'messages(id,threadId)' }
    const { messages = [] } = await session.call('gmail', 'GET', `${me}/messages`, { query: all, read: messageList })
    return messages
  }
  const [same] = await list({ q: named(messageId), maxResults: 1 })
  if (same) return same.id
  const newest = await list({ maxResults: lookedAt })
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
