/**
 * Whether the store can be written: by a small write of its own, at most one a second, and by what became of everybody's
 * statements. A disk may take a small write and refuse a large one, so a refusal counts for a while after it; damage counts
 * until the process is started anew, on a store that was restored.
 */
import { type Database, StoreUnavailable } from './database.ts'
import { writeFact } from './installation.ts'

export interface StoreHealth {
  /** Why the store cannot be used, in words for everybody; undefined when it can. */
  problem(): Promise<string | undefined>
}

const probeEveryMs = 1_000
const probeMs = 2_000
/** How long a refusal counts: a store that is back is used again soon. */
const refusedMs = 1_500

/** A store whose failures are noted. */
export function watchHealth(
  store: Database,
  now: () => number = () => performance.now(),
): { database: Database; health: StoreHealth } {
  let damaged: string | undefined
  let refused: { message: string; at: number } | undefined
  const note = (error: unknown): void => {
    if (!(error instanceof StoreUnavailable)) return
    refused = { message: error.message, at: now() }
    if (error.isDamage) damaged = error.message
  }
  const noted = <T>(work: Promise<T>): Promise<T> => {
    work.then(undefined, note)
    return work
  }
  const database: Database = {
    ...store,
    get: (statement, parameters) => noted(store.get(statement, parameters)),
    all: (statement, parameters) => noted(store.all(statement, parameters)),
    run: (statement, parameters) => noted(store.run(statement, parameters)),
    post: (statement, parameters, counted) => noted(store.post(statement, parameters, counted)),
    transaction: (work, sharing) => noted(store.transaction(work, sharing)),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }

  async function probe(): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, probeMs, 'the store does not answer')
    })
    const written = noted(writeFact(store, 'write_probe', String(Math.round(now()))))
    try {
      return await Promise.race([written.then(() => undefined), silence])
    } catch (error) {
      if (error instanceof StoreUnavailable) return error.message
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  let last: { at: number; found: Promise<string | undefined> } | undefined
  return {
    database,
    health: {
      async problem() {
        if (damaged !== undefined) return damaged
        if (!last || now() - last.at >= probeEveryMs) last = { at: now(), found: probe() }
        const found = await last.found
        if (found !== undefined) return found
        return refused && now() - refused.at < refusedMs ? refused.message : undefined
      },
    },
  }
}
