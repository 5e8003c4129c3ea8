/**
 * The primary of PostgreSQL crashes or freezes under load, and its synchronous standby is promoted. The nodes have
 * both hosts in DATABASE_URL. Afterwards the former primary becomes the standby of the new one, and so on.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type PostgresPair, startPostgresPair } from '@waypost/testing/peers/postgres-pair'
import type { Fault } from '../check.ts'
import { type Mailboxes, openMailboxes } from '../mailboxes.ts'
import { between, conclude, figuresOf, percentile, type Scenario, type Stage, seconds, tooLong } from '../scenario.ts'
import { openSenders } from '../senders.ts'
import { openSite, type Site } from '../site.ts'
import { startSends } from '../steady-sends.ts'
import { type Change, startWriter, type Writer } from '../writer.ts'

const maxBack = 5_000
/** A frozen server counts as gone after three seconds of silence and a check of five. */
const maxBackFrozen = 15_000
const shards = 4_096
/** How a node refuses requests that waited too long for the processor. Other work on the machine can cause it. */
const shed = /this node has too much to do/

type Mode = 'crash' | 'freeze'

interface Scene {
  stage: Stage
  pair: PostgresPair
  site: Site
  writer: Writer
  mailboxes: Mailboxes
  faults: Fault[]
  broken: string[]
}

/** One promotion. Returns the time from the end of the promotion to the first accepted change, in milliseconds. */
async function promote({ pair, site, writer, mailboxes, faults, broken }: Scene, mode: Mode): Promise<number> {
  const from = performance.now()
  if (mode === 'crash') await pair.primary().stop('immediate')
  else pair.primary().signalAll('SIGSTOP')
  await pair.promote()
  const promoted = performance.now()
  await writer.more(1)
  const back = performance.now() - promoted
  const since = writer.changes.findLast(({ eventId }) => eventId !== undefined)
  const isReported = (): boolean => site.receivers.arrivals.some(({ objectId }) => objectId === since?.eventId)
  while (!isReported() && performance.now() - promoted < 120_000) await sleep(10)
  const { missing } = await mailboxes.untilReported()
  if (missing > 0) broken.push(`${missing} mailboxes are not watched after a promotion`)
  await pair.rejoin()
  faults.push({ from, to: performance.now() })
  return back
}

/** The primary is read-only for a moment. Changes are refused with the reason, reads are answered, /ready says it. */
async function readOnly({ pair, site, writer, faults, broken }: Scene): Promise<void> {
  const from = performance.now()
  const set = async (how: string): Promise<void> => {
    await pair.primary().query(`ALTER SYSTEM ${how}`)
    await pair.primary().query('SELECT pg_reload_conf()')
  }
  await set('SET default_transaction_read_only = on')
  await site.unready()
  const ready = await site.call('GET', '/ready')
  if (!/read-only/.test(JSON.stringify(ready.body)))
    broken.push(`/ready does not say why: ${JSON.stringify(ready.body)}`)
  const { grantId, calendarId } = site.accounts[0] ?? { grantId: '', calendarId: '' }
  const refused = await site.call('POST', `/v3/grants/${grantId}/calendars`, { body: { name: 'Not now' } })
  const isReported = refused.status === 503 && /read-only/.test(refused.body?.error?.message ?? '')
  if (!isReported) broken.push(`a refusal does not say why: ${refused.status} ${JSON.stringify(refused.body)}`)
  const read = await site.call('GET', `/v3/grants/${grantId}/calendars/${calendarId}`)
  if (read.status !== 200) broken.push(`a read-only store does not serve reads: ${read.status}`)
  await set('RESET default_transaction_read_only')
  await writer.more(1)
  faults.push({ from, to: performance.now() })
}

