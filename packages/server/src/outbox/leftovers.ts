/** The job that removes what is left behind, a piece in each transaction. */
import { sleep } from '../lib/clock.ts'
import type { Database } from '../store/engine/database.ts'
import { type Leftover, leaveBehind, removeLeftovers } from '../store/tables/notifications/leftovers.ts'

/** Less than the lease of a job: what is left then becomes a job of its own. */
const maxPieces = 200
/** Others are served between the pieces. */
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
