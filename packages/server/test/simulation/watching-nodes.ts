/**
 * Many nodes that watch grants on one store, in virtual time: the service's own decisions about shards
 * (`changes/shards.ts`), nodes that die, freeze and wake with leases that are over, clocks that are off, and a store that is
 * slow or does not answer. Every grant has changes to be told, one after the other, each once.
 */

import { nodeLeaseMs } from '@waypost/store/tables/applications/nodes'
import { shardOf } from '@waypost/store/tables/grants/watch-shards'
import { createShards, type Shards } from '../../src/changes/shards.ts'
import { SimulatedStore } from './simulated-store.ts'
import { seededRandom, VirtualTime } from './virtual-time.ts'

export interface Size {
  nodes: number
  grants: number
  /** The duration of the failures, and the longest recovery afterwards. */
  troubleMs: number
  settleMs: number
}

export interface SimulationResult {
  seed: number
  /** Violations, as text with the time. */
  broken: string[]
  /** From the last failure until every grant is watched by a live node; undefined if that was not reached. */
  convergenceMs: number | undefined
  /** The maximum number of grants of a node over their mean, and the same of shards. */
  grantLoad: number
  shardLoad: number
  statementsPerNodeSecond: number
  deaths: number
  freezes: number
  /** Refused writes of nodes that had lost their shard. */
  refused: number
  reported: number
}

// As in node.ts and watcher.ts.
const beatMs = 5_000
const pollMs = 2_000
const graceMs = 1_000

interface SimulatedNode {
  id: string
  shards: Shards
  isAlive: boolean
  frozenUntil: number
}

