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
    object: z.literal('draft').meta({ description: 'What the object is: always `draft`' }),
    thread_id: z.string().optional().meta({
      description: 'Id of the thread that it belongs to; empty where it belongs to none',
    }),
    date: Timestamp.meta({ description: 'When it was last saved, in Unix seconds' }),
    reply_to_message_id: z.string().optional().meta({
      description: 'Message that it answers, as it was named when the draft was made; absent where none was',
    }),
    tracking_options: TrackingOptions.optional().meta({
      description: 'What will be tracked once it is sent; absent where nothing was set',
    }),
  })
  .meta({ id: 'Draft', description: 'A message in the drafts of an account' })
export type Draft = z.output<typeof Draft>

/** A draft is not sent at a time: what says when is refused, so that nobody waits for it. */
const noSchedule = {
  send_at: z
    .unknown()
    .refine((value) => value === undefined || value === null, { error: 'is not for drafts: use messages/send' })
    .optional()
    .meta({ description: 'Refused: a draft is sent when it is told to. Use `/messages/send` to send at a time.' }),
  use_draft: z.unknown().optional().meta({
    description: 'Without effect, for clients that send it: it belongs to messages that are sent at a time',
  }),
}

const to = given(recipients()).meta({ description: 'Recipients. A draft may have none until it is sent.' })
const starred = given(z.boolean()).meta({ description: 'true: the draft has a star' })

export const DraftRequest = z
  .object({ to, ...outgoingFields, starred, ...noSchedule })
  .superRefine(checkThreading)
  .meta({ id: 'DraftRequest', description: 'A draft to be kept in the account' })
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
      description: 'Without effect, for clients that send it: a draft is always read',
    }),
    attachments: attachments.meta({
      description:
        'Files that take the place of all that the draft has; those in parts of the request do so too. Up to 3 MB together in the JSON. When absent they stay.',
    }),
    tracking_options: tracking_options.meta({
      description:
        'Merged with what was set before; with `opens`, `links` and `thread_replies` all false nothing is tracked',
    }),
    metadata: Metadata.nullable().optional().meta({
      description: 'Your own pairs of texts: replaces all of them; `{}` and null remove them',
    }),
    template,
    ...noSchedule,
  })
  .meta({
    id: 'DraftChange',
    description: 'What is to change of a draft. What is left out stays; a list that is given replaces the old one.',
  })
export type DraftChange = z.output<typeof DraftChange>

export const DraftListQuery = z
  .object({
    subject: textParam().meta({ description: 'Text of the subject, in any case; at `google` whole words of it' }),
    any_email: addressesParam().meta({
      description:
        'With any of these addresses, written whole, as sender or recipient: up to 25 with commas between them',
    }),
    to: addressesParam().meta({
      description: 'With one of these addresses, written whole, among the recipients (`to`)',
    }),
    cc: addressesParam().meta({ description: 'With one of these addresses, written whole, in `cc`' }),
    bcc: addressesParam().meta({ description: 'With one of these addresses, written whole, in `bcc`' }),
    in: lastTextParam().meta({ description: 'Id of one folder or label: drafts that are in it too' }),
    starred: booleanParam().meta({ description: '`true`: those with a star; `false`: those without' }),
    unread: booleanParam().meta({ description: '`true`: those that are marked as unread; `false`: the others' }),
    thread_id: identifierParam().meta({ description: 'Drafts that answer in this thread' }),
    has_attachment: booleanParam().meta({ description: '`true`: those with files; `false`: those without' }),
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
const multipart = 'Also as `multipart/form-data`: the part `message` holds the JSON, every other part a file.'

export const drafts = {
  list: route({
    method: 'GET',
    path: at,
    summary: 'List drafts, newest first',
    description:
      'All that lie in the drafts of the account, also those that another mail program wrote there. `metadata_pair` stands alone: no other filter beside it.',
    audience: 'grant',
    query: DraftListQuery,
    returns: Draft,
    list: 'cursor',
  }),
  create: route({
    method: 'POST',
    path: at,
    summary: 'Create a draft',
    description: `It lies in the drafts of the account, where its user sees it. ${multipart}`,
    audience: 'grant',
    body: DraftRequest,
    parts,
    returns: Draft,
    errors: ['belongs_to_another_grant'],
  }),
  get: route({
    method: 'GET',
    path: `${at}/:draft_id`,
    summary: 'Get one draft',
    description: 'As it lies in the account now. One that was sent or deleted is not found.',
    audience: 'grant',
    query: DraftQuery,
    returns: Draft,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: `${at}/:draft_id`,
    summary: 'Change a draft',
    description: `What is left out stays; a list that is given replaces the old one. ${multipart}`,
    audience: 'grant',
    query: z.object(selectParam),
    body: DraftChange,
    parts,
    returns: Draft,
    errors: ['not_found'],
  }),
  delete: route({
    method: 'DELETE',
    path: `${at}/:draft_id`,
    summary: 'Delete a draft for ever',
    description: 'It does not go to the trash: nobody can bring it back.',
    audience: 'grant',
    errors: ['not_found'],
  }),
  send: route({
    method: 'POST',
    path: `${at}/:draft_id`,
    summary: 'Send a draft',
    description:
      'As it lies in the account, with the tracking and the metadata that were set for it. Answered once the provider took it; the draft is gone then, and the message may have another id.',
    audience: 'grant',
    own: true,
    query: z.object(selectParam),
    body: z.object({ signature_id: outgoingFields.signature_id }).meta({ description: 'May be empty: `{}`' }),
    returns: SentMessage,
    beside: z.object({ grant_id: GrantId.meta({ description: 'Id of the grant that it is sent from' }) }),
    errors: ['not_found', 'insufficient_scopes', 'belongs_to_another_grant', ...SendErrors],
  }),
}
