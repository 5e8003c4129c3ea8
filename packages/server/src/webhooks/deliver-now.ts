/** Delivers now what waits for a later try: for a listener that was mended. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Database } from '../store/database.ts'
import { type LaterDelivery, laterDeliveries, makeDeliveriesDue } from '../store/deliveries.ts'
import { needWebhook } from './destinations.ts'
import { needServed } from './replay.ts'

const maxPage = 1_000
/** How many one call delivers; a caller with more waiting calls again. */
const maxCall = 50_000

/**
 * Makes due what waits. It is read first, and changed in small transactions afterwards: what fails again meanwhile waits
 * for its next try, and is not taken twice however fast it fails.
 */
export async function deliverNow(
  database: Database,
  at: { applicationId: string; webhookId: string },
  now: number,
): Promise<{ due: number; more: boolean }> {
  needServed(await needWebhook(database, at.applicationId, at.webhookId))
  const rows: LaterDelivery[] = []
  let isEnd = false
  while (!isEnd && rows.length < maxCall) {
    const page = await laterDeliveries(database, at, { now, after: rows.at(-1), limit: maxPage })
    rows.push(...page)
    isEnd = page.length < maxPage
    await turn()
  }
  let due = 0
  for (let from = 0; from < rows.length; from += maxPage / 4) {
    due += await makeDeliveriesDue(database, at, { rows: rows.slice(from, from + maxPage / 4), now })
    await turn()
  }
  return { due, more: !isEnd }
}
