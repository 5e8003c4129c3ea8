/**
 * Wakes background workers when work is stored, on any node. A statement declares the workers that it wakes (`raises`).
 * When its transaction is committed, the workers of this node are woken at once. Other nodes are notified through the
 * store, at most every `tellEveryMs`, and after the commit: a notification inside the transaction would make all of them
 * wait for each other's disk (docs/adr/0029-many-nodes.md). A lost signal only delays work, because workers also poll.
 */
import type { Database, Queries, Statement, Topic } from './database.ts'

/** Each topic as a bit, because nodes notify each other of several at once. */
const bits: Record<Topic, number> = { deliveries: 1, sends: 2, jobs: 4, watches: 8, stream: 16 }
const allTopics = 31

const bitsOf = (topics: readonly Topic[]): number => topics.reduce((sum, topic) => sum | bits[topic], 0)

export interface WorkSignals extends AsyncDisposable {
  /** Registers the functions that wake workers. */
  on(calls: Partial<Record<Topic, () => void>>): void
  /** Wakes workers without a statement. */
  raise(...topics: Topic[]): void
  /**
   * How long a worker that is not woken may wait until it polls. 0 if this node does not receive the signals of
   * others.
   */
  maxRest(): number
  /**
   * Whether other processes may have written since the last call. If they cannot send signals, all workers are woken.
   */
  follow(): boolean
  /**
   * Sets the nodes that are alive. Without other nodes, no notifications are sent. A change wakes all workers: work
   * of a node that disappeared is free.
   */
  setNodes(ids: readonly string[]): void
  /** Starts to receive signals of other nodes, if the store supports them. */
  listen(): void
}

/**
 * A signal of another node can be lost with that node or with the connection. A single process receives all of its
 * own signals, and its heartbeat detects writes of CLI commands.
 */
const longestRests = { amongOthers: 15_000, alone: 60_000 }
/** The interval between notifications to other nodes. Signals in between are sent together. */
const tellEveryMs = 50

interface Raised {
  bits: number
}

/** Collects what the statements of a transaction raise. A statement that changes no row raises nothing. */
function collecting(tx: Queries, raised: Raised): Queries {
  const add = ({ raises }: Statement<unknown>, rows: number): void => {
    if (rows > 0) raised.bits |= bitsOf(raises)
  }
  return {
    async get(statement, parameters) {
      const row = await tx.get(statement, parameters)
      add(statement, row === undefined ? 0 : 1)
      return row
    },
    async all(statement, parameters) {
      const rows = await tx.all(statement, parameters)
      add(statement, rows.length)
      return rows
    },
    async run(statement, parameters) {
      const rows = await tx.run(statement, parameters)
      add(statement, rows)
      return rows
    },
    post: (statement, parameters, counted) =>
      tx.post(statement, parameters, (rows) => {
        add(statement, rows)
        counted?.(rows)
      }),
  }
}

/** A store whose statements wake workers. Signals that carry the own `nodeId` are ignored. */
export function withWorkSignals(store: Database, nodeId: string): { database: Database; signals: WorkSignals } {
  const calls: [bit: number, call: () => void][] = []
  const heard = (raised: number): void => {
    for (const [bit, call] of calls) if ((raised & bit) !== 0) call()
  }
  const { channel } = store
  const teller = channel && createTeller((raised) => channel.tell(`${nodeId} ${raised}`))
  const raise = (raised: number): void => {
    if (raised === 0) return
    heard(raised)
    teller?.tell(raised)
  }
  const alone = <T>(statement: Statement<unknown>, requested: (tx: Queries) => Promise<T>): Promise<T> => {
    if (statement.raises.length === 0) return requested(store)
    const raised = { bits: 0 }
    return requested(collecting(store, raised)).then((answer) => {
      raise(raised.bits)
      return answer
    })
  }
  const database: Database = {
    ...store,
    get: (statement, parameters) => alone(statement, (queries) => queries.get(statement, parameters)),
    all: (statement, parameters) => alone(statement, (queries) => queries.all(statement, parameters)),
    run: (statement, parameters) => alone(statement, (queries) => queries.run(statement, parameters)),
    post: (statement, parameters, counted) =>
      alone(statement, (queries) => queries.post(statement, parameters, counted)),
    async transaction(work, sharing) {
      let raised: Raised = { bits: 0 }
      const result = await store.transaction((tx) => {
        raised = { bits: 0 }
        return work(collecting(tx, raised))
      }, sharing)
      raise(raised.bits)
      return result
    },
  }
  let nodes: string | undefined
  let listening: (AsyncDisposable & { isListening(): boolean }) | undefined
  return {
    database,
    signals: {
      on(called) {
        for (const [topic, call] of Object.entries(called)) calls.push([bits[topic as Topic], call])
      },
      raise: (...topics) => raise(bitsOf(topics)),
      maxRest() {
        if (channel === undefined) return longestRests.alone
        return listening?.isListening() ? longestRests.amongOthers : 0
      },
      follow() {
        const othersWrote = store.othersWrote?.()
        if (othersWrote) heard(allTopics)
        return othersWrote ?? true
      },
      setNodes(ids) {
        teller?.setOthers(ids.some((id) => id !== nodeId))
        const sorted = ids.toSorted().join(' ')
        if (nodes !== undefined && nodes !== sorted) heard(allTopics)
        nodes = sorted
      },
      listen() {
        const began = (): void => heard(allTopics)
        listening ??= channel?.listen((text) => {
          const [from, raised] = text.split(' ')
          if (from !== nodeId) heard(Number(raised) & allTopics)
        }, began)
      },
      async [Symbol.asyncDispose]() {
        await teller?.[Symbol.asyncDispose]()
        await listening?.[Symbol.asyncDispose]()
      },
    },
  }
}

interface Teller extends AsyncDisposable {
  tell(bits: number): void
  setOthers(areThere: boolean): void
}

/** Notifies other nodes at once, then collects for `tellEveryMs`. A node that misses a notification polls later. */
function createTeller(send: (bits: number) => Promise<void>): Teller {
  let waiting = 0
  let others = true
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> = Promise.resolve()
  const flush = (): void => {
    const bits = waiting
    waiting = 0
    if (bits === 0) {
      timer = undefined
      return
    }
    underWay = Promise.all([underWay, send(bits).catch(() => undefined)]).then(() => undefined)
    timer = setTimeout(flush, tellEveryMs)
  }
  return {
    tell(bits) {
      if (!others) return
      waiting |= bits
      if (timer === undefined) flush()
    },
    setOthers(areThere) {
      others = areThere
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer)
      flush()
      clearTimeout(timer)
      await underWay
    },
  }
}

/**
 * Adds `afterwards(tx, call)` to a store: `call` runs after the transaction has committed, when other readers see its
 * changes.
 */
export function withAfterCommit(store: Database): {
  database: Database
  afterwards(tx: Queries, call: () => void): void
} {
  const requested = new WeakMap<Queries, Set<() => void>>()
  const transaction: Database['transaction'] = async (work, sharing) => {
    let own: Queries | undefined
    const result = await store.transaction((tx) => {
      own = tx
      return work(tx)
    }, sharing)
    const calls = own && requested.get(own)
    if (own && calls) {
      requested.delete(own)
      for (const call of calls) call()
    }
    return result
  }
  return {
    database: { ...store, transaction },
    afterwards(tx, call) {
      const calls = requested.get(tx) ?? new Set()
      requested.set(tx, calls.add(call))
    },
  }
}
