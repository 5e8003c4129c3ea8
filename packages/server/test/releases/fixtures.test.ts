/**
 * Every release's store, opened by this version: it gets the schema of a new store, everything in it is read as the
 * release read it, and what waited goes out.
 */
import { createHmac } from 'node:crypto'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sealedColumns, sealedValues } from '@waypost/store/sealing/sealed-values'
import { missingSteps } from '@waypost/store/sharding/distribute'
import { engines } from '@waypost/testing/engines'
import { isCheck } from '@waypost/testing/level'
import { type Listener, openListener } from '@waypost/testing/listener'
import { isOnCitus } from '@waypost/testing/on-citus'
import { sql } from '@waypost/testing/statement'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allReleases, readRelease } from '../../../../scripts/release/releases.ts'
import { seededGoogle } from '../../../simulators/src/google/seed.ts'
import type { GoogleSimulator } from '../../../simulators/src/index.ts'
import { runHere } from '../command-line.ts'
import { openService, type TestService } from '../harness.ts'
import { releasedStore, runRelease } from './released-store.ts'
import { schemaText } from './schema-text.ts'
import { readFixture, restoreSqlite } from './store-fixture.ts'

/** `npm test` opens the oldest store and the newest. */
const releases = allReleases().filter((_, place, all) => isCheck || place === 0 || place === all.length - 1)
const stores = releases.flatMap((release) => engines.map((engine) => readFixture(release, engine)))

