/** Choices that stand in several places, by a name. */
import type { MessageQuery, MessagesSendQuery, ScheduledMessage } from './generated/types.ts'

/** What of a message is answered. */
export type MessageFields = NonNullable<MessageQuery['fields']>
/** Which headers of a sent message are answered. */
export type SentFields = MessagesSendQuery['fields']
/** How it stands with a message that is sent at a time. */
export type ScheduleCode = ScheduledMessage['status']['code']
