/** Deletes expired notifications, and those that no destination or stream needs anymore. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { typesOf } from '@waypost/contract'
import { sleep } from '@waypost/platform/clock'
import type { Database } from '@waypost/store/engine/database'
import {
  endNotificationStreams,
  keepingPage,
  listUnchecked,
  type NotificationKeeping,
  noteChecked,
  retainedDaysOf,
} from '@waypost/store/tables/applications/applications'
import { readFact, writeFact } from '@waypost/store/tables/applications/installation'
import {
  dayMs,
  dayOf,
  dropDay,
  dropEmptyFormer,
  firstPositionOf,
  makePartitions,
  partitionedDays,
} from '@waypost/store/tables/notifications/day-partitions'
import {
  holderPage,
  notificationHolders,
  oldestRetained,
  purgeNotifications,
  purgeQueueBetween,
  queueHoldersBetween,
  removeOtherTypes,
} from '@waypost/store/tables/notifications/notification-purge'
import type { StreamPosition } from '@waypost/store/tables/notifications/notification-stream'
import { listWebhooks } from '@waypost/store/tables/notifications/webhooks'
import { triggersOf } from './destinations.ts'

export interface RetentionOptions {
  /** Default retention of applications without their own setting. */
  days: number
  now: number
  stopping: AbortSignal
}

/** Partitions are created this many days ahead. */
const daysAhead = 3
/** Pause between batches, because SQLite works on the main thread. */
const restMs = 5

/** Creates the partitions for today and the following days. */
export const prepareDays = (database: Database, now: number, ahead = daysAhead): Promise<void> =>
  makePartitions(database, dayOf(now), ahead)

/**
 * Deletes expired notifications in batches until none is left or the node stops. Retention counts whole days: a
 * notification is deleted when the last one of its day has expired, so each application is processed once a day.
 * Applications whose setting changed are processed in between. Applications without notifications cost nothing.
 */
export async function purgeRetained(database: Database, options: RetentionOptions): Promise<void> {
  const { now, stopping } = options
  await prepareDays(database, now)
  await endNotificationStreams(database, now)
  const today = String(dayOf(now))
  if ((await readFact(database, 'notifications_purged_day')) !== today) {
    await purgeDays(database, options)
    if (!stopping.aborted) await writeFact(database, 'notifications_purged_day', today)
  }
  const changed = (after: string) => listUnchecked(database, after)
  for await (const application of inPages(changed, keepingPage, stopping)) {
    await purgeAged(database, application, options)
    await removeUnrequested(database, application, stopping)
  }
  while (!stopping.aborted && (await database.reclaim())) await sleep(restMs, stopping)
}

/**
 * On PostgreSQL, days that no application retains are dropped as whole partitions. Only shorter retentions are
 * deleted row by row.
 */
async function purgeDays(database: Database, options: RetentionOptions): Promise<void> {
  const { days, now, stopping } = options
  const { longest, shortest } = await retainedDaysOf(database, days)
  await dropDaysBefore(database, dayOf(now) - longest, stopping)
  const below = belowDay(database, dayOf(now) - shortest)
  const holders = (after: string) => notificationHolders(database, after, below)
  for await (const { id, notification_days, oldest } of inPages(holders, holderPage, stopping)) {
    if (oldest < firstRetained(options, notification_days) * dayMs) {
      await purgeAged(database, { id, notification_days }, options)
    }
  }
  if (database.engine === 'postgresql') await dropEmptyFormer(database)
}

/** The first retained day. */
const firstRetained = ({ days, now }: RetentionOptions, own: number | null): number => dayOf(now) - (own ?? days)
/** Notifications from before a day are below this position. Positions of SQLite contain no day. */
const belowDay = ({ engine }: Database, day: number): number =>
  engine === 'sqlite' ? Number.MAX_SAFE_INTEGER : firstPositionOf(day)

/** Iterates over pages that start after an id. */
async function* inPages<T extends { id: string }>(
  read: (after: string) => Promise<T[]>,
  length: number,
  stopping: AbortSignal,
): AsyncGenerator<T> {
  let after = ''
  for (;;) {
    const page = await read(after)
    for (const each of page) {
      if (stopping.aborted) return
      yield each
    }
    if (page.length < length) return
    after = page.at(-1)?.id ?? after
    await nextTurn()
  }
}

/** Drops the partitions of days that nobody retains, after their waiting and failed deliveries. */
async function dropDaysBefore(database: Database, day: number, stopping: AbortSignal): Promise<void> {
  if (database.engine === 'sqlite') return
  const over = (await partitionedDays(database)).filter((each) => each < day)
  const [first, last] = [over.at(0), over.at(-1)]
  if (first === undefined || last === undefined) return
  const between = [firstPositionOf(first), firstPositionOf(last + 1)] as const
  const holders = (after: string) => queueHoldersBetween(database, after, between)
  for await (const { id } of inPages(holders, holderPage, stopping)) {
    while (!stopping.aborted && (await purgeQueueBetween(database, id, between))) await sleep(restMs, stopping)
  }
  for (const each of over) if (!stopping.aborted) await dropDay(database, each)
}

/** Deletes an application's notifications from days that it no longer retains. */
async function purgeAged(
  database: Database,
  { id, notification_days }: Pick<NotificationKeeping, 'id' | 'notification_days'>,
  options: RetentionOptions,
): Promise<void> {
  const { stopping } = options
  const day = firstRetained(options, notification_days)
  const below = belowDay(database, day)
  const aged = { before: day * dayMs, below }
  const keeper = { engine: database.engine, applicationId: id }
  const oldest = await oldestRetained(database, keeper, below)
  if (oldest === undefined || oldest >= aged.before) return
  while (!stopping.aborted && (await database.transaction((tx) => purgeNotifications(tx, keeper, aged)))) {
    await sleep(restMs, stopping)
  }
}

/** After a change of subscriptions: deletes what no destination is subscribed to, if the stream is off. */
async function removeUnrequested(
  database: Database,
  { id, notification_stream_until, asked_revision }: NotificationKeeping,
  stopping: AbortSignal,
): Promise<void> {
  if (notification_stream_until === 0) {
    const types = new Set((await listWebhooks(database, id)).flatMap(triggersOf).flatMap(typesOf))
    const keeper = { engine: database.engine, applicationId: id }
    let after: StreamPosition | undefined = { transaction: 0, position: 0 }
    while (after) {
      if (stopping.aborted) return
      const from: StreamPosition = after
      after = await database.transaction((tx) => removeOtherTypes(tx, keeper, { types, after: from }))
      await nextTurn()
    }
  }
  await noteChecked(database, id, asked_revision)
}
