/**
 * One application requests many times what a node can handle, in an open loop on a thousand connections. Another one
 * makes its changes at a steady rate. Refused requests say when to retry; all changes of the other application are
 * accepted and notified; `/health` answers; memory stays bounded.
 */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Hit, Shot } from '../../../../../bench/overload/generator.ts'
import { conclude, figuresOf, rounded, type Scenario } from '../scenario.ts'
import { openSite } from '../site.ts'
import { startWriter } from '../writer.ts'

const generator = fileURLToPath(new URL('../../../../../bench/overload/generator.ts', import.meta.url))
const maxGrowthMb = 400
/** The key of the application that every installation has; the writer uses another one. */
const greedyKey = 'wpk_overload-0123456789abcdef'

/** The load: enough that the node refuses some of it. */
const load = {
  short: { rate: 20_000, connections: 1_000, seconds: 3 },
  full: { rate: 20_000, connections: 1_000, seconds: 20 },
}

async function flood(port: number, { rate, connections, seconds }: typeof load.full, timeoutMs: number): Promise<Hit> {
  const request = `GET /v3/grants?limit=10 HTTP/1.1\r\nhost: waypost\r\nauthorization: Bearer ${greedyKey}\r\n\r\n`
  const shot: Shot = {
    ...{ port, requests: [request], rate, seconds, warmUpSeconds: 0.5 },
    ...{ connections, timeoutMs },
  }
  const child = spawn(process.execPath, [generator, JSON.stringify(shot)], { stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(await text(child.stdout))
}

export const overload: Scenario = {
  name: 'overload',
  what: 'many times what a node holds, by one application, beside another that makes changes',
  async run(stage) {
    const { short, timed, progress } = stage
    await using site = await openSite({ destinations: 2, settings: { WAYPOST_API_KEY: greedyKey } })
    const node = await site.start('api', 'worker')
    await site.settle()
    const before = node.usage().residentMb
    const maxHealth = timed ? 5_000 : 60_000
    const writer = startWriter(site, { rate: short ? 8 : 20, repeat: true })
    await using _ = { [Symbol.asyncDispose]: writer.stop }
    await writer.more(5, 60_000)
    const broken: string[] = []
    let isOver = false
    const requesting = (async () => {
      for (; !isOver; await sleep(100)) {
        const health = fetch(`${node.base}/health`, { signal: AbortSignal.timeout(maxHealth) })
        if ((await health.catch(() => undefined))?.status !== 200) broken.push('/health was not answered')
      }
    })()
    const hit = await flood(Number(new URL(node.base).port), short ? load.short : load.full, timed ? 10_000 : 90_000)
    isOver = true
    await requesting
    const grew = node.usage().residentMb - before
    progress(`${hit.ok} answered, ${hit.refused} refused, of ${hit.planned}`)
    await writer.more(5, 60_000)
    if (hit.ok === 0) broken.push('nothing was answered under load')
    if (hit.withRetryAfter !== hit.refused) broken.push('refusals did not say when to come again')
    if (hit.otherStatus + hit.broken > 0)
      broken.push(`${hit.otherStatus} other answers, ${hit.broken} broken connections`)
    if (timed && grew > maxGrowthMb) broken.push(`memory grew by ${rounded(grew)} MB`)
    const verdict = await conclude(stage, { site, writer, faults: [] })
    return {
      figures: {
        ...figuresOf(verdict),
        requested: hit.planned,
        answered: hit.ok,
        refused: hit.refused,
        'memory, MB more': rounded(grew),
      },
      broken: [...broken, ...verdict.broken],
    }
  },
}
