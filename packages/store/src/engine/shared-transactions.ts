/**
 * Merges concurrent transactions on PostgreSQL: statements sent together on one connection cost one round trip and
 * one wait for the disk in total.
 *
 * Work with a key may share a transaction with work of other keys. It never waits for a row that another transaction
 * has locked, because all others would wait too; it runs alone afterwards instead. There is no partial rollback: if
 * work fails after it has written, or a statement fails, everything is rolled back and each work runs alone. So no
 * work sees or loses anything because of the others. All callers get their results after the commit.
 */
import {
  type Database,
  isLock,
  isRead,
  type Queries,
  type Sharing,
  type Statement,
  StoreUnavailable,
  sql,
  type Value,
} from './database.ts'

type Transaction = Database['transaction']

interface Member extends Sharing {
  work(tx: Queries): Promise<unknown>
  end: { resolve(value: unknown): void; reject(error: unknown): void }
}

/** With more members, all would wait for the slowest. */
const maxMembers = 32
/** While one transaction waits for the store, the next one is assembled. */
const maxTransactions = 2
/** The next transactions start after this time, even if earlier ones hang. */
const maxTurnMs = 100
/** Limits the wait for locks that could not be avoided, because it delays all members. */
const shortWaits = sql('')`set local lock_timeout = 1000`

/** Another transaction has locked a row that the work needs. */
class RowLocked extends Error {}

/** The queries that one work gets within the shared transaction, and what it has done so far. */
function entryInto(tx: Queries) {
  const state = { wrote: false, failed: false, over: false }
  const ask = async <T>(query: () => Promise<T>): Promise<T> => {
    if (state.over) throw new Error('the work of this transaction is over')
    try {
      return await query()
    } catch (error) {
      state.failed = true
      throw error
    }
  }
  const lock = async (statement: Statement<unknown>, parameters: readonly Value[] | undefined): Promise<void> => {
    const free: Statement<unknown> = { ...statement, name: `${statement.name}Free`, skipsLocked: true }
    if ((await ask(() => tx.get(free, parameters))) === undefined) throw new RowLocked()
  }
  const queries: Queries = {
    get: (statement, parameters) => {
      state.wrote ||= !isRead(statement)
      return ask(() => tx.get(statement, parameters))
    },
    all: (statement, parameters) => {
      state.wrote ||= !isRead(statement)
      return ask(() => tx.all(statement, parameters))
    },
    run: (statement, parameters) => {
      state.wrote = true
      return ask(() => tx.run(statement, parameters))
    },
    post: (statement, parameters, counted) => {
      if (isLock(statement)) return lock(statement, parameters)
      state.wrote = true
      return ask(() => tx.post(statement, parameters, counted))
    },
  }
  return { queries, state }
}

/** The result or error of a member that does not affect the others. */
type End = { value: unknown } | { error: unknown }

async function runBeside(tx: Queries, { work }: Member): Promise<End> {
  const { queries, state } = entryInto(tx)
  try {
    return { value: await work(queries) }
  } catch (error) {
    if (state.wrote || state.failed) throw error
    return { error }
  } finally {
    state.over = true
  }
}

/** Runs several members in one transaction. Members without an entry in the result must run alone. */
async function runTogether(transaction: Transaction, members: readonly Member[]): Promise<Map<Member, End>> {
  try {
    return await transaction(async (tx) => {
      void tx.post(shortWaits)
      // The transaction must not end before all members have ended: later statements would run outside it.
      const ended = await Promise.allSettled(members.map(async (one) => [one, await runBeside(tx, one)] as const))
      const broken = ended.find((end) => end.status === 'rejected')
      if (broken) throw broken.reason
      return new Map(ended.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : [])))
    })
  } catch (error) {
    // It is unknown whether the transaction was committed, so no member may run again.
    return new Map(error instanceof StoreUnavailable ? members.map((one) => [one, { error }]) : [])
  }
}

/**
 * Lets work with a key share transactions. `figures` counts the work that runs a second time. If `isApart` returns true,
 * work of different applications never shares one.
 */
export function shareTransactions(
  transaction: Transaction,
  figures?: { retries: number },
  isApart: () => boolean = () => false,
): Transaction {
  let waiting: Member[] = []
  let underWay = 0
  let isRequested = false

  /** The next members, at most one per key, because work of one key must see the results of earlier work. */
  const take = (): Member[] => {
    const taken = new Map<string, Member>()
    const only = isApart() ? waiting[0]?.applicationId : undefined
    for (const one of waiting) {
      const mayJoin = only === undefined || one.applicationId === only
      if (mayJoin && taken.size < maxMembers && !taken.has(one.key)) taken.set(one.key, one)
    }
    waiting = waiting.filter((one) => taken.get(one.key) !== one)
    return [...taken.values()]
  }

  const runAlone = ({ work, end }: Member): void => void transaction(work).then(end.resolve, end.reject)

  const runAll = async (members: readonly Member[]): Promise<void> => {
    const ends = members.length > 1 ? await runTogether(transaction, members) : new Map<Member, End>()
    for (const one of members) {
      const end = ends.get(one)
      if (!end || ('error' in end && end.error instanceof RowLocked)) {
        if (figures && members.length > 1) figures.retries++
        runAlone(one)
      } else if ('error' in end) one.end.reject(end.error)
      else one.end.resolve(end.value)
    }
  }

  const runNext = (): void => {
    isRequested = false
    while (underWay < maxTransactions && waiting.length > 0) {
      const members = take()
      let isOver = false
      const end = (): void => {
        clearTimeout(turnTimer)
        if (isOver) return
        isOver = true
        underWay--
        runNext()
      }
      const turnTimer = setTimeout(end, maxTurnMs)
      underWay++
      void runAll(members).then(end)
    }
  }

  return <T>(work: (tx: Queries) => Promise<T>, sharing?: Sharing): Promise<T> => {
    if (!sharing) return transaction(work)
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    // The work of a member returns a `T`, which resolves its own promise.
    waiting.push({ ...sharing, work, end: { resolve: (value) => resolve(value as T), reject } })
    if (!isRequested && underWay < maxTransactions) {
      isRequested = true
      setImmediate(runNext)
    }
    return promise
  }
}
