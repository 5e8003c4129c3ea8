/**
 * SQLite through `node:sqlite`: one file in WAL mode. A write is acknowledged only after its commit is flushed to the disk,
 * so it survives a power failure.
 *
 * There are two connections. One runs all writes in order. The other runs the reads outside transactions, so that a read
 * never sees part of a transaction. Each read is a transaction of its own and sees every commit before it, also those of
 * other processes. While a commit is being flushed, reads wait: otherwise they could return data that a power failure loses.
 *
 * All writes of one turn of the event loop share one commit and one flush. Each write is a savepoint, so a failure undoes
 * only that write. The flush runs on another thread; writes that arrive meanwhile share the next commit.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, isRead, StoreUnavailable } from './database.ts'
import { Connection, isLocked, lockWait } from './sqlite-connection.ts'
import { WriteAheadLog } from './sqlite-log.ts'
import { StoreFigures } from './statement-figures.ts'

/** Opens or creates the database file. */
export function openSqlite(file: string): Database {
  const figures = new StoreFigures()
  const writer = new Connection(file, figures)
  const reader = new Connection(file, figures)
  writer.dontWait()
  const log = new WriteAheadLog(file)
  const { share, shareWork, alone, exclusively } = createCommits({ writer, log, figures })
  /** Reads wait while a commit is being flushed, because they would see it. */
  const read = async <T>(work: () => T | Promise<T>): Promise<T> => {
    while (log.flushing) await log.flushing
    return work()
  }
  return {
    engine: 'sqlite',
    get: (statement, parameters) =>
      isRead(statement)
        ? read(() => reader.get(statement, parameters))
        : share(() => writer.get(statement, parameters)),
    all: (statement, parameters) =>
      isRead(statement)
        ? read(() => reader.all(statement, parameters))
        : share(() => writer.all(statement, parameters)),
    run: (statement, parameters) => share(() => writer.run(statement, parameters)),
    post: (statement, parameters, counted) => share(() => writer.post(statement, parameters, counted)),
    transaction: (work) => shareWork(() => work(writer)),
    execute: (script) => alone(async () => writer.execute(script)),
    maintain: (statement) => alone(async () => writer.execute(statement)),
    exclusively: (work) => exclusively(() => work(writer, async (script) => writer.execute(script))),
    rewrite: () => alone(() => rewriteFile(writer)),
    reclaim: () => alone(async () => reclaimStep(writer)),
    now: async () => Date.now(),
    othersWrote: createVersionCheck(writer),
    // SQLite runs on our own thread; its load shows in the event loop.
    isPooled: () => false,
    isDistributed: () => false,
    unanswered: () => 0,
    figures,
    async [Symbol.asyncDispose]() {
      await alone(async () => undefined)
      reader.close()
      writer.close()
      log.close()
    },
  }
}

/** Whether another process has committed since the last call. Of this process, only `writer` writes. */
function createVersionCheck(writer: Connection): () => boolean {
  let former: number | undefined
  return () => {
    const version = writer.dataVersion()
    const hasChanged = version !== former
    former = version
    return hasChanged
  }
}

/** Runs tasks one at a time, in the order of the calls. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}

interface Commits {
  /** Runs one statement in the transaction of this turn. The promise resolves once the commit is flushed. */
  share<T>(work: () => Promise<T>): Promise<T>
  /** Runs several statements in the transaction of this turn, which succeed or fail together. */
  shareWork<T>(work: () => Promise<T>): Promise<T>
  /** Runs work while no other write is open: migrations and maintenance of the file. */
  alone<T>(work: () => Promise<T>): Promise<T>
  /** Runs work in a transaction while no other write is open. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
}

interface Writing {
  writer: Connection
  log: WriteAheadLog
  figures: StoreFigures
}

function createCommits(writing: Writing): Commits {
  const { writer, log } = writing
  const inTurn = createTurns()
  /** The open transaction that the writes of this turn share. */
  let group: PromiseWithResolvers<void> | undefined
  const endGroup = (end: () => Promise<void>): void => {
    if (!group) return
    const { resolve, reject } = group
    group = undefined
    end().then(resolve, reject)
  }
  const keep = async (): Promise<void> => {
    commit(writing)
    await log.flush()
  }
  const keepGroup = (): void =>
    void inTurn(async () => {
      // Reads that wait for the flush run before the next commit.
      if (log.flushing) void log.flushing.then(() => setImmediate(keepGroup))
      else endGroup(keep)
    })
  const openGroup = async (): Promise<PromiseWithResolvers<void>> => {
    await begin(writing)
    const opened = Promise.withResolvers<void>()
    // Members of the group get its failure. If all of them failed earlier, nothing else handles the rejection.
    opened.promise.catch(() => undefined)
    setImmediate(keepGroup)
    return opened
  }
  /** Rolls back the group when its only member has failed. */
  const undoGroup = (): void => {
    writer.say('rollback')
    endGroup(() => Promise.resolve())
  }
  const runInGroup = async <T>(
    run: (isFirst: boolean) => Promise<T>,
  ): Promise<{ result: T; retained: Promise<void> }> => {
    const isFirst = group === undefined
    group ??= await openGroup()
    const retained = group.promise
    try {
      return { result: await run(isFirst), retained }
    } catch (error) {
      // The failure has ended the shared transaction, so all members fail.
      if (!writer.isInTransaction) endGroup(() => Promise.reject(error))
      throw error
    }
  }
  const alone: Commits['alone'] = (work) =>
    inTurn(async () => {
      while (log.flushing) await log.flushing
      const { promise: before } = group ?? {}
      endGroup(keep)
      await before?.catch(() => undefined)
      mend(writing)
      const result = await work()
      await log.flush()
      return result
    })
  const share = async <T>(run: (isFirst: boolean) => Promise<T>): Promise<T> => {
    const { result, retained } = await inTurn(() => runInGroup(run))
    await retained
    return result
  }
  return {
    share: (work) => share(work),
    // SQLite copies each page that a savepoint changes, so the first member does without one.
    shareWork: (work) => share((isFirst) => (isFirst ? orUndone(writer, work, undoGroup) : inSavepoint(writer, work))),
    alone,
    exclusively: (work) => alone(() => inTransaction(writing, work)),
  }
}

