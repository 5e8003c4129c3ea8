/** The tool that gives access to files of messages. */
import { Attachment } from '@waypost/contract'
import { z } from 'zod'
import { attachmentLink } from '../attachment-links.ts'
import { Moment, momentOf } from '../content/moment.ts'
import { untrusted } from '../content/result-text.ts'
import { defineTool } from './define-tool.ts'
import { identifierOf, itemOf, reads } from './parts.ts'

const { id, size, filename, content_type } = Attachment.shape

export const getAttachment = defineTool({
  name: 'get_attachment',
  title: 'Get an attachment',
  description:
    'Returns a link that downloads one file of a message for ten minutes without further credentials. Give it to nobody but the user.',
  operations: ['mail.read'],
  annotations: { ...reads, idempotentHint: false },
  grant: true,
  input: { message_id: identifierOf('message'), attachment_id: identifierOf('attachment, as read_message shows it') },
  output: {
    attachment: z.object({
      id,
      size,
      url: z.string().meta({ description: 'Downloads the file' }),
      expires_at: Moment,
      untrusted: untrusted({ filename, content_type }),
    }),
  },
  run: async ({ call, grantId, context: { api, caller } }, { message_id, attachment_id }) => {
    const params = { grant_id: grantId, attachment_id }
    const found = itemOf<Attachment>(await call('attachments.get', { params, query: { message_id } }))
    const { type, id: credentialId } = caller.credential ?? { type: 'api_key' as const, id: caller.keyId ?? '' }
    const { url, expiresAt } = attachmentLink(api, {
      by: { applicationId: caller.id, type, id: credentialId },
      grantId: found.grant_id,
      messageId: message_id,
      attachmentId: found.id,
    })
    const { id, size, filename, content_type } = found
    const facts = { id, size, url, expires_at: momentOf(Math.floor(expiresAt / 1000), 'UTC') }
    return { summary: 'One file.', row: { name: 'attachment', row: { facts, untrusted: { filename, content_type } } } }
  },
})
