/**
 * Long work in the thread that answers requests lets others have their turn. All long work of the process shares one line:
 * of everybody who waits in it, one goes on in each turn of the event loop. So ten large answers at the same time hold up
 * other requests no longer than one.
 */

/** So long somebody may work without a pause. */
const turnMs = 10

/** Tasks that wait for their turn, in order. */
const waiting: (() => void)[] = []

function letNextGoOn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(letNextGoOn)
}

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(letNextGoOn)
  })

/** Makes a function to be called between pieces of work: it waits for the others once a turn is over. */
export function takingTurns(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < turnMs) return
    await nextTurn()
    since = performance.now()
  }
}

/** Does something with each of many items; others have their turns in between. */
export async function eachInTurn<T>(items: Iterable<T>, take: (item: T) => void): Promise<void> {
  const othersTurn = takingTurns()
  let count = 0
  for (const item of items) {
    take(item)
    count += 1
    if (count % itemsBetween === 0) await othersTurn()
  }
}

/** The clock is read once for this many items. */
const itemsBetween = 64
