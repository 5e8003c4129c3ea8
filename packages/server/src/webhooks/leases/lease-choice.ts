/**
 * Which due destinations a node leases. Nodes share them evenly and agree without communicating: among the nodes
 * below their share, the one with the highest hash of node and destination leases it (rendezvous hashing). So a node
 * that joins or leaves changes the choice for few destinations.
 */
import { type DueDestination, isOver } from '@waypost/store/tables/notifications/delivery-leases'

interface Holding {
  nodeId: string
  /** Destinations that this node leases or is releasing. */
  has(webhookId: string): boolean
  isLeaving(webhookId: string): boolean
}

/** Whether no node has the lease. A lease in our own name that we do not have was left over when the store failed. */
export function isFreeLease(due: DueDestination, { nodeId, has, isLeaving }: Holding, now: number): boolean {
  const { webhook_id: id, owner, lease_until: until } = due
  if (isLeaving(id)) return false
  return owner === null || isOver(until, now) || (owner === nodeId && !has(id))
}

/** A delivering node, as last seen. */
export interface DeliveringNode {
  id: string
  /** Number of destinations that it leases. */
  leases: number
}

interface LeaseQuestion {
  nodeId: string
  /** Number of destinations that this node leases. */
  held: number
  /** The nodes that share the destinations. This one need not be among them. */
  nodes: readonly DeliveringNode[]
  /** Number of previous polls in which each destination was free: the node that should lease it may be dead. */
  freeFor: ReadonlyMap<string, number>
  isFree(due: DueDestination): boolean
}

export interface LeaseChoice {
  /** Number of destinations per node if all have equally many. */
  share: number
  taken: DueDestination[]
  /** Free destinations, with the number of polls in which they were free, including this one. */
  free: Map<string, number>
}

/** With each poll in which a destination stayed free, this many times as many nodes try to lease it. */
const moreReach = 4

export function chooseLeases(due: readonly DueDestination[], question: LeaseQuestion): LeaseChoice {
  const { freeFor, isFree } = question
  const found = due.filter(isFree)
  const own: Load = { id: question.nodeId, leases: question.held, hash: hashOf(question.nodeId) }
  const nodes = [own, ...loadsOfOthers(due, question)]
  const share = Math.ceil((nodes.reduce((sum, { leases }) => sum + leases, 0) + found.length) / nodes.length)
  const free = new Map<string, number>()
  const taken = found.filter(({ webhook_id: id }) => {
    const polls = freeFor.get(id) ?? 0
    free.set(id, polls + 1)
    // First only one node below its share leases it, later any node.
    const willing = polls === 0 ? nodes.filter(({ leases }) => leases < share) : nodes
    const { first, before } = order(willing, hashOf(id), own)
    if (first) first.leases++
    return willing.includes(own) && before < moreReach ** polls
  })
  return { share, taken, free }
}

const betweenPollsMs = { usual: 10, max: 100, leftOut: 200 }

/**
 * Minimum time between two polls, however often a node is woken, so that new deliveries are read together. It grows
 * with the number of nodes, so that together they poll no more often than one would. It is longer for a node without
 * destinations while other nodes have some.
 */
export const betweenPolls = ({ held, nodes }: { held: number; nodes: number }): number =>
  held === 0 && nodes > 1
    ? betweenPollsMs.leftOut
    : Math.min(betweenPollsMs.max, betweenPollsMs.usual * Math.max(1, nodes))

/** Interval between renewals of leases in use. */
export const renewMs = 5_000
/** A destination without work is released after this time. */
export const idleMs = 10_000
/** Tolerance for a late release. */
const lateMs = 1_000

/** A lease as its node sees it. */
export interface KnownLease {
  until: number
  /** When there was last something to do. Undefined while there is. */
  idleSince: number | undefined
}

/** Whether a lease must be renewed. An idle one is released before it ends, unless that would be too late. */
export const isToBeRenewed = ({ until, idleSince }: KnownLease, now: number): boolean =>
  idleSince === undefined || (until - now <= renewMs && idleSince + idleMs + lateMs > until)

/** Whether it must be renewed before anything is sent, because an idle lease may be about to end. */
export const isEnding = (until: number, { isDue, now }: { isDue: boolean; now: number }): boolean =>
  until <= now + (isDue ? renewMs : 0)

interface HeldLease {
  /** Until when it stays, even if other nodes have less to do. */
  keepUntil: number
}

/**
 * The leases that a node gives up for nodes that have fewer, idle ones first. One more than its share is tolerated.
 */
export function chooseSpare<T extends HeldLease>(
  held: readonly T[],
  { share, isBusy, now }: { share: number; isBusy(lease: NoInfer<T>): boolean; now: number },
): T[] {
  const idleFirst = held.toSorted((a, b) => Number(isBusy(a)) - Number(isBusy(b)))
  return idleFirst.slice(0, Math.max(0, held.length - share - 1)).filter(({ keepUntil }) => keepUntil <= now)
}

interface Load extends DeliveringNode {
  hash: number
}

/** The load of other nodes: their leases when last seen, and which of those are due now. */
function loadsOfOthers(due: readonly DueDestination[], { nodeId, nodes, isFree }: LeaseQuestion): Load[] {
  const serving = new Map<string | null, number>()
  for (const each of due) if (!isFree(each)) serving.set(each.owner, (serving.get(each.owner) ?? 0) + 1)
  return nodes
    .filter(({ id }) => id !== nodeId)
    .map(({ id, leases }) => ({ id, leases: Math.max(leases, serving.get(id) ?? 0), hash: hashOf(id) }))
}

/** The node that comes first for a destination, and how many come before this one. */
function order(nodes: readonly Load[], hash: number, own: Load): { first: Load | undefined; before: number } {
  const ownScore = mix(own.hash ^ hash)
  let [first, highest, before]: [Load | undefined, number, number] = [undefined, -1, 0]
  for (const node of nodes) {
    const score = mix(node.hash ^ hash)
    if (score > ownScore) before++
    if (score <= highest) continue
    highest = score
    first = node
  }
  return { first, before }
}

/** FNV-1a: fast, and the same on every node. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}

/** The finalizer of MurmurHash3: every input bit changes half of the output bits. */
function mix(bits: number): number {
  const once = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}
