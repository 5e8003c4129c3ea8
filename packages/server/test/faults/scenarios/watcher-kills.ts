/**
 * Watching: two workers share the mailboxes of a real mail server. One is killed with
 * SIGKILL; later one is frozen for longer than its lease. The other one continues with its grants. Every message is
 * notified once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { openMailboxes } from '../mailboxes.ts'
import type { Node } from '../node.ts'
import { percentile, type Scenario, seconds, tooLong } from '../scenario.ts'
import { openSite } from '../site.ts'

const maxRecovery = 20_000

export const watcherKills: Scenario = {
  name: 'watcher-kills',
  what: 'two nodes share the watching of mailboxes; kill -9 of one, then SIGSTOP of one for longer than its lease',
  async run(stage) {
    const { short, freshDatabase, progress } = stage
    const databaseUrl = await freshDatabase()
    await using site = await openSite({ databaseUrl, destinations: 1 })
    await site.start('api')
    await site.settle()
    await using mailboxes = await openMailboxes(site, databaseUrl, 12)
    const workers: Node[] = [await site.start('worker'), await site.start('worker')]
    const broken: string[] = []
    const times: number[] = []

    /** Resolves when all shards belong to this many nodes. */
    const sharedBy = async (count: number): Promise<boolean> => {
      for (const deadline = performance.now() + 120_000; performance.now() < deadline; await sleep(100)) {
        const owners = await mailboxes.owners()
        const all = [...owners.values()].reduce((sum, shards) => sum + shards, 0)
        if (owners.size === count && all === 4_096) return true
      }
      return false
    }
    const recovered = async (what: string): Promise<void> => {
      const reported = await mailboxes.untilReported()
      if (reported.missing > 0) broken.push(`${reported.missing} mailboxes of a ${what} worker are not watched again`)
      times.push(...reported.times)
      progress(`recovered from a ${what} worker in ${seconds(Math.max(...reported.times, 0))} s`)
    }

    if (!(await sharedBy(2))) broken.push('the two workers do not share the watching')
    const sending = mailboxes.send(short ? 8 : 20)
    if ((await mailboxes.untilReported()).missing > 0) broken.push('not all mailboxes are watched')
    for (let round = 0; round < (short ? 1 : 3); round++) {
      const victim = workers[round % 2]
      await victim?.kill()
      await recovered('killed')
      workers[round % 2] = await site.start('worker')
      if (!(await sharedBy(2))) broken.push('a worker that was started again gets nothing to watch')
    }
    for (let round = 0; round < (short ? 1 : 2); round++) {
      const frozen = workers[round % 2]
      frozen?.signal('SIGSTOP')
      await recovered('frozen')
      await sleep(short ? 0 : 5_000)
      frozen?.signal('SIGCONT')
      if (!(await sharedBy(2))) broken.push('a worker that was frozen gets nothing to watch')
      if (!frozen?.isAlive()) broken.push('a worker ended after it was frozen')
    }
    await sending.stop()
    const verdict = await mailboxes.judge()
    broken.push(...tooLong(stage, percentile(times, 1), maxRecovery, 'recovery'))
    return {
      figures: {
        mailboxes: mailboxes.size,
        sent: verdict.sent,
        reported: verdict.reported,
        lost: verdict.lost,
        'told twice': verdict.twice,
        'recovery p50, s': seconds(percentile(times, 0.5)),
        'recovery at most, s': seconds(Math.max(...times, 0)),
      },
      broken: [...broken, ...verdict.broken],
    }
  },
}
