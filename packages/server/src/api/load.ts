/**
 * What a node takes when more is asked of it than it holds. Requests begin at once as long as the event loop keeps up;
 * else they wait in a line, which is served in turn by application, as many in each turn of the loop as it can carry, so
 * that its turns stay short. Who has waited too long is refused (503), and so is whoever finds the line full; an
 * application that has its whole share waiting or under way is refused by itself (429), and costs the others nothing.
 *
 * Which application a request is of is known before it is authenticated by the credential it shows, once that was found
 * good: what was never found good waits in one line of its own, in turn by address, so that a flood of it takes no more
 * than the turn of one application. This says who waits, and never who may.
 */
import { hash } from 'node:crypto'

export type Refusal = 'overloaded' | 'share'

export interface LoadOptions {
  now?(): number
  /** Processor time that this thread has used, in milliseconds. */
  used?(): number
  /** Calls in the next turn of the event loop. */
  nextTurn?(call: () => void): void
  waitingAtMost?: number
  waitingPerApplication?: number
  underWayAtMost?: number
  underWayPerApplication?: number
}

export interface Arrival {
  /** The credential that it shows, if any. */
  credential: string | undefined
  address: string
  begin(end: () => void): void
  refuse(why: Refusal): void
}

export interface Load {
  take(arrival: Arrival): void
  /** A credential was found good, and is this application's, or the administrator's. */
  learn(credential: string | undefined, owner: string): void
  figures(): { waiting: number; underWay: number; refused: Readonly<Record<Refusal, number>> }
}

/** A turn of the event loop that takes more of the processor than this carries too much; milliseconds. */
const turnMs = 30
const leastPerTurn = 32
const mostPerTurn = 512
/** How long a request waits, and how long once the line has stood for a while: then nobody is served late. */
const patienceMs = 2_000
const shortPatienceMs = 300
const standingMs = 1_000
const credentialsAtMost = 20_000

interface Waiting {
  arrival: Arrival
  owner: string
  since: number
}

/** Lines of several owners, served in turn. */
class Turns {
  readonly #lines = new Map<string, Waiting[]>()
  size = 0

  add(key: string, waiting: Waiting): void {
    const line = this.#lines.get(key)
    if (line) line.push(waiting)
    else this.#lines.set(key, [waiting])
    this.size++
  }

  sizeOf(key: string): number {
    return this.#lines.get(key)?.length ?? 0
  }

  take(): Waiting | undefined {
    for (const [key, line] of this.#lines) {
      // Whoever is served stands at the end.
      this.#lines.delete(key)
      const first = line.shift()
      if (line.length > 0) this.#lines.set(key, line)
      if (first) {
        this.size--
        return first
      }
    }
    return undefined
  }

  /** Removes who came before `since`. */
  *expire(since: number): Generator<Waiting> {
    for (const [key, line] of this.#lines) {
      const late = line.findIndex((each) => each.since > since)
      const gone = line.splice(0, late === -1 ? line.length : late)
      this.size -= gone.length
      if (line.length === 0) this.#lines.delete(key)
      yield* gone
    }
  }
}

/** By the processor and not by the clock: on a busy machine turns are long that carry little. */
const threadUsed = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Always served: nobody else can end what a node suffers from. */
export const administrator = 'administrator'
const stranger = ''

export function createLoad(options: LoadOptions = {}): Load {
  const { now = () => performance.now(), used = threadUsed, nextTurn = setImmediate } = options
  const { waitingAtMost = 4_096, waitingPerApplication = 1_024 } = options
  const { underWayAtMost = 4_096, underWayPerApplication = 2_048 } = options
  const owners = new Map<string, string>()
  const known = new Turns()
  const strangers = new Turns()
  const underWay = new Map<string, number>()
  const refused: Record<Refusal, number> = { overloaded: 0, share: 0 }
  let total = 0
  let perTurn = 64
  let begunInTurn = 0
  let isTurnAsked = false
  let usedBefore: number | undefined
  let standingSince: number | undefined
  let isStrangersTurn = false

  const digest = (credential: string): string => hash('sha256', credential, 'base64')
  const ownerOf = (credential: string | undefined): string =>
    credential === undefined ? stranger : (owners.get(digest(credential)) ?? stranger)

  function begin(arrival: Arrival, owner: string): void {
    begunInTurn++
    total++
    underWay.set(owner, (underWay.get(owner) ?? 0) + 1)
    let isOver = false
    arrival.begin(() => {
      if (isOver) return
      isOver = true
      total--
      const left = (underWay.get(owner) ?? 1) - 1
      if (left > 0) underWay.set(owner, left)
      else underWay.delete(owner)
    })
  }

  function refuse(arrival: Arrival, why: Refusal): void {
    refused[why]++
    arrival.refuse(why)
  }

  function askTurn(): void {
    if (isTurnAsked) return
    isTurnAsked = true
    nextTurn(turn)
  }

  const waiting = (): number => known.size + strangers.size

  /** Strangers have one turn in two at most, and only as much as one application where several wait. */
  function next(): Waiting | undefined {
    isStrangersTurn = !isStrangersTurn
    const [first, second] = isStrangersTurn ? [strangers, known] : [known, strangers]
    return first.take() ?? second.take()
  }

  function turn(): void {
    isTurnAsked = false
    const at = now()
    begunInTurn = 0
    if (waiting() === 0) {
      standingSince = undefined
      usedBefore = undefined
      return
    }
    const usedNow = used()
    const took = usedNow - (usedBefore ?? usedNow)
    usedBefore = usedNow
    // A turn that took too long had too much begun before it; one that was short may carry a little more.
    perTurn = took > turnMs ? Math.max(leastPerTurn, Math.floor(perTurn * 0.7)) : Math.min(mostPerTurn, perTurn + 4)
    standingSince ??= at
    const patience = at - standingSince > standingMs ? shortPatienceMs : patienceMs
    for (const lines of [known, strangers]) {
      for (const { arrival } of lines.expire(at - patience)) refuse(arrival, 'overloaded')
    }
    while (begunInTurn < perTurn && total < underWayAtMost) {
      const first = next()
      if (!first) break
      begin(first.arrival, first.owner)
    }
    askTurn()
  }

  return {
    take(arrival) {
      const owner = ownerOf(arrival.credential)
      if (owner === administrator) return begin(arrival, owner)
      const key = owner === stranger ? arrival.address : owner
      const lines = owner === stranger ? strangers : known
      if ((underWay.get(owner) ?? 0) + lines.sizeOf(key) >= underWayPerApplication) return refuse(arrival, 'share')
      if (waiting() === 0 && begunInTurn < perTurn && total < underWayAtMost) {
        begin(arrival, owner)
        return askTurn()
      }
      if (lines.sizeOf(key) >= waitingPerApplication) return refuse(arrival, 'share')
      if (waiting() >= waitingAtMost) return refuse(arrival, 'overloaded')
      lines.add(key, { arrival, owner, since: now() })
      askTurn()
    },
    learn(credential, owner) {
      if (credential === undefined) return
      const key = digest(credential)
      if (owners.get(key) === owner) return
      if (owners.size >= credentialsAtMost) owners.clear()
      owners.set(key, owner)
    },
    figures: () => ({ waiting: waiting(), underWay: total, refused }),
  }
}