export async function simulate(seed: number, size: Size): Promise<SimulationResult> {
  const random = seededRandom(seed)
  const between = (low: number, high: number): number => low + Math.floor(random() * (high - low))
  const time = new VirtualTime()
  const store = new SimulatedStore(time)
  const begin = time.now
  const troubleEnd = begin + size.troubleMs
  const inTrouble = (): boolean => time.now < troubleEnd
  let outageUntil = 0
  store.latency = () => {
    if (time.now < outageUntil) return 'fails'
    if (inTrouble() && random() < 0.02) return between(100, 4_000)
    return inTrouble() && random() < 0.005 ? 'fails' : between(1, 20)
  }
  const grants = Array.from({ length: size.grants }, (_, index) => ({
    shard: shardOf(`grant-${seed}-${index}`),
    cursor: 0,
  }))
  const grantsOf = Map.groupBy(grants, ({ shard }) => shard)
  const broken: string[] = []
  /** The writers by shard and epoch. */
  const writers = new Map<string, string>()
  const counts = { deaths: 0, freezes: 0, refused: 0, reported: 0 }
  const nodes: SimulatedNode[] = []
  /** A node has one watch of a grant under an epoch of its shard, whose steps run in sequence. */
  const busy = new Set<string>()

  const isAwake = (node: SimulatedNode): boolean => node.isAlive && node.frozenUntil <= time.now
  /** A frozen node does nothing. */
  const thaw = async (node: SimulatedNode): Promise<boolean> => {
    while (node.isAlive && node.frozenUntil > time.now) await time.sleep(node.frozenUntil - time.now)
    return node.isAlive
  }

  /**
   * Reads a grant's cursor and its changes, and writes the notifications with the next cursor if the node still has the
   * shard.
   */
  async function tell(node: SimulatedNode): Promise<void> {
    const held = [...store.ownedBy(node.id), between(0, store.shards.length)]
    const shard = held[between(0, held.length)] ?? 0
    const epoch = node.shards.epochOf(shard)
    const grant = grantsOf.get(shard)?.[0]
    const watch = `${node.id}/${shard}/${epoch}`
    if (epoch === undefined || !grant || busy.has(watch)) return
    busy.add(watch)
    try {
      await tellOne(node, { shard, epoch, grant })
    } finally {
      busy.delete(watch)
    }
  }

  async function tellOne(
    node: SimulatedNode,
    { shard, epoch, grant }: { shard: number; epoch: number; grant: { cursor: number } },
  ): Promise<void> {
    const from = await store.transaction(() => grant.cursor)
    await time.sleep(between(1, inTrouble() ? 3_000 : 200))
    if (!(await thaw(node))) return
    await store.transaction(() => {
      if (!store.holds(shard, node.id, epoch)) return void counts.refused++
      const writer = writers.get(`${shard}/${epoch}`) ?? node.id
      writers.set(`${shard}/${epoch}`, writer)
      if (writer !== node.id)
        broken.push(`at ${time.now - begin}: ${writer} and ${node.id} wrote under one epoch of ${shard}`)
      if (grant.cursor !== from) broken.push(`at ${time.now - begin}: change ${from + 1} of a grant was told twice`)
      grant.cursor = from + 1
      counts.reported++
    })
  }

  async function beating(node: SimulatedNode, skew: number): Promise<void> {
    while (await thaw(node)) {
      store.statements++
      await store.transaction(() => store.beat(node.id, time.now + skew)).catch(() => undefined)
      await time.sleep(beatMs)
    }
  }

  async function polling(node: SimulatedNode): Promise<void> {
    await time.sleep(between(0, pollMs))
    while (await thaw(node)) {
      try {
        const spare = await node.shards.poll()
        if (!(await thaw(node))) return
        if (spare !== undefined) {
          await time.sleep(graceMs)
          if (!(await thaw(node))) return
          await node.shards.release(spare)
        }
        for (let count = 0; count < 4; count++) void tell(node).catch(() => undefined)
      } catch {
        await time.sleep(between(100, 1_000))
      }
      await time.sleep(pollMs)
    }
  }

  function start(): void {
    const skew = between(-500, 500)
    const id = `node-${String(nodes.length).padStart(6, '0')}`
    const shards = createShards({ database: store.database(), clock: { now: () => time.now + skew }, nodeId: id })
    const node: SimulatedNode = { id, shards, isAlive: true, frozenUntil: 0 }
    nodes.push(node)
    void beating(node, skew)
    void polling(node)
  }

  async function troubling(): Promise<void> {
    while (inTrouble()) {
      await time.sleep(between(100, Math.max(200, 60_000 / size.nodes)))
      if (!inTrouble()) return
      const chance = random()
      const node = nodes[between(0, nodes.length)]
      if (!node || !isAwake(node)) continue
      if (chance < 0.3) {
        node.isAlive = false
        counts.deaths++
        start()
      } else if (chance < 0.97) {
        node.frozenUntil = Math.min(time.now + between(1_000, 3 * nodeLeaseMs), troubleEnd)
        counts.freezes++
      } else if (chance < 0.98) outageUntil = Math.min(time.now + between(500, 10_000), troubleEnd)
    }
  }

  for (let index = 0; index < size.nodes; index++) start()
  void troubling()
  await time.runUntil(troubleEnd)
  // The last failure is a large one.
  for (const node of nodes.filter(({ isAlive }) => isAlive).slice(0, Math.ceil(size.nodes / 10))) {
    node.isAlive = false
    counts.deaths++
  }
  const requested = { at: time.now, statements: store.statements }
  const byId = () => new Map(nodes.map((node) => [node.id, node]))
  const isWatched = (): boolean => {
    const known = byId()
    return store.shards.every(({ owner, epoch }, shard) => {
      const node = owner === null ? undefined : known.get(owner)
      return node !== undefined && isAwake(node) && node.shards.epochOf(shard) === epoch
    })
  }
  const share = Math.ceil(store.shards.length / nodes.filter(({ isAlive }) => isAlive).length)
  const isEven = (): boolean => nodes.every(({ id, isAlive }) => !isAlive || store.ownedBy(id).size <= share)
  let convergenceMs: number | undefined
  while (time.now < troubleEnd + size.settleMs) {
    await time.runUntil(time.now + 500)
    const isWell = isWatched() && isEven()
    if (!isWell && convergenceMs !== undefined) broken.push(`at ${time.now - begin}: what was well is not any more`)
    if (isWell) convergenceMs ??= time.now - troubleEnd
  }
  const alive = nodes.filter(({ isAlive }) => isAlive)
  const loads = alive.map(({ id }) =>
    [...store.ownedBy(id)].reduce((sum, shard) => sum + (grantsOf.get(shard)?.length ?? 0), 0),
  )
  const max = Math.max(...alive.map(({ id }) => store.ownedBy(id).size))
  const elapsed = (time.now - requested.at) / 1000
  const result = {
    ...{ seed, broken, convergenceMs, ...counts },
    grantLoad: (Math.max(...loads) * alive.length) / size.grants,
    shardLoad: (max * alive.length) / store.shards.length,
    statementsPerNodeSecond: (store.statements - requested.statements) / elapsed / alive.length,
  }
  for (const node of nodes) node.isAlive = false
  return result
}
