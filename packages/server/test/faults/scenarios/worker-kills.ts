/** Two workers and an API node on one PostgreSQL; workers are killed with SIGKILL under load and started again. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../check.ts'
import type { Node } from '../node.ts'
import {
  between,
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

export const workerKills: Scenario = {
  name: 'worker-kills',
  what: 'two nodes on one PostgreSQL share the work; kill -9 of each in turn, then of either every second or two',
  async run(stage) {
    const { short, long, random, freshDatabase, progress } = stage
    await using site = await openSite({ databaseUrl: await freshDatabase(), destinations: 6 })
    await site.start('api')
    await site.settle()
    const workers: Node[] = [await site.start('worker'), await site.start('worker')]
    const writer = startWriter(site, { rate: short ? 8 : 20 })
    const broken: string[] = []
    const faults: Fault[] = []
    const times: number[] = []

    const kill = async (index: number): Promise<{ victim: Node; at: number }> => {
      const victim = workers[index]
      if (!victim) throw new Error('no such worker')
      const at = performance.now()
      await victim.kill()
      faults.push({ from: at, to: performance.now() })
      return { victim, at }
    }

    const share = await untilAllDeliver(site, workers)
    if (!share) broken.push('the two workers do not share the work')
    for (let round = 0; round < (short ? 1 : 4); round++) {
      const { victim, at } = await kill(round % 2)
      const recovery = await untilRecovered(site, victim, at)
      if (recovery.waiting > 0) broken.push('destinations of a killed worker are not served again')
      times.push(...recovery.times)
      progress(`recovered from kill ${round + 1} in ${seconds(Math.max(...recovery.times, 0))} s`)
      workers[round % 2] = await site.start('worker')
      if (!short && !(await untilAllDeliver(site, workers))) broken.push('a worker that was started again gets no work')
    }
    for (let round = 0; round < (short ? 0 : long ? 200 : 14); round++) {
      await sleep(between(random, 500, 2_000))
      const index = random() < 0.5 ? 0 : 1
      await kill(index)
      workers[index] = await site.start('worker')
    }
    progress(`${faults.length} kills`)
    const verdict = await conclude(stage, { site, writer, faults })
    broken.push(...tooLong(stage, percentile(times, 0.99), maxRecovery, 'recovery'))
    return {
      figures: {
        kills: faults.length,
        ...figuresOf(verdict),
        'recovery p50, s': seconds(percentile(times, 0.5)),
        'recovery p99, s': seconds(percentile(times, 0.99)),
      },
      broken: [...broken, ...verdict.broken],
    }
  },
}
