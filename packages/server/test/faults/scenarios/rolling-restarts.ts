/**
 * Nodes behind a balancer are restarted in turn while clients keep their connections: no request is
 * interrupted.
 */
import { type Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBalancer } from '../balancer.ts'
import { type Scenario, seconds } from '../scenario.ts'
import { openSite } from '../site.ts'

const clients = 24

interface Tally {
  answered: number
  refused: number
  /** Requests without a response: the error code and its count. */
  failures: Map<string, number>
}

/** One request; resolves to its status, or rejects with the connection error. */
function ask(
  base: string,
  target: string,
  options: { agent: Agent; headers: Record<string, string> },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const requested = request(`${base}${target}`, options, (response) => {
      response
        .resume()
        .on('end', () => resolve(response.statusCode ?? 0))
        .on('error', reject)
    })
    requested.on('error', reject).end()
  })
}

export const rollingRestarts: Scenario = {
  name: 'rolling-restarts',
  what: 'two API nodes behind a balancer are restarted in turn while clients keep their connections',
  async run({ short, long, timed, freshDatabase }) {
    // A busy machine notices late that a node is not ready.
    const settings: Record<string, string> = timed ? {} : { WAYPOST_SHUTDOWN_ANNOUNCE_MS: '8000' }
    await using site = await openSite({ databaseUrl: await freshDatabase(), destinations: 0, settings })
    using balancer = openBalancer()
    let members = [balancer.add(await site.start('api'))]
    await site.settle()
    members.push(balancer.add(await site.start('api')))
    const [{ grantId } = { grantId: '' }] = site.accounts
    const tally: Tally = { answered: 0, refused: 0, failures: new Map() }
    const ends: string[] = []
    let isOver = false

    async function hammer(index: number): Promise<void> {
      while (!isOver) {
        const member = balancer.next()
        if (!member) {
          await sleep(5)
          continue
        }
        const options = { agent: member.agent, headers: site.authorization() }
        try {
          const status = await ask(member.node.base, `/v3/grants/${grantId}`, options)
          if (status === 200) tally.answered++
          else tally.refused++
        } catch (error) {
          const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
          tally.failures.set(code, (tally.failures.get(code) ?? 0) + 1)
        }
        // Some keep their connection busy, others use it again after a while.
        if (index % 3 === 0) await sleep(20 * (index % 7))
        // The short form leaves the processors to concurrent tests.
        else if (short) await sleep(15)
      }
    }

    const hammering = Array.from({ length: clients }, (_, index) => hammer(index))
    const rounds = short ? 2 : long ? 40 : 10
    const started = performance.now()
    for (let round = 0; round < rounds; round++) {
      while (![...balancer.members].every(({ isReady }) => isReady)) await sleep(20)
      await sleep(300)
      const [oldest, ...others] = members
      if (!oldest) break
      oldest.node.signal('SIGTERM')
      const { code } = await oldest.node.ended
      if (code !== 0) ends.push(`a node ended with ${code}: ${oldest.node.output().slice(-1_000)}`)
      balancer.members.delete(oldest)
      oldest.agent.destroy()
      members = [...others, balancer.add(await site.start('api'))]
    }
    isOver = true
    await Promise.all(hammering)
    const cut = tally.failures.values().reduce((sum, count) => sum + count, 0)
    return {
      figures: {
        restarts: rounds,
        answered: tally.answered,
        refused: tally.refused,
        'cut off': cut,
        lost: 0,
        'requests per s': Math.round(tally.answered / seconds(performance.now() - started)),
      },
      broken: [
        ...ends,
        ...(cut > 0 ? [`requests were cut off: ${JSON.stringify([...tally.failures])}`] : []),
        ...(tally.refused > 0 ? [`${tally.refused} requests were refused`] : []),
        ...(tally.answered < rounds * 50 ? ['nothing could be cut off: hardly any request was made'] : []),
      ],
    }
  },
}
