import type { EmailName, Message, MessageFields } from '@waypost/contract'
import { snippetOf } from '@waypost/formats/html/html-text'
import { personOf } from '../../../mail/exchange/mapping.ts'
import { plainLines, requestedBeside } from '../../../mail/message.ts'
import type { PlainHeader } from '../../../mail/source-headers.ts'
import type { Mailbox as Person } from '../../types/ids.ts'
import type { MessageItem } from '../../types/message.ts'
import { propertyNumber, propertyText } from '../../types/paths.ts'
import { fromAttachments } from './attachment.ts'
import { folderIdOf, idOf, receivedOf, threadIdOf } from './names.ts'
import { flagged, flagStatus, senderSmtpAddress } from './properties.ts'

/** Seconds. A message that was never received has the time at which it was sent or created. */
export const dateOf = (item: MessageItem): number =>
  receivedOf(item) || Math.floor((item.DateTimeSent ?? item.DateTimeCreated ?? 0) / 1000)

/** An entry of the directory may have no mail address. */
const people = (list: readonly Person[] | undefined): EmailName[] =>
  (list ?? []).flatMap(({ Name, EmailAddress: address }) => (address?.includes('@') ? [personOf(Name, address)] : []))

function writersOf(item: MessageItem): EmailName[] {
  const person = item.From?.Mailbox ?? item.Sender?.Mailbox
  if (!person) return []
  const known = people([person])
  if (known.length > 0) return known
  return people([{ ...person, EmailAddress: propertyText(item.ExtendedProperty, senderSmtpAddress) }])
}

export const isHtml = ({ Body }: MessageItem): boolean => Body?.BodyType === 'HTML'

const snippetFor = ({ Preview: preview, Body: body }: MessageItem): string =>
  preview === undefined ? snippetOf(body?.value ?? '', body?.BodyType === 'HTML') : snippetOf(preview, false)

export const isStarred = (item: MessageItem): boolean => propertyNumber(item.ExtendedProperty, flagStatus) === flagged

const headersOf = ({ InternetMessageHeaders: headers = [] }: MessageItem): PlainHeader[] =>
  headers.map(({ HeaderName, value }) => ({ name: HeaderName, value }))

/** The headers that define threads, for messages without other headers. */
function basicHeadersOf({ InternetMessageId, InReplyTo, References }: MessageItem): PlainHeader[] {
  const named = { 'Message-ID': InternetMessageId, 'In-Reply-To': InReplyTo, References }
  return Object.entries(named).flatMap(([name, value]) => (value ? [{ name, value }] : []))
}

/** Maps a message; fields that were not requested are empty. */
export function fromItem(
  item: MessageItem,
  at: { grantId: string; fields: MessageFields; shown(html: string): string },
): Message {
  const answered = item.InReplyTo?.trim()
  return {
    id: idOf(item),
    grant_id: at.grantId,
    object: 'message',
    thread_id: threadIdOf(item),
    subject: item.Subject ?? '',
    from: writersOf(item),
    to: people(item.ToRecipients),
    cc: people(item.CcRecipients),
    bcc: people(item.BccRecipients),
    reply_to: people(item.ReplyTo),
    date: dateOf(item),
    unread: item.IsRead === false,
    starred: isStarred(item),
    snippet: snippetFor(item),
    body: at.shown(plainLines(item.Body?.value ?? '')),
    folders: item.ParentFolderId ? [folderIdOf(item.ParentFolderId.Id)] : [],
    attachments: fromAttachments(item.Attachments, at.grantId),
    ...(answered ? { in_reply_to: answered } : {}),
    ...requestedBeside(at.fields, at.fields === 'include_basic_headers' ? basicHeadersOf(item) : headersOf(item)),
  }
}
