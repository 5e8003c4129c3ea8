/** The function that notifies applications of changes, and wakes the workers after the commit. */
import { kindOf } from '../changes/backfill.ts'
import { backfillTracking } from '../changes/tracking-backfill.ts'
import type { Config } from '../config.ts'
import { isReauthentication, type Notify } from '../grants/notify.ts'
import { createNotify } from '../webhooks/notify.ts'
import type { Storage } from './storage.ts'

/** Read late: the workers are built after the function that wakes them. */
interface Woken {
  wakeDeliverer(): void
  wakeWatcher(): void
  /** Wakes readers of the stream, at every node. */
  wakeReaders(): void
}

export function openNotify(
  { clock, database, seals, afterwards }: Storage,
  { checkAnswers }: Config,
  { wakeDeliverer, wakeWatcher, wakeReaders }: Woken,
): Notify {
  const write = createNotify({
    clock,
    engine: database.engine,
    isDistributed: () => database.isDistributed(),
    seals,
    checks: checkAnswers,
    onQueued: (tx) => afterwards(tx, wakeDeliverer),
  })
  const notify: Notify = async (tx, reported) => {
    await write(tx, reported)
    afterwards(tx, wakeReaders)
    if (kindOf(reported.trigger) === 'grant') afterwards(tx, wakeWatcher)
    if (isReauthentication(reported)) await backfillTracking(tx, reported, { notify, seals })
  }
  return notify
}
