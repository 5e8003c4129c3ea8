/** Google's events as ours and back, without a network. */
import type { EventChange, EventDraft } from '@waypost/contract'
import { describe, expect, test } from 'vitest'
import type { GoogleEvent } from '../../src/google/calendar/calendar-api.ts'
import { conferencingOf } from '../../src/google/calendar/mapping/conference.ts'
import { fromEvent } from '../../src/google/calendar/mapping/event.ts'
import { fromChange, fromDraft } from '../../src/google/calendar/mapping/event-draft.ts'
import { fromTimes, originalStart, overTimes, toTimes } from '../../src/google/calendar/mapping/when.ts'

const place = { grantId: 'grant', calendarId: 'ada@example.com', timeZone: 'Europe/Berlin', accessRole: 'owner' }
const owner = 'ada@example.com'
const draft = (fields: Partial<EventDraft>) =>
  fromDraft({ when: { time: 1_780_000_000 }, ...fields }, { owner, requestId: 'request' })
const change = (fields: EventChange, before?: GoogleEvent) =>
  fromChange(fields, { owner, requestId: 'request', before })

describe('times', () => {
  test('of Google end on the day after the last one', () => {
    expect(fromTimes({ date: '2026-06-03' }, { date: '2026-06-04' })).toEqual({ object: 'date', date: '2026-06-03' })
    expect(fromTimes({ date: '2026-02-27' }, { date: '2026-03-02' })).toEqual({
      object: 'datespan',
      start_date: '2026-02-27',
      end_date: '2026-03-01',
    })
    expect(toTimes({ object: 'datespan', start_date: '2026-12-30', end_date: '2026-12-31' })).toEqual({
      start: { date: '2026-12-30' },
      end: { date: '2027-01-01' },
    })
  })

  test('keep their zones, with current names', () => {
    const start = { dateTime: '2026-06-02T09:00:00-04:00', timeZone: 'America/New_York' }
    const end = { dateTime: '2026-06-02T16:00:00+02:00', timeZone: 'Europe/Berlin' }
    const when = fromTimes(start, end)
    expect(when).toEqual({
      object: 'timespan',
      start_time: 1_780_405_200,
      end_time: 1_780_408_800,
      start_timezone: 'America/New_York',
      end_timezone: 'Europe/Berlin',
    })
    expect(toTimes(when)).toEqual({
      start: { dateTime: '2026-06-02T13:00:00Z', timeZone: 'America/New_York' },
      end: { dateTime: '2026-06-02T14:00:00Z', timeZone: 'Europe/Berlin' },
    })
  })

  test('that are a point are a span without length', () => {
    const time = { dateTime: '2026-06-02T13:00:00Z' }
    expect(fromTimes(time)).toMatchObject({ object: 'timespan', start_time: 1_780_405_200, end_time: 1_780_405_200 })
    expect(toTimes({ object: 'time', time: 1_780_405_200, timezone: null })).toEqual({ start: time, end: time })
  })

  test('remove the fields of the other form', () => {
    expect(overTimes(toTimes({ object: 'date', date: '2026-06-03' })).start).toEqual({
      date: '2026-06-03',
      dateTime: null,
      timeZone: null,
    })
    expect(overTimes(toTimes({ object: 'time', time: 0, timezone: null })).end).toEqual({
      dateTime: '1970-01-01T00:00:00Z',
      date: null,
    })
  })

  test("of a whole day start at the calendar's midnight", () => {
    expect(originalStart({ date: '2026-06-03' }, 'Europe/Berlin')).toBe(1_780_437_600)
    expect(originalStart({ dateTime: '2026-06-02T13:00:00Z' }, 'Europe/Berlin')).toBe(1_780_405_200)
  })
})

