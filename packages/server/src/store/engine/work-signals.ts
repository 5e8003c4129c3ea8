/**
 * Who works in the background hears of what is put up for work, on whichever node it is written: each statement that does
 * so is known here by what it writes, and its transaction, once it is kept, raises a signal. On this node it is heard at
 * once; the others are told through the store, at most so often, and not before the transaction is kept: to be told inside
 * of it would make all that tell wait for each other's disk (docs/adr/0029-many-nodes.md). Nothing hangs on a signal but how
 * soon something is done: who heard none looks all the same, a while later.
 */
import type { Database, Queries, Statement } from './database.ts'

/** What there is to work on, as bits. */
export const topics = { deliveries: 1, sends: 2, jobs: 4, watches: 8 } as const
export type Topic = keyof typeof topics
const allTopics = 15

/** What a text writes that puts something up for work. */
const writes: readonly [topic: Topic, written: RegExp][] = [
  [
    'deliveries',
    /insert into deliveries|update deliveries set (?:state = 'waiting'|due_at)|update webhooks|update delivery_leases set owner = null/,
  ],
  ['sends', /insert into sends|update sends/],
  ['jobs', /insert into outbox|update outbox set (?:due_at|kind)/],
  ['watches', /insert into (?:grants|nudges)|update grants|delete from grants|update watch_shards set owner = null/],
]

/** Of a statement's text; a node that leaves concerns all. */
export const topicsOf = (text: string): number =>
  /delete from nodes/.test(text)
    ? allTopics
    : writes.reduce((sum, [topic, written]) => (written.test(text) ? sum | topics[topic] : sum), 0)

export interface WorkSignals extends AsyncDisposable {
  /** Calls whenever something may be to do. */
  on(calls: Partial<Record<Topic, () => void>>): void
  /** Raises signals that no statement raises. */
  raise(...topics: Topic[]): void
  /** How long who was not woken rests before it looks all the same; 0 where this node does not hear what others write. */
  maxRest(): number
  /** Whether other processes may have written since it was asked last: where they cannot tell us, all look who work. */
  follow(): boolean
  /** The nodes that are alive: where there is no other nobody is told, and what one leaves is there for the rest. */
  setNodes(ids: readonly string[]): void
  /** Begins to listen to others, where the store can tell. */
  listen(): void
}

/**
 * What another node tells may be lost with it, or with the connection. Where one process is at work it hears of all that it
 * writes itself, and finds with its next sign of life that a command has written beside it.
 */
const longestRests = { amongOthers: 15_000, alone: 60_000 }
/** Between two that are told to others: what is raised meanwhile is told together. */
const tellEveryMs = 50

interface Raised {
  bits: number
}

/** Notes what the statements of a transaction raise. */
function noting(tx: Queries, of: (statement: Statement<unknown>) => number, raised: Raised): Queries {
  const note = (bits: number, rows: number): void => {
    if (rows > 0) raised.bits |= bits
  }
  return {
    get(statement, parameters) {
      const bits = of(statement)
      const asked = tx.get(statement, parameters)
      return bits === 0
        ? asked
        : asked.then((row) => {
            note(bits, row === undefined ? 0 : 1)
            return row
          })
    },
    all(statement, parameters) {
      const bits = of(statement)
      const asked = tx.all(statement, parameters)
      return bits === 0
        ? asked
        : asked.then((rows) => {
            note(bits, rows.length)
            return rows
          })
    },
    run(statement, parameters) {
      const bits = of(statement)
      const asked = tx.run(statement, parameters)
      return bits === 0
        ? asked
        : asked.then((rows) => {
            note(bits, rows)
            return rows
          })
    },
    post(statement, parameters, counted) {
      const bits = of(statement)
      if (bits === 0) return tx.post(statement, parameters, counted)
      return tx.post(statement, parameters, (rows) => {
        note(bits, rows)
        counted?.(rows)
      })
    },
  }
}

/** By the names of statements: of those without one, and of more than these, each text is looked at. */
function rememberTopics(): (statement: Statement<unknown>) => number {
  const known = new Map<string, number>()
  return ({ name, text }) => {
    const found = known.get(name)
    if (found !== undefined) return found
    const bits = topicsOf(text)
    if (name !== '' && known.size < 4_000) known.set(name, bits)
    return bits
  }
}

/** A store whose writes raise signals; `nodeId` is who is not told what it raised itself. */
export function withWorkSignals(store: Database, nodeId: string): { database: Database; signals: WorkSignals } {
  const of = rememberTopics()
  const calls: [bit: number, call: () => void][] = []
  const heard = (bits: number): void => {
    for (const [bit, call] of calls) if ((bits & bit) !== 0) call()
  }
  const { channel } = store
  const teller = channel && createTeller((bits) => channel.tell(`${nodeId} ${bits}`))
  const raise = (bits: number): void => {
    if (bits === 0) return
    heard(bits)
    teller?.tell(bits)
  }
  const alone = <T>(statement: Statement<unknown>, asked: (tx: Queries) => Promise<T>): Promise<T> => {
    if (of(statement) === 0) return asked(store)
    const raised = { bits: 0 }
    return asked(noting(store, of, raised)).then((answer) => {
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
        return work(noting(tx, of, raised))
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
        for (const [topic, call] of Object.entries(called)) calls.push([topics[topic as Topic], call])
      },
      raise: (...raised) => raise(raised.reduce((sum, topic) => sum | topics[topic], 0)),
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
          const [from, bits] = text.split(' ')
          if (from !== nodeId) heard(Number(bits) & allTopics)
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

/** Tells others at once, and what follows soon together. Who could not be told looks a while later. */
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
