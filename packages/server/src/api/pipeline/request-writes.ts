import type { Audience } from '@waypost/contract'
import { within } from '@waypost/platform/span'
import type { Database, Queries } from '@waypost/store/engine/database'
import type { DiskRoom } from '@waypost/store/engine/disk-room'
import { outcomeOf } from '../../telemetry/provider-calls.ts'
import type { WireAnswer } from '../http/answer.ts'
import type { RequestContext, Write } from './request-context.ts'
import type { ResponseBuilder } from './response-builder.ts'

/** Administrators can always sign in and change settings, to make room on a full disk. */
const limited: ReadonlySet<string> = new Set<Audience>(['grant', 'application', 'guest'])

/**
 * Gives a request its transactions. With the change they store its audit entry, and its answer under an Idempotency-Key.
 * `stored` is that answer, once it is in the store.
 */
export function addWrites(
  { database, room }: { database: Database; room?: Pick<DiskRoom, 'needRoom'> | undefined },
  context: RequestContext,
  response: ResponseBuilder,
): { stored(): WireAnswer | undefined } {
  const { audit, attempt, span } = context
  let stored: WireAnswer | undefined
  const { method } = context.request
  const { audience } = context.served.named.route
  const isLimited = method !== 'DELETE' && limited.has(audience)
  const write: Write = async (work, sharing) => {
    if (isLimited) room?.needRoom()
    const before = { stored, responseHeaders: { ...context.responseHeaders } }
    const run = async (tx: Queries): Promise<unknown> => {
      // Work that shares a transaction may run twice: headers of the first run do not count.
      response.restore(before.responseHeaders)
      const value = await work(tx)
      await audit?.keep(tx, value)
      if (attempt && !before.stored) {
        stored = await response.answer(value)
        await attempt.complete(tx, stored)
      }
      return value
    }
    // Audited work has a transaction of its own, so that its entry is written once.
    const transaction = (): Promise<unknown> => database.transaction(run, audit ? undefined : sharing)
    const value = await within(span?.child('store transaction', 'internal'), transaction, outcomeOf)
    audit?.retained()
    return value
  }
  context.write = write
  return { stored: () => stored }
}