describe('an event of Google', () => {
  test('has every field', () => {
    const event = fromEvent(
      {
        id: 'abc_20260602T130000Z',
        status: 'tentative',
        htmlLink: 'https://calendar.google.com/1',
        created: '2026-05-01T10:00:00.000Z',
        updated: '2026-05-02T10:00:00.500Z',
        summary: 'Plan',
        start: { dateTime: '2026-06-02T15:00:00+02:00', timeZone: 'Europe/Berlin' },
        end: { dateTime: '2026-06-02T16:00:00+02:00', timeZone: 'Europe/Berlin' },
        recurringEventId: 'abc',
        originalStartTime: { dateTime: '2026-06-02T15:00:00+02:00' },
        transparency: 'transparent',
        visibility: 'confidential',
        iCalUID: 'abc@google.com',
        sequence: 2,
        organizer: { email: 'bob@example.com', displayName: 'Bob' },
        attendees: [
          { email: 'ada@example.com', self: true, responseStatus: 'accepted', comment: 'Yes!' },
          { email: 'cleo@example.com', responseStatus: 'needsAction' },
          { email: 'room@resource.calendar.google.com', displayName: 'Room', resource: true },
        ],
        guestsCanSeeOtherGuests: false,
        reminders: { useDefault: false, overrides: [{ method: 'email', minutes: 30 }] },
        extendedProperties: { private: { 'waypost-capacity': '5', other: 'x' } },
        colorId: '3',
      },
      place,
    )
    expect(event).toEqual({
      id: 'abc_20260602T130000Z',
      object: 'event',
      grant_id: 'grant',
      calendar_id: 'ada@example.com',
      title: 'Plan',
      description: null,
      location: null,
      when: {
        object: 'timespan',
        start_time: 1_780_405_200,
        end_time: 1_780_408_800,
        start_timezone: 'Europe/Berlin',
        end_timezone: 'Europe/Berlin',
      },
      busy: false,
      status: 'maybe',
      visibility: 'private',
      hide_participants: true,
      participants: [
        { email: 'ada@example.com', name: null, comment: 'Yes!', phone_number: null, status: 'yes' },
        { email: 'cleo@example.com', name: null, comment: null, phone_number: null, status: 'noreply' },
      ],
      resources: [{ email: 'room@resource.calendar.google.com', name: 'Room' }],
      organizer: { name: 'Bob', email: 'bob@example.com' },
      creator: null,
      master_event_id: 'abc',
      original_start_time: 1_780_405_200,
      ical_uid: 'abc@google.com',
      sequence: 2,
      reminders: { use_default: false, overrides: [{ reminder_minutes: 30, reminder_method: 'email' }] },
      color_id: '3',
      capacity: 5,
      html_link: 'https://calendar.google.com/1',
      read_only: false,
      metadata: {},
      created_at: 1_777_629_600,
      updated_at: 1_777_716_000,
    })
  })

  test('that is cancelled may be only a slot of its series', () => {
    const stub = {
      id: 'abc_20260603',
      status: 'cancelled',
      recurringEventId: 'abc',
      originalStartTime: { date: '2026-06-03' },
    }
    expect(fromEvent(stub, place)).toMatchObject({
      status: 'cancelled',
      when: { object: 'date', date: '2026-06-03' },
      master_event_id: 'abc',
      participants: [],
    })
  })

  test('is read-only if its calendar is, or if it is locked', () => {
    const event = { id: 'a', start: { date: '2026-06-03' } }
    expect(fromEvent(event, { ...place, accessRole: 'reader' }).read_only).toBe(true)
    expect(fromEvent({ ...event, locked: true }, place).read_only).toBe(true)
    expect(fromEvent(event, { ...place, accessRole: 'writer' }).read_only).toBe(false)
  })
})

describe('conference details', () => {
  test('are those that Google created', () => {
    const conferenceData = {
      conferenceId: 'aaa-bbbb-ccc',
      conferenceSolution: { key: { type: 'hangoutsMeet' }, name: 'Google Meet' },
      entryPoints: [
        { entryPointType: 'video', uri: 'https://meet.google.com/aaa-bbbb-ccc' },
        { entryPointType: 'phone', uri: 'tel:+1-202-555-0100', label: '+1 202-555-0100', pin: '123' },
      ],
    }
    expect(conferencingOf({ id: 'a', conferenceData })).toEqual({
      provider: 'Google Meet',
      details: {
        url: 'https://meet.google.com/aaa-bbbb-ccc',
        meeting_code: 'aaa-bbbb-ccc',
        pin: '123',
        phone: ['+1-202-555-0100'],
      },
    })
  })

  test('are found in the location and the description of an event', () => {
    const zoom = 'https://us02web.zoom.us/j/123?pwd=x'
    expect(conferencingOf({ id: 'a', location: zoom })).toEqual({ provider: 'Zoom Meeting', details: { url: zoom } })
    const teams = 'https://teams.microsoft.com/l/meetup-join/19%3ameeting'
    expect(conferencingOf({ id: 'a', description: `<a href="${teams}">Join</a>.` })).toEqual({
      provider: 'Microsoft Teams',
      details: { url: teams },
    })
    expect(conferencingOf({ id: 'a', description: 'https://example.com/zoom' })).toBeUndefined()
  })

  test('are missing until Google has created them', () => {
    const conferenceData = { createRequest: { requestId: 'r', status: { statusCode: 'pending' } } }
    expect(conferencingOf({ id: 'a', conferenceData })).toBeUndefined()
  })
})

