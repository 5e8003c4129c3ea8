/** `GET /v3/notifications` with `Accept: text/event-stream`. */
import { randomBytes } from 'node:crypto'
import { limits, StreamedNotification } from '@waypost/contract'
import { enginesFor } from '@waypost/testing/engines'
import { isCheck } from '@waypost/testing/level'
import { migratedDatabase } from '@waypost/testing/peers/database-url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueAccessToken } from '../../../src/grants/access-tokens.ts'
import { expectStatus } from '../../conformance/accounts.ts'
import { openService, type TestService } from '../../harness.ts'
import { openWebhookSetup, type Tenant, until, type WebhookSetup } from '../../webhooks/webhook-setup.ts'
import { type EventReader, openEvents } from './event-reader.ts'

const day = 86_400_000

describe.each(enginesFor(import.meta.url))('the live stream on %s', (engine) => {
  let setup: WebhookSetup
  let address: string
  beforeAll(async () => {
    setup = await openWebhookSetup({ engine })
    address = await setup.service.listen()
  })
  afterAll(() => setup[Symbol.asyncDispose]())

  const open = (key: string, query = '', lastEventId?: string): Promise<EventReader> =>
    openEvents(`${address}/v3/notifications?${query}`, { key, lastEventId })
  const titles = ({ events }: EventReader): string[] => events.map(({ data }) => data.data.object.title)
  const onlyCreated = 'trigger_types=event.created'

  test('sends stored and new notifications in the form of the list, with the cursor as id', async () => {
    const tenant = await setup.newTenant()
    await tenant.tell('before')
    await using stream = await open(tenant.key)
    expect(stream.response.status).toBe(200)
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
    expect(stream.response.headers.get('content-encoding')).toBeNull()
    await stream.has(3)
    await tenant.tell('after')
    const events = await stream.has(4)
    expect(stream.text()).toMatch(/^retry: \d+\n\n/)
    const { data: listed } = (await tenant.call('GET', '/v3/notifications?limit=200')).body
    expect(events.map(({ data }) => data)).toEqual(listed)
    for (const { event, data } of events) {
      expect(event).toBe(data.type)
      expect(StreamedNotification.parse(data)).toEqual(data)
    }
    // The id of an event is a cursor of the list.
    const rest = await tenant.call('GET', `/v3/notifications?page_token=${events[2]?.id}`)
    expect(rest.body.data).toEqual(listed.slice(3))
  })

  test('resumes after the last event, with the filters of the list, and skips nothing', async () => {
    const tenant = await setup.newTenant()
    await tenant.tellMany(3)
    let lastId: string | undefined
    {
      await using first = await open(tenant.key, `${onlyCreated}&select=id,data`)
      const events = await first.has(3)
      expect(Object.keys(events[0]?.data)).toEqual(['id', 'data'])
      lastId = events[1]?.id
    }
    await tenant.tell('meanwhile')
    await using second = await open(tenant.key, onlyCreated, lastId)
    await second.has(2)
    expect(titles(second)).toEqual(['Number 2', 'meanwhile'])
    // For clients that cannot send the header first. A later header is newer than the query.
    await using third = await open(tenant.key, `${onlyCreated}&last_event_id=${lastId}`, second.events[0]?.id)
    await third.has(1)
    expect(titles(third)).toEqual(['meanwhile'])
  })

  test('refuses cursors that are unknown, foreign or expired, and invalid fields', async () => {
    const tenant = await setup.newTenant()
    const other = await setup.newTenant()
    await using stream = await open(tenant.key)
    const { id } = (await stream.has(1))[0] ?? {}
    const refused = async (key: string, query: string, lastEventId?: string) => {
      await using reader = await open(key, query, lastEventId)
      expect(reader.response.status).toBe(400)
      await reader.over
      return JSON.parse(reader.text()).error
    }
    expect((await refused(tenant.key, '', 'nonsense')).validation_errors).toHaveProperty('last-event-id')
    expect((await refused(tenant.key, 'last_event_id=x')).validation_errors).toHaveProperty('last_event_id')
    expect((await refused(other.key, '', id)).validation_errors).toHaveProperty('last-event-id')
    expect((await refused(tenant.key, onlyCreated, id)).validation_errors).toHaveProperty('last-event-id')
    expect((await refused(tenant.key, 'order=desc')).validation_errors).toHaveProperty('order')
    expect((await refused(tenant.key, 'wait=1')).validation_errors).toHaveProperty('wait')
    setup.clock.advance(8 * day)
    expect((await refused(tenant.key, '', id)).message).toMatch(/older than the notifications that are stored/)
  })

  test('an access token reads only its grant', async () => {
    const tenant = await setup.newTenant()
    const second = await setup.service.createGrant(`${crypto.randomUUID()}@mail.test`, tenant.key)
    const token = await accessTokenFor(tenant)
    await tenant.tell('own')
    await using stream = await open(token)
    await stream.has(3)
    for (const { data } of stream.events) expect(data.data.object.grant_id).toBe(tenant.grantId)
    await using foreign = await open(token, `grant_id=${second.id}`)
    expect(foreign.response.status).toBe(403)
    const listed = await setup.service.call('GET', '/v3/notifications', { key: token })
    expect(listed.body.data).toHaveLength(3)
  })

  const accessTokenFor = ({ applicationId, grantId }: Tenant): Promise<string> => {
    const { database, clock } = setup.service.services.storage
    const at = { applicationId, grantId, family: crypto.randomUUID(), now: clock.now(), revoked: false }
    return database.transaction((tx) => issueAccessToken(tx, at))
  }

  const keyFor = async ({ applicationId }: Tenant, rights: object): Promise<{ id: string; api_key: string }> => {
    const at = `/v3/admin/applications/${applicationId}/api-keys`
    const made = await setup.service.call('POST', at, { admin: true, body: { name: 'limited', rights } })
    return expectStatus(made, 200).body.data
  }

  test('a restricted key reads only its grants and its operations', async () => {
    const tenant = await setup.newTenant()
    const second = await setup.service.createGrant(`${crypto.randomUUID()}@mail.test`, tenant.key)
    await tenant.tell('visible')
    const one = await keyFor(tenant, { operations: ['calendar.read'], grants: { ids: [tenant.grantId] } })
    await using stream = await open(one.api_key)
    await stream.has(3)
    for (const { data } of stream.events) expect(data.data.object.grant_id).toBe(tenant.grantId)
    await using foreign = await open(one.api_key, `grant_id=${second.id}`)
    expect(foreign.response.status).toBe(404)
    const contacts = await keyFor(tenant, { operations: ['contacts.read'] })
    await using narrow = await open(contacts.api_key)
    // The key has no right to read events; notifications about grants are for every key.
    await narrow.has(2)
    await tenant.tell('invisible')
    await stream.has(4)
    expect(new Set(narrow.events.map(({ event }) => event))).toEqual(new Set(['grant.created']))
    await using refused = await open(contacts.api_key, onlyCreated)
    expect(refused.response.status).toBe(403)
    // Selected by metadata: a grant that gets the pair later is included.
    const byPair = await keyFor(tenant, { operations: ['calendar.read'], grants: { metadata: { team: 'red' } } })
    await using red = await open(byPair.api_key)
    await tenant.data('PATCH', `/v3/grants/${tenant.grantId}`, { metadata: { team: 'red' } })
    await tenant.tell('red')
    await expect.poll(() => titles(red)).toContain('red')
  })

  test('ends when its credential is revoked, before anything else is sent', async () => {
    const tenant = await setup.newTenant()
    const { id, api_key } = await keyFor(tenant, { operations: ['webhooks'] })
    await using stream = await open(api_key)
    await stream.has(2)
    await setup.service.call('DELETE', `/v3/admin/applications/${tenant.applicationId}/api-keys/${id}`, { admin: true })
    await tenant.tell('secret')
    expect(await stream.over).toBe('ended')
    expect(stream.events).toHaveLength(2)
    await using again = await open(api_key)
    expect(again.response.status).toBe(401)
  })

  test('a credential has a limited number of streams; a closed one makes room', async () => {
    const tenant = await setup.newTenant()
    const streams = await Promise.all(Array.from({ length: limits.liveStreams }, () => open(tenant.key)))
    for (const { response } of streams) expect(response.status).toBe(200)
    await using refused = await open(tenant.key)
    expect(refused.response.status).toBe(429)
    expect(refused.response.headers.get('retry-after')).toBe('5')
    const metrics = await setup.service.call('GET', '/metrics', { admin: true })
    expect(metrics.body).toMatch(/waypost_live_streams\S* [1-9]/)
    streams[0]?.close()
    await until(async () => {
      await using next = await open(tenant.key)
      expect(next.response.status).toBe(200)
    })
    for (const stream of streams) stream.close()
  })

  test('ends when the stream is turned off; a quiet stream reports its position past the notifications that its filter skips', async () => {
    const [tenant, other] = [await setup.newTenant(), await setup.newTenant()]
    await using stream = await open(tenant.key)
    await using filtered = await open(other.key, 'trigger_types=event.deleted')
    await stream.has(2)
    await other.tell('skipped')
    await tenant.data('PATCH', '/v3/applications', { notification_stream: false })
    await using off = await open(tenant.key)
    expect(off.response.status).toBe(409)
    expect(await stream.over).toBe('ended')
    await expect.poll(() => filtered.lastId()).toBeDefined()
    expect(filtered.events).toEqual([])
  })

  test('a client that does not read holds the node to a few megabytes, and resumes later', async () => {
    const tenant = await setup.newTenant()
    const count = 30
    const object = {
      id: 'm',
      object: 'message',
      grant_id: tenant.grantId,
      headers: [{ name: 'X', value: 'x'.repeat(900_000) }],
    }
    const reported = { applicationId: tenant.applicationId, grantId: tenant.grantId, provider: 'google' } as const
    const { database } = setup.service.services.storage
    const { notify } = setup.service.services.notifications
    for (let index = 0; index < count; index++) {
      const named = { ...object, id: `m${index}` }
      await database.transaction((tx) =>
        notify(tx, { ...reported, trigger: 'message.created', object: named, suffix: 'metadata' }),
      )
    }
    const query = 'trigger_types=message.created'
    const response = await fetch(`${address}/v3/notifications?${query}`, {
      headers: { authorization: `Bearer ${tenant.key}`, accept: 'text/event-stream' },
    })
    const reader = response.body?.getReader()
    const start = new TextDecoder().decode((await reader?.read())?.value)
    expect(start).toMatch(/^retry/)
    // The client reads nothing more. The buffered data arrives here, and the rest on another connection.
    await using other = await open(tenant.key, query)
    const events = await other.has(count)
    expect(events.map(({ data }) => data.data.object.id)).toEqual(Array.from({ length: count }, (_, at) => `m${at}`))
    await reader?.cancel()
    await using resumed = await open(tenant.key, query, events[count - 2]?.id)
    await resumed.has(1)
    expect(resumed.events[0]?.data.data.object.id).toBe(`m${count - 1}`)
  })
})