/** Begins a transaction. Retries while another process holds the write lock. */
async function begin(writing: Writing): Promise<void> {
  const { writer, figures } = writing
  mend(writing)
  for (const deadline = performance.now() + lockWait; ; await sleep(2)) {
    try {
      return writer.say('begin immediate')
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error
      figures.retries++
    }
  }
}

/** Checkpoints a log that could not be flushed, and truncates it. */
function mend({ writer, log }: Writing): void {
  if (!log.isTorn) return
  if (!writer.emptyLog()) throw tornLog()
  log.mended()
}

const tornLog = (): StoreUnavailable => new StoreUnavailable('the disk failed', undefined)

function commit({ writer, log }: Writing): void {
  try {
    if (log.isTorn) throw tornLog()
    writer.say('commit')
  } catch (error) {
    rollBack(writer)
    throw error
  }
}

/** Ignores errors: on a full or failing disk SQLite has rolled back already. The caller reports the first error. */
function rollBack(writer: Connection): void {
  try {
    writer.execute('rollback')
  } catch {}
}

async function inTransaction<T>(writing: Writing, work: () => Promise<T>): Promise<T> {
  await begin(writing)
  try {
    const result = await work()
    commit(writing)
    return result
  } catch (error) {
    rollBack(writing.writer)
    throw error
  }
}

/** Runs work and undoes it if it fails, unless the failure itself has ended the transaction. */
async function orUndone<T>(writer: Connection, work: () => Promise<T>, undo: () => void): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (writer.isInTransaction) undo()
    throw error
  }
}

async function inSavepoint<T>(writer: Connection, work: () => Promise<T>): Promise<T> {
  writer.say('savepoint one')
  const undo = (): void => {
    writer.say('rollback to one')
    writer.say('release one')
  }
  const result = await orUndone(writer, work, undo)
  writer.say('release one')
  return result
}

/** Free pages that stay in the file for reuse, and the number of pages returned per step. */
const retainedFree = 1024
const freedAtOnce = 128

/**
 * Truncates the file by a few free pages at a time, so that nothing waits long. Files of versions without
 * `auto_vacuum` keep their size until they are rewritten.
 */
function reclaimStep(writer: Connection): boolean {
  if (writer.pragma('auto_vacuum') !== 2) return false
  const spare = writer.pragma('freelist_count') - retainedFree
  if (spare <= 0) return false
  writer.execute(`pragma incremental_vacuum(${Math.min(spare, freedAtOnce)})`)
  return spare > freedAtOnce
}

/** Rewrites the whole file and truncates its log. Retries while another process uses them. */
async function rewriteFile(writer: Connection): Promise<void> {
  const isThrough = (work: () => boolean): boolean => {
    try {
      return work()
    } catch (error) {
      if (isLocked(error)) return false
      throw error
    }
  }
  const inTheEnd = async (work: () => boolean): Promise<void> => {
    for (const deadline = performance.now() + lockWait; !isThrough(work); await sleep(2)) {
      if (performance.now() > deadline) throw new Error('another process uses the database file')
    }
  }
  await inTheEnd(() => {
    writer.execute('vacuum')
    return true
  })
  await inTheEnd(() => writer.emptyLog())
}
