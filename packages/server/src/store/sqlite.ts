/**
 * SQLite through `node:sqlite`: one file, WAL, `synchronous=FULL`, so that what was committed survives a power cut.
 *
 * Two connections: one writes, one at a time, in the order asked; the other reads, and so never sees half a transaction.
 * A read outside a transaction sees every commit before it. Reads of one turn of the event loop share a snapshot, which
 * saves the file locks of each: it ends with the turn, and at once when this process commits.
 *
 * Writes of one turn of the event loop share a commit, and so one wait for the disk: each is a savepoint of its own, which
 * fails alone, and is answered when all are kept.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Queries } from './database.ts'
import { Connection, isLocked, lockWait } from './sqlite-connection.ts'

/** Opens or makes the database file. */
export function openSqlite(file: string): Database {
  const writer = new Connection(file)
  const reader = new Connection(file)
  writer.dontWait()
  let snapshot = false
  const endSnapshot = (): void => {
    if (!snapshot) return
    snapshot = false
    try {
      reader.say('commit')
    } catch {
      // A failing disk has ended it already; the read that met the failure told it.
    }
  }
  const read = (): Connection => {
    if (!snapshot) {
      reader.say('begin')
      snapshot = true
      setImmediate(endSnapshot)
    }
    return reader
  }
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }

  /** The first error is the one to tell: on a full or failing disk SQLite has rolled back already, and says so. */
  const rollBack = (): void => {
    try {
      writer.execute('rollback')
    } catch {}
  }

  const commit = (): void => {
    try {
      // Before, too: a snapshot that is open while we commit keeps the log from being emptied, and every commit tries again.
      endSnapshot()
      writer.say('commit')
      endSnapshot()
    } catch (error) {
      rollBack()
      throw error
    }
  }

  /** The open transaction that the writes of this turn share. */
  let group: PromiseWithResolvers<void> | undefined
  const endGroup = (end: () => void): void => {
    if (!group) return
    const { resolve, reject } = group
    group = undefined
    try {
      end()
      resolve()
    } catch (error) {
      reject(error)
    }
  }
  const begin = async (): Promise<void> => {
    for (const deadline = performance.now() + lockWait; ; await sleep(2)) {
      try {
        return writer.say('begin immediate')
      } catch (error) {
        if (!isLocked(error) || performance.now() > deadline) throw error
      }
    }
  }
  const openGroup = async (): Promise<PromiseWithResolvers<void>> => {
    await begin()
    const opened = Promise.withResolvers<void>()
    // Whoever shares it hears of its failure; nobody may, where all failed before.
    opened.promise.catch(() => undefined)
    setImmediate(() => void inTurn(async () => endGroup(commit)))
    return opened
  }

  /** Runs `work` in the transaction of this turn; the answer comes when it is kept. */
  const share = async <T>(work: () => Promise<T>): Promise<T> => {
    const { result, kept } = await inTurn(async () => {
      group ??= await openGroup()
      const kept = group.promise
      try {
        return { result: await work(), kept }
      } catch (error) {
        // Where the failure ended the transaction, it did so for all who share it.
        if (!writer.isInTransaction) {
          endGroup(() => {
            throw error
          })
        }
        throw error
      }
    })
    await kept
    return result
  }

  const transaction = <T>(work: (tx: Queries) => Promise<T>): Promise<T> =>
    share(async () => {
      writer.say('savepoint one')
      try {
        const result = await work(writer)
        writer.say('release one')
        return result
      } catch (error) {
        if (writer.isInTransaction) writer.execute('rollback to one; release one')
        throw error
      }
    })

  /** Apart from the writes of others: migrations, and what only one process may do. */
  const alone = <T>(work: () => Promise<T>): Promise<T> =>
    inTurn(() => {
      endGroup(commit)
      return work()
    })

  return {
    engine: 'sqlite',
    get: (statement, parameters) =>
      isRead(statement.text) ? read().get(statement, parameters) : share(() => writer.get(statement, parameters)),
    all: (statement, parameters) =>
      isRead(statement.text) ? read().all(statement, parameters) : share(() => writer.all(statement, parameters)),
    run: (statement, parameters) => share(() => writer.run(statement, parameters)),
    post: (statement, parameters, counted) => share(() => writer.post(statement, parameters, counted)),
    transaction,
    execute: (script) => alone(async () => writer.execute(script)),
    exclusively: (work) =>
      alone(async () => {
        await begin()
        try {
          const result = await work(writer, async (script) => writer.execute(script))
          commit()
          return result
        } catch (error) {
          rollBack()
          throw error
        }
      }),
    rewrite: () =>
      alone(async () => {
        const isThrough = (work: () => boolean): boolean => {
          try {
            endSnapshot()
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
      }),
    now: async () => Date.now(),
    // It works in our own thread, whose turns tell how busy it is.
    unanswered: () => 0,
    async [Symbol.asyncDispose]() {
      await alone(async () => endSnapshot())
      reader.close()
      writer.close()
    },
  }
}

/** Reads by the first word, which the queries write in lower case. */
const isRead = (text: string): boolean => text.startsWith('select')
