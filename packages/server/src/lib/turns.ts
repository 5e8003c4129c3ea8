/** Long work in the thread that answers requests lets others have their turn. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** So long somebody may work without a pause. */
const turnMs = 10

/** Makes a function to be called between pieces of work: it waits for the others once a turn is over. */
export function takingTurns(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < turnMs) return
    await nextTurn()
    since = performance.now()
  }
}
