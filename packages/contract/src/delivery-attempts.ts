/** One attempt to deliver: what came of it, what was sent, and what to try next. */
import { z } from 'zod'
import { GrantId, Timestamp } from './fields.ts'

export const NotificationId = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'Id of the notification: the `id` of its envelope' })

export const DeliveryAttempt = z
  .object({
    notification_id: NotificationId.nullable().meta({
      description: 'Id of the notification; null when it is no longer kept',
    }),
    type: z.string().nullable().meta({
      description: 'The `type` of the notification, such as `event.created`; null when it is no longer kept',
    }),
    grant_id: GrantId.nullable().meta({
      description: 'Id of the grant that the notification is about; null when it is no longer kept',
    }),
    webhook_delivery_attempt: z.int().meta({
      description: 'Which attempt at this destination it was, from 1 on; replays go on counting',
    }),
    outcome: z.enum(['delivered', 'failed']).meta({
      description: '`delivered`: the answer had a status of 2xx; `failed`: another one, or none',
    }),
    at: Timestamp.meta({ description: 'When it was attempted, in Unix seconds' }),
    latency_ms: z.int().meta({ description: 'Milliseconds until the answer, or until it was given up' }),
    status: z.int().nullable().meta({ description: 'HTTP status of the answer; null when there was none' }),
    error: z.string().nullable().meta({ description: 'Why there was no answer, in words; null when there was one' }),
    answer: z.string().nullable().meta({
      description:
        'The first 4 KB of the answer; null when there was none, and in the list that an administrator asks for, who gets it with the attempt itself',
    }),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One attempt to deliver a notification to a destination' })
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>

export const AttemptRequest = z
  .object({
    method: z.literal('POST').meta({ description: 'Always `POST`' }),
    url: z.string().meta({ description: 'Address that it was sent to' }),
    headers: z.record(z.string(), z.string()).meta({
      description: 'Headers that it carried, by their names in lower case, signatures included',
    }),
    body: z.string().meta({
      description: 'Text of the body, byte for byte; of a compressed one the text before it was compressed',
    }),
    compressed: z.boolean().meta({
      description: 'Whether the body was sent as gzip: the signatures are of the compressed bytes then',
    }),
    is_exact: z.boolean().meta({
      description:
        'false: the destination was changed after this attempt, so that address, compression and signatures are those that it would be sent with now',
    }),
  })
  .meta({ id: 'AttemptRequest', description: 'The request of an attempt, as it was sent' })
export type AttemptRequest = z.output<typeof AttemptRequest>

export const AttemptDetail = DeliveryAttempt.extend({
  state: z.enum(['delivered', 'waiting', 'failed']).meta({
    description: 'How far the notification is at this destination now',
  }),
  next_attempt_at: Timestamp.nullable().meta({
    description: 'When it is tried next, in Unix seconds; null where it is not waiting',
  }),
  request: AttemptRequest.nullable().meta({
    description: 'What was sent; null where the notification can no longer be opened',
  }),
  advice: z.array(z.string()).meta({ description: 'What to try next, in words; empty where it was delivered' }),
}).meta({ id: 'AttemptDetail', description: 'One attempt with its request, and what to try next' })
export type AttemptDetail = z.output<typeof AttemptDetail>
