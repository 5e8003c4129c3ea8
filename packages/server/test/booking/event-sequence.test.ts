/** The calendar entry that the mails about a booking refer to, and its SEQUENCE. */
import type { Event } from '@waypost/contract'
import { expect, test } from 'vitest'
import type { BookingDetails, BookingRecord } from '../../src/booking/bookings/booking-record.ts'
import { formerEventOf, sentSequence, slotOf, tellingOf } from '../../src/booking/bookings/guest-sequence.ts'

const record = (more: Partial<BookingRecord> = {}, details: Partial<BookingDetails> = {}): BookingRecord => ({
  ...{
    id: 'b',
    applicationId: 'a',
    configurationId: 'c',
    grantId: 'g',
    hostGrantId: 'g',
    status: 'booked',
    revision: 4,
  },
  ...{ startTime: 0, endTime: 1, calendarId: 'k', eventId: 'e', guestKey: '', intent: undefined, createdAt: 0 },
  updatedAt: 0,
  ...more,
  details: { guest: { email: 'gina@guest.test', name: '' }, icalUid: 'uid', ...details } as BookingDetails,
})
const event = (sequence?: number, more: Partial<Event> = {}) =>
  ({ id: 'e', participants: [], when: { object: 'timespan' }, sequence, ...more }) as unknown as Event
const former = (sequence: number, guests: readonly string[] = []) =>
  formerEventOf(event(sequence, { participants: guests.map((email) => ({ email })) as Event['participants'] }), {
    guest: { email: 'gina@guest.test', name: '' },
    goesOn: false,
  })
const told = (sequence: number | null, revision = 4) => ({ told: { revision, sequence } })
const nothing = { event: undefined, former: undefined }

test('a mail has the SEQUENCE of the event that its host has edited, and never an older one than was sent', () => {
  const [before, next] = [record({}, told(2)), record({ revision: 5 })]
  expect(tellingOf({ before, next, ...nothing, event: event(9) }).told).toEqual({ revision: 5, sequence: 9 })
  expect(tellingOf({ before, next, ...nothing, event: event(1) }).told.sequence).toBe(3)
  expect(tellingOf({ before, next, ...nothing, event: event() }).told.sequence).toBe(3)
})

test('a cancellation is newer than every edit of the host and every mail', () => {
  const next = record({ status: 'cancelled', revision: 5 })
  const sequenceOf = (before: BookingRecord, of = former(9)) =>
    tellingOf({ before, next, ...nothing, former: of }).told.sequence
  expect(sequenceOf(record({}, told(2)))).toBe(10)
  expect(sequenceOf(record({}, told(20)))).toBe(21)
  const unnumbered = formerEventOf(event(), { guest: { email: 'gina@guest.test', name: '' }, goesOn: false })
  expect(sequenceOf(record({}, told(2)), unnumbered)).toBeGreaterThan(1_000)
  // The host deleted the event, and the number of earlier edits is unknown.
  expect(tellingOf({ before: record({}, told(2)), next, ...nothing }).told.sequence).toBeGreaterThan(1_000)
})

test('a booking that an earlier release changed has its revision as the sent SEQUENCE', () => {
  expect(sentSequence(record())).toBe(4)
  expect(sentSequence(record({}, told(9, 3)))).toBe(9)
  expect(sentSequence(record({}, told(2, 3)))).toBe(4)
  expect(sentSequence(record({ status: 'pending', revision: 1 }))).toBeUndefined()
  expect(sentSequence(record({ status: 'pending', revision: 2 }))).toBe(2)
  expect(sentSequence(record({ status: 'pending' }, told(null)))).toBeUndefined()
})

test('a move to another event cancels the previous one, and the new one starts at its own SEQUENCE', () => {
  const before = record({}, told(2))
  const next = record({ revision: 5 }, { icalUid: 'other' })
  const telling = tellingOf({ before, next, event: event(0), former: former(6) })
  expect(telling).toEqual({ told: { revision: 5, sequence: 0 }, withdrawn: 7 })
  expect(
    tellingOf({ before, next: record({ revision: 5 }), event: event(3), former: undefined }).withdrawn,
  ).toBeUndefined()
})

test('a request sends guests no SEQUENCE, and its refusal only to guests whose calendars have the event', () => {
  const before = record({ status: 'pending' }, told(null))
  const moved = record({ status: 'pending', revision: 5 }, { icalUid: 'other' })
  expect(tellingOf({ before, next: moved, event: event(1), former: former(0) })).toEqual({
    told: { revision: 5, sequence: null },
  })
  const declined = record({ status: 'cancelled', revision: 5 })
  expect(tellingOf({ before, next: declined, event: undefined, former: former(3) }).told.sequence).toBeNull()
  const invited = former(3, ['GINA@guest.test'])
  expect(tellingOf({ before, next: declined, event: undefined, former: invited }).told.sequence).toBe(4)
  // The host deleted the event, and may have invited the guest before.
  expect(tellingOf({ before, next: declined, ...nothing }).told.sequence).not.toBeNull()
})

test('an occurrence is identified by its original start, from its field or from its id', () => {
  const when = { object: 'timespan', start_time: 5, end_time: 9, start_timezone: 'Europe/Berlin', end_timezone: null }
  const occurrence = { master_event_id: 'm', when } as Partial<Event>
  expect(slotOf(event(0, { ...occurrence, original_start_time: 7 }))).toEqual({ time: 7, timezone: 'Europe/Berlin' })
  expect(slotOf(event(0, { ...occurrence, id: 'm_19700101T000010Z' }))?.time).toBe(10)
  expect(slotOf(event(0, { when: when as Event['when'] }))).toBeUndefined()
})
