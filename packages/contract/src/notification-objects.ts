/** What stands in `data.object` of each notification. Calendars, events, messages, contacts and folders are those that the API answers with. */
import { z } from 'zod'
import { Calendar } from './calendars.ts'
import { Contact } from './contact-objects.ts'
import { Event } from './event-objects.ts'
import { GrantId, Metadata, Timestamp } from './fields.ts'
import { Folder } from './folders.ts'
import { Message, messageFields } from './messages.ts'
import { ProviderKind } from './provider-kinds.ts'

const grantFacts = {
  grant_id: GrantId.meta({ description: 'Id of the grant' }),
  integration_id: z.string().meta({ description: 'Id of the connector that it was made by' }),
  provider: ProviderKind.meta({ description: 'Kind of the account' }),
  email: z.string().meta({ description: 'Address of the account, or the name of a virtual one' }),
}
const codeOf = <const C extends number>(code: C) =>
  z.literal(code).meta({ description: `Number of what happened: always ${code}` })
const Scope = z.array(z.string()).meta({ description: 'Scopes of the grant, in the words of the provider' })
const isObject = <const Name extends string>(name: Name) =>
  z.literal(name).meta({ description: `What the object is: always \`${name}\`` })

export const GrantCreatedObject = z
  .object({
    code: codeOf(25012),
    ...grantFacts,
    login_id: z
      .string()
      .optional()
      .meta({ description: 'Id of the hosted sign-in that it comes from; absent where none' }),
    name: z.string().nullable().optional().meta({
      description: 'Name of the user as the provider tells it; null where it does not',
    }),
    scope: Scope,
  })
  .meta({ id: 'GrantCreatedObject', description: 'A grant that is new' })
export const GrantUpdatedObject = z
  .object({
    code: z.literal([25014, 25027]).meta({
      description: 'Number of what happened: 25027 after a re-authentication, 25014 otherwise',
    }),
    ...grantFacts,
    reauthentication_flag: z.boolean().meta({
      description: 'Whether its user authenticated again: an invalid grant works from then on',
    }),
    scope: Scope.optional(),
  })
  .meta({ id: 'GrantUpdatedObject', description: 'A grant that was changed or authenticated again' })
export const GrantExpiredObject = z
  .object({
    code: codeOf(25009),
    ...grantFacts,
    grant_updated_at: Timestamp.meta({ description: 'When it was last authenticated, in Unix seconds' }),
  })
  .meta({ id: 'GrantExpiredObject', description: 'A grant that became invalid: its user must authenticate again' })
export const GrantDeletedObject = z
  .object({ code: codeOf(25013), ...grantFacts })
  .meta({ id: 'GrantDeletedObject', description: 'A grant that was deleted' })

export const MessageObject = Message.omit({
  headers: true,
  tracking_options: true,
  raw_mime: true,
}).meta({ id: 'MessageObject', description: 'A message that arrived, was sent or was changed' })

/** Of an account that shows the headers of its mail alone. */
export const MessageHeadersObject = Message.omit({
  body: true,
  snippet: true,
  attachments: true,
  in_reply_to: true,
  tracking_options: true,
  raw_mime: true,
}).meta({
  id: 'MessageHeadersObject',
  description: 'A message of an account that shows the headers of its mail alone (`gmail.metadata` at Google)',
})

export const ScheduledMessageObject = z
  .object({
    object: isObject('message'),
    grant_id: GrantId,
    id: z.string().optional().meta({ description: 'Id of the message in the account, where it was sent' }),
    schedule_id: z.string().optional().meta({ description: 'Id that the answer to the sending told' }),
    send_at: Timestamp.optional().meta({ description: 'When it was to be sent, in Unix seconds' }),
    use_draft: z.boolean().optional().meta({ description: 'Whether it waited among the drafts of the account' }),
    snippet: z.string().optional().meta({ description: 'The first 100 characters of its text, without markup' }),
    ...messageFields,
  })
  .meta({ id: 'ScheduledMessageObject', description: 'A message that waited for its time. Its text is not told.' })

