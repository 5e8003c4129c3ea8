/** What is told of grants, calendars and events, for every way they can change, on both stores. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grantsDelete, grantsRevoke } from '../../src/cli/grants.ts'
import type { Output } from '../../src/cli/output.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { providers } from '../../src/providers/registry.ts'
import { keepHouse } from '../../src/server.ts'
import {
  type Account,
  accountOf,
  type Call,
  expectStatus,
  type Fields,
  type Json,
  noon,
  span,
} from '../conformance/office.ts'
import { engines, openHouse, type TestHouse, testClock } from '../harness.ts'
import { account, event, importAccounts, monday, week } from '../migration/exports.ts'
import { addDestination, queueOf, type ToldRow, toldOf, toldTypes } from '../webhooks/told.ts'

const day = 24 * 3_600_000

/** An IMAP server that takes every password. */
const imap: Provider = {
  kind: 'imap',
  authenticate: async ({ imap_password, ...settings }) => ({
    email: String(settings.imap_username),
    name: 'Ann Example',
    providerUserId: null,
    scope: [],
    settings,
    credentials: { imap_password },
  }),
}
const mailbox = (extra: object = {}) => ({
  provider: 'imap',
  settings: { imap_username: 'ann@x.test', imap_password: 'secret', imap_host: 'imap.x.test' },
  ...extra,
})

interface Tenant {
  id: string
  key: string
  call: Call
  /** Authenticates a virtual account. */
  connect(email: string): Promise<Json>
  newDesk(): Promise<Account & { calendarId: string }>
}

