/** What came of notifications: the log of attempts, what waits, replays; and the same notifications as a stream to read. */
import { z } from 'zod'
import { AttemptDetail, DeliveryAttempt, NotificationId } from './delivery-attempts.ts'
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
import { Notification, SubscribableTrigger } from './notifications.ts'
import { route } from './route.ts'

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
      description: 'Made at this time or later, in Unix seconds; from the oldest that is kept when absent',
    }),
    end: UnixTime.optional().meta({
      description: 'Beside `start`: made before this time, in Unix seconds; up to now when absent',
    }),
    outcome: z.enum(['all', 'delivered', 'failed']).optional().meta({
      description:
        '`all` (default): whatever came of it, also what the destination was never sent; `delivered`: what it has taken; `failed`: what failed for good',
    }),
    failed: z.boolean().optional().meta({ description: 'true: the same as `outcome: "failed"`' }),
    trigger_types: z.array(SubscribableTrigger).min(1).max(200).optional().meta({
      description:
        'Of these triggers; all that the destination has now when absent. Unless `outcome` is `failed`, it must be subscribed to them.',
    }),
    grant_id: z.string().min(1).max(64).optional().meta({ description: 'About this grant alone' }),
    dry_run: z.boolean().optional().meta({
      description: 'true: nothing is delivered; the answer tells how many it would be',
    }),
  })
  .meta({
    id: 'Replay',
    description:
      'What to deliver again: one notification by its id, or all that fit the other fields, of which one must be there',
  })
export type Replay = z.output<typeof Replay>

export const Replayed = z
  .object({
    replayed: z.int().meta({ description: 'How many notifications were queued again; 0 in a dry run' }),
    matching: z
      .int()
      .optional()
      .meta({
        description: `In a dry run: how many there are to replay, counted up to ${limits.replayCounted}`,
      }),
    more: z.boolean().optional().meta({
      description: 'In a dry run: there may be more than were counted, and all of them would be replayed',
    }),
  })
  .meta({ id: 'Replayed', description: 'What a replay came to, or would come to' })

export const Backlog = z
  .object({
    due: z.int().meta({ description: 'How many wait for their turn and are tried as soon as it comes' }),
    later: z.int().meta({ description: 'How many wait for a later try' }),
    failed: z.int().meta({ description: 'How many failed for good' }),
    more: z.boolean().meta({
      description: `One of the three is more than ${limits.backlogCounted}, up to which each is counted`,
    }),
    next_attempt_at: Timestamp.nullable().meta({
      description: 'When the first of what waits is tried next, in Unix seconds; null where nothing waits',
    }),
  })
  .meta({ id: 'Backlog', description: 'How much a destination has not taken yet' })
export type Backlog = z.output<typeof Backlog>

export const MadeDue = z
  .object({
    due: z.int().meta({ description: 'How many waited for a later try and are delivered now' }),
    more: z.boolean().meta({ description: 'More wait than one call takes: call again' }),
  })
  .meta({ id: 'MadeDue', description: 'What is delivered now instead of later' })

export const AllMadeDue = MadeDue.extend({
  destinations: z.int().meta({ description: 'How many destinations had something waiting for a later try' }),
}).meta({ id: 'AllMadeDue', description: 'What is delivered now instead of later, to all destinations together' })

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
    description:
      'The newest first. They are kept as long as notifications are. With `trigger_types` or `grant_id` a request looks at some 10,000 attempts at most: a page may hold few or none though there are more behind it.',
    audience: 'application',
    query: z.object({
      ...cursorPaging(),
      notification_id: textParam().meta({ description: 'Of this notification' }),
      outcome: choiceParam(['delivered', 'failed']).meta({ description: 'With this outcome; both when absent' }),
      trigger_types: listParam().meta({ description: 'Of these triggers alone, with commas between them' }),
      grant_id: textParam().meta({ description: 'About this grant alone' }),
      ...window,
      ...selectParam,
    }),
    returns: DeliveryAttempt,
    list: 'cursor',
  }),
  attempt: route({
    method: 'GET',
    path: '/v3/webhooks/:id/attempts/:notification_id',
    summary: 'Get one attempt, with what was sent and what to try next',
    description:
      'The last attempt at the notification, unless `attempt` names another. The request is put together as it was for the attempt, signatures included.',
    audience: 'application',
    query: z.object({
      attempt: integerParam({ min: 1, max: 2_147_483_647 }).meta({
        description: 'Which attempt: its `webhook_delivery_attempt`; the last one when absent',
      }),
      ...selectParam,
    }),
    returns: AttemptDetail,
    errors: ['not_found'],
  }),
  backlog: route({
    method: 'GET',
    path: '/v3/webhooks/:id/backlog',
    summary: 'Count what waits for a destination, and what failed',
    description: `Each is counted up to ${limits.backlogCounted}, so that the answer comes at once however much there is.`,
    audience: 'application',
    returns: Backlog,
    errors: ['not_found'],
  }),
  replay: route({
    method: 'POST',
    path: '/v3/webhooks/:id/replay',
    summary: 'Deliver notifications again',
    description:
      'One by its id, or all of a time, of a trigger, of a grant, of an outcome. They keep their ids, so that a receiver knows them. Ask with `dry_run` first how many that are. The destination must be active or failing, but for a dry run.',
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
  deliverAllNow: route({
    method: 'POST',
    path: '/v3/webhooks/deliver-now',
    summary: 'Deliver what waits for a later try now, at every destination',
    description:
      'The same for all destinations of the application that are active or failing; what waits for others goes on waiting.',
    audience: 'application',
    returns: AllMadeDue,
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
