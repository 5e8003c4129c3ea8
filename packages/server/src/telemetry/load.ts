/**
 * What a node takes when more is asked of it than it holds. Requests begin at once as long as the event loop keeps up;
 * else they wait in a line, which is served in turn by application, as many in each turn of the loop as it can carry, so
 * that its turns stay short. Who has waited too long is refused (503), and so is whoever finds the line full; an
 * application that has its whole share waiting or under way is refused by itself (429), and costs the others nothing.
 *
 * Refusals are not free: one costs about a sixth of a short answer, most of it the reading of the request. So one is
 * told for two requests that begin, and the others a little later: until then their connections bring nothing new. What a client no longer waits for is neither begun nor
 * refused.
 *
 * A store that works beside us (PostgreSQL) may be slower than the event loop. While much that it was asked is unanswered,
 * an application that has a good deal under way begins nothing more, and others do.
 *
 * The event loop accepts one connection in each of its turns, however many wait. While there are some, it is given short
 * turns in which no request begins: else a flood on open connections would keep others from opening theirs.
 *
 * Which application a request is of is known before it is authenticated by the credential it shows, once that was found
 * good: what was never found good waits in one line of its own, in turn by address, so that a flood of it takes no more
 * than the turn of one application. This says who waits, and never who may.
 */
import { hash } from 'node:crypto'
import { Turns, type Waiting } from './fair-turns.ts'

export type Refusal = 'overloaded' | 'share'

export interface LoadOptions {
  now?(): number
  /** Processor time that this thread has used, in milliseconds. */
  used?(): number
  /** Calls in the next turn of the event loop; where nothing could begin in this one, a little later. */
  nextTurn?(call: () => void, isIdle: boolean): void
  /** What was asked of the store and is not answered yet. */
  unanswered?(): number
  maxWaiting?: number
  waitingPerApplication?: number
  maxUnderWay?: number
  underWayPerApplication?: number
}

export interface Arrival {
  /** The credential that it shows, if any. */
  credential: string | undefined
  address: string
  begin(): void
  refuse(why: Refusal): void
}

export interface Load {
  /** A request has come. Answers what is to be called when it is over: it was answered, or its client is gone. */
  take(arrival: Arrival): () => void
  /** A connection was accepted; there may be more. */
  accepted(): void
  /** A credential was found good, and is this application's, or the administrator's. */
  learn(credential: string | undefined, owner: string): void
  figures(): { waiting: number; underWay: number; refused: Readonly<Record<Refusal, number>> }
}

/** A turn of the event loop that takes more of the processor than this carries too much; milliseconds. */
const turnMs = 30
const leastPerTurn = 32
const mostPerTurn = 512
/** How long a request waits, and how long once the line has stood for a while: then nobody is served late. */
const maxWaitMs = 2_000
const shortMaxWaitMs = 300
const standingMs = 1_000
/** Refusals that are told for each request that begins, and for a turn in which none does; as many may be saved up. */
const refusalsPerBegun = 0.5
const refusalsPerIdleTurn = 4
const refusalsSaved = 64
/** Refusals that may wait to be told: more are told at once. */
const maxUntold = 4_096
/** Turns that do nothing but accept, one after another. */
const acceptingTurns = 64
const idleMs = 5
/** What the store may leave unanswered, and what an application may have under way where it leaves more. */
const maxUnanswered = 128
const underWayBesideStore = 32
const maxCredentials = 20_000

interface Entry extends Waiting {
  readonly arrival: Arrival
  readonly owner: string
  state: 'waiting' | 'begun' | 'refused' | 'over'
}

/** Credentials are stored as digests, so that a dump of the memory holds none. */
const digestOf = (credential: string): string => hash('sha256', credential, 'base64')

/** By the processor and not by the clock: on a busy machine turns are long that carry little. */
const threadUsed = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

const inNextTurn = (call: () => void, isIdle: boolean): void =>
  void (isIdle ? setTimeout(call, idleMs) : setImmediate(call))

/** Always served: nobody else can end what a node suffers from. */
export const administrator = 'administrator'
const stranger = ''

export const createLoad = (options: LoadOptions = {}): Load => new FairLoad(options)

