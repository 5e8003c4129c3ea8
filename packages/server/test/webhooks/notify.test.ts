/** The function that writes notifications of changes, on both stores. */
import { type Trigger, triggerNames, triggers } from '@waypost/contract'
import { isUuid } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import { leaveBehind } from '@waypost/store/tables/notifications/leftovers'
import { engines } from '@waypost/testing/engines'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Notified } from '../../src/grants/notify.ts'
import { checkPayload, createNotify } from '../../src/webhooks/notify.ts'
import { openService, type TestService } from '../harness.ts'
import { addDestination, notificationsOf, queueOf, testSeals } from './notification-rows.ts'

describe.each(engines)('notify on %s', (engine) => {
  const clock = testClock()
  let service: TestService
  let wakeUps = 0
  beforeAll(async () => {
    const onQueued = (): void => void wakeUps++
    service = await openService({
      engine,
      overrides: { clock, notify: createNotify({ clock, engine, seals: testSeals, checks: false, onQueued }) },
    })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  /** An application with a grant whose creation was notified. */
  async function newGrant() {
    const { id: applicationId, key } = await service.createApplication()
    const { id: grantId } = await service.createGrant('ann@mail.test', key)
    const { database } = service.services.storage
    const { notify } = service.services.notifications
    const tell = (trigger: Trigger = 'event.deleted', tx: Queries = database, more: object = {}) =>
      notify(tx, {
        applicationId,
        grantId,
        provider: 'virtual-calendar',
        trigger,
        object: { id: 'e', object: 'event', grant_id: grantId, calendar_id: 'c', ...more },
      })
    const reported = () => notificationsOf(database, grantId)
    const queued = async () => (await queueOf(database)).filter((row) => row.reported?.application_id === applicationId)
    return { applicationId, grantId, key, tell, reported, queued, database }
  }

  test('writes the notification with its type, source, time, size and an id that sorts by time', async () => {
    const { applicationId, grantId, tell, reported } = await newGrant()
    await tell()
    clock.advance(5)
    // Ids use the machine's clock, to the millisecond.
    const before = Date.now()
    await vi.waitUntil(() => Date.now() > before, { interval: 1 })
    await tell()
    const [created, first, second] = await reported()
    expect(created).toMatchObject({ type: 'grant.created', source: '/waypost/system', sequence: 1 })
    expect(first).toMatchObject({
      application_id: applicationId,
      grant_id: grantId,
      type: 'event.deleted',
      source: '/virtual-calendar/events/realtime',
      created_at: clock.now() - 5,
      sequence: 2,
      object: { id: 'e', object: 'event', grant_id: grantId, calendar_id: 'c' },
    })
    expect(isUuid(first?.id ?? '') && isUuid(second?.id ?? '')).toBe(true)
    expect((first?.id ?? '') < (second?.id ?? '')).toBe(true)
  })

  test('queues it for every destination of the application that subscribes and is active or failing', async () => {
    const { applicationId, tell, queued, database } = await newGrant()
    const other = await service.createApplication()
    const both: Trigger[] = ['event.created', 'event.deleted']
    const active = await addDestination(database, applicationId, both)
    const failing = await addDestination(database, applicationId, ['event.deleted'], 'failing')
    await addDestination(database, applicationId, both, 'pause')
    await addDestination(database, applicationId, both, 'failed')
    await addDestination(database, applicationId, ['event.created', 'calendar.deleted'])
    await addDestination(database, other.id, both)
    await tell('event.deleted')
    const rows = await queued()
    expect(rows.map((row) => row.webhook_id).sort()).toEqual([active, failing].sort())
    for (const row of rows) {
      expect(row).toMatchObject({ state: 'waiting', due_at: clock.now(), bytes: row.reported?.bytes })
      expect(row.reported).toMatchObject({ type: 'event.deleted' })
    }
  })

  test('wakes the deliverer, and only if something waits', async () => {
    const { applicationId, tell, database } = await newGrant()
    await addDestination(database, applicationId, ['event.deleted'])
    const before = wakeUps
    await tell('calendar.deleted', database, { object: 'calendar' })
    expect(wakeUps).toBe(before)
    await tell('event.deleted')
    expect(wakeUps).toBe(before + 1)
  })

  test('leaves neither notification nor queue nor a gap in the numbers if the transaction is rolled back', async () => {
    const { applicationId, tell, reported, queued, database } = await newGrant()
    await addDestination(database, applicationId, ['event.deleted'])
    const failing = database.transaction(async (tx) => {
      await tell('event.deleted', tx)
      await tell('event.deleted', tx)
      throw new Error('not kept')
    })
    await expect(failing).rejects.toThrow('not kept')
    expect(await reported()).toHaveLength(1)
    expect(await queued()).toEqual([])
    await tell()
    expect((await reported()).map((row) => row.sequence)).toEqual([1, 2])
    expect(await queued()).toHaveLength(1)
  })

  test('gives parallel changes of one grant consecutive sequence numbers, separately for each grant', async () => {
    const { key, grantId, tell, reported, database } = await newGrant()
    const second = await service.createGrant('ben@mail.test', key)
    await Promise.all(Array.from({ length: 30 }, () => database.transaction((tx) => tell('event.deleted', tx))))
    expect((await reported()).map((row) => row.sequence)).toEqual(Array.from({ length: 31 }, (_, index) => index + 1))
    expect((await notificationsOf(database, second.id)).map((row) => row.sequence)).toEqual([1])
    expect(second.id).not.toBe(grantId)
  })

  test('stores an object over 1 MB with the suffix .truncated and queues it for subscribers of its trigger', async () => {
    const { applicationId, grantId, tell, queued, database } = await newGrant()
    const destination = await addDestination(database, applicationId, ['event.updated'])
    await tell('event.updated', database, { description: 'x'.repeat(2_000_000), title: 'Short' })
    const [row] = await queued()
    expect(row).toMatchObject({ webhook_id: destination, reported: { type: 'event.updated.truncated' } })
    const { object } = JSON.parse(row?.reported?.payload ?? '{}')
    expect(object).toEqual({
      ...{ id: 'e', object: 'event', grant_id: grantId, calendar_id: 'c', title: 'Short' },
      text_description: 'x'.repeat(65_536),
    })
    expect(row?.bytes).toBeLessThan(1_048_576)
  })

  test('erases the data notifications of one grant and their queue, and keeps those about the grant itself', async () => {
    const { applicationId, key, grantId, tell, reported, queued, database } = await newGrant()
    await addDestination(database, applicationId, ['event.deleted', 'grant.updated'])
    const other = await service.createGrant('ben@mail.test', key)
    await tell('event.deleted')
    await service.call('PATCH', `/v3/grants/${grantId}`, { key, body: { external_id: 'mine' } })
    await service.call('PATCH', `/v3/grants/${other.id}`, { key, body: { external_id: 'his' } })
    await database.transaction((tx) =>
      leaveBehind(tx, { of: 'grant', applicationId: 'another-application', id: grantId }, 0),
    )
    expect(await reported()).toHaveLength(3)
    await database.transaction((tx) => leaveBehind(tx, { of: 'grant', applicationId, id: grantId }, 0))
    const left = await database.transaction((tx) => queueOf(tx))
    const mine = left.filter((row) => row.reported?.application_id === applicationId)
    expect(mine.map((row) => row.reported?.type)).toEqual(['grant.updated', 'grant.updated'])
    expect((await queued()).map((row) => row.reported?.grant_id)).toEqual([grantId, other.id])
    expect(left.every((row) => row.reported !== undefined)).toBe(true)
  })
})

describe('a notification', () => {
  const reported = { applicationId: 'a', grantId: 'g', provider: 'google' }
  const gone = { id: 'e', object: 'event', grant_id: 'g', calendar_id: 'c' }
  const message = triggers['message.created'].sample
  const failed = triggers['message.send_failed']

  test('matches the contract, for every trigger', () => {
    for (const trigger of triggerNames) {
      const { sample, data } = triggers[trigger]
      const beside = data && { data: { ...(data.sample as object) } }
      expect(() => checkPayload({ ...reported, trigger, object: sample, ...beside })).not.toThrow()
    }
    const { body: _body, snippet: _snippet, attachments: _attachments, ...head } = message
    expect(() =>
      checkPayload({ ...reported, trigger: 'message.created', suffix: 'metadata', object: head }),
    ).not.toThrow()
  })

  test.for<[what: string, told: Pick<Notified, 'trigger' | 'object' | 'data' | 'suffix'>, error: string]>([
    [
      'a field too few',
      { trigger: 'event.deleted', object: { ...gone, id: undefined } },
      'does not match its contract',
    ],
    ['a field too many', { trigger: 'event.deleted', object: { ...gone, title: 'x' } }, 'that the contract lacks'],
    ['nothing', { trigger: 'event.deleted', object: null }, 'does not match its contract'],
    ['too much beside it', { trigger: 'event.deleted', object: gone, data: { reason: 'x' } }, 'the contract lacks'],
    ['too little beside it', { trigger: 'message.send_failed', object: failed.sample }, 'does not match its contract'],
    ['a body among headers alone', { trigger: 'message.created', suffix: 'metadata', object: message }, 'lacks'],
  ])('%s is detected', ([, strays, error]) => {
    expect(() => checkPayload({ ...reported, ...strays })).toThrow(error)
  })
})
