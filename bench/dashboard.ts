/**
 * The cost of the dashboard's lists as they grow: each page over 10,000 grants, 100,000 audit entries and 100,000
 * deliveries, against the same page over one hundredth of them. The two stores (SQLite) alternate. A ratio near 1
 * means no growth.
 *
 *   npm run bench:dashboard [-- --quick] [-- --json]
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newOrderedId } from '@waypost/platform/ids'
import type { Database } from '@waypost/store/engine/database'
import { sql } from '@waypost/testing/statement'
import { createServerApp } from '../packages/server/src/create-app.ts'
import { recordLike, seedAudit, seedGrants } from '../packages/server/test/seed-lists.ts'
import { adminPassword } from './client.ts'
import { type FigureRow, median, quick, report, rowOf } from './figures.ts'
import { type Node, openNode } from './node.ts'

const rounds = quick ? 30 : 60
/** Warm-up rounds, until the code is compiled. */
const warmUp = 20
/** The smaller store has one hundredth, which is still more than a page. */
const large = { grants: 10_000, entries: quick ? 20_000 : 100_000, deliveries: quick ? 30_000 : 100_000 }
const small = { grants: large.grants / 100, entries: large.entries / 100, deliveries: large.deliveries / 100 }
/**
 * Counting stops at 10,000, so the larger store shows the worst case. Its aim is an absolute bound in milliseconds.
 */
const aimOf = (name: string) => (name === 'grants, counted' ? { aim: '<= 25', isAbsolute: true } : { aim: '<= 1.50' })

const notify = sql<{ position: number }>(
  'bench.notify',
  `insert into notifications (id, application_id, grant_id, sequence, type, source, bytes, created_at, sealed_payload)
   values ($1, $2, $3, $4, 'event.created', '/bench', 100, $5, '') returning position`,
)
const queue = sql(
  'bench.queue',
  `insert into deliveries (webhook_id, application_id, notification, state, attempts, tries, due_at, bytes)
   values ($1, $2, $3, $4, 1, 1, $5, 100)`,
)
const attempt = sql(
  'bench.attempt',
  `insert into delivery_attempts (webhook_id, notification, attempt, application_id, at, latency_ms, status)
   values ($1, $2, 1, $3, $4, 5, $5)`,
)

interface Place {
  applicationId: string
  grantId: string
  webhookId: string
}

/** Notifications one second apart, each delivered once; every fifth delivery failed permanently. */
async function seedDeliveries(database: Database, at: Place, { count, now }: { count: number; now: number }) {
  await database.transaction(async (tx) => {
    for (let index = 0; index < count; index++) {
      const time = now - (count - index) * 1000
      const values = [newOrderedId(), at.applicationId, at.grantId, index, time]
      const position = (await tx.get(notify, values))?.position ?? 0
      const isFailed = index % 5 === 0
      if (isFailed) await tx.run(queue, [at.webhookId, at.applicationId, position, 'failed', time])
      await tx.run(attempt, [at.webhookId, position, at.applicationId, time, isFailed ? 500 : 200])
    }
  })
}

/** A receiver that verifies a destination and closes before any delivery. */
async function addDestination(node: Node): Promise<string> {
  const listener = createServer((request, response) => {
    response.end(new URL(request.url ?? '/', 'http://localhost').searchParams.get('challenge') ?? 'ok')
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const webhook_url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`
  const { id } = (await node.call('POST', '/v3/webhooks', { webhook_url, trigger_types: ['event.created'] })).data
  listener.close()
  listener.closeAllConnections()
  return id
}

interface Subject extends AsyncDisposable {
  /** Times of each page, by name. */
  pages: Record<string, () => Promise<number>>
}

async function openSubject(sizes: typeof large): Promise<Subject> {
  await using stack = new AsyncDisposableStack()
  const node = stack.use(await openNode({ WAYPOST_EGRESS: 'private' }))
  const { applicationId } = node
  const { database } = node.services.storage
  await node.call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
  const email = 'first@bench.example'
  const custom = { provider: 'virtual-calendar', settings: { email } }
  const grantId = (await node.call('POST', '/v3/connect/custom', custom)).data.id
  const webhookId = await addDestination(node)
  const now = Date.now()
  await seedGrants(database, await recordLike(database, applicationId, email), { count: sizes.grants, now })
  await seedAudit(database, { count: sizes.entries, now, applicationId })
  await seedDeliveries(database, { applicationId, grantId, webhookId }, { count: sizes.deliveries, now })
  const app = createServerApp(node.services)
  const authorization = `Basic ${btoa(`admin:${adminPassword}`)}`
  const headers = { authorization, 'x-waypost-application': applicationId }
  const timeOf = async (target: string): Promise<number> => {
    const started = performance.now()
    const response = await app.request(target, { headers })
    const text = await response.text()
    if (!response.ok) throw new Error(`${target}: ${text}`)
    return performance.now() - started
  }
  const pages = Object.entries(targetsOf(applicationId, webhookId)).map(
    ([name, target]) => [name, () => timeOf(target)] as const,
  )
  const open = stack.move()
  return { pages: Object.fromEntries(pages), [Symbol.asyncDispose]: () => open.disposeAsync() }
}

function targetsOf(applicationId: string, webhookId: string): Record<string, string> {
  const grants = `/v3/admin/applications/${applicationId}/grants`
  return {
    'grants, newest': `${grants}?limit=50`,
    'grants by last use': `${grants}?limit=50&sort=last_used_at`,
    'grants by address': `${grants}?limit=50&sort=email&order=asc`,
    'grants, invalid': `${grants}?limit=10&grant_status=invalid`,
    'grants, found by a part of the address': `${grants}?limit=10&search=person1`,
    'grants, counted': `${grants}/count`,
    'audit, newest': '/v3/admin/audit?limit=50',
    'audit, by the beginning of an action': '/v3/admin/audit?limit=50&action=apiKeys.*',
    'attempts, newest': `/v3/webhooks/${webhookId}/attempts?limit=50`,
    'attempts, failed': `/v3/webhooks/${webhookId}/attempts?limit=50&outcome=failed`,
    'not delivered': `/v3/webhooks/${webhookId}/deliveries?limit=50`,
    overview: `/v3/admin/applications/${applicationId}/overview`,
  }
}

await using few = await openSubject(small)
await using many = await openSubject(large)
const rows: FigureRow[] = []
for (const [name, time] of Object.entries(many.pages)) {
  const pairs: { figure: number; floor: number }[] = []
  for (let turn = -warmUp; turn < rounds; turn++) {
    const pair = { floor: (await few.pages[name]?.()) ?? 0, figure: await time() }
    if (turn >= 0) pairs.push(pair)
  }
  const [figure, floor] = [median(pairs.map((pair) => pair.figure)), median(pairs.map((pair) => pair.floor))]
  const ratio = median(pairs.map((pair) => pair.figure / pair.floor))
  rows.push(
    rowOf(`${name}, a hundred times as many`, { store: 'SQLite', figure, floor, ratio, unit: 'ms', ...aimOf(name) }),
  )
}
report(rows)