/** What may wait and be under way, and what a test puts in place of the clock, the processor and the event loop. */
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
  readonly #known = new Turns<Entry>()
  readonly #strangers = new Turns<Entry>()
  readonly #underWay = new Map<string, number>()
  readonly #refused: Record<Refusal, number> = { overloaded: 0, share: 0 }
  #untold: { entry: Entry; why: Refusal }[] = []
  #total = 0
  #perTurn = 64
  #begunInTurn = 0
  #refusalsLeft = refusalsSaved
  #isTurnAsked = false
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
    const lines = owner === stranger ? this.#strangers : this.#known
    const entry: Entry = { arrival, owner, key, since: this.#options.now(), state: 'waiting', isGone: false }
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
    return this.#known.size + this.#strangers.size
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

  #tell({ entry, why }: { entry: Entry; why: Refusal }): void {
    if (entry.state === 'over') return
    this.#refusalsLeft--
    entry.arrival.refuse(why)
  }

  #refuse(entry: Entry, why: Refusal): void {
    this.#refused[why]++
    entry.state = 'refused'
    const isSpared = this.#untold.length === 0 && this.#refusalsLeft >= 1
    if (isSpared || this.#untold.length >= maxUntold) this.#tell({ entry, why })
    else this.#untold.push({ entry, why })
    this.#askTurn()
  }

  #askTurn(isIdle = false): void {
    if (this.#isTurnAsked) return
    this.#isTurnAsked = true
    this.#options.nextTurn(() => this.#turn(), isIdle)
  }

  #mayBegin(owner: string): boolean {
    return this.#options.unanswered() < maxUnanswered || (this.#underWay.get(owner) ?? 0) < underWayBesideStore
  }

  /** Strangers have one turn in two at most, and only as much as one application where several wait. */
  #next(): Entry | undefined {
    this.#isStrangersTurn = !this.#isStrangersTurn
    const ofStrangers = (): Entry | undefined => this.#strangers.take(() => this.#mayBegin(stranger))
    const ofKnown = (): Entry | undefined => this.#known.take((owner) => this.#mayBegin(owner))
    return this.#isStrangersTurn ? (ofStrangers() ?? ofKnown()) : (ofKnown() ?? ofStrangers())
  }

  /** A turn that took too long had too much begun before it; one that was short may carry a little more. */
  #adapt(): void {
    if (this.#usedBefore === undefined) return
    const took = this.#options.used() - this.#usedBefore
    this.#usedBefore = undefined
    this.#perTurn =
      took > turnMs ? Math.max(leastPerTurn, Math.floor(this.#perTurn * 0.7)) : Math.min(mostPerTurn, this.#perTurn + 4)
  }

  #expire(): void {
    const at = this.#options.now()
    this.#standingSince ??= at
    const maxWait = at - this.#standingSince > standingMs ? shortMaxWaitMs : maxWaitMs
    for (const lines of [this.#known, this.#strangers]) {
      for (const entry of lines.expire(at - maxWait)) this.#refuse(entry, 'overloaded')
    }
  }

  #beginWaiting(): void {
    while (this.#begunInTurn < this.#perTurn && this.#total < this.#options.maxUnderWay) {
      const entry = this.#next()
      if (!entry) return
      this.#begin(entry)
    }
  }

  #tellUntold(): void {
    const more = this.#begunInTurn > 0 ? this.#begunInTurn * refusalsPerBegun : refusalsPerIdleTurn
    this.#refusalsLeft = Math.min(refusalsSaved, Math.max(0, this.#refusalsLeft) + more)
    let place = 0
    for (; place < this.#untold.length && this.#refusalsLeft >= 1; place++) {
      const each = this.#untold[place]
      if (each) this.#tell(each)
    }
    if (place > 0) this.#untold = this.#untold.slice(place)
  }

  #turn(): void {
    this.#isTurnAsked = false
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
      this.#expire()
      this.#usedBefore = this.#options.used()
      this.#beginWaiting()
    }
    this.#tellUntold()
    if (this.#waiting > 0 || this.#untold.length > 0) this.#askTurn(this.#begunInTurn === 0)
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
    if (owner === administrator) this.#begin(entry)
    else if ((this.#underWay.get(owner) ?? 0) + lines.sizeOf(key) >= this.#options.underWayPerApplication)
      this.#refuse(entry, 'share')
    else if (isFree && this.#mayBegin(owner)) this.#begin(entry)
    else if (lines.sizeOf(key) >= this.#options.waitingPerApplication) this.#refuse(entry, 'share')
    else if (this.#waiting >= this.#options.maxWaiting) this.#refuse(entry, 'overloaded')
    else lines.add(entry)
    this.#askTurn()
  }
}
