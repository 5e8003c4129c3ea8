import { z } from 'zod'
import { Attachment } from './attachments.ts'
import {
  booleanParam,
  checkMetadataAlone,
  choiceParam,
  cursorPaging,
  GrantId,
  identifier,
  identifierParam,
  line,
  Metadata,
  maxFolderId,
  metadataPairParam,
  selectParam,
  Timestamp,
  timeParam,
} from './fields.ts'
import { limits } from './limits.ts'
import { checkSharedFolder, mailFilters, queryImap, sharedFrom } from './mail-filters.ts'
import { route } from './route.ts'

export const EmailName = z
  .object({
    name: z.string().optional().meta({ description: 'Display name, where the header has one' }),
    email: z.string().meta({ description: 'E-mail address' }),
  })
  .meta({ id: 'EmailName', description: 'A person as a header of a message names them' })
export type EmailName = z.output<typeof EmailName>

export const Header = z
  .object({
    name: z.string().meta({ description: 'Name of the header as the message writes it, such as `Message-ID`' }),
    value: z.string().meta({
      description: 'Value as it stands in the message: encoded words (`=?utf-8?…?=`) are not decoded',
    }),
  })
  .meta({ id: 'Header', description: 'One header of a message. A name that the message has twice stands here twice.' })
export type Header = z.output<typeof Header>

export const TrackingOptions = z
  .object({
    opens: z.boolean().optional().meta({ description: 'Whether `message.opened` tells when it is opened' }),
    links: z.boolean().optional().meta({ description: 'Whether `message.link_clicked` tells when a link is followed' }),
    thread_replies: z.boolean().optional().meta({ description: 'Whether `thread.replied` tells of answers' }),
    label: z.string().optional().meta({ description: 'Your own text, told in every notification of the tracking' }),
  })
  .meta({ id: 'TrackingOptions', description: 'What is tracked of a message that was sent through the service' })
export type TrackingOptions = z.output<typeof TrackingOptions>

/** What a message holds wherever it is: received, scheduled or a draft. */
export const messageFields = {
  subject: z.string().optional().meta({ description: 'Subject, decoded; empty where the message has none' }),
  from: z.array(EmailName).optional().meta({ description: 'Authors: nearly always one' }),
  to: z.array(EmailName).optional().meta({ description: 'Recipients' }),
  cc: z.array(EmailName).optional().meta({ description: 'Recipients of a copy' }),
  bcc: z.array(EmailName).optional().meta({
    description: 'Recipients of a copy that the others do not see. Known of drafts and of sent mail, empty otherwise.',
  }),
  reply_to: z.array(EmailName).optional().meta({ description: 'Where answers are to go, if not to `from`' }),
  body: z.string().optional().meta({
    description: 'The HTML of the message, or its plain text where it has no HTML',
  }),
  attachments: z.array(Attachment).optional().meta({
    description:
      'Its files, images within the text included (`is_inline`). The bytes come with `/attachments/{id}/download`.',
  }),
}

/**
 * Only three fields are in every answer, because `fields=raw_mime` leaves all others out. Otherwise a provider gives all
 * of them but those that say when they come, empty ones too: clients have types that require them.
 */
