/**
 * Many nodes that deliver to destinations on one store, in virtual time: the service's own choice of leases
 * (`webhooks/leases/lease-choice.ts`) and its statements, nodes that die and freeze, clocks that are off, a store that is slow or
 * silent. A node sends only before the end of its lease as it knows it, and only its owner's results are kept.
 */

import { nodeLeaseMs } from '@waypost/store/tables/applications/nodes'
import {
  dueDestinations,
  leaseDestination,
  releaseLeases,
  renewLeases,
} from '@waypost/store/tables/notifications/delivery-leases'
import {
  chooseLeases,
  chooseSpare,
  type DeliveringNode,
  idleMs,
  isEnding,
  isFreeLease,
  isToBeRenewed,
  renewMs,
} from '../../src/webhooks/leases/lease-choice.ts'
import { leaseMs } from '../../src/webhooks/leases/leased-destinations.ts'
import { SimulatedQueue } from './simulated-queue.ts'
import { seededRandom, VirtualTime } from './virtual-time.ts'

export interface DeliverySize {
  nodes: number
  destinations: number
  troubleMs: number
  settleMs: number
}

// As in deliverer.ts, and node.ts.
const pollMs = 500
const unwantedMs = 10_000
const beatMs = 5_000

interface SimulatedLease {
  id: string
  /** The end of the node's own lease, as far as the node knows. */
  until: number
  busyAt: number
  /** Whether a send is in progress, or its result is not stored yet. */
  isBusy: boolean
  keepUntil: number
  /** Resolves when no send is in progress, and all results are stored. */
  served: Promise<void>
}

interface SimulatedNode {
  id: string
  now(): number
  isAlive: boolean
  frozenUntil: number
  held: Map<string, SimulatedLease>
  freeFor: ReadonlyMap<string, number>
  /** The nodes that were alive at its last heartbeat. */
  seen: readonly DeliveringNode[]
  /** Sends in progress to destinations that it releases. */
  leaving: Set<string>
}

