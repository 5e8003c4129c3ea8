/**
 * The bytes that destinations may have in hand. Each may have so much, but all together not more than the node can bear:
 * a destination may take an eighth of what nobody has, so that many that hang leave something to the others.
 */
export interface SharedMemory {
  /** Tells how much a holder has in hand. */
  holds(holder: object, bytes: number): void
  /** How much it may have. */
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
