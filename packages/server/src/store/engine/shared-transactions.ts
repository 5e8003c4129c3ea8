/**
 * Transactions that share one: on PostgreSQL what is asked for at the same moment on one connection costs one way there
 * and back, and one wait for the disk, however many ask.
 *
 * Work that names a key may run beside work of other keys, in one transaction. It never waits for a row that another
 * transaction holds, because all others would wait with it: then it runs alone afterwards. Nothing is undone for one
 * alone: where work fails that has written, or a statement fails, all of it is rolled back, and each runs alone.
 * So nobody sees or loses anything through the others, and all are answered when all is kept.
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

/** More would make all of them wait for the last. */
const maxMembers = 32
/** While one waits for the store, the other is put together. */
const maxTransactions = 2
/** Others do not wait longer for a transaction that hangs. */
const maxTurnMs = 100
/** What a member must wait for in spite of all is not for the others to wait for. */
const shortWaits = sql({ name: '', text: 'set local lock_timeout = 1000' })

/** A row that the work needs is held by another transaction. */
class Held extends Error {}

/** One work's way into the transaction that it shares. */
function wayInto(tx: Queries) {
  const way = { wrote: false, failed: false, over: false }
  const ask = async <T>(query: () => Promise<T>): Promise<T> => {
    if (way.over) throw new Error('the work of this transaction is over')
    try {
      return await query()
    } catch (error) {
      way.failed = true
      throw error
    }
  }
  const lock = async (statement: Statement<unknown>, parameters: readonly Value[] | undefined): Promise<void> => {
    const free: Statement<unknown> = { ...statement, name: `${statement.name}Free`, skipsLocked: true }
    if ((await ask(() => tx.get(free, parameters))) === undefined) throw new Held()
  }
  const queries: Queries = {
    get: (statement, parameters) => {
      way.wrote ||= !isRead(statement)
      return ask(() => tx.get(statement, parameters))
    },
    all: (statement, parameters) => {
      way.wrote ||= !isRead(statement)
      return ask(() => tx.all(statement, parameters))
    },
    run: (statement, parameters) => {
      way.wrote = true
      return ask(() => tx.run(statement, parameters))
    },
    post: (statement, parameters, counted) => {
      if (isLock(statement)) return lock(statement, parameters)
      way.wrote = true
      return ask(() => tx.post(statement, parameters, counted))
    },
  }
  return { queries, way }
}

/** How the work of a member ended, when that does not concern the others. */
type End = { value: unknown } | { error: unknown }

async function runBeside(tx: Queries, { work }: Member): Promise<End> {
  const { queries, way } = wayInto(tx)
  try {
    return { value: await work(queries) }
  } catch (error) {
    if (way.wrote || way.failed) throw error
    return { error }
  } finally {
    way.over = true
  }
}

/** Runs the work of several members in one transaction; of those who must run alone, it answers nothing. */
async function runTogether(transaction: Transaction, members: readonly Member[]): Promise<Map<Member, End>> {
  try {
    return await transaction(async (tx) => {
      void tx.post(shortWaits)
      // All of them are over before the transaction is: what one asked for after its end would stand outside.
      const ended = await Promise.allSettled(members.map(async (one) => [one, await runBeside(tx, one)] as const))
      const broken = ended.find((end) => end.status === 'rejected')
      if (broken) throw broken.reason
      return new Map(ended.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : [])))
    })
  } catch (error) {
    // Whether it was kept is not known: nobody may run again.
    return new Map(error instanceof StoreUnavailable ? members.map((one) => [one, { error }]) : [])
  }
}

/** Lets work that names a key share transactions with others; `figures` hears how often work runs a second time. */
export function shareTransactions(transaction: Transaction, figures?: { retries: number }): Transaction {
  let waiting: Member[] = []
  let underWay = 0
  let isAsked = false

  /** Those who run next: of each key one, because work of one key must see what came before it. */
  const take = (): Member[] => {
    const taken = new Map<string, Member>()
    for (const one of waiting) if (taken.size < maxMembers && !taken.has(one.key)) taken.set(one.key, one)
    waiting = waiting.filter((one) => taken.get(one.key) !== one)
    return [...taken.values()]
  }

  const runAlone = ({ work, end }: Member): void => void transaction(work).then(end.resolve, end.reject)

  const runAll = async (members: readonly Member[]): Promise<void> => {
    const ends = members.length > 1 ? await runTogether(transaction, members) : new Map<Member, End>()
    for (const one of members) {
      const end = ends.get(one)
      if (!end || ('error' in end && end.error instanceof Held)) {
        if (figures && members.length > 1) figures.retries++
        runAlone(one)
      } else if ('error' in end) one.end.reject(end.error)
      else one.end.resolve(end.value)
    }
  }

  const runNext = (): void => {
    isAsked = false
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
    // What the work of a member answers is what its own end is told.
    waiting.push({ ...sharing, work, end: { resolve: (value) => resolve(value as T), reject } })
    if (!isAsked && underWay < maxTransactions) {
      isAsked = true
      setImmediate(runNext)
    }
    return promise
  }
}
