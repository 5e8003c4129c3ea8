/** Nodes are stopped with SIGTERM under load and started again: nothing is lost, and nothing is sent twice. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../check.ts'
import {
  between,
  conclude,
  figuresOf,
  percentile,
  type Scenario,
  seconds,
  tooLong,
  untilAllDeliver,
} from '../scenario.ts'
import { openSite } from '../site.ts'
import { startWriter } from '../writer.ts'

const maxStop = 2_500
/** A node with so little processor time reaches its deadline, and releases unfinished deliveries. */
const cutShortAfter = 1_000

export const gracefulStops: Scenario = {
  name: 'graceful-stops',
  what: 'SIGTERM of workers and of the API node under load, each started again',
  async run(stage) {
    const { short, long, random, freshDatabase } = stage
    await using site = await openSite({ databaseUrl: await freshDatabase(), destinations: 6 })
    let api = await site.start('api')
    await site.settle()
    const workers = [await site.start('worker'), await site.start('worker')]
    const writer = startWriter(site, { rate: short ? 8 : 20 })
    const broken: string[] = []
    const times: number[] = []
    const faults: Fault[] = []
    if (!(await untilAllDeliver(site, workers))) broken.push('the two workers do not share the work')
    for (let round = 0; round < (short ? 3 : long ? 200 : 18); round++) {
      await sleep(between(random, 300, 1_500))
      const index = round % 3
      const node = index === 2 ? api : workers[index]
      if (!node) throw new Error('no such node')
      const at = performance.now()
      node.signal('SIGTERM')
      const { code, signal } = await node.ended
      const took = performance.now() - at
      times.push(took)
      if (took >= cutShortAfter) faults.push({ from: at, to: at + took })
      if (code !== 0) broken.push(`a node ended with ${code ?? signal}: ${node.output().slice(-2_000)}`)
      if (index === 2) api = await site.start('api')
      else workers[index] = await site.start('worker')
    }
    // Only a stop that reached its deadline allows a repetition.
    const verdict = await conclude(stage, { site, writer, faults })
    broken.push(...tooLong(stage, Math.max(...times), maxStop, 'a stop'))
    return {
      figures: {
        stops: times.length,
        ...figuresOf(verdict),
        'stop p50, s': seconds(percentile(times, 0.5)),
        'stop at most, s': seconds(Math.max(...times)),
      },
      broken: [...broken, ...verdict.broken],
    }
  },
}
