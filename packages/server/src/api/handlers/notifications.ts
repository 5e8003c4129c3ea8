import type { StreamedNotification } from '@waypost/contract'
import { z } from 'zod'
import { needStream } from '../../applications/notification-settings.ts'
import { ApiError } from '../../lib/api-error.ts'
import { seconds } from '../../lib/clock.ts'
import { JsonText } from '../../lib/json/text.ts'
import type { Services } from '../../services/services.ts'
import {
  deliveriesOf,
  getNotification,
  type StreamedRow,
} from '../../store/tables/notifications/notification-stream.ts'
import { composeUndelivered } from '../../webhooks/delivery/envelope.ts'
import { type Opened, openPayloads } from '../../webhooks/sealed-payloads.ts'
import { createStream } from '../../webhooks/stream.ts'
import { readFiltered } from '../../webhooks/stream-reading.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { typesWanted } from './lists/trigger-filter.ts'

const Place = z.tuple([z.number(), z.number()])

const textOf = ({ created_at: createdAt, payload: data, ...row }: Opened<StreamedRow>): string =>
  composeUndelivered({ ...row, createdAt, data })

export const notifications = ({ database, payloads, stopping }: Services): Handlers['notifications'] => {
  const nextOfStream = createStream(database)
  return {
    list: async ({ application, query, position, signal }) => {
      await needStream(database, application.id, { follows: query.order !== 'desc' })
      const filter = {
        grantId: query.grant_id,
        types: typesWanted(query.trigger_types),
        since: query.start === undefined ? undefined : query.start * 1000,
      }
      const items = async (rows: readonly StreamedRow[]) =>
        (await openPayloads(payloads, rows)).map((row) => new JsonText<StreamedNotification>(textOf(row)))
      if (query.order === 'desc') {
        const [transaction, place] = position === undefined ? [] : Place.parse(position)
        const before = transaction === undefined || place === undefined ? undefined : { transaction, position: place }
        const read = { applicationId: application.id, filter, order: 'desc', from: before, limit: query.limit } as const
        const { rows, seen, ended } = await readFiltered(database, read)
        const more = !ended && seen !== undefined
        return { items: await items(rows), ...(more ? { next: [seen.transaction, seen.position] } : {}) }
      }
      const [transaction, place] = position === undefined ? [0, 0] : Place.parse(position)
      const { rows, next } = await nextOfStream({
        applicationId: application.id,
        after: { transaction, position: place },
        filter,
        limit: query.limit,
        waitMs: (query.wait ?? 0) * 1000,
        signal: AbortSignal.any([signal, stopping]),
      })
      // There is always a next page, because the stream has no end.
      return { items: await items(rows), next: [next.transaction, next.position], endless: true }
    },
    get: async ({ application, params }) => {
      const kept = await getNotification(database, application.id, params.id)
      const [row] = await openPayloads(payloads, kept ? [kept] : [])
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
