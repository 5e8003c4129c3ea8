/**
 * Long work on the main thread yields to other work. All long tasks of the process share one queue, and one of them
 * runs per iteration of the event loop. So ten large responses at once delay other requests no longer than one.
 */

/** Maximum time a task runs before it yields. */
const turnMs = 10

/** Tasks waiting for their turn, in order. */
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

/** Returns a function to call between pieces of work. It yields once `turnMs` is used up. */
export function yieldBetween(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < turnMs) return
    await nextTurn()
    since = performance.now()
  }
}

/** Runs work that pauses at each of its `yield`s, and lets other work go on there. */
export async function runYielding<T>(work: Generator<void, T>): Promise<T> {
  const othersTurn = yieldBetween()
  for (let next = work.next(); ; next = work.next()) {
    if (next.done) return next.value
    await othersTurn()
  }
}

/** Processes many items and yields in between. */
export async function forEachYielding<T>(items: Iterable<T>, take: (item: T) => void): Promise<void> {
  const othersTurn = yieldBetween()
  let count = 0
  for (const item of items) {
    take(item)
    count += 1
    if (count % itemsBetween === 0) await othersTurn()
  }
}

/** The clock is read once per this many items. */
const itemsBetween = 64

/** The approximate size of a value. Heavy values are processed in another thread. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (value instanceof Uint8Array) return value.byteLength
  if (typeof value !== 'object' || value === null) return 0
  let sum = 0
  for (const each of Array.isArray(value) ? value : Object.values(value)) sum += 8 + weightOf(each)
  return sum
}
