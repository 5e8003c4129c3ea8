/** SQLite: the only node, API and worker in one, is killed under load and started again. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../check.ts'
import { between, conclude, figuresOf, percentile, type Scenario, seconds, tooLong } from '../scenario.ts'
import { openSite } from '../site.ts'
import { startWriter } from '../writer.ts'

const maxRecovery = 20_000

export const singleNodeKills: Scenario = {
  name: 'single-node-kills',
  what: 'kill -9 of the only node on SQLite, and a start on the same folder',
  async run(stage) {
    const { short, random } = stage
    await using site = await openSite({ destinations: 6 })
    let node = await site.start('api', 'worker')
    await site.settle()
    const writer = startWriter(site, { rate: short ? 8 : 20 })
    const broken: string[] = []
    const faults: Fault[] = []
    /** From the kill, and from the start of listening of the new process, to the first delivery. */
    const times: number[] = []
    const afterStart: number[] = []
    for (let round = 0; round < (short ? 2 : 15); round++) {
      await writer.more(5)
      await sleep(between(random, 100, 800))
      const at = performance.now()
      await node.kill()
      faults.push({ from: at, to: performance.now() })
      node = await site.start('api', 'worker')
      const ready = performance.now()
      const first = () => site.receivers.arrivals.find(({ by }) => by === node.name)
      while (!first() && performance.now() - ready < maxRecovery) await sleep(10)
      times.push((first()?.at ?? Number.POSITIVE_INFINITY) - at)
      afterStart.push(Math.max((first()?.at ?? Number.POSITIVE_INFINITY) - ready, 0))
    }
    const verdict = await conclude(stage, { site, writer, faults })
    broken.push(...tooLong(stage, percentile(times, 0.99), maxRecovery, 'recovery'))
    return {
      figures: {
        kills: faults.length,
        ...figuresOf(verdict),
        'recovery p50, s': seconds(percentile(times, 0.5)),
        'recovery p99, s': seconds(percentile(times, 0.99)),
        'after the start p99, s': seconds(percentile(afterStart, 0.99)),
      },
      broken: [...broken, ...verdict.broken],
    }
  },
}