export async function simulateDeliveries(seed: number, size: DeliverySize) {
  const random = seededRandom(seed)
  const between = (low: number, high: number): number => low + Math.floor(random() * (high - low))
  const time = new VirtualTime()
  const queue = new SimulatedQueue(time)
  const begin = time.now
  const troubleEnd = begin + size.troubleMs
  /** Deliveries that are queued from then on meet no failures. */
  const calmFrom = troubleEnd + 2 * leaseMs
  const inTrouble = (): boolean => time.now < troubleEnd
  queue.latency = () => {
    if (inTrouble() && random() < 0.01) return random() < 0.3 ? 'fails' : between(100, 4_000)
    return between(1, 20)
  }
  const broken: string[] = []
  const counts = { deaths: 0, freezes: 0, sent: 0, repeated: 0, refused: 0 }
  const nodes: SimulatedNode[] = []
  const putUpAt: number[] = []
  /** The heartbeats of nodes. */
  const shown = new Map<string, DeliveringNode & { at: number }>()
  const begun = new Map<number, number>()
  const done = new Set<number>()
  const skews = 200

  const thaw = async (node: SimulatedNode): Promise<boolean> => {
    while (node.isAlive && node.frozenUntil > time.now) await time.sleep(node.frozenUntil - time.now)
    return node.isAlive
  }
  const others = (of: SimulatedNode, id: string): SimulatedNode | undefined =>
    nodes.find((node) => {
      const lease = node === of || !node.isAlive || node.frozenUntil > time.now ? undefined : node.held.get(id)
      return lease !== undefined && node.now() < lease.until - 2 * skews
    })

  /** Reads some waiting deliveries and sends them in sequence, as long as the lease is known to be valid. */
  async function serve(node: SimulatedNode, lease: SimulatedLease): Promise<void> {
    const { id } = lease
    const isHeld = (): boolean => node.held.get(id) === lease
    while (isHeld()) {
      const some = await queue.transaction(() => (queue.waiting.get(id) ?? []).slice(0, 8))
      const retained: Promise<void>[] = []
      lease.isBusy = some.length > 0
      for (const number of some) {
        if (!(await thaw(node))) return
        if (!isHeld() || node.now() >= lease.until) break
        lease.busyAt = node.now()
        noteBegun(node, id, number)
        await time.sleep(between(5, inTrouble() ? 2_000 : 200))
        if (!(await thaw(node))) return
        retained.push(queue.transaction(() => keep(node, id, number)).catch(() => undefined))
      }
      await Promise.all(retained)
      lease.isBusy = false
      if (retained.length === 0) await time.sleep(between(200, 400))
      if (!(await thaw(node))) return
    }
  }

  function noteBegun(node: SimulatedNode, id: string, number: number): void {
    const rival = others(node, id)
    if (rival) broken.push(`at ${time.now - begin}: ${node.id} and ${rival.id} may both send to ${id}`)
    const times = (begun.get(number) ?? 0) + 1
    begun.set(number, times)
    counts.sent++
    if (times === 1) return
    counts.repeated++
    if ((putUpAt[number] ?? 0) > calmFrom)
      broken.push(`at ${time.now - begin}: ${number} was sent again, and nothing failed`)
  }

  function keep(node: SimulatedNode, id: string, number: number): void {
    if (!queue.isOwner(id, node.id)) return void counts.refused++
    const left = queue.waiting.get(id) ?? []
    if (left.includes(number)) done.add(number)
    queue.waiting.set(
      id,
      left.filter((each) => each !== number),
    )
  }

  async function renew(node: SimulatedNode): Promise<void> {
    const until = node.now() + leaseMs
    const mine = [...node.held.keys()]
    const held = await renewLeases(queue.database(), node.id, until)
    if (!(await thaw(node))) return
    for (const id of mine) {
      const lease = node.held.get(id)
      if (!held.has(id)) node.held.delete(id)
      else if (lease) lease.until = until
    }
  }

  /** Writes a heartbeat, and reads those of others. */
  async function beat(node: SimulatedNode): Promise<void> {
    const seen = await queue.transaction(() => {
      shown.set(node.id, { id: node.id, leases: node.held.size, at: node.now() })
      return [...shown.values()].filter(({ at }) => at >= node.now() - nodeLeaseMs)
    })
    if (await thaw(node)) node.seen = seen
  }

  async function poll(node: SimulatedNode): Promise<void> {
    const now = node.now()
    const due = await dueDestinations(queue.database(), now)
    if (!(await thaw(node))) return
    const isDue = new Set(due.map(({ webhook_id }) => webhook_id))
    if ([...node.held.values()].some(({ id, until }) => isEnding(until, { isDue: isDue.has(id), now }))) {
      await renew(node)
      if (!(await thaw(node))) return
    }
    const has = (id: string): boolean => node.held.has(id)
    const holding = { nodeId: node.id, has, isLeaving: (id: string) => node.leaving.has(id) }
    const { share, taken, free } = chooseLeases(due, {
      ...{ nodeId: node.id, held: node.held.size, nodes: node.seen, freeFor: node.freeFor },
      isFree: (each) => isFreeLease(each, holding, now),
    })
    const unwanted = node.freeFor
    node.freeFor = free
    await Promise.all(taken.map(({ webhook_id: id }) => take(node, id, unwanted.has(id) ? now + unwantedMs : now)))
    const isBusy = ({ id }: SimulatedLease): boolean => isDue.has(id)
    const stale = [...node.held.values()].filter((lease) => !isBusy(lease) && node.now() - lease.busyAt > idleMs)
    for (const lease of stale) void giveBack(node, lease)
    for (const lease of chooseSpare([...node.held.values()], { share, isBusy, now })) void giveBack(node, lease)
  }

  /** Results of sends in progress are stored first, as when a worker is closed. */
  async function giveBack(node: SimulatedNode, lease: SimulatedLease): Promise<void> {
    node.held.delete(lease.id)
    node.leaving.add(lease.id)
    const leases = { applicationId: 'a', owner: node.id, webhookIds: [lease.id] }
    await lease.served.then(() => releaseLeases(queue.database(), leases)).catch(() => undefined)
    node.leaving.delete(lease.id)
  }

  async function take(node: SimulatedNode, webhookId: string, keepUntil: number): Promise<void> {
    const now = node.now()
    const until = now + leaseMs
    const at = { applicationId: 'a', webhookId }
    const lease = await leaseDestination(queue.database(), at, { owner: node.id, until, now })
    if (!lease || !(await thaw(node)) || node.held.has(webhookId)) return
    const leased: SimulatedLease = {
      id: webhookId,
      until,
      busyAt: node.now(),
      isBusy: false,
      keepUntil,
      served: Promise.resolve(),
    }
    node.held.set(webhookId, leased)
    leased.served = serve(node, leased).catch(() => {
      if (node.held.get(webhookId) === leased) node.held.delete(webhookId)
    })
  }

  async function repeat(node: SimulatedNode, rest: number, work: () => Promise<void>): Promise<void> {
    await time.sleep(between(0, rest))
    while (await thaw(node)) {
      await work().catch(() => time.sleep(between(100, 1_000)))
      await time.sleep(rest)
    }
  }

  function start(): void {
    const skew = between(-skews, skews)
    const node: SimulatedNode = {
      ...{ id: `node-${nodes.length}`, now: () => time.now + skew, isAlive: true, frozenUntil: 0 },
      ...{ held: new Map(), freeFor: new Map(), seen: [], leaving: new Set() },
    }
    nodes.push(node)
    void beat(node).catch(() => undefined)
    void repeat(node, beatMs, () => beat(node))
    void repeat(node, pollMs, () => poll(node))
    void repeat(node, renewMs, async () => {
      const isInUse = ({ until, busyAt, isBusy }: SimulatedLease): boolean =>
        isToBeRenewed({ until, idleSince: isBusy ? undefined : busyAt }, node.now())
      if (node.leaving.size > 0 || [...node.held.values()].some(isInUse)) await renew(node)
    })
  }

  async function puttingUp(): Promise<void> {
    for (; time.now < troubleEnd + size.settleMs - 25_000; await time.sleep(between(1, 24_000 / size.destinations))) {
      const id = `destination-${between(0, size.destinations)}`
      const numbers = Array.from({ length: between(1, 8) }, () => putUpAt.push(time.now) - 1)
      queue.waiting.set(id, [...(queue.waiting.get(id) ?? []), ...numbers])
    }
  }

  async function troubling(): Promise<void> {
    for (; inTrouble(); await time.sleep(between(100, Math.max(200, 60_000 / size.nodes)))) {
      const node = nodes[between(0, nodes.length)]
      if (!node?.isAlive || node.frozenUntil > time.now) continue
      if (random() < 0.3) {
        node.isAlive = false
        counts.deaths++
        start()
      } else {
        node.frozenUntil = Math.min(time.now + between(1_000, 3 * leaseMs), troubleEnd)
        counts.freezes++
      }
    }
  }

  for (let index = 0; index < size.nodes; index++) start()
  void puttingUp()
  void troubling()
  await time.runUntil(calmFrom)
  const requested = queue.statements
  const served = nodes.filter(({ isAlive }) => isAlive).map(({ held }) => held.size)
  const mean = served.reduce((sum, count) => sum + count, 0) / served.length
  const late = putUpAt.findIndex((at, number) => at < troubleEnd && !done.has(number))
  if (late !== -1)
    broken.push(`${late} was put up before the end of the trouble, and two leases later it is not delivered`)
  await time.runUntil(troubleEnd + size.settleMs)
  const left = putUpAt.length - done.size
  if (left > 0) broken.push(`${left} of ${putUpAt.length} were never delivered`)
  const alive = nodes.filter(({ isAlive }) => isAlive)
  const seconds = (time.now - calmFrom) / 1000
  const statementsPerNodeSecond = (queue.statements - requested) / seconds / alive.length
  for (const node of nodes) node.isAlive = false
  return { seed, broken, ...counts, putUp: putUpAt.length, busiest: Math.max(...served), mean, statementsPerNodeSecond }
}
