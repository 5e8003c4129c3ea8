/**
 * Webhook destinations: their lifecycle from the challenge to deletion, refused requests, and what listeners receive.
 */
import { createHmac } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  limits,
  MessageHeadersObject,
  Notification,
  rates,
  type Trigger,
  triggerNames,
  triggers,
} from '@waypost/contract'
import { createEgress } from '@waypost/platform/egress/egress'
import { enginesFor } from '@waypost/testing/engines'
import { answerWell, challengeOf, type Listener, openListener } from '@waypost/testing/listener'
import { sql } from '@waypost/testing/statement'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { secretContext } from '../../../src/webhooks/destinations.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'

const usual = [
  'grant.created',
  'grant.updated',
  'grant.expired',
  'grant.deleted',
  'message.created',
  'message.updated',
  'message.send_success',
  'message.send_failed',
  'message.bounce_detected',
  'message.opened',
  'message.link_clicked',
  'thread.replied',
  'calendar.created',
  'calendar.updated',
  'calendar.deleted',
  'event.created',
  'event.updated',
  'event.deleted',
  'contact.updated',
  'contact.deleted',
  'folder.created',
  'folder.updated',
  'folder.deleted',
]
/** Sent only to applications that subscribe to them. */
const onRequest = ['grant.imap_sync_completed', 'message.created.cleaned', 'message.deleted']
/** Triggers of scheduling, which the public API added later. */
const ofBookings = ['created', 'pending', 'rescheduled', 'cancelled', 'reminder'].map((change) => `booking.${change}`)
/** Additional triggers of Waypost: actions that wait for approval. */
const ofApprovals = ['requested', 'approved', 'rejected', 'expired', 'failed'].map((change) => `approval.${change}`)

interface StoredWebhook {
  id: string
  application_id: string
  triggers: string
  revision: number
  status: string
  sealed_secret: string
  sealed_previous_secret: string | null
  previous_secret_until: number | null
}
const stored = sql<StoredWebhook>(
  '',
  'select id, application_id, triggers, revision, status, sealed_secret, sealed_previous_secret, previous_secret_until from webhooks where id = $1',
)

describe('the triggers', () => {
  test('are those of the specification', () => {
    expect([...triggerNames].sort()).toEqual([...usual, ...onRequest, ...ofBookings, ...ofApprovals].sort())
  })

  test.each(triggerNames)('have a sample of %s that matches the schema of its object', (name) => {
    const { object, sample, data } = triggers[name]
    expect(object.parse(sample)).toEqual(sample)
    if (data) expect(data.schema.parse(data.sample)).toEqual(data.sample)
  })
})

