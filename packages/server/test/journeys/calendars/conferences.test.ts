/** Conferences that another grant of the application creates, for events at every kind of calendar. */

import { createEgress } from '@waypost/platform/egress/egress'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import { Nylas } from '@waypost/testing/peers/nylas'
import { sharedRadicale } from '@waypost/testing/peers/radicale'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type GoogleSimulator,
  type MicrosoftSimulator,
  startExchange,
  startGoogle,
  startMicrosoft,
  startZoom,
  type ZoomSimulator,
} from '../../../../simulators/src/index.ts'
import { imapSettings } from '../../conformance/imap-subject.ts'
import { openService, type TestService } from '../../harness.ts'
import { createExchangeGrant, exchangePassword } from '../../peers/exchange.ts'
import { createGoogleGrant, scope } from '../../peers/google.ts'
import { createMicrosoftGrant } from '../../peers/microsoft.ts'
import { createZoomGrant, zoomEnv } from '../../peers/zoom.ts'

const email = 'ada@example.com'
const resources = new AsyncDisposableStack()
let service: TestService
let zoom: ZoomSimulator
let google: GoogleSimulator
let microsoft: MicrosoftSimulator
let key = ''
let applicationId = ''
/** The grant of the event and its calendar, by kind. */
const calendars: Record<string, { grant: string; calendar: string }> = {}
/** The grant that creates each conference. */
const creators: Record<string, string> = {}

beforeAll(async () => {
  zoom = resources.use(await startZoom())
  google = resources.use(await startGoogle())
  microsoft = resources.use(await startMicrosoft())
  const exchange = resources.use(await startExchange())
  service = resources.use(
    await openService({
      env: {
        ...zoomEnv(zoom),
        WAYPOST_GOOGLE_URL: google.url,
        WAYPOST_MICROSOFT_URL: microsoft.url,
        WAYPOST_EWS_URL: exchange.url,
      },
    }),
  )
  const application = await service.createApplication('Conferences')
  key = application.key
  applicationId = application.id
  zoom.addAccount({ email })
  google.addAccount({ email })
  microsoft.addAccount({ email: 'ada@contoso.example' })
  exchange.addAccount({ email: 'ada@exchange.example', name: 'Ada', password: exchangePassword })
  const googleScopes = [...['openid', 'email', 'profile'], scope('calendar'), scope('meetings.space.created')]
  const teamsScopes = ['openid', 'offline_access', 'User.Read', 'Calendars.ReadWrite', 'OnlineMeetings.ReadWrite']
  const atGoogle = await createGoogleGrant(service, google, { email, key, scopes: googleScopes })
  const atMicrosoft = await createMicrosoftGrant(service, microsoft, {
    ...{ email: 'ada@contoso.example', key, scopes: teamsScopes },
  })
  const atExchange = await createExchangeGrant(service, { email: 'ada@exchange.example', key })
  const atZoom = await createZoomGrant(service, zoom, { email, key })
  await call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
  const room = await call('POST', '/v3/connect/custom', {
    provider: 'virtual-calendar',
    settings: { email: 'room@example.com' },
  })
  const made = await call('POST', '/v3/grants/room@example.com/calendars', { name: 'Room' })
  Object.assign(calendars, {
    virtual: { grant: room.body.data.id, calendar: made.body.data.id },
    google: { grant: atGoogle.id, calendar: 'primary' },
    microsoft: { grant: atMicrosoft.id, calendar: 'primary' },
    ews: { grant: atExchange.id, calendar: 'primary' },
  })
  Object.assign(creators, { 'Google Meet': atGoogle.id, 'Microsoft Teams': atMicrosoft.id, 'Zoom Meeting': atZoom.id })
})
afterAll(() => resources.disposeAsync())

const call = (method: string, path: string, body?: unknown, options: object = {}) =>
  service.call(method, path, { key, ...(body === undefined ? {} : { body }), ...options })
const when = { start_time: 1893492000, end_time: 1893493800 }
const order = (provider: string, more: object = {}) => ({
  provider,
  autocreate: { conf_grant_id: creators[provider], ...more },
})
const create = (kind: string, conferencing: unknown, more: object = {}, options: object = {}) => {
  const { grant = '', calendar = '' } = calendars[kind] ?? {}
  const body = { title: 'Notes', when, conferencing, ...more }
  return call('POST', `/v3/grants/${grant}/events?calendar_id=${calendar}`, body, options)
}

const addresses: Record<string, RegExp> = {
  'Google Meet': /^https:\/\/meet\.google\.com\//,
  'Microsoft Teams': /^https:\/\/teams\.microsoft\.com\//,
  'Zoom Meeting': /^https:\/\/zoom\.example\/j\/\d+\?pwd=/,
}

