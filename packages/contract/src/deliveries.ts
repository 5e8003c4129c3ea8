/** What came of notifications: the log of attempts, what waits, replays; and the same notifications as a stream to read. */
import { z } from 'zod'
import {
  choiceParam,
  cursorPaging,
  GrantId,
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

const NotificationId = z
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
    answer: z.string().nullable().meta({ description: 'The first 4 KB of the answer; null when there was none' }),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One attempt to deliver a notification to a destination' })
export type DeliveryAttempt = z.output<typeof DeliveryAttempt>

export const Delivery = z
  .object({
    notification_id: NotificationId,
    type: z.string().meta({ description: 'The `type` of the notification, such as `event.created`' }),
    grant_id: GrantId.meta({ description: 'Id of the grant that the notification is about' }),
    state: z.enum(['waiting', 'failed']).meta({
      description:
        '`waiting`: it will be tried, at once or again; `failed`: all tries are used up, replay it to try anew',
    }),
    attempts: z.int().meta({ description: 'How many attempts were made' }),
    next_attempt_at: Timestamp.nullable().meta({
      description: 'When it is tried next, in Unix seconds; null where it failed',
    }),
  })
  .meta({ id: 'Delivery', description: 'A notification that a destination has not taken yet' })
export type Delivery = z.output<typeof Delivery>

const UnixTime = z.int().min(0).max(lastSecond, { error: inSeconds })

export const Replay = z
  .object({
    notification_id: NotificationId.optional().meta({
      description: 'This notification, whether it was delivered or not',
    }),
    start: UnixTime.optional().meta({
      description: 'All that was made from this time on, in Unix seconds, of the triggers that the destination has now',
    }),
    end: UnixTime.optional().meta({
      description: 'Beside `start`: up to this time, which is not part of it, in Unix seconds; now when absent',
    }),
    failed: z.boolean().optional().meta({ description: 'true: all that failed for good at this destination' }),
  })
  .meta({ id: 'Replay', description: 'What to deliver again: one of `notification_id`, `start` and `failed`' })
export type Replay = z.output<typeof Replay>

export const Replayed = z
  .object({ replayed: z.int().meta({ description: 'How many notifications were queued again' }) })
  .meta({ id: 'Replayed', description: 'What a replay came to' })

export const MadeDue = z
  .object({
    due: z.int().meta({ description: 'How many waited for a later try and are delivered now' }),
    more: z.boolean().meta({ description: 'More wait than one call takes: call again' }),
  })
  .meta({ id: 'MadeDue', description: 'What is delivered now instead of later' })

const window = {
  start: timeParam().meta({ description: 'Made at this time or later, in Unix seconds' }),
  end: timeParam().meta({ description: 'Made before this time, in Unix seconds' }),
}

export const deliveries = {
  list: route({
    method: 'GET',
    path: '/v3/webhooks/:id/deliveries',
    summary: 'List what waits for a destination, or failed',
    description:
      'What failed, in the order it was queued, and then what waits, by the next try. What was delivered is no longer here: the log of attempts has it.',
    audience: 'application',
    query: z.object({
      ...cursorPaging(),
      state: choiceParam(['waiting', 'failed']).meta({
        description: '`waiting`: what will be tried; `failed`: what will not; both when absent',
      }),
      ...selectParam,
    }),
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
      notification_id: textParam().meta({ description: 'Of this notification' }),
      outcome: choiceParam(['delivered', 'failed']).meta({ description: 'With this outcome; both when absent' }),
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
  description: 'A notification as the stream has it: without the number of an attempt, because nothing is delivered',
})
export type StreamedNotification = z.output<typeof StreamedNotification>

export const NotificationDelivery = z
  .object({
    webhook_id: Id.meta({ description: 'Id of the destination' }),
    state: z.enum(['delivered', 'waiting', 'failed']).meta({
      description: 'Whether the destination has taken it, will be tried, or has failed for good',
    }),
    attempts: z.int().meta({ description: 'How many attempts were made' }),
    next_attempt_at: Timestamp.nullable().meta({
      description: 'When it is tried next, in Unix seconds; null where it is not waiting',
    }),
  })
  .meta({ id: 'NotificationDelivery', description: 'How far a notification is at one destination' })
export const KeptNotification = StreamedNotification.extend({
  deliveries: z
    .array(NotificationDelivery)
    .meta({ description: 'How far it is at each destination that it was queued for' }),
}).meta({ id: 'KeptNotification', description: 'A notification that is kept, and how far its deliveries are' })
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
        description: `Seconds to wait for something where there is nothing yet, up to ${limits.streamWaitSeconds}; 0 when absent`,
      }),
      start: timeParam().meta({
        description: 'Made at this time or later, in Unix seconds; from the oldest that is kept when absent',
      }),
      order: choiceParam(['asc', 'desc']).meta({
        description:
          '`asc` (default): the oldest first, and on as they come; `desc`: the newest first, page by page to the oldest, without waiting',
      }),
      grant_id: textParam().meta({ description: 'About this grant alone' }),
      trigger_types: listParam().meta({ description: 'Of these triggers alone, with commas between them' }),
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
    description:
      'As long as it is kept: while a destination is subscribed to its trigger or the stream is on, and for `notification_days` of the application.',
    audience: 'application',
    query: z.object(selectParam),
    returns: KeptNotification,
  }),
}
