import { limits } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { needOperation } from '@waypost/providers/registry'
import { mailboxOf } from '../../grants/locator.ts'
import type { Services } from '../../services/services.ts'
import { uploadUrl } from '../pages/upload-target.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

export const attachmentUploads = (
  services: Pick<Services, 'config' | 'storage' | 'accounts' | 'mail'>,
): Handlers['attachmentUploads'] => {
  const { uploads } = services.mail
  const { sessions } = services.accounts
  return {
    create: async ({ grant, body, write }) => {
      const provider = sessions.providerOf(grant, 'messages.send')
      needOperation(provider, { id: 'attachmentUploads.create', resource: 'messages', operation: 'send' })
      const largest = largestFile(provider.maxMessageBytes)
      const { filename, content_type, size } = body
      if (size !== undefined && size > largest) {
        const why = `${provider.kind} accepts messages of at most ${provider.maxMessageBytes} bytes`
        throw new ApiError('payload_too_large', `size: ${why}, so a file may have about ${largest} bytes`)
      }
      return write(async (tx) => {
        const { id, expiresAt } = await uploads.begin(tx, mailboxOf(grant), body)
        return {
          attachment_id: id,
          grant_id: grant.grant.id,
          method: 'PUT' as const,
          url: uploadUrl(services, { applicationId: grant.applicationId, id, expiresAt }),
          headers: { 'content-type': content_type },
          expires_at: new Date(expiresAt).toISOString().replace(/\.\d+Z$/, 'Z'),
          max_size: largest,
          size: size ?? 0,
          content_type,
          filename,
        }
      })
    },

    complete: ({ grant, params, write }) =>
      write(async (tx) => {
        await uploads.complete(tx, mailboxOf(grant), params.upload_id)
        return { attachment_id: params.upload_id, grant_id: grant.grant.id, status: 'ready' as const }
      }),
  }
}

/** Bytes for the headers and the text of a message. */
const restBytes = 65_536

/** The largest file that fits into a message. 57 bytes become a line of 78. */
const largestFile = (maxMessageBytes = Number.MAX_SAFE_INTEGER): number =>
  Math.min(limits.uploadBytes, Math.floor((maxMessageBytes - restBytes) / 78) * 57)
