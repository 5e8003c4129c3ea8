import { z } from 'zod'
import { GrantId } from './fields.ts'
import { limits } from './limits.ts'
import { given, headerText } from './outgoing.ts'
import { route } from './route.ts'

const mediaType = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:\s*;\s*[\w!#$&^.+*-]+=(?:[^\s;"]+|"[^"\\]*"))*\s*;?$/

const filename = z.string().meta({ description: 'Name of the file, as recipients see it' })
const contentType = z.string().meta({ description: 'Media type of the file' })

export const UploadRequest = z
  .object({
    filename: headerText(255).min(1).meta({
      description: 'Name of the file as recipients see it; required, up to 255 characters',
    }),
    content_type: headerText(255)
      .regex(mediaType, 'must be a media type, such as application/pdf')
      .refine((type) => !/^multipart\//i.test(type), 'must not be a multipart type')
      .meta({ description: 'Media type of the file, such as `application/pdf`; required' }),
    size: given(
      z
        .int()
        .min(1, 'must be at least 1')
        .max(limits.uploadBytes, `file_size exceeds maximum allowed size of ${limits.uploadBytes} bytes`),
    ).meta({
      description: `Size of the file in bytes, up to ${limits.uploadBytes}. Recommended: an upload with another size is refused.`,
    }),
  })
  .meta({ id: 'UploadRequest', description: 'A large file that is about to be uploaded' })
export type UploadRequest = z.output<typeof UploadRequest>

const attachmentId = z.string().meta({
  description: 'Id of the upload: the path of `complete`, and `id` in `attachments` of messages and drafts',
})

export const Upload = z
  .object({
    attachment_id: attachmentId,
    grant_id: GrantId,
    method: z.literal('PUT').meta({ description: 'HTTP method of the upload: always `PUT`' }),
    url: z.string().meta({
      description:
        'Signed URL for the bytes of the file. Send no API key with it: whoever knows the URL can upload until `expires_at`.',
    }),
    headers: z.record(z.string(), z.string()).meta({ description: 'Headers to send with the bytes' }),
    expires_at: z.string().meta({
      description:
        'End of the upload in RFC 3339, one hour after its creation. The bytes are deleted then, unless a message that refers to them still waits to be sent.',
    }),
    max_size: z.int().meta({
      description: `Largest file in bytes: ${limits.uploadBytes}, or less if the provider of the grant accepts less`,
    }),
    size: z.int().meta({ description: 'The declared size in bytes; 0 if none was declared' }),
    content_type: contentType,
    filename,
  })
  .meta({ id: 'Upload', description: 'An upload of a large file, and where to send the bytes' })
export type Upload = z.output<typeof Upload>

export const CompletedUpload = z
  .object({
    attachment_id: attachmentId,
    grant_id: GrantId,
    status: z.literal('ready').meta({ description: 'State of the upload: always `ready`' }),
  })
  .meta({ id: 'CompletedUpload', description: 'An upload that messages and drafts can refer to' })
export type CompletedUpload = z.output<typeof CompletedUpload>

const at = '/v3/grants/:grant_id/attachment-uploads'

export const attachmentUploads = {
  create: route({
    right: ['mail.draft', 'mail.send'],
    method: 'POST',
    path: at,
    summary: 'Begin the upload of a large file',
    description: `For files of up to 150 MB, at every provider that sends mail. Send the bytes with \`PUT\` to the \`url\` of the response, then complete the upload, then name its id in \`attachments\` of a message or draft. An application can have up to ${limits.uploads} uploads with 2 GB at a time.`,
    audience: 'grant',
    own: true,
    body: UploadRequest,
    returns: Upload,
    status: 201,
    errors: ['payload_too_large', 'not_supported_by_provider', 'upload_quota_reached'],
  }),
  complete: route({
    right: ['mail.draft', 'mail.send'],
    method: 'POST',
    path: `${at}/:upload_id/complete`,
    summary: 'Complete an upload',
    description:
      'Call it after the `PUT`. 409: the upload is complete already. 410: it has expired. 422: no file has arrived completely, or it has another size than declared; upload it again to the same URL.',
    audience: 'grant',
    own: true,
    returns: CompletedUpload,
    errors: ['not_found', 'conflict', 'upload_expired', 'upload_incomplete'],
  }),
}
