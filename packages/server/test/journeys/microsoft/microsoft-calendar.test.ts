/** Calendars of Microsoft accounts only. conformance/provider-calendars.test.ts has what other providers do too. */
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

test('guests are hidden from each other, and are told of a deletion in any case', async () => {
  const account = await accounts.newAccount()
  const made = await account.create('primary', { when: span('2026-06-02T09:00'), hide_participants: true })
  expect(made.hide_participants).toBe(true)
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
