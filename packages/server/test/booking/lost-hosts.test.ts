/**
 * A guest cancels although the grant of the host was revoked. The calendar is updated when the grant is valid again.
 */

import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { doJobs } from '../../src/node.ts'
import { openService, type TestService } from '../harness.ts'
import { createGoogleGrant, type GooglePeer, identity, openGoogle, scope } from '../peers/google.ts'
import { addHost, addPage, asGuest, book, eventsOf, guestOf, type Host, hour, slotOf } from './booking-setup.ts'

const minute = 60_000
let service: TestService
let clock: TestClock
let google: GooglePeer
let applicationId: string
beforeAll(async () => {
  clock = testClock()
  google = await openGoogle()
  service = await openService({
    env: { WAYPOST_GOOGLE_URL: google.simulator.url, WAYPOST_EGRESS: 'private' },
    overrides: { clock },
  })
  applicationId = (await service.call('GET', '/v3/applications')).body.data.application_id
  const { id: client_id, secret: client_secret } = google.simulator.client
  await service.call('PATCH', '/v3/connectors/google', { body: { settings: { client_id, client_secret } } })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
})

interface Losable {
  host: Host
  /** Makes the grant of the account unusable. */
  lose(): Promise<void>
  comeBack(): Promise<void>
}

const ofAdmin = (path: string): string => `/v3/admin/applications/${applicationId}/grants/${path}`

async function revokedBy(host: Host): Promise<Losable> {
  return {
    host,
    async lose() {
      expect((await service.call('POST', ofAdmin(`${host.id}/revoke`), { admin: true })).status).toBe(200)
    },
    async comeBack() {
      expect((await service.createGrant(host.email)).id).toBe(host.id)
    },
  }
}
async function blockedBy(host: Host): Promise<Losable> {
  const block = async (blocked: boolean): Promise<void> => {
    const answer = await service.call('PATCH', ofAdmin(host.id), { admin: true, body: { blocked } })
    expect(answer.status).toBe(200)
  }
  return { host, lose: () => block(true), comeBack: () => block(false) }
}
/** The service notices only when it calls the provider. */
async function withoutConsent(email: string): Promise<Losable> {
  const account = google.simulator.addAccount({ email })
  const scopes = [...identity, scope('calendar')]
  const connect = () => createGoogleGrant(service, google.simulator, { email, key: service.apiKey, scopes })
  const { id } = await connect()
  return {
    host: { id, email, calendarId: 'primary' },
    async lose() {
      account.revokeConsent()
      // The access token has expired, too.
      clock.advance(2 * hour * 1_000)
    },
    async comeBack() {
      expect((await connect()).id).toBe(id)
    },
  }
}

const ways: Record<string, () => Promise<Losable>> = {
  'a virtual account that was revoked': async () => revokedBy(await addHost(service, 'revoked@host.test')),
  'a virtual account that was blocked': async () => blockedBy(await addHost(service, 'blocked@host.test')),
  'an account at Google whose consent was revoked': () => withoutConsent('gone@gmail.com'),
}

const untilDone = async (milliseconds: number): Promise<void> => {
  clock.advance(milliseconds)
  await doJobs(service.services)
}
const at = (page: string, id: string): string => `/v3/scheduling/bookings/${id}?configuration_id=${page}`
const startsOf = async (host: Host): Promise<number[]> =>
  (await eventsOf(service, host)).map(({ when }) => when.start_time)

describe.each(Object.entries(ways))('%s', (_, open) => {
  test('does not prevent guests from cancelling, and its event is deleted when the account is back', async () => {
    const { host, lose, comeBack } = await open()
    const page = await addPage(service, [host])
    const [slot, retained] = [slotOf(service, 4, 9), slotOf(service, 4, 12)]
    const made = await book(service, page, { ...slot, guest: guestOf('gina') })
    const other = await book(service, page, { ...retained, guest: guestOf('gus') })
    expect([made.status, other.status]).toEqual([200, 200])
    await lose()

    const { booking_id: id } = made.body.data
    const cancelled = await asGuest(service, 'DELETE', at(page, id), { cancellation_reason: 'ill' })
    expect([cancelled.status, cancelled.body.error]).toEqual([200, undefined])
    expect((await asGuest(service, 'GET', at(page, id))).body.data.status).toBe('cancelled')
    expect((await asGuest(service, 'DELETE', at(page, id))).status).toBe(200)

    // Changes that require the calendar are refused with an explanation for guests.
    const refusals = [
      await asGuest(service, 'PATCH', at(page, other.body.data.booking_id), slotOf(service, 5, 9)),
      await book(service, page, { ...slotOf(service, 5, 12), guest: guestOf('late') }),
    ]
    for (const { status, body } of refusals) {
      expect([status, body.error.type]).toEqual([400, 'invalid_request_error'])
      expect(body.error.message).toMatch(/not connected|cannot be read/)
      expect(body.error.message).not.toMatch(/authenticat/)
    }
    expect((await asGuest(service, 'GET', at(page, other.body.data.booking_id))).body.data.status).toBe('booked')

    // While the grant is invalid, the update stays pending.
    await untilDone(10 * minute)
    await untilDone(10 * minute)
    await comeBack()
    expect(await startsOf(host)).toEqual([slot.start_time, retained.start_time])
    await untilDone(10 * minute)
    expect(await startsOf(host)).toEqual([retained.start_time])
    expect((await book(service, page, { ...slot, guest: guestOf('next') })).status).toBe(200)
    await untilDone(20 * minute)
    expect((await startsOf(host)).sort()).toEqual([slot.start_time, retained.start_time])
  })
})

