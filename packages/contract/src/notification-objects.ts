/**
 * The `data.object` of each notification. Calendars, events, messages, contacts and folders equal those in API
 * responses.
 */
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
  integration_id: z.string().meta({ description: 'Id of its connector' }),
  provider: ProviderKind.meta({ description: 'Provider of the account' }),
  email: z.string().meta({ description: 'Address of the account, or the name of a virtual account' }),
}
const codeOf = <const C extends number>(code: C) => z.literal(code).meta({ description: `Event code: always ${code}` })
const Scope = z.array(z.string()).meta({ description: 'Scopes of the grant, as the provider names them' })
const isObject = <const Name extends string>(name: Name) =>
  z.literal(name).meta({ description: `Object type: always \`${name}\`` })

export const GrantCreatedObject = z
  .object({
    code: codeOf(25012),
    ...grantFacts,
    login_id: z.string().optional().meta({ description: 'Id of the hosted sign-in that created it; absent if none' }),
    name: z.string().nullable().optional().meta({
      description: 'Name of the user from the provider; null if unknown',
    }),
    scope: Scope,
  })
  .meta({ id: 'GrantCreatedObject', description: 'A new grant' })
export const GrantUpdatedObject = z
  .object({
    code: z.literal([25014, 25027]).meta({
      description: 'Event code: 25027 after authenticating again, otherwise 25014',
    }),
    ...grantFacts,
    reauthentication_flag: z.boolean().meta({
      description: 'Whether its user authenticated again, which makes an invalid grant valid',
    }),
    scope: Scope.optional(),
  })
  .meta({ id: 'GrantUpdatedObject', description: 'A grant that was changed or authenticated again' })
export const GrantExpiredObject = z
  .object({
    code: codeOf(25009),
    ...grantFacts,
    grant_updated_at: Timestamp.meta({ description: 'Time of the last authentication in Unix seconds' }),
  })
  .meta({ id: 'GrantExpiredObject', description: 'A grant that became invalid: its user must authenticate again' })
export const GrantDeletedObject = z
  .object({ code: codeOf(25013), ...grantFacts })
  .meta({ id: 'GrantDeletedObject', description: 'A deleted grant' })

export const GrantImapSyncCompletedObject = z
  .object({
    code: codeOf(25012),
    grant_id: grantFacts.grant_id,
    integration_id: grantFacts.integration_id,
    provider: z.literal('imap').meta({ description: 'Provider of the account: always `imap`' }),
    type: z.literal('grant.imap_sync_completed').meta({ description: 'The trigger: `grant.imap_sync_completed`' }),
  })
  .meta({ id: 'GrantImapSyncCompletedObject', description: 'An IMAP account that was read for the first time' })

export const MessageObject = Message.omit({
  headers: true,
  tracking_options: true,
  raw_mime: true,
}).meta({ id: 'MessageObject', description: 'A message that arrived, was sent or was changed' })

/** For accounts whose scopes only allow reading headers. */
export const MessageHeadersObject = Message.omit({
  body: true,
  snippet: true,
  attachments: true,
  in_reply_to: true,
  tracking_options: true,
  raw_mime: true,
}).meta({
  id: 'MessageHeadersObject',
  description: 'A message of an account whose scopes only allow reading headers (`gmail.metadata` with Google)',
})

export const MessageCleanedObject = MessageObject.extend({
  body: z.string().optional().meta({
    description:
      "The sender's own text as Markdown, without quoted messages; if `cleaning_status` is `failed`, the original body, if it could be read",
  }),
  cleaning_status: z.enum(['success', 'failed']).meta({ description: 'Whether `body` is the cleaned text' }),
  cleaning_error: z.string().optional().meta({ description: 'Why the text could not be cleaned; absent if it was' }),
}).meta({ id: 'MessageCleanedObject', description: 'A new message with its cleaned text' })

export const MessageDeletedObject = Message.pick({ id: true, grant_id: true, object: true, metadata: true })
  .required({ id: true, grant_id: true, object: true })
  .meta({ id: 'MessageDeletedObject', description: 'A message that is no longer in any folder of the mailbox' })

