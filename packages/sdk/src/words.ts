/** Named types of choices that occur in several places. */
import type {
  ContactExportQuery,
  EventExportQuery,
  MessageExportQuery,
  MessageQuery,
  MessagesSendQuery,
  ScheduledMessage,
} from './generated/types.ts'

/** Fields to return for a message. */
export type MessageFields = NonNullable<MessageQuery['fields']>
/** Headers to return for a sent message. */
export type SentFields = MessagesSendQuery['fields']
/** State of a scheduled message. */
export type ScheduleCode = ScheduledMessage['status']['code']
/** Formats of exported messages. */
export type MessageExportFormat = NonNullable<MessageExportQuery['format']>
/** Formats of exported events. */
export type EventExportFormat = NonNullable<EventExportQuery['format']>
/** Formats of exported contacts. */
export type ContactExportFormat = NonNullable<ContactExportQuery['format']>
/** Versions of exported vCards. */
export type VCardVersion = NonNullable<ContactExportQuery['version']>
