/** One delivery attempt: its outcome, its request, and what to try next. */
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
      description: 'Id of the notification; null when it is no longer retained',
    }),
    type: z.string().nullable().meta({
      description: 'The `type` of the notification, such as `event.created`; null when it is no longer retained',
    }),
    grant_id: GrantId.nullable().meta({
      description: 'Id of the grant that the notification is about; null when it is no longer retained',
    }),
    webhook_delivery_attempt: z.int().meta({
      description: 'Number of the attempt at this destination, starting at 1; replays continue the count',
    }),
    outcome: z.enum(['delivered', 'failed']).meta({
      description: '`delivered`: the response had status 2xx; `failed`: another status, or no response',
    }),
    at: Timestamp.meta({ description: 'Time of the attempt in Unix seconds' }),
    latency_ms: z.int().meta({ description: 'Milliseconds until the response, or until the attempt was aborted' }),
    status: z.int().nullable().meta({ description: 'HTTP status of the response; null if there was none' }),
    error: z.string().nullable().meta({ description: 'Reason why there was no response; null if there was one' }),
    answer: z.string().nullable().meta({
      description:
        'First 4 KB of the response; null if there was none. Administrators get it only with the single attempt, not in the list',
    }),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One attempt to deliver a notification to a destination' })
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>

export const AttemptRequest = z
  .object({
    method: z.enum(['POST', 'PUBLISH']).meta({ description: '`POST` for webhooks, `PUBLISH` for channels' }),
    url: z.string().meta({ description: 'URL of the request; for a channel, where it publishes' }),
    headers: z.record(z.string(), z.string()).meta({
      description: 'Request headers with lower-case names, including signatures; empty for channels',
    }),
    body: z.string().meta({
      description: 'Exact text of the body, before compression',
    }),
    compressed: z.boolean().meta({
      description: 'Whether the body was sent as gzip. The signatures then cover the compressed bytes',
    }),
    is_exact: z.boolean().meta({
      description:
        'false: the destination changed after this attempt, so URL, compression and signatures are the current ones',
    }),
  })
  .meta({ id: 'AttemptRequest', description: 'The request of an attempt' })
export type AttemptRequest = z.output<typeof AttemptRequest>

export const AttemptDetail = DeliveryAttempt.extend({
  state: z.enum(['delivered', 'waiting', 'failed']).meta({
    description: 'Current state of the notification at this destination',
  }),
  next_attempt_at: Timestamp.nullable().meta({
    description: 'Time of the next attempt in Unix seconds; null if it is not waiting',
  }),
  request: AttemptRequest.nullable().meta({
    description: 'The request; null if the notification can no longer be read',
  }),
  advice: z.array(z.string()).meta({ description: 'What to try next; empty if it was delivered' }),
}).meta({ id: 'AttemptDetail', description: 'One attempt with its request and what to try next' })
export type AttemptDetail = z.output<typeof AttemptDetail>
