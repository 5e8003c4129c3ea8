/** Objects that respond to an item: replies, and answers to invitations. */
import { boolean, dateTime, list, sequence, text } from '../soap/description.ts'
import { attachments } from './attachment.ts'
import { itemId } from './ids.ts'
import { body, itemFields } from './item.ts'
import { mailbox, recipient } from './mailbox.ts'

const recipients = list('Mailbox', mailbox)

/** AcceptItemType and similar types, in the order of the schema. */
export const meetingAnswer = sequence({
  ItemClass: text,
  Sensitivity: itemFields.Sensitivity,
  Body: body,
  Attachments: attachments,
  Sender: recipient,
  ToRecipients: recipients,
  CcRecipients: recipients,
  BccRecipients: recipients,
  IsReadReceiptRequested: boolean,
  IsDeliveryReceiptRequested: boolean,
  From: recipient,
  ReferenceItemId: itemId,
  ProposedStart: dateTime,
  ProposedEnd: dateTime,
})

/** SmartResponseType: replies, forwards, and the cancellation of a meeting. */
export const smartResponse = sequence({
  Subject: text,
  Body: body,
  ToRecipients: recipients,
  CcRecipients: recipients,
  BccRecipients: recipients,
  IsReadReceiptRequested: boolean,
  IsDeliveryReceiptRequested: boolean,
  From: recipient,
  ReferenceItemId: itemId,
  NewBodyContent: body,
})
