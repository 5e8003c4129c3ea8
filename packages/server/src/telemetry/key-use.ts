import type { Database } from '../store/engine/database.ts'
import { touchApiKey } from '../store/tables/applications/api-keys.ts'

/** Records the last use of keys in memory and writes it to the store periodically, not with every request. */
export interface KeyUse {
  note(key: { applicationId: string; id: string }, now: number): void
}

export interface KeyUseBook extends KeyUse, AsyncDisposable {
  /** Writes the records since the last call. */
  flush(): Promise<void>
}

export function createKeyUse(database: Database): KeyUseBook {
  let noted = new Map<string, { applicationId: string; time: number }>()
  const flush = async (): Promise<void> => {
    const batch = noted
    noted = new Map()
    for (const [id, { applicationId, time }] of batch) await touchApiKey(database, { applicationId, id }, time)
  }
  return {
    note: ({ applicationId, id }, time) => noted.set(id, { applicationId, time }),
    flush,
    [Symbol.asyncDispose]: () => flush().catch(() => undefined),
  }
}
