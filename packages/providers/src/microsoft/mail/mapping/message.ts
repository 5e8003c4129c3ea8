/** The positions of Graph's messages in lists. */
import type { EmailName, Message, MessageFields } from '@waypost/contract'
import { snippetOf } from '@waypost/formats/html/html-text'
import { personOf } from '../../../mail/exchange/mapping.ts'
import { plainLines, requestedBeside } from '../../../mail/message.ts'
import { type ListPlace, newestFirst } from '../../../mail/position.ts'
import type { GraphMessage, GraphRecipient } from '../mail-api.ts'
import { fromAttachment } from './attachment.ts'

/** Seconds. */
export const dateOf = ({ receivedDateTime }: Pick<GraphMessage, 'receivedDateTime'>): number =>
  receivedDateTime === undefined ? 0 : Math.floor(Date.parse(receivedDateTime) / 1000)

const people = (recipients: readonly GraphRecipient[] | undefined): EmailName[] =>
  (recipients ?? []).flatMap(({ emailAddress: { name, address } = {} }) => (address ? [personOf(name, address)] : []))

export const isHtml = ({ body }: GraphMessage): boolean => body?.contentType?.toLowerCase() === 'html'

/** Maps a message; fields that were not requested are empty. */
export function fromMessage(
  message: GraphMessage,
  at: { grantId: string; fields: MessageFields; shown(html: string): string },
): Message {
  return {
    id: message.id,
    grant_id: at.grantId,
    object: 'message',
    thread_id: message.conversationId ?? '',
    subject: message.subject ?? '',
    from: people(message.from && [message.from]),
    to: people(message.toRecipients),
    cc: people(message.ccRecipients),
    bcc: people(message.bccRecipients),
    reply_to: people(message.replyTo),
    date: dateOf(message),
    unread: message.isRead === false,
    starred: message.flag?.flagStatus === 'flagged',
    snippet: snippetOf(message.bodyPreview ?? '', false),
    body: at.shown(plainLines(message.body?.content ?? '')),
    folders: message.parentFolderId === undefined ? [] : [message.parentFolderId],
    attachments: (message.attachments ?? []).map((each) => fromAttachment(each, at.grantId)),
    ...requestedBeside(
      at.fields,
      (message.internetMessageHeaders ?? []).map(({ name, value = '' }) => ({ name, value })),
    ),
  }
}

export const placeOf = (message: GraphMessage): ListPlace => ({ id: message.id, date: dateOf(message) })

export const byPlace = (a: GraphMessage, b: GraphMessage): number => newestFirst(placeOf(a), placeOf(b))
