/** What stands in `data.object` of each notification. Calendars, events, messages, contacts and folders are those that the API answers with. */
import { z } from 'zod'
import { Calendar } from './calendars.ts'
import { Contact } from './contact-objects.ts'
import { Event } from './event-objects.ts'
import { Id, Metadata, Timestamp } from './fields.ts'
import { Folder } from './folders.ts'
import { Message, messageFields } from './messages.ts'
import { ProviderKind } from './provider-kinds.ts'

const grantFacts = {
  grant_id: Id,
  integration_id: z.string().meta({ description: 'The connector' }),
  provider: ProviderKind,
  email: z.string(),
}

export const GrantCreatedObject = z
  .object({
    code: z.literal(25012),
    ...grantFacts,
    login_id: z.string().optional().meta({ description: 'Of a hosted sign-in' }),
    name: z.string().nullable().optional(),
    scope: z.array(z.string()),
  })
  .meta({ id: 'GrantCreatedObject' })
export const GrantUpdatedObject = z
  .object({
    code: z.literal([25014, 25027]).meta({ description: '25027 after re-authentication, 25014 otherwise' }),
    ...grantFacts,
    reauthentication_flag: z.boolean(),
    scope: z.array(z.string()).optional(),
  })
  .meta({ id: 'GrantUpdatedObject' })
export const GrantExpiredObject = z
  .object({ code: z.literal(25009), ...grantFacts, grant_updated_at: Timestamp })
  .meta({ id: 'GrantExpiredObject' })
export const GrantDeletedObject = z.object({ code: z.literal(25013), ...grantFacts }).meta({ id: 'GrantDeletedObject' })

export const MessageObject = Message.omit({
  headers: true,
  tracking_options: true,
  raw_mime: true,
}).meta({ id: 'MessageObject' })

/** Of an account that shows the headers of its mail alone. */
export const MessageHeadersObject = Message.omit({
  body: true,
  snippet: true,
  attachments: true,
  in_reply_to: true,
  tracking_options: true,
  raw_mime: true,
}).meta({ id: 'MessageHeadersObject' })

export const ScheduledMessageObject = z
  .object({
    object: z.literal('message'),
    grant_id: Id,
    id: z.string().optional(),
    schedule_id: z.string().optional(),
    send_at: Timestamp.optional(),
    use_draft: z.boolean().optional(),
    snippet: z.string().optional(),
    ...messageFields,
  })
  .meta({ id: 'ScheduledMessageObject' })

export const BounceObject = z
  .object({
    bounce_reason: z.string(),
    bounce_date: z.string(),
    bounced_addresses: z.string(),
    type: z.string(),
    code: z.string(),
    grant_id: Id,
    message_id: z.string().optional(),
    origin: z.object({
      to: z.array(z.string()),
      from: z.string(),
      cc: z.array(z.string()),
      bcc: z.array(z.string()),
      subject: z.string(),
      mime_id: z.string(),
      id: z.string(),
      original_send_at: z.string(),
    }),
  })
  .meta({ id: 'BounceObject' })

const tracked = {
  message_id: z.string(),
  grant_id: Id,
  label: z.string(),
  sender_app_id: z.string(),
  timestamp: Timestamp,
}
const visit = { ip: z.string(), timestamp: Timestamp, user_agent: z.string() }

export const MessageOpenedObject = z
  .object({
    object: z.literal('message'),
    ...tracked,
    message_data: z.object({ count: z.int(), timestamp: Timestamp }),
    recents: z.array(z.object({ opened_id: z.int(), ...visit })),
  })
  .meta({ id: 'MessageOpenedObject' })
export const LinkClickedObject = z
  .object({
    object: z.literal('message'),
    ...tracked,
    link_data: z.array(z.object({ count: z.int(), url: z.string() })),
    recents: z.array(z.object({ click_id: z.int(), link_index: z.string(), ...visit })),
  })
  .meta({ id: 'LinkClickedObject' })
export const ThreadRepliedObject = z
  .object({
    object: z.literal('thread'),
    ...tracked,
    root_message_id: z.string(),
    reply_data: z.object({ count: z.int() }),
    reply_to_message_id: z.string(),
    from_self: z.boolean(),
    thread_id: z.string(),
  })
  .meta({ id: 'ThreadRepliedObject' })

export const CalendarDeletedObject = Calendar.partial()
  .required({ id: true, object: true, grant_id: true })
  .omit({ metadata: true, description: true, location: true, owner_email: true })
  .meta({ id: 'CalendarDeletedObject' })

export const EventObject = Event.extend({
  occurrences: z.array(z.string()).optional().meta({ description: 'Ids of the instances that were changed' }),
  cancelled_occurrences: z
    .array(z.string())
    .optional()
    .meta({ description: 'Ids of the instances that were cancelled' }),
  account_id: z.string().optional().meta({ description: 'Only on accounts that were migrated' }),
}).meta({ id: 'EventObject' })
export const EventDeletedObject = z
  .object({
    id: z.string(),
    object: z.literal('event'),
    grant_id: Id,
    calendar_id: z.string(),
    master_event_id: z.string().optional(),
    metadata: Metadata.optional(),
  })
  .meta({ id: 'EventDeletedObject' })

export const ContactObject = Contact.omit({ picture: true }).meta({ id: 'ContactObject' })
export const ContactDeletedObject = ContactObject.pick({ id: true, grant_id: true, object: true }).meta({
  id: 'ContactDeletedObject',
})

export const FolderDeletedObject = Folder.pick({
  id: true,
  grant_id: true,
  object: true,
  name: true,
  system_folder: true,
})
  .partial({ name: true })
  .meta({ id: 'FolderDeletedObject' })

const identified = z.object({ grant_id: Id })

/** Beside `object`, of the notifications that say more than the object. */
export const MessageData = identified.meta({ id: 'MessageData' })
export const SendFailedData = identified
  .extend({
    reason: z.string(),
    error: z.object({
      type: z.string(),
      message: z.string(),
      status_code: z.int().optional(),
      provider_error: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .meta({ id: 'SendFailedData' })
