/**
 * Load shedding. Requests begin at once while the event loop keeps up. Otherwise they wait in line, one line per
 * application, and the lines are served round robin. Each turn of the event loop begins as many requests as it can finish
 * in `turnMs`. A request that has waited too long, and does not begin in this turn either, is refused with 503, as is one
 * that finds the lines full. An application whose whole share waits or runs is refused with 429. So is a visitor of a
 * booking page beyond the limit of its address: that limit is counted before this one, so its answer never depends on the
 * load.
 *
 * Refusals are not free: one costs about a sixth of a short answer, most of it for reading the request. So one refusal is
 * sent for every two requests that begin, and the others later. Until then their connections send nothing new. A request
 * whose client has left is neither begun nor refused.
 *
 * PostgreSQL may be slower than the event loop. While many statements are unanswered, an application with many running
 * requests begins no more; other applications do.
 *
 * The event loop accepts one connection in each turn. While connections wait, some turns begin no request, so that a flood
 * on open connections does not keep new clients out.
 *
 * The application of a request is recognized before authentication, by a credential that was valid earlier. Requests with
 * unrecognized credentials share one line, round robin by address, so that a flood of them takes the turn of one
 * application. This decides who waits, never who is admitted. docs/adr/0028-request-path.md has a drawing and a table.
 */
import { hash } from 'node:crypto'
import { Turns, type Waiting } from './fair-turns.ts'

/** `visitor`: another limit has refused the request already (`isRefused`). */
export type Refusal = 'overloaded' | 'share' | 'visitor'

export interface LoadOptions {
  now?(): number
  /** Processor time that this thread has used, in milliseconds. */
  used?(): number
  /** Calls in the next turn of the event loop, or a little later if nothing could begin in this one. */
  nextTurn?(call: () => void, isIdle: boolean): void
  /** Statements that the store has not answered yet. */
  unanswered?(): number
  maxWaiting?: number
  waitingPerApplication?: number
  maxUnderWay?: number
  underWayPerApplication?: number
}

export interface Arrival {
  /** The credential that the request presents, if any. */
  credential: string | undefined
  address: string
  /** The request is beyond the limit of its address. It never waits; only its refusal may. */
  isRefused?: boolean
  begin(): void
  /** `waitedMs`: how long it waited for its turn. Absent or 0 if it could not wait. */
  refuse(why: Refusal, waitedMs?: number): void
}

export interface Load {
  /** Takes a request. Call the returned function when it is answered, or when its client has left. */
  take(arrival: Arrival): () => void
  /** Call when a connection was accepted: more may wait. */
  accepted(): void
  /** Records that a valid credential belongs to this application, or to an administrator. */
  learn(credential: string | undefined, owner: string): void
  figures(): { waiting: number; underWay: number; refused: Readonly<Record<Refusal, number>> }
}

/** Processor time of a turn of the event loop above which fewer requests begin. */
const turnMs = 30
const minPerTurn = 32
const maxPerTurn = 512
/** How long a request waits. Once the line has existed for `standingMs`, the short time applies. */
const maxWaitMs = 2_000
const shortMaxWaitMs = 300
const standingMs = 1_000
/** Refusals sent for each request that begins, and in a turn in which none begins; `refusalsSaved` may accumulate. */
const refusalsPerBegun = 0.5
const refusalsPerIdleTurn = 4
const refusalsSaved = 64
/** Refusals that may wait; beyond that they are sent at once. */
const maxUnsent = 4_096
/** Consecutive turns that only accept connections. */
const acceptingTurns = 64
const idleMs = 5
/** Unanswered statements above which an application may run only `maxUnderWayAtBusyStore` requests. */
const maxUnanswered = 128
const maxUnderWayAtBusyStore = 32
const maxCredentials = 20_000

interface Entry extends Waiting {
  readonly arrival: Arrival
  readonly owner: string
  state: 'waiting' | 'begun' | 'refused' | 'over'
  waitedMs: number
}

/** Credentials are stored as digests, so that a dump of the memory holds none. */
const digestOf = (credential: string): string => hash('sha256', credential, 'base64')

/** Processor time instead of clock time: on a busy machine a turn with little work may last long. */
const threadUsed = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