export const ScheduledMessageObject = z
  .object({
    object: isObject('message'),
    grant_id: GrantId,
    id: z.string().optional().meta({ description: 'Id of the message in the account, if it was sent' }),
    schedule_id: z.string().optional().meta({ description: 'Id from the response to the send request' }),
    send_at: Timestamp.optional().meta({ description: 'Scheduled time in Unix seconds' }),
    use_draft: z.boolean().optional().meta({ description: 'Whether it was stored as a draft in the account' }),
    snippet: z.string().optional().meta({ description: 'First 100 characters of the text, without markup' }),
    ...messageFields,
  })
  .meta({ id: 'ScheduledMessageObject', description: 'A scheduled message, without its text' })

export const BounceObject = z
  .object({
    bounce_reason: z.string().meta({ description: 'Reason of the bounce, as reported by the mail system' }),
    bounce_date: z.string().meta({
      description: 'Time of the bounce report in mail format: `Mon, 10 Feb 2025 21:34:11 +0000`',
    }),
    bounced_addresses: z.string().meta({ description: 'The address that could not be reached' }),
    type: z.string().meta({
      description:
        'Category: `mailbox_unavailable`, `mailbox_full`, `domain_not_found`, `message_too_large` or `message_refused`',
    }),
    code: z.string().meta({ description: 'SMTP reply or status code, such as `550` or `5.1.1`; empty if unknown' }),
    grant_id: GrantId.meta({ description: 'Id of the sending grant' }),
    message_id: z.string().optional().meta({ description: 'Id of the sent message, if the account has it' }),
    origin: z
      .object({
        to: z.array(z.string()).meta({ description: 'Addresses of its recipients' }),
        from: z.string().meta({ description: 'Address of its sender' }),
        cc: z.array(z.string()).meta({ description: 'Addresses in `cc`' }),
        bcc: z.array(z.string()).meta({ description: 'Addresses in `bcc`' }),
        subject: z.string().meta({ description: 'Its subject' }),
        mime_id: z.string().meta({ description: 'Its Message-ID, in angle brackets' }),
        id: z.string().meta({ description: 'Its id in the account; empty if unknown' }),
        original_send_at: z.string().meta({ description: 'Time when it was sent, in mail format' }),
      })
      .meta({ description: 'The sent message' }),
  })
  .meta({ id: 'BounceObject', description: 'A sent message that could not be delivered to one of its recipients' })

const tracked = {
  message_id: z
    .string()
    .meta({ description: 'Id of the tracked message; its Message-ID if the account has no id for it' }),
  grant_id: GrantId.meta({ description: 'Id of the sending grant' }),
  label: z.string().meta({ description: 'The `label` of its tracking options; empty if none was set' }),
  sender_app_id: z.string().meta({ description: 'Id of the application that sent it' }),
  timestamp: Timestamp.meta({ description: 'Time of the last occurrence in Unix seconds' }),
}
const visit = {
  ip: z.string().meta({ description: 'IP address of the request, often of a proxy' }),
  timestamp: Timestamp.meta({ description: 'Time in Unix seconds' }),
  user_agent: z.string().meta({ description: "User-Agent of the reader's program; empty if it sends none" }),
}

export const MessageOpenedObject = z
  .object({
    object: isObject('message'),
    ...tracked,
    message_data: z
      .object({
        count: z.int().meta({ description: 'Number of opens; loads within a minute count once' }),
        timestamp: Timestamp.meta({ description: 'Time of the last open in Unix seconds' }),
      })
      .meta({ description: 'Totals of all opens' }),
    recents: z
      .array(z.object({ opened_id: z.int().meta({ description: 'Number of the open, starting at 0' }), ...visit }))
      .meta({ description: 'The last 50 opens, oldest first' }),
  })
  .meta({
    id: 'MessageOpenedObject',
    description: 'A tracked message that was opened. Scanners, prefetches and the sender are not counted.',
  })