export const BounceObject = z
  .object({
    bounce_reason: z.string().meta({ description: 'Why it came back, in the words of the mail system' }),
    bounce_date: z.string().meta({
      description: 'When the report of it came, as a date of mail: `Mon, 10 Feb 2025 21:34:11 +0000`',
    }),
    bounced_addresses: z.string().meta({ description: 'The one address that it could not be delivered to' }),
    type: z.string().meta({
      description:
        'What it comes to: `mailbox_unavailable`, `mailbox_full`, `domain_not_found`, `message_too_large` or `message_refused`',
    }),
    code: z
      .string()
      .meta({ description: 'SMTP reply or status code, such as `550` or `5.1.1`; empty where none was told' }),
    grant_id: GrantId.meta({ description: 'Id of the grant that it was sent from' }),
    message_id: z
      .string()
      .optional()
      .meta({ description: 'Id of the message that was sent, where the account has it' }),
    origin: z
      .object({
        to: z.array(z.string()).meta({ description: 'Addresses of its recipients' }),
        from: z.string().meta({ description: 'Address of its sender' }),
        cc: z.array(z.string()).meta({ description: 'Addresses of those who got a copy' }),
        bcc: z.array(z.string()).meta({ description: 'Addresses of those who got a copy unseen' }),
        subject: z.string().meta({ description: 'Its subject' }),
        mime_id: z.string().meta({ description: 'Its Message-ID, in angle brackets' }),
        id: z.string().meta({ description: 'Its id in the account; empty where that is not known' }),
        original_send_at: z.string().meta({ description: 'When it was sent, as a date of mail' }),
      })
      .meta({ description: 'The message that was sent' }),
  })
  .meta({ id: 'BounceObject', description: 'A sent message that could not be delivered to one of its recipients' })

const tracked = {
  message_id: z
    .string()
    .meta({ description: 'Id of the tracked message; its Message-ID where the account has no id for it' }),
  grant_id: GrantId.meta({ description: 'Id of the grant that it was sent from' }),
  label: z.string().meta({ description: 'The `label` of its tracking options; empty where none was given' }),
  sender_app_id: z.string().meta({ description: 'Id of the application that sent it' }),
  timestamp: Timestamp.meta({ description: 'When it last happened, in Unix seconds' }),
}
const visit = {
  ip: z.string().meta({ description: 'Network address that the request came from, often of a proxy' }),
  timestamp: Timestamp.meta({ description: 'When, in Unix seconds' }),
  user_agent: z.string().meta({ description: 'What the program of the reader calls itself; empty where it does not' }),
}

export const MessageOpenedObject = z
  .object({
    object: isObject('message'),
    ...tracked,
    message_data: z
      .object({
        count: z.int().meta({ description: 'How often it was opened; loads within a minute are one' }),
        timestamp: Timestamp.meta({ description: 'When it was last opened, in Unix seconds' }),
      })
      .meta({ description: 'All opens together' }),
    recents: z
      .array(z.object({ opened_id: z.int().meta({ description: 'Number of the open, from 0 on' }), ...visit }))
      .meta({ description: 'The last 50 opens, the oldest first' }),
  })
  .meta({
    id: 'MessageOpenedObject',
    description: 'A tracked message that was opened. Scanners, loads in advance and the sender are not counted.',
  })
export const LinkClickedObject = z
  .object({
    object: isObject('message'),
    ...tracked,
    link_data: z
      .array(
        z.object({
          count: z.int().meta({ description: 'How often it was followed' }),
          url: z.string().meta({ description: 'Where the link leads' }),
        }),
      )
      .meta({ description: 'All tracked links of the message, in their order' }),
    recents: z
      .array(
        z.object({
          click_id: z.int().meta({ description: 'Number of the click on this link, from 0 on' }),
          link_index: z.string().meta({ description: 'Place of the link in `link_data`, from `0` on, as text' }),
          ...visit,
        }),
      )
      .meta({ description: 'The last 50 clicks on the link that was followed, the oldest first' }),
  })
  .meta({ id: 'LinkClickedObject', description: 'A tracked message in which a link was followed' })
