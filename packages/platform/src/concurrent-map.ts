/**
 * Calls a function for each item, at most `max` at a time. The results have the order of the items. The first failure is
 * thrown, and no further call begins.
 */
export async function concurrentMap<T, R>(
  items: readonly T[],
  max: number,
  call: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const waiting = items.entries()
  let hasFailed = false
  const work = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (hasFailed) return
      try {
        results[index] = await call(item, index)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(max, items.length) }, work))
  return results
}
