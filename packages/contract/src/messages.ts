import { z } from 'zod'
import { Attachment } from './attachments.ts'
import {
  booleanParam,
  checkMetadataAlone,
  choiceParam,
  cursorPaging,
  exportPaging,
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
    name: z.string().optional().meta({ description: 'Display name, if the header has one' }),
    email: z.string().meta({ description: 'Email address' }),
  })
  .meta({ id: 'EmailName', description: 'A person in a message header' })
export type EmailName = z.output<typeof EmailName>

export const Header = z
  .object({
    name: z.string().meta({ description: 'Name of the header as written in the message, such as `Message-ID`' }),
    value: z.string().meta({
      description: 'Raw value: encoded words (`=?utf-8?…?=`) are not decoded',
    }),
  })
  .meta({ id: 'Header', description: 'One message header. Repeated headers are listed repeatedly.' })
export type Header = z.output<typeof Header>

export const TrackingOptions = z
  .object({
    opens: z.boolean().optional().meta({ description: 'Whether `message.opened` reports opens' }),
    links: z.boolean().optional().meta({ description: 'Whether `message.link_clicked` reports link clicks' }),
    thread_replies: z.boolean().optional().meta({ description: 'Whether `thread.replied` reports replies' }),
    label: z.string().optional().meta({ description: 'Your own text, included in every tracking notification' }),
  })
  .meta({ id: 'TrackingOptions', description: 'Tracking of a message sent through the service' })
export type TrackingOptions = z.output<typeof TrackingOptions>

/** Fields of every message: received, scheduled or draft. */
export const messageFields = {
  subject: z.string().optional().meta({ description: 'Decoded subject; empty if there is none' }),
  from: z.array(EmailName).optional().meta({ description: 'Senders, nearly always one' }),
  to: z.array(EmailName).optional().meta({ description: 'Recipients' }),
  cc: z.array(EmailName).optional().meta({ description: 'Recipients of a copy' }),
  bcc: z.array(EmailName).optional().meta({
    description: 'Recipients of a blind copy. Known for drafts and sent mail, otherwise empty.',
  }),
  reply_to: z.array(EmailName).optional().meta({ description: 'Addresses for replies, if not `from`' }),
  body: z.string().optional().meta({
    description: 'HTML body, or plain text if the message has no HTML',
  }),
  attachments: z.array(Attachment).optional().meta({
    description: 'Attachments, including inline images (`is_inline`). Download them with `/attachments/{id}/download`.',
  }),
}

/**
 * Only three fields are always present, because `fields=raw_mime` omits all others. Otherwise providers return all
 * fields, including empty ones, except those that state a condition: types of clients require them.
 */
export const Message = z
  .object({
    id: z.string().meta({
      description:
        'Opaque id of the message. It does not change when the message is moved; with `ews`, a previous id stays valid.',
    }),
    grant_id: GrantId,
    object: z.literal('message').meta({ description: 'Object type: always `message`' }),
    thread_id: z.string().optional().meta({
      description: 'Id of its thread; a message without replies is its own thread',
    }),
    date: Timestamp.optional().meta({
      description: "Time when the mail server received it, in Unix seconds. The sender's `Date` header can differ.",
    }),
    snippet: z.string().optional().meta({ description: 'First 100 characters of the text, without markup' }),
    starred: z.boolean().optional().meta({
      description: 'Whether it is starred (`google`) or flagged (`microsoft`, `ews`, IMAP `\\Flagged`)',
    }),
    unread: z.boolean().optional().meta({ description: 'Whether it is unread' }),
    folders: z.array(z.string()).optional().meta({
      description:
        'Ids of its folders. For `google` all its labels, including `UNREAD` and `STARRED`; for `microsoft` and `ews` exactly one.',
    }),
    metadata: Metadata.optional().meta({ description: 'Your own key-value pairs; absent if none were set' }),
    ...messageFields,
    in_reply_to: z.string().optional().meta({
      description: 'The `In-Reply-To` header; with `ews` only. For other providers use `fields=include_basic_headers`',
    }),
    headers: z.array(Header).optional().meta({
      description: 'Headers in message order; only with `fields=include_headers` or `include_basic_headers`',
    }),
    tracking_options: TrackingOptions.optional().meta({
      description: 'Tracking of the message, if any; only with `fields=include_tracking_options`',
    }),
    raw_mime: z.string().optional().meta({
      description:
        'The whole message as MIME, in base64url. Only with `fields=raw_mime`, which returns no other fields except `id`, `grant_id` and `object`.',
    }),
  })
  .meta({ id: 'Message', description: 'A message as currently stored on the mail server' })
