/** Writes notifications in the transaction of the change they report. */
import { sourceOf } from '@waypost/contract'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { newOrderedId } from '@waypost/platform/ids'
import type { Engine, Queries } from '@waypost/store/engine/database'
import { notificationAdder } from '@waypost/store/tables/notifications/notifications'
import type { Notify } from '../grants/notify.ts'
import { checkPayload } from './check-payload.ts'
import { truncate } from './envelope.ts'
import { payloadContext } from './sealed-payloads.ts'
import { shownObject } from './shown-object.ts'

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
  return async (tx, told) => {
    const { applicationId, grantId, provider, trigger, suffix, data, sync } = told
    if (checks) checkPayload({ ...told, object: shownObject(told) })
    const named = suffix === undefined ? trigger : `${trigger}.${suffix}`
    const source = sourceOf(trigger, provider, sync)
    const head = { type: named, source, id: newOrderedId(), createdAt: clock.now() }
    const added = { ...head, trigger, applicationId, grantId }
    const content = () => {
      const object = shownObject(told)
      const { type, data: payload, bytes } = truncate(head, { application_id: applicationId, object, ...data })
      return { type, bytes, sealedPayload: seals.seal(payload, payloadContext(applicationId, head.id)) }
    }
    await add(tx, added, { content, onQueued: () => onQueued(tx) })
  }
}