test.runIf(isCheck)(
  'a node that stops ends its streams, and a client resumes at another node without loss or repetition',
  async () => {
    await using database = await migratedDatabase()
    const env = { WAYPOST_EGRESS: 'private', WAYPOST_SECRET_KEY: randomBytes(32).toString('base64') }
    await using first = await openService({ databaseUrl: database.url, env })
    const addresses: Record<string, string> = { first: await first.listen() }
    const second: TestService = await openService({ databaseUrl: database.url, env })
    addresses.second = await second.listen()
    let isRunning = true
    try {
      const { id: grantId } = await first.createGrant('moving@mail.test')
      expectStatus(await first.call('POST', `/v3/grants/${grantId}/calendars`, { body: { name: 'Work' } }), 200)
      const tell = (service: TestService, title: string) =>
        service.call('POST', `/v3/grants/${grantId}/events?calendar_id=primary`, {
          body: { title, when: { time: 1_800_000_000 } },
        })
      const query = '/v3/notifications?trigger_types=event.created'
      const seen: string[] = []
      const take = (reader: EventReader): void =>
        void seen.push(...reader.events.map(({ data }) => data.data.object.title))
      // Written on one node, read on the other.
      const before = await openEvents(`${addresses.second}${query}`, { key: second.apiKey })
      for (let index = 0; index < 5; index++) expectStatus(await tell(first, `a${index}`), 200)
      await before.has(5)
      isRunning = false
      await second[Symbol.asyncDispose]()
      expect(await before.over).toBe('ended')
      take(before)
      for (let index = 0; index < 5; index++) await tell(first, `b${index}`)
      await using after = await openEvents(`${addresses.first}${query}`, {
        key: first.apiKey,
        lastEventId: before.lastId(),
      })
      await after.has(5)
      take(after)
      expect(seen).toEqual([
        ...Array.from({ length: 5 }, (_, at) => `a${at}`),
        ...Array.from({ length: 5 }, (_, at) => `b${at}`),
      ])
    } finally {
      if (isRunning) await second[Symbol.asyncDispose]()
    }
  },
)
