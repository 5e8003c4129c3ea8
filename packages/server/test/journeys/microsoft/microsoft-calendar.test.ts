/**
 * Events in Microsoft accounts only: answers by Exchange, Teams meetings, series that move, and the number of calls
 * for a page.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, expectRefusal, expectStatus, span } from '../../conformance/accounts.ts'
import { type MicrosoftAccounts, openMicrosoftAccounts } from './microsoft-accounts.ts'

let accounts: MicrosoftAccounts
beforeAll(async () => {
  accounts = await openMicrosoftAccounts()
})
afterAll(() => accounts?.[Symbol.asyncDispose]())

const primary = { calendar_id: 'primary' }
const june = { start: at('2026-06-01T00:00'), end: at('2026-07-01T00:00') }

test('invitations are answered by Exchange, with a mail or without', async () => {
  const account = await accounts.newAccount()
  const { calendar } = account.microsoft
  const invite = (subject: string) =>
    calendar.receiveInvitation(
      { name: 'Boss', address: 'boss@elsewhere.test' },
      {
        subject,
        start: { dateTime: '2026-06-02T09:00:00', timeZone: 'UTC' },
        end: { dateTime: '2026-06-02T10:00:00', timeZone: 'UTC' },
      },
    )
  const answer = async (subject: string, body: object, query = {}) => {
    invite(subject)
    const [event] = (await account.listAll('primary', june)).filter(({ title }) => title === subject)
    expect(event).toMatchObject({ status: 'maybe', busy: true })
    expectStatus(await account.post(`/events/${event.id}/send-rsvp`, { ...body }, { ...primary, ...query }), 200)
    return event.id
  }
  const replies = () =>
    calendar.mails.filter(({ kind }) => kind === 'reply').map(({ subject, response }) => [subject, response])
  const yes = await answer('yes', { status: 'yes', comment: 'Gladly' })
  expect(replies().map(([, response]) => response)).toEqual(['accepted'])
  expect((await account.read('primary', yes)).participants[0].status).toBe('yes')
  await answer('maybe', { status: 'maybe' }, { skip_email: true })
  expect(replies()).toHaveLength(1)
  const no = await answer('no', { status: 'no' })
  expect(replies()).toHaveLength(2)
  expectStatus(await account.get(`/events/${no}`, primary), 404)
  const free = await account.listAll('primary', { ...june, tentative_as_busy: false })
  expect(free.map(({ title, busy }) => [title, busy]).sort()).toEqual([
    ['maybe', false],
    ['yes', true],
  ])
  expectRefusal(await account.put(`/events/${yes}`, { title: 'Mine' }, primary), /organizer/)
  const own = await account.create('primary', { title: 'Own', when: span('2026-06-03T09:00') })
  expectRefusal(await account.post(`/events/${own.id}/send-rsvp`, { status: 'yes' }, primary), /organizes/)
})

test('Teams creates meetings, which survive a new description, and other fields are transferred', async () => {
  const account = await accounts.newAccount()
  const made = await account.create('primary', {
    title: 'Call',
    when: span('2026-06-02T09:00'),
    conferencing: { provider: 'Microsoft Teams', autocreate: {} },
    reminders: { use_default: false, overrides: [{ reminder_minutes: 30 }] },
    hide_participants: true,
    capacity: 12,
  })
  expect(made).toMatchObject({
    conferencing: { provider: 'Microsoft Teams', details: { url: expect.stringContaining('teams.microsoft.com') } },
    reminders: { use_default: false, overrides: [{ reminder_minutes: 30 }] },
    hide_participants: true,
    capacity: 12,
  })
  const changed = await account.change('primary', made.id, { description: 'New <b>text</b>' })
  expect(changed.description).toContain('New <b>text</b>')
  expect(changed.conferencing).toEqual(made.conferencing)
  expect(changed.capacity).toBe(12)
  expect(await account.change('primary', made.id, { conferencing: {} })).not.toHaveProperty('conferencing')
  const zoom = { provider: 'Zoom Meeting', autocreate: {} }
  expectRefusal(await account.post('/events', { when: span('2026-06-02T09:00'), conferencing: zoom }, primary), /Teams/)
  const two = { overrides: [{ reminder_minutes: 1 }, { reminder_minutes: 2 }], use_default: false }
  expectRefusal(await account.post('/events', { when: span('2026-06-02T09:00'), reminders: two }, primary), /reminders/)
  const gone = await account.delete(`/events/${made.id}`, { ...primary, notify_participants: false })
  expect(gone.headers.get('x-ignored-fields')).toBe('notify_participants')
})

test('a meeting that Teams cannot create is refused before an event exists', async () => {
  const account = await accounts.newAccount({ email: 'personal@outlook.example', kind: 'personal' })
  const conferencing = { provider: 'Microsoft Teams', autocreate: {} }
  const wish = { title: 'Call', when: span('2026-06-02T09:00'), conferencing }
  expectRefusal(await account.post('/events', wish, primary), /Teams/)
  expect(account.microsoft.calendar.events()).toEqual([])
  const own = await account.create('primary', { title: 'Own', when: span('2026-06-02T09:00') })
  expectRefusal(await account.put(`/events/${own.id}`, { title: 'Changed', conferencing }, primary), /Teams/)
  expect((await account.read('primary', own.id)).title).toBe('Own')
  // If Graph promises meetings and creates none, the event is deleted.
  const path = '/v1.0/me/calendar'
  const promised = { id: 'main', allowedOnlineMeetingProviders: ['teamsForBusiness'] }
  accounts.simulator.fail({ method: 'GET', path }, { status: 200, json: promised })
  expectRefusal(await account.post('/events', wish, primary), /Teams/)
  expect(account.microsoft.calendar.events()).toHaveLength(1)
})

test('events and series in a custom time zone have the right times, no zone name, and can be moved to another zone', async () => {
  const account = await accounts.newAccount()
  const { calendar } = account.microsoft
  const time = (hour: string) => ({ dateTime: `2026-06-02T${hour}:00:00`, timeZone: 'W. Europe Standard Time' })
  const single = calendar.addEvent({ subject: 'Single', start: time('09'), end: time('10') })
  const series = calendar.addEvent({
    subject: 'Series',
    start: time('09'),
    end: time('10'),
    recurrence: {
      pattern: { type: 'daily', interval: 1 },
      range: { type: 'numbered', startDate: '2026-06-02', numberOfOccurrences: 2 },
    },
  })
  for (const { id } of [single, series]) calendar.customizeZone(id)
  const start = at('2026-06-02T09:00', 'Europe/Berlin')
  const shown = await account.listAll('primary', { ...june, expand_recurring: false })
  const whenOf = (name: string) => shown.find(({ title }) => title === name)?.when
  const none = { start_timezone: null, end_timezone: null }
  expect(whenOf('Single')).toMatchObject({ start_time: start, end_time: start + 3600, ...none })
  expect(whenOf('Series')).toMatchObject({ start_time: start, ...none })
  const instances = (await account.listAll('primary', june)).filter(({ title }) => title === 'Series')
  expect(instances.map(({ when }) => when.start_time)).toEqual([start, start + 86_400])
  const { id } = shown.find(({ title }) => title === 'Single') ?? {}
  const moved = await account.change('primary', id, { when: span('2026-06-03T09:00', 60, 'Europe/Paris') })
  expect(moved.when).toMatchObject({ start_time: at('2026-06-03T09:00', 'Europe/Paris') })
})

test('an event is found without its calendar, and names its calendar', async () => {
  const account = await accounts.newAccount()
  const { id: side } = await account.createCalendar({ name: 'Side' })
  const { id } = await account.create(side, { title: 'Aside', when: span('2026-06-02T09:00') })
  const found = expectStatus(await account.get(`/events/${id}`), 200).body.data
  expect(found).toMatchObject({ id, title: 'Aside', calendar_id: side, read_only: false })
  expectStatus(await account.get('/events/AAMkNothing='), 404)
})

test('free/busy of more people than Graph allows is requested in batches', async () => {
  const account = await accounts.newAccount()
  await account.create('primary', { when: span('2026-06-02T09:00') })
  const strangers = Array.from({ length: 44 }, (_, place) => `nobody${place}@contoso.example`)
  const emails = [...strangers.slice(0, 30), account.email, ...strangers.slice(30), account.email.toUpperCase()]
  accounts.requests()
  const window = { start_time: at('2026-06-02T00:00'), end_time: at('2026-06-03T00:00') }
  const told = expectStatus(await account.post('/calendars/free-busy', { ...window, emails }), 200).body.data
  expect(accounts.requests()).toEqual(Array(3).fill('POST /v1.0/me/calendar/getSchedule'))
  expect(told.map(({ email }: { email: string }) => email)).toEqual(emails)
  const busy = [{ start_time: at('2026-06-02T09:00'), end_time: at('2026-06-02T10:00') }]
  for (const place of [30, 45]) expect(told[place]).toMatchObject({ object: 'free_busy', time_slots: busy })
  expect(told[44]).toMatchObject({ object: 'error' })
})

test('free/busy of a long time is requested in parts, each shorter than 62 days', async () => {
  const account = await accounts.newAccount()
  for (const day of ['2026-01-02', '2026-03-15', '2026-06-30']) {
    await account.create('primary', { when: span(`${day}T09:00`) })
  }
  const ask = async (start: string, end: string) => {
    const body = { start_time: at(start), end_time: at(end), emails: [account.email] }
    return expectStatus(await account.post('/calendars/free-busy', body), 200).body.data[0].time_slots
  }
  const starts = (slots: { start_time: number }[]) => slots.map(({ start_time }) => start_time)
  expect(starts(await ask('2026-01-01T00:00', '2026-03-04T00:00'))).toEqual([at('2026-01-02T09:00')])
  expect(starts(await ask('2026-01-01T00:00', '2026-12-31T00:00'))).toEqual(
    ['2026-01-02', '2026-03-15', '2026-06-30'].map((day) => at(`${day}T09:00`)),
  )
  const tooLong = { start_time: at('2026-01-01T00:00'), end_time: at('2029-01-01T00:00'), emails: [account.email] }
  expectRefusal(await account.post('/calendars/free-busy', tooLong), /end_time/)
})

test('a personal account gets the free/busy of its own calendar, and none of others', async () => {
  const account = await accounts.newAccount({ email: 'free-busy@outlook.example', kind: 'personal' })
  await account.create('primary', { when: span('2026-06-02T09:00') })
  await account.create('primary', { when: span('2026-06-02T12:00'), busy: false })
  const window = { start_time: at('2026-06-02T00:00'), end_time: at('2026-06-03T00:00') }
  const emails = [account.email.toUpperCase(), 'other@outlook.example']
  const [own, other] = expectStatus(await account.post('/calendars/free-busy', { ...window, emails }), 200).body.data
  expect(own).toMatchObject({
    object: 'free_busy',
    time_slots: [{ start_time: at('2026-06-02T09:00'), end_time: at('2026-06-02T10:00') }],
  })
  expect(other).toMatchObject({ object: 'error', error: expect.stringContaining('personal accounts') })
})

test('events of a list have their creation and update times', async () => {
  const account = await accounts.newAccount()
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=2']
  const { id, created_at } = await account.create('primary', { when: span('2026-06-02T09:00'), recurrence })
  expect(created_at).toBeGreaterThan(1_700_000_000)
  const listed = [
    ...(await account.listAll('primary', june)),
    ...(await account.listAll('primary', { ...june, master_event_id: id })),
    ...(await account.listAll('primary', { ...june, expand_recurring: false })),
  ]
  expect(listed).toHaveLength(5)
  for (const event of listed) {
    expect(event.created_at).toBe(created_at)
    expect(event.updated_at).toBeGreaterThan(1_700_000_000)
  }
})

test('a color that was never set is null', async () => {
  const account = await accounts.newAccount()
  const { id, hex_color } = expectStatus(await account.get('/calendars/primary'), 200).body.data
  expect(hex_color).toBeNull()
  account.microsoft.calendar.changeCalendar(id, { hexColor: '#a1b2c3' })
  const { data } = expectStatus(await account.get('/calendars'), 200).body
  expect(data.map((one: { hex_color: string }) => one.hex_color)).toContain('#a1b2c3')
})

test('a series that moves keeps its deletions and its last day', async () => {
  const account = await accounts.newAccount()
  const zone = 'America/New_York'
  const { id } = await account.create('primary', {
    when: span('2026-06-01T09:00', 60, zone),
    recurrence: ['RRULE:FREQ=DAILY;UNTIL=20260605T130000Z', 'EXDATE:20260603T130000Z'],
  })
  const moved = await account.change('primary', id, { when: span('2026-06-01T15:00', 30, zone) })
  expect(moved.recurrence).toEqual(['RRULE:FREQ=DAILY;UNTIL=20260605T190000Z', 'EXDATE:20260603T190000Z'])
  const starts = (await account.listAll('primary', june)).map(({ when }) => when.start_time)
  expect(starts).toEqual([1, 2, 4, 5].map((day) => at(`2026-06-0${day}T15:00`, zone)))
  const rule = 'RRULE:FREQ=DAILY;UNTIL=20260605T190000Z'
  expectStatus(await account.put(`/events/${id}`, { recurrence: [rule] }, primary), 200)
  expect(await account.listAll('primary', june)).toHaveLength(4)
  const other = { recurrence: [rule, 'EXDATE:20260604T190000Z'] }
  expectRefusal(await account.put(`/events/${id}`, other, primary), /EXDATE/)
  expectRefusal(
    await account.put(`/events/${id}`, { recurrence: ['RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15'] }, primary),
    /BYMONTHDAY/,
  )
})

test('a page of 50 events takes one call', async () => {
  const account = await accounts.newAccount()
  for (let day = 0; day < 50; day += 1) {
    const date = `2026-06-${String((day % 28) + 1).padStart(2, '0')}`
    account.microsoft.calendar.addEvent({
      subject: `Event ${day}`,
      start: { dateTime: `${date}T09:00:00`, timeZone: 'UTC' },
      end: { dateTime: `${date}T10:00:00`, timeZone: 'UTC' },
    })
  }
  await account.get('/calendars/primary')
  accounts.requests()
  expect(await account.list('primary', { ...june, limit: 50 })).toHaveLength(50)
  expect(accounts.requests()).toEqual(['GET /v1.0/me/calendar/calendarView'])
})

test('availability considers busy times in every requested calendar, and who was booked last', async () => {
  const [first, second] = [await accounts.newAccount(), await accounts.newAccount()]
  const { id: side } = await first.createCalendar({ name: 'Side' })
  const booked = await first.create('primary', { when: span('2026-06-02T09:00'), metadata: { key5: 'group' } })
  await first.create(side, { when: span('2026-06-02T11:00') })
  await second.create('primary', {
    when: span('2026-06-01T10:00'),
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
  })
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
  const slotsOf = (data: { time_slots: { start_time: number; emails: string[] }[] }) =>
    data.time_slots.map(({ start_time, emails }) => [start_time, emails.toSorted()])
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
  // A cancelled booking does not count.
  expectStatus(await first.delete(`/events/${booked.id}`, { ...primary, notify_participants: false }), 200)
  expect(expectStatus(await ask([{ email: first.email }, { email: second.email }]), 200).body.data.order).toEqual(both)
  expectRefusal(await ask([{ email: first.email, calendar_ids: ['nosuch'] }]), /calendar/)
})
