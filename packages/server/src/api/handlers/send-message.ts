/** Sends a message: the checks before it, and the envelope of the answer; and messages that are sent later. */
import { limits, type SendRequest, type SentMessage } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
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

export const schedules = ({ mail: { sending } }: Pick<Services, 'mail'>): Handlers['schedules'] => ({
  list: ({ grant }) => sending.listSchedules(mailboxOf(grant)),
  get: async ({ grant, params }) => {
    const schedule = await sending.getSchedule(mailboxOf(grant), params.schedule_id)
    if (!schedule) throw new ApiError('not_found')
    return schedule
  },
  delete: ({ grant, params, write }) =>
    write(async (tx) => {
      const outcome = await sending.cancelSchedule(tx, mailboxOf(grant), params.schedule_id)
      if (outcome === 'not found') throw new ApiError('not_found')
      if (outcome === 'too late') {
        const message = `a message can be stopped until ${limits.scheduleStopSeconds} seconds before its time; this one is under way or was sent`
        throw new ApiError('conflict', message)
      }
      return { message: 'requested cancelation for workflow' }
    }),
})
