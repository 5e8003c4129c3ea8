import { z } from 'zod'
import {
  addressesParam,
  booleanParam,
  checkMetadataAlone,
  cursorPaging,
  GrantId,
  identifierParam,
  lastTextParam,
  Metadata,
  metadataPairParam,
  selectParam,
  Timestamp,
  textParam,
} from './fields.ts'
import { queryImap } from './mail-filters.ts'
import { Message, TrackingOptions } from './messages.ts'
import { checkThreading, given, outgoingFields, recipients } from './outgoing.ts'
import { route } from './route.ts'
import { SendErrors, SentMessage } from './sending.ts'

export const Draft = Message.omit({ in_reply_to: true, headers: true, raw_mime: true })
  .extend({
    object: z.literal('draft').meta({ description: 'Object type: always `draft`' }),
    thread_id: z.string().optional().meta({
      description: 'Id of its thread; empty if it belongs to none',
    }),
    date: Timestamp.meta({ description: 'Time of the last save in Unix seconds' }),
    reply_to_message_id: z.string().optional().meta({
      description: 'Id of the message that it replies to, as given when the draft was created; absent if none',
    }),
    tracking_options: TrackingOptions.optional().meta({
      description: 'Tracking to apply when it is sent; absent if none was set',
    }),
  })
  .meta({ id: 'Draft', description: 'A message in the drafts of an account' })
export type Draft = z.output<typeof Draft>

/** Drafts cannot be scheduled, so a send time is refused instead of being ignored. */
const noSchedule = {
  send_at: z
    .unknown()
    .refine((value) => value === undefined || value === null, { error: 'is not for drafts: use messages/send' })
    .optional()
    .meta({ description: 'Refused: drafts cannot be scheduled. Use `/messages/send` to send at a given time.' }),
  use_draft: z.unknown().optional().meta({
    description: 'Accepted without effect for compatibility; it applies to scheduled messages',
  }),
}

const to = given(recipients()).meta({ description: 'Recipients. A draft can have none until it is sent.' })
const starred = given(z.boolean()).meta({ description: 'true: the draft is starred' })

export const DraftRequest = z
  .object({ to, ...outgoingFields, starred, ...noSchedule })
  .superRefine(checkThreading)
  .meta({ id: 'DraftRequest', description: 'A new draft' })
export type DraftRequest = z.output<typeof DraftRequest>

const { attachments, bcc, body, cc, is_plaintext, reply_to, subject, template, tracking_options } = outgoingFields

export const DraftChange = z
  .object({
    to,
    cc,
    bcc,
    reply_to,
    subject,
    body,
    is_plaintext,
    starred,
    unread: given(z.boolean()).meta({
      description: 'Accepted without effect for compatibility: a draft is always read',
    }),
    attachments: attachments.meta({
      description:
        'Files that replace all attachments of the draft; files in parts of the request do the same. Up to 3 MB in total in the JSON. If absent, attachments stay.',
    }),
    tracking_options: tracking_options.meta({
      description:
        'Merged with the previous values. If `opens`, `links` and `thread_replies` are all false, nothing is tracked',
    }),
    metadata: Metadata.nullable().optional().meta({
      description: 'Your own key-value pairs: replaces all of them; `{}` and null remove them',
    }),
    template,
    ...noSchedule,
  })
  .meta({
    id: 'DraftChange',
    description: 'Changes to a draft. Absent fields stay unchanged; a given list replaces the old one.',
  })
export type DraftChange = z.output<typeof DraftChange>

export const DraftListQuery = z
  .object({
    subject: textParam().meta({ description: 'Text in the subject, ignoring case; for `google` whole words' }),
    any_email: addressesParam().meta({
      description: 'Any of these full addresses as sender or recipient: up to 25, comma-separated',
    }),
    to: addressesParam().meta({
      description: 'One of these full addresses in `to`',
    }),
    cc: addressesParam().meta({ description: 'One of these full addresses in `cc`' }),
    bcc: addressesParam().meta({ description: 'One of these full addresses in `bcc`' }),
    in: lastTextParam().meta({ description: 'Id of a folder or label that also contains the draft' }),
    starred: booleanParam().meta({ description: '`true`: only starred drafts; `false`: only drafts without a star' }),
    unread: booleanParam().meta({ description: '`true`: only drafts marked as unread; `false`: only others' }),
    thread_id: identifierParam().meta({ description: 'Only drafts in this thread' }),
    has_attachment: booleanParam().meta({
      description: '`true`: only drafts with attachments; `false`: only drafts without',
    }),
    metadata_pair: metadataPairParam(),
    ...queryImap,
    ...cursorPaging(),
    ...selectParam,
  })
  .superRefine(checkMetadataAlone('query_imap'))
export type DraftListQuery = z.output<typeof DraftListQuery>

export const DraftQuery = z.object({ ...queryImap, ...selectParam })
export type DraftQuery = z.output<typeof DraftQuery>

const at = '/v3/grants/:grant_id/drafts'
const parts = ['message', 'draft'] as const
const multipart =
  '`multipart/form-data` is accepted too: the part `message` contains the JSON, every other part is a file.'

export const drafts = {
  list: route({
    right: 'mail.read',
    method: 'GET',
    path: at,
    summary: 'List drafts, newest first',
    description:
      'Returns all drafts in the account, including those from other mail programs. `metadata_pair` cannot be combined with other filters.',
    audience: 'grant',
    query: DraftListQuery,
    returns: Draft,
    list: 'cursor',
  }),
  create: route({
    right: 'mail.draft',
    method: 'POST',
    path: at,
    summary: 'Create a draft',
    description: `The draft appears in the user's drafts folder. ${multipart}`,
    audience: 'grant',
    body: DraftRequest,
    parts,
    returns: Draft,
    errors: ['belongs_to_another_grant'],
  }),
  get: route({
    right: 'mail.read',
    method: 'GET',
    path: `${at}/:draft_id`,
    summary: 'Get one draft',
    description: 'Returns its current content. A draft that was sent or deleted is not found.',
    audience: 'grant',
    query: DraftQuery,
    returns: Draft,
    errors: ['not_found'],
  }),
  update: route({
    right: 'mail.draft',
    method: 'PUT',
    path: `${at}/:draft_id`,
    summary: 'Change a draft',
    description: `Absent fields stay unchanged; a given list replaces the old one. ${multipart}`,
    audience: 'grant',
    query: z.object(selectParam),
    body: DraftChange,
    parts,
    returns: Draft,
    errors: ['not_found'],
  }),
  delete: route({
    right: 'mail.delete',
    method: 'DELETE',
    path: `${at}/:draft_id`,
    summary: 'Delete a draft permanently',
    description: 'It is not moved to the trash and cannot be restored.',
    audience: 'grant',
    errors: ['not_found'],
  }),
  send: route({
    right: 'mail.send',
    method: 'POST',
    path: `${at}/:draft_id`,
    summary: 'Send a draft',
    description:
      'Sends its current content with the tracking and metadata set for it. The response is returned once the provider accepted the message. The draft is then deleted, and the message can have a different id.',
    audience: 'grant',
    own: true,
    query: z.object(selectParam),
    body: z.object({ signature_id: outgoingFields.signature_id }).meta({ description: 'Can be empty: `{}`' }),
    returns: SentMessage,
    beside: z.object({ grant_id: GrantId.meta({ description: 'Id of the sending grant' }) }),
    errors: ['not_found', 'insufficient_scopes', 'belongs_to_another_grant', ...SendErrors],
  }),
}
