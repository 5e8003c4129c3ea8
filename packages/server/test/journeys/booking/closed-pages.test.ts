/** Deleted booking pages with remaining bookings, and what ui-settings shows about a booking. */

import { sql } from '@waypost/testing/statement'
import { testClock } from '@waypost/testing/test-clock'
import { expect, test } from 'vitest'
import { findBooking, organizerReferenceOf, referenceOf } from '../../../src/booking/bookings/booking-record.ts'
import { purgeExpired } from '../../../src/housekeeping.ts'
import { openGuestFixture } from './guest-fixture.ts'

const storedConfigurations = sql<{ id: string }>('test.storedPages', 'select id from scheduler_configurations')

/** A page with one booking of a guest. */
async function openBooked() {
  const clock = testClock()
  const fixture = await openGuestFixture({ overrides: { clock } })
  const tenant = await fixture.newTenant()
  const { id } = await tenant.createPage()
  const [first, second] = await fixture.freeTimes(id)
  const guest = { name: 'Gwen', email: 'gwen@x.test' }
  const made = await fixture.guest('POST', `bookings?configuration_id=${id}`, { body: { ...first, guest } })
  expect(made.body.error).toBeUndefined()
  return { clock, fixture, tenant, configurationId: String(id), bookingId: made.body.data.booking_id, second }
}

test('upcoming bookings of a deleted page can be cancelled but not moved; the page is removed after the last one', async () => {
  const { clock, fixture, tenant, configurationId, bookingId, second } = await openBooked()
  await using _ = fixture
  const { service, guest } = fixture
  const at = `/v3/grants/${tenant.grant}/scheduling/configurations/${configurationId}`
  expect((await service.call('DELETE', at, { key: tenant.key })).status).toBe(200)
  const page = `configuration_id=${configurationId}`
  expect((await guest('GET', `ui-settings?${page}`)).status).toBe(404)
  const booking = `bookings/${bookingId}?${page}`
  expect((await guest('GET', booking)).body.data.status).toBe('booked')
  const moved = await guest('PATCH', booking, { body: second })
  expect(moved.status).toBe(400)
  expect(moved.body.error.message).toContain('closed')
  await purgeExpired(service.services)
  expect(await service.services.storage.database.all(storedConfigurations, [])).toHaveLength(1)
  expect((await guest('DELETE', booking, { body: {} })).status).toBe(200)
  clock.advance(60_000)
  await purgeExpired(service.services)
  expect(await service.services.storage.database.all(storedConfigurations, [])).toEqual([])
})

test('the salt that confirms a booking is shown only to a caller who has it', async () => {
  const { fixture, tenant, configurationId, bookingId } = await openBooked()
  await using _ = fixture
  const { service, guest } = fixture
  const { database, seals } = service.services.storage
  const record = await findBooking(database, seals, { applicationId: tenant.id, id: bookingId })
  if (!record) throw new Error('no booking')
  const ask = async (more = '') => {
    const { status, body } = await guest('GET', `ui-settings?configuration_id=${configurationId}${more}`)
    const { request_id: __, ...rest } = body
    return { status, ...rest }
  }
  const known = `&booking_id=${bookingId}`
  expect((await ask()).data).not.toHaveProperty('booking')
  const plain = await ask(known)
  expect(plain.data.booking).toMatchObject({ guest: { name: 'Gwen', email: 'gwen@x.test' } })
  const { salt } = record.details
  for (const answer of [plain, await ask(`${known}&booking_ref=${referenceOf(record)}`)]) {
    expect(answer.status).toBe(200)
    expect(JSON.stringify(answer)).not.toContain(salt)
  }
  for (const proof of [`booking_ref=${organizerReferenceOf(record)}`, `salt=${salt}`]) {
    expect((await ask(`${known}&${proof}`)).data.booking.booking_ref_salt).toBe(salt)
  }
  const unknown = await ask(`&booking_id=${configurationId}`)
  expect(unknown).toMatchObject({ status: 404, error: { type: 'not_found_error' } })
  for (const wrong of ['salt=AAAA', 'booking_ref=AAAA', `salt=${salt}x`]) {
    expect(await ask(`${known}&${wrong}`)).toEqual(unknown)
  }
})
