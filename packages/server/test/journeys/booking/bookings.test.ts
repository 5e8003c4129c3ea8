import { enginesFor } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readReference } from '../../../src/booking/references.ts'
import {
  addHost,
  addPage,
  asGuest,
  book,
  bookingNotifications,
  eventsOf,
  guestOf,
  type Host,
  slotOf,
} from '../../booking/booking-setup.ts'
import { sharedService, type TestService } from '../../harness.ts'

describe.each(enginesFor(import.meta.url))('bookings on %s', (engine) => {
  let service: TestService
  let ada: Host
  let page: string
  beforeAll(async () => {
    service = await sharedService(engine)
    ada = await addHost(service, 'ada@host.test')
    page = await addPage(service, [ada])
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const reported = async (id: string): Promise<string[]> =>
    (await bookingNotifications(service)).filter(({ data }) => data.object.booking_id === id).map(({ type }) => type)
  /** On a shared PostgreSQL, notifications may appear late. */
  const untilReported = (id: string, types: readonly string[]): Promise<void> =>
    expect.poll(() => reported(id)).toEqual(types)
  const at = (id: string, of = page): string => `/v3/scheduling/bookings/${id}?configuration_id=${of}`

  test('a guest books, moves and cancels; the calendar and the application see each change once', async () => {
    const slot = slotOf(service, 2, 9)
    const made = await book(service, page, {
      ...slot,
      guest: guestOf('gina'),
      additional_guests: [{ email: 'gus@guest.test' }],
    })
    expect(made.status).toBe(200)
    const { booking_id: id, event_id } = made.body.data
    expect(made.body.data).toMatchObject({
      ...{ ...slot, status: 'booked', title: 'Talk with gina', email_language: 'en', timezone: 'UTC' },
      ...{ organizer: { email: 'ada@host.test', name: 'ada' }, guest: guestOf('gina'), description: '', location: '' },
    })
    expect(readReference(made.body.data.booking_ref)).toMatchObject({ configurationId: page, bookingId: id })
    const [event] = (await eventsOf(service, ada)).filter((each) => each.id === event_id)
    expect(event?.participants.map(({ email }) => email).sort()).toEqual(['gina@guest.test', 'gus@guest.test'])
    expect(event?.metadata).toEqual({ key5: page })

    const later = slotOf(service, 3, 9)
    const moved = await asGuest(service, 'PATCH', at(id), {
      start_time: String(later.start_time),
      end_time: String(later.end_time),
    })
    expect(moved.body.data).toMatchObject({ ...later, event_id, booking_id: id })
    expect((await eventsOf(service, ada)).filter((each) => each.id === event_id)[0]?.when.start_time).toBe(
      later.start_time,
    )

    const cancelled = await asGuest(service, 'DELETE', at(id), { cancellation_reason: 'ill', action: 'cancel' })
    expect([cancelled.status, Object.keys(cancelled.body)]).toEqual([200, ['request_id']])
    expect((await eventsOf(service, ada)).some((each) => each.id === event_id)).toBe(false)
    expect((await asGuest(service, 'DELETE', at(id))).status).toBe(200)
    expect((await asGuest(service, 'GET', at(id))).body.data.status).toBe('cancelled')
    await untilReported(id, ['booking.created', 'booking.rescheduled', 'booking.cancelled'])
    const [created, rescheduled, ended] = (await bookingNotifications(service)).filter(
      ({ data }) => data.object.booking_id === id,
    )
    expect(created?.data.object.booking_ref).not.toBe(made.body.data.booking_ref)
    expect(rescheduled?.data.object.booking_info).toMatchObject({
      old_start_time: slot.start_time,
      start_time: later.start_time,
    })
    expect(ended?.data.object).toMatchObject({ booking_info: { cancellation_reason: 'ill', duration: 30 } })
    expect(ended?.data.object.booking_ref).toBeUndefined()
  })

  test('one of several concurrent guests gets a slot, and a guest who repeats the request gets the same booking', async () => {
    const slot = slotOf(service, 4, 9)
    const guests = Array.from({ length: 12 }, (_, index) => guestOf(`racer${index}`))
    const answers = await Promise.all(guests.map((guest) => book(service, page, { ...slot, guest })))
    const winners = answers.filter(({ status }) => status === 200)
    expect(winners).toHaveLength(1)
    for (const { status, body } of answers.filter((answer) => answer !== winners[0])) {
      expect([status, body.error.type]).toEqual([400, 'timeslot_not_available'])
      expect(body.error.message).toMatch(/^The selected timeslot is unavailable/)
    }
    expect((await eventsOf(service, ada)).filter(({ when }) => when.start_time === slot.start_time)).toHaveLength(1)
    const { booking_id, guest } = winners[0]?.body.data ?? {}
    const again = await Promise.all(
      [1, 2].map(() => book(service, page, { ...slot, guest: { ...guest, email: guest.email.toUpperCase() } })),
    )
    expect(again.map(({ body }) => body.data.booking_id)).toEqual([booking_id, booking_id])
    // The guest's address alone gives no access to a booking.
    const stranger = await book(service, page, { ...slot, guest: { ...guest, name: 'Somebody else' } })
    expect([stranger.status, stranger.body.error.type]).toEqual([400, 'timeslot_not_available'])
    const other = slotOf(service, 4, 12)
    const twice = await Promise.all([1, 2, 3].map(() => book(service, page, { ...other, guest: guestOf('twin') })))
    expect(new Set(twice.map(({ body }) => body.data.booking_id)).size).toBe(1)
    await untilReported(booking_id, ['booking.created'])
  })

  test('the organizer confirms or declines a pending booking, and only with the salt', async () => {
    const pending = await addPage(service, [ada], {
      event_booking: { title: 'Talk', timezone: 'UTC', booking_type: 'organizer-confirmation' },
    })
    const slot = slotOf(service, 5, 9)
    const made = await book(service, pending, { ...slot, guest: guestOf('pia') })
    expect(made.body.data.status).toBe('pending')
    const { booking_id: id, event_id, booking_ref } = made.body.data
    const placeholder = async () => (await eventsOf(service, ada)).find((each) => each.id === event_id)
    expect((await placeholder())?.participants).toEqual([])
    expect((await book(service, page, { ...slot, guest: guestOf('other') })).status).toBe(400)

    const guestSalt = readReference(booking_ref)?.salt
    for (const salt of [guestSalt, 'wrong', undefined]) {
      const refused = await asGuest(service, 'PUT', at(id, pending), { salt, status: 'confirmed' })
      expect(refused.status).toBe(404)
    }
    await untilReported(id, ['booking.pending'])
    const [notified] = (await bookingNotifications(service)).filter(({ data }) => data.object.booking_id === id)
    const salt = readReference(notified?.data.object.booking_ref ?? '')?.salt
    const confirmed = await asGuest(service, 'PUT', at(id, pending), { salt, status: 'confirmed' })
    expect(confirmed.body.data).toMatchObject({ status: 'booked', event_id })
    expect((await placeholder())?.participants).toMatchObject([{ email: 'pia@guest.test' }])
    await untilReported(id, ['booking.pending', 'booking.created'])

    const second = await book(service, pending, { ...slotOf(service, 5, 12), guest: guestOf('paul') })
    const declined = await service.call('PUT', `/v3/scheduling/bookings/${second.body.data.booking_id}`, {
      body: { status: 'cancelled', cancellation_reason: 'full' },
    })
    expect([declined.status, Object.keys(declined.body)]).toEqual([200, ['request_id']])
    expect((await eventsOf(service, ada)).some((each) => each.id === second.body.data.event_id)).toBe(false)
    await untilReported(second.body.data.booking_id, ['booking.pending', 'booking.cancelled'])
  })

  test('round robin books the free host, keeps the host when a booking moves, and changes the host if necessary', async () => {
    const hosts = [await addHost(service, 'rita@host.test'), await addHost(service, 'ralf@host.test')]
    const [rita, ralf] = hosts
    if (!rita || !ralf) throw new Error('two hosts')
    const robin = await addPage(service, hosts, {
      availability: { duration_minutes: 30, availability_rules: { availability_method: 'max-availability' } },
    })
    const slot = slotOf(service, 6, 9)
    const first = await book(service, robin, { ...slot, guest: guestOf('one'), participants: [{ email: rita.email }] })
    expect(first.body.data.organizer.email).toBe(rita.email)
    const second = await book(service, robin, { ...slot, guest: guestOf('two') })
    expect(second.body.data.organizer.email).toBe(ralf.email)
    expect((await book(service, robin, { ...slot, guest: guestOf('three') })).status).toBe(400)
    // Ralf is free at the later time, so the booking stays with him. Then only Rita is free.
    const later = slotOf(service, 6, 12)
    const retained = await asGuest(service, 'PATCH', at(second.body.data.booking_id, robin), later)
    expect(retained.body.data.organizer.email).toBe(ralf.email)
    const third = slotOf(service, 6, 15)
    await service.call('POST', `/v3/grants/${ralf.id}/events?calendar_id=${ralf.calendarId}`, {
      body: { title: 'busy', when: third },
    })
    const moved = await asGuest(service, 'PATCH', at(second.body.data.booking_id, robin), third)
    expect(moved.body.data).toMatchObject({ organizer: { email: rita.email }, ...third })
    expect((await eventsOf(service, ralf)).map(({ title }) => title)).toEqual(['busy'])
    expect((await eventsOf(service, rita)).map(({ when }) => when.start_time).sort()).toEqual([
      slot.start_time,
      third.start_time,
    ])
  })

  test('answers, notices and addresses are checked, and the error names the field', async () => {
    const strict = await addPage(service, [ada], {
      scheduler: {
        min_cancellation_notice: 60 * 24 * 10,
        hide_additional_guests: true,
        additional_fields: {
          code: { label: 'Code', type: 'text', required: true, pattern: '(a+)+b' },
          size: { label: 'Size', type: 'dropdown', required: false, options: ['S', 'L'] },
        },
      },
    })
    const slot = slotOf(service, 7, 9)
    const tried = async (body: object) => {
      const answer = await book(service, strict, { ...slot, guest: guestOf('stan'), ...body })
      return answer.status === 200 ? answer : answer.body.error.message
    }
    expect(await tried({})).toMatch(/additional_fields.code: is required/)
    expect(await tried({ additional_fields: { code: 'a'.repeat(60) } })).toMatch(/additional_fields.code/)
    expect(await tried({ additional_fields: { code: 'ab', size: 'XL' } })).toMatch(/additional_fields.size/)
    expect(await tried({ additional_fields: { code: 'ab', other: 'x' } })).toMatch(/additional_fields.other/)
    expect(await tried({ additional_fields: { code: 'ab' }, additional_guests: [guestOf('x')] })).toMatch(
      /additional_guests/,
    )
    expect(await tried({ additional_fields: { code: 'ab' }, participants: [{ email: 'no@where.test' }] })).toMatch(
      /participants.0.email/,
    )
    expect(await tried({ additional_fields: { code: 'ab' }, end_time: slot.start_time })).toMatch(/end_time/)
    expect(await tried({ additional_fields: { code: 'ab' }, end_time: slot.end_time + 60 })).toMatch(/unavailable/)
    const made = await book(service, strict, { ...slot, guest: guestOf('stan'), additional_fields: { code: 'aab' } })
    const { booking_id: id } = made.body.data
    expect((await asGuest(service, 'DELETE', at(id, strict))).body.error.message).toMatch(/until 14400 minutes/)
    expect((await asGuest(service, 'DELETE', at(id))).status).toBe(404)
    expect((await service.call('DELETE', `/v3/scheduling/bookings/${id}`)).status).toBe(200)
    const listed = await service.call('GET', `/v3/scheduling/bookings?configuration_id=${strict}&status=cancelled`)
    expect(listed.body.data).toMatchObject([{ booking_id: id, grant_id: ada.id, additional_fields: { code: 'aab' } }])
  })
})
