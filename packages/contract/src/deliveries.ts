/** Deliveries of notifications: the log of attempts, the backlog, replays; and the notification stream. */
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
      description: '`waiting`: will be attempted; `failed`: all attempts were used, replay it to try again',
    }),
    attempts: z.int().meta({ description: 'Number of attempts' }),
    next_attempt_at: Timestamp.nullable().meta({
      description: 'Time of the next attempt in Unix seconds; null if failed',
    }),
  })
  .meta({ id: 'Delivery', description: 'An undelivered notification of a destination' })
export type Delivery = z.output<typeof Delivery>

const UnixTime = z.int().min(0).max(lastSecond, { error: inSeconds })

export const Replay = z
  .object({
    notification_id: NotificationId.optional().meta({
      description: 'Only this notification, whether delivered or not',
    }),
    start: UnixTime.optional().meta({
      description: 'Only notifications created at or after this time, in Unix seconds; default: the oldest retained',
    }),
    end: UnixTime.optional().meta({
      description: 'In addition to `start`: only notifications created before this time, in Unix seconds; default: now',
    }),
    outcome: z.enum(['all', 'delivered', 'failed']).optional().meta({
      description:
        '`all` (default): any outcome, including notifications never sent to this destination; `delivered`: delivered ones; `failed`: permanently failed ones',
    }),
    failed: z.boolean().optional().meta({ description: 'true: same as `outcome: "failed"`' }),
    trigger_types: z.array(SubscribableTrigger).min(1).max(200).optional().meta({
      description:
        'Only these triggers; default: all current triggers of the destination. Unless `outcome` is `failed`, the destination must be subscribed to them.',
    }),
    grant_id: z.string().min(1).max(64).optional().meta({ description: 'Only notifications about this grant' }),
    dry_run: z.boolean().optional().meta({
      description: 'true: nothing is delivered; the response contains the number of notifications',
    }),
  })
  .meta({
    id: 'Replay',
    description:
      'Notifications to deliver again: one by its id, or all that match the other fields, at least one of which is required',
  })
export type Replay = z.output<typeof Replay>

export const Replayed = z
  .object({
    replayed: z.int().meta({ description: 'Number of notifications queued again; 0 in a dry run' }),
    matching: z
      .int()
      .optional()
      .meta({
        description: `In a dry run: number of notifications to replay, counted up to ${limits.replayCounted}`,
      }),
    more: z.boolean().optional().meta({
      description: 'In a dry run: there may be more than were counted; all of them would be replayed',
    }),
  })
  .meta({ id: 'Replayed', description: 'Result of a replay or dry run' })

export const Backlog = z
  .object({
    due: z.int().meta({ description: 'Number of notifications that are due now' }),
    later: z.int().meta({ description: 'Number of notifications waiting for a later attempt' }),
    failed: z.int().meta({ description: 'Number of permanently failed notifications' }),
    more: z.boolean().meta({
      description: `One of the numbers exceeds ${limits.backlogCounted}, the limit up to which each is counted`,
    }),
    next_attempt_at: Timestamp.nullable().meta({
      description: 'Time of the next attempt in Unix seconds; null if nothing is waiting',
    }),
  })
  .meta({ id: 'Backlog', description: 'Undelivered notifications of a destination' })
export type Backlog = z.output<typeof Backlog>

export const MadeDue = z
  .object({
    due: z.int().meta({ description: 'Number of waiting notifications that are delivered now' }),
    more: z.boolean().meta({ description: 'More are waiting than one call handles; call again' }),
  })
  .meta({ id: 'MadeDue', description: 'Notifications delivered now instead of later' })

export const AllMadeDue = MadeDue.extend({
  destinations: z.int().meta({ description: 'Number of destinations that had waiting notifications' }),
}).meta({
  id: 'AllMadeDue',
  description: 'Notifications delivered now instead of later, for all destinations together',
})

