/**
 * What is left of the peak when ten times as much is asked: a greedy application holds ten times the connections that the
 * peak needs, and a modest one asks for a little at a steady pace beside it. Ratios are meant to be read.
 *
 *   npm run bench:overload            a minute
 *   npm run bench:overload -- --quick a short look
 *   npm run bench:overload -- --json  for programs
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { startNode } from '../packages/server/test/faults/node.ts'
import { adminPassword, newClient } from './client.ts'
import { median, percentile, quick, ratio, report, round } from './figures.ts'

const seconds = quick ? 3 : 10
const connections = 64
const times = 10
const modestPerSecond = 20

const dataDir = mkdtempSync(path.join(tmpdir(), 'waypost-bench-'))
const settings = { WAYPOST_DATA_DIR: dataDir, WAYPOST_ADMIN_PASSWORD: adminPassword, WAYPOST_LOG_LEVEL: 'info' }
await using node = await startNode(['api'], settings)
const clientOf = () => newClient((target, request) => fetch(`${node.base}${target}`, request))
const greedy = await clientOf()
const modest = await clientOf()
const url = `${node.base}/v3/grants?limit=10`
const headersOf = (key: string) => ({ authorization: `Bearer ${key}` })

/** Asks at a steady pace, whatever becomes of it. */
async function askSteadily(): Promise<{ asked: number; answered: number; latencies: number[] }> {
  const latencies: number[] = []
  const asked: Promise<void>[] = []
  for (
    const until = performance.now() + seconds * 1_000;
    performance.now() < until;
    await sleep(1_000 / modestPerSecond)
  ) {
    const from = performance.now()
    const request = fetch(url, { headers: headersOf(modest.key) }).then(async (response) => {
      await response.text()
      if (response.status === 200) latencies.push(performance.now() - from)
    })
    asked.push(request.catch(() => undefined))
  }
  await Promise.all(asked)
  return { asked: asked.length, answered: latencies.length, latencies }
}

const shoot = (count: number) =>
  autocannon({ url, headers: headersOf(greedy.key), connections: count, duration: seconds, timeout: 30, workers: 1 })

await shoot(8)
const peak = await shoot(connections)
const before = node.usage().residentMb
const [flood, steady] = await Promise.all([shoot(connections * times), askSteadily()])
const goodput = flood['2xx'] / flood.duration
report([
  {
    'peak, per s': round(peak.requests.average),
    'goodput at ten times, per s': round(goodput),
    'goodput / peak': ratio(goodput, peak.requests.average),
    'refused, per s': round(flood.non2xx / flood.duration),
    unanswered: flood.errors + flood.timeouts,
    'modest answered': ratio(steady.answered, steady.asked),
    'modest p50, ms': round(median(steady.latencies)),
    'modest p99, ms': round(percentile(steady.latencies, 0.99)),
    'memory grew, MB': round(node.usage().residentMb - before),
  },
])
rmSync(dataDir, { recursive: true, force: true })
