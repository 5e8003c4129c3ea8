/** The job that deletes remaining rows, one batch per transaction. */
import { sleep } from '@waypost/platform/clock'
import type { Database } from '@waypost/store/engine/database'
import { type Leftover, leaveBehind, removeLeftovers } from '@waypost/store/tables/notifications/leftovers'

/** Must fit into the lease of a job. The remainder becomes a new job. */
const maxPieces = 200
/** Pause between batches, so that other work proceeds. */
const pauseMs = 5

export async function removeAllLeftovers(
  database: Database,
  payload: string,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<void> {
  let left: Leftover | undefined = JSON.parse(payload)
  for (let count = 0; left && count < maxPieces && !signal.aborted; count++) {
    const piece: Leftover = left
    left = await database.transaction((tx) => removeLeftovers(tx, piece))
    await sleep(pauseMs, signal)
  }
  const rest = left
  if (rest) await database.transaction((tx) => leaveBehind(tx, rest, now))
}
