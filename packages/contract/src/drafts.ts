import { z } from 'zod'
import {
  addressesParam,
  booleanParam,
  checkMetadataAlone,
  cursorPaging,
  Id,
  identifierParam,
  lastTextParam,
  Metadata,
  metadataPairParam,
  selectParam,
  Timestamp,
  textParam,
} from './fields.ts'
import { Message, TrackingOptions } from './messages.ts'
import { route } from './route.ts'
import { checkThreading, given, outgoingFields, recipients, SendErrors, SentMessage } from './sending.ts'

export const Draft = Message.omit({ in_reply_to: true, headers: true, raw_mime: true })
  .extend({
    object: z.literal('draft'),
    thread_id: z.string().optional().meta({ description: 'Empty where the draft belongs to none' }),
    date: Timestamp.meta({ description: 'Unix time in seconds: when it was saved last' }),
    reply_to_message_id: z.string().optional().meta({ description: 'The message that it answers' }),
    tracking_options: TrackingOptions.optional().meta({ description: 'Where they were set' }),
  })
  .meta({ id: 'Draft' })
export type Draft = z.output<typeof Draft>

/** A draft is not sent at a time: what says when is refused, so that nobody waits for it. */
const noSchedule = {
  send_at: z
    .unknown()
    .refine((value) => value === undefined || value === null, { error: 'is not for drafts: use messages/send' })
    .optional()
    .meta({ description: 'Refused: drafts are not sent at a time' }),
  use_draft: z.unknown().optional().meta({ description: 'Tolerated' }),
}

const to = given(recipients())
const starred = given(z.boolean())

export const DraftRequest = z
  .object({ to, ...outgoingFields, starred, ...noSchedule })
  .superRefine(checkThreading)
  .meta({ id: 'DraftRequest' })
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
    unread: given(z.boolean()).meta({ description: 'Tolerated: a draft is always read' }),
    attachments: attachments.meta({ description: 'Replaces all files; those in parts of the body do so too' }),
    tracking_options: tracking_options.meta({ description: 'Merged; opens and links both false end the tracking' }),
    metadata: Metadata.nullable().optional().meta({ description: 'Replaces all of it; `{}` and null clear it' }),
    template,
    ...noSchedule,
  })
  .meta({ id: 'DraftChange', description: 'What is left out stays; a list that is given replaces the old one' })
export type DraftChange = z.output<typeof DraftChange>

export const DraftListQuery = z
  .object({
    subject: textParam().meta({ description: 'Words of the subject, in any case' }),
    any_email: addressesParam().meta({ description: 'From or to any of these addresses, cc and bcc included' }),
    to: addressesParam(),
    cc: addressesParam(),
    bcc: addressesParam(),
    in: lastTextParam().meta({ description: 'Id of one folder: drafts that are in it too' }),
    starred: booleanParam(),
    unread: booleanParam(),
    thread_id: identifierParam(),
    has_attachment: booleanParam(),
    metadata_pair: metadataPairParam(),
    query_imap: booleanParam().meta({ description: 'Tolerated; the server is always asked' }),
    ...cursorPaging(),
    ...selectParam,
  })
  .superRefine(checkMetadataAlone('query_imap'))
export type DraftListQuery = z.output<typeof DraftListQuery>

export const DraftQuery = z.object({
  query_imap: booleanParam().meta({ description: 'Tolerated; the server is always asked' }),
  ...selectParam,
})
export type DraftQuery = z.output<typeof DraftQuery>

const at = '/v3/grants/:grant_id/drafts'
const parts = ['message', 'draft'] as const
const multipart = 'Also as `multipart/form-data`: the part `message` holds the JSON, every other part a file.'

export const drafts = {
  list: route({
    method: 'GET',
    path: at,
    summary: 'List drafts, newest first',
    description: '`metadata_pair` stands alone: no other filter beside it.',
    audience: 'grant',
    query: DraftListQuery,
    returns: Draft,
    list: 'cursor',
  }),
  create: route({
    method: 'POST',
    path: at,
    summary: 'Create a draft',
    description: multipart,
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
    audience: 'grant',
    query: DraftQuery,
    returns: Draft,
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: `${at}/:draft_id`,
    summary: 'Change a draft',
    description: multipart,
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
    audience: 'grant',
    errors: ['not_found'],
  }),
  send: route({
    method: 'POST',
    path: `${at}/:draft_id`,
    summary: 'Send a draft',
    audience: 'grant',
    own: true,
    query: z.object(selectParam),
    body: z.object({ signature_id: outgoingFields.signature_id }),
    returns: SentMessage,
    beside: z.object({ grant_id: Id }),
    errors: ['not_found', 'insufficient_scopes', 'belongs_to_another_grant', ...SendErrors],
  }),
}