const window = {
  start: timeParam().meta({ description: 'Only notifications created at or after this time, in Unix seconds' }),
  end: timeParam().meta({ description: 'Only notifications created before this time, in Unix seconds' }),
}

export const deliveries = {
  list: route({
    right: 'webhooks',
    method: 'GET',
    path: '/v3/webhooks/:id/deliveries',
    summary: 'List undelivered notifications of a destination',
    description:
      'Failed ones first, in queue order, then waiting ones by their next attempt. Delivered notifications are only in the log of attempts.',
    audience: 'application',
    query: z.object({
      ...cursorPaging(),
      state: choiceParam(['waiting', 'failed']).meta({
        description: '`waiting`: will be attempted; `failed`: will not; default: both',
      }),
      ...selectParam,
    }),
    returns: Delivery,
    list: 'cursor',
  }),
  attempts: route({
    right: 'webhooks',
    method: 'GET',
    path: '/v3/webhooks/:id/attempts',
    summary: 'List the delivery attempts of a destination',
    description:
      'Newest first. Attempts are retained as long as notifications. With `trigger_types` or `grant_id`, a request searches about 10,000 attempts, so a page can be short or empty although there are more.',
    audience: 'application',
    query: z.object({
      ...cursorPaging(),
      notification_id: textParam().meta({ description: 'Only this notification' }),
      outcome: choiceParam(['delivered', 'failed']).meta({ description: 'Only this outcome; default: both' }),
      trigger_types: listParam().meta({ description: 'Only these triggers, comma-separated' }),
      grant_id: textParam().meta({ description: 'Only notifications about this grant' }),
      ...window,
      ...selectParam,
    }),
    returns: DeliveryAttempt,
    list: 'cursor',
  }),
  attempt: route({
    right: 'webhooks',
    method: 'GET',
    path: '/v3/webhooks/:id/attempts/:notification_id',
    summary: 'Get one delivery attempt',
    description:
      'Returns the request and what to try next. Default: the last attempt of the notification. The request is reconstructed as it was sent, including signatures.',
    audience: 'application',
    query: z.object({
      attempt: integerParam({ min: 1, max: 2_147_483_647 }).meta({
        description: 'Number of the attempt: its `webhook_delivery_attempt`; default: the last one',
      }),
      ...selectParam,
    }),
    returns: AttemptDetail,
    errors: ['not_found'],
  }),
  backlog: route({
    right: 'webhooks',
    method: 'GET',
    path: '/v3/webhooks/:id/backlog',
    summary: 'Count undelivered notifications of a destination',
    description: `Each number is counted up to ${limits.backlogCounted}, so the response is always fast.`,
    audience: 'application',
    returns: Backlog,
    errors: ['not_found'],
  }),
  replay: route({
    right: 'webhooks',
    method: 'POST',
    path: '/v3/webhooks/:id/replay',
    summary: 'Deliver notifications again',
    description:
      'Delivers one by its id, or all that match a time range, trigger, grant or outcome. They keep their ids, so that receivers can detect duplicates. Use `dry_run` to get their number first. The destination must be active or failing, except for a dry run.',
    audience: 'application',
    body: Replay,
    returns: Replayed,
    errors: ['conflict'],
  }),
  deliverNow: route({
    right: 'webhooks',
    method: 'POST',
    path: '/v3/webhooks/:id/deliver-now',
    summary: 'Deliver waiting notifications of a destination now',
    description:
      'Use it after a receiver was repaired: nothing waits for its next attempt. Previous attempts still count, and failed notifications wait again. Without waiting notifications it has no effect. The destination must be active or failing.',
    audience: 'application',
    returns: MadeDue,
    errors: ['not_found', 'conflict'],
  }),
  deliverAllNow: route({
    right: 'webhooks',
    method: 'POST',
    path: '/v3/webhooks/deliver-now',
    summary: 'Deliver waiting notifications of all destinations now',
    description:
      'Applies to all active and failing destinations of the application; notifications of other destinations keep waiting.',
    audience: 'application',
    returns: AllMadeDue,
  }),
}

