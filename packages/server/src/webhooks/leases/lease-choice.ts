/**
 * Which destinations a node takes of those that have something to be delivered: nodes share them evenly, and agree without
 * asking each other. Of the nodes that have less than their share, the one takes a free destination whose name and the
 * destination's hash highest together (rendezvous hashing): a node that comes or goes changes the choice for few others.
 */
import { type DueDestination, isOver } from '../../store/tables/notifications/delivery-leases.ts'

interface Holding {
  nodeId: string
  /** Destinations that this node has, or is about to give back. */
  has(webhookId: string): boolean
  isLeaving(webhookId: string): boolean
}

/** Nobody has it. One in our name that we know nothing of was taken or given back while the store failed. */
export function isFreeLease(due: DueDestination, { nodeId, has, isLeaving }: Holding, now: number): boolean {
  const { webhook_id: id, owner, lease_until: until } = due
  if (isLeaving(id)) return false
  return owner === null || isOver(until, now) || (owner === nodeId && !has(id))
}

/** A node that delivers, as it was seen last. */
export interface DeliveringNode {
  id: string
  /** How many destinations it has. */
  leases: number
}

interface LeaseQuestion {
  nodeId: string
  /** How many destinations this node has. */
  held: number
  /** The nodes that share the destinations; this one need not be among them. */
  nodes: readonly DeliveringNode[]
  /** In how many looks before this one each was free: whoever should have taken it may be gone. */
  freeFor: ReadonlyMap<string, number>
  isFree(due: DueDestination): boolean
}

export interface LeaseChoice {
  /** How many destinations each node has when all have as many. */
  share: number
  taken: DueDestination[]
  /** Those that are free, with the number of looks in which they were, this one included. */
  free: Map<string, number>
}

/** For each look in which nobody took a destination, so many times as many nodes reach for it. */
const moreReach = 4

export function chooseLeases(due: readonly DueDestination[], question: LeaseQuestion): LeaseChoice {
  const { freeFor, isFree } = question
  const found = due.filter(isFree)
  const own: Load = { id: question.nodeId, leases: question.held, hash: hashOf(question.nodeId) }
  const nodes = [own, ...loadsOfOthers(due, question)]
  const share = Math.ceil((nodes.reduce((sum, { leases }) => sum + leases, 0) + found.length) / nodes.length)
  const free = new Map<string, number>()
  const taken = found.filter(({ webhook_id: id }) => {
    const looks = freeFor.get(id) ?? 0
    free.set(id, looks + 1)
    // At first one node takes it, which is below its share; later on whoever is there.
    const willing = looks === 0 ? nodes.filter(({ leases }) => leases < share) : nodes
    const { first, before } = order(willing, hashOf(id), own)
    if (first) first.leases++
    return willing.includes(own) && before < moreReach ** looks
  })
  return { share, taken, free }
}

const betweenLooksMs = { usual: 10, most: 100, leftOut: 200 }

/**
 * Milliseconds from one look for deliveries to the next at least, however often a node is woken: what comes meanwhile is
 * read together. As many times as long as there are nodes, so that together they look no more often than one would; longer
 * still at a node that has no destination while there are others: they have what is due.
 */
export const betweenLooks = ({ held, nodes }: { held: number; nodes: number }): number =>
  held === 0 && nodes > 1
    ? betweenLooksMs.leftOut
    : Math.min(betweenLooksMs.most, betweenLooksMs.usual * Math.max(1, nodes))

/** Between two renewals of leases that are in use. */
export const renewMs = 5_000
/** A destination without work is given back after this long. */
export const idleMs = 10_000
/** By so much it may be given back later than planned. */
const lateMs = 1_000

/** A lease as the node that has it knows it. */
export interface KnownLease {
  until: number
  /** When there was last something to do; undefined while there is. */
  idleSince: number | undefined
}

/** Whether a lease is to be renewed: one with nothing to do is given back before it ends, unless that would be too late. */
export const isToBeRenewed = ({ until, idleSince }: KnownLease, now: number): boolean =>
  idleSince === undefined || (until - now <= renewMs && idleSince + idleMs + lateMs > until)

/** Whether it must be before anything is sent: one that was not in use may be about to end. */
export const isEnding = (until: number, { isDue, now }: { isDue: boolean; now: number }): boolean =>
  until <= now + (isDue ? renewMs : 0)

interface HeldLease {
  /** Until when it stays, though other nodes have less to do. */
  keepUntil: number
}

/** What a node gives to those that have less: rather what has nothing to do. One more than its share is not worth it. */
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

/** Of other nodes it is known how many they had when they were seen last, and what of that is due now. */
function loadsOfOthers(due: readonly DueDestination[], { nodeId, nodes, isFree }: LeaseQuestion): Load[] {
  const serving = new Map<string | null, number>()
  for (const each of due) if (!isFree(each)) serving.set(each.owner, (serving.get(each.owner) ?? 0) + 1)
  return nodes
    .filter(({ id }) => id !== nodeId)
    .map(({ id, leases }) => ({ id, leases: Math.max(leases, serving.get(id) ?? 0), hash: hashOf(id) }))
}

/** Which node comes first for a destination, and how many come before this one. */
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

/** FNV-1a: quick, and the same on every node. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}

/** The end of MurmurHash3: every bit that goes in changes half of those that come out. */
function mix(bits: number): number {
  const once = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}
