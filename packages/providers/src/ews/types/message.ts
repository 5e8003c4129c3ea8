/** Messages, including those about meetings, and objects that respond to an item: replies and answers to invitations. */
import { base64, boolean, dateTime, enumeration, list, sequence, text, type ValueOf } from '../soap/description.ts'
import { attachments } from './attachment.ts'
import { itemId, mailbox, recipient } from './ids.ts'
import { body, itemFields } from './item.ts'

/** ArrayOfRecipientsType. */
export const recipients = list('Mailbox', mailbox)

/** MessageType, in the order of the schema. */
export const messageFields = {
  ...itemFields,
  Sender: recipient,
  ToRecipients: recipients,
  CcRecipients: recipients,
  BccRecipients: recipients,
  IsReadReceiptRequested: boolean,
  IsDeliveryReceiptRequested: boolean,
  ConversationIndex: base64,
  ConversationTopic: text,
  From: recipient,
  InternetMessageId: text,
  IsRead: boolean,
  IsResponseRequested: boolean,
  References: text,
  ReplyTo: recipients,
  ReceivedBy: recipient,
  ReceivedRepresenting: recipient,
}

export const messageItem = sequence(messageFields)
export type MessageItem = ValueOf<typeof messageItem>

export const responseTypes = ['Unknown', 'Organizer', 'Tentative', 'Accept', 'Decline', 'NoResponseReceived'] as const

/** MeetingMessageType: the fields that requests, answers and cancellations of meetings share. */
export const meetingMessageFields = {
  ...messageFields,
  AssociatedCalendarItemId: itemId,
  IsDelegated: boolean,
  IsOutOfDate: boolean,
  HasBeenProcessed: boolean,
  ResponseType: enumeration(responseTypes),
  UID: text,
  RecurrenceId: dateTime,
  DateTimeStamp: dateTime,
  IsOrganizer: boolean,
}

export const meetingMessage = sequence(meetingMessageFields)

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