export const Message = z
  .object({
    id: z.string().meta({
      description:
        'Id of the message, to be taken as it is. It stays when the message is moved; at `ews` a former id goes on naming it.',
    }),
    grant_id: GrantId,
    object: z.literal('message').meta({ description: 'What the object is: always `message`' }),
    thread_id: z.string().optional().meta({
      description: 'Id of the thread that it belongs to; a message that nobody answered is a thread of its own',
    }),
    date: Timestamp.optional().meta({
      description:
        'When the mail server received it, in Unix seconds. The header `Date`, which the sender writes, may say otherwise.',
    }),
    snippet: z.string().optional().meta({ description: 'The first 100 characters of its text, without markup' }),
    starred: z.boolean().optional().meta({
      description:
        'Whether it is marked: with the star at `google`, the flag at `microsoft` and `ews`, `\\Flagged` in IMAP',
    }),
    unread: z.boolean().optional().meta({ description: 'Whether nobody has read it yet' }),
    folders: z.array(z.string()).optional().meta({
      description:
        'Ids of the folders that it is in. At `google` those of all its labels, `UNREAD` and `STARRED` included; at `microsoft` and `ews` exactly one.',
    }),
    metadata: Metadata.optional().meta({ description: 'Your own pairs of texts; absent where none were set' }),
    ...messageFields,
    in_reply_to: z.string().optional().meta({
      description: 'The header `In-Reply-To`; with `ews` only, elsewhere `fields=include_basic_headers` tells it',
    }),
    headers: z.array(Header).optional().meta({
      description: 'Headers in the order of the message; with `fields=include_headers` or `include_basic_headers` only',
    }),
    tracking_options: TrackingOptions.optional().meta({
      description: 'What is tracked of it; with `fields=include_tracking_options`, and where something is',
    }),
    raw_mime: z.string().optional().meta({
      description:
        'The whole message as MIME, in base64url. With `fields=raw_mime` only, and then beside `id`, `grant_id` and `object` alone.',
    }),
  })
  .meta({ id: 'Message', description: 'A message of an account, as its mail server has it now' })
export type Message = z.output<typeof Message>

export const MessageChange = z
  .object({
    unread: z.boolean().optional().meta({ description: '`false` marks it as read, `true` as unread' }),
    starred: z.boolean().optional().meta({ description: '`true` stars it, `false` takes the star away' }),
    folders: z.array(line(maxFolderId).min(1)).max(200).optional().meta({
      description:
        'Ids of all folders that it is to be in: the list replaces the old one, and so moves it. At `microsoft` and `ews` exactly one; at `google` an empty list archives, and marks such as `STARRED` stay unless they are named.',
    }),
    metadata: Metadata.nullable().optional().meta({
      description: 'Your own pairs of texts: replaces all of them; `{}` and null remove them. Nobody is notified.',
    }),
  })
  .meta({ id: 'MessageChange', description: 'What is to change of a message. What is left out stays as it is.' })
export type MessageChange = z.output<typeof MessageChange>

export const MessageFields = [
  'standard',
  'include_headers',
  'include_basic_headers',
  'include_tracking_options',
  'raw_mime',
] as const
export type MessageFields = (typeof MessageFields)[number]

const fieldsParam = {
  fields: choiceParam(MessageFields).meta({
    description:
      'What the messages hold beside the usual. `include_headers`: all headers; `include_basic_headers`: Message-ID, In-Reply-To and References; `include_tracking_options`: what is tracked; `raw_mime`: the whole message as MIME, and nothing else but ids. `standard` when absent.',
  }),
}

export const MessageListQuery = z
  .object({
    ...mailFilters,
    thread_id: identifierParam().meta({ description: 'Messages of this thread' }),
    received_after: timeParam().meta({ description: 'Received after this time, itself excluded, in Unix seconds' }),
    received_before: timeParam().meta({ description: 'Received before this time, itself excluded, in Unix seconds' }),
    metadata_pair: metadataPairParam(),
    ...fieldsParam,
    ...queryImap,
    ...cursorPaging(),
    ...selectParam,
  })
  .superRefine(checkMetadataAlone('fields', 'query_imap'))
  .superRefine(checkSharedFolder)
export type MessageListQuery = z.output<typeof MessageListQuery>

export const MessageQuery = z.object({ ...fieldsParam, ...queryImap, ...sharedFrom, ...selectParam })
export type MessageQuery = z.output<typeof MessageQuery>

