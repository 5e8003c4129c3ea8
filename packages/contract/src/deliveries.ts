/** What came of notifications: the log of attempts, what waits, replays; and the same notifications as a stream to read. */
import { z } from 'zod'
import {
  choiceParam,
  cursorPaging,
  Id,
  inSeconds,
  integerParam,
  lastSecond,
  listParam,
  selectParam,
  Timestamp,
  textParam,
  timeParam,
} from './fields.ts'
import { limits } from './limits.ts'
import { Notification } from './notifications.ts'
import { route } from './route.ts'

const NotificationId = z.string().min(1).max(64)

export const DeliveryAttempt = z
  .object({
    notification_id: NotificationId.nullable().meta({ description: 'null when the notification is no longer kept' }),
    type: z.string().nullable(),
    webhook_delivery_attempt: z.int(),
    outcome: z.enum(['delivered', 'failed']),
    at: Timestamp,
    latency_ms: z.int(),
    status: z.int().nullable().meta({ description: 'The status of the answer; null when there was none' }),
    error: z.string().nullable().meta({ description: 'Why there was no answer' }),
    answer: z.string().nullable().meta({ description: 'The first 4 KB of the answer' }),
  })
  .meta({ id: 'DeliveryAttempt' })
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>

export const Delivery = z
  .object({
    notification_id: NotificationId,
    type: z.string(),
    grant_id: Id,
    state: z.enum(['waiting', 'failed']),
    attempts: z.int(),
    next_attempt_at: Timestamp.nullable(),
  })
  .meta({ id: 'Delivery' })
export type Delivery = z.output<typeof Delivery>

const UnixTime = z.int().min(0).max(lastSecond, { error: inSeconds })

export const Replay = z
  .object({
    notification_id: NotificationId.optional().meta({ description: 'This one, whether it was delivered or not' }),
    start: UnixTime.optional().meta({ description: 'All that the destination is subscribed to, from this time on' }),
    end: UnixTime.optional().meta({ description: 'Up to this time, which is not part of it; now when absent' }),
    failed: z.boolean().optional().meta({ description: 'true: all that failed for good' }),
  })
  .meta({ id: 'Replay' })
export type Replay = z.output<typeof Replay>

export const Replayed = z.object({ replayed: z.int() }).meta({ id: 'Replayed' })

export const MadeDue = z
  .object({
    due: z.int().meta({ description: 'How many waited for a later try and are delivered now' }),
    more: z.boolean().meta({ description: 'More wait than one call takes: call again' }),
  })
  .meta({ id: 'MadeDue' })

const window = {
  start: timeParam().meta({ description: 'Made at this time or later' }),
  end: timeParam().meta({ description: 'Made before this time' }),
}

export const deliveries = {
  list: route({
    method: 'GET',
    path: '/v3/webhooks/:id/deliveries',
    summary: 'List what waits for a destination, or failed',
    description:
      'What failed, in the order it was queued, and then what waits, by the next try. What was delivered is no longer here: the log of attempts has it.',
    audience: 'application',
    query: z.object({ ...cursorPaging(), state: choiceParam(['waiting', 'failed']), ...selectParam }),
    returns: Delivery,
    list: 'cursor',
  }),
  attempts: route({
    method: 'GET',
    path: '/v3/webhooks/:id/attempts',
    summary: 'List the attempts to deliver to a destination',
    description: 'The newest first. They are kept as long as notifications are.',
    audience: 'application',
    query: z.object({
      ...cursorPaging(),
      notification_id: textParam(),
      outcome: choiceParam(['delivered', 'failed']),
      ...window,
      ...selectParam,
    }),
    returns: DeliveryAttempt,
    list: 'cursor',
  }),
  replay: route({
    method: 'POST',
    path: '/v3/webhooks/:id/replay',
    summary: 'Deliver notifications again',
    description:
      'One by its id, a range of time, or all that failed. They keep their ids, so that a receiver knows them. The destination must be active or failing.',
    audience: 'application',
    body: Replay,
    returns: Replayed,
    errors: ['conflict'],
  }),
  deliverNow: route({
    method: 'POST',
    path: '/v3/webhooks/:id/deliver-now',
    summary: 'Deliver what waits for a later try now',
    description:
      'For a listener that was mended: nothing waits for its next try any longer. The tries that were made count, and what fails again waits for its next one. A call that finds nothing waiting changes nothing. The destination must be active or failing.',
    audience: 'application',
    returns: MadeDue,
    errors: ['not_found', 'conflict'],
  }),
}

export const StreamedNotification = Notification.omit({ webhook_delivery_attempt: true }).meta({
  id: 'StreamedNotification',
})
export type StreamedNotification = z.output<typeof StreamedNotification>

export const NotificationDelivery = z
  .object({
    webhook_id: Id,
    state: z.enum(['delivered', 'waiting', 'failed']),
    attempts: z.int(),
    next_attempt_at: Timestamp.nullable(),
  })
  .meta({ id: 'NotificationDelivery' })
export const KeptNotification = StreamedNotification.extend({ deliveries: z.array(NotificationDelivery) }).meta({
  id: 'KeptNotification',
})
export type KeptNotification = z.output<typeof KeptNotification>

export const notifications = {
  list: route({
    method: 'GET',
    path: '/v3/notifications',
    summary: 'Read the notifications of the application as a stream',
    description:
      'The oldest first, whether there are destinations or not, from the time on at which the application switched the stream on (`notification_stream`). Every answer has `next_cursor`, also one without notifications: keep it, and go on from there; none is missed and none comes twice. With `wait` the answer comes as soon as there is something, or empty after that many seconds.',
    audience: 'application',
    query: z.object({
      ...cursorPaging(),
      wait: integerParam({ min: 0, max: limits.streamWaitSeconds }).meta({
        description: 'Seconds to wait for something',
      }),
      start: timeParam().meta({ description: 'Where to begin; the oldest that is kept when absent' }),
      order: choiceParam(['asc', 'desc']).meta({
        description: '`desc`: the newest first, page by page to the oldest, without waiting',
      }),
      grant_id: textParam(),
      trigger_types: listParam().meta({ description: 'Only of these triggers' }),
      ...selectParam,
    }),
    returns: StreamedNotification,
    list: 'cursor',
    errors: ['conflict'],
  }),
  get: route({
    method: 'GET',
    path: '/v3/notifications/:id',
    summary: 'Get one notification, and how far its deliveries are',
    audience: 'application',
    query: z.object(selectParam),
    returns: KeptNotification,
  }),
}
