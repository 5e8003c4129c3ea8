/**
 * PostgreSQL crashes and restarts under load. Meanwhile the API answers 503 with Retry-After; afterwards
 * everything continues. Results of deliveries during the outage are stored when the store is back.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '@waypost/testing/peers/postgres'
import type { Fault } from '../check.ts'
import { between, conclude, figuresOf, percentile, type Scenario, seconds, tooLong } from '../scenario.ts'
import { openSite } from '../site.ts'
import { startWriter } from '../writer.ts'

const maxBack = 3_000

export const postgresRestarts: Scenario = {
  name: 'postgres-restarts',
  what: 'immediate restarts of PostgreSQL under load',
  async run(stage) {
    const { short, long, random } = stage
    await using postgres = await startPostgres()
    await using site = await openSite({ databaseUrl: await postgres.createDatabase(), destinations: 4 })
    await site.start('api')
    await site.settle()
    const workers = [await site.start('worker'), await site.start('worker')]
    const writer = startWriter(site, { rate: short ? 8 : 20 })
    const broken: string[] = []
    const faults: Fault[] = []
    /** From PostgreSQL's first response to the first accepted change and the first delivery of a later one. */
    const accepting: number[] = []
    const delivering: number[] = []
    for (let round = 0; round < (short ? 2 : long ? 20 : 8); round++) {
      await writer.more(10)
      await sleep(between(random, 200, 2_000))
      const from = performance.now()
      await postgres.restart('immediate')
      const to = performance.now()
      await writer.more(1)
      accepting.push(performance.now() - to)
      const since = writer.changes.findLast(({ eventId }) => eventId !== undefined)
      const reported = () => site.receivers.arrivals.some(({ objectId }) => objectId === since?.eventId)
      while (!reported() && performance.now() - to < 120_000) await sleep(10)
      delivering.push(performance.now() - to)
      faults.push({ from, to: performance.now() })
    }
    const verdict = await conclude(stage, { site, writer, faults })
    const refused = writer.changes.filter(({ status, eventId }) => status !== undefined && eventId === undefined)
    const odd = refused.filter(({ status, retryAfter }) => status !== 503 || !(Number(retryAfter) > 0))
    if (odd.length > 0) broken.push(`refused without 503 and Retry-After: ${JSON.stringify(odd[0])}`)
    if (verdict.unanswered > 0) broken.push(`${verdict.unanswered} requests were not answered`)
    broken.push(...tooLong(stage, percentile(accepting, 0.99), maxBack, 'the return of the API after PostgreSQL'))
    if (workers.some((worker) => !worker.isAlive())) broken.push('a worker ended')
    return {
      figures: {
        restarts: faults.length,
        ...figuresOf(verdict),
        'answered 503': refused.length,
        'API back p99, s': seconds(percentile(accepting, 0.99)),
        'deliveries back p99, s': seconds(percentile(delivering, 0.99)),
      },
      broken: [...broken, ...verdict.broken],
    }
  },
}
