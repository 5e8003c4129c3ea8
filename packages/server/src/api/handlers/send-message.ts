/** Sends a message: the checks before it, and the envelope of the answer. */
import type { SendRequest, SentMessage } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { mailboxOf } from '../../grants/locator.ts'
import { dueTime } from '../../sending/ledger/schedules.ts'
import { checkTracking, filesOf, signatureOf, textOf } from '../../sending/requests/outgoing.ts'
import type { SendOrder } from '../../sending/sending.ts'
import type { Services } from '../../services/services.ts'
import type { Handlers } from '../pipeline/handler-types.ts'

/** The envelope of a sent or scheduled message. */
export const sentEnvelope = ({ grant }: GrantRecord, data: SentMessage) => ({
  data,
  beside: { grant_id: grant.id, ...(data.schedule_id === '' ? {} : { schedule_id: data.schedule_id }) },
  later: data.schedule_id !== '',
})

export function sendMessage({
  storage: { database, clock },
  mail: { sending, uploads },
  config,
}: Pick<Services, 'config' | 'storage' | 'mail'>): Handlers['messages']['send'] {
  const host = new URL(config.baseUrl).hostname

  return async (context) => {
    const { grant, body, mime, query, responseHeaders, idempotencyKey, write } = context
    const contentOf = async (request: SendRequest): Promise<SendOrder['content']> => {
      if (request.send_at !== undefined) dueTime(request.send_at, clock.now())
      const at = mailboxOf(grant)
      const { template: _t, signature_id, attachments = [], tracking_options, ...rest } = request
      const files = await filesOf({ uploads }, at, { attachments, parts: context.files })
      if (request.use_draft && files.some(({ upload }) => upload)) {
        throw invalidField('use_draft', 'cannot be combined with uploaded files: the message is read again to send it')
      }
      const tracking = checkTracking(tracking_options, host)
      const signature = await signatureOf(database, at, signature_id)
      const text = await textOf(database, at, request)
      return {
        request: { ...rest, ...text, tracking_options: tracking },
        files,
        signature: request.is_plaintext ? undefined : signature,
      }
    }
    const content = body ? await contentOf(body) : { mime: mime ?? new Uint8Array() }
    const sent = await sending.sendMessage({
      grant,
      content,
      fields: query.fields,
      idempotencyKey,
      responseHeaders,
      signal: context.signal,
      calls: context.calls,
      write: async (work) => (await write(async (tx) => sentEnvelope(grant, await work(tx)))).data,
    })
    return sentEnvelope(grant, sent)
  }
}
