/**
 * Invitations on a server with scheduling (Cyrus): the server notifies guests and organizers, and the service never
 * sends mail in addition. The server ignores past events, so the events are in the future.
 */

import type { Event } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { DavSession } from '@waypost/providers/dav/session'
import { sharedCyrus } from '@waypost/testing/peers/cyrus'
import type { Mailbox } from '@waypost/testing/peers/mail-server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { calDavTraits, iCloudTraits, type SchedulingMail } from '../../../../providers/src/dav/caldav/traits.ts'
import { at, type CalendarAccount, calendarAccount, calendarQuery, listQuery, span } from './calendar-account.ts'

const waiting = { timeout: 20_000, interval: 50 }
/** This service must send no mail here. */
const mail: SchedulingMail<DavSession> = {
  telling: () => Promise.reject(new Error('a mail beside the one of the server')),
  tellOrganizer: () => Promise.reject(new Error('a mail beside the one of the server')),
}

let server: Awaited<ReturnType<typeof sharedCyrus>>
let ann: CalendarAccount
let bob: CalendarAccount
let annBox: Mailbox
let bobBox: Mailbox
beforeAll(async () => {
  server = await sharedCyrus()
  annBox = await server.addDavUser()
  bobBox = await server.addDavUser()
  ann = calendarAccount(server, annBox, { traits: { ...calDavTraits, mail } })
  bob = calendarAccount(server, bobBox, { traits: { ...calDavTraits, mail } })
  // A user who has never signed in has no calendar yet.
  await bob.operations.calendars.list(bob.session, calendarQuery, undefined)
})
afterAll(async () => {
  await ann?.[Symbol.asyncDispose]()
  await bob?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

const eventsOf = async ({ operations, session }: CalendarAccount, title: string): Promise<Event[]> => {
  const { items } = await operations.events.list(session, listQuery({ title, show_cancelled: true }), undefined)
  return items as Event[]
}
const found = async (account: CalendarAccount, title: string): Promise<Event> => {
  const [event] = await vi.waitFor(async () => {
    const events = await eventsOf(account, title)
    expect(events).not.toEqual([])
    return events
  }, waiting)
  if (!event) throw new Error('no event')
  return event
}
const read = ({ operations, session }: CalendarAccount, id: string): Promise<Event> =>
  operations.events.get(session, { event_id: id, calendar_id: 'primary' })
const stored = async (id: string): Promise<string> =>
  (await server.request(annBox, 'GET', `${server.calendarHome(annBox.user)}Default/${id}.ics`)).text.replaceAll(
    '\r\n ',
    '',
  )
const change = (
  { operations, session }: CalendarAccount,
  id: string,
  fields: object,
  of: object = {},
): Promise<Event> => operations.events.update(session, { event_id: id, calendar_id: 'primary', ...of }, fields)
const statusOf = ({ participants }: Event, { user }: Mailbox): string | undefined =>
  participants.find(({ email }) => email === user)?.status
const refusal = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was refused',
    (error: unknown) => (error instanceof ApiError ? `${error.code}: ${error.message}` : String(error)),
  )
const invite = (title: string, of: object = {}, fields: object = {}): Promise<Event> =>
  ann.create(
    'primary',
    { title, when: span('2036-06-10T09:00'), participants: [{ email: bobBox.user }], ...fields },
    of,
  )

test('a guest gets the event in the calendar, answers it, and the organizer sees the answer', async () => {
  const made = await invite('Planning')
  expect(made.organizer?.email).toBe(annBox.user)
  expect(made.participants).toEqual([expect.objectContaining({ email: bobBox.user, status: 'noreply' })])
  const copy = await found(bob, 'Planning')
  expect(copy).toMatchObject({ ical_uid: made.ical_uid, organizer: { email: annBox.user } })
  expect(statusOf(copy, bobBox)).toBe('noreply')
  const answer = (status: 'yes' | 'maybe', skip_email = false) =>
    bob.operations.events.rsvp(bob.session, { event_id: copy.id, calendar_id: 'primary', skip_email }, { status })
  expect(await answer('yes')).toEqual({})
  await vi.waitFor(async () => expect(statusOf(await read(ann, made.id), bobBox)).toBe('yes'), waiting)
  expect(await answer('maybe', true)).toEqual({ mail: 'the calendar server notifies the organizer itself' })
  await vi.waitFor(async () => expect(statusOf(await read(ann, made.id), bobBox)).toBe('maybe'), waiting)
  expect(await refusal(change(bob, copy.id, { title: 'Mine' }))).toMatch(/^invalid_request: only the organizer/)
  const own = ann.operations.events.rsvp(
    ann.session,
    { event_id: made.id, calendar_id: 'primary', skip_email: false },
    { status: 'yes' },
  )
  expect(await refusal(own)).toMatch(/organizes this event/)
})

test("the organizer's changes and deletions reach guests, and a guest who deletes the copy declines", async () => {
  const made = await invite('Review', {}, { recurrence: ['RRULE:FREQ=DAILY;UNTIL=20360612T090000Z'] })
  const copies = await found(bob, 'Review')
  expect((await eventsOf(bob, 'Review')).map(({ when }) => when)).toHaveLength(3)
  // One occurrence is declined, and then the whole series.
  const second = `${copies.master_event_id}_20360611T090000Z`
  await bob.operations.events.rsvp(
    bob.session,
    { event_id: second, calendar_id: 'primary', skip_email: false },
    { status: 'no' },
  )
  await vi.waitFor(
    async () => expect(statusOf(await read(ann, `${made.id}_20360611T090000Z`), bobBox)).toBe('no'),
    waiting,
  )
  expect(statusOf(await read(ann, made.id), bobBox)).toBe('noreply')
  await change(ann, made.id, { location: 'Room 2' })
  await vi.waitFor(async () => expect((await read(bob, copies.id)).location).toBe('Room 2'), waiting)
  // Cyrus has duplicated TRANSP in the copy by now, and would not accept it unchanged.
  const series = { event_id: copies.master_event_id ?? '', calendar_id: 'primary' }
  await bob.operations.events.rsvp(bob.session, { ...series, skip_email: false }, { status: 'maybe' })
  await vi.waitFor(async () => expect(statusOf(await read(ann, made.id), bobBox)).toBe('maybe'), waiting)
  await bob.operations.events.delete(bob.session, series)
  await vi.waitFor(async () => expect(statusOf(await read(ann, made.id), bobBox)).toBe('no'), waiting)

  const other = await invite('Short')
  const copy = await found(bob, 'Short')
  await ann.operations.events.delete(ann.session, { event_id: other.id, calendar_id: 'primary' })
  const isGone = async (): Promise<boolean> => (await read(bob, copy.id).catch(() => undefined))?.status !== 'confirmed'
  await vi.waitFor(async () => expect(await isGone()).toBe(true), waiting)
})

test('nobody is notified if the client turns it off, until it turns it on', async () => {
  const made = await invite('Quiet', { notify_participants: false })
  expect(await stored(made.id)).toMatch(/ATTENDEE[^\r\n]*;SCHEDULE-AGENT=NONE/)
  await change(ann, made.id, { location: 'Room 1' }, { notify_participants: false })
  expect(ann.headers).toEqual({})
  expect(await stored(made.id)).toMatch(/ATTENDEE[^\r\n]*;SCHEDULE-AGENT=NONE/)
  expect(await eventsOf(bob, 'Quiet')).toEqual([])
  await change(ann, made.id, { location: 'Room 2' }, { notify_participants: true })
  expect((await found(bob, 'Quiet')).location).toBe('Room 2')
  // The server notifies guests whom it invited of everything, and the response tells the client so.
  await change(ann, made.id, { location: 'Room 3' }, { notify_participants: false })
  expect(ann.headers).toEqual({ 'x-ignored-fields': 'notify_participants' })
  await vi.waitFor(async () => expect((await found(bob, 'Quiet')).location).toBe('Room 3'), waiting)
  expect(await refusal(change(ann, made.id, { hide_participants: true }))).toMatch(/hide_participants/)
})

test("a guest's copy is deleted silently on request", async () => {
  const made = await invite('Silent')
  const copy = await found(bob, 'Silent')
  await bob.operations.events.delete(bob.session, {
    event_id: copy.id,
    calendar_id: 'primary',
    notify_participants: false,
  })
  expect(await eventsOf(bob, 'Silent')).toEqual([])
  expect(statusOf(await read(ann, made.id), bobBox)).toBe('noreply')
})

test('free/busy times of others are requested, and strangers have a separate error', async () => {
  await bob.create('primary', { title: 'Busy', when: span('2036-06-20T09:00') })
  await bob.create('primary', { title: 'Free', when: span('2036-06-20T12:00'), busy: false })
  const query = { start_time: at('2036-06-20T00:00'), end_time: at('2036-06-21T00:00') }
  const emails = [bobBox.user.toUpperCase(), 'nobody@elsewhere.test', annBox.user]
  const reported = await ann.operations.calendars.freeBusy(ann.session, { ...query, emails })
  expect(reported).toEqual([
    {
      email: emails[0],
      object: 'free_busy',
      time_slots: [
        { start_time: at('2036-06-20T09:00'), end_time: at('2036-06-20T10:00'), status: 'busy', object: 'time_slot' },
      ],
    },
    { email: emails[1], object: 'error', error: expect.stringMatching(/./) },
    { email: emails[2], object: 'free_busy', time_slots: [] },
  ])
})

describe('a service that always notifies guests', () => {
  test('is not requested to stay silent, and has no primary calendar', async () => {
    await using other = calendarAccount(server, annBox, { traits: iCloudTraits })
    const { operations, session } = other
    const byWord = operations.calendars.get(session, { calendar_id: 'primary' })
    expect(await refusal(byWord)).toBe(
      'not_found: there is no primary calendar at iCloud: list the calendars, and name one of them by its id',
    )
    const { items } = await operations.calendars.list(session, calendarQuery, undefined)
    expect(items.filter((calendar) => 'is_primary' in calendar && calendar.is_primary)).toEqual([])
    const made = await other.create(
      'Default',
      { title: 'Told', when: span('2036-06-11T09:00'), participants: [{ email: bobBox.user }] },
      { notify_participants: false },
    )
    expect(await stored(made.id)).not.toMatch(/SCHEDULE-AGENT/)
    await found(bob, 'Told')
    const long = listQuery({ calendar_id: 'Default', end: at('2036-12-02T00:00') })
    expect(await refusal(operations.events.list(session, long, undefined))).toBe(
      'invalid_request: The maximum time range for iCloud event queries is 6 months.',
    )
    const whole = listQuery({ calendar_id: 'Default', end: at('2036-12-01T00:00'), title: 'Told' })
    expect((await operations.events.list(session, whole, undefined)).items).toHaveLength(1)
    await expect(operations.calendars.delete(session, { calendar_id: 'Default' })).rejects.toThrow(/primary/)
    const reminders = { overrides: [{ reminder_minutes: 5 }, { reminder_minutes: 10 }] }
    expect(await refusal(other.create('Default', { when: span('2036-06-11T09:00'), reminders }))).toMatch(/at most 1/)
    const series = await other.create('Default', {
      when: span('2036-06-11T09:00'),
      recurrence: ['RRULE:FREQ=DAILY;COUNT=2'],
    })
    const at2 = { event_id: series.id, calendar_id: 'Default' }
    expect(await refusal(operations.events.update(session, at2, { recurrence: [] }))).toMatch(/cannot become a single/)
  })
})