export const MessageClean = z
  .object({
    message_id: z
      .array(identifier())
      .min(1)
      .max(limits.cleanMessages)
      .meta({ description: `Ids of the messages, up to ${limits.cleanMessages}` }),
    ignore_links: z.boolean().default(true).meta({ description: 'Whether of links only their text is kept' }),
    ignore_images: z.boolean().default(true).meta({ description: 'Whether images are left out' }),
    images_as_markdown: z.boolean().default(true).meta({
      description:
        'Whether images that are kept become `![alt](src)`; otherwise only their address stays. Must not be false with `html_as_markdown`.',
    }),
    ignore_tables: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether of tables only the text of their rows is kept' }),
    remove_conclusion_phrases: z.boolean().default(true).meta({
      description: 'Whether English closing phrases, such as "Best regards", are left out',
    }),
    html_as_markdown: z.boolean().default(false).meta({
      description: 'Whether `conversation` is Markdown instead of plain text',
    }),
  })
  .refine((clean) => clean.images_as_markdown || !clean.html_as_markdown, {
    path: ['images_as_markdown'],
    error: 'must not be false when html_as_markdown is true',
  })
  .meta({ id: 'MessageClean', description: 'Which messages to clean, and how' })
export type MessageClean = z.output<typeof MessageClean>

export const CleanedMessage = Message.extend({
  conversation: z.string().meta({
    description:
      'What the sender wrote, without the quoted messages before it: text, or Markdown with `html_as_markdown`',
  }),
}).meta({ id: 'CleanedMessage', description: 'A message with what is left of its text once it was cleaned' })
export type CleanedMessage = z.output<typeof CleanedMessage>

const at = '/v3/grants/:grant_id/messages'

export const messages = {
  list: route({
    method: 'GET',
    path: at,
    summary: 'List messages, newest first',
    description:
      'Over all folders unless `in` names one. All filters that are given must hold. A page may hold fewer than `limit` and still have a next one. `metadata_pair` stands alone: no other filter beside it. A `select` without `body`, `snippet` and `attachments` is faster.',
    audience: 'grant',
    query: MessageListQuery,
    returns: Message,
    list: 'cursor',
    errors: ['not_found'],
  }),
  // Before `messages/:message_id`, which it would be otherwise.
  clean: route({
    method: 'PUT',
    path: `${at}/clean`,
    summary: 'Read messages without quotations, links, images and closing phrases',
    description:
      'The messages themselves are not changed: `body` is the original, `conversation` what is left of it. The order is that of `message_id`.',
    audience: 'grant',
    query: z.object({ ...sharedFrom, ...selectParam }),
    body: MessageClean,
    returns: CleanedMessage,
    list: 'whole',
    errors: ['not_found'],
  }),
  get: route({
    method: 'GET',
    path: `${at}/:message_id`,
    summary: 'Get one message',
    description: 'As the mail server has it now. One that was deleted for ever is not found.',
    audience: 'grant',
    query: MessageQuery,
    returns: Message,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: `${at}/:message_id`,
    summary: 'Mark, star or move a message, or change its metadata',
    description:
      'Fields that are left out stay; `folders` and `metadata` replace what was there. Metadata is kept by the service, the rest is changed at the provider.',
    audience: 'grant',
    query: z.object({ ...queryImap, ...sharedFrom, ...selectParam }),
    body: MessageChange,
    returns: Message,
    errors: ['not_found'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${at}/:message_id`,
    summary: 'Move a message to the trash, or delete it for ever',
    description:
      'To the trash, with all its copies; one that lies there stays. With `hard_delete=true` nothing is left that anybody could bring back: the application must have `allow_hard_delete` on, and at `google` the grant needs the scope `https://mail.google.com/`.',
    audience: 'grant',
    query: z.object({
      hard_delete: booleanParam().meta({
        description:
          '`true` deletes for ever, and needs `allow_hard_delete` of the application; `false` (default) moves to the trash',
      }),
      ...sharedFrom,
    }),
    errors: ['not_found', 'not_allowed_by_application'],
  }),
}
