/** Data of a removed destination or grant is deleted in several batches. */

import { leaveBehind } from '@waypost/store/tables/notifications/leftovers'
import { enginesFor } from '@waypost/testing/engines'
import { openListener } from '@waypost/testing/listener'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { doJobs } from '../../src/node.ts'
import { openService, type TestService } from '../harness.ts'

const rows = 1_200
const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${rows})`

describe.each(enginesFor(import.meta.url))('on %s', (engine) => {
  let service: TestService
  let applicationId: string
  beforeAll(async () => {
    service = await openService({ engine })
    applicationId = (await service.call('GET', '/v3/applications')).body.data.application_id
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const count = async (table: string, where: string): Promise<number> =>
    (
      await service.services.storage.database.get(
        sql<{ n: number }>('', `select count(*) as n from ${table} where ${where}`),
      )
    )?.n ?? 0

  async function fill(webhookId: string, grantId: string): Promise<void> {
    await service.services.storage.database.execute(`
      insert into notifications (id, application_id, grant_id, sequence, type, source, bytes, created_at, sealed_payload)
        ${numbers} select '${grantId}' || n, '${applicationId}', '${grantId}', n,
        case when n % 100 = 0 then 'grant.updated' else 'event.created' end, '', 1, n, '' from numbers;
      insert into deliveries (webhook_id, application_id, notification, state, attempts, tries, due_at, bytes)
        select '${webhookId}', '${applicationId}', position, 'waiting', 1, 1, 9000000000000, 1 from notifications
        where grant_id = '${grantId}';
      insert into delivery_attempts (webhook_id, notification, attempt, application_id, at, latency_ms, status, error, sealed_answer)
        select '${webhookId}', position, 1, '${applicationId}', created_at, 1, 503, null, null from notifications
        where grant_id = '${grantId}';`)
  }

  test('data of a destination is deleted in batches: one with the change, the rest by a job', async () => {
    await using listener = await openListener()
    const made = await service.call('POST', '/v3/webhooks', {
      body: { trigger_types: ['event.created'], webhook_url: listener.url },
    })
    const { id } = made.body.data
    await fill(id, 'grant-1')
    expect((await service.call('DELETE', `/v3/webhooks/${id}`)).status).toBe(200)
    const left = await count('deliveries', `webhook_id = '${id}'`)
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(rows)
    await doJobs(service.services)
    expect(await count('deliveries', `webhook_id = '${id}'`)).toBe(0)
    expect(await count('delivery_attempts', `webhook_id = '${id}'`)).toBe(0)
  })

  test('data of a grant is deleted in batches, and notifications about the grant itself stay', async () => {
    await fill('somewhere', 'grant-2')
    const { database, clock } = service.services.storage
    await database.transaction((tx) => leaveBehind(tx, { of: 'grant', applicationId, id: 'grant-2' }, clock.now()))
    expect(await count('notifications', `grant_id = 'grant-2'`)).toBeGreaterThan(rows / 100)
    await doJobs(service.services)
    expect(await count('notifications', `grant_id = 'grant-2'`)).toBe(rows / 100)
    expect(await count('deliveries', `webhook_id = 'somewhere'`)).toBe(rows / 100)
  })

  test('waiting deliveries of a failed destination are dropped in batches, unless it works again', async () => {
    await using listener = await openListener()
    const made = await service.call('POST', '/v3/webhooks', {
      body: { trigger_types: ['event.created'], webhook_url: listener.url },
    })
    const { id } = made.body.data
    await fill(id, 'grant-3')
    const { database, clock } = service.services.storage
    const giveUp = () =>
      database.transaction((tx) => leaveBehind(tx, { of: 'failed destination', applicationId, id }, clock.now()))
    await giveUp()
    expect(await count('deliveries', `webhook_id = '${id}' and state = 'failed'`)).toBe(0)
    await database.run(sql('', `update webhooks set status = 'failed' where id = $1`), [id])
    await giveUp()
    expect(await count('deliveries', `webhook_id = '${id}' and state = 'waiting'`)).toBeGreaterThan(0)
    await doJobs(service.services)
    expect(await count('deliveries', `webhook_id = '${id}' and state = 'failed'`)).toBe(rows)
  })
})
