/**
 * Destinations that hang, drip, flood, redirect, reset and refuse, next to good ones. The good ones get
 * everything, about as fast as without the others. The time is measured from the API call to the arrival.
 */
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { startHostileProcess } from '../hostile-process.ts'
import { conclude, figuresOf, percentile, rounded, type Scenario } from '../scenario.ts'
import { openSite, type Site } from '../site.ts'
import { startWriter, type Writer } from '../writer.ts'

const maxSlower = 5
/** A smaller difference is not noticeable, and a small busy machine varies as much. */
const unnoticedMs = 250
const maxGrowthMb = 200
/** A node that waits for the processor for a larger share of the time gives no valid result. */
const maxStarved = 0.3

/** Milliseconds from each call since `from` to its arrival at each good destination. */
function latencies(site: Site, writer: Writer, from: number): number[] {
  const requested = new Map(writer.changes.map(({ eventId = '', requestedAt }) => [eventId, requestedAt]))
  return site.receivers.arrivals.flatMap(({ objectId, at }) => {
    const then = requested.get(objectId)
    return then === undefined || then < from ? [] : [at - then]
  })
}

/** Hostile receivers answer no challenge, so their addresses replace a good one's directly in the store. */
async function subscribeHostile(site: Site, urls: readonly string[]): Promise<void> {
  const ids: string[] = []
  for (const index of urls.keys()) ids.push((await site.subscribe(`${site.receivers.urls[0]}/${index}`)).id)
  using store = new DatabaseSync(path.join(site.dataDir, 'waypost.db'), { timeout: 5_000 })
  const change = store.prepare('update webhooks set webhook_url = ?, revision = revision + 1 where id = ?')
  for (const [index, url] of urls.entries()) change.run(url, ids[index] ?? '')
}

export const hostileReceivers: Scenario = {
  name: 'hostile-receivers',
  what: 'destinations that hang, drip, flood, redirect, reset and refuse, beside good ones',
  async run(stage) {
    const { short, timed, progress } = stage
    await using hostile = await startHostileProcess()
    await using site = await openSite({ destinations: 8 })
    const node = await site.start('api', 'worker')
    await site.settle()
    const writer = startWriter(site, { rate: 10 })
    const lengthMs = short ? 2_000 : 15_000
    await sleep(short ? 500 : 2_000)
    const alone = performance.now()
    await sleep(lengthMs)
    await writer.stop()
    await site.quiet(10_000)
    const without = latencies(site, writer, alone)
    const before = node.usage().residentMb
    await subscribeHostile(site, hostile.urls)
    const second = startWriter(site, { rate: 10 })
    progress(`${hostile.urls.length} hostile destinations`)
    await sleep(short ? 500 : 2_000)
    const among = performance.now()
    const used = node.usage()
    let max = before
    for (const until = among + lengthMs; performance.now() < until; await sleep(250)) {
      max = Math.max(max, node.usage().residentMb)
    }
    const tried = await hostile.connections()
    const since = performance.now() - among
    const busy = (node.usage().cpuMs - used.cpuMs) / since
    const starved = (node.usage().queuedMs - used.queuedMs) / since
    await second.stop()
    const both = { ...second, changes: [...writer.changes, ...second.changes] }
    const verdict = await conclude(stage, { site, writer: both, faults: [] })
    const beside = latencies(site, second, among)
    const broken = [...verdict.broken]
    const [p99, p99Beside] = [percentile(without, 0.99), percentile(beside, 0.99)]
    const ratio = p99Beside / p99
    const judged = timed && starved < maxStarved
    if (judged && ratio > maxSlower && p99Beside > unnoticedMs) {
      broken.push(`good destinations wait ${rounded(ratio, 1)} times as long beside hostile ones`)
    }
    if (max - before > maxGrowthMb) broken.push(`the node grew by ${rounded(max - before)} MB`)
    // One of them does not exist at all.
    const untried = tried.filter((count) => count === 0).length
    if (untried > 1) broken.push(`${untried} hostile destinations were not tried`)
    return {
      figures: {
        'hostile ones': hostile.urls.length,
        ...figuresOf(verdict),
        'good p50 without, ms': rounded(percentile(without, 0.5)),
        'good p50 with, ms': rounded(percentile(beside, 0.5)),
        'good p99 without, ms': rounded(p99),
        'good p99 with, ms': rounded(p99Beside),
        'p99 with / without': rounded(ratio, 2),
        'processor used, %': rounded(busy * 100),
        'processor waited for, %': rounded(starved * 100),
        'ratio judged': judged ? 'yes' : 'no',
        'memory, MB more': rounded(max - before),
      },
      broken,
    }
  },
}
