import type { StreamedNotification } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import type { JsonValue } from '@waypost/platform/json/guard'
import { JsonText } from '@waypost/platform/json/values'
import { dayMs } from '@waypost/store/tables/notifications/day-partitions'
import {
  deliveriesOf,
  getNotification,
  type StreamedRow,
  type StreamPosition,
} from '@waypost/store/tables/notifications/notification-stream'
import { z } from 'zod'
import { needStream } from '../../applications/settings.ts'
import type { Services } from '../../services/services.ts'
import { composeUndelivered } from '../../webhooks/envelope.ts'
import { type OpenNotification, openPayloads } from '../../webhooks/sealed-payloads.ts'
import { positionOf, readFiltered } from '../../webhooks/stream-reading.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { notificationFilter } from './lists/filters.ts'
import { createLiveStreams, liveNotifications } from './live-notifications.ts'

/** The third figure, in seconds, is when a cursor of a live stream was made. */
const Place = z.tuple([z.number(), z.number(), z.number().optional()])

const textOf = ({ created_at: createdAt, payload: data, ...row }: OpenNotification<StreamedRow>): string =>
  composeUndelivered({ ...row, createdAt, data })

/** Fields that make no sense for a stream of events are refused. */
function checkLive(query: { order?: string | undefined; wait?: number | undefined }): void {
  if (query.order === 'desc') throw invalidField('order', 'must be asc for text/event-stream')
  if (query.wait !== undefined) throw invalidField('wait', 'must be absent for text/event-stream, which never ends')
}

/** The position of a cursor. One that nobody used for as long as notifications are stored may have missed some. */
function startOf(position: JsonValue | undefined, since: number): StreamPosition | undefined {
  if (position === undefined) return undefined
  const [transaction, place, madeAt] = Place.parse(position)
  if (madeAt !== undefined && madeAt * 1000 < since) {
    const message = 'the cursor is older than the notifications that are stored: some are gone; begin without it'
    throw new ApiError('invalid_request', message, { validationErrors: { 'last-event-id': 'has expired' } })
  }
  return { transaction, position: place }
}

export const notifications = (
  services: Pick<Services, 'config' | 'storage' | 'notifications' | 'telemetry' | 'runtime'>,
): Handlers['notifications'] => {
  const { config } = services
  const { database, payloads, clock } = services.storage
  const { stopping } = services.runtime
  const { metrics } = services.telemetry
  const { nextOfStream } = services.notifications
  const streams = createLiveStreams()
  metrics.read('waypost_live_streams', () => [[[], streams.total]])
  const items = async (rows: readonly StreamedRow[]) =>
    (await openPayloads(payloads, rows)).map((row) => new JsonText<StreamedNotification>(textOf(row)))
  const openRows = async (rows: readonly StreamedRow[]) =>
    (await openPayloads(payloads, rows)).map((row) => {
      const item = new JsonText<StreamedNotification>(textOf(row))
      return { row: positionOf(row), type: row.type, item }
    })
  return {
    list: async (context) => {
      const { application, query, position, signal } = context
      if (context.wantsEvents) checkLive(query)
      const { notification_days: days } = await needStream(database, application.id, {
        follows: query.order !== 'desc',
      })
      const filter = await notificationFilter(database, application, query)
      const since = clock.now() - (days ?? config.notificationDays) * dayMs
      const start = startOf(position, since)
      if (query.order === 'desc') {
        const read = { applicationId: application.id, filter, order: 'desc', from: start, limit: query.limit } as const
        const { rows, seen, ended } = await readFiltered(database, read)
        const more = !ended && seen !== undefined
        // A page can be empty although there are more: the search for a filter stops early.
        const next = more ? { next: [seen.transaction, seen.position], endless: true } : {}
        return { items: await items(rows), ...next }
      }
      const after = start ?? { transaction: 0, position: 0 }
      if (context.wantsEvents) {
        signal.throwIfAborted()
        const credential = application.grantId ?? application.credential?.id ?? application.keyId ?? 'administrator'
        return liveNotifications({
          database,
          applicationId: application.id,
          filter,
          limit: query.limit,
          after,
          next: nextOfStream,
          open: openRows,
          now: () => clock.now(),
          stillAdmitted: () => context.stillAdmitted(),
          stopping,
          leave: streams.take(application.id, credential),
        })
      }
      const { rows, next } = await nextOfStream({
        applicationId: application.id,
        after,
        filter,
        limit: query.limit,
        waitMs: (query.wait ?? 0) * 1000,
        signal: AbortSignal.any([signal, stopping]),
      })
      // There is always a next page, because the stream has no end.
      return { items: await items(rows), next: [next.transaction, next.position], endless: true }
    },
    get: async ({ application, params }) => {
      const retained = await getNotification(database, application.id, params.id)
      const [row] = await openPayloads(payloads, retained ? [retained] : [])
      if (!row) throw new ApiError('not_found', 'no notification with this id is stored')
      const { queued, attempted } = await deliveriesOf(database, application.id, row.position)
      const waiting = new Set(queued.map(({ webhook_id }) => webhook_id))
      const done = attempted.filter(({ webhook_id }) => !waiting.has(webhook_id))
      return {
        ...(JSON.parse(textOf(row)) as StreamedNotification),
        deliveries: [
          ...queued.map(({ webhook_id, state, attempts, due_at }) => ({
            webhook_id,
            state,
            attempts,
            next_attempt_at: state === 'waiting' ? seconds(due_at) : null,
          })),
          ...done.map((each) => ({ ...each, state: 'delivered' as const, next_attempt_at: null })),
        ],
      }
    },
  }
}
