/** The tables of leases and of waiting deliveries, in memory: statements take time, may fail, and are counted. */
import type { Database, Queries, Statement, Value } from '@waypost/store/engine/database'
import type { VirtualTime } from './virtual-time.ts'

interface LeaseRow {
  owner: string | null
  epoch: number
  until: number
}

export class SimulatedQueue {
  readonly #time: VirtualTime
  readonly leases = new Map<string, LeaseRow>()
  /** The waiting deliveries of each destination, in order. */
  readonly waiting = new Map<string, number[]>()
  statements = 0
  latency: () => number | 'fails' = () => 1

  constructor(time: VirtualTime) {
    this.#time = time
  }

  readonly database = (): Database => {
    const ask = (statement: Statement<unknown>, values: readonly Value[] = []): Promise<unknown[]> => {
      this.statements++
      // Statements for a number of rows have that number after their name.
      return this.transaction(() => this.#answer(statement.name.replace(/\.\d+$/, ''), values))
    }
    const queries: Queries = {
      get: async (statement, values) => (await ask(statement, values))[0] as never,
      all: async (statement, values) => (await ask(statement, values)) as never,
      run: async (statement, values) => (await ask(statement, values)).length,
      post: async (statement, values) => void (await ask(statement, values)),
    }
    return queries as Database
  }

  /** The effect of a statement, at the time when the store executes it. */
  transaction<T>(work: () => T): Promise<T> {
    const latency = this.latency()
    return new Promise((resolve, reject) => {
      if (latency === 'fails') this.#time.after(1, () => reject(new Error('the store does not answer')))
      else this.#time.after(latency, () => resolve(work()))
    })
  }

  isOwner(webhookId: string, owner: string): boolean {
    return this.leases.get(webhookId)?.owner === owner
  }

  #answer(name: string, values: readonly Value[]): unknown[] {
    switch (name) {
      case 'delivery_leases.due':
        return [...this.waiting].flatMap(([webhook_id, queue]) => {
          if (queue.length === 0) return []
          const lease = this.leases.get(webhook_id)
          return [{ webhook_id, application_id: 'a', owner: lease?.owner ?? null, lease_until: lease?.until ?? null }]
        })
      case 'delivery_leases.take': {
        const [, id, owner, until, now] = values as [string, string, string, number, number]
        const lease = this.leases.get(id) ?? { owner: null, epoch: 0, until: 0 }
        if (lease.owner !== null && lease.owner !== owner && lease.until >= now) return []
        this.leases.set(id, { owner, epoch: lease.epoch + 1, until })
        return [{ epoch: lease.epoch + 1, health: null, judge_at: null }]
      }
      case 'delivery_leases.renew': {
        const own = [...this.leases].filter(([, lease]) => lease.owner === values[0])
        for (const [, lease] of own) lease.until = Number(values[1])
        return own.map(([webhook_id]) => ({ webhook_id }))
      }
      case 'delivery_leases.release': {
        const [, owner, ...ids] = values
        const own = [...this.leases].filter(([id, lease]) => ids.includes(id) && lease.owner === owner)
        for (const [, lease] of own) Object.assign(lease, { owner: null, until: 0 })
        return own
      }
      default:
        throw new Error(`the simulated store does not know ${name}`)
    }
  }
}
