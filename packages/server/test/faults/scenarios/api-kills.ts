/**
 * The API node is killed during requests. Acknowledged changes are stored. Others are repeated with the same
 * Idempotency-Key until there is a response, and happen once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../check.ts'
import { between, conclude, figuresOf, type Scenario } from '../scenario.ts'
import { openSite } from '../site.ts'
import { startWriter } from '../writer.ts'

export const apiKills: Scenario = {
  name: 'api-kills',
  what: 'kill -9 of the API node in the middle of requests, which are repeated with the same Idempotency-Key',
  async run(stage) {
    const { short, random, freshDatabase } = stage
    await using site = await openSite({ databaseUrl: await freshDatabase(), destinations: 3 })
    let node = await site.start('api')
    await site.settle()
    await site.start('worker')
    const writer = startWriter(site, { rate: short ? 12 : 40, repeat: true })
    const faults: Fault[] = []
    for (let round = 0; round < (short ? 1 : 8); round++) {
      await writer.more(10)
      await sleep(between(random, 50, 1_000))
      const from = performance.now()
      await node.kill()
      faults.push({ from, to: performance.now() })
      node = await site.start('api')
    }
    // The workers keep running, so no repetition is allowed.
    const verdict = await conclude(stage, { site, writer, faults: [] })
    const broken = [...verdict.broken]
    const repeated = writer.changes.filter(({ requested }) => requested > 1)
    const unsettled = writer.changes.filter(({ eventId }) => eventId === undefined)
    if (unsettled.length > 0) {
      broken.push(`${unsettled.length} repeated requests were not accepted, such as ${JSON.stringify(unsettled[0])}`)
    }
    if (repeated.length === 0) broken.push('no request was cut off: the kills hit nothing')
    return { figures: { kills: faults.length, ...figuresOf(verdict), 'cut off, repeated': repeated.length }, broken }
  },
}
