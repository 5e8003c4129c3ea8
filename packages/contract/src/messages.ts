import { z } from 'zod'
import { Attachment } from './attachments.ts'
import {
  addressesParam,
  booleanParam,
  checkMetadataAlone,
  choiceParam,
  cursorPaging,
  Id,
  identifier,
  identifierParam,
  lastTextParam,
  line,
  Metadata,
  maxFolderId,
  metadataPairParam,
  selectParam,
  Timestamp,
  textParam,
  timeParam,
} from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

export const EmailName = z.object({ name: z.string().optional(), email: z.string() }).meta({ id: 'EmailName' })
export type EmailName = z.output<typeof EmailName>

export const Header = z
  .object({ name: z.string(), value: z.string().meta({ description: 'As it stands in the message, not decoded' }) })
  .meta({ id: 'Header' })
export type Header = z.output<typeof Header>

export const TrackingOptions = z
  .object({
    opens: z.boolean().optional(),
    links: z.boolean().optional(),
    thread_replies: z.boolean().optional(),
    label: z.string().optional(),
  })
  .meta({ id: 'TrackingOptions' })
export type TrackingOptions = z.output<typeof TrackingOptions>

/** What a message holds wherever it is: received, scheduled or a draft. */
export const messageFields = {
  subject: z.string().optional(),
  from: z.array(EmailName).optional(),
  to: z.array(EmailName).optional(),
  cc: z.array(EmailName).optional(),
  bcc: z.array(EmailName).optional(),
  reply_to: z.array(EmailName).optional(),
  body: z.string().optional().meta({ description: 'HTML where the message has it, else its plain text' }),
  attachments: z.array(Attachment).optional(),
}

/**
 * Only three fields are in every answer, because `fields=raw_mime` leaves all others out. Otherwise a provider gives all
 * of them but those that say when they come, empty ones too: clients have types that require them.
 */
export const Message = z
  .object({
    id: z.string().meta({ description: 'Stays the same when the message is moved, where the provider allows it' }),
    grant_id: Id,
    object: z.literal('message'),
    thread_id: z.string().optional(),
    date: Timestamp.optional().meta({ description: 'Unix time in seconds: when the mail server received it' }),
    snippet: z.string().optional().meta({ description: 'The first 100 characters of the text' }),
    starred: z.boolean().optional(),
    unread: z.boolean().optional(),
    folders: z.array(z.string()).optional().meta({ description: 'Ids of folders or labels' }),
    metadata: Metadata.optional().meta({ description: 'Absent where none was set' }),
    ...messageFields,
    in_reply_to: z.string().optional().meta({ description: 'With `ews` only' }),
    headers: z
      .array(Header)
      .optional()
      .meta({ description: 'With `fields=include_headers` or `include_basic_headers`' }),
    tracking_options: TrackingOptions.optional().meta({ description: 'With `fields=include_tracking_options`' }),
    raw_mime: z.string().optional().meta({
      description: 'With `fields=raw_mime`: the whole message in base64url; then id, grant_id and object only',
    }),
  })
  .meta({ id: 'Message' })
export type Message = z.output<typeof Message>

export const MessageChange = z
  .object({
    unread: z.boolean().optional(),
    starred: z.boolean().optional(),
    folders: z
      .array(line(maxFolderId).min(1))
      .max(200)
      .optional()
      .meta({ description: 'All folders that the message is to be in: replaces the list' }),
    metadata: Metadata.nullable().optional().meta({ description: 'Replaces all of it; `{}` and null clear it' }),
  })
  .meta({ id: 'MessageChange' })
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
      '`include_basic_headers`: Message-ID, In-Reply-To and References; `raw_mime`: nothing but the ids and the whole message',
  }),
}
const queryImap = { query_imap: booleanParam().meta({ description: 'Tolerated; the server is always asked' }) }
export const sharedFrom = {
  shared_from: textParam().meta({ description: '`microsoft`: address or grant id of who shares a mailbox' }),
}
export const sharedFolder = {
  shared_folder_id: textParam().meta({ description: '`microsoft`: the folder that is shared' }),
}

