/**
 * A distributed store loses one of its two workers under load, and gets it back. Applications on the other worker go
 * on: none of their requests fails. Those on the lost worker get 503 with Retry-After. Afterwards everything accepted
 * is there, was delivered, and no transaction stays prepared.
 */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CitusPeer, citusMissing, copyCitus, prepareCitus, startCitus } from '@waypost/testing/peers/citus'
import { type PostgresPeer, queryOnce } from '@waypost/testing/peers/postgres'
import type { Fault } from '../check.ts'
import { between, conclude, figuresOf, type Outcome, type Scenario, type Stage, seconds } from '../scenario.ts'
import { openSite, type Site } from '../site.ts'
import { startWriter, type Writer } from '../writer.ts'

interface Place {
  cluster: CitusPeer
  url: string
  dataDir: string
}

/** The worker that has the rows of a site's application. */
async function workerOf({ cluster, url }: Place, { accounts }: Site): Promise<PostgresPeer> {
  const grant = accounts[0]?.grantId
  const [row] = await queryOnce(
    url,
    `select nodeport from pg_dist_shard_placement where shardid = get_shard_id_for_distribution_column('grants',
     (select application_id from grants where id = '${grant}'))`,
  )
  const worker = cluster.workers.find((each) => new URL(each.url()).port === String(row?.nodeport))
  if (!worker) throw new Error('no worker has the application')
  return worker
}

/** A site whose application is not on this worker. Which one it gets is chance. */
async function siteElsewhere(place: Place, other: PostgresPeer | undefined): Promise<Site> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const site = await openSite({ databaseUrl: place.url, dataDir: place.dataDir, destinations: 2 })
    await site.start('api')
    await site.settle()
    if (other === undefined || (await workerOf(place, site)) !== other) return site
    await site[Symbol.asyncDispose]()
  }
  throw new Error('every application came to the same worker')
}

/** Refusals that a client cannot understand as a request to try again. */
const oddOnes = ({ changes }: Writer): string[] =>
  changes
    .filter(({ status, eventId, retryAfter }) => {
      const isRefused = status !== undefined && eventId === undefined
      return isRefused && (status !== 503 || !(Number(retryAfter) > 0))
    })
    .map((change) => `refused without 503 and Retry-After: ${JSON.stringify(change)}`)

const refusedOf = ({ changes }: Writer): number =>
  changes.filter(({ status, eventId }) => status !== undefined && eventId === undefined).length

/** The longest time from a response to the delivery of its change, in milliseconds. */
const longestDelivery = (site: Site, { changes }: Writer): number => {
  const answered = new Map(changes.map(({ eventId, answeredAt }) => [eventId, answeredAt]))
  return Math.max(0, ...site.receivers.arrivals.map(({ objectId, at }) => at - (answered.get(objectId) ?? at)))
}

async function resolved({ cluster, url }: Place): Promise<boolean> {
  const left = `select gid from pg_prepared_xacts where database = '${new URL(url).pathname.slice(1)}'`
  for (let attempt = 0; attempt < 120; attempt++) {
    const found = await Promise.all(cluster.workers.map((worker) => worker.query(left)))
    if (found.flat().length === 0) return true
    await sleep(500)
  }
  return false
}

async function runOn(stage: Stage, place: Place): Promise<Outcome> {
  const { short, long, random } = stage
  await using lost = await siteElsewhere(place, undefined)
  const victim = await workerOf(place, lost)
  await using other = await siteElsewhere(place, victim)
  const nodes = [await lost.start('worker'), await other.start('worker')]
  const rate = short ? 6 : 12
  const writers = { lost: startWriter(lost, { rate }), other: startWriter(other, { rate }) }
  const faults: Fault[] = []
  const broken: string[] = []
  for (let round = 0; round < (short ? 2 : long ? 12 : 5); round++) {
    await Promise.all([writers.lost.more(10), writers.other.more(10)])
    await sleep(between(random, 200, 1_000))
    const from = performance.now()
    await victim.kill()
    await writers.other.more(rate * 2)
    const ready = await fetch(`${other.api().base}/ready`)
    if (ready.status !== 200) broken.push(`a node is not ready while one worker is down: ${await ready.text()}`)
    await victim.start()
    await writers.lost.more(5)
    // Deliveries are due again within the interval of polling.
    faults.push({ from, to: performance.now() + 5_000 })
    stage.progress(`round ${round + 1}`)
  }
  const verdicts = {
    lost: await conclude(stage, { site: lost, writer: writers.lost, faults }),
    other: await conclude(stage, { site: other, writer: writers.other, faults }),
  }
  broken.push(...oddOnes(writers.lost), ...oddOnes(writers.other))
  if (refusedOf(writers.other) > 0) broken.push('requests of an application on the other worker were refused')
  if (verdicts.lost.unanswered + verdicts.other.unanswered > 0) broken.push('requests were not answered')
  if (nodes.some((node) => !node.isAlive())) broken.push('a node ended')
  if (!(await resolved(place))) broken.push('a transaction stayed prepared')
  const first = faults[0]
  return {
    figures: {
      kills: faults.length,
      'first outage, s': first ? seconds(first.to - first.from - 5_000) : 0,
      ...figuresOf(verdicts.lost),
      'answered 503': refusedOf(writers.lost),
      'other worker: accepted': verdicts.other.accepted,
      'other worker: lost': verdicts.other.lost,
      'other worker: extra': verdicts.other.extra,
      'other worker: answered 503': refusedOf(writers.other),
      'other worker: longest delivery, s': seconds(longestDelivery(other, writers.other)),
    },
    broken: [...broken, ...verdicts.lost.broken, ...verdicts.other.broken],
  }
}

export const citusWorkerKill: Scenario = {
  name: 'citus-worker-kill',
  what: 'kill -9 of a worker of a distributed store',
  async run(stage) {
    if (citusMissing) return { figures: { skipped: citusMissing }, broken: [] }
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-citus-kill-'))
    await using cluster = await startCitus({ settings: { fsync: 'on' } })
    const prepared = await prepareCitus(cluster.servers, folder.path)
    await using store = await copyCitus(prepared)
    return await runOn(stage, { cluster, url: store.url, dataDir: folder.path })
  },
}
