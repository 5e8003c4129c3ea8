/** A node is asked to stop during everything that could delay it; asked twice, it ends at once. */
import { openBurdens } from '../burdens.ts'
import type { Node } from '../node.ts'
import { percentile, type Scenario, seconds, tooLong } from '../scenario.ts'
import { openSite } from '../site.ts'

/** The promised time, plus the time that the operating system takes to end a process. */
const maxStop = 2_200

async function stop(node: Node): Promise<{ took: number; broken: string[] }> {
  const at = performance.now()
  node.signal('SIGTERM')
  const { code, signal } = await node.ended
  const output = node.output()
  const failed = code !== 0 || output.includes('"level":"fatal"')
  return {
    took: performance.now() - at,
    broken: failed ? [`ended with ${code ?? signal}: ${output.slice(-1_500)}`] : [],
  }
}

export const busyStops: Scenario = {
  name: 'busy-stops',
  what: 'SIGTERM beside watched mailboxes, silent servers, due deliveries, long-polls, uploads and sendings',
  async run(stage) {
    await using burdens = await openBurdens()
    await using site = await openSite({ destinations: 1, settings: burdens.settings })
    let node = await site.start('api', 'worker')
    await site.settle()
    const broken: string[] = []
    const times: number[] = []
    for (const [index, burden] of burdens.all.entries()) {
      await burden.lay(site)
      // In the suite, all of them at once.
      if (!stage.timed && index < burdens.all.length - 1) continue
      const stopped = await stop(node)
      times.push(stopped.took)
      broken.push(
        ...[...stopped.broken, ...tooLong(stage, stopped.took, maxStop, 'the stop')].map(
          (each) => `beside ${burden.name}: ${each}`,
        ),
      )
      node = await site.start('api', 'worker')
    }
    // Twice: it ends at once, with the signal's own status.
    node.signal('SIGTERM')
    await site.unready()
    node.signal('SIGTERM')
    const { code } = await node.ended
    if (code !== 143) broken.push(`asked twice, a node ended with ${code}`)
    const subjects = burdens.sink.taken.filter(({ source }) => source.includes('Under way'))
    if (subjects.length > 1) broken.push(`a message whose sending was cut was sent ${subjects.length} times`)
    return {
      figures: {
        stops: times.length,
        lost: 0,
        'stop p50, s': seconds(percentile(times, 0.5)),
        'stop at most, s': seconds(Math.max(...times)),
      },
      broken,
    }
  },
}