describe.each(['virtual', 'google', 'microsoft', 'ews'])('an event at %s', (kind) => {
  test.each(Object.keys(addresses))('has a %s that another grant creates', async (provider) => {
    const made = await create(kind, order(provider))
    expect(made.status, JSON.stringify(made.body)).toBe(200)
    const { grant, calendar } = calendars[kind] ?? {}
    const read = await call('GET', `/v3/grants/${grant}/events/${made.body.data.id}?calendar_id=${calendar}`)
    const { conferencing } = read.body.data
    expect(conferencing).toMatchObject({
      provider,
      details: { url: expect.stringMatching(addresses[provider] ?? /^$/) },
    })
    expect(conferencing).not.toHaveProperty('autocreate')
  })

  test('gets a conference when it is changed', async () => {
    const { grant, calendar } = calendars[kind] ?? {}
    const { id } = (await create(kind, undefined, { title: 'Later' })).body.data
    const path = `/v3/grants/${grant}/events/${id}?calendar_id=${calendar}`
    const changed = await call('PUT', path, { conferencing: order('Zoom Meeting') })
    expect(changed.body.data.conferencing.details.url).toMatch(/zoom/)
    expect(zoom.meetings().at(-1)).toMatchObject({ topic: 'Later', start_time: '2030-01-01T10:00:00Z', duration: 30 })
  })
})

test('an event at a CalDAV server has a Zoom meeting', async () => {
  await using mail = await sharedDovecot()
  await using dav = await sharedRadicale()
  const egress = createEgress({ mode: 'private', trustLoopback: true, ca: [mail.ca] })
  await using own = await openService({ env: zoomEnv(zoom), overrides: { egress } })
  const { key } = await own.createApplication('CalDAV')
  const mailbox = await mail.addUser()
  await dav.addDavUser(mailbox.user.split('@')[0], mailbox.password)
  await own.call('POST', '/v3/connectors', { key, body: { provider: 'imap' } })
  const settings = { ...imapSettings(mail, mailbox), caldav_url: dav.davUrl, carddav_url: 'none', watch: false }
  const custom = await own.call('POST', '/v3/connect/custom', { key, body: { provider: 'imap', settings } })
  const { id } = custom.body.data
  const { id: confGrant } = await createZoomGrant(own, zoom, { email, key })
  const calendar = (await own.call('POST', `/v3/grants/${id}/calendars`, { key, body: { name: 'Own' } })).body.data.id
  const conferencing = { provider: 'Zoom Meeting', autocreate: { conf_grant_id: confGrant } }
  const path = `/v3/grants/${id}/events`
  const at = `?calendar_id=${encodeURIComponent(calendar)}`
  const made = await own.call('POST', `${path}${at}`, { key, body: { title: 'Notes', when, conferencing } })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  const read = await own.call('GET', `${path}/${encodeURIComponent(made.body.data.id)}${at}`, { key })
  const { join_url: url, id: code, password } = zoom.meetings().at(-1) ?? {}
  expect(read.body.data.conferencing).toMatchObject({
    provider: 'Zoom Meeting',
    details: { url, meeting_code: String(code), password },
  })
})

test('the nylas client orders a Zoom meeting, and reads its address', async () => {
  const nylas = new Nylas({ apiKey: key, apiUri: await service.listen(), timeout: 60 })
  const { grant: identifier = '', calendar: calendarId = '' } = calendars.virtual ?? {}
  const autocreate = { confGrantId: creators['Zoom Meeting'], confSettings: { waitingRoom: true } }
  const made = await nylas.events.create({
    identifier,
    requestBody: {
      title: 'Notes',
      when: { startTime: when.start_time, endTime: when.end_time },
      conferencing: { provider: 'Zoom Meeting', autocreate },
    },
    queryParams: { calendarId },
  })
  const { data } = await nylas.events.find({ identifier, eventId: made.data.id, queryParams: { calendarId } })
  expect(data.conferencing).toEqual(made.data.conferencing)
  expect(data.conferencing).toMatchObject({
    provider: 'Zoom Meeting',
    details: { url: expect.stringMatching(addresses['Zoom Meeting'] ?? /^$/), meetingCode: expect.any(String) },
  })
})

