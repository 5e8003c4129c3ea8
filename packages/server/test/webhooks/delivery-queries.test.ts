/**
 * The number of store queries for deliveries: changes are read in batches, and an unchanged destination is read once.
 */

import { enginesFor } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  openReceiver,
  openWebhookSetup,
  type Receiver,
  type Tenant,
  until,
  type WebhookSetup,
} from './webhook-setup.ts'

describe.each(enginesFor(import.meta.url))('deliveries on %s', (engine) => {
  let setup: WebhookSetup
  let tenant: Tenant
  let receiver: Receiver
  beforeAll(async () => {
    setup = await openWebhookSetup({ engine })
    receiver = await openReceiver()
    tenant = await setup.newTenant()
    await tenant.subscribe(receiver)
    await tenant.tell('first')
    await until(() => expect(receiver.got).toHaveLength(1))
  })
  afterAll(async () => {
    await setup[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })

  /** The number of executions of each statement during the work. */
  async function requested(work: () => Promise<void>): Promise<(name: string) => number> {
    const { figures } = setup.service.services.storage.database
    const counts = (): Map<string, number> =>
      new Map([...figures.statements()].map(([name, { count }]) => [name, count]))
    const before = counts()
    await work()
    const after = counts()
    return (name) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  }

  const leased = sql<{ n: number }>('test.leased', 'select count(*) as n from delivery_leases where owner is not null')
  const leasedByAnybody = async (): Promise<number> =>
    (await setup.service.services.storage.database.get(leased))?.n ?? 0

  test('poll at limited intervals, however often the node is woken', async () => {
    const count = await requested(async () => {
      for (let turn = 0; turn < 300; turn++) {
        setup.service.services.notifications.deliverer.wake()
        await new Promise((resolve) => setImmediate(resolve))
      }
      await tenant.tell('after many')
      await until(() => expect(receiver.got.some(({ body }) => body.includes('after many'))).toBe(true))
    })
    expect(count('delivery_leases.due')).toBeGreaterThan(0)
    expect(count('delivery_leases.due')).toBeLessThan(100)
    expect(count('delivery_leases.toJudge')).toBeLessThanOrEqual(count('delivery_leases.due'))
  })

  test('do not read an unchanged destination with every change', async () => {
    const reported = 12
    const count = await requested(async () => {
      for (let index = 0; index < reported; index++) {
        await tenant.tell(`one by one ${index}`)
        await until(() => expect(receiver.got.some(({ body }) => body.includes(`one by one ${index}"`))).toBe(true))
      }
    })
    expect(count('deliveries.due')).toBeGreaterThanOrEqual(reported)
    expect(count('delivery_leases.destination')).toBeLessThan(reported)
  })
  test("store results of an application's destinations together, and release them together when idle", async () => {
    const many = 8
    const destinations = await Promise.all(
      Array.from({ length: many }, (_, index) =>
        tenant.subscribe(receiver, { webhook_url: `${receiver.url}/${index}` }),
      ),
    )
    const retained = await requested(async () => {
      await tenant.tell('to many')
      await until(async () => {
        for (const { id } of destinations) expect(await tenant.attempts(id)).toHaveLength(1)
      })
    })
    expect(retained(engine === 'postgresql' ? 'delivery_attempts.log' : 'delivery_attempts.add')).toBeGreaterThan(0)
    if (engine === 'postgresql') expect(retained('deliveries.completeAll')).toBeLessThan(many)
    for (const { id } of destinations) expect(await tenant.queue(id)).toEqual([])
    const { deliverer } = setup.service.services.notifications
    expect(deliverer.leases).toBeGreaterThanOrEqual(many)
    const back = await requested(async () => {
      setup.pass(11_000)
      await until(() => expect(deliverer.leases).toBe(0))
      await until(async () => expect(await leasedByAnybody()).toBe(0))
    })
    expect(back('delivery_leases.release')).toBeLessThan(many)
    await tenant.tell('again to many')
    const again = () => receiver.got.filter(({ body }) => body.includes('again to many'))
    await until(() => expect(again()).toHaveLength(many + 1))
  })
})