const inNextTurn = (call: () => void, isIdle: boolean): void =>
  void (isIdle ? setTimeout(call, idleMs) : setImmediate(call))

/** Always served: only an administrator can stop an overload. */
export const administrator = 'administrator'
const stranger = ''

export const createLoad = (options: LoadOptions = {}): Load => new FairLoad(options)

/** The bounds, and the clock, the processor time and the event loop, which tests replace. */
const defaults: Required<LoadOptions> = {
  now: () => performance.now(),
  used: threadUsed,
  nextTurn: inNextTurn,
  unanswered: () => 0,
  maxWaiting: 4_096,
  waitingPerApplication: 1_024,
  maxUnderWay: 4_096,
  underWayPerApplication: 2_048,
}

class FairLoad implements Load {
  readonly #options: Required<LoadOptions>
  readonly #owners = new Map<string, string>()
  readonly #recognized = new Turns<Entry>()
  readonly #strangers = new Turns<Entry>()
  readonly #underWay = new Map<string, number>()
  readonly #refused: Record<Refusal, number> = { overloaded: 0, share: 0, visitor: 0 }
  #unsent: { entry: Entry; why: Refusal }[] = []
  #total = 0
  #perTurn = 64
  #begunInTurn = 0
  #refusalsLeft = refusalsSaved
  #isTurnRequested = false
  #isAccepting = false
  #acceptedTurns = 0
  #usedBefore: number | undefined
  #standingSince: number | undefined
  #isStrangersTurn = false

  constructor(options: LoadOptions) {
    this.#options = { ...defaults, ...options }
  }

  take(arrival: Arrival): () => void {
    const owner = this.#ownerOf(arrival.credential)
    const key = owner === stranger ? arrival.address : owner
    const lines = owner === stranger ? this.#strangers : this.#recognized
    const entry: Entry = {
      arrival,
      owner,
      key,
      since: this.#options.now(),
      state: 'waiting',
      isGone: false,
      waitedMs: 0,
    }
    this.#place(entry, lines)
    return () => this.#leave(entry, lines)
  }

  accepted(): void {
    this.#isAccepting = true
    this.#askTurn()
  }

  learn(credential: string | undefined, owner: string): void {
    if (credential === undefined) return
    const key = digestOf(credential)
    if (this.#owners.get(key) === owner) return
    if (this.#owners.size >= maxCredentials) this.#owners.clear()
    this.#owners.set(key, owner)
  }

  figures(): ReturnType<Load['figures']> {
    return { waiting: this.#waiting, underWay: this.#total, refused: this.#refused }
  }

  #ownerOf(credential: string | undefined): string {
    return credential === undefined ? stranger : (this.#owners.get(digestOf(credential)) ?? stranger)
  }

  get #waiting(): number {
    return this.#recognized.size + this.#strangers.size
  }

  #begin(entry: Entry): void {
    entry.state = 'begun'
    this.#begunInTurn++
    this.#total++
    this.#underWay.set(entry.owner, (this.#underWay.get(entry.owner) ?? 0) + 1)
    entry.arrival.begin()
  }

  #end({ owner }: Entry): void {
    this.#total--
    const left = (this.#underWay.get(owner) ?? 1) - 1
    if (left > 0) this.#underWay.set(owner, left)
    else this.#underWay.delete(owner)
  }

  #send({ entry, why }: { entry: Entry; why: Refusal }): void {
    if (entry.state === 'over') return
    this.#refusalsLeft--
    entry.arrival.refuse(why, entry.waitedMs)
  }

  #refuse(entry: Entry, why: Refusal): void {
    this.#refused[why]++
    entry.state = 'refused'
    const isSpared = this.#unsent.length === 0 && this.#refusalsLeft >= 1
    if (isSpared || this.#unsent.length >= maxUnsent) this.#send({ entry, why })
    else this.#unsent.push({ entry, why })
    this.#askTurn()
  }

  #askTurn(isIdle = false): void {
    if (this.#isTurnRequested) return
    this.#isTurnRequested = true
    this.#options.nextTurn(() => this.#turn(), isIdle)
  }

