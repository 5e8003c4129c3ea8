/**
 * The connections of one account: opened on demand, shared by requests, closed when idle.
 *
 * A connection does one thing at a time, with one folder selected. `use` takes a free connection, preferably one with
 * the right folder selected. Otherwise it opens one, or waits. Long work (downloads) never takes the last allowed
 * connection, so short work always finds one. If a server refuses another connection, the pool stays at its current
 * size for a while.
 */

import { sleep } from '@waypost/platform/clock'
import type { ImapFlow } from 'imapflow'
import { ConnectionFailed } from '../../mail/connection-failed.ts'
import { isLost } from '../errors.ts'
import { isAlive, isSelected, type PooledConnection, select, type Use } from './pooled-connection.ts'

export interface PoolOptions {
  open(signal: AbortSignal): Promise<ImapFlow>
  /** Called when the pool has no connection and no waiting request. */
  onEmpty(): void
  maxConnections?: number
  idleMs?: number
}

interface Waiter {
  use: Use
  resolve(connection: PooledConnection | undefined): void
}

/** After a refused connection, no other one is opened for this long. */
const refusedMs = 60_000

export class Pool {
  readonly #options: PoolOptions
  readonly #connections = new Set<PooledConnection>()
  readonly #waiters: Waiter[] = []
  readonly #max: number
  #limit: number
  #refusedAt = 0
  #opening = 0
  #closed = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: PoolOptions) {
    this.#options = options
    this.#max = options.maxConnections ?? 4
    this.#limit = this.#max
  }

  get size(): number {
    return this.#connections.size
  }

  /**
   * Runs `work` on a connection. If a connection from the pool turns out to be dead, runs it again on another one.
   */
  async use<T>(use: Use, work: (client: ImapFlow) => Promise<T>): Promise<T> {
    let renewed = false
    for (;;) {
      const { connection, fresh } = await this.#take(use)
      try {
        return await this.#run(connection, use, work)
      } catch (error) {
        // All pooled connections may be dead, but only one new connection is tried.
        if ((fresh && renewed) || use.signal.aborted || !isLost(error)) throw error
        renewed ||= fresh
        this.#drop(connection)
      }
    }
  }

  /** Takes a connection until the caller gives it back. */
  async borrow(use: Use): Promise<{ client: ImapFlow; giveBack(): void }> {
    const { connection } = await this.#take(use)
    try {
      await select(connection, use)
    } catch (error) {
      this.#giveBack(connection)
      throw error
    }
    let given = false
    const giveBack = (): void => {
      if (given) return
      given = true
      this.#giveBack(connection)
    }
    return { client: connection.client, giveBack }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    for (const connection of this.#connections) connection.client.close()
    this.#connections.clear()
    for (const waiter of this.#waiters.splice(0)) waiter.resolve(undefined)
  }

  async #run<T>(connection: PooledConnection, use: Use, work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const { client } = connection
    // A command cannot be canceled, so an aborted request closes its connection.
    const giveUp = (): void => client.close()
    use.signal.addEventListener('abort', giveUp)
    try {
      await select(connection, use)
      const result = await work(client)
      if (use.catchesUp) connection.caughtUpAt = performance.now()
      return result
    } finally {
      use.signal.removeEventListener('abort', giveUp)
      this.#giveBack(connection)
    }
  }

  async #take(use: Use): Promise<{ connection: PooledConnection; fresh: boolean }> {
    for (;;) {
      use.signal.throwIfAborted()
      if (this.#closed) throw new ConnectionFailed('connect', 'the account was changed; try again')
      const free = this.#free(use)
      if (free) {
        free.busy = true
        free.long = use.long === true
        if (await isAlive(free)) return { connection: free, fresh: false }
        this.#drop(free)
        continue
      }
      if (this.#mayOpen(use)) {
        const opened = await this.#open(use)
        if (opened) return { connection: opened, fresh: true }
        continue
      }
      const given = await this.#wait(use)
      if (given && (await isAlive(given))) return { connection: given, fresh: false }
      if (given) this.#drop(given)
    }
  }

  #free(use: Use): PooledConnection | undefined {
    if (use.long && !(this.#roomForLong() && this.#hasTwoForShort())) return undefined
    let best: PooledConnection | undefined
    for (const connection of this.#connections) {
      if (!connection.client.usable) this.#connections.delete(connection)
      if (connection.busy || !connection.client.usable) continue
      if (isSelected(connection.client, use.path ?? use.near)) return connection
      best ??= connection
    }
    return best
  }

  #roomForLong(): boolean {
    let long = 0
    for (const connection of this.#connections) if (connection.busy && connection.long) long++
    return this.#limit === 1 || long < this.#limit - 1
  }

  /**
   * Long work takes an open connection only if another one stays open for short work, because a new one may be
   * refused.
   */
  #hasTwoForShort(): boolean {
    let short = 0
    for (const connection of this.#connections) if (!connection.long && connection.client.usable) short++
    return this.#limit === 1 || short >= 2
  }

  #mayOpen(use: Use): boolean {
    if (this.#limit < this.#max && performance.now() - this.#refusedAt > refusedMs) this.#limit = this.#max
    if (use.long && !this.#roomForLong()) return false
    return this.#connections.size + this.#opening < this.#limit
  }

  async #open(use: Use): Promise<PooledConnection | undefined> {
    this.#opening++
    try {
      const client = await this.#dial(use)
      if (this.#closed) {
        client.close()
        return undefined
      }
      const connection: PooledConnection = {
        client,
        busy: true,
        long: use.long === true,
        usedAt: performance.now(),
        caughtUpAt: 0,
      }
      this.#connections.add(connection)
      client.once('close', () => {
        this.#connections.delete(connection)
        this.#wakeOne()
        // Its user retries on another connection and keeps the cached state of the account.
        if (!this.#closed) this.#tendIdle()
      })
      return connection
    } catch (error) {
      const others = this.#connections.size + this.#opening - 1
      // The pool shrinks to the number that the server accepted, and the request waits for one of those.
      if (error instanceof ConnectionFailed && error.failure === 'limit' && others > 0) {
        this.#limit = Math.max(1, this.#connections.size)
        this.#refusedAt = performance.now()
        return undefined
      }
      throw error
    } finally {
      this.#opening--
      this.#wakeOne()
    }
  }

  /** A server may count closed connections for a while. If the pool has none, it waits and retries. */
  async #dial({ signal }: Use): Promise<ImapFlow> {
    for (let pause = 200; ; pause *= 2) {
      try {
        return await this.#options.open(signal)
      } catch (error) {
        const refused = error instanceof ConnectionFailed && error.failure === 'limit'
        if (!refused || this.#connections.size > 0 || pause > 2_000 || signal.aborted) throw error
        await sleep(pause, signal)
      }
    }
  }

  #wait(use: Use): Promise<PooledConnection | undefined> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        use,
        resolve: (connection) => {
          use.signal.removeEventListener('abort', abort)
          resolve(connection)
        },
      }
      const abort = (): void => {
        const at = this.#waiters.indexOf(waiter)
        if (at !== -1) this.#waiters.splice(at, 1)
        reject(use.signal.reason)
      }
      use.signal.addEventListener('abort', abort, { once: true })
      this.#waiters.push(waiter)
    })
  }

  #giveBack(connection: PooledConnection): void {
    connection.busy = false
    connection.long = false
    connection.usedAt = performance.now()
    this.#wakeOne()
    this.#tendIdle()
  }

  /** Hands a free connection to the first waiting request that may have it, or lets a request open one. */
  #wakeOne(): void {
    for (const [at, waiter] of this.#waiters.entries()) {
      const free = this.#free(waiter.use)
      if (!free && !this.#mayOpen(waiter.use)) continue
      this.#waiters.splice(at, 1)
      if (free) {
        free.busy = true
        free.long = waiter.use.long === true
      }
      waiter.resolve(free)
      return
    }
  }

  #drop(connection: PooledConnection): void {
    this.#connections.delete(connection)
    connection.client.close()
  }

  #tellEmpty(): void {
    if (this.#connections.size === 0 && this.#opening === 0 && this.#waiters.length === 0) this.#options.onEmpty()
  }

  /** Closes connections that were unused for `idleMs`. */
  #tendIdle(): void {
    const idleMs = this.#options.idleMs ?? 60_000
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const now = performance.now()
      for (const connection of this.#connections) {
        if (connection.busy || now - connection.usedAt < idleMs) continue
        this.#connections.delete(connection)
        void connection.client.logout().catch(() => connection.client.close())
      }
      if (this.#connections.size > 0) this.#tendIdle()
      else this.#tellEmpty()
    }, idleMs).unref()
  }
}
