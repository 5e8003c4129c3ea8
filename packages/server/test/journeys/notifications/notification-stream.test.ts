/** `GET /v3/notifications` as a pull stream with a durable cursor and long-poll, and one notification. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { StreamedNotification } from '@waypost/contract'
import { enginesFor } from '@waypost/testing/engines'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { executedAgain, sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal, expectStatus, type Json } from '../../conformance/accounts.ts'
import {
  notificationOf,
  openReceiver,
  openWebhookSetup,
  status,
  type Tenant,
  until,
  type WebhookSetup,
} from '../../webhooks/webhook-setup.ts'

interface Page {
  data: Json[]
  next_cursor: string
}

describe.each(enginesFor(import.meta.url))('the pull stream on %s', (engine) => {
  let setup: WebhookSetup
  beforeAll(async () => {
    setup = await openWebhookSetup({ engine })
  })
  afterAll(() => setup[Symbol.asyncDispose]())

  async function read(tenant: Tenant, query = '', token?: string): Promise<Page> {
    const at = `/v3/notifications?${query}${token === undefined ? '' : `&page_token=${token}`}`
    const { body } = expectStatus(await tenant.call('GET', at), 200)
    expect(body.next_cursor).toBeTypeOf('string')
    return body
  }
  const titles = (rows: readonly Json[]): string[] => rows.map((each) => each.data.object.title)
  /** The newest position of a tenant's stream, once it shows all notifications. */
  async function tip(tenant: Tenant, reported: number, query = ''): Promise<Page> {
    return until(async () => {
      const page = await read(tenant, `limit=200&${query}`)
      expect(page.data).toHaveLength(reported)
      return page
    })
  }

  test('contains the same objects as deliveries, with or without destinations', async () => {
    const tenant = await setup.newTenant()
    const event = await tenant.tell('unheard')
    const { data } = await tip(tenant, 3)
    expect(data.map(({ type, grant_sequence }) => [type, grant_sequence])).toEqual([
      ['grant.created', 1],
      ['calendar.created', 2],
      ['event.created', 3],
    ])
    expect(data[2].data).toEqual({ application_id: tenant.applicationId, object: event })
    for (const each of data) expect(StreamedNotification.parse(each)).toEqual(each)
    await using receiver = await openReceiver()
    await tenant.subscribe(receiver)
    await tenant.tell('heard')
    await until(() => expect(receiver.got).toHaveLength(1))
    const { webhook_delivery_attempt: _, ...delivered } = notificationOf(receiver.got[0] as never)
    expect((await tip(tenant, 4)).data[3]).toEqual(delivered)
  })

  test('is in order, page by page; next_cursor is always present and resumes at its position', async () => {
    const tenant = await setup.newTenant()
    await tenant.tellMany(7)
    const whole = (await tip(tenant, 9)).data
    const seen: Json[] = []
    let token: string | undefined
    for (let pages = 0; pages < 4; pages++) {
      const page: Page = await read(tenant, 'limit=3', token)
      seen.push(...page.data)
      token = page.next_cursor
    }
    expect(seen).toEqual(whole)
    const end = await read(tenant, 'limit=3', token)
    expect(end.data).toEqual([])
    await tenant.tell('later')
    const later = await until(async () => {
      const page = await read(tenant, 'limit=3', end.next_cursor)
      expect(titles(page.data)).toEqual(['later'])
      return page
    })
    expect((await read(tenant, 'limit=3', later.next_cursor)).data).toEqual([])
    // The same cursor reads the same again: a reader that crashed loses nothing.
    expect(titles((await read(tenant, 'limit=3', end.next_cursor)).data)).toEqual(['later'])
    // Limit, wait and selected fields may change from page to page.
    expect((await read(tenant, 'limit=1&wait=30&select=id', end.next_cursor)).data).toEqual([{ id: later.data[0].id }])
  })

  test('an empty stream has a cursor too', async () => {
    const { key } = await setup.service.createApplication()
    const first = await setup.service.call('GET', '/v3/notifications', { key })
    expect(first.body).toMatchObject({ data: [], next_cursor: expect.any(String) })
    const grant = await setup.service.createGrant('late@mail.test', key)
    const next = await setup.service.call('GET', `/v3/notifications?wait=30&page_token=${first.body.next_cursor}`, {
      key,
    })
    expect(next.body.data).toMatchObject([{ type: 'grant.created', data: { object: { grant_id: grant.id } } }])
  })

  test('long-poll: a request with wait returns as soon as something arrives, or empty after that time', async () => {
    const tenant = await setup.newTenant()
    const { next_cursor: token } = await tip(tenant, 2)
    const polled = executedAgain(setup.service.services.storage.database, 'notifications.stream')
    const waiting = read(tenant, 'wait=30', token)
    await polled
    await tenant.tell('at last')
    const page = await waiting
    expect(titles(page.data)).toEqual(['at last'])
    const empty = await read(tenant, 'wait=1', page.next_cursor)
    expect(empty.data).toEqual([])
    expectRefusal(await tenant.call('GET', '/v3/notifications?wait=31'))
    expectRefusal(await tenant.call('GET', '/v3/notifications?wait=soon'))
  })

  test('is filtered by grant_id and trigger_types; an unknown trigger is refused', async () => {
    const tenant = await setup.newTenant()
    await tenant.tell('one')
    const second = await setup.service.createGrant(`${crypto.randomUUID()}@mail.test`, tenant.key)
    await tenant.tell('two')
    const all = (await tip(tenant, 5)).data
    const of = async (query: string) => (await read(tenant, query)).data
    expect(await of(`grant_id=${second.id}`)).toEqual(all.filter((each) => each.data.object.grant_id === second.id))
    expect(await of('trigger_types=event.created')).toEqual(all.filter(({ type }) => type === 'event.created'))
    const both = 'trigger_types=grant.created,calendar.created'
    expect(await of(both)).toEqual(all.filter(({ type }) => type !== 'event.created'))
    expect(await of(`${both}&grant_id=${second.id}`)).toHaveLength(1)
    expect(await of('grant_id=unknown')).toEqual([])
    for (const name of ['event.invented', 'event.created.truncated', 'contact.created']) {
      expectRefusal(await tenant.call('GET', `/v3/notifications?trigger_types=event.created,${name}`), 'trigger_types')
    }
    // A cursor belongs to its filters.
    const page = await read(tenant, 'trigger_types=event.created&limit=1')
    expect(titles((await read(tenant, 'trigger_types=event.created&limit=1', page.next_cursor)).data)).toEqual(['two'])
    expectRefusal(await tenant.call('GET', `/v3/notifications?page_token=${page.next_cursor}`), 'page_token')
  })

  test('a trigger matches its notifications with any suffix', async () => {
    const tenant = await setup.newTenant()
    const reported = { applicationId: tenant.applicationId, grantId: tenant.grantId, provider: 'google' }
    const { database } = setup.service.services.storage
    const { notify } = setup.service.services.notifications
    const mimeMessage = { id: 'm1', object: 'message', grant_id: tenant.grantId }
    const large = { ...mimeMessage, headers: [{ name: 'X', value: 'x'.repeat(1_100_000) }] }
    await database.transaction(async (tx) => {
      await notify(tx, { ...reported, trigger: 'message.created', object: mimeMessage, suffix: 'metadata' })
      await notify(tx, { ...reported, trigger: 'message.created', object: large, suffix: 'metadata' })
      await notify(tx, { ...reported, trigger: 'message.updated', object: mimeMessage })
    })
    await tip(tenant, 5)
    const { data } = await read(tenant, 'trigger_types=message.created')
    expect(data.map(({ type }) => type)).toEqual(['message.created.metadata', 'message.created.metadata.truncated'])
    await using receiver = await openReceiver()
    const { id } = await tenant.subscribe(receiver, { trigger_types: ['message.created'] })
    const replayed = await tenant.data('POST', `/v3/webhooks/${id}/replay`, { start: 1 })
    expect(replayed).toEqual({ replayed: 2 })
  })

  test('a cursor advances past notifications that do not match its filter, and later matches are found', async () => {
    const tenant = await setup.newTenant()
    const query = 'trigger_types=event.deleted'
    await tenant.tellMany(3)
    await tip(tenant, 5)
    const first = await read(tenant, query)
    expect(first.data).toEqual([])
    const [event] = (await read(tenant, 'trigger_types=event.created&limit=1')).data
    const waiting = [1, 2, 3].map(() => read(tenant, `${query}&wait=30`, first.next_cursor))
    await tenant.tell('nothing for them')
    await tenant.data('DELETE', `/v3/grants/${tenant.grantId}/events/${event.data.object.id}?calendar_id=primary`)
    for (const page of await Promise.all(waiting)) {
      expect(page.data.map(({ data }) => data.object.id)).toEqual([event.data.object.id])
      expect((await read(tenant, query, page.next_cursor)).data).toEqual([])
    }
  })

  test('starts at the time given as start', async () => {
    const tenant = await setup.newTenant()
    await tenant.tell('before')
    setup.clock.advance(60_000)
    const start = Math.floor(setup.clock.now() / 1000)
    await tenant.tell('after')
    await tip(tenant, 4)
    expect(titles((await read(tenant, `start=${start}`)).data)).toEqual(['after'])
    expect((await read(tenant, `start=${start + 1}`)).data).toEqual([])
  })

  test('contains nothing of another application', async () => {
    const tenant = await setup.newTenant()
    const other = await setup.newTenant()
    await tenant.tell('secret')
    const { data, next_cursor: token } = await tip(tenant, 3)
    const theirs = await tip(other, 2)
    for (const each of theirs.data) expect(each.data.application_id).toBe(other.applicationId)
    expect((await read(other, `grant_id=${tenant.grantId}`)).data).toEqual([])
    expectRefusal(await other.call('GET', `/v3/notifications?page_token=${token}`), 'page_token')
    expectStatus(await other.call('GET', `/v3/notifications/${data[2].id}`), 404)
    expectStatus(await tenant.call('GET', `/v3/notifications/${data[2].id}`), 200)
  })

  test('one notification is returned with the state of its deliveries', async () => {
    await using good = await openReceiver()
    await using bad = await openReceiver(status(500))
    await using gone = await openReceiver(status(410))
    const tenant = await setup.newTenant()
    const ids: string[] = []
    for (const receiver of [good, bad, gone]) ids.push((await tenant.subscribe(receiver)).id)
    await tenant.tell()
    const [reported] = (await tip(tenant, 1, 'trigger_types=event.created')).data
    await until(async () => {
      const { deliveries, ...notification } = await tenant.data('GET', `/v3/notifications/${reported.id}`)
      expect(notification).toEqual(reported)
      expect(new Map(deliveries.map(({ webhook_id, ...rest }: Json) => [webhook_id, rest]))).toEqual(
        new Map([
          [ids[0], { state: 'delivered', attempts: 1, next_attempt_at: null }],
          [ids[1], { state: 'waiting', attempts: 1, next_attempt_at: expect.any(Number) }],
          [ids[2], { state: 'failed', attempts: 1, next_attempt_at: null }],
        ]),
      )
    })
    expectStatus(await tenant.call('GET', '/v3/notifications/unknown'), 404)
  })

  /** Writes a notification within a transaction, and returns the name of its object. */
  function telling(tenant: Tenant, grantId: string, name: string) {
    const object = { id: name, object: 'event', grant_id: grantId, calendar_id: tenant.calendarId }
    const reported = { applicationId: tenant.applicationId, grantId, provider: 'virtual-calendar' } as const
    const { notify } = setup.service.services.notifications
    return (tx: Parameters<typeof notify>[0]) => notify(tx, { ...reported, trigger: 'event.deleted', object })
  }
  const names = (rows: readonly Json[]): string[] => rows.map((each) => each.data.object.id)
  const onlyDeleted = 'trigger_types=event.deleted'

  test('has no gap and no duplicate while many transactions write in parallel and commit out of order', async () => {
    const { database } = setup.service.services.storage
    const tenant = await setup.newTenant()
    const grants = [tenant.grantId]
    for (let index = 0; index < 5; index++) {
      grants.push((await setup.service.createGrant(`${crypto.randomUUID()}@mail.test`, tenant.key)).id)
    }
    const written: string[] = []
    const transactions = 15
    const write = async (grantId: string, writer: number) => {
      for (let index = 0; index < transactions; index++) {
        const these = Array.from({ length: 1 + ((writer + index) % 3) }, (_, part) => `${writer}-${index}-${part}`)
        await database.transaction(async (tx) => {
          for (const name of these) {
            await telling(tenant, grantId, name)(tx)
            // SQLite has one writer at a time, and nothing to wait for.
            const trips = engine === 'postgresql' ? (writer * 7 + index * 3) % 11 : 0
            for (let trip = 0; trip < trips; trip++) await tx.all(sql('', 'select 1 as one'))
          }
        })
        written.push(...these)
      }
    }
    let writing = true
    const seen: string[] = []
    const reading = (async () => {
      for (let token: string | undefined; ; ) {
        const over = !writing
        const page: Page = await read(tenant, `${onlyDeleted}&limit=7`, token)
        seen.push(...names(page.data))
        token = page.next_cursor
        // A read from SQLite never waits, so this yields to other tasks.
        await nextTurn()
        if (over && seen.length >= written.length) return read(tenant, `${onlyDeleted}&limit=7`, token)
      }
    })()
    await Promise.all(grants.map(write))
    writing = false
    expect((await reading).data).toEqual([])
    expect(seen.toSorted()).toEqual(written.toSorted())
    expect(new Set(seen).size).toBe(seen.length)
    // Reading again from the beginning returns the same in the same order.
    const again: string[] = []
    for (let token: string | undefined; again.length < written.length; ) {
      const page: Page = await read(tenant, `${onlyDeleted}&limit=50`, token)
      expect(page.data).not.toEqual([])
      again.push(...names(page.data))
      token = page.next_cursor
    }
    expect(again).toEqual(seen)
  })

  // SQLite has one writer at a time, so transactions commit in order.
  if (engine === 'postgresql')
    test('does not advance past an open transaction', async () => {
      const { database } = setup.service.services.storage
      const tenant = await setup.newTenant()
      const [first, second] = [tenant.grantId, (await setup.service.createGrant('other@open.test', tenant.key)).id]
      const { next_cursor: start } = await read(tenant, onlyDeleted)
      const open = Promise.withResolvers<void>()
      const written = Promise.withResolvers<void>()
      const slow = database.transaction(async (tx) => {
        await telling(tenant, first, 'slow')(tx)
        // The write may still be in transit; this query is answered after it.
        await tx.all(sql('', 'select 1 as one'))
        written.resolve()
        await open.promise
      })
      await written.promise
      await database.transaction(telling(tenant, second, 'fast'))
      const before = await read(tenant, onlyDeleted, start)
      expect(before.data).toEqual([])
      open.resolve()
      await slow
      const after = await until(async () => {
        const page = await read(tenant, onlyDeleted, before.next_cursor)
        expect(names(page.data)).toEqual(['slow', 'fast'])
        return page
      })
      expect((await read(tenant, onlyDeleted, after.next_cursor)).data).toEqual([])
    })
})