  #mayBegin(owner: string): boolean {
    return this.#options.unanswered() < maxUnanswered || (this.#underWay.get(owner) ?? 0) < maxUnderWayAtBusyStore
  }

  /** Unrecognized credentials get at most every second turn. */
  #next(): Entry | undefined {
    this.#isStrangersTurn = !this.#isStrangersTurn
    const ofStrangers = (): Entry | undefined => this.#strangers.take(() => this.#mayBegin(stranger))
    const ofRecognized = (): Entry | undefined => this.#recognized.take((owner) => this.#mayBegin(owner))
    return this.#isStrangersTurn ? (ofStrangers() ?? ofRecognized()) : (ofRecognized() ?? ofStrangers())
  }

  /** Begins fewer requests after a long turn, and a few more after a short one. */
  #adapt(): void {
    if (this.#usedBefore === undefined) return
    const took = this.#options.used() - this.#usedBefore
    this.#usedBefore = undefined
    this.#perTurn =
      took > turnMs ? Math.max(minPerTurn, Math.floor(this.#perTurn * 0.7)) : Math.min(maxPerTurn, this.#perTurn + 4)
  }

  #expire(): void {
    const at = this.#options.now()
    this.#standingSince ??= at
    const maxWait = at - this.#standingSince > standingMs ? shortMaxWaitMs : maxWaitMs
    for (const lines of [this.#recognized, this.#strangers]) {
      for (const entry of lines.expire(at - maxWait)) {
        entry.waitedMs = at - entry.since
        this.#refuse(entry, 'overloaded')
      }
    }
  }

  #beginWaiting(): void {
    while (this.#begunInTurn < this.#perTurn && this.#total < this.#options.maxUnderWay) {
      const entry = this.#next()
      if (!entry) return
      this.#begin(entry)
    }
  }

  #sendRefusals(): void {
    const more = this.#begunInTurn > 0 ? this.#begunInTurn * refusalsPerBegun : refusalsPerIdleTurn
    this.#refusalsLeft = Math.min(refusalsSaved, Math.max(0, this.#refusalsLeft) + more)
    let place = 0
    for (; place < this.#unsent.length && this.#refusalsLeft >= 1; place++) {
      const each = this.#unsent[place]
      if (each) this.#send(each)
    }
    if (place > 0) this.#unsent = this.#unsent.slice(place)
  }

  #turn(): void {
    this.#isTurnRequested = false
    this.#adapt()
    const isForConnections = this.#isAccepting && this.#acceptedTurns < acceptingTurns
    this.#isAccepting = false
    this.#acceptedTurns = isForConnections ? this.#acceptedTurns + 1 : 0
    if (isForConnections) this.#askTurn()
    else this.#serve()
  }

  #serve(): void {
    this.#begunInTurn = 0
    if (this.#waiting === 0) this.#standingSince = undefined
    else {
      this.#usedBefore = this.#options.used()
      // First: after one long turn, a short line is served although it waited.
      this.#beginWaiting()
      this.#expire()
    }
    this.#sendRefusals()
    if (this.#waiting > 0 || this.#unsent.length > 0) this.#askTurn(this.#begunInTurn === 0)
  }

  #leave(entry: Entry, lines: Turns<Entry>): void {
    const { state } = entry
    entry.state = 'over'
    if (state === 'begun') this.#end(entry)
    else if (state === 'waiting') lines.leave(entry)
  }

  #place(entry: Entry, lines: Turns<Entry>): void {
    const { key, owner } = entry
    const isFree =
      !this.#isAccepting &&
      this.#waiting === 0 &&
      this.#begunInTurn < this.#perTurn &&
      this.#total < this.#options.maxUnderWay
    if (entry.arrival.isRefused) this.#refuse(entry, 'visitor')
    else if (owner === administrator) this.#begin(entry)
    else if ((this.#underWay.get(owner) ?? 0) + lines.sizeOf(key) >= this.#options.underWayPerApplication)
      this.#refuse(entry, 'share')
    else if (isFree && this.#mayBegin(owner)) this.#begin(entry)
    else if (lines.sizeOf(key) >= this.#options.waitingPerApplication) this.#refuse(entry, 'share')
    else if (this.#waiting >= this.#options.maxWaiting) this.#refuse(entry, 'overloaded')
    else lines.add(entry)
    this.#askTurn()
  }
}