export const ThreadRepliedObject = z
  .object({
    object: isObject('thread'),
    ...tracked,
    message_id: z.string().meta({ description: 'Id of the answer' }),
    timestamp: Timestamp.meta({ description: 'When the answer came, in Unix seconds' }),
    root_message_id: z.string().meta({ description: 'Id of the tracked message' }),
    reply_data: z
      .object({ count: z.int().meta({ description: 'How many answers there were, this one included' }) })
      .meta({ description: 'All answers together' }),
    reply_to_message_id: z.string().meta({
      description: 'Message that was answered: its id where it is a tracked one, else its Message-ID',
    }),
    from_self: z.boolean().meta({ description: 'Whether the account answered itself' }),
    thread_id: z.string().meta({ description: 'Id of the thread' }),
  })
  .meta({ id: 'ThreadRepliedObject', description: 'A tracked message that was answered' })

export const CalendarDeletedObject = Calendar.partial()
  .required({ id: true, object: true, grant_id: true })
  .omit({ metadata: true, description: true, location: true, owner_email: true })
  .meta({ id: 'CalendarDeletedObject', description: 'A calendar that was deleted: as much of it as is still known' })

export const EventObject = Event.extend({
  occurrences: z.array(z.string()).optional().meta({
    description: 'Of a series: ids of the instances that were changed',
  }),
  cancelled_occurrences: z.array(z.string()).optional().meta({
    description: 'Of a series: ids of the instances that were cancelled',
  }),
  account_id: z
    .string()
    .optional()
    .meta({ description: 'Former id of an account that was imported; absent on others' }),
}).meta({ id: 'EventObject', description: 'An event or a series that was created or changed' })
export const EventDeletedObject = z
  .object({
    id: z.string().meta({ description: 'Id of the event' }),
    object: isObject('event'),
    grant_id: GrantId,
    calendar_id: z.string().meta({ description: 'Id of the calendar that it was in' }),
    master_event_id: z.string().optional().meta({ description: 'Id of the series that it was an instance of' }),
    metadata: Metadata.optional().meta({ description: 'Your own pairs of texts that it had' }),
  })
  .meta({ id: 'EventDeletedObject', description: 'An event or a series that was deleted' })

export const ContactObject = Contact.omit({ picture: true }).meta({
  id: 'ContactObject',
  description: 'A contact that was created or changed',
})
export const ContactDeletedObject = ContactObject.pick({ id: true, grant_id: true, object: true }).meta({
  id: 'ContactDeletedObject',
  description: 'A contact that was deleted',
})

export const FolderDeletedObject = Folder.pick({
  id: true,
  grant_id: true,
  object: true,
  name: true,
  system_folder: true,
})
  .partial({ name: true })
  .meta({ id: 'FolderDeletedObject', description: 'A folder that was deleted' })

const identified = z.object({ grant_id: GrantId.meta({ description: 'Id of the grant that it was sent from' }) })

/** Beside `object`, of the notifications that say more than the object. */
export const MessageData = identified.meta({ id: 'MessageData', description: 'What is told beside the object' })
export const SendFailedData = identified
  .extend({
    reason: z.string().meta({
      description:
        'Why it was not sent, as one word, such as `send_refused`, or `expired` where its time was long over',
    }),
    error: z
      .object({
        type: z.string().meta({ description: 'Type of the error, as the API answers with it' }),
        message: z.string().meta({ description: 'What went wrong, in words' }),
        status_code: z.int().optional().meta({ description: 'HTTP status that the API has for this error' }),
        provider_error: z.record(z.string(), z.unknown()).optional().meta({
          description: 'What the provider said, in its own form; absent where it said nothing',
        }),
      })
      .meta({ description: 'The error that it failed with' }),
  })
  .meta({ id: 'SendFailedData', description: 'What is told beside the object of a message that was not sent' })
