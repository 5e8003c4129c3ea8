/** Notifications about grants, calendars and events, for every way they can change, on both stores. */

import type { Provider } from '@waypost/providers/provider'
import { providers } from '@waypost/providers/registry'
import { enginesFor } from '@waypost/testing/engines'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grantsDelete, grantsRevoke } from '../../../src/cli/grants.ts'
import type { Output } from '../../../src/cli/program/output.ts'
import { purgeExpired } from '../../../src/housekeeping.ts'
import {
  type Account,
  accountOf,
  type Call,
  expectStatus,
  type Fields,
  type Json,
  noon,
  span,
} from '../../conformance/accounts.ts'
import { openService, type TestService } from '../../harness.ts'
import { account, event, importAccounts, monday, week } from '../../migration/exports.ts'
import {
  addDestination,
  type NotificationRow,
  notificationsOf,
  notifiedTypes,
  queueOf,
} from '../../webhooks/notification-rows.ts'

const day = 24 * 3_600_000

/** An IMAP server that accepts every password. */
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
  newCalendarAccount(): Promise<Account & { calendarId: string }>
}

describe.each(enginesFor(import.meta.url))('notifications on %s', (engine) => {
  const clock = testClock(noon * 1000)
  let service: TestService
  beforeAll(async () => {
    const env = { WAYPOST_SMTP_URL: 'smtp://127.0.0.1:1', WAYPOST_MAIL_FROM: 'Waypost <calendar@waypost.test>' }
    service = await openService({ engine, env, overrides: { clock, providers: { ...providers, imap } } })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  function tenantOf(id: string, key: string): Tenant {
    const call: Call = (method, path, rest) => service.call(method, path, { key, ...rest })
    const connect: Tenant['connect'] = async (email) => {
      const body = { provider: 'virtual-calendar', settings: { email } }
      return (await call('POST', '/v3/connect/custom', { body })).body.data
    }
    return {
      id,
      key,
      call,
      connect,
      async newCalendarAccount() {
        const email = `${crypto.randomUUID()}@mail.test`
        const calendarAccount = accountOf(call, { grantId: (await connect(email)).id, email })
        return { ...calendarAccount, calendarId: (await calendarAccount.createCalendar()).id }
      },
    }
  }
  async function newTenant(): Promise<Tenant> {
    const { id, key } = await service.createApplication()
    const tenant = tenantOf(id, key)
    await tenant.call('POST', '/v3/connectors', { body: { provider: 'virtual-calendar' } })
    return tenant
  }
  const reported = (grantId: string) =>
    notificationsOf(service.services.storage.database, grantId, service.services.storage.payloads.seals)
  /** The notifications that the work causes for a grant. */
  async function reportedBy(grantId: string, work: () => Promise<unknown>): Promise<NotificationRow[]> {
    const before = (await reported(grantId)).length
    await work()
    return (await reported(grantId)).slice(before)
  }
  const typesOf = (rows: readonly NotificationRow[]): string[] => rows.map((row) => row.type)
  const quiet: Output = { json: true, write: () => undefined, progress: () => undefined }

  describe('a grant', () => {
    const namesOf = (grant: Json, connectorId: unknown = expect.any(String)) => ({
      grant_id: grant.id,
      integration_id: connectorId,
      provider: grant.provider,
      email: grant.email,
    })

    test('that authenticates with custom authentication sends grant.created, with the connector as integration', async () => {
      const tenant = await newTenant()
      const grant = await tenant.connect('ann@mail.test')
      const connector = (await tenant.call('GET', '/v3/connectors/virtual-calendar')).body.data
      const [row, ...more] = await reported(grant.id)
      expect(more).toEqual([])
      expect(row).toMatchObject({ type: 'grant.created', source: '/waypost/system', application_id: tenant.id })
      const names = namesOf(grant, connector.id)
      expect(row?.object).toEqual({ code: 25012, ...names, name: grant.name, scope: [] })
    })

    test('that fails to authenticate sends nothing', async () => {
      const tenant = await newTenant()
      const before = await countReported()
      await tenant.call('POST', '/v3/connect/custom', { body: { provider: 'virtual-calendar', settings: {} } })
      await tenant.call('POST', '/v3/connect/custom', { body: mailbox() })
      expect(await countReported()).toEqual(before)
    })

    test('that authenticates again sends grant.updated with code 25027 and the flag, whether valid or invalid', async () => {
      const tenant = await newTenant()
      const grant = await tenant.connect('ann@mail.test')
      const again = await reportedBy(grant.id, () => tenant.connect('ann@mail.test'))
      expect(again.map((row) => row.object)).toEqual([{ code: 25027, ...namesOf(grant), reauthentication_flag: true }])
      await revoke(tenant, grant.id)
      const revived = await reportedBy(grant.id, () => tenant.connect('ann@mail.test'))
      expect(typesOf(revived)).toEqual(['grant.updated'])
      expect(revived[0]?.object).toMatchObject({ code: 25027, reauthentication_flag: true })
    })

    const revoke = (tenant: Tenant, id: string) =>
      service.call('POST', `/v3/admin/applications/${tenant.id}/grants/${id}/revoke`, { admin: true })

    test('whose settings, scope, metadata or external id are changed by PATCH sends grant.updated with code 25014', async () => {
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
        { metadata: { a: 'c' } },
        { metadata: {} },
      ]) {
        const rows = await reportedBy(grant.id, patch(body))
        expect(rows.map((row) => row.object)).toEqual([
          { code: 25014, ...namesOf(grant), reauthentication_flag: false },
        ])
      }
    })

    test('sends nothing for a PATCH that changes nothing', async () => {
      const tenant = await newTenant()
      const grant = await tenant.connect('ann@mail.test')
      const patch = async (body: unknown) =>
        expectStatus(await tenant.call('PATCH', `/v3/grants/${grant.id}`, { body }), 200)
      await patch({ external_id: 'mine', metadata: { a: 'b' } })
      const rows = await reportedBy(grant.id, async () => {
        await patch({ metadata: { a: 'b' } })
        await patch({ external_id: 'mine', scope: [], settings: { email: 'ann@mail.test' } })
        await patch({})
      })
      expect(rows).toEqual([])
    })

    test('sends nothing for a refused change', async () => {
      const tenant = await newTenant()
      const grant = await tenant.connect('ann@mail.test')
      const other = await tenant.connect('ben@mail.test')
      await tenant.call('PATCH', `/v3/grants/${other.id}`, { body: { external_id: 'taken' } })
      const rows = await reportedBy(grant.id, async () => {
        const body = { external_id: 'taken', scope: ['x'] }
        expectStatus(await tenant.call('PATCH', `/v3/grants/${grant.id}`, { body }), 409)
      })
      expect(rows).toEqual([])
    })

    test('that the administrator revokes, by API or command, sends grant.expired once', async () => {
      const tenant = await newTenant()
      for (const way of [
        (id: string) => revoke(tenant, id),
        (id: string) => grantsRevoke(service.services, { words: [id], options: { app: tenant.id, json: true } }, quiet),
      ]) {
        const grant = await tenant.connect(`${crypto.randomUUID()}@mail.test`)
        clock.advance(5000)
        const rows = await reportedBy(grant.id, () => way(grant.id))
        expect(rows.map((row) => row.object)).toEqual([
          { code: 25009, ...namesOf(grant), grant_updated_at: grant.updated_at },
        ])
        expect(await reportedBy(grant.id, () => way(grant.id))).toEqual([])
      }
    })

    test('sends nothing when blocked', async () => {
      const tenant = await newTenant()
      const grant = await tenant.connect('ann@mail.test')
      const path = `/v3/admin/applications/${tenant.id}/grants/${grant.id}`
      const rows = await reportedBy(grant.id, async () => {
        expectStatus(await service.call('PATCH', path, { admin: true, body: { blocked: true } }), 200)
      })
      expect(rows).toEqual([])
    })

    test('sends grant.expired when its connector is deleted, and grant.deleted when removed after the grace period', async () => {
      const tenant = await newTenant()
      const grants = [await tenant.connect('ann@mail.test'), await tenant.connect('ben@mail.test')]
      const retained = await tenant.connect('cleo@mail.test')
      await revoke(tenant, retained.id)
      expectStatus(await tenant.call('DELETE', '/v3/connectors/virtual-calendar'), 200)
      for (const { id } of grants) expect(typesOf(await reported(id))).toEqual(['grant.created', 'grant.expired'])
      expect(typesOf(await reported(retained.id))).toEqual(['grant.created', 'grant.expired'])
      clock.advance(4 * day)
      await purgeExpired(service.services)
      for (const { id } of grants) {
        expect(typesOf(await reported(id))).toEqual(['grant.created', 'grant.expired', 'grant.deleted'])
      }
    })

    test('sends grant.expired when its credential is deleted', async () => {
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
      expect(typesOf(await reported(grant.id))).toEqual(['grant.created', 'grant.expired'])
    })

    test('that is deleted by API or command, valid or not, sends grant.deleted, and notifications with its data are erased', async () => {
      const tenant = await newTenant()
      const { database } = service.services.storage
      const destination = await addDestination(database, tenant.id, ['event.created', 'grant.deleted'])
      const other = await tenant.newCalendarAccount()
      await other.create(other.calendarId, { title: 'Stays', when: span('2026-06-02T09:00') })
      for (const way of [
        (id: string) => tenant.call('DELETE', `/v3/grants/${id}`),
        (id: string) => grantsDelete(service.services, { words: [id], options: { app: tenant.id } }, quiet),
        async (id: string) => {
          await revoke(tenant, id)
          await tenant.call('DELETE', `/v3/grants/${id}`)
        },
      ]) {
        const calendarAccount = await tenant.newCalendarAccount()
        await calendarAccount.create(calendarAccount.calendarId, { title: 'Private', when: span('2026-06-02T09:00') })
        await way(calendarAccount.grantId)
        const rows = (
          await service.services.storage.database.transaction((tx) =>
            queueOf(tx, service.services.storage.payloads.seals),
          )
        ).filter((row) => row.webhook_id === destination)
        expect(rows.every((row) => row.reported !== undefined)).toBe(true)
        const mine = rows.filter((row) => row.reported?.grant_id === calendarAccount.grantId)
        expect(mine.map((row) => row.reported?.type)).toEqual(['grant.deleted'])
        const { payload = '{}', sequence = 0 } = mine[0]?.reported ?? {}
        expect(JSON.parse(payload).object).toEqual({
          code: 25013,
          ...namesOf({ id: calendarAccount.grantId, provider: 'virtual-calendar', email: calendarAccount.email }),
        })
        // Created, calendar, event, perhaps expired: the sequence continues from there.
        expect(sequence).toBeGreaterThanOrEqual(4)
        const before = rows.filter((row) => row.reported?.grant_id === other.grantId)
        expect(before.map((row) => row.reported?.type)).toEqual(['event.created'])
      }
    })

    test('of the sandbox sends the same notifications', async () => {
      const grant = await service.createGrant('sandy@mail.test')
      await service.call('DELETE', `/v3/grants/${grant.id}`)
      expect(typesOf(await reported(grant.id))).toEqual(['grant.created', 'grant.deleted'])
    })

    test('that is deleted while its events change leaves no data behind', async () => {
      const tenant = await newTenant()
      const calendarAccount = await tenant.newCalendarAccount()
      const creations = Array.from({ length: 12 }, () =>
        calendarAccount.post(
          '/events',
          { when: span('2026-06-02T09:00') },
          { calendar_id: calendarAccount.calendarId },
        ),
      )
      const deletion = tenant.call('DELETE', `/v3/grants/${calendarAccount.grantId}`)
      const answers = await Promise.all([...creations, deletion])
      expect(answers.at(-1)?.status).toBe(200)
      expect(answers.map(({ status }) => status).every((status) => status === 200 || status === 404)).toBe(true)
      const { database } = service.services.storage
      const left = (await database.transaction((tx) => notifiedTypes(tx))).filter(
        (row) => row.grant_id === calendarAccount.grantId,
      )
      expect(left.map((row) => row.type)).toEqual(['grant.created', 'grant.deleted'])
    })
  })

  describe('a calendar', () => {
    test('that is created, changed and deleted sends calendar.created, .updated and .deleted', async () => {
      const calendarAccount = await (await newTenant()).newCalendarAccount()
      let calendar: Json
      const created = await reportedBy(calendarAccount.grantId, async () => {
        calendar = await calendarAccount.createCalendar({ name: 'Second', description: 'd', metadata: { key1: 'a' } })
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
        const rows = await reportedBy(calendarAccount.grantId, async () => {
          calendar = expectStatus(await calendarAccount.put(`/calendars/${calendar.id}`, change), 200).body.data
        })
        expect(rows.map(({ type, object }) => ({ type, object }))).toEqual([
          { type: 'calendar.updated', object: calendar },
        ])
      }
      const deleted = await reportedBy(calendarAccount.grantId, () =>
        calendarAccount.delete(`/calendars/${calendar.id}`),
      )
      const { metadata: _, description: _d, location: _l, ...names } = calendar
      expect(deleted.map(({ type, object }) => ({ type, object }))).toEqual([
        { type: 'calendar.deleted', object: names },
      ])
    })

    test('sends nothing for changes of only metadata or color, or of nothing', async () => {
      const calendarAccount = await (await newTenant()).newCalendarAccount()
      const rows = await reportedBy(calendarAccount.grantId, async () => {
        for (const change of [
          { metadata: { key1: 'b' } },
          { hex_color: '#112233', hex_foreground_color: '#ffffff' },
          { name: 'Work', timezone: 'UTC', description: null },
          {},
        ]) {
          expectStatus(await calendarAccount.put(`/calendars/${calendarAccount.calendarId}`, change), 200)
        }
      })
      expect(rows).toEqual([])
    })

    test('created through the virtual calendar endpoint sends the same notification', async () => {
      const tenant = await newTenant()
      const grant = await tenant.connect('ann@mail.test')
      const rows = await reportedBy(grant.id, async () => {
        const body = { name: 'Main', grant_id: grant.id }
        expectStatus(await tenant.call('POST', '/v3/calendars', { body }), 200)
      })
      expect(typesOf(rows)).toEqual(['calendar.created'])
    })

    test('that is deleted sends one notification, and none for its events', async () => {
      const calendarAccount = await (await newTenant()).newCalendarAccount()
      const { id } = await calendarAccount.createCalendar({ name: 'Second' })
      await calendarAccount.create(id, { title: 'a', when: span('2026-06-02T09:00') })
      expect(
        typesOf(await reportedBy(calendarAccount.grantId, () => calendarAccount.delete(`/calendars/${id}`))),
      ).toEqual(['calendar.deleted'])
    })

    test('whose time zone changes moves its all-day events without notifications', async () => {
      const calendarAccount = await (await newTenant()).newCalendarAccount()
      await calendarAccount.create(calendarAccount.calendarId, { when: { date: '2026-06-02' } })
      const change = () => calendarAccount.put(`/calendars/${calendarAccount.calendarId}`, { timezone: 'Asia/Tokyo' })
      expect(typesOf(await reportedBy(calendarAccount.grantId, change))).toEqual(['calendar.updated'])
    })
  })

  describe('an event', () => {
    const zone = 'Europe/Berlin'
    const weekly: Fields = {
      title: 'Weekly',
      when: span('2026-06-02T09:00', 60, zone),
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5'],
    }
    const instancesOf = (calendarAccount: Account & { calendarId: string }, id: string) =>
      calendarAccount.list(calendarAccount.calendarId, { start: noon, end: noon + 90 * 86_400, master_event_id: id })

    test('that is created, changed and deleted sends event.created, .updated and .deleted', async () => {
      const calendarAccount = await (await newTenant()).newCalendarAccount()
      const at = { calendar_id: calendarAccount.calendarId }
      let made: Json
      const created = await reportedBy(calendarAccount.grantId, async () => {
        made = await calendarAccount.create(calendarAccount.calendarId, {
          title: 'One',
          when: span('2026-06-02T09:00'),
        })
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
        const rows = await reportedBy(calendarAccount.grantId, async () => {
          made = await calendarAccount.change(calendarAccount.calendarId, made.id, change)
        })
        expect(rows.map(({ type, object }) => ({ type, object }))).toEqual([{ type: 'event.updated', object: made }])
      }
      const deleted = await reportedBy(calendarAccount.grantId, () => calendarAccount.delete(`/events/${made.id}`, at))
      expect(deleted.map(({ type, object }) => ({ type, object }))).toEqual([
        {
          type: 'event.deleted',
          object: {
            id: made.id,
            object: 'event',
            grant_id: calendarAccount.grantId,
            calendar_id: calendarAccount.calendarId,
          },
        },
      ])
    })

    test('that is deleted is sent with its metadata, without its time and title', async () => {
      const calendarAccount = await (await newTenant()).newCalendarAccount()
      const metadata = { key1: 'mine' }
      const { id } = await calendarAccount.create(calendarAccount.calendarId, {
        title: 'One',
        metadata,
        when: span('2026-06-02T09:00'),
      })
      const [row] = await reportedBy(calendarAccount.grantId, () =>
        calendarAccount.delete(`/events/${id}`, { calendar_id: calendarAccount.calendarId }),
      )
      expect(row?.object).toEqual({
        id,
        object: 'event',
        grant_id: calendarAccount.grantId,
        calendar_id: calendarAccount.calendarId,
        metadata,
      })
    })

    test('sends nothing for changes of only metadata, or of nothing', async () => {
      const calendarAccount = await (await newTenant()).newCalendarAccount()
      const fields = { title: 'One', when: span('2026-06-02T09:00'), participants: [{ email: 'guest@x.test' }] }
      const { id } = await calendarAccount.create(calendarAccount.calendarId, fields)
      const series = await calendarAccount.create(calendarAccount.calendarId, weekly)
      const [instance] = await instancesOf(calendarAccount, series.id)
      const rows = await reportedBy(calendarAccount.grantId, async () => {
        await calendarAccount.change(calendarAccount.calendarId, id, { metadata: { key1: 'a' } })
        await calendarAccount.change(calendarAccount.calendarId, id, fields)
        await calendarAccount.change(calendarAccount.calendarId, id, {})
        await calendarAccount.change(calendarAccount.calendarId, series.id, { metadata: { key1: 'a' } })
        await calendarAccount.change(calendarAccount.calendarId, series.id, weekly)
        await calendarAccount.change(calendarAccount.calendarId, instance.id, { metadata: { key1: 'b' } })
        await calendarAccount.change(calendarAccount.calendarId, instance.id, { title: 'Weekly' })
      })
      expect(rows).toEqual([])
    })

    test('that is a series sends one event.created, and one notification of the master for each change and deletion', async () => {
      const calendarAccount = await (await newTenant()).newCalendarAccount()
      let master: Json
      const created = await reportedBy(calendarAccount.grantId, async () => {
        master = await calendarAccount.create(calendarAccount.calendarId, weekly)
      })
      expect(created.map(({ type, object }) => ({ type, object }))).toEqual([{ type: 'event.created', object: master }])
      const [, second] = await instancesOf(calendarAccount, master.id)
      await calendarAccount.change(calendarAccount.calendarId, second.id, { title: 'Special' })
      // The changed occurrence moves with its series: still one notification.
      const moved = await reportedBy(calendarAccount.grantId, async () => {
        master = await calendarAccount.change(calendarAccount.calendarId, master.id, {
          when: span('2026-06-02T10:00', 60, zone),
        })
      })
      expect(moved.map(({ type, object }) => ({ type, object }))).toEqual([{ type: 'event.updated', object: master }])
      const deleted = await reportedBy(calendarAccount.grantId, () =>
        calendarAccount.delete(`/events/${master.id}`, { calendar_id: calendarAccount.calendarId }),
      )
      expect(typesOf(deleted)).toEqual(['event.deleted'])
    })

    test('with a changed occurrence sends event.updated of the master with occurrences', async () => {
      const calendarAccount = await (await newTenant()).newCalendarAccount()
      const master = await calendarAccount.create(calendarAccount.calendarId, weekly)
      const [, second] = await instancesOf(calendarAccount, master.id)
      for (const title of ['Special', 'More special']) {
        const rows = await reportedBy(calendarAccount.grantId, () =>
          calendarAccount.change(calendarAccount.calendarId, second.id, { title }),
        )
        expect(rows.map(({ type, object }) => ({ type, object }))).toEqual([
          { type: 'event.updated', object: { ...master, occurrences: [second.id] } },
        ])
      }
    })

    test('with a cancelled occurrence sends event.updated of the master with cancelled_occurrences', async () => {
      const calendarAccount = await (await newTenant()).newCalendarAccount()
      const master = await calendarAccount.create(calendarAccount.calendarId, weekly)
      const [, second, third] = await instancesOf(calendarAccount, master.id)
      await calendarAccount.change(calendarAccount.calendarId, third.id, { title: 'Special' })
      for (const { id } of [second, third]) {
        const rows = await reportedBy(calendarAccount.grantId, () =>
          calendarAccount.delete(`/events/${id}`, { calendar_id: calendarAccount.calendarId }),
        )
        const now = await calendarAccount.read(calendarAccount.calendarId, master.id)
        expect(rows.map(({ type, object }) => ({ type, object }))).toEqual([
          { type: 'event.updated', object: { ...now, cancelled_occurrences: [id] } },
        ])
        expect(now.recurrence.join()).toContain('EXDATE')
      }
    })

    test('sends nothing when read, including the events/import endpoint', async () => {
      const calendarAccount = await (await newTenant()).newCalendarAccount()
      const { id } = await calendarAccount.create(calendarAccount.calendarId, weekly)
      const rows = await reportedBy(calendarAccount.grantId, async () => {
        await calendarAccount.list(calendarAccount.calendarId)
        await calendarAccount.read(calendarAccount.calendarId, id)
        expectStatus(await calendarAccount.get('/events/import', { calendar_id: calendarAccount.calendarId }), 200)
        expectStatus(await calendarAccount.get('/calendars'), 200)
      })
      expect(rows).toEqual([])
    })

    test('sends nothing for a retry with the same Idempotency-Key', async () => {
      const calendarAccount = await (await newTenant()).newCalendarAccount()
      const create = () =>
        calendarAccount.post(
          '/events',
          { title: 'Once', when: span('2026-06-02T09:00') },
          { calendar_id: calendarAccount.calendarId },
          { 'idempotency-key': 'the-same' },
        )
      const rows = await reportedBy(calendarAccount.grantId, async () => {
        const first = expectStatus(await create(), 200)
        expect(expectStatus(await create(), 200).body.data).toEqual(first.body.data)
      })
      expect(typesOf(rows)).toEqual(['event.created'])
    })

    test('sends nothing for a failed request, even if it fails after the notification was written', async () => {
      const calendarAccount = await (await newTenant()).newCalendarAccount()
      const { database } = service.services.storage
      const fields = { when: span('2026-06-02T09:00'), participants: [{ email: 'guest@x.test' }] }
      const master = await calendarAccount.create(calendarAccount.calendarId, weekly)
      const rows = await reportedBy(calendarAccount.grantId, async () => {
        const at = { calendar_id: calendarAccount.calendarId }
        expectStatus(await calendarAccount.post('/events', fields, { calendar_id: 'none' }), 404)
        expectStatus(await calendarAccount.put('/events/none', { title: 'x' }, at), 404)
        expectStatus(await calendarAccount.put(`/events/${master.id}`, { recurrence: ['RRULE:FREQ=NEVER'] }, at), 400)
        expectStatus(await calendarAccount.delete(`/calendars/${calendarAccount.calendarId}`), 400)
        // The mail to the guest is written last.
        await database.execute('alter table outbox rename to outbox_away')
        try {
          expectStatus(await calendarAccount.post('/events', fields, at), 500)
        } finally {
          await database.execute('alter table outbox_away rename to outbox')
        }
      })
      expect(rows).toEqual([])
      expect(
        typesOf(
          await reportedBy(calendarAccount.grantId, () => calendarAccount.create(calendarAccount.calendarId, fields)),
        ),
      ).toEqual(['event.created'])
    })

    test('that changes in parallel with others of its grant gets consecutive sequence numbers', async () => {
      const calendarAccount = await (await newTenant()).newCalendarAccount()
      const rows = await reportedBy(calendarAccount.grantId, () =>
        Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            index % 4 === 0
              ? calendarAccount.put(`/calendars/${calendarAccount.calendarId}`, { name: `Name ${index}` })
              : calendarAccount.create(calendarAccount.calendarId, {
                  title: `${index}`,
                  when: span('2026-06-02T09:00'),
                }),
          ),
        ),
      )
      expect(rows.map((row) => row.sequence)).toEqual(Array.from({ length: 20 }, (_, index) => index + 3))
      expect(typesOf(rows).filter((type) => type === 'event.created')).toHaveLength(15)
    })

    test('over 1 MB is sent without its largest field and with the suffix .truncated; the response is complete', async () => {
      const tenant = await newTenant()
      const { database } = service.services.storage
      const destination = await addDestination(database, tenant.id, ['event.created'])
      const calendarAccount = await tenant.newCalendarAccount()
      const text = (length: number, mimeMessage = 'x'): string => mimeMessage.repeat(length)
      // Close to the maximum size of a request body; the fields that the service adds exceed it.
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
      const query = { calendar_id: calendarAccount.calendarId, notify_participants: false }
      const made = expectStatus(await calendarAccount.post('/events', body, query), 200).body.data
      expect(made.participants).toHaveLength(500)
      const [row] = (await queueOf(database, service.services.storage.payloads.seals)).filter(
        ({ webhook_id }) => webhook_id === destination,
      )
      expect(row?.reported).toMatchObject({ type: 'event.created.truncated', grant_id: calendarAccount.grantId })
      const { participants: _, ...rest } = made
      expect(JSON.parse(row?.reported?.payload ?? '{}').object).toEqual(rest)
    })

    test('is sent once to each subscribed destination', async () => {
      const tenant = await newTenant()
      const { database } = service.services.storage
      const events = await addDestination(database, tenant.id, ['event.created', 'event.updated'])
      const grants = await addDestination(database, tenant.id, ['grant.created'])
      const paused = await addDestination(database, tenant.id, ['event.created'], 'pause')
      const calendarAccount = await tenant.newCalendarAccount()
      const { id } = await calendarAccount.create(calendarAccount.calendarId, {
        title: 'One',
        when: span('2026-06-02T09:00'),
      })
      await calendarAccount.change(calendarAccount.calendarId, id, { title: 'Two' })
      const queue = await queueOf(database, service.services.storage.payloads.seals)
      const waiting = (destination: string) =>
        queue.filter((row) => row.webhook_id === destination).map((row) => row.reported?.type)
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
      await importAccounts(service, [account(name, { events })], { app: tenant.id })
      if (again) {
        await importAccounts(
          service,
          [account(name, { events: [event('a', { title: 'x', updated_at: 1_799_000_000 })] })],
          {
            app: tenant.id,
          },
        )
      }
      const { body } = await tenant.call('GET', `/v3/grants/${name}@example.com`)
      return { tenant, calendarAccount: accountOf(tenant.call, { grantId: body.data.id, email: body.data.email }) }
    }

    test('sends nothing on its first and later runs, because its data existed before', async () => {
      const { calendarAccount } = await imported('quiet', true)
      expect(await reported(calendarAccount.grantId)).toEqual([])
      expect(await calendarAccount.list('cal', { start: monday - week, end: monday + 4 * week })).toHaveLength(1)
    })

    test('is followed by notifications of later changes, with the account_id of version 2', async () => {
      const { calendarAccount } = await imported('later')
      await calendarAccount.create('cal', { title: 'New', when: span('2026-11-24T09:00') })
      const [row] = await reported(calendarAccount.grantId)
      expect(row).toMatchObject({ type: 'event.created', sequence: 1, object: { account_id: 'acc-later' } })
    })

    test('an answer to an invitation sends event.updated, of the master if it is for one occurrence', async () => {
      const { calendarAccount } = await imported('guest')
      const answer = (id: string, status: string) => async () =>
        expectStatus(await calendarAccount.post(`/events/${id}/send-rsvp`, { status }, { calendar_id: 'cal' }), 200)
      const rows = await reportedBy(calendarAccount.grantId, answer('a', 'yes'))
      expect(rows.map(({ type, object }) => ({ type, status: object.participants[0].status }))).toEqual([
        { type: 'event.updated', status: 'yes' },
      ])
      expect(await reportedBy(calendarAccount.grantId, answer('a', 'yes'))).toEqual([])
      const second = `s_${new Date((monday + week) * 1000).toISOString().replace(/[-:]|\.000/g, '')}`
      const [master, ...more] = await reportedBy(calendarAccount.grantId, answer(second, 'no'))
      expect(more).toEqual([])
      expect(master).toMatchObject({ type: 'event.updated', object: { id: 's', occurrences: [second] } })
      expect(master?.object.participants[0].status).toBe('noreply')
    })
  })

  /** The number of notifications in the whole service. */
  const countReported = async () => (await notifiedTypes(service.services.storage.database)).length
})
