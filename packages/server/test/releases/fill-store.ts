/**
 * Fills the store of a running release through its API with a little of everything that is stored, and reads it back.
 * Times are fixed and far from now, so that the answers stay the same.
 */

import { answerWell, type Listener } from '@waypost/testing/listener'
import { seededToken } from '../../../simulators/src/shared/seed.ts'
import { basic, type Call } from './fixture-client.ts'
import type { Asker, Inventory, Read } from './store-fixture.ts'

export interface Surroundings {
  call: Call
  adminPassword: string
  /** The simulated Google that the service uses. */
  googleClient: { id: string; secret: string }
  /** An IMAP server that accepts every password. */
  imapPort: number
  /** A receiver of notifications, which this ends to answer. */
  listener: Listener
}

type Filled = Omit<Inventory, 'madeAt' | 'settings'>

const person = { email: 'mira@example.com', password: 'slow-otters-cross-the-quay' }
const accountName = 'ada@example.com'
/** 2031-03-03T09:00:00Z, a Monday. */
const monday = 1_930_294_800
const zone = { start_timezone: 'Europe/Stockholm', end_timezone: 'Europe/Stockholm' }
const hour = 3600
const dayInSeconds = 24 * hour

/** A picture of one pixel. */
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export async function fillStore(surroundings: Surroundings): Promise<Filled> {
  const { call, adminPassword, listener } = surroundings
  const administrator = basic('admin', adminPassword)
  const application = await makeApplication(call, administrator)
  const key = `Bearer ${application.apiKey}`
  const make: Make = async (target, body, headers) =>
    (await call('POST', target, { authorization: key, body, headers })).body.data

  await invitePerson(call, administrator, application.applicationId)
  const google = await connectGoogle(make, surroundings)
  const mailbox = await connectMailbox(make, surroundings)
  const webhook = await make('/v3/webhooks', {
    webhook_url: `${listener.url}/hook`,
    trigger_types: ['calendar.created', 'event.created', 'event.updated', 'event.deleted', 'contact.updated'],
    description: 'Bookings',
    notification_email_addresses: ['ops@example.com'],
  })
  listener.answer = (response) => void response.writeHead(503).end()
  const event = await fillCalendar(call, make, key)
  await fillContacts(make, mailbox)
  await make(`/v3/grants/${mailbox}/signatures`, { name: 'Events team', body: '<p>Mira Okafor<br>Events</p>' })
  const letter = { name: 'Welcome', subject: 'Welcome, {{name}}', body: '<p>Dear {{name}}, good to have you.</p>' }
  await make('/v3/templates', letter)
  await make(`/v3/grants/${mailbox}/templates`, { ...letter, name: 'Welcome from me' })
  const scheduled = await scheduleMessage(make, google)
  const waiting = await untilAttempted(call, key, webhook.id)
  listener.answer = answerWell

  const asked: Asked = { call, key, administrator, person: basic(person.email, person.password) }
  return {
    ...application,
    person,
    webhook: { id: webhook.id, secret: webhook.webhook_secret, waiting },
    scheduled,
    event,
    reads: await readEverything(asked, application.applicationId, webhook.id),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what the API answers
type Make = (target: string, body: unknown, headers?: Record<string, string>) => Promise<any>

async function makeApplication(call: Call, authorization: string): Promise<Pick<Filled, 'apiKey' | 'applicationId'>> {
  const made = await call('POST', '/v3/admin/applications', { authorization, body: { name: 'Halls' } })
  const applicationId: string = made.body.data.application_id
  const keys = `/v3/admin/applications/${applicationId}/api-keys`
  const { body } = await call('POST', keys, { authorization, body: { name: 'production' } })
  const apiKey: string = body.data.api_key
  const asApplication = { authorization: `Bearer ${apiKey}` }
  const branding = { name: 'Halls', website_url: 'https://halls.example.com' }
  await call('PATCH', '/v3/applications', { ...asApplication, body: { branding } })
  const redirect = { url: 'https://halls.example.com/callback', platform: 'web' }
  await call('POST', '/v3/applications/redirect-uris', { ...asApplication, body: redirect })
  return { apiKey, applicationId }
}

/** Invites two administrators. One sets a password; the invitation of the other stays open. */
async function invitePerson(call: Call, authorization: string, applicationId: string): Promise<void> {
  const draft = { email: person.email, name: 'Mira Okafor', role: 'owner' }
  const { body } = await call('POST', '/v3/admin/people', { authorization, body: draft })
  const link: string = body.data.invitation_link
  const mark = '#invitation='
  await call('POST', '/v3/admin/invitation/accept', {
    body: { token: link.slice(link.indexOf(mark) + mark.length), password: person.password },
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  const viewer = { email: 'jonas@example.com', name: 'Jonas Lindqvist', role: 'viewer', applications: [applicationId] }
  await call('POST', '/v3/admin/people', { authorization, body: viewer })
}

/** A connector with a client secret, a credential, and a grant with a refresh token. */
async function connectGoogle(make: Make, { googleClient: { id, secret } }: Surroundings): Promise<string> {
  await make('/v3/connectors', { provider: 'google', settings: { client_id: id, client_secret: secret } })
  await make('/v3/connectors/google/creds', {
    name: 'second client',
    credential_type: 'connector',
    credential_data: { client_id: 'another.apps.example.com', client_secret: 'another-secret' },
  })
  const settings = { refresh_token: seededToken(accountName) }
  return (await make('/v3/connect/custom', { provider: 'google', settings })).id
}

async function connectMailbox(make: Make, { imapPort }: Surroundings): Promise<string> {
  await make('/v3/connectors', { provider: 'imap' })
  const place = { imap_host: 'localhost', imap_port: imapPort, watch: false }
  const settings = { imap_username: 'selma@mail.test', imap_password: 'mailbox-password', ...place }
  return (await make('/v3/connect/custom', { provider: 'imap', settings })).id
}

/** A virtual account: an event with a guest, one of whole days, a series with a moved and a deleted occurrence. */
async function fillCalendar(call: Call, make: Make, authorization: string): Promise<Filled['event']> {
  await make('/v3/connectors', { provider: 'virtual-calendar' })
  const settings = { email: 'tour-guides' }
  const { id: grantId } = await make('/v3/connect/custom', { provider: 'virtual-calendar', settings })
  const grant = `/v3/grants/${grantId}`
  const calendar = {
    name: 'Tours',
    description: 'Guided tours',
    timezone: 'Europe/Stockholm',
    metadata: { key1: 'tours' },
  }
  const { id: calendarId } = await make(`${grant}/calendars`, calendar)
  const events = `${grant}/events?calendar_id=${calendarId}`
  const span = (start: number) => ({ start_time: start, end_time: start + hour, ...zone })
  const { id } = await make(events, {
    title: 'Tour of the hall',
    description: 'Bring boots. Überall schön: 你好',
    location: 'Main entrance',
    when: span(monday),
    participants: [{ email: 'jonas@example.org', name: 'Jonas Lindqvist' }],
    reminders: { use_default: false, overrides: [{ reminder_minutes: 10, reminder_method: 'email' }] },
    metadata: { key1: 'tours' },
  })
  await make(events, { title: 'Closed', when: { start_date: '2031-03-08', end_date: '2031-03-10' } })
  const recurrence = ['RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10']
  const start = monday + dayInSeconds
  const once = { 'idempotency-key': 'the-series-of-the-team' }
  const series = await make(events, { title: 'Team, weekly', when: span(start), recurrence }, once)
  const occurrence = (week: number): string => {
    const time = new Date((start + week * 7 * dayInSeconds) * 1000).toISOString()
    return `${grant}/events/${series.id}_${time.slice(0, 19).replaceAll(/[-:]/g, '')}Z?calendar_id=${calendarId}`
  }
  const moved = { title: 'Team, after the holidays', when: span(start + 7 * dayInSeconds + hour) }
  await call('PATCH', occurrence(1), { authorization, body: moved })
  await call('DELETE', occurrence(2), { authorization })
  return { grantId, calendarId, id }
}

async function fillContacts(make: Make, grant: string): Promise<void> {
  const group = await make(`/v3/grants/${grant}/contacts/groups`, { name: 'Halls' })
  await make(`/v3/grants/${grant}/contacts`, {
    given_name: 'Jonas',
    surname: 'Lindqvist',
    birthday: '1984-03-21',
    company_name: 'Lindqvist Hallar',
    notes: 'Prefers the telephone.',
    picture,
    emails: [{ email: 'jonas@example.org', type: 'work' }],
    phone_numbers: [{ number: '+46 18 555 01 42', type: 'work' }],
    groups: [{ id: group.id }],
  })
}

async function scheduleMessage(make: Make, grantId: string): Promise<Filled['scheduled']> {
  const sendAt = Math.floor(Date.now() / 1000) + 2 * dayInSeconds
  const subject = 'The keys of the hall'
  const message = { to: [{ email: 'grace@example.com' }], subject, body: '<p>They are at the entrance.</p>' }
  const { schedule_id: scheduleId } = await make(`/v3/grants/${grantId}/messages/send`, { ...message, send_at: sendAt })
  return { grantId, scheduleId, sendAt, subject }
}

/** Waits until the destination has refused every notification once. Returns their ids. */
async function untilAttempted(call: Call, authorization: string, webhook: string): Promise<string[]> {
  for (;;) {
    const { body } = await call('GET', `/v3/webhooks/${webhook}/deliveries?limit=200`, { authorization })
    const waiting: { notification_id: string; attempts: number }[] = body.data
    const isDone = waiting.length >= 6 && waiting.every(({ attempts }) => attempts > 0)
    if (isDone) return waiting.map(({ notification_id: id }) => id).toSorted()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

interface Asked {
  call: Call
  key: string
  administrator: string
  person: string
}

/** Without fields that a later request changes. */
const lasting = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data, (name, value) => (/^last_(used|seen|sign_in)/.test(name) ? undefined : value)))

/** Reads what was stored, from lists and one by one. */
async function readEverything(asked: Asked, application: string, webhook: string): Promise<Read[]> {
  const reads: Read[] = []
  // biome-ignore lint/suspicious/noExplicitAny: what the API answers
  const read = async (as: Asker, path: string): Promise<any> => {
    const { body } = await asked.call('GET', path, { authorization: asked[as] })
    reads.push({ as, path, data: lasting(body.data) })
    return body.data
  }
  for (const path of ['applications', 'applications/redirect-uris', 'connectors', 'connectors/google/creds']) {
    await read('key', `/v3/${path}`)
  }
  const grants: { id: string; provider: string }[] = await read('key', '/v3/grants')
  for (const { id, provider } of grants) await readGrant(read, `/v3/grants/${id}`, provider)
  const templates: { id: string }[] = await read('key', '/v3/templates')
  for (const { id } of templates) await read('key', `/v3/templates/${id}`)
  for (const path of ['', `/${webhook}`]) await read('key', `/v3/webhooks${path}`)
  await read('administrator', `/v3/admin/applications/${application}`)
  await read('administrator', `/v3/admin/applications/${application}/grants`)
  await read('person', `/v3/admin/applications/${application}/usage`)
  await read('person', '/v3/admin/people')
  await read('person', '/v3/admin/installation')
  return reads
}

async function readGrant(
  // biome-ignore lint/suspicious/noExplicitAny: what the API answers
  read: (as: Asker, path: string) => Promise<any>,
  grant: string,
  provider: string,
): Promise<void> {
  await read('key', grant)
  if (provider === 'google') await read('key', `${grant}/messages/schedules`)
  if (provider === 'imap') {
    for (const list of ['contacts', 'contacts/groups', 'signatures', 'templates']) {
      const found: { id: string }[] = await read('key', `${grant}/${list}`)
      for (const { id } of found) await read('key', `${grant}/${list}/${id}`)
    }
  }
  if (provider !== 'virtual-calendar') return
  const calendars: { id: string }[] = await read('key', `${grant}/calendars`)
  for (const { id: calendar } of calendars) {
    await read('key', `${grant}/calendars/${calendar}`)
    const masters: { id: string }[] = await read('key', `${grant}/events?calendar_id=${calendar}&limit=50`)
    for (const { id } of masters) await read('key', `${grant}/events/${id}?calendar_id=${calendar}`)
    const window = `start=${monday}&end=${monday + 100 * dayInSeconds}`
    await read('key', `${grant}/events?calendar_id=${calendar}&limit=50&expand_recurring=true&${window}`)
  }
}
