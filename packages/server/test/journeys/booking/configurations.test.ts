/** Configurations of booking pages: creation, rules, changes and deletion, by API key, access token and the published client. */
import { randomUUID } from 'node:crypto'
import { insertBooking } from '@waypost/store/tables/scheduling/bookings'
import { enginesFor } from '@waypost/testing/engines'
import { failureOf, Nylas } from '@waypost/testing/peers/nylas'
import { sql } from '@waypost/testing/statement'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeExpired } from '../../../src/housekeeping.ts'
import { type CallOptions, openService, type TestService } from '../../harness.ts'

const storedConfigurations = sql<{ id: string }>('test.storedConfigurations', 'select id from scheduler_configurations')

const host = (email: string, more: object = {}) => ({
  email,
  availability: { calendar_ids: ['primary'] },
  booking: { calendar_id: 'primary' },
  ...more,
})

describe.each(enginesFor(import.meta.url))('configurations on %s', (engine) => {
  const clock = testClock()
  let service: TestService
  let application: { id: string; key: string }
  let ann: string
  const email = 'ann@x.test'
  const page = (more: object = {}) => ({
    participants: [host(email, { name: 'Ann' })],
    availability: { duration_minutes: 30 },
    event_booking: { title: 'Meeting' },
    ...more,
  })
  const at = (id = '') => `/v3/grants/${ann}/scheduling/configurations${id && `/${id}`}`
  const call = (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
    service.call(method, path, { key: application.key, ...(body === undefined ? {} : { body }), ...options })
  const create = async (more: object = {}) => {
    const { status, body } = await call('POST', at(), page(more))
    expect(body.error).toBeUndefined()
    expect(status).toBe(200)
    return body.data
  }
  const problemsOf = async (body: object, path = at(), method = 'POST') => {
    const answer = await call(method, path, body)
    expect(answer.status).toBe(400)
    return answer.body.error.validation_errors
  }

  beforeAll(async () => {
    service = await openService({ engine, overrides: { clock } })
    application = await service.createApplication('Pages')
    ann = (await service.createGrant(email, application.key)).id
    await service.createGrant('bob@x.test', application.key)
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test('a configuration is created with defaults, read, listed, changed and deleted', async () => {
    const made = await create({ slug: 'intro' })
    expect(made).toMatchObject({ name: 'Ann', slug: 'intro', scheduler: { min_booking_notice: 60 } })
    expect((await call('GET', at(made.id))).body.data).toEqual(made)
    expect((await call('GET', at(made.id.toUpperCase()))).body.data).toEqual(made)
    expect((await call('GET', at())).body.data).toContainEqual(made)

    const scheduler = { min_booking_notice: 120, cancellation_policy: 'Please tell us.' }
    const changed = (await call('PUT', at(made.id), { name: 'Hello', scheduler })).body.data
    expect(changed).toEqual({ ...made, name: 'Hello', scheduler: { ...made.scheduler, ...scheduler } })
    // A nested object replaces the previous one.
    const again = (await call('PATCH', at(made.id), { scheduler: { available_days_in_future: 5 } })).body.data
    expect(again.scheduler).toMatchObject({ available_days_in_future: 5, min_booking_notice: 60 })
    expect(again.scheduler).not.toHaveProperty('cancellation_policy')
    expect(again.name).toBe('Hello')

    expect((await call('DELETE', at(made.id))).status).toBe(200)
    expect((await call('GET', at(made.id))).status).toBe(404)
    expect((await call('DELETE', at(made.id))).status).toBe(404)
  })

  test('an access token creates and changes configurations of its grant, and sends whole answers back', async () => {
    const client = { client_id: application.id, client_secret: application.key }
    const tokens = { grant_type: 'client_credentials', ...client, grant_id: ann }
    const { access_token: key } = (await call('POST', '/v3/connect/token', tokens, { key: null })).body
    const mine = '/v3/grants/me/scheduling/configurations'
    // The body that the public editor sends.
    const sent = {
      version: '1.0.0',
      availability: {
        ...{ duration_minutes: 30, interval_minutes: 30 },
        availability_rules: {
          ...{ default_specific_time_availability: [], only_specific_time_availability: false },
          ...{ availability_method: 'collective', buffer: { before: 0, after: 0 }, round_robin_group_id: '' },
          default_open_hours: [{ days: [1, 2], ex_dates: [], timezone: 'Europe/Berlin', start: '09:00', end: '17:00' }],
        },
      },
      participants: [
        host(email, {
          ...{ name: 'Ann', is_organizer: true, timezone: 'Europe/Berlin', specific_time_availability: [] },
          availability: { calendar_ids: ['primary'], open_hours: [] },
        }),
        { email: 'invited@x.test', name: '' },
      ],
      event_booking: {
        ...{ title: 'Talk', description: '', location: '', booking_type: 'booking', timezone: 'Europe/Berlin' },
        ...{ conferencing: {}, disable_emails: false },
      },
      scheduler: { cancellation_policy: '', confirmation_redirect_url: '', additional_fields: {} },
      appearance: {},
    }
    const made = (await call('POST', mine, sent, { key })).body.data
    expect(made.participants[1]).toMatchObject({ availability: { calendar_ids: [] }, booking: { calendar_id: '' } })
    const back = await call('PUT', `${mine}/${made.id}`, { ...made, name: 'Renamed' }, { key })
    expect(back.body.data).toEqual({ ...made, name: 'Renamed' })
    expect((await call('GET', '/v3/scheduling/configurations', undefined, { key })).status).toBe(401)
    const foreign = `/v3/grants/bob@x.test/scheduling/configurations`
    expect((await call('GET', foreign, undefined, { key })).body.error.type).toBe('grant.access_denied')
  })

  test('participants with calendars need a valid grant of the application; the problem names the field', async () => {
    const stranger = host('stranger@x.test')
    expect(await problemsOf(page({ participants: [host(email, { is_organizer: true }), stranger] }))).toEqual({
      'participants.1.email': expect.stringContaining('no valid grant'),
    })
    const unknown = host('alias@x.test', { grant_id: randomUUID() })
    expect(Object.keys(await problemsOf(page({ participants: [unknown] })))).toEqual(['participants.0.grant_id'])
    const alias = host('alias@x.test', { grant_id: ann, is_organizer: true })
    const made = await create({ participants: [alias, { email: 'stranger@x.test' }, host('bob@x.test')] })
    expect(made.participants.map((each: { grant_id?: string }) => each.grant_id)).toEqual([ann, undefined, undefined])
  })

  test('a slug is unique in its application, and available again after the deletion', async () => {
    const first = await create({ slug: 'Team.1' })
    expect(await problemsOf(page({ slug: 'Team.1' }))).toEqual({ slug: expect.stringContaining('another') })
    const second = await create()
    expect(Object.keys(await problemsOf({ slug: 'Team.1' }, at(second.id), 'PUT'))).toEqual(['slug'])
    expect(Object.keys(await problemsOf(page({ slug: 'a/b' })))).toEqual(['slug'])
    const other = await service.createApplication('Other')
    const eve = await service.createGrant('eve@x.test', other.key)
    const elsewhere = await service.call('POST', `/v3/grants/${eve.id}/scheduling/configurations`, {
      key: other.key,
      body: page({ slug: 'Team.1', participants: [host('eve@x.test')] }),
    })
    expect(elsewhere.status).toBe(200)
    await call('DELETE', at(first.id))
    expect((await call('PUT', at(second.id), { slug: 'Team.1' })).body.data.slug).toBe('Team.1')
    // An update without a change keeps the slug, and null removes it.
    expect((await call('PUT', at(second.id), { slug: 'Team.1' })).status).toBe(200)
    expect((await call('PUT', at(second.id), { slug: null })).body.data.slug).toBeNull()
  })

  test('of concurrent requests for one slug, one succeeds', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('POST', at(), page({ slug: 'contended' }))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
  })

  test('the type cannot change, and a group has its own fields', async () => {
    const group = { type: 'group', name: 'Class', group_booking: { calendar_id: 'primary' } }
    const made = (await call('POST', at(), group)).body.data
    expect(made).toMatchObject({ type: 'group', participants: [], group_booking: { default_capacity: 10 } })
    expect((await call('PUT', at(made.id), made)).body.data).toEqual(made)
    expect(Object.keys(await problemsOf({ type: '' }, at(made.id), 'PUT'))).toEqual(['type'])
  })

  test('hours without a time zone are returned with the zone that applies', async () => {
    const hours = { days: [1], start: '9:00', end: '17:00' }
    const made = await create({
      participants: [host(email, { availability: { calendar_ids: ['primary'], open_hours: [hours] } })],
      availability: { duration_minutes: 30, availability_rules: { default_open_hours: [hours] } },
      event_booking: { title: 'Meeting', timezone: 'Asia/Tokyo' },
    })
    expect(made.participants[0].availability.open_hours[0].timezone).toBe('Asia/Tokyo')
    expect(made.availability.availability_rules.default_open_hours[0].timezone).toBe('Asia/Tokyo')
    const moved = await call('PUT', at(made.id), { event_booking: { title: 'Meeting', timezone: 'Europe/Paris' } })
    expect(moved.body.data.participants[0].availability.open_hours[0].timezone).toBe('Europe/Paris')
  })

  test('the application lists the configurations of all grants, page by page, and searches them', async () => {
    const bob = (await call('GET', '/v3/grants/bob@x.test')).body.data.id
    const theirs = `/v3/grants/${bob}/scheduling/configurations`
    const made = (
      await call('POST', theirs, page({ name: 'Über 100%', slug: 'ueber', participants: [host('bob@x.test')] }))
    ).body.data
    const list = '/v3/scheduling/configurations'
    const first = (await call('GET', `${list}?limit=2`)).body
    expect(first.data).toHaveLength(2)
    const next = (await call('GET', `${list}?limit=200&page_token=${first.next_cursor}`)).body.data
    expect([...first.data, ...next].map((each: { id: string }) => each.id)).toContain(made.id)
    for (const words of ['100%', 'UEBER', made.id, 'bob@X']) {
      const found = (await call('GET', `${list}?search=${encodeURIComponent(words)}`)).body.data
      expect(found.map((each: { id: string }) => each.id)).toEqual([made.id])
      expect(found[0].grant_id).toBe(bob)
    }
    expect((await call('GET', `${list}?search=_00`)).body.data).toEqual([])
  })

  test('a configuration with active sessions is not deleted', async () => {
    const { id } = await create()
    const session = (await call('POST', '/v3/scheduling/sessions', { configuration_id: id })).body.data.session_id
    const refused = await call('DELETE', at(id))
    expect(refused.status).toBe(400)
    expect(refused.body.error.message).toContain('1 active sessions')
    await call('DELETE', `/v3/scheduling/sessions/${session}`)
    expect((await call('DELETE', at(id))).status).toBe(200)
  })

  test('a deleted configuration with upcoming bookings is closed, and removed after the last of them', async () => {
    const { id } = await create({ slug: 'busy' })
    const start = Math.floor(clock.now() / 1000) + 3600
    const { database } = service.services.storage
    await database.transaction((tx) =>
      insertBooking(tx, {
        ...{
          id: randomUUID(),
          application_id: application.id,
          configuration_id: id,
          grant_id: ann,
          host_grant_id: ann,
        },
        ...{ status: 'booked', revision: 1, start_time: start, end_time: start + 1800, calendar_id: 'primary' },
        ...{ event_id: 'e', guest_key: 'g', sealed_document: 'x', sealed_intent: null },
        ...{ created_at: clock.now(), updated_at: clock.now() },
      }),
    )
    expect((await call('DELETE', at(id))).status).toBe(200)
    expect((await call('GET', at(id))).status).toBe(404)
    expect((await call('PUT', at(id), { name: 'x' })).status).toBe(404)
    const pageOf = `/v3/scheduling/ui-settings?configuration_id=${id}`
    expect((await call('GET', pageOf, undefined, { key: null })).status).toBe(404)
    expect((await call('POST', '/v3/scheduling/sessions', { configuration_id: id })).status).toBe(404)
    await create({ slug: 'busy' })
    const rows = () => database.all(storedConfigurations, [])
    await purgeExpired(service.services)
    expect((await rows()).map((row) => row.id)).toContain(id)
    clock.advance(2 * 3_600_000)
    await purgeExpired(service.services)
    expect((await rows()).map((row) => row.id)).not.toContain(id)
  })

  test('configurations and sessions are deleted with their grant', async () => {
    const carl = (await service.createGrant('carl@x.test', application.key)).id
    const theirs = `/v3/grants/${carl}/scheduling/configurations`
    const { id } = (await call('POST', theirs, page({ participants: [host('carl@x.test')] }))).body.data
    await call('POST', '/v3/scheduling/sessions', { configuration_id: id })
    expect((await call('DELETE', `/v3/grants/${carl}`)).status).toBe(200)
    const opened = await call('GET', `/v3/scheduling/ui-settings?configuration_id=${id}`, undefined, { key: null })
    expect(opened.status).toBe(404)
  })

  test('booking pages of version 2 are not found', async () => {
    expect((await call('GET', '/v3/scheduling/should-redirect/old')).status).toBe(404)
  })

  test('the published client creates, reads, changes and deletes configurations and sessions', async () => {
    const nylas = new Nylas({ apiKey: application.key, apiUri: await service.listen() })
    const { configurations, sessions } = nylas.scheduler
    const requestBody = {
      participants: [
        {
          ...{ email, name: 'Ann', isOrganizer: true },
          availability: { calendarIds: ['primary'], openHours: [] },
          booking: { calendarId: 'primary' },
        },
      ],
      availability: { durationMinutes: 30, availabilityRules: { buffer: { before: 5, after: 10 } } },
      eventBooking: { title: 'Meeting', timezone: 'Europe/Paris' },
      scheduler: {
        availableDaysInFuture: 10,
        additionalFields: { company_name: { label: 'Company', type: 'text', required: true } },
      },
    }
    const made = (await configurations.create({ identifier: ann, requestBody: requestBody as never })).data
    expect(made.availability.availabilityRules?.buffer).toEqual({ before: 5, after: 10 })
    // The types of the client lack the id.
    const { id: configurationId } = made as typeof made & { id: string }
    expect((await configurations.find({ identifier: ann, configurationId })).data).toEqual(made)
    const listed: unknown[] = []
    for await (const { data } of configurations.list({ identifier: ann })) listed.push(...data)
    expect(listed).toContainEqual(made)
    const slug = { slug: 'by-client' }
    const changed = await configurations.update({ identifier: ann, configurationId, requestBody: slug as never })
    expect(changed.data.slug).toBe('by-client')
    const session = await sessions.create({ requestBody: { configurationId, timeToLive: 10 } })
    expect(session.data.sessionId).toMatch(/^wpss_/)
    const refused = await failureOf(configurations.destroy({ identifier: ann, configurationId }))
    expect([refused.statusCode, refused.type]).toEqual([400, 'invalid_request_error'])
    await sessions.destroy({ sessionId: session.data.sessionId })
    await configurations.destroy({ identifier: ann, configurationId })
    expect((await failureOf(configurations.find({ identifier: ann, configurationId }))).statusCode).toBe(404)
  })
})