test('a booking of a lost host moves to another host, and the first calendar is updated when the account is back', async () => {
  const [first, second] = [await addHost(service, 'a-first@host.test'), await addHost(service, 'b-second@host.test')]
  const { lose, comeBack } = await revokedBy(first)
  const page = await addPage(service, [first, second], {
    availability: { duration_minutes: 30, availability_rules: { availability_method: 'max-availability' } },
  })
  const [slot, later] = [slotOf(service, 6, 9), slotOf(service, 6, 12)]
  const made = await book(service, page, { ...slot, guest: guestOf('gina'), participants: [{ email: first.email }] })
  expect(made.body.data.organizer.email).toBe(first.email)
  await lose()
  const moved = await asGuest(service, 'PATCH', at(page, made.body.data.booking_id), later)
  expect(moved.body.data).toMatchObject({ ...later, organizer: { email: second.email }, status: 'booked' })
  await untilDone(minute)
  await comeBack()
  expect(await startsOf(first)).toEqual([slot.start_time])
  await untilDone(10 * minute)
  expect([await startsOf(first), await startsOf(second)]).toEqual([[], [later.start_time]])
})

test('a request is declined and a seat is released although the account is lost', async () => {
  const { host, lose, comeBack } = await revokedBy(await addHost(service, 'a-first@host.test'))
  const requesting = await addPage(service, [host], {
    event_booking: { title: 'Talk', timezone: 'UTC', booking_type: 'organizer-confirmation' },
  })
  const request = await book(service, requesting, { ...slotOf(service, 7, 9), guest: guestOf('pia') })
  const unsure = await book(service, requesting, { ...slotOf(service, 7, 12), guest: guestOf('paul') })
  const group = { name: 'Courses', type: 'group', group_booking: { calendar_id: host.calendarId, default_capacity: 1 } }
  const created = await service.call('POST', `/v3/grants/${host.id}/scheduling/configurations`, { body: group })
  const { id: page } = created.body.data
  const course = slotOf(service, 8, 9)
  const events = `/v3/grants/${host.id}/scheduling/configurations/${page}/group-events`
  const event = (await service.call('POST', events, { body: { title: 'Pottery', when: course } })).body.data
  const seat = { ...course, event_id: event.id, calendar_id: event.calendar_id }
  const made = await book(service, page, { ...seat, guest: guestOf('gina') })
  expect(made.status).toBe(200)
  await lose()

  const decide = (of: typeof request, status: string) =>
    service.call('PUT', `/v3/scheduling/bookings/${of.body.data.booking_id}`, { body: { status } })
  expect((await decide(request, 'cancelled')).status).toBe(200)
  const confirmed = await decide(unsure, 'confirmed')
  expect([confirmed.status, confirmed.body.error?.message]).toEqual([400, expect.stringMatching(/not connected/)])
  expect((await asGuest(service, 'DELETE', at(page, made.body.data.booking_id))).status).toBe(200)
  const late = await book(service, page, { ...seat, guest: guestOf('late') })
  expect([late.status, late.body.error.message]).toEqual([400, expect.stringMatching(/not connected/)])

  await untilDone(minute)
  await comeBack()
  await untilDone(10 * minute)
  const found = await eventsOf(service, host)
  expect(found.map(({ title }) => title).sort()).toEqual(['Pottery', 'Talk'])
  expect(found.find(({ title }) => title === 'Pottery')?.participants).toEqual([])
  expect((await book(service, page, { ...seat, guest: guestOf('next') })).status).toBe(200)
})
