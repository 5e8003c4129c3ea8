/** Calendar objects in mail are applied after the mail is reported, once each and in order, on both stores. */

import type { ItipMail } from '@waypost/formats/itip/mail'
import { ApiError } from '@waypost/platform/api-error'
import { providers } from '@waypost/providers/registry'
import { outboxDepth } from '@waypost/store/tables/notifications/outbox'
import { enginesFor } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { queueItip } from '../../src/changes/itip-mails.ts'
import { doJobs } from '../../src/node.ts'
import { openService, type TestService } from '../harness.ts'

const mail = (name: string): ItipMail => ({ method: 'CANCEL', sender: 'olga@example.com', ics: name })
const payloads = sql<{ payload: string }>('test.payloads', 'select payload from outbox')

describe.each(enginesFor(import.meta.url))('mails about events on %s', (engine) => {
  let clock: TestClock
  let service: TestService
  let at: { applicationId: string; grantId: string }
  const receive = vi.fn(async (_session: unknown, _mail: ItipMail): Promise<void> => undefined)

  beforeAll(async () => {
    clock = testClock()
    const virtual = { ...providers['virtual-calendar'], itip: { isMade: async () => true, receive } }
    service = await openService({
      engine,
      overrides: { clock, providers: { ...providers, 'virtual-calendar': virtual } },
    })
    const { id: applicationId, key } = await service.createApplication('Invited')
    const { id: grantId } = await service.createGrant('ann@example.com', key)
    at = { applicationId, grantId }
  })
  afterAll(() => service[Symbol.asyncDispose]())
  beforeEach(() => void receive.mockReset().mockResolvedValue(undefined))

  const queue = (...names: string[]) =>
    service.services.storage.database.transaction((tx) =>
      queueItip(tx, service.services.storage.seals, { ...at, now: clock.now() }, names.map(mail)),
    )
  const received = () =>
    receive.mock.calls.map(([, { method, ...rest }]) => method === 'CANCEL' && Reflect.get(rest, 'ics'))
  const left = () => outboxDepth(service.services.storage.database)

  test('are sealed in the outbox, and applied once each', async () => {
    await queue('first', 'second')
    expect(JSON.stringify(await service.services.storage.database.all(payloads, []))).not.toContain('first')
    await doJobs(service.services)
    await doJobs(service.services)
    expect(received()).toEqual(['first', 'second'])
    expect(await left()).toBe(0)
    await queue()
    expect(await left()).toBe(0)
  })

  test('wait for earlier ones that a server temporarily refuses', async () => {
    receive.mockRejectedValueOnce(new ApiError('provider_unreachable'))
    await queue('invitation')
    await queue('cancellation')
    await doJobs(service.services)
    clock.advance(1_000)
    await doJobs(service.services)
    expect(received()).toEqual(['invitation'])
    clock.advance(30_000)
    await doJobs(service.services)
    clock.advance(1_000)
    await doJobs(service.services)
    expect(received()).toEqual(['invitation', 'invitation', 'cancellation'])
    expect(await left()).toBe(0)
  })

  test('wait for a new sign-in if the calendar login is refused', async () => {
    const cause = new ApiError('grant_invalid')
    receive.mockRejectedValueOnce(new ApiError('provider_refused', 'sign in anew', { cause }))
    await queue('invitation')
    await doJobs(service.services)
    expect(await left()).toBe(1)
    clock.advance(30_000)
    await doJobs(service.services)
    expect(received()).toEqual(['invitation', 'invitation'])
    expect(await left()).toBe(0)
  })

  test('are skipped if they can never be applied, and block no others', async () => {
    receive.mockRejectedValueOnce(new ApiError('provider_refused')).mockRejectedValueOnce(new Error('unforeseen'))
    await queue('refused', 'broken', 'good')
    await doJobs(service.services)
    expect(received()).toEqual(['refused', 'broken', 'good'])
    expect(await left()).toBe(0)
  })
})