describe.each(engines)('notifications on %s', (engine) => {
  const clock = testClock(noon * 1000)
  let house: TestHouse
  beforeAll(async () => {
    const env = { WAYPOST_SMTP_URL: 'smtp://127.0.0.1:1', WAYPOST_MAIL_FROM: 'Waypost <calendar@waypost.test>' }
    house = await openHouse({ engine, env, overrides: { clock, providers: { ...providers, imap } } })
  })
  afterAll(() => house[Symbol.asyncDispose]())

  function tenantOf(id: string, key: string): Tenant {
    const call: Call = (method, path, rest) => house.call(method, path, { key, ...rest })
    const connect: Tenant['connect'] = async (email) => {
      const body = { provider: 'virtual-calendar', settings: { email } }
      return (await call('POST', '/v3/connect/custom', { body })).body.data
    }
    return {
      id,
      key,
      call,
      connect,
      async newDesk() {
        const email = `${crypto.randomUUID()}@desk.test`
        const desk = accountOf(call, { grantId: (await connect(email)).id, email })
        return { ...desk, calendarId: (await desk.createCalendar()).id }
      },
    }
  }
  async function newTenant(): Promise<Tenant> {
    const { id, key } = await house.createApplication()
    const tenant = tenantOf(id, key)
    await tenant.call('POST', '/v3/connectors', { body: { provider: 'virtual-calendar' } })
    return tenant
  }
  const told = (grantId: string) => toldOf(house.services.database, grantId, house.services.payloads.seals)
  /** What the work tells of a grant. */
  async function toldBy(grantId: string, work: () => Promise<unknown>): Promise<ToldRow[]> {
    const before = (await told(grantId)).length
    await work()
    return (await told(grantId)).slice(before)
  }
  const typesOf = (rows: readonly ToldRow[]): string[] => rows.map((row) => row.type)
  const quiet: Output = { json: true, write: () => undefined, progress: () => undefined, notice: () => undefined }

  describe('a grant', () => {
    const namesOf = (grant: Json, connectorId: unknown = expect.any(String)) => ({
      grant_id: grant.id,
      integration_id: connectorId,
      provider: grant.provider,
      email: grant.email,
    })

    test('custom authentication tells grant.created, with the connector as integration', async () => {
      const tenant = await newTenant()
      const grant = await tenant.connect('ann@desk.test')
      const connector = (await tenant.call('GET', '/v3/connectors/virtual-calendar')).body.data
      const [row, ...more] = await told(grant.id)
      expect(more).toEqual([])
      expect(row).toMatchObject({ type: 'grant.created', source: '/waypost/system', application_id: tenant.id })
      const names = namesOf(grant, connector.id)
      expect(row?.object).toEqual({ code: 25012, ...names, name: grant.name, scope: [] })
    })

    test('a refused authentication tells nothing', async () => {
      const tenant = await newTenant()
      const before = await countTold()
      await tenant.call('POST', '/v3/connect/custom', { body: { provider: 'virtual-calendar', settings: {} } })
      await tenant.call('POST', '/v3/connect/custom', { body: mailbox() })
      expect(await countTold()).toEqual(before)
    })

    test('re-authentication tells grant.updated with code 25027 and the flag, of valid and of invalid grants', async () => {
      const tenant = await newTenant()
      const grant = await tenant.connect('ann@desk.test')
      const again = await toldBy(grant.id, () => tenant.connect('ann@desk.test'))
      expect(again.map((row) => row.object)).toEqual([{ code: 25027, ...namesOf(grant), reauthentication_flag: true }])
      await revoke(tenant, grant.id)
      const revived = await toldBy(grant.id, () => tenant.connect('ann@desk.test'))
      expect(typesOf(revived)).toEqual(['grant.updated'])
      expect(revived[0]?.object).toMatchObject({ code: 25027, reauthentication_flag: true })
    })

    const revoke = (tenant: Tenant, id: string) =>
      house.call('POST', `/v3/admin/applications/${tenant.id}/grants/${id}/revoke`, { admin: true })

    test('PATCH of settings, scope or external id tells grant.updated with code 25014', async () => {
      const tenant = await newTenant()
      await tenant.call('POST', '/v3/connectors', { body: { provider: 'imap' } })
      const grant = (await tenant.call('POST', '/v3/connect/custom', { body: mailbox() })).body.data
      const patch = (body: unknown) => async () =>
        expectStatus(await tenant.call('PATCH', `/v3/grants/${grant.id}`, { body }), 200)
      for (const body of [
        { settings: { imap_password: 'another', imap_host: 'imap.x.test' } },
        { scope: ['mail'] },
        { external_id: 'mine' },
        { external_id: null },
        { external_id: 'again', metadata: { a: 'b' } },
      ]) {
        const rows = await toldBy(grant.id, patch(body))
        expect(rows.map((row) => row.object)).toEqual([
          { code: 25014, ...namesOf(grant), reauthentication_flag: false },
        ])
      }
    })

    test('metadata-only changes are silent, and so is a PATCH that changes nothing', async () => {
      const tenant = await newTenant()
      const grant = await tenant.connect('ann@desk.test')
      const patch = async (body: unknown) =>
        expectStatus(await tenant.call('PATCH', `/v3/grants/${grant.id}`, { body }), 200)
      await patch({ external_id: 'mine' })
      const rows = await toldBy(grant.id, async () => {
        await patch({ metadata: { a: 'b' } })
        await patch({ external_id: 'mine', scope: [], settings: { email: 'ann@desk.test' } })
        await patch({})
      })
      expect(rows).toEqual([])
    })

    test('a change that is refused tells nothing', async () => {
      const tenant = await newTenant()
      const grant = await tenant.connect('ann@desk.test')
      const other = await tenant.connect('ben@desk.test')
      await tenant.call('PATCH', `/v3/grants/${other.id}`, { body: { external_id: 'taken' } })
      const rows = await toldBy(grant.id, async () => {
        const body = { external_id: 'taken', scope: ['x'] }
        expectStatus(await tenant.call('PATCH', `/v3/grants/${grant.id}`, { body }), 409)
      })
      expect(rows).toEqual([])
    })

    test('revoked by the administrator, by API or command, tells grant.expired once', async () => {
      const tenant = await newTenant()
      for (const way of [
        (id: string) => revoke(tenant, id),
        (id: string) =>
          grantsRevoke.run(house.services, { words: [id], options: { app: tenant.id, json: true } }, quiet),
      ]) {
        const grant = await tenant.connect(`${crypto.randomUUID()}@desk.test`)
        clock.advance(5000)
        const rows = await toldBy(grant.id, () => way(grant.id))
        expect(rows.map((row) => row.object)).toEqual([
          { code: 25009, ...namesOf(grant), grant_updated_at: grant.updated_at },
        ])
        expect(await toldBy(grant.id, () => way(grant.id))).toEqual([])
      }
    })

    test('blocking is silent', async () => {
      const tenant = await newTenant()
      const grant = await tenant.connect('ann@desk.test')
      const path = `/v3/admin/applications/${tenant.id}/grants/${grant.id}`
      const rows = await toldBy(grant.id, async () => {
        expectStatus(await house.call('PATCH', path, { admin: true, body: { blocked: true } }), 200)
      })
      expect(rows).toEqual([])
    })

    test('deleting its connector tells grant.expired of each, and its removal after the grace grant.deleted', async () => {
      const tenant = await newTenant()
      const grants = [await tenant.connect('ann@desk.test'), await tenant.connect('ben@desk.test')]
      const kept = await tenant.connect('cleo@desk.test')
      await revoke(tenant, kept.id)
      expectStatus(await tenant.call('DELETE', '/v3/connectors/virtual-calendar'), 200)
      for (const { id } of grants) expect(typesOf(await told(id))).toEqual(['grant.created', 'grant.expired'])
      expect(typesOf(await told(kept.id))).toEqual(['grant.created', 'grant.expired'])
      clock.advance(4 * day)
      await keepHouse(house.services)
      for (const { id } of grants) {
        expect(typesOf(await told(id))).toEqual(['grant.created', 'grant.expired', 'grant.deleted'])
      }
    })

    test('deleting its credential tells grant.expired', async () => {
      const tenant = await newTenant()
      await tenant.call('POST', '/v3/connectors', { body: { provider: 'imap' } })
      const draft = {
        name: 'one',
        credential_type: 'connector',
        credential_data: { client_id: 'c', client_secret: 's' },
      }
      const credential = (await tenant.call('POST', '/v3/connectors/imap/creds', { body: draft })).body.data
      const body = mailbox({ credential_id: credential.id })
      const grant = (await tenant.call('POST', '/v3/connect/custom', { body })).body.data
      expectStatus(await tenant.call('DELETE', `/v3/connectors/imap/creds/${credential.id}`), 200)
      expect(typesOf(await told(grant.id))).toEqual(['grant.created', 'grant.expired'])
    })

    test('deleted by API or command, valid or not, tells grant.deleted; what was told of its data is erased', async () => {
      const tenant = await newTenant()
      const { database } = house.services
      const destination = await addDestination(database, tenant.id, ['event.created', 'grant.deleted'])
      const other = await tenant.newDesk()
      await other.create(other.calendarId, { title: 'Stays', when: span('2026-06-02T09:00') })
      for (const way of [
        (id: string) => tenant.call('DELETE', `/v3/grants/${id}`),
        (id: string) => grantsDelete.run(house.services, { words: [id], options: { app: tenant.id } }, quiet),
        async (id: string) => {
          await revoke(tenant, id)
          await tenant.call('DELETE', `/v3/grants/${id}`)
        },
      ]) {
        const desk = await tenant.newDesk()
        await desk.create(desk.calendarId, { title: 'Private', when: span('2026-06-02T09:00') })
        await way(desk.grantId)
        const rows = (
          await house.services.database.transaction((tx) => queueOf(tx, house.services.payloads.seals))
        ).filter((row) => row.webhook_id === destination)
        expect(rows.every((row) => row.told !== undefined)).toBe(true)
        const mine = rows.filter((row) => row.told?.grant_id === desk.grantId)
        expect(mine.map((row) => row.told?.type)).toEqual(['grant.deleted'])
        const { payload = '{}', sequence = 0 } = mine[0]?.told ?? {}
        expect(JSON.parse(payload).object).toEqual({
          code: 25013,
          ...namesOf({ id: desk.grantId, provider: 'virtual-calendar', email: desk.email }),
        })
        // Created, calendar, event, perhaps expired: its number goes on from there.
        expect(sequence).toBeGreaterThanOrEqual(4)
        const before = rows.filter((row) => row.told?.grant_id === other.grantId)
        expect(before.map((row) => row.told?.type)).toEqual(['event.created'])
      }
    })

    test('of the sandbox tells the same', async () => {
      const grant = await house.createGrant('sandy@desk.test')
      await house.call('DELETE', `/v3/grants/${grant.id}`)
      expect(typesOf(await told(grant.id))).toEqual(['grant.created', 'grant.deleted'])
    })

    test('is deleted while its events change: nothing of its data stays behind', async () => {
      const tenant = await newTenant()
      const desk = await tenant.newDesk()
      const creations = Array.from({ length: 12 }, () =>
        desk.post('/events', { when: span('2026-06-02T09:00') }, { calendar_id: desk.calendarId }),
      )
      const deletion = tenant.call('DELETE', `/v3/grants/${desk.grantId}`)
      const answers = await Promise.all([...creations, deletion])
      expect(answers.at(-1)?.status).toBe(200)
      expect(answers.map(({ status }) => status).every((status) => status === 200 || status === 404)).toBe(true)
      const { database } = house.services
      const left = (await database.transaction((tx) => toldTypes(tx))).filter((row) => row.grant_id === desk.grantId)
      expect(left.map((row) => row.type)).toEqual(['grant.created', 'grant.deleted'])
    })
  })

  describe('§20.10 a calendar', () => {
    test('created, changed, deleted tells calendar.created, .updated, .deleted', async () => {
      const desk = await (await newTenant()).newDesk()
      let calendar: Json
      const created = await toldBy(desk.grantId, async () => {
        calendar = await desk.createCalendar({ name: 'Second', description: 'd', metadata: { key1: 'a' } })
      })
      expect(typesOf(created)).toEqual(['calendar.created'])
      expect(created[0]?.source).toBe('/virtual-calendar/events/realtime')
      expect(created[0]?.object).toEqual(calendar)
      for (const change of [
        { name: 'Other' },
        { description: null },
        { location: 'Here' },
        { timezone: 'Europe/Berlin' },
        { name: 'Both', metadata: { key1: 'b' }, hex_color: '#112233' },
      ]) {
        const rows = await toldBy(desk.grantId, async () => {
          calendar = expectStatus(await desk.put(`/calendars/${calendar.id}`, change), 200).body.data
        })
        expect(rows.map(({ type, object }) => ({ type, object }))).toEqual([
          { type: 'calendar.updated', object: calendar },
        ])
      }
      const deleted = await toldBy(desk.grantId, () => desk.delete(`/calendars/${calendar.id}`))
      const { metadata: _, description: _d, location: _l, ...names } = calendar
      expect(deleted.map(({ type, object }) => ({ type, object }))).toEqual([
        { type: 'calendar.deleted', object: names },
      ])
    })

    test('metadata-only and colour-only changes are silent, and so is one that changes nothing', async () => {
      const desk = await (await newTenant()).newDesk()
      const rows = await toldBy(desk.grantId, async () => {
        for (const change of [
          { metadata: { key1: 'b' } },
          { hex_color: '#112233', hex_foreground_color: '#ffffff' },
          { name: 'Work', timezone: 'UTC', description: null },
          {},
        ]) {
          expectStatus(await desk.put(`/calendars/${desk.calendarId}`, change), 200)
        }
      })
      expect(rows).toEqual([])
    })

    test('made on the path of virtual calendars tells the same', async () => {
      const tenant = await newTenant()
      const grant = await tenant.connect('ann@desk.test')
      const rows = await toldBy(grant.id, async () => {
        const body = { name: 'Main', grant_id: grant.id }
        expectStatus(await tenant.call('POST', '/v3/calendars', { body }), 200)
      })
      expect(typesOf(rows)).toEqual(['calendar.created'])
    })

    test('deleted with its events is told alone: the events go with it', async () => {
      const desk = await (await newTenant()).newDesk()
      const { id } = await desk.createCalendar({ name: 'Second' })
      await desk.create(id, { title: 'a', when: span('2026-06-02T09:00') })
      expect(typesOf(await toldBy(desk.grantId, () => desk.delete(`/calendars/${id}`)))).toEqual(['calendar.deleted'])
    })

    test('whose zone changes moves its all-day events in silence', async () => {
      const desk = await (await newTenant()).newDesk()
      await desk.create(desk.calendarId, { when: { date: '2026-06-02' } })
      const change = () => desk.put(`/calendars/${desk.calendarId}`, { timezone: 'Asia/Tokyo' })
      expect(typesOf(await toldBy(desk.grantId, change))).toEqual(['calendar.updated'])
    })
  })

  describe('§20.10 an event', () => {
    const zone = 'Europe/Berlin'
    const weekly: Fields = {
      title: 'Weekly',
      when: span('2026-06-02T09:00', 60, zone),
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5'],
    }
    const instancesOf = (desk: Account & { calendarId: string }, id: string) =>
      desk.list(desk.calendarId, { start: noon, end: noon + 90 * 86_400, master_event_id: id })

    test('created, changed, deleted tells event.created, .updated, .deleted', async () => {
      const desk = await (await newTenant()).newDesk()
      const at = { calendar_id: desk.calendarId }
      let made: Json
      const created = await toldBy(desk.grantId, async () => {
        made = await desk.create(desk.calendarId, { title: 'One', when: span('2026-06-02T09:00') })
      })
      expect(created.map(({ type, object }) => ({ type, object }))).toEqual([{ type: 'event.created', object: made }])
      expect(created[0]).toMatchObject({ source: '/virtual-calendar/events/realtime', created_at: clock.now() })
      for (const change of [
        { title: 'Two' },
        { when: span('2026-06-03T09:00') },
        { participants: [{ email: 'guest@x.test' }] },
        { description: 'x', metadata: { key1: 'a' } },
        { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] },
      ]) {
        const rows = await toldBy(desk.grantId, async () => {
          made = await desk.change(desk.calendarId, made.id, change)
        })
        expect(rows.map(({ type, object }) => ({ type, object }))).toEqual([{ type: 'event.updated', object: made }])
      }
      const deleted = await toldBy(desk.grantId, () => desk.delete(`/events/${made.id}`, at))
      expect(deleted.map(({ type, object }) => ({ type, object }))).toEqual([
        {
          type: 'event.deleted',
          object: { id: made.id, object: 'event', grant_id: desk.grantId, calendar_id: desk.calendarId },
        },
      ])
    })

    test('deleted is told with its metadata, without its time and title', async () => {
      const desk = await (await newTenant()).newDesk()
      const metadata = { key1: 'mine' }
      const { id } = await desk.create(desk.calendarId, { title: 'One', metadata, when: span('2026-06-02T09:00') })
      const [row] = await toldBy(desk.grantId, () => desk.delete(`/events/${id}`, { calendar_id: desk.calendarId }))
      expect(row?.object).toEqual({
        id,
        object: 'event',
        grant_id: desk.grantId,
        calendar_id: desk.calendarId,
        metadata,
      })
    })

    test('metadata-only changes are silent, and so is an update that changes nothing', async () => {
      const desk = await (await newTenant()).newDesk()
      const fields = { title: 'One', when: span('2026-06-02T09:00'), participants: [{ email: 'guest@x.test' }] }
      const { id } = await desk.create(desk.calendarId, fields)
      const series = await desk.create(desk.calendarId, weekly)
      const [instance] = await instancesOf(desk, series.id)
      const rows = await toldBy(desk.grantId, async () => {
        await desk.change(desk.calendarId, id, { metadata: { key1: 'a' } })
        await desk.change(desk.calendarId, id, fields)
        await desk.change(desk.calendarId, id, {})
        await desk.change(desk.calendarId, series.id, { metadata: { key1: 'a' } })
        await desk.change(desk.calendarId, series.id, weekly)
        await desk.change(desk.calendarId, instance.id, { metadata: { key1: 'b' } })
        await desk.change(desk.calendarId, instance.id, { title: 'Weekly' })
      })
      expect(rows).toEqual([])
    })

    test('a series is one event.created; changing and deleting it are one notification of the master each', async () => {
      const desk = await (await newTenant()).newDesk()
      let master: Json
      const created = await toldBy(desk.grantId, async () => {
        master = await desk.create(desk.calendarId, weekly)
      })
      expect(created.map(({ type, object }) => ({ type, object }))).toEqual([{ type: 'event.created', object: master }])
      const [, second] = await instancesOf(desk, master.id)
      await desk.change(desk.calendarId, second.id, { title: 'Special' })
      // The override moves with its series: still one.
      const moved = await toldBy(desk.grantId, async () => {
        master = await desk.change(desk.calendarId, master.id, { when: span('2026-06-02T10:00', 60, zone) })
      })
      expect(moved.map(({ type, object }) => ({ type, object }))).toEqual([{ type: 'event.updated', object: master }])
      const deleted = await toldBy(desk.grantId, () =>
        desk.delete(`/events/${master.id}`, { calendar_id: desk.calendarId }),
      )
      expect(typesOf(deleted)).toEqual(['event.deleted'])
    })

    test('editing one occurrence tells event.updated of the master with occurrences', async () => {
      const desk = await (await newTenant()).newDesk()
      const master = await desk.create(desk.calendarId, weekly)
      const [, second] = await instancesOf(desk, master.id)
      for (const title of ['Special', 'More special']) {
        const rows = await toldBy(desk.grantId, () => desk.change(desk.calendarId, second.id, { title }))
        expect(rows.map(({ type, object }) => ({ type, object }))).toEqual([
          { type: 'event.updated', object: { ...master, occurrences: [second.id] } },
        ])
      }
    })

    test('cancelling one occurrence tells event.updated of the master with cancelled_occurrences', async () => {
      const desk = await (await newTenant()).newDesk()
      const master = await desk.create(desk.calendarId, weekly)
      const [, second, third] = await instancesOf(desk, master.id)
      await desk.change(desk.calendarId, third.id, { title: 'Special' })
      for (const { id } of [second, third]) {
        const rows = await toldBy(desk.grantId, () => desk.delete(`/events/${id}`, { calendar_id: desk.calendarId }))
        const now = await desk.read(desk.calendarId, master.id)
        expect(rows.map(({ type, object }) => ({ type, object }))).toEqual([
          { type: 'event.updated', object: { ...now, cancelled_occurrences: [id] } },
        ])
        expect(now.recurrence.join()).toContain('EXDATE')
      }
    })

    test('reads, the events/import endpoint among them, tell nothing', async () => {
      const desk = await (await newTenant()).newDesk()
      const { id } = await desk.create(desk.calendarId, weekly)
      const rows = await toldBy(desk.grantId, async () => {
        await desk.list(desk.calendarId)
        await desk.read(desk.calendarId, id)
        expectStatus(await desk.get('/events/import', { calendar_id: desk.calendarId }), 200)
        expectStatus(await desk.get('/calendars'), 200)
      })
      expect(rows).toEqual([])
    })

    test('a repetition under the same Idempotency-Key tells nothing again', async () => {
      const desk = await (await newTenant()).newDesk()
      const create = () =>
        desk.post(
          '/events',
          { title: 'Once', when: span('2026-06-02T09:00') },
          { calendar_id: desk.calendarId },
          { 'idempotency-key': 'the-same' },
        )
      const rows = await toldBy(desk.grantId, async () => {
        const first = expectStatus(await create(), 200)
        expect(expectStatus(await create(), 200).body.data).toEqual(first.body.data)
      })
      expect(typesOf(rows)).toEqual(['event.created'])
    })

    test('a request that fails tells nothing, even when it fails after the notification was written', async () => {
      const desk = await (await newTenant()).newDesk()
      const { database } = house.services
      const fields = { when: span('2026-06-02T09:00'), participants: [{ email: 'guest@x.test' }] }
      const master = await desk.create(desk.calendarId, weekly)
      const rows = await toldBy(desk.grantId, async () => {
        const at = { calendar_id: desk.calendarId }
        expectStatus(await desk.post('/events', fields, { calendar_id: 'none' }), 404)
        expectStatus(await desk.put('/events/none', { title: 'x' }, at), 404)
        expectStatus(await desk.put(`/events/${master.id}`, { recurrence: ['RRULE:FREQ=NEVER'] }, at), 400)
        expectStatus(await desk.delete(`/calendars/${desk.calendarId}`), 400)
        // The mail to the guest is written last.
        await database.execute('alter table outbox rename to outbox_away')
        try {
          expectStatus(await desk.post('/events', fields, at), 500)
        } finally {
          await database.execute('alter table outbox_away rename to outbox')
        }
      })
      expect(rows).toEqual([])
      expect(typesOf(await toldBy(desk.grantId, () => desk.create(desk.calendarId, fields)))).toEqual(['event.created'])
    })

    test('parallel changes of one grant get consecutive numbers, whatever they are', async () => {
      const desk = await (await newTenant()).newDesk()
      const rows = await toldBy(desk.grantId, () =>
        Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            index % 4 === 0
              ? desk.put(`/calendars/${desk.calendarId}`, { name: `Name ${index}` })
              : desk.create(desk.calendarId, { title: `${index}`, when: span('2026-06-02T09:00') }),
          ),
        ),
      )
      expect(rows.map((row) => row.sequence)).toEqual(Array.from({ length: 20 }, (_, index) => index + 3))
      expect(typesOf(rows).filter((type) => type === 'event.created')).toHaveLength(15)
    })

    test('over 1 MB is told without its largest field and with the suffix .truncated; the answer is whole', async () => {
      const tenant = await newTenant()
      const { database } = house.services
      const destination = await addDestination(database, tenant.id, ['event.created'])
      const desk = await tenant.newDesk()
      const text = (length: number, letter = 'x'): string => letter.repeat(length)
      // Close to the largest body that is taken; with the fields that the service adds, more than that.
      const body = {
        when: span('2026-06-02T09:00'),
        description: text(65_535, 'é'),
        participants: Array.from({ length: 500 }, (_, index) => ({
          email: `${index}@${text(310)}.test`,
          name: text(320),
          comment: text(1024),
          phone_number: text(64, '1'),
        })),
        resources: [] as object[],
      }
      while (Buffer.byteLength(JSON.stringify(body)) < 1_047_500) {
        body.resources.push({ email: `room${body.resources.length}@x.test`, name: text(320) })
      }
      const query = { calendar_id: desk.calendarId, notify_participants: false }
      const made = expectStatus(await desk.post('/events', body, query), 200).body.data
      expect(made.participants).toHaveLength(500)
      const [row] = (await queueOf(database, house.services.payloads.seals)).filter(
        ({ webhook_id }) => webhook_id === destination,
      )
      expect(row?.told).toMatchObject({ type: 'event.created.truncated', grant_id: desk.grantId })
      const { participants: _, ...rest } = made
      expect(JSON.parse(row?.told?.payload ?? '{}').object).toEqual(rest)
    })

    test('goes to destinations that subscribe, once each', async () => {
      const tenant = await newTenant()
      const { database } = house.services
      const events = await addDestination(database, tenant.id, ['event.created', 'event.updated'])
      const grants = await addDestination(database, tenant.id, ['grant.created'])
      const paused = await addDestination(database, tenant.id, ['event.created'], 'pause')
      const desk = await tenant.newDesk()
      const { id } = await desk.create(desk.calendarId, { title: 'One', when: span('2026-06-02T09:00') })
      await desk.change(desk.calendarId, id, { title: 'Two' })
      const queue = await queueOf(database, house.services.payloads.seals)
      const waiting = (destination: string) =>
        queue.filter((row) => row.webhook_id === destination).map((row) => row.told?.type)
      expect(waiting(events)).toEqual(['event.created', 'event.updated'])
      expect(waiting(grants)).toEqual(['grant.created'])
      expect(waiting(paused)).toEqual([])
    })
  })

  describe('an import from version 2', () => {
    const person = (name: string) => ({ email: `${name}@example.com`, name: null, status: 'noreply' })
    const boss = { organizer_name: 'Boss', organizer_email: 'boss@x.test' }
    const recurrence = { rrule: ['RRULE:FREQ=WEEKLY;COUNT=3'], timezone: 'Europe/Berlin' }
    async function imported(name: string, again = false) {
      const tenant = await newTenant()
      const events = [
        event('a', { ...boss, participants: [person(name)] }),
        event('s', { ...boss, participants: [person(name)], recurrence }),
      ]
      await importAccounts(house, [account(name, { events })], { app: tenant.id })
      if (again) {
        await importAccounts(
          house,
          [account(name, { events: [event('a', { title: 'x', updated_at: 1_799_000_000 })] })],
          {
            app: tenant.id,
          },
        )
      }
      const { body } = await tenant.call('GET', `/v3/grants/${name}@example.com`)
      return { tenant, desk: accountOf(tenant.call, { grantId: body.data.id, email: body.data.email }) }
    }

    test('tells nothing: what it brings was there before, at the first run and at later ones', async () => {
      const { desk } = await imported('quiet', true)
      expect(await told(desk.grantId)).toEqual([])
      expect(await desk.list('cal', { start: monday - week, end: monday + 4 * week })).toHaveLength(1)
    })

    test('what changes afterwards is told, with the account_id of version 2', async () => {
      const { desk } = await imported('later')
      await desk.create('cal', { title: 'New', when: span('2026-11-24T09:00') })
      const [row] = await told(desk.grantId)
      expect(row).toMatchObject({ type: 'event.created', sequence: 1, object: { account_id: 'acc-later' } })
    })

    test('an answer to an invitation tells event.updated, of the master where it is for one occurrence', async () => {
      const { desk } = await imported('guest')
      const answer = (id: string, status: string) => async () =>
        expectStatus(await desk.post(`/events/${id}/send-rsvp`, { status }, { calendar_id: 'cal' }), 200)
      const rows = await toldBy(desk.grantId, answer('a', 'yes'))
      expect(rows.map(({ type, object }) => ({ type, status: object.participants[0].status }))).toEqual([
        { type: 'event.updated', status: 'yes' },
      ])
      expect(await toldBy(desk.grantId, answer('a', 'yes'))).toEqual([])
      const second = `s_${new Date((monday + week) * 1000).toISOString().replace(/[-:]|\.000/g, '')}`
      const [master, ...more] = await toldBy(desk.grantId, answer(second, 'no'))
      expect(more).toEqual([])
      expect(master).toMatchObject({ type: 'event.updated', object: { id: 's', occurrences: [second] } })
      expect(master?.object.participants[0].status).toBe('noreply')
    })
  })

  /** How much was told in the whole house. */
  const countTold = async () => (await toldTypes(house.services.database)).length
})
