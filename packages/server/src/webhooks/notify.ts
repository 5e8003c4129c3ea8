/** Writes notifications in the transaction of the change they report. */
import { isDeepStrictEqual } from 'node:util'
import { MessageHeadersObject, sourceOf, triggers } from '@waypost/contract'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { newOrderedId } from '@waypost/platform/ids'
import type { Engine, Queries } from '@waypost/store/engine/database'
import { notificationAdder } from '@waypost/store/tables/notifications/notifications'
import { z } from 'zod'
import type { Notified, Notify } from '../grants/notify.ts'
import { shownObject, truncate } from './envelope.ts'
import { payloadContext } from './sealed-payloads.ts'

export interface NotifyOptions {
  clock: Clock
  engine: Engine
  /** Whether applications are distributed over several machines. */
  isDistributed?(): boolean
  seals: DataSeals
  /** Whether notifications are compared with the contract. */
  checks: boolean
  /** Called when a notification is queued for delivery. Its transaction is still open. */
  onQueued(tx: Queries): void
}

/** The function with which grants and providers report their changes. */
export function createNotify({ clock, engine, isDistributed, seals, checks, onQueued }: NotifyOptions): Notify {
  const add = notificationAdder(engine, isDistributed)
  return async (tx, reported) => {
    const { applicationId, grantId, provider, trigger, suffix, data, sync } = reported
    if (checks) checkPayload({ ...reported, object: shownObject(reported) })
    const named = suffix === undefined ? trigger : `${trigger}.${suffix}`
    const source = sourceOf(trigger, provider, sync)
    const head = { type: named, source, id: newOrderedId(), createdAt: clock.now() }
    const added = { ...head, trigger, applicationId, grantId }
    const content = () => {
      const object = shownObject(reported)
      const { type, data: payload, bytes } = truncate(head, { application_id: applicationId, object, ...data })
      return { type, bytes, sealedPayload: seals.seal(payload, payloadContext(applicationId, head.id)) }
    }
    await add(tx, added, { content, onQueued: () => onQueued(tx) })
  }
}

function compare(what: string, schema: z.ZodType, value: unknown): void {
  const plain = JSON.parse(JSON.stringify(value))
  const parsed = schema.safeParse(plain)
  if (!parsed.success) throw new Error(`${what} does not match its contract: ${parsed.error.message}`)
  if (!isDeepStrictEqual(parsed.data, plain)) {
    throw new Error(`${what} has fields that the contract lacks: ${JSON.stringify(plain)}`)
  }
}

/** In tests and development, a notification that deviates from the contract fails here rather than at a receiver. */
export function checkPayload({ trigger, suffix, object, data = {} }: Notified): void {
  const facts = triggers[trigger]
  compare(trigger, suffix === 'metadata' ? MessageHeadersObject : facts.object, object)
  compare(trigger, facts.data?.schema ?? z.object({}), data)
}
