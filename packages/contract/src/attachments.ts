import { z } from 'zod'
import { booleanParam, GrantId, identifier, selectParam } from './fields.ts'
import { route } from './route.ts'

export const Attachment = z
  .object({
    id: z.string().meta({ description: 'Means something only together with the id of its message' }),
    grant_id: GrantId,
    filename: z.string().nullable().meta({
      description: 'Name of the file; null where the part has none, as an invitation often has',
    }),
    content_type: z.string().meta({ description: 'Media type as the message says it, parameters included' }),
    size: z
      .int()
      .optional()
      .meta({ description: 'Bytes of the file, exactly; left out where only who downloads it knows' }),
    is_inline: z
      .boolean()
      .optional()
      .meta({ description: 'Whether it is shown within the text, as an image of a signature is' }),
    content_id: z.string().optional().meta({
      description:
        'The id by which the HTML of the message refers to the file: `cid:` and this text. It has no angle brackets',
    }),
    content_disposition: z
      .string()
      .optional()
      .meta({ description: '`inline` or `attachment`; left out where the message does not say it' }),
  })
  .meta({ id: 'Attachment', description: 'What is known of a file that a message carries, without its bytes' })
export type Attachment = z.output<typeof Attachment>

export const AttachmentQuery = z.object({
  message_id: identifier().meta({ description: 'Id of the message that holds the attachment' }),
  query_imap: booleanParam().meta({ description: 'Taken without effect: the server is always asked' }),
})
export type AttachmentQuery = z.output<typeof AttachmentQuery>

const at = '/v3/grants/:grant_id/attachments/:attachment_id'
/** Where the message stands in the path and not in the query. */
const alias = '/v3/grants/:grant_id/messages/:message_id/attachments/:attachment_id'

export const attachments = {
  get: route({
    method: 'GET',
    path: at,
    aliases: [alias],
    summary: 'Tell what an attachment is',
    description:
      'Name, type and size of an attachment, without its bytes: the same as in `attachments` of its message.',
    audience: 'grant',
    query: AttachmentQuery.extend(selectParam),
    returns: Attachment,
    errors: ['not_found'],
  }),
  download: route({
    method: 'GET',
    path: `${at}/download`,
    aliases: [`${alias}/download`],
    summary: 'Get the bytes of an attachment',
    description:
      'The bytes themselves, streamed, without envelope, under the type that the message says (`application/octet-stream` where that is none), and always with `Content-Disposition: attachment`. Where something fails after the first byte the connection breaks: what came to its end is whole.',
    audience: 'grant',
    query: AttachmentQuery,
    bytes: true,
    errors: ['not_found'],
  }),
}