/** Changes that failed in another way than 503 with Retry-After, or at another time than during a fault. */
function wrongFailures({ stage, writer, faults }: Scene): { during: number; shed: number; broken: string[] } {
  const marginMs = stage.timed ? 1_000 : 10_000
  const isDuring = ({ requestedAt, answeredAt }: Change): boolean =>
    faults.some(({ from, to }) => answeredAt >= from && requestedAt <= to + marginMs)
  const failed = writer.changes.filter(({ eventId }) => eventId === undefined)
  const odd = failed.filter(({ status, retryAfter }) => status !== 503 || !(Number(retryAfter) > 0))
  const [during, outside] = [failed.filter(isDuring), failed.filter((change) => !isDuring(change))]
  const unexplained = outside.filter(({ refusal }) => !shed.test(JSON.stringify(refusal) ?? ''))
  return {
    during: during.length,
    shed: outside.length - unexplained.length,
    broken: [
      ...(odd.length > 0 ? [`${odd.length} failed without 503 and Retry-After: ${JSON.stringify(odd[0])}`] : []),
      ...(unexplained.length > 0
        ? [`${unexplained.length} failed outside of a switch: ${JSON.stringify(unexplained[0])}`]
        : []),
    ],
  }
}

async function untilAllWatched(mailboxes: Mailboxes): Promise<boolean> {
  for (const until = performance.now() + 120_000; performance.now() < until; await sleep(100)) {
    const owners = await mailboxes.owners().catch(() => new Map<string, number>())
    if ([...owners.values()].reduce((sum, count) => sum + count, 0) === shards) return true
  }
  return false
}

export const failover: Scenario = {
  name: 'failover',
  what: 'crashes and freezes of the primary of PostgreSQL; its synchronous standby is promoted each time',
  async run(stage) {
    const { short, long, random, progress } = stage
    await using pair = await startPostgresPair()
    const databaseUrl = await pair.createDatabase()
    await using site = await openSite({ databaseUrl, destinations: 4 })
    await site.startSending('', 'api')
    await site.settle()
    await using mailboxes = await openMailboxes(site, databaseUrl, 6)
    await using senders = await openSenders(site, 4)
    const workers = [await site.startSending('', 'worker'), await site.startSending('', 'worker')]
    const broken: string[] = []
    if (!(await untilAllWatched(mailboxes))) broken.push('not all shards are watched at the start')
    const writer = startWriter(site, { rate: short ? 8 : 20 })
    const mail = mailboxes.send(short ? 6 : 10)
    const sends = startSends(site, senders, short ? 2 : 4)
    const scene: Scene = { stage, pair, site, writer, mailboxes, faults: [], broken }
    const backs: Record<Mode, number[]> = { crash: [], freeze: [] }
    const rounds = short ? 2 : long ? 30 : 10
    for (let round = 0; round < rounds; round++) {
      await writer.more(10)
      await sleep(between(random, 200, short ? 500 : 2_000))
      const mode: Mode = short ? (round === 0 ? 'crash' : 'freeze') : round % 5 === 4 ? 'freeze' : 'crash'
      const back = await promote(scene, mode)
      backs[mode].push(back)
      progress(`promotion ${round + 1} after a ${mode}: accepts changes after ${seconds(back)} s`)
    }
    await readOnly(scene)
    await mail.stop()
    const sent = await sends.judge()
    const verdict = await conclude(stage, { site, writer, faults: scene.faults })
    const watched = await mailboxes.judge()
    if (!(await untilAllWatched(mailboxes))) broken.push('not all shards are watched at the end')
    if (workers.some((worker) => !worker.isAlive()) || !site.api().isAlive()) broken.push('a node ended')
    const failures = wrongFailures(scene)
    broken.push(...tooLong(stage, percentile(backs.crash, 1), maxBack, 'the return of the API after a crash'))
    broken.push(...tooLong(stage, percentile(backs.freeze, 1), maxBackFrozen, 'the return of the API after a freeze'))
    return {
      figures: {
        promotions: rounds,
        ...figuresOf(verdict),
        lost: verdict.lost + watched.lost + sent.lost,
        '503 during a switch': failures.during,
        'refused for load, otherwise': failures.shed,
        'API back after a crash, p50, s': seconds(percentile(backs.crash, 0.5)),
        'API back after a crash, at most, s': seconds(percentile(backs.crash, 1)),
        'API back after a freeze, at most, s': seconds(percentile(backs.freeze, 1)),
        'messages sent': sent.sent,
        'sent twice': sent.twice,
        'outcome unknown': sent.unknown,
        'mailbox messages told': watched.reported,
        'told twice': watched.twice,
      },
      broken: [...broken, ...failures.broken, ...verdict.broken, ...sent.broken, ...watched.broken],
    }
  },
}
