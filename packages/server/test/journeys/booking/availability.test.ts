/** The times of a booking page through the HTTP API, for guests, sessions and the application. */
import { randomUUID } from 'node:crypto'
import { oneEngineFor } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeBooking } from '../../booking/mail/stored-booking.ts'
import {
  type Account,
  at,
  expectStatus,
  type Fields,
  type Json,
  openAccounts,
  span,
  type TestAccounts,
} from '../../conformance/accounts.ts'

const hours = [{ days: [0, 1, 2, 3, 4, 5, 6], start: '9:00', end: '12:00' }]

describe.each(oneEngineFor(import.meta.url))('the times of a booking page on %s', (engine) => {
  let accounts: TestAccounts
  let ann: Account
  let bob: Account
  let meeting: Json
  let page: Json
  let team: Json
  const participant = (account: Account, more: Fields = {}): Fields => ({
    email: account.email,
    availability: { calendar_ids: ['primary'] },
    booking: { calendar_id: 'primary' },
    ...more,
  })
  const createPage = async (fields: Fields): Promise<Json> => {
    const body = {
      participants: [participant(ann, { is_organizer: true })],
      availability: { duration_minutes: 60, availability_rules: { default_open_hours: hours } },
      event_booking: { title: 'Talk', timezone: 'UTC' },
      ...fields,
    }
    return expectStatus(await ann.post('/scheduling/configurations', body), 200).body.data
  }
  /** The clock of the service is stopped at noon of 2026-06-01 UTC. */
  beforeAll(async () => {
    accounts = await openAccounts({ engine })
    const account = async (email: string): Promise<Account> => {
      const made = await accounts.newAccount(email)
      await made.createCalendar({ timezone: 'UTC' })
      return made
    }
    ann = await account('ann@x.test')
    bob = await account('bob@x.test')
    meeting = await ann.create('primary', { when: span('2026-06-02T10:00', 60) })
    page = await createPage({ slug: 'talk' })
    const rules = { default_open_hours: hours, availability_method: 'max-availability' }
    team = await createPage({
      participants: [participant(ann), participant(bob)],
      availability: { duration_minutes: 60, availability_rules: rules },
    })
  })
  afterAll(() => accounts[Symbol.asyncDispose]())

  const day = { start_time: at('2026-06-02T00:00'), end_time: at('2026-06-03T00:00') }
  const ask = (query: Fields, key: string | null = null) => {
    const entries = Object.entries({ ...day, ...query }).map(([name, value]) => [name, String(value)])
    return accounts.service.call('GET', `/v3/scheduling/availability?${new URLSearchParams(entries)}`, { key })
  }
  const find = async (query: Fields, key?: string | null): Promise<Json> =>
    expectStatus(await ask(query, key), 200).body.data
  const starts = ({ time_slots }: Json): string =>
    time_slots.map((slot: Json) => new Date(slot.start_time * 1000).toISOString().slice(11, 16)).join(' ')

  test('anyone sees a public page by its id or slug; a session and the application see it too', async () => {
    const expected = {
      time_slots: ['09:00', '11:00'].map((clock) => ({
        emails: ['ann@x.test'],
        start_time: at(`2026-06-02T${clock}`),
        end_time: at(`2026-06-02T${clock}`) + 3600,
      })),
    }
    expect(await find({ configuration_id: page.id })).toEqual(expected)
    expect(await find({ slug: 'talk', client_id: accounts.applicationId })).toEqual(expected)
    expect(await find({ slug: 'talk' }, accounts.key)).toEqual(expected)
    const made = await accounts.call('POST', '/v3/scheduling/sessions', { body: { configuration_id: page.id } })
    expect(await find({}, expectStatus(made, 200).body.data.session_id)).toEqual(expected)
  })

  test('the window may start and end at any second, and may be in the past', async () => {
    const second = { start_time: day.start_time + 9 * 3600 + 1, end_time: day.end_time - 1 }
    expect(starts(await find({ configuration_id: page.id, ...second }))).toBe('11:00')
    const empty = { start_time: day.end_time, end_time: day.start_time }
    expect(await find({ configuration_id: page.id, ...empty })).toEqual({ time_slots: [] })
  })

  test('notice and horizon are enforced whatever the guest requests', async () => {
    const whole = { start_time: 0, end_time: at('2030-01-01T00:00') }
    const { time_slots: slots } = await find({ configuration_id: page.id, ...whole })
    expect(slots[0].start_time).toBe(at('2026-06-02T09:00'))
    expect(slots.at(-1).start_time).toBe(at('2026-07-01T11:00'))
    const far = await createPage({ scheduler: { available_days_in_future: 200 } })
    const refused = expectStatus(await ask({ configuration_id: far.id, ...whole }), 400)
    expect(refused.body.error.message).toMatch(/end_time.*93 days/)
    const late = await createPage({ scheduler: { min_booking_notice: 60 * 23 } })
    expect(starts(await find({ configuration_id: late.id }))).toBe('11:00')
  })

  test('round robin returns the order of the hosts', async () => {
    const found = await find({ configuration_id: team.id })
    expect(found.order).toEqual(['ann@x.test', 'bob@x.test'])
    expect(found.time_slots.map(({ emails }: Json) => emails.length)).toEqual([2, 1, 2])
    expect(await find({ configuration_id: page.id })).not.toHaveProperty('order')
  })

  test('a booking that moves does not block itself, and its host comes first', async () => {
    const { service, applicationId } = accounts
    const book = (account: Account, configurationId: string, status: 'booked' | 'pending' | 'cancelled' = 'booked') => {
      const startTime = at('2026-06-02T10:00')
      const { grantId } = account
      return storeBooking(service, { applicationId, grantId, startTime, configurationId, eventId: meeting.id, status })
    }
    for (const status of ['booked', 'pending'] as const) {
      const { id: booking_id } = await book(ann, page.id, status)
      expect(starts(await find({ configuration_id: page.id, booking_id }))).toBe('09:00 10:00 11:00')
    }
    const { id: booking_id } = await book(bob, team.id)
    expect((await find({ configuration_id: team.id, booking_id })).order).toEqual(['bob@x.test', 'ann@x.test'])
    for (const other of [await book(ann, page.id, 'cancelled'), await book(ann, team.id)]) {
      const { body } = expectStatus(await ask({ configuration_id: page.id, booking_id: other.id }), 404)
      expect(body.error.message).toBe('no such booking: check booking_id')
    }
  })

  test('every offered slot can be booked, also next to a new booking, and no other', async () => {
    const rules = { default_open_hours: [{ ...hours[0], end: '14:00' }], buffer: { before: 30, after: 0 } }
    const availability = { duration_minutes: 60, interval_minutes: 30, availability_rules: rules }
    const { id } = await createPage({ availability, event_booking: { title: 'Talk', disable_emails: true } })
    const book = (start_time: number) => {
      const guest = { email: `${start_time}@guest.test`, name: 'Guest' }
      const body = { start_time, end_time: start_time + 3600, guest }
      return accounts.service.call('POST', `/v3/scheduling/bookings?configuration_id=${id}`, { key: null, body })
    }
    const window = { configuration_id: id, start_time: at('2026-06-05T00:00'), end_time: at('2026-06-06T00:00') }
    expect(starts(await find(window))).toBe('09:00 09:30 10:00 10:30 11:00 11:30 12:00 12:30 13:00')
    const { booking_id } = expectStatus(await book(at('2026-06-05T11:00')), 200).body.data
    expect(starts(await find(window))).toBe('09:00 09:30 12:00 12:30 13:00')
    expect(starts(await find({ ...window, booking_id }))).toContain('10:30 11:00 11:30')
    const refused = expectStatus(await book(at('2026-06-05T10:00')), 400)
    expect(refused.body.error.message).toMatch(/^The selected timeslot is unavailable/)
    expectStatus(await book(at('2026-06-05T12:10')), 400)
    expectStatus(await book(at('2026-06-05T12:00')), 200)
    expectStatus(await book(at('2026-06-05T09:30')), 200)
    expect(starts(await find(window))).toBe('13:00')
  })

  test('a page of group events returns those with free seats', async () => {
    const group = expectStatus(
      await ann.post('/scheduling/configurations', {
        name: 'Course',
        type: 'group',
        group_booking: { calendar_id: 'primary' },
        scheduler: { min_booking_notice: 60, available_days_in_future: 3 },
      }),
      200,
    ).body.data
    const put = async (when: Fields): Promise<Json> => {
      const body = { calendar_id: 'primary', title: 'Course', when, participants: [], capacity: 2 }
      return expectStatus(await ann.post(`/scheduling/configurations/${group.id}/group-events`, body), 200).body.data
    }
    const soon = await put(span('2026-06-03T15:00', 60))
    await put(span('2026-06-20T15:00', 60))
    const { time_slots: slots, order } = await find({ configuration_id: group.id, end_time: at('2026-07-01T00:00') })
    expect(order).toBeUndefined()
    const { start_time, end_time } = soon.when
    const calendar_id = expect.any(String)
    expect(slots).toEqual([
      { emails: ['ann@x.test'], start_time, end_time, event_id: soon.id, calendar_id, capacity: 2 },
    ])
  })

  test('private, unknown and foreign pages and bookings cannot be told apart', async () => {
    const closed = await createPage({ requires_session_auth: true })
    for (const configuration_id of [closed.id, randomUUID(), 'x']) {
      const { body } = expectStatus(await ask({ configuration_id }), 404)
      expect(body.error.message).toBe('no such booking page: check configuration_id, or slug and client_id')
    }
    for (const booking_id of [randomUUID(), page.id, 'x']) {
      const { body } = expectStatus(await ask({ configuration_id: page.id, booking_id }), 404)
      expect(body.error.message).toBe('no such booking: check booking_id')
    }
  })

  test('the window is required, and the error names the field', async () => {
    const refused = await accounts.service.call('GET', `/v3/scheduling/availability?configuration_id=${page.id}`, {
      key: null,
    })
    expect(expectStatus(refused, 400).body.error.message).toMatch(/start_time/)
  })
})