describe.each(stores)('the store of $release.version on $engine', (fixture) => {
  const { engine, inventory } = fixture
  const { apiKey: key, person, webhook, scheduled, event } = inventory
  const stack = new AsyncDisposableStack()
  let google: GoogleSimulator
  let listener: Listener
  let clock: TestClock
  let service: TestService

  beforeAll(async () => {
    const data = stack.use(await mkdtempDisposable(path.join(tmpdir(), 'waypost-release-')))
    const databaseUrl = engine === 'postgresql' ? stack.use(await releasedStore(fixture)).url : undefined
    if (!databaseUrl) await restoreSqlite(fixture, data.path)
    google = stack.use(await seededGoogle())
    listener = stack.use(await openListener())
    clock = testClock(inventory.madeAt + 1000)
    service = stack.use(
      await openService({
        ...{ dataDir: data.path, databaseUrl, stream: false },
        // The stored passwords were hashed at the real cost.
        overrides: { clock, passwordCost: undefined },
        env: { ...inventory.settings, WAYPOST_GOOGLE_URL: google.url, WAYPOST_EGRESS: 'private' },
      }),
    )
  })
  afterAll(() => stack.disposeAsync())

  const askers = {
    key: () => ({ key }),
    administrator: () => ({ key: null, headers: basic('admin', inventory.settings.WAYPOST_ADMIN_PASSWORD ?? '') }),
    person: () => ({ key: null, headers: basic(person.email, person.password) }),
  }

  test('answers every request as the release did; answers may have more fields', async () => {
    expect(inventory.reads.length).toBeGreaterThan(25)
    for (const { as, path, data } of inventory.reads) {
      const { status, body } = await service.call('GET', path, askers[as]())
      expect([path, status, body.error]).toEqual([path, 200, undefined])
      expect(body.data, path).toMatchObject(data as object)
    }
  })

  test('opens with its key in every sealed column', async () => {
    const { database, secrets } = service.services.storage
    const opened = new Set<string>()
    for (const column of sealedColumns) {
      for await (const { sealed, context } of sealedValues(database, column)) {
        expect(secrets.open(sealed, context).length).toBeGreaterThan(0)
        opened.add(`${column.table}.${column.column}`)
      }
    }
    const filled = ['connectors.sealed_settings', 'credentials.sealed_data', 'grants.sealed_credentials']
    expect([...opened]).toEqual(expect.arrayContaining([...filled, 'webhooks.sealed_secret', 'data_keys.sealed_key']))
  })

  test('delivers what waited, each notification once and signed with the secret of its destination', async () => {
    const moved = await service.call('PUT', `/v3/webhooks/${webhook.id}`, {
      ...{ key, body: { webhook_url: `${listener.url}/moved` } },
    })
    expect([moved.status, moved.body.error]).toEqual([200, undefined])
    await service.call('POST', `/v3/webhooks/${webhook.id}/deliver-now`, { key, body: {} })
    // Only now does the service deliver: what is overdue would fail at the earlier address, and wait for minutes.
    await service.listen()
    const delivered = () => listener.heard.filter(({ method }) => method === 'POST')
    const ids = () => delivered().map(({ body }): string => JSON.parse(body).id)
    expect(webhook.waiting.length).toBeGreaterThan(5)
    await expect
      .poll(() => {
        // A destination that recovers gets its backlog over some seconds.
        clock.advance(1000)
        return ids().toSorted()
      })
      .toEqual(webhook.waiting)
    for (const { body, headers } of delivered()) {
      const signature = createHmac('sha256', webhook.secret).update(body).digest('hex')
      expect(headers['x-service-signature']).toBe(signature)
    }
  })

  test('sends the message that was scheduled, once', async () => {
    clock.advance(Math.max(0, scheduled.sendAt * 1000 - clock.now()) + 1000)
    const schedule = `/v3/grants/${scheduled.grantId}/messages/schedules/${scheduled.scheduleId}`
    const state = async () => (await service.call('GET', schedule, { key })).body.data?.status?.code
    await expect.poll(state).toBe('success')
    const sent = await service.call('GET', `/v3/grants/${scheduled.grantId}/messages?in=SENT`, { key })
    const subjects = sent.body.data.map(({ subject }: { subject: string }) => subject)
    expect(subjects.filter((subject: string) => subject === scheduled.subject)).toHaveLength(1)
  })

  test('accepts changes', async () => {
    const target = `/v3/grants/${event.grantId}/events/${event.id}?calendar_id=${event.calendarId}`
    const changed = await service.call('PATCH', target, { key, body: { title: 'Tour, in the new version' } })
    expect([changed.status, changed.body.error]).toEqual([200, undefined])
    expect((await service.call('GET', target, { key })).body.data.title).toBe('Tour, in the new version')
  })

  test('has the schema of a new store', async () => {
    await using fresh = await openService({ engine })
    const wanted = await schemaText(fresh.services.storage.database)
    expect(wanted.length).toBeGreaterThan(100)
    await expect.poll(() => schemaText(service.services.storage.database)).toEqual(wanted)
    const numbers = sql('test.numbers', 'select number from migrations order by number')
    expect(await fresh.services.storage.database.all(numbers)).toEqual(
      await service.services.storage.database.all(numbers),
    )
    if (isOnCitus) expect(await missingSteps(service.services.storage.database)).toEqual([])
  })
})

test.skipIf(!isOnCitus)(
  'a distributed store that 1.3.0 could not bring to its schema is brought to that of this version',
  async () => {
    const fixture = readFixture(readRelease('1.1.0'), 'postgresql')
    await using resources = new AsyncDisposableStack()
    const { url } = resources.use(await releasedStore(fixture))
    // It makes the tables of some changes, places none, and stops at the first change that Citus refuses.
    await expect(runRelease('1.3.0', url, ['db', 'migrate'])).rejects.toThrow(/foreign keys|multiple commands/)
    const env = { ...fixture.inventory.settings, DATABASE_URL: url }
    const plan = await runHere(['db', 'migrate', '--plan', '--json'], env)
    expect([plan.code, JSON.parse(plan.stdout).old_nodes_keep_running]).toEqual([0, true])
    expect(await runHere(['db', 'migrate'], env)).toMatchObject({ code: 0 })
    const service = resources.use(await openService({ databaseUrl: url, env: fixture.inventory.settings }))
    const fresh = resources.use(await openService({ engine: 'postgresql' }))
    expect(await schemaText(service.services.storage.database)).toEqual(
      await schemaText(fresh.services.storage.database),
    )
    expect(await missingSteps(service.services.storage.database)).toEqual([])
  },
)

const basic = (user: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})
