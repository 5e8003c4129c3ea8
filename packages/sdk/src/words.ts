/** Named types of choices that occur in several places. */
import type { MessageQuery, MessagesSendQuery, ScheduledMessage } from './generated/types.ts'

/** Fields to return for a message. */
export type MessageFields = NonNullable<MessageQuery['fields']>
/** Headers to return for a sent message. */
export type SentFields = MessagesSendQuery['fields']
/** State of a scheduled message. */
export type ScheduleCode = ScheduledMessage['status']['code']
