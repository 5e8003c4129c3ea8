import { z } from 'zod'
import type { Services } from '../../services/services.ts'
import { type AttemptPosition, listAttempts, listDeliveries } from '../../store/deliveries.ts'
import { deliverNow } from '../../webhooks/deliver-now.ts'
import { attemptOf, deliveryOf } from '../../webhooks/delivery-log.ts'
import { needWebhook } from '../../webhooks/destinations.ts'
import { replay } from '../../webhooks/replay.ts'
import { openAnswers } from '../../webhooks/sealed-payloads.ts'
import type { Handlers } from '../context.ts'

const AttemptPlace = z.tuple([z.number(), z.number(), z.number()])
const DeliveryPlace = z.tuple([z.enum(['failed', 'waiting']), z.number(), z.number()])

const milliseconds = (value: number | undefined): number | undefined => (value === undefined ? undefined : value * 1000)

export const deliveries = ({ database, clock, deliverer, payloads }: Services): Handlers['deliveries'] => {
  const addressOf = async (applicationId: string, id: string) => {
    await needWebhook(database, applicationId, id)
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
      const page = rows.slice(0, query.limit)
      const items = page.map(deliveryOf)
      const last = page.at(-1)
      return rows.length > page.length && last ? { items, next: [last.state, last.due_at, last.id] } : { items }
    },
    attempts: async ({ application, params, query, position }) => {
      const at = await addressOf(application.id, params.id)
      const rows = await listAttempts(database, at, {
        filter: {
          notificationId: query.notification_id,
          outcome: query.outcome,
          start: milliseconds(query.start),
          end: milliseconds(query.end),
        },
        after: position === undefined ? undefined : AttemptPlace.parse(position),
        limit: query.limit + 1,
      })
      const page = rows.slice(0, query.limit)
      const last = page.at(-1)
      const next: AttemptPosition | undefined =
        rows.length > page.length && last ? [last.at, last.notification, last.attempt] : undefined
      return { items: (await openAnswers(payloads, at, page)).map(attemptOf), ...(next ? { next: [...next] } : {}) }
    },
    replay: async ({ application, params, body, write }) => {
      const at = { applicationId: application.id, webhookId: params.id }
      const replayed = await replay(database, at, body, clock.now())
      deliverer.wake()
      return write(async () => ({ replayed }))
    },
    deliverNow: async ({ application, params, write }) => {
      // In steps, so that nobody waits for long; what is made due stays so, and a repetition finds it done.
      const made = await deliverNow(database, { applicationId: application.id, webhookId: params.id }, clock.now())
      deliverer.wake()
      return write(async () => made)
    },
  }
}
