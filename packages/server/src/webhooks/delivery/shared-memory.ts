/**
 * The memory budget for deliveries. All destinations share a total limit, and each may take at most an eighth of what
 * is free, so that destinations that hang leave memory for the others.
 */
export interface SharedMemory {
  /** Reports how many bytes a holder uses. */
  holds(holder: object, bytes: number): void
  /** How many bytes it may use. */
  shareOf(holder: object): number
}

const maxOwn = 8_388_608
const maxAll = 134_217_728

export function createSharedMemory({ own = maxOwn, all = maxAll } = {}): SharedMemory {
  const held = new Map<object, number>()
  let sum = 0
  return {
    holds(holder, bytes) {
      sum += bytes - (held.get(holder) ?? 0)
      if (bytes === 0) held.delete(holder)
      else held.set(holder, bytes)
    },
    shareOf: (holder) => Math.min(own, (held.get(holder) ?? 0) + Math.max(0, all - sum) / 8),
  }
}
