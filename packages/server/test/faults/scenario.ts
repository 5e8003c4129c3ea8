/** The definition of a scenario, and shared helpers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { check, type Fault, type Verdict } from './check.ts'
import type { Node } from './node.ts'
import type { Arrival } from './receivers.ts'
import type { Site } from './site.ts'
import type { Writer } from './writer.ts'

export type HealthCounters = Record<string, number | string>

export interface Outcome {
  figures: HealthCounters
  /** Violated invariants, with details. */
  broken: string[]
}

export interface Stage {
  /** A few faults instead of many. */
  short: boolean
  /** Hundreds of faults instead of many. */
  long?: boolean
  /** Whether time is measured. Not in a suite that runs other work concurrently. */
  timed: boolean
  /** From 0 up to, not including, 1; the same for the same seed. */
  random(): number
  /** The URL of a new database on a PostgreSQL server that stays up. */
  freshDatabase(): Promise<string>
  /** The URL of a new database without tables. */
  emptyDatabase(): Promise<string>
  progress(text: string): void
}

export interface Scenario {
  readonly name: string
  readonly what: string
  run(stage: Stage): Promise<Outcome>
}

/** Mulberry32: small, and good enough to choose times and victims. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const between = (random: () => number, least: number, max: number): number => least + random() * (max - least)

/** The value that this share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export const rounded = (value: number, digits = 0): number => Math.round(value * 10 ** digits) / 10 ** digits
export const seconds = (milliseconds: number): number => rounded(milliseconds / 1000, 2)

export interface Lived {
  site: Site
  writer: Writer
  faults: readonly Fault[]
}

/** Ends the load, waits until everything is delivered, and checks the history. */
export async function conclude(stage: Stage, history: Lived): Promise<Verdict> {
  const { site, writer, faults } = history
  await writer.stop()
  const quiet = await site.quiet(stage.timed ? 60_000 : 180_000)
  // The receiver has it before the result is stored: a repetition would arrive now.
  await sleep(500)
  const verdict = check({
    destinations: site.receivers.urls.length,
    changes: writer.changes,
    arrivals: site.receivers.arrivals,
    events: await site.events(),
    faults,
    ...(stage.timed ? {} : { writtenWithinMs: 10_000 }),
  })
  if (!quiet) verdict.broken.push('deliveries still wait long after the last change')
  return verdict
}

export const figuresOf = ({ accepted, unanswered, deliveries, lost, extra, bound }: Verdict): HealthCounters => ({
  accepted,
  unanswered,
  deliveries,
  lost,
  extra,
  'extra at most': bound,
})

export interface Recovery {
  /** Milliseconds from the fault to the first delivery by another node, for each destination of the failed node. */
  times: number[]
  /** Destinations that no node serves yet. */
  waiting: number
}

/** How long the destinations of a failed node got no delivery. */
export function recoveryOf(arrivals: readonly Arrival[], failed: Node, at: number): Recovery {
  const recovery: Recovery = { times: [], waiting: 0 }
  for (const those of Map.groupBy(arrivals, ({ destination }) => destination).values()) {
    // Deliveries that it sent before it died may arrive a moment later.
    const last = those.findLast(({ at: then, by }) => then <= at || by === failed.name)
    if (last?.by !== failed.name || last.at < at - 5_000) continue
    const next = those.find(({ at: then, by }) => then > at && by !== failed.name)
    if (next) recovery.times.push(next.at - at)
    else recovery.waiting++
  }
  return recovery
}

/** Waits until every destination of a failed node is served again. */
export async function untilRecovered(site: Site, failed: Node, at: number, deadlineMs = 120_000): Promise<Recovery> {
  for (;;) {
    const recovery = recoveryOf(site.receivers.arrivals, failed, at)
    if (recovery.waiting === 0 || performance.now() - at > deadlineMs) return recovery
    await sleep(50)
  }
}

/** The violation if something took too long, when time is measured. */
export const tooLong = ({ timed }: Stage, took: number, atMost: number, what: string): string[] =>
  timed && took > atMost ? [`${what} took ${seconds(took)} s, longer than ${seconds(atMost)} s`] : []

/** Waits until every one of these nodes has delivered something since `from`. */
export async function untilAllDeliver(site: Site, nodes: readonly Node[], deadlineMs = 120_000): Promise<boolean> {
  const from = performance.now()
  for (;;) {
    const senders = new Set(site.receivers.arrivals.filter(({ at }) => at >= from).map(({ by }) => by))
    if (nodes.every(({ name }) => senders.has(name))) return true
    if (performance.now() - from > deadlineMs) return false
    await sleep(50)
  }
}