export const StreamedNotification = Notification.omit({ webhook_delivery_attempt: true }).meta({
  id: 'StreamedNotification',
  description: 'A notification in the stream. It has no attempt number, because it is not delivered',
})
export type StreamedNotification = z.output<typeof StreamedNotification>

export const NotificationDelivery = z
  .object({
    webhook_id: Id.meta({ description: 'Id of the destination' }),
    state: z.enum(['delivered', 'waiting', 'failed']).meta({
      description: 'Whether the destination received it, will receive it, or failed permanently',
    }),
    attempts: z.int().meta({ description: 'Number of attempts' }),
    next_attempt_at: Timestamp.nullable().meta({
      description: 'Time of the next attempt in Unix seconds; null if it is not waiting',
    }),
  })
  .meta({ id: 'NotificationDelivery', description: 'Delivery state of a notification at one destination' })
export const StoredNotification = StreamedNotification.extend({
  deliveries: z.array(NotificationDelivery).meta({ description: 'Delivery state at each destination' }),
}).meta({ id: 'KeptNotification', description: 'A retained notification and its delivery states' })
export type StoredNotification = z.output<typeof StoredNotification>

/** Limited to the maximum length of a cursor. */
const cursorText = () => z.string().min(1).max(2048).optional()

export const notifications = {
  list: route({
    // Without `webhooks`, the list contains what the other operations read (`key-rights.ts`).
    right: ['webhooks', 'mail.read', 'calendar.read', 'contacts.read', 'scheduling'],
    method: 'GET',
    path: '/v3/notifications',
    summary: 'Read the notification stream of the application',
    description:
      'Oldest first, with or without destinations, starting when the application turned on `notification_stream`. Every response has `next_cursor`, even if it has no notifications. Store it and continue from there to receive every notification exactly once. With `wait`, the response is sent as soon as there is a notification, or empty after that many seconds. With `Accept: text/event-stream`, the response stays open as server-sent events: `event` is the type, `data` the notification and `id` the cursor after it. To resume, send the last `id` as `Last-Event-ID`, on any node. An access token reads the notifications of its grant. A restricted key reads those of its grants and its read operations.',
    audience: 'application',
    token: true,
    events: true,
    headers: z.object({
      'last-event-id': cursorText().meta({
        description:
          'Resume after this event: the `id` of the last one that arrived. It takes precedence over `last_event_id` and `page_token`',
      }),
    }),
    query: z.object({
      ...cursorPaging(),
      wait: integerParam({ min: 0, max: limits.streamWaitSeconds }).meta({
        description: `Seconds to wait if there is no notification yet, up to ${limits.streamWaitSeconds}; default 0`,
      }),
      last_event_id: cursorText().meta({
        description: 'The same as the header `Last-Event-ID`, for clients that cannot send it with the first request',
      }),
      start: timeParam().meta({
        description: 'Only notifications created at or after this time, in Unix seconds; default: the oldest retained',
      }),
      order: choiceParam(['asc', 'desc']).meta({
        description:
          '`asc` (default): oldest first, then new ones; `desc`: newest first, page by page, without waiting and not as events',
      }),
      grant_id: textParam().meta({ description: 'Only notifications about this grant' }),
      trigger_types: listParam().meta({ description: 'Only these triggers, comma-separated' }),
      ...selectParam,
    }),
    returns: StreamedNotification,
    list: 'cursor',
    errors: ['conflict', 'grant_access_denied', 'grant_not_found'],
  }),
  get: route({
    right: 'webhooks',
    method: 'GET',
    path: '/v3/notifications/:id',
    summary: 'Get one notification and its delivery states',
    description:
      "Available while it is retained: while a destination is subscribed to its trigger or the stream is on, and for the application's `notification_days`.",
    audience: 'application',
    query: z.object(selectParam),
    returns: StoredNotification,
  }),
}
