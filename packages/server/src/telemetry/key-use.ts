import type { Database } from '@waypost/store/engine/database'
import { touchAgent } from '@waypost/store/tables/agents/agents'
import { touchApiKey } from '@waypost/store/tables/applications/api-keys'

interface UsedCredential {
  applicationId: string
  id: string
}

/** Records the last use of keys and agents in memory and writes it to the store periodically, not with every request. */
export interface KeyUse {
  note(key: UsedCredential, now: number): void
  noteAgent(agent: UsedCredential, now: number): void
}

export interface KeyUseBook extends KeyUse, AsyncDisposable {
  /** Writes the records since the last call. */
  flush(): Promise<void>
}

interface KeyUseNote {
  applicationId: string
  time: number
  touch: typeof touchApiKey
}

export function createKeyUse(database: Database): KeyUseBook {
  let noted = new Map<string, KeyUseNote>()
  const flush = async (): Promise<void> => {
    const batch = noted
    noted = new Map()
    for (const [id, { applicationId, time, touch }] of batch) await touch(database, { applicationId, id }, time)
  }
  return {
    note: ({ applicationId, id }, time) => noted.set(id, { applicationId, time, touch: touchApiKey }),
    noteAgent: ({ applicationId, id }, time) => noted.set(id, { applicationId, time, touch: touchAgent }),
    flush,
    [Symbol.asyncDispose]: () => flush().catch(() => undefined),
  }
}
