/**
 * Notifications of 195 KB on SQLite. Next to good destinations, one hangs, one fails at once and one drips: few
 * notifications fill the budget of a destination. The node answers throughout, stops and starts again with the
 * backlog, and the good destinations get everything.
 */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../check.ts'
import { conclude, figuresOf, rounded, type Scenario, seconds, tooLong } from '../scenario.ts'
import { openSite, type Site } from '../site.ts'
import { startWriter } from '../writer.ts'

/** The promised time, plus the time that the operating system takes to end a process. */
const maxStop = 2_200
const cutShortAfter = 1_000
const maxHealth = 5_000
const maxGrowthMb = 400

const replies: readonly ((response: ServerResponse) => void)[] = [
  () => undefined,
  (response) => void response.writeHead(500).end(),
  (response) => {
    const drip = setInterval(() => response.write('.'), 500)
    response.writeHead(200).once('close', () => clearInterval(drip))
  },
]

/** Receivers that answer the challenge, but misbehave on deliveries. */
async function startBad(): Promise<{ urls: string[] } & AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const urls: string[] = []
  for (const reply of replies) {
    const server = createServer((request, response) => {
      const challenge = new URL(request.url ?? '', 'http://receiver').searchParams.get('challenge')
      request.resume()
      if (challenge === null) reply(response)
      else response.end(challenge)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    stack.defer(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
  }
  const retained = stack.move()
  return { urls, [Symbol.asyncDispose]: () => retained.disposeAsync() }
}

/** Requests `/health` for a while; returns the longest response time, and the number of failures. */
async function askHealth(site: Site, forMs: number): Promise<{ longest: number; failed: number }> {
  let longest = 0
  let failed = 0
  for (const until = performance.now() + forMs; performance.now() < until; await sleep(100)) {
    const requested = performance.now()
    const answer = await fetch(`${site.api().base}/health`, { signal: AbortSignal.timeout(maxHealth) }).catch(
      () => undefined,
    )
    if (answer?.status !== 200) failed++
    longest = Math.max(longest, performance.now() - requested)
  }
  return { longest, failed }
}

export const largeNotifications: Scenario = {
  name: 'large-notifications',
  what: 'notifications of 195 KB at destinations that hang, fail and drip, beside good ones; stops and starts with the backlog',
  async run(stage) {
    const { short, timed, progress } = stage
    await using bad = await startBad()
    await using site = await openSite({ destinations: 2 })
    let node = await site.start('api', 'worker')
    await site.settle()
    for (const url of bad.urls) await site.subscribe(url)
    const before = node.usage().residentMb
    const writer = startWriter(site, { rate: short ? 10 : 20, repeat: true, bytes: 195_000 })
    await using _ = { [Symbol.asyncDispose]: writer.stop }
    const broken: string[] = []
    const faults: Fault[] = []
    const stops: number[] = []
    let longest = 0
    let max = before
    await writer.more(short ? 40 : 300, 120_000)
    for (let round = 0; round < (short ? 1 : 5); round++) {
      const health = await askHealth(site, short ? 2_000 : 8_000)
      longest = Math.max(longest, health.longest)
      if (health.failed > 0) broken.push(`/health was not answered ${health.failed} times`)
      max = Math.max(max, node.usage().residentMb)
      const at = performance.now()
      node.signal('SIGTERM')
      // A node that ignores its signals would block the run.
      const ended = await Promise.race([node.ended, sleep(30_000)])
      const took = performance.now() - at
      stops.push(took)
      progress(`stopped within ${seconds(took)} s`)
      if (took >= cutShortAfter) faults.push({ from: at, to: at + took })
      if (ended?.code !== 0)
        broken.push(`the node ended with ${ended?.code ?? 'nothing'}: ${node.output().slice(-2_000)}`)
      await node.kill()
      node = await site.start('api', 'worker')
      await writer.more(short ? 5 : 40, 120_000)
    }
    const verdict = await conclude(stage, { site, writer, faults })
    if (timed && max - before > maxGrowthMb) broken.push(`memory grew by ${rounded(max - before)} MB`)
    broken.push(...tooLong(stage, Math.max(...stops), maxStop, 'a stop'))
    return {
      figures: {
        ...figuresOf(verdict),
        'health at most, ms': rounded(longest),
        'stop at most, s': seconds(Math.max(...stops)),
        'memory, MB more': rounded(max - before),
      },
      broken: [...broken, ...verdict.broken],
    }
  },
}
