import { z } from 'zod'
import { booleanParam, GrantId, identifier, selectParam } from './fields.ts'
import { route } from './route.ts'

export const Attachment = z
  .object({
    id: z.string().meta({ description: 'Unique only within its message' }),
    grant_id: GrantId,
    filename: z.string().nullable().meta({
      description: 'File name; null if the part has none, as is common for invitations',
    }),
    content_type: z.string().meta({ description: 'Media type as declared in the message, including parameters' }),
    size: z.int().optional().meta({ description: 'Exact size in bytes; absent if it is only known after a download' }),
    is_inline: z
      .boolean()
      .optional()
      .meta({ description: 'Whether it is shown inside the text, like an image in a signature' }),
    content_id: z.string().optional().meta({
      description:
        'Content id with which the HTML of the message refers to the file as `cid:<id>`, without angle brackets',
    }),
    content_disposition: z
      .string()
      .optional()
      .meta({ description: '`inline` or `attachment`; absent if the message does not declare it' }),
  })
  .meta({ id: 'Attachment', description: 'Metadata of a message attachment, without its content' })
export type Attachment = z.output<typeof Attachment>

export const AttachmentQuery = z.object({
  message_id: identifier().meta({ description: 'Id of the message that contains the attachment' }),
  query_imap: booleanParam().meta({ description: 'Accepted without effect: the provider is always queried' }),
})
export type AttachmentQuery = z.output<typeof AttachmentQuery>

const at = '/v3/grants/:grant_id/attachments/:attachment_id'
/** Alternative path with the message id in the path instead of the query. */
const alias = '/v3/grants/:grant_id/messages/:message_id/attachments/:attachment_id'

export const attachments = {
  list: route({
    right: 'mail.read',
    method: 'GET',
    path: '/v3/grants/:grant_id/messages/:message_id/attachments',
    summary: 'List the attachments of a message',
    description:
      'Returns the metadata of all attachments, as in `attachments` of the message. The id of a draft works too.',
    audience: 'grant',
    query: z.object(selectParam),
    returns: Attachment,
    list: 'whole',
    errors: ['not_found'],
  }),
  get: route({
    right: 'mail.read',
    method: 'GET',
    path: at,
    aliases: [alias],
    summary: 'Get the metadata of an attachment',
    description: 'Returns name, type and size, as in `attachments` of its message.',
    audience: 'grant',
    query: AttachmentQuery.extend(selectParam),
    returns: Attachment,
    errors: ['not_found'],
  }),
  download: route({
    right: 'mail.read',
    method: 'GET',
    path: `${at}/download`,
    aliases: [`${alias}/download`],
    summary: 'Download an attachment',
    description:
      'Returns the bytes as a stream, without an envelope, with the declared media type (or `application/octet-stream` if it is invalid) and always with `Content-Disposition: attachment`. If an error occurs after the first byte, the connection is closed early, so a response that ends normally is complete. A request with one range of bytes in `Range` gets this part, with status 206; several ranges get the whole file.',
    audience: 'grant',
    query: AttachmentQuery,
    bytes: true,
    ranges: true,
    headers: z.object({
      range: z
        .string()
        .max(8192)
        .optional()
        .meta({ description: 'One range of bytes, such as `bytes=1000-` to continue a download' }),
    }),
    errors: ['not_found', 'range_not_satisfiable'],
  }),
}
