/**
 * Events in Exchange accounts only: answers and mails by the server, series, zones, views, and the number of calls.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, expectRefusal, expectStatus, type Json, pagesOf, span } from '../../conformance/accounts.ts'
import { type ExchangeAccount, type ExchangeAccounts, openExchangeAccounts } from './exchange-accounts.ts'

let accounts: ExchangeAccounts
beforeAll(async () => {
  accounts = await openExchangeAccounts()
})
afterAll(() => accounts?.[Symbol.asyncDispose]())

const primary = { calendar_id: 'primary' }
const june = { start: at('2026-06-01T00:00'), end: at('2026-07-01T00:00') }
const zone = 'America/New_York'
const times = (start: string, end: string) => ({ Start: `2026-${start}:00Z`, End: `2026-${end}:00Z` })
const inJune = (account: ExchangeAccount, query = {}) => account.listAll('primary', { ...june, ...query })

test('invitations are answered by Exchange, with a mail or without', async () => {
  const account = await accounts.newAccount()
  const { calendar } = account.exchange
  const boss = { name: 'Boss', address: 'boss@elsewhere.test' }
  const answer = async (Subject: string, body: object, query = {}) => {
    calendar.receiveInvitation(boss, { Subject, ...times('06-02T09:00', '06-02T10:00') })
    const [event] = (await inJune(account)).filter(({ title }) => title === Subject)
    expect(event).toMatchObject({ status: 'maybe', busy: true, organizer: { email: boss.address } })
    expectStatus(await account.post(`/events/${event.id}/send-rsvp`, { ...body }, { ...primary, ...query }), 200)
    return event.id
  }
  const replies = () =>
    calendar.mails.filter(({ kind }) => kind === 'reply').map(({ response, comment }) => [response, comment.trim()])
  const yes = await answer('yes', { status: 'yes', comment: 'Gladly' })
  expect(replies()).toEqual([['accepted', 'Gladly']])
  expect((await account.read('primary', yes)).participants[0]).toMatchObject({ email: account.email, status: 'yes' })
  await answer('maybe', { status: 'maybe' }, { skip_email: true })
  expect(replies()).toHaveLength(1)
  const no = await answer('no', { status: 'no' })
  expect(replies()).toHaveLength(2)
  expectStatus(await account.get(`/events/${no}`, primary), 404)
  const free = await inJune(account, { tentative_as_busy: false })
  expect(free.map(({ title, busy }) => [title, busy]).sort()).toEqual([
    ['maybe', false],
    ['yes', true],
  ])
  expectRefusal(await account.put(`/events/${yes}`, { title: 'Mine' }, primary), /organizer/)
  const own = await account.create('primary', { title: 'Own', when: span('2026-06-03T09:00') })
  expectRefusal(await account.post(`/events/${own.id}/send-rsvp`, { status: 'yes' }, primary), /organizes/)
})

test('guests get mail unless the client turns it off, and a change of guests only mails those concerned', async () => {
  const account = await accounts.newAccount()
  const { calendar } = account.exchange
  let seen = 0
  const told = () => {
    const fresh = calendar.mails.slice(seen).map(({ kind, to }) => `${kind} ${to.split('@')[0]}`)
    seen = calendar.mails.length
    return fresh.sort()
  }
  const guests = (...names: string[]) => ({ participants: names.map((name) => ({ email: `${name}@x.test` })) })
  const event = await account.create('primary', { when: span('2026-06-02T09:00'), ...guests('ann', 'bob') })
  expect(told()).toEqual(['request ann', 'request bob'])
  await account.change('primary', event.id, { location: 'There' })
  expect(told()).toHaveLength(2)
  await account.change('primary', event.id, guests('ann', 'carol'))
  expect(told()).toEqual(['cancel bob', 'request carol'])
  const silent = { notify_participants: false }
  await account.change('primary', event.id, { ...guests('ann'), title: 'Quiet' }, silent)
  expect(told()).toEqual([])
  expectStatus(await account.delete(`/events/${event.id}`, primary), 200)
  expect(told()).toEqual(['cancel ann'])
  const other = await account.create('primary', { when: span('2026-06-02T09:00'), ...guests('ann') }, silent)
  expectStatus(await account.delete(`/events/${other.id}`, { ...primary, ...silent }), 200)
  expect(told()).toEqual([])
})

test('optional guests, rooms, seats, a conference and a reminder are written and read back', async () => {
  const account = await accounts.newAccount()
  const conferencing = { provider: 'Zoom Meeting', details: { url: 'https://zoom.example/1', meeting_code: '77' } }
  const made = await account.create('primary', {
    when: span('2026-06-02T09:00', 60, zone),
    description: 'Plan <b>it</b>',
    participants: [{ email: 'ann@x.test', name: 'Ann' }],
    resources: [{ email: 'room@exchange.example' }],
    reminders: { use_default: false, overrides: [{ reminder_minutes: 30 }] },
    capacity: 12,
    conferencing,
  })
  expect(made).toMatchObject({
    description: 'Plan <b>it</b>',
    participants: [{ email: 'ann@x.test', name: 'Ann', status: 'noreply' }],
    resources: [{ email: 'room@exchange.example' }],
    reminders: { use_default: false, overrides: [{ reminder_minutes: 30 }] },
    capacity: 12,
    conferencing,
    when: { start_timezone: zone, end_timezone: zone },
  })
  expect(made).not.toHaveProperty('html_link')
  account.exchange.calendar.changeEvent(
    exchangeId(made.id),
    { OptionalAttendees: { Attendee: { Mailbox: { EmailAddress: 'opt@x.test' } } } },
    { sends: false },
  )
  const change = { participants: [{ email: 'opt@x.test' }, { email: 'bob@x.test' }], conferencing: {} }
  const changed = await account.change('primary', made.id, change)
  expect(changed.participants.map(({ email }: Json) => email)).toEqual(['bob@x.test', 'opt@x.test'])
  expect(changed).not.toHaveProperty('conferencing')
  expect(changed.capacity).toBe(12)
  const kept = account.exchange.calendar.event(exchangeId(made.id))
  expect(JSON.stringify(kept.attendees)).toMatch(/optional/i)
  const two = { overrides: [{ reminder_minutes: 1 }, { reminder_minutes: 2 }], use_default: false }
  expectRefusal(await account.post('/events', { when: span('2026-06-02T09:00'), reminders: two }, primary), /reminders/)
})

const exchangeId = (id: string): string => Buffer.from(id, 'base64url').toString('base64')

test('a month of events takes two calls, and one event takes one', async () => {
  const account = await accounts.newAccount()
  const { calendar } = account.exchange
  for (let day = 1; day <= 28; day += 1) {
    const date = `06-${String(day).padStart(2, '0')}`
    calendar.addEvent({ Subject: `Event ${day}`, ...times(`${date}T09:00`, `${date}T10:00`) })
  }
  const series = await account.create('primary', {
    title: 'Daily',
    when: span('2026-06-01T12:00'),
    recurrence: ['RRULE:FREQ=DAILY;COUNT=22'],
  })
  accounts.operations()
  const shown = await account.list('primary', { ...june, limit: 50 })
  expect(accounts.operations()).toEqual(['FindItem', 'GetItem'])
  expect(shown).toHaveLength(50)
  const instance = shown.find(({ master_event_id }) => master_event_id === series.id)
  expect(await account.read('primary', instance.id)).toEqual(instance)
  expect(accounts.operations()).toEqual(['GetItem'])
  const when = span('2026-06-02T09:00')
  const { id } = await account.create('primary', { when })
  expect(accounts.operations()).toEqual(['CreateItem', 'GetItem'])
  await account.change('primary', id, { title: 'Renamed' })
  expect(accounts.operations()).toEqual(['GetItem', 'UpdateItem', 'GetItem'])
  expectStatus(await account.delete(`/events/${id}`, primary), 200)
  expect(accounts.operations()).toEqual(['DeleteItem'])
})

test('pages continue where the last one ended, whatever is added and removed in between', async () => {
  const account = await accounts.newAccount()
  const { calendar } = account.exchange
  for (const day of [2, 3, 4, 5]) {
    calendar.addEvent({ Subject: `Day ${day}`, ...times(`06-0${day}T09:00`, `06-0${day}T10:00`) })
  }
  const page = (token?: string) => account.get('/events', { ...primary, ...june, limit: 2, page_token: token })
  const first = expectStatus(await page(), 200).body
  calendar.deleteEvent(exchangeId(first.data[0].id))
  calendar.addEvent({ Subject: 'Day 1', ...times('06-01T09:00', '06-01T10:00') })
  const second = expectStatus(await page(first.next_cursor), 200).body
  expect([...first.data, ...second.data].map(({ title }: Json) => title)).toEqual(['Day 2', 'Day 3', 'Day 4', 'Day 5'])
})

test('years with more events than Exchange returns at once are read in parts, each event once', async () => {
  const account = await accounts.newAccount()
  const { calendar } = account.exchange
  const add = (Subject: string, Start: string, End: string) => calendar.addEvent({ Subject, Start, End })
  add('Needle 1', '2026-01-10T09:00:00Z', '2026-01-10T10:00:00Z')
  // It extends from one part into the next.
  add('Needle 2', '2026-02-20T09:00:00Z', '2026-05-20T10:00:00Z')
  add('Needle 3', '2026-09-01T09:00:00Z', '2026-09-01T10:00:00Z')
  add('Needle 4', '2029-11-01T09:00:00Z', '2029-11-01T10:00:00Z')
  for (let hour = 10; hour < 16; hour += 1) {
    await account.create('primary', {
      title: 'Hay',
      when: span(`2026-03-10T${hour}:00`),
      recurrence: ['RRULE:FREQ=DAILY;COUNT=200'],
    })
  }
  const window = { start: at('2026-01-01T00:00'), end: at('2029-12-31T00:00'), title: 'Needle' }
  const pages = await pagesOf(account, '/events', { ...primary, ...window, limit: 3, select: 'title' })
  expect(pages.flat().map(({ title }) => title)).toEqual([1, 2, 3, 4].map((place) => `Needle ${place}`))
  expect(pages.map((page) => page.length)).toEqual([3, 1])
})

test('a retry with its key creates one event, even if the first response was lost', async () => {
  const account = await accounts.newAccount()
  const create = () =>
    accounts.call('POST', `/v3/grants/${account.grantId}/events?calendar_id=primary`, {
      headers: { 'idempotency-key': 'one-event' },
      body: { title: 'Once', when: span('2026-06-02T09:00') },
    })
  accounts.simulator.fail({ operation: 'CreateItem' }, { drop: 'after' })
  expect((await create()).status).toBeGreaterThanOrEqual(500)
  const { id } = expectStatus(await create(), 200).body.data
  expect((await inJune(account)).map((event) => event.id)).toEqual([id])
})

test('a series that moves keeps its deletions and its last day', async () => {
  const account = await accounts.newAccount()
  const { id } = await account.create('primary', {
    when: span('2026-06-01T09:00', 60, zone),
    recurrence: ['RRULE:FREQ=DAILY;UNTIL=20260605T235959Z', 'EXDATE:20260603T130000Z'],
  })
  // Exchange stores only the last day: UNTIL is read as the start on that day.
  const rule = 'RRULE:FREQ=DAILY;UNTIL=20260605T130000Z'
  expect((await account.read('primary', id)).recurrence).toEqual([rule, 'EXDATE:20260603T130000Z'])
  const moved = await account.change('primary', id, { when: span('2026-06-01T15:00', 30, zone) })
  expect(moved.recurrence).toEqual(['RRULE:FREQ=DAILY;UNTIL=20260605T190000Z', 'EXDATE:20260603T190000Z'])
  const starts = (await inJune(account)).map(({ when }) => when.start_time)
  expect(starts).toEqual([1, 2, 4, 5].map((day) => at(`2026-06-0${day}T15:00`, zone)))
  const put = (recurrence: string[]) => account.put(`/events/${id}`, { recurrence }, primary)
  expectStatus(await put(['RRULE:FREQ=DAILY;UNTIL=20260605T190000Z']), 200)
  expect(await inJune(account)).toHaveLength(4)
  expectRefusal(await put(['RRULE:FREQ=DAILY;UNTIL=20260605T190000Z', 'EXDATE:20260604T190000Z']), /EXDATE/)
  expectRefusal(await put(['RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15']), /BYMONTHDAY/)
  const days = await account.create('primary', {
    when: { date: '2026-06-10' },
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;VALUE=DATE:20260611'],
  })
  expect(days.recurrence[1]).toMatch(/20260611$/)
})

test('an occurrence keeps its id when it becomes an exception, and its series shows changes made elsewhere', async () => {
  const account = await accounts.newAccount()
  const series = await account.create('primary', {
    title: 'Daily',
    when: span('2026-06-01T09:00', 60, zone),
    recurrence: ['RRULE:FREQ=DAILY;COUNT=5'],
  })
  const [, second, third] = await inJune(account)
  const changed = await account.change('primary', second.id, {
    title: 'Special',
    when: span('2026-06-02T11:00', 60, zone),
  })
  expect(changed).toMatchObject({
    id: second.id,
    master_event_id: series.id,
    original_start_time: second.when.start_time,
    title: 'Special',
  })
  expectStatus(await account.delete(`/events/${third.id}`, primary), 200)
  expectStatus(await account.delete(`/events/${third.id}`, primary), 404)
  expect((await account.read('primary', series.id)).recurrence[1]).toMatch(/^EXDATE.*:20260603T130000Z$/)
  const stored = await inJune(account, { expand_recurring: false })
  expect(stored.map(({ id }) => id)).toEqual([series.id, second.id])
  expect((await inJune(account, { master_event_id: series.id })).map(({ title }) => title)).toEqual([
    'Daily',
    'Special',
    'Daily',
    'Daily',
  ])
  expectStatus(await account.get('/events', { ...primary, ...june, master_event_id: 'AAMk' }), 404)
})

test('a change that conflicts with another one is applied once to the newest version', async () => {
  const account = await accounts.newAccount()
  const { id } = await account.create('primary', { title: 'One', when: span('2026-06-02T09:00') })
  const conflict = { status: 200, code: 'ErrorIrresolvableConflict' }
  accounts.simulator.fail({ operation: 'UpdateItem' }, conflict)
  expect(await account.change('primary', id, { title: 'Two' })).toMatchObject({ title: 'Two' })
  accounts.simulator.fail({ operation: 'UpdateItem', times: 2 }, conflict)
  expectStatus(await account.put(`/events/${id}`, { title: 'Three' }, primary), 409)
})

test('a rejection by Exchange names the field', async () => {
  const account = await accounts.newAccount()
  const { id } = await account.create('primary', { when: span('2026-06-02T09:00') })
  const put = (code: string) => {
    accounts.simulator.fail({ operation: 'UpdateItem' }, { status: 200, code })
    return account.put(`/events/${id}`, { title: 'Other' }, primary)
  }
  expectRefusal(await put('ErrorInvalidPropertySet'), /^participants: /)
  expectRefusal(await put('ErrorCalendarDurationIsTooLong'), /^when: /)
  expectRefusal(await put('ErrorCalendarInvalidRecurrence'), /^recurrence: /)
  expectRefusal(await put('ErrorAccessDenied'), /read-only/)
  expectRefusal(await put('ErrorCalendarIsNotOrganizer'), /organizer/)
  expectStatus(await put('ErrorItemNotFound'), 404)
})

test('an event is found without its calendar, and not in another one', async () => {
  const account = await accounts.newAccount()
  const { id: side } = await account.createCalendar({ name: 'Side' })
  const { id: other } = await account.createCalendar({ name: 'Other' })
  const { id } = await account.create(side, { title: 'Aside', when: span('2026-06-02T09:00') })
  const found = expectStatus(await account.get(`/events/${id}`), 200).body.data
  expect(found).toMatchObject({ id, title: 'Aside', calendar_id: side, read_only: false })
  expectStatus(await account.get(`/events/${id}`, { calendar_id: other }), 404)
  expectStatus(await account.get('/events/AAMkNothing'), 404)
  expectStatus(await account.post('/calendars', { name: 'Side' }), 409)
  expectStatus(await account.delete(`/calendars/${side}`), 200)
  const again = await account.createCalendar({ name: 'Side' })
  expectStatus(await account.delete(`/calendars/${again.id}`), 200)
  const names = expectStatus(await account.get('/calendars'), 200).body.data.map(({ name }: Json) => name)
  expect(names).toEqual(['Calendar', 'Other'])
})

test('free/busy is requested in parts: three months, many people, and errors for some', async () => {
  const account = await accounts.newAccount()
  const hidden = await accounts.newAccount()
  hidden.exchange.calendar.hideFreeBusy(true)
  await account.create('primary', { when: span('2026-06-02T09:00') })
  await account.create('primary', { when: span('2026-08-20T09:00') })
  account.exchange.calendar.addEvent({ ...times('06-03T09:00', '06-03T10:00'), LegacyFreeBusyStatus: 'Tentative' })
  const strangers = Array.from({ length: 40 }, (_, place) => `nobody${place}@exchange.example`)
  const emails = [account.email, ...strangers, hidden.email]
  const window = { start_time: at('2026-06-01T00:00'), end_time: at('2026-08-31T00:00') }
  accounts.operations()
  const ask = async (rest = {}) =>
    expectStatus(await account.post('/calendars/free-busy', { ...window, emails, ...rest }), 200).body.data
  const told = await ask({ tentative_as_busy: false })
  expect(accounts.operations()).toEqual(Array(3).fill('GetUserAvailabilityRequest'))
  const slot = (start: string) => expect.objectContaining({ start_time: at(start), end_time: at(start) + 3600 })
  expect(told[0]).toMatchObject({
    object: 'free_busy',
    time_slots: [slot('2026-06-02T09:00'), slot('2026-08-20T09:00')],
  })
  expect((await ask())[0].time_slots).toHaveLength(3)
  for (const place of [1, 41]) expect(told[place]).toMatchObject({ object: 'error', error: expect.stringMatching(/./) })
  const long = { start_time: window.start_time, end_time: window.end_time + 10 * 86_400, emails }
  expectRefusal(await account.post('/calendars/free-busy', long), /three months/)
})

test('availability considers busy times in every requested calendar, and who was booked last', async () => {
  const [first, second] = [await accounts.newAccount(), await accounts.newAccount()]
  const { id: side } = await first.createCalendar({ name: 'Side' })
  const booked = await first.create('primary', { when: span('2026-06-02T09:00'), metadata: { key5: 'group' } })
  await first.create(side, { when: span('2026-06-02T11:00') })
  await second.create('primary', { when: span('2026-06-01T10:00'), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  const ask = (participants: object[]) =>
    accounts.call('POST', '/v3/calendars/availability', {
      body: {
        start_time: at('2026-06-02T09:00'),
        end_time: at('2026-06-02T12:00'),
        duration_minutes: 60,
        participants,
        availability_rules: { availability_method: 'max-availability', round_robin_group_id: 'group' },
      },
    })
  const slotsOf = (data: Json) => data.time_slots.map(({ start_time, emails }: Json) => [start_time, emails.toSorted()])
  const both = [first.email, second.email].sort()
  const found = expectStatus(await ask([{ email: first.email }, { email: second.email }]), 200).body.data
  expect(found.order).toEqual([second.email, first.email])
  expect(slotsOf(found)).toEqual([
    [at('2026-06-02T09:00'), [second.email]],
    [at('2026-06-02T10:00'), [first.email]],
    [at('2026-06-02T11:00'), both],
  ])
  const named = [{ email: first.email, calendar_ids: ['primary', side] }, { email: second.email }]
  expect(slotsOf(expectStatus(await ask(named), 200).body.data)).toContainEqual([
    at('2026-06-02T11:00'),
    [second.email],
  ])
  expectStatus(await first.delete(`/events/${booked.id}`, { ...primary, notify_participants: false }), 200)
  expect(expectStatus(await ask([{ email: first.email }, { email: second.email }]), 200).body.data.order).toEqual(both)
  expectRefusal(await ask([{ email: first.email, calendar_ids: ['nosuch'] }]), /calendar/)
})