describe.each(enginesFor(import.meta.url))('the cursor of the stream on %s', (engine) => {
  test('survives a restart, which ends a long-poll early', async () => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-stream-'))
    const databaseUrl = engine === 'postgresql' ? { databaseUrl: await freshDatabaseUrl() } : {}
    const options = { engine, dataDir: folder.path, ...databaseUrl }
    const first = await openWebhookSetup(options)
    const tenant = await first.newTenant()
    await tenant.tell('before')
    const page = await until(async () => {
      const { body } = await tenant.call('GET', '/v3/notifications')
      expect(body.data).toHaveLength(3)
      return body
    })
    const polled = executedAgain(first.service.services.storage.database, 'notifications.stream')
    const waiting = tenant.call('GET', `/v3/notifications?wait=30&page_token=${page.next_cursor}`)
    await polled
    await first[Symbol.asyncDispose]()
    const { body } = expectStatus(await waiting, 200)
    expect(body).toMatchObject({ data: [], next_cursor: expect.any(String) })

    await using second = await openWebhookSetup({ ...options, clock: first.clock })
    const call = (method: string, target: string, body?: unknown) =>
      second.service.call(method, target, { key: tenant.key, ...(body ? { body } : {}) })
    const at = `/v3/grants/${tenant.grantId}/events?calendar_id=${tenant.calendarId}`
    expectStatus(await call('POST', at, { title: 'after', when: { time: 1_800_000_000 } }), 200)
    for (const token of [page.next_cursor, body.next_cursor]) {
      const next = await call('GET', `/v3/notifications?wait=30&page_token=${token}`)
      expect(next.body.data.map((each: Json) => each.data.object.title)).toEqual(['after'])
    }
  })
})
