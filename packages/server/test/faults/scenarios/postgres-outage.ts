/**
 * PostgreSQL is unavailable for longer than the leases last. No node crashes, spins or grows, and everything
 * continues afterwards.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '@waypost/testing/peers/postgres'
import { conclude, figuresOf, percentile, rounded, type Scenario, seconds, tooLong } from '../scenario.ts'
import { openSite } from '../site.ts'
import { startWriter } from '../writer.ts'

const outageMs = 20_000
const maxGrowthMb = 64
const maxBusy = 0.2
const maxBack = 3_000

export const postgresOutage: Scenario = {
  name: 'postgres-outage',
  what: 'PostgreSQL is gone for 20 s',
  async run(stage) {
    const { short } = stage
    await using postgres = await startPostgres()
    await using site = await openSite({ databaseUrl: await postgres.createDatabase(), destinations: 4 })
    await site.start('api')
    await site.settle()
    const workers = [await site.start('worker'), await site.start('worker')]
    const writer = startWriter(site, { rate: short ? 8 : 20 })
    const broken: string[] = []
    await writer.more(40)
    const from = performance.now()
    await postgres.stop()
    writer.pace(2)
    await sleep(1_000)
    const before = workers.map((worker) => worker.usage())
    const counted = performance.now()
    await sleep(short ? 2_000 : outageMs)
    const health = await fetch(`${site.api().base}/health`)
    if (health.status !== 200) broken.push('the API node is not alive without its store')
    const spent = performance.now() - counted
    const after = workers.map((worker) => worker.usage())
    await postgres.start()
    const to = performance.now()
    writer.pace(20)
    await writer.more(1)
    const back = performance.now() - to
    await sleep(2_000)
    const verdict = await conclude(stage, { site, writer, faults: [{ from, to: to + 5_000 }] })
    const busy = before.map(({ cpuMs }, index) => ((after[index]?.cpuMs ?? 0) - cpuMs) / spent)
    const grown = before.map(({ residentMb }, index) => (after[index]?.residentMb ?? 0) - residentMb)
    if (Math.max(...busy) > maxBusy) broken.push('a worker is busy while it can do nothing')
    if (Math.max(...grown) > maxGrowthMb) broken.push('a worker grows while it can do nothing')
    if (workers.some((worker) => !worker.isAlive())) broken.push('a worker ended')
    broken.push(...tooLong(stage, back, maxBack, 'the return of the API after PostgreSQL'))
    return {
      figures: {
        'outage, s': seconds(to - from),
        ...figuresOf(verdict),
        'processor of a worker, %': rounded(percentile(busy, 1) * 100, 1),
        'memory of a worker, MB more': rounded(Math.max(...grown), 1),
        'API back, s': seconds(back),
      },
      broken: [...broken, ...verdict.broken],
    }
  },
}
