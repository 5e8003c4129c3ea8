/** Messages, including those about meetings, and answers to invitations. */
import { boolean, list, sequence, text, type ValueOf } from '../soap/description.ts'
import { itemId, mailbox, recipient } from './ids.ts'
import { body, itemFields } from './item.ts'

/** ArrayOfRecipientsType. */
export const recipients = list('Mailbox', mailbox)

/** What is used of MessageType, in the order of the schema. */
export const messageFields = {
  ...itemFields,
  Sender: recipient,
  ToRecipients: recipients,
  CcRecipients: recipients,
  BccRecipients: recipients,
  From: recipient,
  InternetMessageId: text,
  IsRead: boolean,
  References: text,
  ReplyTo: recipients,
}

export const messageItem = sequence(messageFields)
export type MessageItem = ValueOf<typeof messageItem>

/** The answers to invitations: what is used of AcceptItemType and similar types. */
export const meetingAnswer = sequence({ Body: body, ReferenceItemId: itemId })
