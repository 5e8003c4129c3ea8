/**
 * Delivers: finds destinations that have something waiting, takes their lanes under a lease, and keeps the lanes supplied.
 * Nodes on one store share the lanes; those of a node that died are free when its lease ends.
 */
import { type Clock, sleep } from '../lib/clock.ts'
import type { Destination, Egress } from '../lib/egress.ts'
import type { Log } from '../lib/log.ts'
import type { Secrets } from '../lib/secrets.ts'
import type { Database } from '../store/database.ts'
import { type DueDelivery, dueDeliveries, notificationsAt, type StoredNotification } from '../store/deliveries.ts'
import {
  type DueLane,
  dueLanes,
  type LaneAddress,
  type LaneDestination,
  laneDestination,
  releaseLane,
  renewLanes,
  takeLane,
} from '../store/lanes.ts'
import { createBodyWriter } from './body.ts'
import { documentOf } from './destinations.ts'
import { fresh, parseHealth } from './health.ts'
import { type Item, Lane, type Outcome, type Target } from './lane.ts'
import { createResults } from './results.ts'
import { createSigner } from './sign.ts'

export interface DelivererOptions {
  database: Database
  clock: Clock
  log: Log
  egress: Egress
  secrets: Secrets
  nodeId: string
  signatureHeader: string
  /** Whether mails can be sent. */
  hasMail: boolean
  /** Hears of every attempt: for the figures. */
  attempted?(outcome: Outcome): void
}

export interface Deliverer {
  /** How many nodes are alive, this one included: they share the lanes. */
  setNodes(count: number): void
  /** Something may be waiting. */
  wake(): void
  /** Delivers until the signal aborts, then lets what is under way end and gives the lanes back. */
  run(signal: AbortSignal): Promise<void>
}

