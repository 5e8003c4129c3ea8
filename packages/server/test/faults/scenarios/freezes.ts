/**
 * A worker is stopped with SIGSTOP for longer than its lease, like a frozen machine, and continues. Others have
 * its leases by then: its pending results do not count, and it must start nothing more.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../check.ts'
import {
  conclude,
  figuresOf,
  percentile,
  type Scenario,
  seconds,
  tooLong,
  untilAllDeliver,
  untilRecovered,
} from '../scenario.ts'
import { openSite } from '../site.ts'
import { startWriter } from '../writer.ts'

const maxRecovery = 20_000
/** To one destination. Deliveries that it had started when it froze may be sent when it continues. */
const maxInFlight = 32

export const freezes: Scenario = {
  name: 'freezes',
  what: 'SIGSTOP of a worker for longer than its lease, then SIGCONT',
  async run(stage) {
    const { short, freshDatabase, progress } = stage
    await using site = await openSite({ databaseUrl: await freshDatabase(), destinations: 6 })
    await site.start('api')
    await site.settle()
    const workers = [await site.start('worker'), await site.start('worker')]
    const writer = startWriter(site, { rate: short ? 8 : 20 })
    const broken: string[] = []
    const faults: Fault[] = []
    const times: number[] = []
    let stale = 0
    for (let round = 0; round < (short ? 1 : 2); round++) {
      if (!(await untilAllDeliver(site, workers))) broken.push('the two workers do not share the work')
      const frozen = workers[round % 2]
      if (!frozen) throw new Error('no such worker')
      const from = performance.now()
      frozen.signal('SIGSTOP')
      const recovery = await untilRecovered(site, frozen, from)
      if (recovery.waiting > 0) broken.push('destinations of a frozen worker are not served again')
      times.push(...recovery.times)
      await sleep(short ? 0 : 500 + round * 10_000)
      const known = new Set(site.receivers.arrivals.map(({ destination, id }) => `${destination} ${id}`))
      const to = performance.now()
      frozen.signal('SIGCONT')
      await sleep(3_000)
      faults.push({ from, to })
      const after = site.receivers.arrivals.filter(({ at, by }) => at > to && by === frozen.name)
      stale += after.filter(({ destination, id }) => known.has(`${destination} ${id}`)).length
      if (!frozen.isAlive()) broken.push('a worker ended after it was frozen')
      progress(`frozen for ${seconds(to - from)} s`)
    }
    const verdict = await conclude(stage, { site, writer, faults })
    broken.push(...tooLong(stage, percentile(times, 0.99), maxRecovery, 'recovery'))
    if (stale > faults.length * maxInFlight * site.receivers.urls.length) {
      broken.push(`${stale} deliveries were sent again by a worker whose lease had ended`)
    }
    return {
      figures: {
        freezes: faults.length,
        ...figuresOf(verdict),
        'sent again by the frozen': stale,
        'recovery p99, s': seconds(percentile(times, 0.99)),
      },
      broken: [...broken, ...verdict.broken],
    }
  },
}
