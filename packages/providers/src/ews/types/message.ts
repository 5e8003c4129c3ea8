/** Messages, including those about meetings. */
import { base64, boolean, dateTime, enumeration, list, sequence, text, type ValueOf } from '../soap/description.ts'
import { itemFields } from './item.ts'
import { itemId, mailbox, recipient } from './mailbox.ts'

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