export const LinkClickedObject = z
  .object({
    object: isObject('message'),
    ...tracked,
    link_data: z
      .array(
        z.object({
          count: z.int().meta({ description: 'Number of clicks' }),
          url: z.string().meta({ description: 'URL of the link' }),
        }),
      )
      .meta({ description: 'All tracked links of the message, in order' }),
    recents: z
      .array(
        z.object({
          click_id: z.int().meta({ description: 'Number of the click on this link, starting at 0' }),
          link_index: z
            .string()
            .meta({ description: 'Index of the link in `link_data`, starting at `0`, as a string' }),
          ...visit,
        }),
      )
      .meta({ description: 'The last 50 clicks on the link, oldest first' }),
  })
  .meta({ id: 'LinkClickedObject', description: 'A tracked message in which a link was clicked' })
export const ThreadRepliedObject = z
  .object({
    object: isObject('thread'),
    ...tracked,
    message_id: z.string().meta({ description: 'Id of the reply' }),
    timestamp: Timestamp.meta({ description: 'Time of the reply in Unix seconds' }),
    root_message_id: z.string().meta({ description: 'Id of the tracked message' }),
    reply_data: z
      .object({ count: z.int().meta({ description: 'Number of replies, including this one' }) })
      .meta({ description: 'Totals of all replies' }),
    reply_to_message_id: z.string().meta({
      description: 'The message that was replied to: its id if it is tracked, otherwise its Message-ID',
    }),
    from_self: z.boolean().meta({ description: 'Whether the account itself replied' }),
    thread_id: z.string().meta({ description: 'Id of the thread' }),
  })
  .meta({ id: 'ThreadRepliedObject', description: 'A tracked message that received a reply' })

export const CalendarDeletedObject = Calendar.partial()
  .required({ id: true, object: true, grant_id: true })
  .omit({ metadata: true, description: true, location: true, owner_email: true })
  .meta({ id: 'CalendarDeletedObject', description: 'A deleted calendar, with the fields that are still known' })

export const EventObject = Event.extend({
  occurrences: z.array(z.string()).optional().meta({
    description: 'For a series: ids of changed instances',
  }),
  cancelled_occurrences: z.array(z.string()).optional().meta({
    description: 'For a series: ids of cancelled instances',
  }),
  account_id: z.string().optional().meta({ description: 'Previous id of an imported account; absent for others' }),
}).meta({ id: 'EventObject', description: 'A new or changed event or series' })
export const EventDeletedObject = z
  .object({
    id: z.string().meta({ description: 'Id of the event' }),
    object: isObject('event'),
    grant_id: GrantId,
    calendar_id: z.string().meta({ description: 'Id of its calendar' }),
    master_event_id: z.string().optional().meta({ description: 'Id of its series, if it was an instance' }),
    metadata: Metadata.optional().meta({ description: 'Its key-value pairs' }),
  })
  .meta({ id: 'EventDeletedObject', description: 'A deleted event or series' })

export const ContactObject = Contact.omit({ picture: true }).meta({
  id: 'ContactObject',
  description: 'A new or changed contact',
})
export const ContactDeletedObject = ContactObject.pick({ id: true, grant_id: true, object: true }).meta({
  id: 'ContactDeletedObject',
  description: 'A deleted contact',
})

export const FolderDeletedObject = Folder.pick({
  id: true,
  grant_id: true,
  object: true,
  name: true,
  system_folder: true,
})
  .partial({ name: true })
  .meta({ id: 'FolderDeletedObject', description: 'A deleted folder' })

const identified = z.object({ grant_id: GrantId.meta({ description: 'Id of the sending grant' }) })

/** Additional data of notifications that contain more than the object. */
export const MessageData = identified.meta({ id: 'MessageData', description: 'Data in addition to the object' })
export const SendFailedData = identified
  .extend({
    reason: z.string().meta({
      description: 'Why it was not sent, as one word, such as `send_refused`, or `expired` if it was long overdue',
    }),
    error: z
      .object({
        type: z.string().meta({ description: 'Error type as returned by the API' }),
        message: z.string().meta({ description: 'Error message' }),
        status_code: z.int().optional().meta({ description: 'HTTP status that the API uses for this error' }),
        provider_error: z.record(z.string(), z.unknown()).optional().meta({
          description: "The provider's error in its own format; absent if there is none",
        }),
      })
      .meta({ description: 'The error' }),
  })
  .meta({ id: 'SendFailedData', description: 'Data in addition to the object of a message that was not sent' })
