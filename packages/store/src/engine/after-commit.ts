import type { Database, Queries } from './database.ts'

/**
 * Adds `afterwards(tx, call)` to a store: `call` runs after the transaction has committed, when other readers see its
 * changes.
 */
export function withAfterCommit(store: Database): {
  database: Database
  afterwards(tx: Queries, call: () => void): void
} {
  const requested = new WeakMap<Queries, Set<() => void>>()
  const transaction: Database['transaction'] = async (work, sharing) => {
    let own: Queries | undefined
    const result = await store.transaction((tx) => {
      own = tx
      return work(tx)
    }, sharing)
    const calls = own && requested.get(own)
    if (own && calls) {
      requested.delete(own)
      for (const call of calls) call()
    }
    return result
  }
  return {
    database: { ...store, transaction },
    afterwards(tx, call) {
      const calls = requested.get(tx) ?? new Set()
      requested.set(tx, calls.add(call))
    },
  }
}
