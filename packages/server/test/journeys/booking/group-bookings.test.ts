/** Seats of group events through the API: booking, moving and cancelling, and guests who compete for the last seat. */
import { randomBytes } from 'node:crypto'
import { isCheck } from '@waypost/testing/level'
import { migratedDatabase } from '@waypost/testing/peers/database-url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findBooking } from '../../../src/booking/bookings/booking-record.ts'
import { createBooking } from '../../../src/booking/bookings/bookings.ts'
import { findConfiguration } from '../../../src/booking/configurations.ts'
import { beat, doJobs } from '../../../src/node.ts'
import { addHost, asGuest, book, bookingNotifications, guestOf, type Host, hour } from '../../booking/booking-setup.ts'
import { type Answer, openService, type TestService } from '../../harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any

/** Reports that the moment was reached, and never continues. */
const hangAt = ({ resolve }: { resolve(): void }): Promise<void> => {
  resolve()
  return new Promise(() => {})
}
const applicationOf = async (service: TestService): Promise<string> =>
  (await service.call('GET', '/v3/applications')).body.data.application_id

describe('seats of group events', () => {
  const open = new AsyncDisposableStack()
  let nodes: TestService[]
  let host: Host
  let page: string
  beforeAll(async () => {
    // `npm test` has no store that nodes share.
    const store = isCheck ? { databaseUrl: open.use(await migratedDatabase()).url } : {}
    const env = { WAYPOST_SECRET_KEY: randomBytes(32).toString('base64') }
    nodes = []
    for (let n = 0; n < (isCheck ? 2 : 1); n++) {
      const service = open.use(await openService({ ...store, env }))
      await beat(service.services)
      nodes.push(service)
    }
    host = await addHost(node(0), 'teacher@courses.test')
    const body = {
      ...{ name: 'Courses', type: 'group', slug: 'courses' },
      group_booking: { calendar_id: host.calendarId, default_capacity: 2 },
      scheduler: { min_booking_notice: 0 },
    }
    const made = await node(0).call('POST', `/v3/grants/${host.id}/scheduling/configurations`, { body })
    expect([made.status, made.body.error]).toEqual([200, undefined])
    page = made.body.data.id
  })
  afterAll(() => open.disposeAsync())
  const node = (index: number): TestService => nodes[index % nodes.length] as TestService

  const events = (): string => `/v3/grants/${host.id}/scheduling/configurations/${page}/group-events`
  const add = async (days: number, fields: object = {}): Promise<Json> => {
    const start_time = Math.floor(node(0).services.storage.clock.now() / 1000 / hour) * hour + days * 24 * hour
    const body = { title: 'Pottery', location: 'Studio', when: { start_time, end_time: start_time + hour }, ...fields }
    const made = await node(0).call('POST', events(), { body })
    expect([made.status, made.body.error]).toEqual([200, undefined])
    return made.body.data
  }
  const seatIn = (event: Json) => ({
    ...{ start_time: event.when.start_time, end_time: event.when.end_time },
    ...{ event_id: event.id, calendar_id: event.calendar_id, master_id: event.master_event_id },
  })
  const join = (event: Json, name: string, { at = 0, ...more }: { at?: number; [field: string]: unknown } = {}) =>
    book(node(at), page, { ...seatIn(event), guest: guestOf(name), ...more })
  const guestsIn = async (event: Json): Promise<string[]> => {
    const path = `/v3/grants/${host.id}/events/${event.id}?calendar_id=${event.calendar_id}`
    const { participants } = (await node(0).call('GET', path)).body.data
    return participants.map(({ email }: { email: string }) => email).sort()
  }
  const stateOf = ({ status, body }: Answer) => [status, body.error?.type ?? body.data?.status]
  const change = (method: string, id: string, body: object) =>
    asGuest(node(1), method, `/v3/scheduling/bookings/${id}?configuration_id=${page}`, body)

  test('30 concurrent guests on two nodes get exactly 10 seats', async () => {
    const event = await add(2, { capacity: 10 })
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => join(event, `guest-${n}`, { at: n })))
    const won = answers.flatMap(({ status }, n) => (status === 200 ? [guestOf(`guest-${n}`).email] : []))
    const lost = answers.filter(({ status }) => status !== 200).map(stateOf)
    expect(won).toHaveLength(10)
    expect(lost).toEqual(Array.from({ length: 20 }, () => [400, 'timeslot_not_available']))
    expect(await guestsIn(event)).toEqual(won.sort())
  })

  test('a guest joins the event, and the booking shows it', async () => {
    const event = await add(3)
    const joined = await join(event, 'ada', { additional_guests: [{ email: 'bob@guest.test', name: 'Bob' }] })
    expect(joined.body).toMatchObject({
      data: {
        ...{ status: 'booked', event_id: event.id, title: 'Pottery', location: 'Studio' },
        organizer: { email: 'teacher@courses.test' },
      },
    })
    expect(await guestsIn(event)).toEqual(['ada@guest.test', 'bob@guest.test'])
    // The guest and the guest's companion have both seats.
    expect(stateOf(await join(event, 'eve'))).toEqual([400, 'timeslot_not_available'])
    expect((await join(event, 'ada')).body.data.booking_id).toBe(joined.body.data.booking_id)
    const atTheSameTime = await join(await add(3), 'ada')
    expect([atTheSameTime.status, atTheSameTime.body.error.message]).toEqual([
      400,
      expect.stringContaining('another event'),
    ])
    const reported = async () =>
      (await bookingNotifications(node(0))).filter(({ data }) => data.object.booking_id === joined.body.data.booking_id)
    await expect
      .poll(reported)
      .toMatchObject([{ type: 'booking.created', data: { object: { booking_info: { is_group_event: true } } } }])
  })

  test('a cancelled booking removes the guest, frees the seat and leaves the event', async () => {
    const event = await add(4)
    const [ada] = [await join(event, 'ada2'), await join(event, 'bob2')]
    expect((await change('DELETE', ada.body.data.booking_id, { cancellation_reason: 'Ill' })).status).toBe(200)
    expect(await guestsIn(event)).toEqual(['bob2@guest.test'])
    expect(stateOf(await join(event, 'eve2'))).toEqual([200, 'booked'])
    expect(await guestsIn(event)).toEqual(['bob2@guest.test', 'eve2@guest.test'])
  })

  test('a booking moves to another group event, or stays where it was if that one is full', async () => {
    const [from, to, full] = [await add(5), await add(6), await add(7, { capacity: 1 })]
    await join(full, 'bob3')
    const { booking_id } = (await join(from, 'ada3')).body.data
    const move = (event: Json) => change('PATCH', booking_id, { ...seatIn(event), master_event_id: null })
    expect(stateOf(await move(full))).toEqual([400, 'timeslot_not_available'])
    expect(await guestsIn(from)).toEqual(['ada3@guest.test'])
    expect((await move(to)).body.data).toMatchObject({ booking_id, event_id: to.id, start_time: to.when.start_time })
    expect([await guestsIn(from), await guestsIn(to), await guestsIn(full)]).toEqual([
      [],
      ['ada3@guest.test'],
      ['bob3@guest.test'],
    ])
  })

  test('reminders of the event replace those of the configuration', async () => {
    const event = await add(10, { reminders: [{ type: 'email', minutes_before_event: 45, recipient: 'guest' }] })
    const { booking_id: id } = (await join(event, 'reminded')).body.data
    const {
      storage: { database, seals },
    } = node(0).services
    const booking = await findBooking(database, seals, { applicationId: await applicationOf(node(0)), id })
    expect(booking?.details.group?.reminders).toMatchObject([{ minutes_before_event: 45 }])
  })

  test('one occurrence of a series is booked by its own id', async () => {
    const series = await add(8, { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
    const window = `start_time=${series.when.start_time}&end_time=${series.when.end_time + 3 * 24 * hour}`
    const [first, second] = (await node(0).call('GET', `${events()}?${window}`)).body.data
    expect(stateOf(await join(second, 'ada4'))).toEqual([200, 'booked'])
    expect([await guestsIn(first), await guestsIn(second)]).toEqual([[], ['ada4@guest.test']])
    expect(stateOf(await join(series, 'bob4'))).toEqual([400, 'timeslot_not_available'])
  })

  test.for(['recorded', 'checked', 'validated', 'placed'] as const)(
    'a booking is completed once if its process ends when it is %s',
    async (moment, { expect: check }) => {
      const { services } = node(0)
      const event = await add(9, { capacity: 1 })
      const ended = Promise.withResolvers<void>()
      const tools = {
        ...services.scheduling,
        nodeId: 'a-process-that-ended',
        failpoint: (reached: string) => (reached === moment ? hangAt(ended) : undefined),
      }
      const { start_time: startTime, end_time: endTime, event_id: eventId, calendar_id: calendarId } = seatIn(event)
      const guest = guestOf(`ends-${moment}`)
      const configuration = await findConfiguration(
        { queries: services.storage.database, seals: services.storage.seals },
        { applicationId: await applicationOf(node(0)), id: page },
      )
      if (!configuration) throw new Error('no configuration')
      void createBooking(tools, {
        ...{ configuration, startTime, endTime, named: [], group: { calendarId, eventId, masterId: null } },
        ...{ guest, additionalGuests: [], additionalFields: {}, timezone: 'UTC', emailLanguage: 'en' },
        signal: new AbortController().signal,
      })
      await ended.promise
      check(stateOf(await join(event, 'another'))).toEqual([400, 'timeslot_not_available'])
      await services.scheduling.abandon()
      await vi.waitFor(async () => {
        await doJobs(services)
        const again = await join(event, `ends-${moment}`, { at: 1 })
        check(stateOf(again)).toEqual([200, 'booked'])
      }, 20_000)
      check(await guestsIn(event)).toEqual([guest.email])
    },
  )

  test('a deleted group event cancels its bookings, and each guest is notified once', async () => {
    const event = await add(12)
    const ids = [await join(event, 'ada5'), await join(event, 'bob5')].map(({ body }) => body.data.booking_id)
    expect((await node(1).call('DELETE', `${events()}/${event.id}`)).status).toBe(200)
    for (const id of ids) {
      const read = await node(0).call('GET', `/v3/scheduling/bookings/${id}`)
      expect(read.body.data.status).toBe('cancelled')
    }
    const reported = async () =>
      (await bookingNotifications(node(0))).filter(
        ({ type, data }) => type === 'booking.cancelled' && ids.includes(data.object.booking_id),
      )
    await expect.poll(reported).toHaveLength(2)
  })

  test('the event must be named, and must be of the configuration', async () => {
    const { event_id: _, ...nameless } = seatIn(await add(13))
    const refused = await book(node(0), page, { ...nameless, guest: guestOf('ada6') })
    expect([refused.status, Object.keys(refused.body.error.validation_errors)]).toEqual([400, ['event_id']])
    const path = `/v3/grants/${host.id}/events?calendar_id=${host.calendarId}`
    const other = await node(0).call('POST', path, { body: { title: 'Lunch', when: nameless } })
    expect(stateOf(await join(other.body.data, 'ada6'))).toEqual([400, 'timeslot_not_available'])
  })
})
