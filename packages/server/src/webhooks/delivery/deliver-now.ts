/** Delivers immediately what waits for a retry, for receivers that were repaired. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Database } from '@waypost/store/engine/database'
import { type LaterDelivery, laterDeliveries, makeDeliveriesDue } from '@waypost/store/tables/notifications/deliveries'
import { noteRetryNow } from '@waypost/store/tables/notifications/delivery-leases'
import { listWebhooks } from '@waypost/store/tables/notifications/webhooks'
import { needDestination } from '../destinations.ts'
import { isServed, needServed } from '../replay.ts'

const maxPage = 1_000
/** Maximum number per call. A caller with more calls again. */
const maxCall = 50_000

interface MadeDue {
  due: number
  more: boolean
}

export async function deliverNow(
  database: Database,
  at: { applicationId: string; webhookId: string },
  now: number,
): Promise<MadeDue> {
  needServed(await needDestination(database, at.applicationId, at.webhookId))
  return makeDue(database, at, { now, max: maxCall })
}

/** Same, for all active destinations of an application. */
export async function deliverAllNow(
  database: Database,
  applicationId: string,
  now: number,
): Promise<MadeDue & { destinations: number }> {
  const sum = { due: 0, more: false, destinations: 0 }
  for (const row of (await listWebhooks(database, applicationId)).filter(isServed)) {
    const at = { applicationId, webhookId: row.id }
    const made = await makeDue(database, at, { now, max: maxCall - sum.due })
    sum.due += made.due
    sum.more ||= made.more
    if (made.due > 0) sum.destinations += 1
  }
  return sum
}

/**
 * Makes waiting deliveries due. They are read first and changed in small transactions afterwards, so that a delivery
 * that fails again in the meantime waits for its next retry and is not taken twice.
 */
async function makeDue(
  database: Database,
  at: { applicationId: string; webhookId: string },
  { now, max }: { now: number; max: number },
): Promise<MadeDue> {
  const rows: LaterDelivery[] = []
  let isEnd = false
  // One extra row shows that there are more.
  while (!isEnd && rows.length <= max) {
    const limit = Math.min(maxPage, max + 1 - rows.length)
    const page = await laterDeliveries(database, at, { now, after: rows.at(-1), limit })
    rows.push(...page)
    isEnd = page.length < limit
    await turn()
  }
  const taken = rows.slice(0, max)
  let due = 0
  for (let from = 0; from < taken.length; from += maxPage / 4) {
    due += await database.transaction(async (tx) => {
      const made = await makeDeliveriesDue(tx, at, { rows: taken.slice(from, from + maxPage / 4), now })
      await noteRetryNow(tx, at, now)
      return made
    })
    await turn()
  }
  return { due, more: rows.length > max }
}
