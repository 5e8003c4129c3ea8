import { z } from 'zod'
import { booleanParam, Id, identifier, selectParam } from './fields.ts'
import { route } from './route.ts'

export const Attachment = z
  .object({
    id: z.string().meta({ description: 'Means something only together with the id of its message' }),
    grant_id: Id,
    filename: z.string().nullable().meta({ description: 'null where the part has no name, such as an invitation' }),
    content_type: z.string().meta({ description: 'As the message says it, parameters included' }),
    size: z
      .int()
      .optional()
      .meta({ description: 'Bytes of the file, exactly; left out where only who downloads it knows' }),
    is_inline: z.boolean().optional(),
    content_id: z.string().optional(),
    content_disposition: z.string().optional(),
  })
  .meta({ id: 'Attachment' })
export type Attachment = z.output<typeof Attachment>

export const AttachmentQuery = z.object({
  message_id: identifier().meta({ description: 'The message that holds it' }),
  query_imap: booleanParam().meta({ description: 'Tolerated; the server is always asked' }),
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
    audience: 'grant',
    query: AttachmentQuery,
    bytes: true,
    errors: ['not_found'],
  }),
}