const leaseMs = 15_000
const renewMs = 5_000
const lookMs = 500
/** A lane that is never done looks at the beginning of its queue this often. */
const rereadMs = 2_000
/** A lane without work is given back after this long. */
const idleMs = 10_000
/** What nobody else wanted stays for so long: a node that has just died is still counted. */
const unwantedMs = 10_000
/** What deliveries under way are given when the node stops. */
const patienceMs = 7_000
/** And what their results are given after that; all of it together stays below ten seconds. */
const keepingMs = 1_200
/** And when a lane is given back otherwise: attempts end by their own deadline, so that their results are kept. */
const handOverMs = 12_000

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { database, clock, log, egress, nodeId } = options
  const lanes = new Map<string, Lane>()
  const notifications = createShelf(database)
  const filling = new Map<Lane, 'once' | 'again'>()
  /** Lanes that this node is about to give back. */
  const leaving = new Map<string, Promise<void>>()
  /** Aborts when what is under way must end, because the node does. */
  let ending = new AbortController()
  /** Lanes that were free at the last look: another node may want them first, but not for long. */
  let freeBefore = new Set<string>()
  let awake: (() => void) | undefined
  let woken = false
  let nodes = 1

  const results = createResults({
    database,
    clock,
    log,
    nodeId,
    hasMail: options.hasMail,
    stepped: (lane) => fill(lane),
  })

  const laneTools = {
    clock,
    write: createBodyWriter(),
    hasRoom: results.hasRoom,
    settled(outcome: Outcome) {
      options.attempted?.(outcome)
      results.add(outcome)
    },
    wantsMore: (lane: Lane) => fill(lane),
  }

  function wake(): void {
    woken = true
    awake?.()
  }

  /** An address that may not be reached any more fails like one that does not answer. */
  function wayTo(url: string): Destination {
    try {
      return egress.destination(url)
    } catch (error) {
      return { post: () => Promise.reject(error), [Symbol.dispose]: () => undefined }
    }
  }

  function targetOf(row: LaneDestination, former?: Target): Target {
    const document = documentOf(row)
    const open = (column: string, sealed: string): string =>
      options.secrets.open(sealed, { table: 'webhooks', column, application: row.application_id, row: row.id })
    const { sealed_previous_secret: old, previous_secret_until: until } = row
    const twice = old !== null && until !== null && until > clock.now()
    const previous = twice ? open('sealed_previous_secret', old) : undefined
    const sameWay = former?.row.webhook_url === row.webhook_url
    if (former && !sameWay) former.way[Symbol.dispose]()
    return {
      row,
      way: former && sameWay ? former.way : wayTo(row.webhook_url),
      signer: createSigner({ current: open('sealed_secret', row.sealed_secret), previous }, options.signatureHeader),
      signsTwiceUntil: twice ? until : Number.POSITIVE_INFINITY,
      compressed: document.compressed_delivery,
      emails: document.notification_email_addresses,
    }
  }

  const isServed = ({ status }: LaneDestination): boolean => status === 'active' || status === 'failing'

  const isOutdated = ({ row, signsTwiceUntil }: Target, now: LaneDestination): boolean =>
    row.revision !== now.revision || signsTwiceUntil <= clock.now()

  /** Reads what waits for a lane; a call while one is under way makes it look once more. */
  function fill(lane: Lane): void {
    if (filling.has(lane)) return void filling.set(lane, 'again')
    filling.set(lane, 'once')
    supply(lane)
      .catch((error) => log.warn({ error, webhook_id: lane.at.webhookId }, 'a lane could not be supplied'))
      .finally(() => {
        const again = filling.get(lane) === 'again'
        filling.delete(lane)
        if (again && lanes.get(lane.at.webhookId) === lane) fill(lane)
      })
  }

  async function supply(lane: Lane): Promise<void> {
    const { at } = lane
    const row = await laneDestination(database, at)
    if (!row || !isServed(row)) return giveBack(lane)
    if (isOutdated(lane.target, row)) {
      // A destination that was set active again begins with a clean record.
      const reset = row.status === 'active' && row.status !== lane.target.row.status
      lane.retarget(targetOf(row, lane.target), reset ? fresh() : undefined)
    }
    const { room } = lane
    if (room <= 0) return lane.pump()
    const { rows, more } = await readQueue(lane, room)
    const chosen = lane.choose(rows)
    const left = chosen.length < rows.length
    lane.more = more || left
    // What was left is read again.
    lane.after = lane.more ? (left ? chosen.at(-1) : rows.at(-1)) : undefined
    const stored = await notifications.read(chosen.map((each) => each.notification))
    const items: Item[] = []
    for (const each of chosen) {
      const found = stored.get(each.notification)
      if (found) items.push({ ...each, stored: found })
      else results.drop(lane, each.id)
    }
    lane.add(items)
  }

  /**
   * What waits behind the place where the lane last stopped; from the beginning again once in a while, because of what
   * was queued late, and whenever the end was reached. What is read already and not kept yet still stands there.
   */
  async function readQueue(lane: Lane, room: number): Promise<{ rows: DueDelivery[]; more: boolean }> {
    if (clock.now() - lane.readFromStartAt > rereadMs) lane.after = undefined
    if (!lane.after) lane.readFromStartAt = clock.now()
    const known = new Set(lane.known)
    const limit = lane.after ? room : room + known.size
    const read = await dueDeliveries(database, lane.at, { now: clock.now(), after: lane.after, limit })
    // What was kept while the queue was read may still stand in what was read.
    return { rows: read.filter(({ id }) => !known.has(id) && !lane.known.has(id)), more: read.length === limit }
  }

  async function look(): Promise<void> {
    const now = clock.now()
    if (lanes.values().some((lane) => lane.leaseUntil <= now)) await renew()
    const due = await dueLanes(database, now)
    const isDue = new Set(due.map(({ webhook_id }) => webhook_id))
    // A lane with work in hand whose destination is due no more: it was paused or removed.
    for (const lane of lanes.values()) if (isDue.has(lane.at.webhookId) || !lane.isIdle) fill(lane)
    const free = due.filter((each) => isFree(each, now))
    // Every node takes its share at once, and what nobody took by the next look.
    const share = Math.ceil(due.length / nodes)
    const mine = due.filter(({ webhook_id }) => lanes.has(webhook_id)).length
    const wanted = free.filter(({ webhook_id }, index) => index < share - mine || freeBefore.has(webhook_id))
    const unwanted = freeBefore
    freeBefore = new Set(free.map(({ webhook_id }) => webhook_id))
    await Promise.all(wanted.map((each) => takeOne(each, unwanted.has(each.webhook_id) ? now + unwantedMs : now)))
    await giveBackSpare(isDue, share, now)
  }

  /** Nobody has the lane. One in our name that we know nothing of was taken or given back while the store failed. */
  const isFree = ({ webhook_id: id, owner, lease_until: until }: DueLane, now: number): boolean =>
    !leaving.has(id) && (owner === null || (until ?? 0) < now || (owner === nodeId && !lanes.has(id)))

  async function takeOne({ webhook_id, application_id }: DueLane, keepUntil: number): Promise<void> {
    if (lanes.has(webhook_id)) return
    const at: LaneAddress = { applicationId: application_id, webhookId: webhook_id }
    const now = clock.now()
    const until = now + leaseMs
    const taken = await takeLane(database, at, { owner: nodeId, until, now })
    if (!taken) return
    const row = await laneDestination(database, at)
    if (!row || !isServed(row)) return void (await releaseLane(database, at, nodeId))
    const lane = new Lane(at, targetOf(row), parseHealth(taken.health), laneTools)
    lane.leaseUntil = until
    lane.keepUntil = keepUntil
    lanes.set(webhook_id, lane)
    fill(lane)
  }

  function giveBack(lane: Lane): Promise<void> {
    const { webhookId } = lane.at
    if (lanes.get(webhookId) !== lane) return Promise.resolve()
    lanes.delete(webhookId)
    const left = handOver(lane).finally(() => leaving.delete(webhookId))
    leaving.set(webhookId, left)
    return left
  }

  async function handOver(lane: Lane): Promise<void> {
    const patience = AbortSignal.any([AbortSignal.timeout(handOverMs), ending.signal])
    await lane.close(patience)
    await results.flushed(patience)
    await releaseLane(database, lane.at, nodeId)
  }

  /** Lanes that have been idle for a while, and those beyond this node's share while there are others. */
  async function giveBackSpare(due: ReadonlySet<string>, share: number, now: number): Promise<void> {
    const idle = [...lanes.values()].filter((lane) => lane.isIdle && !due.has(lane.at.webhookId))
    const stale = idle.filter((lane) => now - lane.busyAt > idleMs)
    const busy = [...lanes.values()].filter((lane) => due.has(lane.at.webhookId))
    const spare = nodes > 1 ? busy.slice(share + 1).filter((lane) => lane.keepUntil <= now) : []
    for (const lane of [...stale, ...spare]) {
      giveBack(lane).catch((error) => log.warn({ error }, 'a lane could not be given back'))
    }
  }

  async function renew(): Promise<void> {
    if (lanes.size + leaving.size === 0) return
    // Not those that are taken while the store is asked.
    const mine = [...lanes.values()]
    const until = clock.now() + leaseMs
    const held = await renewLanes(database, nodeId, until)
    for (const lane of mine) {
      if (!held.has(lane.at.webhookId)) drop(lane)
      else {
        lane.leaseUntil = until
        lane.pump()
      }
    }
  }

  /** Another node has the lane, or its destination is gone: nothing more is sent, and what is under way counts no more. */
  function drop(lane: Lane): void {
    if (lanes.get(lane.at.webhookId) !== lane) return
    log.warn({ webhook_id: lane.at.webhookId }, 'a lane was lost to another node')
    lanes.delete(lane.at.webhookId)
    void lane.close(AbortSignal.timeout(patienceMs))
  }

  async function looking(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      woken = false
      await look().catch((error) => log.warn({ error }, 'the queue of deliveries could not be read; it is tried again'))
      if (!woken) {
        const pause = new AbortController()
        awake = () => pause.abort()
        await sleep(lookMs, AbortSignal.any([signal, pause.signal]))
        awake = undefined
      }
    }
  }

  async function renewing(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(renewMs, signal)
      if (!signal.aborted) await renew().catch((error) => log.warn({ error }, 'leases of lanes could not be renewed'))
    }
  }

  return {
    wake,
    setNodes: (count) => {
      nodes = Math.max(count, 1)
    },
    async run(signal) {
      ending = new AbortController()
      await Promise.all([looking(signal), renewing(signal)])
      const patience = setTimeout(() => ending.abort(), patienceMs)
      const keeping = AbortSignal.timeout(patienceMs + keepingMs)
      const all = [...lanes.values()]
      await Promise.allSettled([...all.map((lane) => lane.close(ending.signal)), ...leaving.values()])
      clearTimeout(patience)
      await results.flushed(keeping)
      await Promise.allSettled(all.map((lane) => releaseLane(database, lane.at, nodeId)))
      lanes.clear()
    },
  }
}

/** The notifications that were read last: one that goes to many destinations is read once. */
function createShelf(database: Database): {
  read(positions: readonly number[]): Promise<Map<number, StoredNotification>>
} {
  const bytesAtMost = 16_777_216
  const kept = new Map<number, StoredNotification>()
  let bytes = 0
  /** Many at once: each time the oldest are looked for, places of those that went before are passed over. */
  const forgetOldest = (): void => {
    for (const [position, oldest] of kept) {
      if (bytes <= bytesAtMost / 2) return
      kept.delete(position)
      bytes -= oldest.payload.length
    }
  }
  const keep = (stored: StoredNotification): void => {
    if (kept.has(stored.position)) return
    kept.set(stored.position, stored)
    bytes += stored.payload.length
    if (bytes > bytesAtMost) forgetOldest()
  }
  return {
    async read(positions) {
      const missing = positions.filter((position) => !kept.has(position))
      const found = new Map<number, StoredNotification>()
      for (const stored of missing.length > 0 ? await notificationsAt(database, missing) : []) {
        found.set(stored.position, stored)
        keep(stored)
      }
      for (const position of positions) {
        const stored = kept.get(position)
        if (stored) found.set(position, stored)
      }
      return found
    },
  }
}
