/**
 * Whether the store accepts writes. A small probe write runs at most once a second, and all other statements count
 * too. A disk may accept a small write and reject a large one, so a failure counts for `refusedMs`. Damage counts
 * until the process is restarted on a restored store.
 */

import { type Database, isRead, type Statement, StoreUnavailable } from './engine/database.ts'
import { writeFact } from './tables/applications/installation.ts'

export interface StoreHealth {
  /** Why the store cannot be used, in a message that may be public; undefined if it can. */
  problem(): Promise<string | undefined>
}

const probeEveryMs = 1_000
const probeMs = 2_000
/** Short, so that a recovered store is soon used again. */
const refusedMs = 1_500

/** The kind of operation that a caller waits for. */
export type OperationKind = 'read' | 'write' | 'transaction'

export interface WatchOptions {
  now?(): number
  /** Called with the duration of each operation, in milliseconds. */
  answered?(requested: OperationKind, milliseconds: number): void
}

/** Wraps a store to record its failures and the duration of its operations. */
export function watchHealth(
  store: Database,
  { now = () => performance.now(), answered }: WatchOptions = {},
): { database: Database; health: StoreHealth } {
  let damaged: string | undefined
  let refused: { message: string; at: number } | undefined
  const note = (error: unknown): void => {
    if (!(error instanceof StoreUnavailable) || error.isPart) return
    refused = { message: error.message, at: now() }
    if (error.isDamage) damaged = error.message
  }
  const noted = <T>(work: Promise<T>, requested: OperationKind): Promise<T> => {
    const began = performance.now()
    work.then(
      () => answered?.(requested, performance.now() - began),
      (error) => {
        note(error)
        answered?.(requested, performance.now() - began)
      },
    )
    return work
  }
  const requestedBy = (statement: Statement<unknown>): OperationKind => (isRead(statement) ? 'read' : 'write')
  const database: Database = {
    ...store,
    get: (statement, parameters) => noted(store.get(statement, parameters), requestedBy(statement)),
    all: (statement, parameters) => noted(store.all(statement, parameters), requestedBy(statement)),
    run: (statement, parameters) => noted(store.run(statement, parameters), 'write'),
    post: (statement, parameters, counted) => noted(store.post(statement, parameters, counted), 'write'),
    transaction: (work, sharing) => noted(store.transaction(work, sharing), 'transaction'),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }

  async function probe(): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve(store.trouble?.() ?? 'the store does not answer'), probeMs)
    })
    const written = noted(writeFact(store, 'write_probe', String(Math.round(now()))), 'write')
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