describe('an ordered conference', () => {
  const count = () => zoom.meetings().length

  test('has the settings of the request, and no time if its event repeats', async () => {
    const settings = { conf_settings: { mute_upon_entry: true } }
    await create('virtual', order('Zoom Meeting', settings), { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
    expect(zoom.meetings().at(-1)).toMatchObject({ type: 3, settings: { mute_upon_entry: true } })
  })

  test('is created by the Zoom grant of an address', async () => {
    const made = await create('virtual', { provider: 'Zoom Meeting', autocreate: { conf_grant_id: email } })
    expect(made.body.data.conferencing.details.meeting_code).toBe(String(zoom.meetings().at(-1)?.id))
  })

  test('is removed if its event is refused', async () => {
    const before = count()
    zoom.clearCalls()
    const refused = await create('virtual', order('Zoom Meeting'), {}, { headers: { 'if-none-overlap': 'true' } })
    expect(refused.status).toBe(409)
    expect(zoom.calls.map(({ method }) => method)).toEqual(['POST', 'DELETE'])
    expect(count()).toBe(before)
  })

  test('that its provider refuses leaves no event, and the error names the grant and the reason', async () => {
    const { grant, calendar } = calendars.google ?? {}
    const list = async () =>
      (await call('GET', `/v3/grants/${grant}/events?calendar_id=${calendar}&start=1893400000&end=1893500000`)).body
        .data.length
    const before = await list()
    zoom.fail({ method: 'POST', path: '/v2/users/me/meetings' }, { status: 400, code: 3161, message: 'No license' })
    const refused = await create('google', order('Zoom Meeting'))
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.body.error.message).toContain(creators['Zoom Meeting'])
    expect(refused.body.error.message).toContain('No license')
    expect(await list()).toBe(before)
  })

  test('cannot be created through an unknown grant, a grant of another application, or one that creates others', async () => {
    const foreign = await service.createApplication('Foreign')
    const other = await createZoomGrant(service, zoom, { email, key: foreign.key })
    const named = async (id: string | undefined) =>
      (await create('virtual', { provider: 'Zoom Meeting', autocreate: { conf_grant_id: id } })).body.error
    const missing = await named('00000000-0000-4000-8000-000000000000')
    expect(missing.message).toContain('names no grant of this application')
    expect((await named(other.id)).message).toBe(missing.message)
    expect((await named(creators['Google Meet'])).message).toContain('does not create a Zoom Meeting')
    expect((await named(undefined)).message).toContain('conf_grant_id: is required')
    const both = { ...order('Zoom Meeting'), details: { url: 'https://x.example' } }
    expect((await create('virtual', both)).status).toBe(400)
    expect((await create('virtual', { provider: 'WebEx', autocreate: {} })).body.error.message).toContain(
      'conferencing.provider',
    )
    const large = order('Zoom Meeting', { conf_settings: { a: 'x'.repeat(17_000) } })
    expect((await create('virtual', large)).body.error.message).toContain('conf_settings')
  })

  test('needs a grant that a restricted key may use', async () => {
    const { grant = '', calendar } = calendars.virtual ?? {}
    const restricted = async (ids: string[]) => {
      const rights = { operations: ['calendar.write'], grants: { ids } }
      const made = await service.call('POST', `/v3/admin/applications/${applicationId}/api-keys`, {
        admin: true,
        body: { name: 'Limited', rights },
      })
      const body = { title: 'Notes', when, conferencing: order('Zoom Meeting') }
      const path = `/v3/grants/${grant}/events?calendar_id=${calendar}`
      return service.call('POST', path, { key: made.body.data.api_key, body })
    }
    const refused = await restricted([grant])
    expect(refused.body.error?.message, JSON.stringify(refused.body)).toContain('names no grant')
    expect((await restricted([grant, creators['Zoom Meeting'] ?? ''])).status).toBe(200)
  })

  test.each([
    ['google', email],
    ['virtual', 'room@example.com'],
  ])('is created by each booking, at %s', async (kind, host) => {
    const { grant = '', calendar = '' } = calendars[kind] ?? {}
    const configuration = {
      participants: [
        {
          ...{ email: host, name: 'Host', is_organizer: true },
          availability: { calendar_ids: [calendar] },
          booking: { calendar_id: calendar },
        },
      ],
      availability: { duration_minutes: 30 },
      event_booking: { title: 'Booked', conferencing: order('Zoom Meeting') },
    }
    const path = `/v3/grants/${grant}/scheduling/configurations`
    const unknown = { provider: 'Zoom Meeting', autocreate: { conf_grant_id: 'nobody@example.com' } }
    const wrong = { ...configuration, event_booking: { title: 'Booked', conferencing: unknown } }
    expect((await call('POST', path, wrong)).body.error.message).toContain('names no grant')
    const { id } = (await call('POST', path, configuration)).body.data
    const from = Math.ceil(Date.now() / 86_400_000) * 86_400 + 86_400
    const at = `configuration_id=${id}`
    const open = await call('GET', `/v3/scheduling/availability?${at}&start_time=${from}&end_time=${from + 86_400}`)
    const { start_time, end_time } = open.body.data.time_slots[0]
    const guest = { name: 'Bob', email: 'bob@example.com' }
    const booked = await call('POST', `/v3/scheduling/bookings?${at}`, { start_time, end_time, guest })
    expect(booked.status, JSON.stringify(booked.body)).toBe(200)
    const { topic, join_url } = zoom.meetings().at(-1) ?? {}
    expect(topic).toBe('Booked')
    const event = await call('GET', `/v3/grants/${grant}/events/${booked.body.data.event_id}?calendar_id=${calendar}`)
    expect(event.body.data.conferencing).toMatchObject({ provider: 'Zoom Meeting', details: { url: join_url } })
  })

  test('survives tokens that expire, and a removed app makes the grant invalid', async () => {
    for (let round = 0; round < 2; round += 1) {
      zoom.expireAccessTokens()
      expect((await create('virtual', order('Zoom Meeting'))).status).toBe(200)
    }
    zoom.account(email).revokeConsent()
    const refused = await create('virtual', order('Zoom Meeting'))
    expect(refused.status).toBe(400)
    expect(refused.body.error.message).toContain('conf_grant_id')
    const { data } = (await call('GET', `/v3/grants/${creators['Zoom Meeting']}`)).body
    expect(data.grant_status).toBe('invalid')
  })
})
