/** Notifications of messages that arrived or changed. */
import type { Message } from '@waypost/contract'
import { readMessageIds } from '@waypost/formats/mime/addresses'
import { answeredBy, type MessageChange, messageChanges } from '../message-notifications.ts'
import type { ExchangeMailbox, Source } from './mail-api.ts'

/** The headers that name a message and the messages that it answers, as they are written. */
export interface NamingHeaders {
  messageId: string | undefined
  references: string | undefined
  inReplyTo: string | undefined
}

export interface NotifiedMail<B, M> {
  messageOf(mailbox: B, message: M): Message
  isDraft(message: M): boolean
  isHtml(message: M): boolean
  /** The id that the provider lists a message under. */
  listedIdOf(message: M): string
  namingHeadersOf(message: M): NamingHeaders
  /** Messages by the provider's ids. Messages that were deleted meanwhile are left out. */
  readListed(mailbox: B, ids: readonly string[]): Promise<M[]>
  sourcesOf(mailbox: B, messages: readonly Message[]): Promise<Source[]>
  originalNames(mailbox: B, messageIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}

export interface ChangedMessages {
  /** Ids as the provider lists them. */
  arrived: readonly string[]
  changed: readonly string[]
  /** Milliseconds. */
  notBefore: number
}

/** At most this many references of a message are looked up. */
const maxReferences = 10

/** Reads messages as they are now. Drafts, deleted messages and those older than the grant are not notified. */
export async function messageNotifications<B extends ExchangeMailbox, M>(
  mail: NotifiedMail<B, M>,
  mailbox: B,
  { arrived, changed, notBefore }: ChangedMessages,
): Promise<MessageChange[]> {
  const { grant, io } = mailbox.session
  const isNew = new Set(arrived)
  const read = await mail.readListed(mailbox, [...arrived, ...changed])
  const fresh = read.map((message) => {
    const { messageId = '', references = '', inReplyTo = '' } = mail.namingHeadersOf(message)
    return {
      message: mail.messageOf(mailbox, message),
      isNew: isNew.has(mail.listedIdOf(message)),
      isDraft: mail.isDraft(message),
      isHtml: mail.isHtml(message),
      messageId: readMessageIds(messageId)[0],
      references: answeredBy(readMessageIds(references), readMessageIds(inReplyTo)[0]),
    }
  })
  return messageChanges(fresh, {
    grant,
    io,
    notBefore,
    async sourcesOf(messages) {
      return (await mail.sourcesOf(mailbox, messages)).map(({ id, bytes }) => ({ id, source: bytes }))
    },
    originalNames(replies, reported) {
      // The newest references are closest.
      const answered = replies.flatMap(({ references }) => references.slice(-maxReferences))
      return mail.originalNames(mailbox, [...reported, ...answered])
    },
  })
}

/** At most this many sent messages are looked up for the names in answers and reports. */
export const maxNamesLookedUp = 40

/** The names that messages were sent under, by the names that the server gave them. Unchanged names are left out. */
export const changedNames = (
  sent: readonly { name: string | undefined; original: string | undefined }[],
): Map<string, string> =>
  new Map(
    sent.flatMap(({ name, original }) =>
      name !== undefined && original !== undefined && original !== name ? [[name, original] as const] : [],
    ),
  )

/** A message is new if no notification reported it recently and it was received after the folder was last read. */
export const isArrival = (
  { name, received }: { name: string; received: number | undefined },
  { recent, since }: { recent: { has(name: string): boolean }; since: number },
): boolean => received !== undefined && received >= since && !recent.has(name)
