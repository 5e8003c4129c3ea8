/** Waiting readers of the stream: their cost for the store, and that they miss nothing. */
import { triggers } from '@waypost/contract'
import type { Database } from '@waypost/store/engine/database'
import { engines } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createStream, type StreamQuestion } from '../../src/webhooks/stream.ts'
import { sharedService, type TestService } from '../harness.ts'

describe.each(engines)('the stream on %s', (engine) => {
  let service: TestService
  let applicationId: string
  let grantId: string
  beforeAll(async () => {
    service = await sharedService(engine)
    const { id, key } = await service.createApplication()
    applicationId = id
    grantId = (await service.createGrant('waiting@mail.test', key)).id
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const tell = () =>
    service.services.storage.database.transaction((tx) =>
      service.services.notifications.notify(tx, {
        applicationId,
        grantId,
        provider: 'virtual-calendar',
        trigger: 'calendar.updated',
        object: { ...triggers['calendar.updated'].sample, grant_id: grantId },
      }),
    )

  /** The store, with a count of its reads. */
  function counted() {
    const { database } = service.services.storage
    const requested = vi.fn()
    const all: Database['all'] = (statement, values) => {
      requested()
      return database.all(statement, values)
    }
    return {
      requested,
      database: new Proxy(database, { get: (of, name) => (name === 'all' ? all : Reflect.get(of, name)) }),
    }
  }

  const question = (more: Partial<StreamQuestion>): StreamQuestion => ({
    applicationId,
    after: { transaction: 0, position: 0 },
    filter: {},
    limit: 50,
    waitMs: 0,
    signal: AbortSignal.timeout(20_000),
    ...more,
  })
  const settled = async () => {
    const next = createStream(service.services.storage.database)
    return vi.waitFor(async () => {
      const part = await next(question({ limit: 200 }))
      expect(part.rows.length).toBeGreaterThan(0)
      return part.next
    })
  }

  test('a hundred waiting readers query the store as often as one, and all get new notifications', async () => {
    const after = await settled()
    const { database, requested } = counted()
    const next = createStream(database)
    const waiting = Array.from({ length: 100 }, () => next(question({ after, waitMs: 15_000 })))
    await vi.waitFor(() => expect(requested.mock.calls.length).toBeGreaterThan(103))
    // Each has read the stream once; from then on there is one poll for all of them.
    expect(requested.mock.calls.length).toBeLessThan(130)
    await tell()
    for (const { rows } of await Promise.all(waiting)) expect(rows).toMatchObject([{ type: 'calendar.updated' }])
  })

  test('notifications that a filter skipped are not read again', async () => {
    const after = await settled()
    await tell()
    const next = createStream(service.services.storage.database)
    const filter = { types: ['event.deleted'] }
    const passed = await vi.waitFor(async () => {
      const part = await next(question({ after, filter }))
      expect(part.rows).toEqual([])
      expect(part.next).not.toEqual(after)
      return part.next
    })
    expect((await next(question({ after: passed }))).rows).toEqual([])
    expect((await next(question({ after: passed, filter, waitMs: 300 }))).next).toEqual(passed)
  })
})
