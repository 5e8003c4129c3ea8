/** Calendars of Exchange accounts only. conformance/provider-calendars.test.ts has what other providers do too. */
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

test('guests get mail unless the client turns it off, and a change of guests only mails those concerned', async () => {
  const account = await accounts.newAccount()
  const { calendar } = account.exchange
  let seen = 0
  const reported = () => {
    const fresh = calendar.mails.slice(seen).map(({ kind, to }) => `${kind} ${to.split('@')[0]}`)
    seen = calendar.mails.length
    return fresh.sort()
  }
  const guests = (...names: string[]) => ({ participants: names.map((name) => ({ email: `${name}@x.test` })) })
  const event = await account.create('primary', { when: span('2026-06-02T09:00'), ...guests('ann', 'bob') })
  expect(reported()).toEqual(['request ann', 'request bob'])
  await account.change('primary', event.id, { location: 'There' })
  expect(reported()).toHaveLength(2)
  await account.change('primary', event.id, guests('ann', 'carol'))
  expect(reported()).toEqual(['cancel bob', 'request carol'])
  const silent = { notify_participants: false }
  await account.change('primary', event.id, { ...guests('ann'), title: 'Quiet' }, silent)
  expect(reported()).toEqual([])
  expectStatus(await account.delete(`/events/${event.id}`, primary), 200)
  expect(reported()).toEqual(['cancel ann'])
  const other = await account.create('primary', { when: span('2026-06-02T09:00'), ...guests('ann') }, silent)
  expectStatus(await account.delete(`/events/${other.id}`, { ...primary, ...silent }), 200)
  expect(reported()).toEqual([])
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
  const retained = account.exchange.calendar.event(exchangeId(made.id))
  expect(JSON.stringify(retained.attendees)).toMatch(/optional/i)
})

const exchangeId = (id: string): string => Buffer.from(id, 'base64url').toString('base64')

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

test('the last day of a series is read as the start on that day, and deletions of days are kept', async () => {
  const account = await accounts.newAccount()
  const { id } = await account.create('primary', {
    when: span('2026-06-01T09:00', 60, zone),
    recurrence: ['RRULE:FREQ=DAILY;UNTIL=20260605T235959Z', 'EXDATE:20260603T130000Z'],
  })
  const rule = 'RRULE:FREQ=DAILY;UNTIL=20260605T130000Z'
  expect((await account.read('primary', id)).recurrence).toEqual([rule, 'EXDATE:20260603T130000Z'])
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;VALUE=DATE:20260611']
  const days = await account.create('primary', { when: { date: '2026-06-10' }, recurrence })
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

test('names of calendars are unique, and free again after a deletion', async () => {
  const account = await accounts.newAccount()
  const { id } = await account.createCalendar({ name: 'Side' })
  expectStatus(await account.post('/calendars', { name: 'Side' }), 409)
  expectStatus(await account.delete(`/calendars/${id}`), 200)
  const again = await account.createCalendar({ name: 'Side' })
  expectStatus(await account.delete(`/calendars/${again.id}`), 200)
  const names = expectStatus(await account.get('/calendars'), 200).body.data.map(({ name }: Json) => name)
  expect(names).toEqual(['Calendar'])
})

test('tentative events are busy unless the request says otherwise, and hidden free/busy is an error', async () => {
  const [account, hidden] = [await accounts.newAccount(), await accounts.newAccount()]
  hidden.exchange.calendar.hideFreeBusy(true)
  account.exchange.calendar.addEvent({ ...times('06-03T09:00', '06-03T10:00'), LegacyFreeBusyStatus: 'Tentative' })
  const ask = async (rest = {}): Promise<Json> => {
    const window = { start_time: june.start, end_time: june.end, emails: [account.email, hidden.email] }
    return expectStatus(await account.post('/calendars/free-busy', { ...window, ...rest }), 200).body.data
  }
  const [own, refused] = await ask()
  expect(own.time_slots).toHaveLength(1)
  expect(refused).toMatchObject({ object: 'error', error: expect.stringMatching(/./) })
  expect((await ask({ tentative_as_busy: false }))[0].time_slots).toEqual([])
})
