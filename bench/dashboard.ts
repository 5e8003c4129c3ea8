/**
 * What the dashboard's lists cost as they grow: each page over 10,000 grants, 100,000 entries of the audit and 100,000
 * deliveries against the same page over a hundredth of them, in one run. A ratio near 1 is flat.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServerApp } from '../packages/server/src/create-app.ts'
import { newOrderedId } from '../packages/server/src/lib/ids.ts'
import { type Database, sql } from '../packages/server/src/store/database.ts'
import { recordLike, seedAudit, seedGrants } from '../packages/server/test/seed-lists.ts'
import { adminPassword } from './client.ts'
import { type FigureRow, median, quick, report, rowOf } from './figures.ts'
import { openNode } from './node.ts'

const rounds = quick ? 10 : 40
const full = { grants: quick ? 2_000 : 10_000, entries: quick ? 5_000 : 100_000, deliveries: quick ? 5_000 : 100_000 }
const small = { grants: full.grants / 100, entries: full.entries / 100, deliveries: full.deliveries / 100 }

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

/** Notifications a second apart that were delivered once, every fifth of which failed for good. */
async function seedDeliveries(database: Database, at: Place, range: { from: number; to: number; now: number }) {
  await database.transaction(async (tx) => {
    for (let index = range.from; index < range.to; index++) {
      const time = range.now - (range.to - index) * 1000
      const values = [newOrderedId(), at.applicationId, at.grantId, index, time]
      const position = (await tx.get(notify, values))?.position ?? 0
      const isFailed = index % 5 === 0
      if (isFailed) await tx.run(queue, [at.webhookId, at.applicationId, position, 'failed', time])
      await tx.run(attempt, [at.webhookId, position, at.applicationId, time, isFailed ? 500 : 200])
    }
  })
}

const listener = createServer((request, response) => {
  response.end(new URL(request.url ?? '/', 'http://localhost').searchParams.get('challenge') ?? 'ok')
})
listener.listen(0, '127.0.0.1')
await once(listener, 'listening')
const { port } = listener.address() as AddressInfo

await using node = await openNode({ WAYPOST_EGRESS: 'private' })
const { database } = node.services
const { applicationId } = node
const app = createServerApp(node.services)
const headers = {
  authorization: `Basic ${btoa(`admin:${adminPassword}`)}`,
  'x-waypost-application': applicationId,
}

async function read(target: string): Promise<{ next_cursor?: string }> {
  const response = await app.request(target, { headers })
  const text = await response.text()
  if (!response.ok) throw new Error(`${target}: ${text}`)
  return JSON.parse(text)
}

async function timeOf(target: string): Promise<number> {
  const times: number[] = []
  for (let turn = -5; turn < rounds; turn++) {
    const started = performance.now()
    await read(target)
    if (turn >= 0) times.push(performance.now() - started)
  }
  return median(times)
}

await node.call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
const custom = { provider: 'virtual-calendar', settings: { email: 'first@bench.example' } }
const grantId = (await node.call('POST', '/v3/connect/custom', custom)).data.id
const destination = { webhook_url: `http://127.0.0.1:${port}/`, trigger_types: ['event.created'] }
const webhookId = (await node.call('POST', '/v3/webhooks', destination)).data.id
listener.close()
listener.closeAllConnections()

const grants = `/v3/admin/applications/${applicationId}/grants`
const pages: Record<string, string> = {
  'grants, newest': `${grants}?limit=50`,
  'grants by last use': `${grants}?limit=50&sort=last_used_at`,
  'grants by address': `${grants}?limit=50&sort=email&order=asc`,
  'grants, invalid': `${grants}?limit=50&grant_status=invalid`,
  'grants, found by a part of the address': `${grants}?limit=50&search=person1`,
  'grants, counted': `${grants}/count`,
  'audit, newest': '/v3/admin/audit?limit=50',
  'audit, by the beginning of an action': '/v3/admin/audit?limit=50&action=apiKeys.*',
  'attempts, newest': `/v3/webhooks/${webhookId}/attempts?limit=50`,
  'attempts, failed': `/v3/webhooks/${webhookId}/attempts?limit=50&outcome=failed`,
  'not delivered': `/v3/webhooks/${webhookId}/deliveries?limit=50`,
  overview: `/v3/admin/applications/${applicationId}/overview`,
}

const now = Date.now()
const like = await recordLike(database, applicationId, 'first@bench.example')
const place = { applicationId, grantId, webhookId }
await seedGrants(database, like, { count: small.grants, now })
await seedAudit(database, { count: small.entries, now, applicationId })
await seedDeliveries(database, place, { from: 0, to: small.deliveries, now })
const floors: Record<string, number> = {}
for (const [name, target] of Object.entries(pages)) floors[name] = await timeOf(target)

await seedGrants(database, like, { count: full.grants - small.grants, from: small.grants, now })
await seedAudit(database, { count: full.entries - small.entries, now, applicationId })
await seedDeliveries(database, place, { from: small.deliveries, to: full.deliveries, now })
const rows: FigureRow[] = []
for (const [name, target] of Object.entries(pages)) {
  rows.push(
    rowOf(`${name}, a hundred times as many`, { figure: await timeOf(target), floor: floors[name] ?? 0, unit: 'ms' }),
  )
}
report(rows)
