/** Releases leases in groups, such as all that became idle at the same time. */
import type { Database, Queries } from '@waypost/store/engine/database'
import { releaseLeases, settleRetries } from '@waypost/store/tables/notifications/delivery-leases'
import { keepHealthOfAll } from '@waypost/store/tables/notifications/delivery-results'
import type { DestinationWorker } from '../delivery/destination-worker.ts'
import { serializeHealth } from '../delivery/health.ts'

/** Resolves when the lease of an ended worker is released. */
export type Release = (worker: DestinationWorker) => Promise<void>

export function createReleases(database: Database, owner: string): Release {
  const waiting = new Map<string, { workers: DestinationWorker[]; released: Promise<void> }>()
  const releaseAll = async (applicationId: string): Promise<void> => {
    await new Promise(setImmediate)
    const { workers = [] } = waiting.get(applicationId) ?? {}
    waiting.delete(applicationId)
    const release = (): Promise<void> =>
      database.transaction((tx) => releaseOf(tx, database, { applicationId, owner }, workers))
    // Retried once: a concurrent renewal of the same leases can deadlock with it.
    await release().catch(release)
  }
  return (worker) => {
    const { applicationId } = worker.at
    const batch = waiting.getOrInsertComputed(applicationId, () => ({
      workers: [],
      released: releaseAll(applicationId),
    }))
    batch.workers.push(worker)
    return batch.released
  }
}

/** The destination's health is stored, unless a change of its state was not: then it is evaluated again. */
async function releaseOf(
  tx: Queries,
  { engine }: Pick<Database, 'engine'>,
  of: { applicationId: string; owner: string },
  workers: readonly DestinationWorker[],
): Promise<void> {
  const changed = workers.filter(({ healthChanged, step }) => healthChanged && !step)
  const healths = changed.map(({ at: { webhookId }, health, judgeAt }) => ({
    webhookId,
    judgeAt,
    health: serializeHealth(health),
  }))
  await keepHealthOfAll(tx, engine, of, healths)
  const webhookIds = workers.map(({ at }) => at.webhookId)
  await settleRetries(tx, { ...of, webhookIds })
  await releaseLeases(tx, { ...of, webhookIds })
}