describe.each(enginesFor(import.meta.url))('webhook destinations on %s', (engine) => {
  const clock = testClock()
  let service: TestService
  let listener: Listener
  let key: string
  let applicationId: string
  let paths = 0

  beforeAll(async () => {
    service = await openService({
      engine,
      overrides: { clock },
      env: { WAYPOST_EGRESS_ADDRESSES: '203.0.113.7, 2001:db8::/64' },
    })
    listener = await openListener()
    const application = await service.createApplication('Webhooks')
    key = application.key
    applicationId = application.id
  })
  afterEach(async () => {
    listener.answer = answerWell
    listener.heard.length = 0
    for (const { id } of (await call('GET', '/v3/webhooks')).body.data) await call('DELETE', `/v3/webhooks/${id}`)
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await listener[Symbol.asyncDispose]()
  })

  const call = (method: string, path: string, body?: unknown) => service.call(method, path, { key, body })
  const newUrl = (): string => `${listener.url}/hook-${++paths}`
  const create = (fields: Record<string, unknown> = {}) =>
    call('POST', '/v3/webhooks', { trigger_types: ['event.created'], webhook_url: newUrl(), ...fields })
  const created = async (fields: Record<string, unknown> = {}) => {
    const answer = await create(fields)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.data
  }
  const rowOf = async (id: string): Promise<StoredWebhook> => {
    const row = await service.services.storage.database.get(stored, [id])
    if (!row) throw new Error('no such destination')
    return row
  }
  const expectError = (answer: Answer, status: number, type: string, message: RegExp | string): void => {
    expect([answer.status, answer.body.error?.type]).toEqual([status, type])
    expect(answer.body.error.message).toMatch(message)
  }
  const expectMissing = (answer: Answer): void =>
    expectError(answer, 404, 'not_found_error', 'destination.id.not.found : record not found')

  test('create, get, list, update and delete return every field, and the secret only on creation', async () => {
    const url = newUrl()
    const answer = await create({
      webhook_url: url,
      trigger_types: ['grant.created', 'event.created', 'grant.created'],
      description: 'Prod — ünïcode',
      notification_email_addresses: ['ops@example.com'],
      compressed_delivery: true,
    })
    const now = Math.floor(clock.now() / 1000)
    const { webhook_secret: secret, ...destination } = answer.body.data
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(destination).toEqual({
      id: expect.stringMatching(/^[a-zA-Z0-9]{26}$/),
      description: 'Prod — ünïcode',
      trigger_types: ['grant.created', 'event.created'],
      webhook_url: url,
      status: 'active',
      notification_email_addresses: ['ops@example.com'],
      compressed_delivery: true,
      status_updated_at: now,
      created_at: now,
      updated_at: now,
    })
    expect((await call('GET', `/v3/webhooks/${destination.id}`)).body.data).toEqual(destination)
    const bare = await created()
    expect(bare).toMatchObject({ description: '', notification_email_addresses: [], compressed_delivery: false })
    const { webhook_secret: other, ...second } = bare
    expect(other).not.toBe(secret)
    expect((await call('GET', '/v3/webhooks')).body.data).toEqual(expect.arrayContaining([destination, second]))
    expect((await call('GET', '/v3/webhooks?select=id,status')).body.data).toHaveLength(2)

    clock.advance(5000)
    for (const method of ['PUT', 'PATCH']) {
      const changed = await call(method, `/v3/webhooks/${destination.id}`, {
        description: `by ${method}`,
        notification_email_addresses: null,
        compressed_delivery: false,
      })
      expect(changed.body.data).toEqual({
        ...destination,
        description: `by ${method}`,
        notification_email_addresses: [],
        compressed_delivery: false,
        updated_at: now + 5,
      })
    }
    const deleted = await call('DELETE', `/v3/webhooks/${destination.id}`)
    expect(deleted.body).toEqual({ request_id: expect.any(String), data: { status: 'success' } })
    expectMissing(await call('GET', `/v3/webhooks/${destination.id}`))
  })

  test('an unknown destination is answered as the contract says, by every method', async () => {
    for (const [method, path] of [
      ['GET', '/v3/webhooks/nobody'],
      ['PUT', '/v3/webhooks/nobody'],
      ['DELETE', '/v3/webhooks/nobody'],
      ['POST', '/v3/webhooks/rotate-secret/nobody'],
      ['PUT', '/v3/webhooks/nobody/rotate-secret'],
    ] as const) {
      expectMissing(await call(method, path, method === 'PUT' ? {} : undefined))
    }
  })

  test('the secret is encrypted in the store, and triggers are stored between blanks', async () => {
    const { id, webhook_secret } = await created({ trigger_types: ['event.created', 'grant.expired'] })
    const row = await rowOf(id)
    expect(row.triggers).toBe(' event.created grant.expired ')
    expect(row.sealed_secret).not.toContain(webhook_secret)
    expect(service.services.storage.secrets.open(row.sealed_secret, secretContext(row, 'sealed_secret'))).toBe(
      webhook_secret,
    )
    expect(service.logs()).not.toContain(webhook_secret)
  })

  describe('the challenge handshake', () => {
    test('sends a GET with a new challenge each time, appended to the query', async () => {
      await created({ webhook_url: `${newUrl()}?token=a%20b+c` })
      await created()
      const [first, second] = listener.heard
      expect(listener.heard).toHaveLength(2)
      expect(first?.method).toBe('GET')
      expect(first?.target).toMatch(/\?token=a%20b\+c&challenge=[0-9a-f]{8}-[0-9a-f-]{27}$/)
      expect(first && challengeOf(first)).not.toBe(second && challengeOf(second))
    })

    test('accepts a chunked response', async () => {
      listener.answer = async (response, heard) => {
        const text = challengeOf(heard)
        response.write(text.slice(0, 10))
        await nextTurn()
        response.end(text.slice(10))
      }
      expect((await create()).status).toBe(200)
    })

    test.each<[string, Listener['answer'], RegExp]>([
      [
        'another status',
        (response) => void response.writeHead(404).end('no such page'),
        /got 404 after \d+ ms .*"no such page"/,
      ],
      ['204', (response) => void response.writeHead(204).end(), /got 204 .*no body/],
      ['201 with the text', (response, heard) => void response.writeHead(201).end(challengeOf(heard)), /got 201/],
      ['a redirect', (response) => void response.writeHead(302, { location: '/elsewhere' }).end(), /got 302/],
      ['nothing in the body', (response) => void response.end(), /got 200 .*no body/],
      ['a newline behind the text', (response, heard) => void response.end(`${challengeOf(heard)}\n`), /not exactly/],
      ['a blank before the text', (response, heard) => void response.end(` ${challengeOf(heard)}`), /not exactly/],
      ['quotation marks', (response, heard) => void response.end(JSON.stringify(challengeOf(heard))), /not exactly/],
      [
        'upper case',
        (response, heard) => void response.end(challengeOf(heard).toUpperCase().replace(/\d/g, 'A')),
        /not exactly/,
      ],
      ['a page that goes on and on', (response) => void response.end('x'.repeat(100_000)), /starts with "x{100}"/],
      ['a broken connection', (response) => void response.destroy(), /no response after \d+ ms/],
    ])(
      "fails with the contract's error if the listener answers with %s, and nothing is created",
      async (_, answer, message) => {
        listener.answer = answer
        const refused = await create()
        expectError(refused, 400, '70005', /^unable\.verify\.webhook_url : /)
        expect(refused.body.error.message).toMatch(message)
        expect(refused.body.error.message.length).toBeLessThan(400)
        expect(listener.heard).toHaveLength(1)
        expect((await call('GET', '/v3/webhooks')).body.data).toEqual([])
      },
    )

    test("fails with the contract's error if nothing listens at the address", async () => {
      const gone = await openListener()
      await gone[Symbol.asyncDispose]()
      const refused = await create({ webhook_url: gone.url })
      expectError(refused, 400, '70005', /^unable\.verify\.webhook_url : no response/)
    })

    test('runs whenever status is set to active and when webhook_url changes, and not for other changes', async () => {
      const { id } = await created()
      const heardFor = async (change: object): Promise<number> => {
        listener.heard.length = 0
        expect((await call('PUT', `/v3/webhooks/${id}`, change)).status).toBe(200)
        return listener.heard.length
      }
      expect(await heardFor({ description: 'x', trigger_types: ['event.deleted'] })).toBe(0)
      expect(await heardFor({ status: 'active' })).toBe(1)
      expect(await heardFor({ status: 'pause' })).toBe(0)
      expect(await heardFor({ status: 'active' })).toBe(1)
      const next = newUrl()
      expect(await heardFor({ webhook_url: next })).toBe(1)
      expect(await heardFor({ webhook_url: next })).toBe(0)
      expect(await heardFor({ webhook_url: newUrl(), status: 'active' })).toBe(1)
    })

    test('empty fields stay as they are, like absent ones; null clears fields that may be empty', async () => {
      const { webhook_secret: _, ...before } = await created({
        description: 'Bookings',
        notification_email_addresses: ['ops@example.com'],
        compressed_delivery: true,
      })
      listener.heard.length = 0
      const empty = { webhook_url: '', trigger_types: [], description: '', notification_email_addresses: [] }
      for (const method of ['PUT', 'PATCH']) {
        const retained = await call(method, `/v3/webhooks/${before.id}`, empty)
        expect([retained.status, retained.body.data]).toEqual([200, before])
      }
      const nothing = await call('PUT', `/v3/webhooks/${before.id}`, { webhook_url: null, trigger_types: null })
      expect([nothing.status, nothing.body.data]).toEqual([200, before])
      expect(listener.heard).toEqual([])
      const cleared = { description: null, notification_email_addresses: null, compressed_delivery: null }
      expect((await call('PATCH', `/v3/webhooks/${before.id}`, cleared)).body.data).toEqual({
        ...before,
        description: '',
        notification_email_addresses: [],
        compressed_delivery: false,
      })
    })

    test('a failed challenge leaves the destination unchanged', async () => {
      const { webhook_secret: _, ...before } = await created()
      await call('PUT', `/v3/webhooks/${before.id}`, { status: 'pause' })
      const paused = (await call('GET', `/v3/webhooks/${before.id}`)).body.data
      listener.answer = (response) => void response.writeHead(500).end()
      for (const change of [{ status: 'active' }, { webhook_url: newUrl(), description: 'new' }]) {
        expectError(await call('PUT', `/v3/webhooks/${before.id}`, change), 400, '70005', /got 500/)
      }
      expect((await call('GET', `/v3/webhooks/${before.id}`)).body.data).toEqual(paused)
    })

    test('an address that changes during the challenge of the previous one does not count as verified', async () => {
      const { id } = await created()
      const moved = newUrl()
      let moving: Promise<Answer> | undefined
      listener.answer = async (response, heard) => {
        if (!moving) {
          moving = call('PUT', `/v3/webhooks/${id}`, { webhook_url: moved })
          await moving
        }
        answerWell(response, heard)
      }
      expectError(await call('PUT', `/v3/webhooks/${id}`, { status: 'active' }), 409, 'conflict', /another request/)
      expect((await call('GET', `/v3/webhooks/${id}`)).body.data.webhook_url).toBe(moved)
    })

    test('a destination that is deleted during its challenge stays deleted', async () => {
      const { id } = await created()
      listener.answer = async (response, heard) => {
        await call('DELETE', `/v3/webhooks/${id}`)
        answerWell(response, heard)
      }
      expectMissing(await call('PUT', `/v3/webhooks/${id}`, { status: 'active' }))
    })
  })

  describe('triggers', () => {
    test('of the specification are all accepted', async () => {
      expect((await created({ trigger_types: usual })).trigger_types).toEqual(usual)
    })

    test.each([
      ['contact.created', /contact\.created no longer exists; use contact\.updated/],
      ['account.connected', /no longer exists; use grant\.created/],
      ['account.running', /no longer exists; .*grant\.created/],
      ['account.stopped', /no longer exists; use grant\.deleted/],
      ['account.invalid', /no longer exists; use grant\.expired and grant\.deleted/],
      ['account.sync_error', /no longer exists; use grant\.expired/],
      ['job.successful', /no longer exists/],
      ['job.failed', /no longer exists/],
      ['message.created.truncated', /cannot be subscribed to separately: it is included with message\.created$/],
      ['message.updated.truncated', /it is included with message\.updated$/],
      ['event.updated.truncated', /it is included with event\.updated$/],
      ['message.created.metadata', /it is included with message\.created$/],
      ['event.created.transformed', /it is included with event\.created$/],
      ['notetaker.created', /not available yet/],
      ['notetaker.media', /not available yet/],
      ['message.intelligence.order', /not available yet/],
      ['message.created.cleaned.truncated', /it is included with message\.created\.cleaned$/],
      ['constructor', /is not a trigger/],
      ['nonsense', /is not a trigger; use one of grant\.created, /],
    ])('like %s are refused, and the message says what to use', async (name, message) => {
      const refused = await create({ trigger_types: ['event.created', name] })
      expectError(refused, 400, 'invalid_request_error', message)
      expect(refused.body.error.message).toMatch(/^trigger_types\.1: /)
      expect(listener.heard).toEqual([])
    })

    test('must not be empty, and replace the previous ones', async () => {
      for (const trigger_types of [[], undefined, null, 'event.created']) {
        expectError(await create({ trigger_types }), 400, 'invalid_request_error', /^trigger_types: /)
      }
      const { id } = await created({ trigger_types: ['event.created'] })
      const changed = await call('PUT', `/v3/webhooks/${id}`, { trigger_types: ['grant.deleted', 'grant.deleted'] })
      expect(changed.body.data.trigger_types).toEqual(['grant.deleted'])
      expect((await rowOf(id)).triggers).toBe(' grant.deleted ')
    })
  })

  describe('status', () => {
    test('can be set to paused and active by clients; inactive and paused are synonyms for pause', async () => {
      const { id, created_at } = await created()
      for (const status of ['pause', 'inactive', 'paused']) {
        clock.advance(1000)
        const paused = (await call('PUT', `/v3/webhooks/${id}`, { status })).body.data
        expect(paused).toMatchObject({ status: 'pause', created_at, status_updated_at: Math.floor(clock.now() / 1000) })
        clock.advance(1000)
        const again = (await call('PUT', `/v3/webhooks/${id}`, { status: 'pause' })).body.data
        expect(again.status_updated_at).toBe(paused.status_updated_at)
        expect((await call('PUT', `/v3/webhooks/${id}`, { status: 'active' })).body.data.status).toBe('active')
      }
    })

    test('cannot be set to failing or failed by clients', async () => {
      const { id } = await created()
      for (const status of ['failing', 'failed', 'ACTIVE', '', null, 1]) {
        expectError(await call('PUT', `/v3/webhooks/${id}`, { status }), 400, 'invalid_request_error', /^status: /)
      }
      expect((await call('GET', `/v3/webhooks/${id}`)).body.data.status).toBe('active')
    })

    test('changes from failed only when a client sets active, and health starts again', async () => {
      const { id } = await created()
      const { database } = service.services.storage
      await database.run(sql('', "update webhooks set status = 'failed' where id = $1"), [id])
      await database.run(
        sql(
          '',
          "insert into delivery_leases (webhook_id, application_id, owner, epoch, lease_until, health) values ($1, $2, 'node', 3, 0, 'counted')",
        ),
        [id, applicationId],
      )
      const lease = sql<{ health: string | null; epoch: number }>(
        '',
        'select health, epoch from delivery_leases where webhook_id = $1',
      )
      await call('PUT', `/v3/webhooks/${id}`, { description: 'still' })
      await call('PUT', `/v3/webhooks/${id}`, { webhook_url: newUrl() })
      expect((await call('GET', `/v3/webhooks/${id}`)).body.data.status).toBe('failed')
      expect(await database.get(lease, [id])).toEqual({ health: 'counted', epoch: 3 })
      clock.advance(1000)
      const active = (await call('PUT', `/v3/webhooks/${id}`, { status: 'active' })).body.data
      expect(active).toMatchObject({ status: 'active', status_updated_at: Math.floor(clock.now() / 1000) })
      expect(await database.get(lease, [id])).toEqual({ health: null, epoch: 3 })
    })

    test('every change increments the revision, also for concurrent requests', async () => {
      const { id } = await created()
      const before = (await rowOf(id)).revision
      await Promise.all([
        ...Array.from({ length: 5 }, (_, n) => call('PUT', `/v3/webhooks/${id}`, { description: `${n}` })),
        call('PUT', `/v3/webhooks/${id}`, { status: 'pause' }),
        call('POST', `/v3/webhooks/rotate-secret/${id}`),
      ])
      expect((await rowOf(id)).revision).toBe(before + 7)
      expect((await rowOf(id)).status).toBe('pause')
    })
  })

  describe('webhook_url', () => {
    test('has one destination in an application; other applications may use it too', async () => {
      const url = newUrl()
      const { id } = await created({ webhook_url: url })
      listener.heard.length = 0
      expectError(await create({ webhook_url: url }), 409, 'conflict', /^webhook_url: /)
      const second = await created()
      expectError(
        await call('PUT', `/v3/webhooks/${second.id}`, { webhook_url: url }),
        409,
        'conflict',
        /^webhook_url: /,
      )
      expect(listener.heard).toHaveLength(1)
      const other = await service.createApplication('Other')
      const body = { trigger_types: ['event.created'], webhook_url: url }
      expect((await service.call('POST', '/v3/webhooks', { key: other.key, body })).status).toBe(200)
      expect((await service.call('GET', '/v3/webhooks', { key: other.key })).body.data[0].id).not.toBe(id)
    })

    test('is the same address in every notation', async () => {
      const { host } = new URL(listener.url)
      const { id } = await created({ webhook_url: `http://${host}` })
      for (const webhook_url of [`http://${host}/`, `HTTP://${host}/`, `http://${host}/a/..`]) {
        expectError(await create({ webhook_url }), 409, 'conflict', /^webhook_url: /)
      }
      const respelled = await call('PUT', `/v3/webhooks/${id}`, { webhook_url: `http://${host}/` })
      expect(respelled.body.data.webhook_url).toBe(`http://${host}/`)
      expect((await create({ webhook_url: `http://${host}/?` })).status).toBe(200)
    })

    test('is refused to one of two concurrent requests', async () => {
      const url = newUrl()
      const statuses = (await Promise.all([1, 2, 3].map(() => create({ webhook_url: url })))).map(
        ({ status }) => status,
      )
      expect(statuses.sort()).toEqual([200, 409, 409])
    })

    test.each([
      ['', 'empty'],
      ['hook', 'no address'],
      ['ftp://127.0.0.1/hook', 'another scheme'],
      ['file:///etc/passwd', 'a file'],
      ['http://user:pass@127.0.0.1/hook', 'a user and a password'],
      ['http://user@127.0.0.1/hook', 'a user'],
      ['http://127.0.0.1/hook#here', 'a fragment'],
      ['http://127.0.0.1/a b', 'a blank'],
      ['http://169.254.169.254/latest/meta-data', 'the metadata service of a cloud'],
      [`http://127.0.0.1/${'x'.repeat(2048)}`, 'too long'],
      [`http://127.0.0.1/${'ü'.repeat(1100)}`, 'too long in bytes'],
    ])('%s is refused and the field is named: %s', async (webhook_url) => {
      const refused = await create({ webhook_url })
      expectError(refused, 400, 'invalid_request_error', /^webhook_url: /)
      expect(Object.keys(refused.body.error.validation_errors)).toEqual(['webhook_url'])
      expect(listener.heard).toEqual([])
    })

    test('an application has a maximum number of destinations', async () => {
      const { key: full } = await service.createApplication('Full')
      const add = () =>
        service.call('POST', '/v3/webhooks', {
          key: full,
          body: { trigger_types: ['event.created'], webhook_url: newUrl() },
        })
      const statuses = await Promise.all(Array.from({ length: limits.webhooks + 3 }, add))
      expect(statuses.filter(({ status }) => status === 200)).toHaveLength(limits.webhooks)
      expectError(await add(), 400, 'invalid_request_error', /50 destinations/)
    })
  })

  test.each([
    ['notification_email_addresses', ['nobody']],
    ['notification_email_addresses', ['two@at@b.test']],
    ['notification_email_addresses', ['"quoted name"@b.test']],
    ['notification_email_addresses', ['a@b_c.test']],
    ['notification_email_addresses', ['a@b.test\r\nBcc: c@d.test']],
    ['notification_email_addresses', Array.from({ length: 21 }, (_, n) => `${n}@b.test`)],
    ['description', 'x'.repeat(1025)],
    ['compressed_delivery', 'yes'],
  ])('an invalid %s is refused', async (name, value) => {
    expectError(await create({ [name]: value }), 400, 'invalid_request_error', new RegExp(`^${name}`))
  })

  test('rotate-secret returns a new secret in both spellings, and keeps the previous one for 24 hours', async () => {
    const first = await created()
    const { secrets } = service.services.storage
    let former = first.webhook_secret
    for (const [method, path, body] of [
      ['POST', `/v3/webhooks/rotate-secret/${first.id}`, {}],
      ['POST', `/v3/webhooks/rotate-secret/${first.id}`, undefined],
      ['PUT', `/v3/webhooks/${first.id}/rotate-secret`, {}],
      ['PUT', `/v3/webhooks/${first.id}/rotate-secret`, undefined],
    ] as const) {
      const answer = await call(method, path, body)
      expect(answer.status).toBe(200)
      const { webhook_secret: secret, ...destination } = answer.body.data
      expect(secret).toMatch(/^whsec_/)
      expect(secret).not.toBe(former)
      expect(destination).toEqual((await call('GET', `/v3/webhooks/${first.id}`)).body.data)
      const row = await rowOf(first.id)
      expect(secrets.open(row.sealed_secret, secretContext(row, 'sealed_secret'))).toBe(secret)
      const previous = row.sealed_previous_secret ?? ''
      expect(secrets.open(previous, secretContext(row, 'sealed_previous_secret'))).toBe(former)
      expect(row.previous_secret_until).toBe(clock.now() + 24 * 3_600_000)
      former = secret
    }
  })

  test("delete removes the destination's queue and log, and nothing of others", async () => {
    const { database } = service.services.storage
    const [gone, retained] = [await created(), await created()]
    for (const [index, { id }] of [gone, retained].entries()) {
      await database.run(
        sql(
          '',
          "insert into deliveries (webhook_id, application_id, notification, state, attempts, tries, due_at, bytes) values ($1, $2, $3, 'waiting', 0, 0, 0, 0)",
        ),
        [id, applicationId, 900_000 + index],
      )
      await database.run(
        sql(
          '',
          'insert into delivery_attempts (webhook_id, notification, attempt, application_id, at, latency_ms) values ($1, 1, 1, $2, 0, 0)',
        ),
        [id, applicationId],
      )
      await database.run(
        sql('', 'insert into delivery_leases (webhook_id, application_id, epoch, lease_until) values ($1, $2, 0, 0)'),
        [id, applicationId],
      )
    }
    await call('DELETE', `/v3/webhooks/${gone.id}`)
    for (const table of ['deliveries', 'delivery_attempts', 'delivery_leases']) {
      const count = sql<{ n: number }>('', `select count(*) as n from ${table} where webhook_id = $1`)
      expect({ table, ...(await database.get(count, [gone.id])) }).toEqual({ table, n: 0 })
      expect({ table, ...(await database.get(count, [retained.id])) }).toEqual({ table, n: 1 })
    }
  })

  describe('mock-payload', () => {
    test.each(triggerNames)('returns a complete notification of %s, by GET and by POST', async (name: Trigger) => {
      const posted = await call('POST', '/v3/webhooks/mock-payload', { trigger_type: name })
      const read = await call('GET', `/v3/webhooks/mock-payload?trigger_type=${name}`)
      expect(posted.status).toBe(200)
      expect(read.body.data).toEqual(posted.body.data)
      const shown = posted.body.data
      expect(Notification.parse(shown)).toEqual(shown)
      expect(shown).toMatchObject({ specversion: '1.0', type: name, webhook_delivery_attempt: 1 })
      expect(shown.source).toMatch(
        /^\/(waypost\/(agents|system|send|tracking|scheduling)|google\/(emails|events|contacts)\/realtime|imap\/emails\/historic)$/,
      )
      expect(shown.data.application_id).toBe(applicationId)
      expect(triggers[name].object.parse(shown.data.object)).toEqual(shown.data.object)
    })

    test('returns the truncated variant on request, without the variable-size field', async () => {
      for (const [base, field] of [
        ['message.created', 'body'],
        ['message.updated', 'body'],
        ['event.updated', 'description'],
      ] as const) {
        const whole = await call('POST', '/v3/webhooks/mock-payload', { trigger_type: base })
        const cut = await call('POST', '/v3/webhooks/mock-payload', { trigger_type: `${base}.truncated` })
        expect(cut.body.data.type).toBe(`${base}.truncated`)
        const { [field]: left, ...rest } = whole.body.data.data.object
        expect(left).toEqual(expect.any(String))
        expect(cut.body.data.data.object).toEqual(rest)
      }
    })

    test('returns the variant of accounts that share only the headers of their mail', async () => {
      for (const base of ['message.created', 'message.updated']) {
        const shown = (await call('POST', '/v3/webhooks/mock-payload', { trigger_type: `${base}.metadata` })).body.data
        expect(shown.type).toBe(`${base}.metadata`)
        expect(MessageHeadersObject.strict().parse(shown.data.object)).toEqual(shown.data.object)
        expect(shown.data.object.headers).not.toEqual([])
        expect(shown.data.object).not.toHaveProperty('body')
      }
    })

    test('refuses an unknown or missing trigger', async () => {
      for (const trigger_type of [
        'contact.created',
        'message.bounced',
        'grant.created.truncated',
        'event.created.metadata',
        undefined,
      ]) {
        const refused = await call('POST', '/v3/webhooks/mock-payload', { trigger_type })
        expectError(refused, 400, 'invalid_request_error', /^trigger_type: /)
      }
      expectError(await call('GET', '/v3/webhooks/mock-payload'), 400, 'invalid_request_error', /^trigger_type: /)
    })
  })

  describe('send-test-event', () => {
    const send = (body: object) => call('POST', '/v3/webhooks/send-test-event', body)

    test('sends a sample notification with every signature, made with the published secret', async () => {
      const answer = await send({ trigger_type: 'event.created', webhook_url: newUrl() })
      expect(answer.body).toEqual({ request_id: expect.any(String), data: 'success' })
      const [heard] = listener.heard
      if (!heard) throw new Error('nothing was sent')
      expect(heard.method).toBe('POST')
      expect(heard.target).toBe(`/hook-${paths}`)
      expect(heard.headers['content-type']).toBe('application/json')
      const event = Notification.parse(JSON.parse(heard.body))
      expect(event).toMatchObject({ type: 'event.created', time: Math.floor(clock.now() / 1000) })
      const hex = createHmac('sha256', 'mock-webhook-secret').update(heard.body).digest('hex')
      expect(heard.headers['x-service-signature']).toBe(hex)
      expect(heard.headers['x-nylas-signature']).toBe(hex)
      expect(heard.headers['webhook-id']).toBe(event.id)
      expect(heard.headers['webhook-timestamp']).toBe(String(event.time))
      expect(heard.headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
    })

    test('sends message.created without a trigger, and truncated variants on request', async () => {
      await send({ webhook_url: newUrl() })
      await send({ webhook_url: newUrl(), trigger_type: 'message.updated.truncated' })
      const types = listener.heard.map(({ body }) => JSON.parse(body).type)
      expect(types).toEqual(['message.created', 'message.updated.truncated'])
    })

    test('fails with 400 if the listener does not answer with 2xx', async () => {
      for (const status of [200, 201, 202, 204]) {
        listener.answer = (response) => void response.writeHead(status).end()
        expect((await send({ webhook_url: newUrl() })).status).toBe(200)
      }
      for (const status of [302, 400, 404, 500, 503]) {
        listener.answer = (response) => void response.writeHead(status).end('no')
        expectError(await send({ webhook_url: newUrl() }), 400, '70005', new RegExp(`got ${status} `))
      }
      listener.answer = (response) => void response.destroy()
      expectError(await send({ webhook_url: newUrl() }), 400, '70005', /no response/)
      expectError(await send({ webhook_url: 'nowhere' }), 400, 'invalid_request_error', /^webhook_url: /)
      expectError(await send({}), 400, 'invalid_request_error', /^webhook_url: /)
    })
  })

  test("ip-addresses returns the operator's setting", async () => {
    const answer = await call('GET', '/v3/webhooks/ip-addresses')
    expect(answer.body.data).toEqual({
      ip_addresses: ['203.0.113.7', '2001:db8::/64'],
      updated_at: Math.floor(service.services.runtime.node.startedAt / 1000),
    })
  })
})

test("ip-addresses returns the machine's addresses without loopback if nothing is set", async () => {
  await using service = await openService()
  const { ip_addresses } = (await service.call('GET', '/v3/webhooks/ip-addresses')).body.data
  expect(ip_addresses).toBeInstanceOf(Array)
  expect(ip_addresses.filter((address: string) => /^(127\.|::1$|fe80:)/.test(address))).toEqual([])
})

test("invalid addresses in the operator's setting prevent the start", async () => {
  await expect(openService({ env: { WAYPOST_EGRESS_ADDRESSES: 'example.com' } })).rejects.toThrow(
    /WAYPOST_EGRESS_ADDRESSES/,
  )
})

test('with public egress, an address must be public and use https', async () => {
  await using service = await openService({ env: { WAYPOST_EGRESS: 'public' } })
  for (const webhook_url of [
    'http://example.com/hook',
    'https://127.0.0.1/hook',
    'https://10.0.0.1',
    'https://localhost',
  ]) {
    for (const path of ['/v3/webhooks', '/v3/webhooks/send-test-event']) {
      const body = { webhook_url, ...(path === '/v3/webhooks' ? { trigger_types: ['event.created'] } : {}) }
      const refused = await service.call('POST', path, { body })
      expect([webhook_url, refused.status, refused.body.error.type]).toEqual([
        webhook_url,
        400,
        'invalid_request_error',
      ])
      expect(refused.body.error.message).toMatch(/^webhook_url: /)
    }
  }
})

test('a listener has ten seconds for the challenge', async () => {
  await using listener = await openListener()
  await using real = createEgress({ mode: 'private' })
  const deadlines: (number | undefined)[] = []
  const request: typeof real.request = (requested) => {
    deadlines.push(requested.deadlineMs)
    return real.request({ ...requested, deadlineMs: 50 })
  }
  const egress = { ...real, request, [Symbol.asyncDispose]: async () => undefined }
  await using service = await openService({ overrides: { egress } })
  listener.answer = () => undefined
  const body = { trigger_types: ['event.created'], webhook_url: listener.url }
  const refused = await service.call('POST', '/v3/webhooks', { body })
  expect([refused.status, refused.body.error.type]).toEqual([400, '70005'])
  expect(refused.body.error.message).toMatch(
    /^unable\.verify\.webhook_url : no response after \d+ ms: .*did not answer in full/,
  )
  expect(deadlines).toEqual([10_000])
})

test('test events are limited to five a minute for each application', async () => {
  const clock = testClock(Math.ceil(Date.now() / 60_000) * 60_000)
  await using service = await openService({ env: { WAYPOST_RATE_LIMITS: 'on' }, overrides: { clock } })
  await using listener = await openListener()
  const send = () => service.call('POST', '/v3/webhooks/send-test-event', { body: { webhook_url: listener.url } })
  expect(rates.testEvent.limit).toBe(5)
  for (let n = 0; n < 5; n++) expect((await send()).status).toBe(200)
  const refused = await send()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect(listener.heard).toHaveLength(5)
  clock.advance(60_000)
  expect((await send()).status).toBe(200)
})