/** The filters that messages and threads have in common; a thread matches where one of its messages does. */
export const mailFilters = {
  q: z
    .string()
    .max(1024)
    .regex(/[\p{L}\p{N}]/u, { error: 'must hold a word' })
    .optional()
    .meta({ description: 'Words that stand anywhere in the message, all of them; `"…"` is one phrase' }),
  subject: textParam().meta({ description: 'Words of the subject, in any case' }),
  any_email: addressesParam().meta({ description: 'Sent from or to any of these addresses, cc and bcc included' }),
  from: addressesParam().meta({ description: 'From any of these addresses' }),
  to: addressesParam(),
  cc: addressesParam(),
  bcc: addressesParam().meta({ description: 'Found in mail that the account sent' }),
  in: lastTextParam().meta({ description: 'Id of one folder, not its name; of several the last counts' }),
  unread: booleanParam().meta({ description: 'false: those that are read' }),
  starred: booleanParam(),
  has_attachment: booleanParam(),
  search_query_native: z
    .string()
    .min(1)
    .max(8192)
    .optional()
    .meta({ description: "A search in the provider's own language" }),
  ...sharedFrom,
  ...sharedFolder,
}

type Query = Readonly<Record<string, unknown>>

/** Reading from a shared mailbox names the folder, one way or the other. */
export function checkSharedFolder(query: Query, context: z.RefinementCtx): void {
  if (query.shared_from === undefined || query.in !== undefined || query.shared_folder_id !== undefined) return
  context.addIssue({ code: 'custom', path: ['shared_from'], message: 'needs in or shared_folder_id beside it' })
}

export const MessageListQuery = z
  .object({
    ...mailFilters,
    thread_id: identifierParam(),
    received_after: timeParam().meta({ description: 'Unix time in seconds, itself excluded' }),
    received_before: timeParam().meta({ description: 'Unix time in seconds, itself excluded' }),
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
    message_id: z.array(identifier()).min(1).max(limits.cleanMessages),
    ignore_links: z.boolean().default(true).meta({ description: 'Keep the text of links only' }),
    ignore_images: z.boolean().default(true),
    images_as_markdown: z
      .boolean()
      .default(true)
      .meta({ description: 'Images that are kept as `![alt](src)`; must not be false with html_as_markdown' }),
    ignore_tables: z.boolean().default(true).meta({ description: 'Keep the rows of tables as text' }),
    remove_conclusion_phrases: z.boolean().default(true).meta({ description: 'English ones, such as "Regards"' }),
    html_as_markdown: z.boolean().default(false).meta({ description: 'Markdown instead of text' }),
  })
  .refine((clean) => clean.images_as_markdown || !clean.html_as_markdown, {
    path: ['images_as_markdown'],
    error: 'must not be false when html_as_markdown is true',
  })
  .meta({ id: 'MessageClean' })
export type MessageClean = z.output<typeof MessageClean>

export const CleanedMessage = Message.extend({
  conversation: z.string().meta({ description: 'What the sender wrote, without quotations' }),
}).meta({ id: 'CleanedMessage' })
export type CleanedMessage = z.output<typeof CleanedMessage>

const at = '/v3/grants/:grant_id/messages'

export const messages = {
  list: route({
    method: 'GET',
    path: at,
    summary: 'List messages, newest first',
    description: 'Over all folders unless `in` names one. `metadata_pair` stands alone: no other filter beside it.',
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
    description: 'Nothing is changed: `body` is the original, `conversation` what is left of it.',
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
    audience: 'grant',
    query: MessageQuery,
    returns: Message,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: `${at}/:message_id`,
    summary: 'Mark, star or move a message, or change its metadata',
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
    audience: 'grant',
    query: z.object({
      hard_delete: booleanParam().meta({
        description: 'true: for ever; the application must have `allow_hard_delete` on',
      }),
      ...sharedFrom,
    }),
    errors: ['not_found', 'not_allowed_by_application'],
  }),
}
