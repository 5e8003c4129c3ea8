/** Calendars of Google accounts only. conformance/provider-calendars.test.ts has what other providers do too. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { at, expectRefusal, expectStatus, ids, type Json, span, titles } from '../../conformance/accounts.ts'
import { type GoogleAccount, type GoogleAccounts, openGoogleAccounts } from './google-accounts.ts'

const june = { start: at('2026-06-01T00:00'), end: at('2026-07-01T00:00') }
const primary = { calendar_id: 'primary' }
const silent = { ...primary, notify_participants: false }

let accounts: GoogleAccounts
let account: GoogleAccount
beforeAll(async () => {
  accounts = await openGoogleAccounts()
})
afterAll(() => accounts[Symbol.asyncDispose]())
beforeEach(async () => {
  account = await accounts.newAccount()
})

const calendarCalls = (): string[] => accounts.requested('/calendar/v3/')
const path = (id: string): string => `/events/${encodeURIComponent(id)}`

describe('the account', () => {
  test('takes one call per 250 events for a filter that Google lacks', async () => {
    for (let count = 0; count < 30; count += 1) {
      account.google.calendar.addEvent({
        summary: `Event ${count}`,
        start: { date: '2026-06-02' },
        end: { date: '2026-06-03' },
      })
    }
    account.google.calendar.addEvent({
      summary: 'Company March Meeting',
      start: { date: '2026-06-03' },
      end: { date: '2026-06-04' },
    })
    calendarCalls()
    expect(titles(await account.list('primary', { ...june, title: 'march' }))).toEqual(['Company March Meeting'])
    expect(calendarCalls()).toHaveLength(1)
  })
  test('has its address as the id of its main calendar, and both names work', async () => {
    const made = await account.create('primary', { title: 'Own', when: span('2026-06-02T09:00') })
    expect(made).toMatchObject({
      calendar_id: account.email,
      organizer: { email: account.email },
      html_link: expect.stringMatching(/^https:/),
    })
    expect(ids(await account.list(account.email.toUpperCase(), june))).toEqual([made.id])
    expect((await account.get('/calendars/primary')).body.data).toMatchObject({
      id: account.email,
      is_primary: true,
      is_owned_by_user: true,
      read_only: false,
      hex_color: expect.stringMatching(/^#/),
    })
    expectRefusal(await account.delete(`/calendars/${account.email}`), /primary/)
  })

  test('cannot write to shared calendars that are read-only', async () => {
    const owner = await accounts.newAccount()
    const { id } = owner.google.calendar.addCalendar({ summary: 'Shared' })
    const event = owner.google.calendar.addEvent(
      { summary: 'Theirs', start: { date: '2026-06-02' }, end: { date: '2026-06-03' } },
      id,
    )
    owner.google.calendar.share(id, account.email, 'reader')
    const shared = (await account.get(`/calendars/${encodeURIComponent(id)}`)).body.data
    expect(shared).toMatchObject({ read_only: true, is_owned_by_user: false })
    expect(await account.list(id, june)).toEqual([expect.objectContaining({ id: event.id, read_only: true })])
    expect((await account.read(id, event.id)).read_only).toBe(true)
    expectRefusal(await account.put(path(event.id), { title: 'Mine' }, { calendar_id: id }), /read-only/)
    expectRefusal(await account.post('/events', { when: { date: '2026-06-02' } }, { calendar_id: id }), /read-only/)
    // It is removed from the list, because the account cannot delete it.
    expectStatus(await account.delete(`/calendars/${encodeURIComponent(id)}`), 200)
    expectStatus(await account.get(`/calendars/${encodeURIComponent(id)}`), 404)
    expect(owner.google.calendar.event(event.id, id)).toMatchObject({ summary: 'Theirs' })
  })

  test('gets the delay that Google requests', async () => {
    accounts.simulator.fail(
      { method: 'GET', path: /\/events$/, times: 1 },
      { status: 403, reason: 'rateLimitExceeded', retryAfter: 30 },
    )
    const slow = expectStatus(await account.get('/events', primary), 429)
    expect(slow.headers.get('retry-after')).toBe('30')
    accounts.simulator.fail({ method: 'GET', path: /\/events$/, times: 1 }, { status: 503, reason: 'backendError' })
    expectStatus(await account.get('/events', primary), 200)
  })
})

describe('guests', () => {
  test('are notified of an event unless the request turns it off', async () => {
    const guests = { participants: [{ email: 'bob@elsewhere.test', name: 'Bob', comment: 'Please' }] }
    const { id } = await account.create('primary', { title: 'Loud', when: span('2026-06-02T09:00'), ...guests })
    const reported = account.google.calendar.invitations.length
    expect(reported).toBeGreaterThan(0)
    await account.change('primary', id, { title: 'Quiet' }, { notify_participants: false })
    await account.delete(path(id), silent)
    expect(account.google.calendar.invitations).toHaveLength(reported)
  })

  test('of the same Google answer, and keep their answers while they stay invited', async () => {
    const guest = await accounts.newAccount()
    const { id } = await account.create('primary', {
      title: 'Together',
      when: span('2026-06-02T09:00'),
      participants: [{ email: guest.email }, { email: 'bob@elsewhere.test' }],
      resources: [{ email: 'room@resource.calendar.google.com', name: 'Room' }],
    })
    expect(await guest.read('primary', id)).toMatchObject({ title: 'Together', organizer: { email: account.email } })
    expectStatus(await guest.post(`${path(id)}/send-rsvp`, { status: 'maybe', comment: 'Perhaps' }, primary), 200)
    const answered = expect.objectContaining({ email: guest.email, status: 'maybe', comment: 'Perhaps' })
    expect((await account.read('primary', id)).participants).toEqual(expect.arrayContaining([answered]))
    const changed = await account.change('primary', id, { participants: [{ email: guest.email }] })
    expect(changed.participants).toEqual([answered])
    expect(changed.resources).toEqual([expect.objectContaining({ email: 'room@resource.calendar.google.com' })])
    expectRefusal(await guest.put(path(id), { title: 'Mine' }, primary), /organizer/)
    expect((await guest.change('primary', id, { metadata: { key1: 'own' } })).metadata).toEqual({ key1: 'own' })
    expect((await account.read('primary', id)).metadata).toEqual({})
  })

  test('answer invitations from elsewhere, for whole series and single instances', async () => {
    const { id } = account.google.calendar.receiveInvitation(
      { email: 'boss@elsewhere.test', displayName: 'Boss' },
      {
        summary: 'Daily',
        start: { dateTime: '2026-06-01T09:00:00Z', timeZone: 'UTC' },
        end: { dateTime: '2026-06-01T10:00:00Z', timeZone: 'UTC' },
        recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
      },
    )
    const statusOf = ({ participants }: Json): string =>
      participants.find(({ email }: Json) => email === account.email)?.status
    const [, second] = await account.list('primary', june)
    expect(statusOf(second)).toBe('noreply')
    expectStatus(await account.post(`${path(second.id)}/send-rsvp`, { status: 'no' }, primary), 200)
    expect((await account.list('primary', june)).map(statusOf)).toEqual(['noreply', 'no', 'noreply'])
    expectStatus(
      await account.post(`${path(id)}/send-rsvp`, { status: 'yes' }, { ...primary, skip_nylas_email: true }),
      200,
    )
    expect(statusOf(await account.read('primary', id))).toBe('yes')
  })

  test('cannot be answered for by anybody else', async () => {
    const { id: other } = await account.createCalendar({ name: 'Other' })
    const owner = await accounts.newAccount()
    const { id: theirs } = owner.google.calendar.addCalendar({ summary: 'Team' })
    owner.google.calendar.share(theirs, account.email, 'writer')
    const event = owner.google.calendar.addEvent(
      { summary: 'x', start: { date: '2026-06-02' }, end: { date: '2026-06-03' } },
      theirs,
    )
    expectRefusal(
      await account.post(`${path(event.id)}/send-rsvp`, { status: 'yes' }, { calendar_id: theirs }),
      /not invited/,
    )
    expectStatus(await account.post(`${path('nosuchevent')}/send-rsvp`, { status: 'yes' }, { calendar_id: other }), 404)
  })
})

describe('features of Google', () => {
  test('reminders, colors, capacity and visibility are stored and cleared', async () => {
    const reminders = { use_default: false, overrides: [{ reminder_minutes: 30, reminder_method: 'email' }] }
    const fields = { reminders, color_id: '5', capacity: 7, visibility: 'public', hide_participants: true }
    const { id } = await account.create('primary', { when: span('2026-06-02T09:00'), ...fields })
    expect(await account.read('primary', id)).toMatchObject(fields)
    await account.change('primary', id, { color_id: null, capacity: null, reminders: { use_default: true } })
    const cleared = await account.read('primary', id)
    expect(cleared).toMatchObject({ color_id: null, reminders: { use_default: true }, visibility: 'public' })
    expect(cleared).not.toHaveProperty('capacity')
  })

  test('cancelled events are returned on request', async () => {
    const { id } = await account.create('primary', { title: 'Off', when: span('2026-06-02T09:00') })
    const series = await account.create('primary', {
      title: 'Daily',
      when: span('2026-06-03T09:00', 60, 'UTC'),
      recurrence: ['RRULE:FREQ=DAILY;COUNT=2'],
    })
    await account.delete(path(id), silent)
    const [, second] = await account.list('primary', june)
    await account.delete(path(second.id), silent)
    expect(await account.list('primary', june)).toHaveLength(1)
    const shown = await account.list('primary', { ...june, show_cancelled: true })
    expect(
      shown
        .filter(({ status }: Json) => status === 'cancelled')
        .map((one: Json) => one.id)
        .sort(),
    ).toEqual([id, second.id].sort())
    expect(ids(await account.list('primary', { ...june, expand_recurring: false }))).toEqual([series.id])
    expectStatus(await account.put(path(id), { title: 'x' }, primary), 404)
  })

  test('a rejection by Google names the field', async () => {
    const when = span('2026-06-02T09:00')
    const participants = Array.from({ length: 201 }, (_, index) => ({ email: `guest${index}@example.org` }))
    const answer = await account.post('/events', { title: 'Crowd', when, participants }, primary)
    expectRefusal(answer, /participants: Google refuses it.*200/)
    expect(answer.body.error.validation_errors).toHaveProperty('participants')
    const made = account.google.calendar.addEvent({
      summary: 'One',
      start: { dateTime: '2026-06-02T09:00:00Z' },
      end: { dateTime: '2026-06-02T10:00:00Z' },
    })
    const changed = await account.put(`/events/${made.id}`, { participants }, primary)
    expectRefusal(changed, /participants: Google refuses it/)
  })

  test('events of other types are returned on request', async () => {
    const day = { start: { dateTime: '2026-06-02T09:00:00Z' }, end: { dateTime: '2026-06-02T17:00:00Z' } }
    account.google.calendar.addEvent({ summary: 'Away', eventType: 'outOfOffice', outOfOfficeProperties: {}, ...day })
    account.google.calendar.addEvent({ summary: 'Meeting', ...day })
    expect(titles(await account.list('primary', june))).toEqual(['Meeting'])
    expect(titles(await account.list('primary', { ...june, event_type: 'outOfOffice' }))).toEqual(['Away'])
    expect(await account.list('primary', { ...june, event_type: 'outOfOffice,default' })).toHaveLength(2)
    expectRefusal(await account.get('/events', { ...primary, event_type: 'party' }), /event_type/)
  })

  test('instances have their original start, also after they moved', async () => {
    await account.create('primary', {
      title: 'Weekly',
      when: span('2026-03-02T09:00', 60, 'America/New_York'),
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'],
    })
    const march = { start: at('2026-03-01T00:00'), end: at('2026-04-01T00:00') }
    const [, second] = await account.list('primary', march)
    expect(second.original_start_time).toBe(at('2026-03-09T09:00', 'America/New_York'))
    expect(second.id).toMatch(/_20260309T130000Z$/)
    const moved = await account.change('primary', second.id, { when: span('2026-03-10T18:00') })
    expect(moved).toMatchObject({ id: second.id, original_start_time: second.original_start_time })
    expect(moved.when.start_time).toBe(at('2026-03-10T18:00'))
  })
})

describe('metadata', () => {
  test('is stored by the service, and inherited by the instances of a series', async () => {
    const series = await account.create('primary', {
      when: span('2026-06-03T09:00', 60, 'UTC'),
      recurrence: ['RRULE:FREQ=DAILY;COUNT=2'],
      metadata: { key1: 'series' },
    })
    expect(account.google.calendar.event(series.id)).not.toHaveProperty('extendedProperties')
    const [first, second] = await account.list('primary', june)
    expect([first.metadata, second.metadata]).toEqual([{ key1: 'series' }, { key1: 'series' }])
    await account.change('primary', second.id, { metadata: { key1: 'own' } })
    expect((await account.read('primary', second.id)).metadata).toEqual({ key1: 'own' })
    expect(ids(await account.list('primary', { metadata_pair: 'key1:own' }))).toEqual([second.id])
    expect(ids(await account.list('primary', { metadata_pair: 'key1:series' }))).toEqual([series.id])
    const imported = await account.get('/events/import', { ...primary, ...june })
    expect(imported.body.data.map((one: Json) => one.metadata)).not.toContainEqual({ key1: 'series' })
  })

  test('of a single event is deleted when it becomes a series', async () => {
    const { id } = await account.create('primary', { when: span('2026-06-03T09:00'), metadata: { key1: 'single' } })
    const changed = await account.change('primary', id, { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
    expect(changed.metadata).toEqual({})
    expect((await account.read('primary', id)).metadata).toEqual({})
  })

  test('belongs to one application, even if another has a grant of the same account', async () => {
    const { key } = await accounts.service.createApplication('Another')
    const other = await accounts.newAccount({ email: account.email, key })
    const { id } = await account.create('primary', { when: span('2026-06-03T09:00'), metadata: { key1: 'secret' } })
    expect((await other.read('primary', id)).metadata).toEqual({})
    expect(await other.list('primary', { metadata_pair: 'key1:secret' })).toEqual([])
    await other.change('primary', id, { metadata: { key1: 'theirs' } })
    expect((await account.read('primary', id)).metadata).toEqual({ key1: 'secret' })
  })

  test('of a deleted event is not found', async () => {
    const { id } = await account.create('primary', { when: span('2026-06-03T09:00'), metadata: { key1: 'gone' } })
    account.google.calendar.deleteEvent(id)
    expect(await account.list('primary', { metadata_pair: 'key1:gone' })).toEqual([])
  })
})
