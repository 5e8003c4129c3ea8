/** What deliveries ask of the store, counted: many changes are read together, and a destination that stays as it is once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../harness.ts'
import {
  openReceiver,
  openWebhookSetup,
  type Receiver,
  type Tenant,
  until,
  type WebhookSetup,
} from './webhook-setup.ts'

describe.each(engines)('deliveries on %s', (engine) => {
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

  /** How often each statement was asked meanwhile. */
  async function asked(work: () => Promise<void>): Promise<(name: string) => number> {
    const { figures } = setup.service.services.database
    const counts = (): Map<string, number> =>
      new Map([...figures.statements()].map(([name, { count }]) => [name, count]))
    const before = counts()
    await work()
    const after = counts()
    return (name) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  }

  test('however often the node is woken, it looks now and then', async () => {
    const count = await asked(async () => {
      for (let turn = 0; turn < 300; turn++) {
        setup.service.services.deliverer.wake()
        await new Promise((resolve) => setImmediate(resolve))
      }
      await tenant.tell('after many')
      await until(() => expect(receiver.got.some(({ body }) => body.includes('after many'))).toBe(true))
    })
    expect(count('lanes.due')).toBeGreaterThan(0)
    expect(count('lanes.due')).toBeLessThan(100)
    expect(count('lanes.toJudge')).toBeLessThanOrEqual(count('lanes.due'))
  })

  test('a destination that stays as it is is not read with every change', async () => {
    const told = 12
    const count = await asked(async () => {
      for (let index = 0; index < told; index++) {
        await tenant.tell(`one by one ${index}`)
        await until(() => expect(receiver.got.some(({ body }) => body.includes(`one by one ${index}"`))).toBe(true))
      }
    })
    expect(count('deliveries.due')).toBeGreaterThanOrEqual(told)
    expect(count('lanes.destination')).toBeLessThan(told)
  })
})
