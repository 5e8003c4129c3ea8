import { limits } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import { countBacklog, listDeliveries } from '@waypost/store/tables/notifications/deliveries'
import { z } from 'zod'
import type { Services } from '../../services/services.ts'
import { deliverAllNow, deliverNow } from '../../webhooks/delivery/deliver-now.ts'
import { attemptDetail, attemptOf, deliveryOf, readAttempts } from '../../webhooks/delivery/delivery-log.ts'
import { needDestination } from '../../webhooks/destinations.ts'
import { countReplay, replay } from '../../webhooks/replay.ts'
import { openAnswers } from '../../webhooks/sealed-payloads.ts'
import type { Handlers } from '../pipeline/handler-types.ts'
import { milliseconds, typesWanted } from './lists/filters.ts'
import { cutPage } from './lists/keyset-page.ts'

const AttemptPlace = z.tuple([z.number(), z.number(), z.number()])
const DeliveryPlace = z.tuple([z.enum(['failed', 'waiting']), z.number(), z.number()])

export const deliveries = ({
  storage: { database, clock, payloads, secrets },
  notifications: { deliverer },
  config,
}: Pick<Services, 'config' | 'storage' | 'notifications'>): Handlers['deliveries'] => {
  const addressOf = async (applicationId: string, id: string) => {
    await needDestination(database, applicationId, id)
    return { applicationId, webhookId: id }
  }
  return {
    list: async ({ application, params, query, position }) => {
      const at = await addressOf(application.id, params.id)
      const rows = await listDeliveries(database, at, {
        state: query.state,
        after: position === undefined ? undefined : DeliveryPlace.parse(position),
        limit: query.limit + 1,
      })
      const page = cutPage(rows, query.limit, ({ state, due_at, id }) => [state, due_at, id])
      return { ...page, items: page.items.map(deliveryOf) }
    },
    attempts: async ({ application, acting, params, query, position }) => {
      const at = await addressOf(application.id, params.id)
      const { rows, next } = await readAttempts(database, at, {
        filter: {
          notificationId: query.notification_id,
          outcome: query.outcome,
          start: milliseconds(query.start),
          end: milliseconds(query.end),
          types: typesWanted(query.trigger_types),
          grantId: query.grant_id,
        },
        after: position === undefined ? undefined : AttemptPlace.parse(position),
        limit: query.limit,
      })
      // Response bodies of receivers may contain customer data. Administrators see them only on the single attempt,
      // which is audited, and refused where they may not see such data.
      const shown = acting ? rows.map((row) => ({ ...row, answer: null })) : await openAnswers(payloads, at, rows)
      return { items: shown.map(attemptOf), ...(next ? { next: [...next] } : {}) }
    },
    attempt: ({ application, params, query }) =>
      attemptDetail(
        { database, clock, secrets, payloads, signatureHeader: config.signatureHeader },
        {
          applicationId: application.id,
          webhookId: params.id,
          notificationId: params.notification_id,
          attempt: query.attempt,
        },
      ),
    backlog: async ({ application, params }) => {
      const at = await addressOf(application.id, params.id)
      const max = limits.backlogCounted
      const { due, later, failed, nextAt } = await countBacklog(database, at, { now: clock.now(), max: max + 1 })
      return {
        due: Math.min(due, max),
        later: Math.min(later, max),
        failed: Math.min(failed, max),
        more: Math.max(due, later, failed) > max,
        next_attempt_at: nextAt === undefined ? null : seconds(nextAt),
      }
    },
    replay: async ({ application, params, body, write }) => {
      const at = { applicationId: application.id, webhookId: params.id }
      if (body.dry_run) {
        const counted = await countReplay(database, at, body, clock.now())
        return { replayed: 0, ...counted }
      }
      const replayed = await replay(database, at, body, clock.now())
      deliverer.wake()
      return write(async () => ({ replayed }))
    },
    deliverNow: async ({ application, params, write }) => {
      // In steps, so that no request waits long. Rows that were made due stay due, so a retry continues.
      const made = await deliverNow(database, { applicationId: application.id, webhookId: params.id }, clock.now())
      deliverer.wake()
      return write(async () => made)
    },
    deliverAllNow: async ({ application, write }) => {
      const made = await deliverAllNow(database, application.id, clock.now())
      deliverer.wake()
      return write(async () => made)
    },
  }
}
