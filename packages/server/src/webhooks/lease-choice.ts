/** Which destinations a node takes of those that have something to be delivered: nodes share them. */
import type { DueDestination } from '../store/delivery-leases.ts'

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
  return owner === null || (until ?? 0) < now || (owner === nodeId && !has(id))
}

export interface LeaseChoice {
  /** How many this node has at most, while there are others that want some. */
  share: number
  taken: DueDestination[]
  free: Set<string>
}

/** Every node takes its share at once, and what nobody took by the next look. */
export function chooseLeases(
  due: readonly DueDestination[],
  { nodes, freeBefore, isFree, has }: LeaseQuestion,
): LeaseChoice {
  const free = due.filter(isFree)
  const share = Math.ceil(due.length / nodes)
  const mine = due.filter(({ webhook_id }) => has(webhook_id)).length
  const taken = free.filter(({ webhook_id }, index) => index < share - mine || freeBefore.has(webhook_id))
  return { share, taken, free: new Set(free.map(({ webhook_id }) => webhook_id)) }
}

interface LeaseQuestion {
  /** How many nodes share the destinations. */
  nodes: number
  /** Those that were free at the last look: another node may want them first, but not for long. */
  freeBefore: ReadonlySet<string>
  isFree(due: DueDestination): boolean
  has(webhookId: string): boolean
}