export type Message = z.output<typeof Message>

export const MessageChange = z
  .object({
    unread: z.boolean().optional().meta({ description: '`false` marks it as read, `true` as unread' }),
    starred: z.boolean().optional().meta({ description: '`true` adds the star, `false` removes it' }),
    folders: z.array(line(maxFolderId).min(1)).max(200).optional().meta({
      description:
        'Ids of all folders of the message. The list replaces the old one and so moves the message. For `microsoft` and `ews` exactly one; for `google` an empty list archives it, and marks such as `STARRED` stay unless they are listed.',
    }),
    metadata: Metadata.nullable().optional().meta({
      description:
        'Your own key-value pairs: replaces all of them; `{}` and null remove them. No notification is sent.',
    }),
  })
  .meta({ id: 'MessageChange', description: 'Changes to a message. Absent fields stay unchanged.' })
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
      'Additional fields. `include_headers`: all headers; `include_basic_headers`: Message-ID, In-Reply-To and References; `include_tracking_options`: tracking; `raw_mime`: the whole message as MIME and only the ids otherwise. Default: `standard`.',
  }),
}

export const MessageListQuery = z
  .object({
    ...mailFilters,
    thread_id: identifierParam().meta({ description: 'Only messages of this thread' }),
    received_after: timeParam().meta({
      description: 'Only messages received after this time (exclusive), in Unix seconds',
    }),
    received_before: timeParam().meta({
      description: 'Only messages received before this time (exclusive), in Unix seconds',
    }),
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

export const MessageExportFormats = ['mbox', 'eml', 'ndjson'] as const
export type MessageExportFormat = (typeof MessageExportFormats)[number]

export const MessageExportQuery = z
  .object({
    format: choiceParam(MessageExportFormats).meta({
      description:
        '`mbox` (default): one file of messages in mboxrd form, with LF line ends; `eml`: a zip of .eml files with the exact bytes, and `index.ndjson`; `ndjson`: one message object per line',
    }),
    ...mailFilters,
    thread_id: identifierParam().meta({ description: 'Only messages of this thread' }),
    received_after: timeParam().meta({
      description: 'Only messages received after this time (exclusive), in Unix seconds',
    }),
    received_before: timeParam().meta({
      description: 'Only messages received before this time (exclusive), in Unix seconds',
    }),
    ...exportPaging(50, limits.pageMax),
  })
  .superRefine(checkSharedFolder)
export type MessageExportQuery = z.output<typeof MessageExportQuery>

export const MessageClean = z
  .object({
    message_id: z
      .array(identifier())
      .min(1)
      .max(limits.cleanMessages)
      .meta({ description: `Ids of the messages, up to ${limits.cleanMessages}` }),
    ignore_links: z.boolean().default(true).meta({ description: 'Whether links are reduced to their text' }),
    ignore_images: z.boolean().default(true).meta({ description: 'Whether images are removed' }),
    images_as_markdown: z.boolean().default(true).meta({
      description:
        'Whether remaining images become `![alt](src)`; otherwise only their URL stays. Must not be false with `html_as_markdown`.',
    }),
    ignore_tables: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether tables are reduced to the text of their rows' }),
    remove_conclusion_phrases: z.boolean().default(true).meta({
      description: 'Whether English closing phrases, such as "Best regards", are removed',
    }),
    html_as_markdown: z.boolean().default(false).meta({
      description: 'Whether `conversation` is Markdown instead of plain text',
    }),
  })
  .refine((clean) => clean.images_as_markdown || !clean.html_as_markdown, {
    path: ['images_as_markdown'],
    error: 'must not be false when html_as_markdown is true',
  })
  .meta({ id: 'MessageClean', description: 'Messages to clean, and options' })
export type MessageClean = z.output<typeof MessageClean>

export const CleanedMessage = Message.extend({
  conversation: z.string().meta({
    description: "The sender's own text without quoted messages: plain text, or Markdown with `html_as_markdown`",
  }),
}).meta({ id: 'CleanedMessage', description: 'A message with its cleaned text' })
export type CleanedMessage = z.output<typeof CleanedMessage>

const at = '/v3/grants/:grant_id/messages'

export const messages = {
  list: route({
    right: 'mail.read',
    method: 'GET',
    path: at,
    summary: 'List messages, newest first',
    description:
      'Lists all folders unless `in` is given. All given filters must match. A page can be shorter than `limit` and still have a next page. `metadata_pair` cannot be combined with other filters. A `select` without `body`, `snippet` and `attachments` is faster.',
    audience: 'grant',
    query: MessageListQuery,
    returns: Message,
    list: 'cursor',
    errors: ['not_found'],
  }),
  // Before `messages/:message_id`, which would otherwise match this path.
  clean: route({
    right: 'mail.read',
    method: 'PUT',
    path: `${at}/clean`,
    summary: 'Clean messages',
    description:
      'Removes quotes, links, images and closing phrases as requested. The messages themselves are not changed: `body` is the original, `conversation` the cleaned text. The order is that of `message_id`.',
    audience: 'grant',
    query: z.object({ ...sharedFrom, ...selectParam }),
    body: MessageClean,
    returns: CleanedMessage,
    list: 'whole',
    errors: ['not_found'],
  }),
  export: route({
    right: 'mail.read',
    method: 'GET',
    path: `${at}/export`,
    summary: 'Export messages as files',
    description:
      'Streams one page of messages as a file, newest first. The response header `next-cursor` names the next page and is absent on the last; repeat a page whose connection breaks. A message that cannot be read is skipped and reported: in `mbox` as a message with the header `X-Waypost-Skipped`, in `eml` as a line with `error` in `index.ndjson`. In `ndjson`, a message that cannot be parsed has no text, and the header `x-unreadable-messages` names it.',
    audience: 'grant',
    query: MessageExportQuery,
    own: true,
    bytes: true,
    errors: ['not_found'],
  }),
  get: route({
    right: 'mail.read',
    method: 'GET',
    path: `${at}/:message_id`,
    summary: 'Get one message',
    description: 'Returns its current state on the mail server. A permanently deleted message is not found.',
    audience: 'grant',
    query: MessageQuery,
    returns: Message,
    errors: ['not_found'],
  }),
  update: route({
    right: 'mail.organize',
    method: 'PUT',
    path: `${at}/:message_id`,
    summary: 'Mark, star or move a message, or change its metadata',
    description:
      'Absent fields stay unchanged; `folders` and `metadata` are replaced as a whole. The service stores metadata; everything else is changed at the provider.',
    audience: 'grant',
    query: z.object({ ...queryImap, ...sharedFrom, ...selectParam }),
    body: MessageChange,
    returns: Message,
    errors: ['not_found'],
  }),
  delete: route({
    // Moving to the trash is filing. `hard_delete` needs `mail.delete` (`operationOfFields` of the server).
    right: ['mail.organize', 'mail.delete'],
    method: 'DELETE',
    path: `${at}/:message_id`,
    summary: 'Move a message to the trash, or delete it permanently',
    description:
      'Moves it to the trash with all its copies; a message in the trash stays there. `hard_delete=true` deletes it permanently: the application must have `allow_hard_delete` on, and with `google` the grant needs the scope `https://mail.google.com/`.',
    audience: 'grant',
    query: z.object({
      hard_delete: booleanParam().meta({
        description:
          '`true` deletes permanently and requires `allow_hard_delete` of the application; `false` (default) moves to the trash',
      }),
      ...sharedFrom,
    }),
    errors: ['not_found', 'not_allowed_by_application'],
  }),
}