describe('a new event', () => {
  test('has only the given fields', () => {
    expect(draft({ title: 'Plan', description: null, capacity: null })).toEqual({
      summary: 'Plan',
      start: { dateTime: '2026-05-28T20:26:40Z' },
      end: { dateTime: '2026-05-28T20:26:40Z' },
    })
  })

  test('repeats in its time zone, or in UTC', () => {
    const lines = ['EXDATE:20260529T202640Z', 'rrule:freq=daily; count=3']
    expect(draft({ recurrence: lines })).toMatchObject({
      start: { timeZone: 'UTC' },
      recurrence: ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20260529T202640Z'],
    })
    const outside = { when: { date: '2026-06-03' }, recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO'] }
    expect(() => draft(outside)).toThrow(/the next one is 2026-06-08/)
    expect(() => draft({ recurrence: ['RRULE:FREQ=HOURLY'] })).toThrow(/recurrence/)
  })

  test('invites each guest once, and not its owner', () => {
    const participants = ['Bob@example.com', 'bob@example.com', 'ADA@example.com'].map((email) => ({ email }))
    const resources = [{ email: 'room@example.com', name: 'Room' }]
    expect(draft({ participants, resources }).attendees).toEqual([
      { email: 'Bob@example.com', responseStatus: 'needsAction' },
      { email: 'room@example.com', displayName: 'Room', resource: true },
    ])
  })

  test('has the requested reminders', () => {
    const minutes = (count: number) => Array.from({ length: count }, (_, at) => ({ reminder_minutes: at }))
    expect(draft({ reminders: { use_default: true } }).reminders).toEqual({ useDefault: true, overrides: [] })
    expect(draft({ reminders: { use_default: false } }).reminders).toEqual({ useDefault: false, overrides: [] })
    expect(draft({ reminders: { overrides: minutes(1) } }).reminders).toEqual({
      useDefault: false,
      overrides: [{ method: 'popup', minutes: 0 }],
    })
    expect(() => draft({ reminders: { use_default: true, overrides: minutes(1) } })).toThrow(/use_default/)
    expect(() => draft({ reminders: { overrides: minutes(6) } })).toThrow(/at most 5/)
  })

  test('has a given conference, or one that Google creates', () => {
    const details = { url: 'https://zoom.us/j/1', meeting_code: '1', password: 'x' }
    expect(draft({ conferencing: { provider: 'Zoom Meeting', details } }).conferenceData).toEqual({
      conferenceSolution: { key: { type: 'addOn' }, name: 'Zoom Meeting' },
      conferenceId: '1',
      entryPoints: [{ entryPointType: 'video', uri: 'https://zoom.us/j/1', meetingCode: '1', passcode: 'x' }],
    })
    expect(draft({ conferencing: { provider: 'Google Meet', autocreate: {} } }).conferenceData).toEqual({
      createRequest: { requestId: 'request', conferenceSolutionKey: { type: 'hangoutsMeet' } },
    })
    const wrong: EventDraft['conferencing'][] = [
      { provider: 'Zoom Meeting', autocreate: {} },
      { provider: 'Google Meet', autocreate: {}, details },
      { provider: 'Zoom Meeting', details: { url: 'javascript:1' } },
      { details },
    ]
    for (const conferencing of wrong) expect(() => draft({ conferencing })).toThrow(/conferencing/)
  })

  test('has a description that Google accepts', () => {
    expect(() => draft({ description: 'x'.repeat(8193) })).toThrow(/description/)
  })
})

describe('a change', () => {
  test('contains the changed fields, and removes cleared ones', () => {
    expect(change({ title: null, color_id: null, conferencing: {}, recurrence: [] })).toEqual({
      summary: null,
      colorId: null,
      conferenceData: null,
      recurrence: null,
    })
  })

  test('keeps the answers of remaining guests, and rooms that it does not mention', () => {
    const before: GoogleEvent = {
      id: 'a',
      attendees: [
        { email: 'bob@example.com', responseStatus: 'accepted', optional: true },
        { email: 'cleo@example.com', responseStatus: 'declined' },
        { email: 'room@example.com', resource: true, responseStatus: 'accepted' },
      ],
    }
    const room = { email: 'room@example.com', resource: true, responseStatus: 'accepted' }
    expect(
      change({ participants: [{ email: 'BOB@example.com', name: 'Bob' }, { email: 'dan@example.com' }] }, before),
    ).toEqual({
      attendees: [
        { email: 'BOB@example.com', displayName: 'Bob', responseStatus: 'accepted', optional: true },
        { email: 'dan@example.com', responseStatus: 'needsAction' },
        room,
      ],
    })
    expect(change({ participants: [] }, before)).toEqual({ attendees: [room] })
    expect(change({ resources: [] }, before).attendees).toHaveLength(2)
  })

  test('of one occurrence has no recurrence', () => {
    const before = { id: 'a_20260603', recurringEventId: 'a', start: { date: '2026-06-03' } }
    expect(() => change({ recurrence: ['RRULE:FREQ=DAILY'] }, before)).toThrow(/recurrence/)
    const single = { id: 'a', start: { date: '2026-06-03' }, end: { date: '2026-06-04' } }
    expect(change({ recurrence: ['RRULE:FREQ=DAILY'] }, single)).toEqual({ recurrence: ['RRULE:FREQ=DAILY'] })
  })
})
