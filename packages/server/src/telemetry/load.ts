/**
 * What a node takes when more is asked of it than it holds. Requests begin at once as long as the event loop keeps up;
 * else they wait in a line, which is served in turn by application, as many in each turn of the loop as it can carry, so
 * that its turns stay short. Who has waited too long is refused (503), and so is whoever finds the line full; an
 * application that has its whole share waiting or under way is refused by itself (429), and costs the others nothing.
 *
 * Refusals are not free: one costs about a sixth of a short answer, most of it the reading of the request. So one is
 * told for two requests that begin, and the others a little later: until then their connections bring nothing new. What a client no longer waits for is neither begun nor refused.
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
const patienceMs = 2_000
const shortPatienceMs = 300
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

export function createLoad(options: LoadOptions = {}): Load {
  const { now = () => performance.now(), used = threadUsed, nextTurn = inNextTurn } = options
  const { unanswered = () => 0 } = options
  const { maxWaiting = 4_096, waitingPerApplication = 1_024 } = options
  const { maxUnderWay = 4_096, underWayPerApplication = 2_048 } = options
  const owners = new Map<string, string>()
  const known = new Turns<Entry>()
  const strangers = new Turns<Entry>()
  const underWay = new Map<string, number>()
  const refused: Record<Refusal, number> = { overloaded: 0, share: 0 }
  let untold: { entry: Entry; why: Refusal }[] = []
  let total = 0
  let perTurn = 64
  let begunInTurn = 0
  let refusalsLeft = refusalsSaved
  let isTurnAsked = false
  let isAccepting = false
  let acceptedTurns = 0
  let usedBefore: number | undefined
  let standingSince: number | undefined
  let isStrangersTurn = false

  const digest = (credential: string): string => hash('sha256', credential, 'base64')
  const ownerOf = (credential: string | undefined): string =>
    credential === undefined ? stranger : (owners.get(digest(credential)) ?? stranger)
  const waiting = (): number => known.size + strangers.size

  function begin(entry: Entry): void {
    entry.state = 'begun'
    begunInTurn++
    total++
    underWay.set(entry.owner, (underWay.get(entry.owner) ?? 0) + 1)
    entry.arrival.begin()
  }

  function end({ owner }: Entry): void {
    total--
    const left = (underWay.get(owner) ?? 1) - 1
    if (left > 0) underWay.set(owner, left)
    else underWay.delete(owner)
  }

  function tell({ entry, why }: { entry: Entry; why: Refusal }): void {
    if (entry.state === 'over') return
    refusalsLeft--
    entry.arrival.refuse(why)
  }

  function refuse(entry: Entry, why: Refusal): void {
    refused[why]++
    entry.state = 'refused'
    const isSpared = untold.length === 0 && refusalsLeft >= 1
    if (isSpared || untold.length >= maxUntold) tell({ entry, why })
    else untold.push({ entry, why })
    askTurn()
  }

  function askTurn(isIdle = false): void {
    if (isTurnAsked) return
    isTurnAsked = true
    nextTurn(turn, isIdle)
  }

  const mayBegin = (owner: string): boolean =>
    unanswered() < maxUnanswered || (underWay.get(owner) ?? 0) < underWayBesideStore

  /** Strangers have one turn in two at most, and only as much as one application where several wait. */
  function next(): Entry | undefined {
    isStrangersTurn = !isStrangersTurn
    const ofStrangers = (): Entry | undefined => strangers.take(() => mayBegin(stranger))
    const ofKnown = (): Entry | undefined => known.take(mayBegin)
    return isStrangersTurn ? (ofStrangers() ?? ofKnown()) : (ofKnown() ?? ofStrangers())
  }

  /** A turn that took too long had too much begun before it; one that was short may carry a little more. */
  function adapt(): void {
    if (usedBefore === undefined) return
    const took = used() - usedBefore
    usedBefore = undefined
    perTurn = took > turnMs ? Math.max(leastPerTurn, Math.floor(perTurn * 0.7)) : Math.min(mostPerTurn, perTurn + 4)
  }

  function expire(): void {
    const at = now()
    standingSince ??= at
    const patience = at - standingSince > standingMs ? shortPatienceMs : patienceMs
    for (const lines of [known, strangers]) {
      for (const entry of lines.expire(at - patience)) refuse(entry, 'overloaded')
    }
  }

  function beginWaiting(): void {
    while (begunInTurn < perTurn && total < maxUnderWay) {
      const entry = next()
      if (!entry) return
      begin(entry)
    }
  }

  function tellUntold(): void {
    const more = begunInTurn > 0 ? begunInTurn * refusalsPerBegun : refusalsPerIdleTurn
    refusalsLeft = Math.min(refusalsSaved, Math.max(0, refusalsLeft) + more)
    let place = 0
    for (; place < untold.length && refusalsLeft >= 1; place++) {
      const each = untold[place]
      if (each) tell(each)
    }
    if (place > 0) untold = untold.slice(place)
  }

  function turn(): void {
    isTurnAsked = false
    adapt()
    const isForConnections = isAccepting && acceptedTurns < acceptingTurns
    isAccepting = false
    acceptedTurns = isForConnections ? acceptedTurns + 1 : 0
    if (isForConnections) askTurn()
    else serve()
  }

  function serve(): void {
    begunInTurn = 0
    if (waiting() === 0) standingSince = undefined
    else {
      expire()
      usedBefore = used()
      beginWaiting()
    }
    tellUntold()
    if (waiting() > 0 || untold.length > 0) askTurn(begunInTurn === 0)
  }

  function leave(entry: Entry, lines: Turns<Entry>): void {
    const { state } = entry
    entry.state = 'over'
    if (state === 'begun') end(entry)
    else if (state === 'waiting') lines.leave(entry)
  }

  function place(entry: Entry, lines: Turns<Entry>): void {
    const { key, owner } = entry
    const isFree = !isAccepting && waiting() === 0 && begunInTurn < perTurn && total < maxUnderWay
    if (owner === administrator) begin(entry)
    else if ((underWay.get(owner) ?? 0) + lines.sizeOf(key) >= underWayPerApplication) refuse(entry, 'share')
    else if (isFree && mayBegin(owner)) begin(entry)
    else if (lines.sizeOf(key) >= waitingPerApplication) refuse(entry, 'share')
    else if (waiting() >= maxWaiting) refuse(entry, 'overloaded')
    else lines.add(entry)
    askTurn()
  }

  return {
    take(arrival) {
      const owner = ownerOf(arrival.credential)
      const key = owner === stranger ? arrival.address : owner
      const lines = owner === stranger ? strangers : known
      const entry: Entry = { arrival, owner, key, since: now(), state: 'waiting', isGone: false }
      place(entry, lines)
      return () => leave(entry, lines)
    },
    accepted() {
      isAccepting = true
      askTurn()
    },
    learn(credential, owner) {
      if (credential === undefined) return
      const key = digest(credential)
      if (owners.get(key) === owner) return
      if (owners.size >= maxCredentials) owners.clear()
      owners.set(key, owner)
    },
    figures: () => ({ waiting: waiting(), underWay: total, refused }),
  }
}
