/**
 * Calendars at simulated providers: the number of calls, free/busy, availability, series that move, conferences,
 * invitations and scopes. `calendars.ts` and `events.ts` have what clients see at every provider.
 */
import { describe, expect, test } from 'vitest'
import { expectRefusal, expectStatus, type Json, span, at as time } from './accounts.ts'
import { at, type OpenSimulated, scopes, useAccounts } from './simulated.ts'

const primary = { calendar_id: 'primary' }
const june = { start: time('2026-06-01T00:00'), end: time('2026-07-01T00:00') }
const nine = span('2026-06-02T09:00')
const zone = 'America/New_York'
const path = (id: string): string => `/events/${encodeURIComponent(id)}`

/** The primary calendar as its user, or another program, sees it. */
interface Agenda {
  /** Adds an event of an hour, at a start such as `2026-06-01T09:00`. */
  add(title: string, start: string): void
  /** Another person invites the user. */
  invite(title: string, start: string): void
  /** The mails to those who invited. */
  replies(): readonly { response?: string; comment?: string }[]
}
type Step = 'list' | 'read' | 'create' | 'rename' | 'move' | 'metadata' | 'remove'

interface Provider {
  open: OpenSimulated<Agenda>
  calls: Record<Step, readonly string[]>
  /** Free/busy of 43 people during three months. */
  freeBusy: { calls: number; tooLong: number; error: RegExp }
  scopes: { none: readonly string[]; reading?: readonly string[] }
}
interface Conference {
  provider: string
  url: string
  error: RegExp
}

const hour = (start: string): { start: string; end: string } => ({
  start: `${start}:00`,
  end: Temporal.PlainDateTime.from(start).add({ hours: 1 }).toString({ smallestUnit: 'second' }),
})
const zoned = (dateTime: string) => ({ dateTime, timeZone: 'UTC' })
const boss = 'boss@elsewhere.test'

const google: Provider & { conference: Conference } = {
  open: at.google(({ calendar }) => {
    const body = (summary: string, at: string) => {
      const { start, end } = hour(at)
      return { summary, start: zoned(`${start}Z`), end: zoned(`${end}Z`) }
    }
    return {
      add: (title, start) => void calendar.addEvent(body(title, start)),
      invite: (title, start) => void calendar.receiveInvitation({ email: boss }, body(title, start)),
      replies: () => [],
    }
  }),
  calls: {
    list: ['GET /calendar/v3/calendars/primary/events'],
    read: ['GET /calendar/v3/calendars/primary/events/:id'],
    create: ['POST /calendar/v3/calendars/primary/events'],
    rename: ['PATCH /calendar/v3/calendars/primary/events/:id'],
    // The adapter must know whether it is a series before it changes the time.
    move: ['GET /calendar/v3/calendars/primary/events/:id', 'PATCH /calendar/v3/calendars/primary/events/:id'],
    metadata: ['GET /calendar/v3/calendars/primary/events/:id'],
    remove: ['DELETE /calendar/v3/calendars/primary/events/:id'],
  },
  freeBusy: { calls: 2, tooLong: 100, error: /three months/ },
  scopes: { none: scopes.google('gmail.readonly'), reading: scopes.google('calendar.readonly') },
  conference: { provider: 'Google Meet', url: 'https://meet.google.com/', error: /Google Meet/ },
}

const microsoftChange = ['GET', 'PATCH', 'GET'].map((method) => `${method} /v1.0/me/calendar/events/:id`)
const microsoft: Provider & { conference: Conference } = {
  open: at.microsoft(({ calendar }) => {
    const body = (subject: string, at: string) => {
      const { start, end } = hour(at)
      return { subject, start: zoned(start), end: zoned(end) }
    }
    return {
      add: (title, start) => void calendar.addEvent(body(title, start)),
      invite: (title, start) => void calendar.receiveInvitation({ name: 'Boss', address: boss }, body(title, start)),
      replies: () => calendar.mails.filter(({ kind }) => kind === 'reply'),
    }
  }),
  calls: {
    list: ['GET /v1.0/me/calendar/calendarView'],
    read: ['GET /v1.0/me/calendar/events/:id'],
    create: ['POST /v1.0/me/calendar/events'],
    rename: microsoftChange,
    move: microsoftChange,
    metadata: ['GET /v1.0/me/calendar/events/:id'],
    remove: ['DELETE /v1.0/me/calendar/events/:id'],
  },
  freeBusy: { calls: 6, tooLong: 1000, error: /end_time/ },
  scopes: { none: scopes.microsoft('Mail.Read'), reading: scopes.microsoft('Calendars.Read') },
  conference: { provider: 'Microsoft Teams', url: 'teams.microsoft.com', error: /Teams/ },
}

const exchange: Provider = {
  open: at.exchange(({ calendar }) => {
    const body = (Subject: string, at: string) => {
      const { start, end } = hour(at)
      return { Subject, Start: `${start}Z`, End: `${end}Z` }
    }
    return {
      add: (title, start) => void calendar.addEvent(body(title, start)),
      invite: (title, start) => void calendar.receiveInvitation({ name: 'Boss', address: boss }, body(title, start)),
      replies: () => calendar.mails.filter(({ kind }) => kind === 'reply'),
    }
  }),
  calls: {
    list: ['FindItem', 'GetItem'],
    read: ['GetItem'],
    create: ['CreateItem', 'GetItem'],
    rename: ['GetItem', 'UpdateItem', 'GetItem'],
    move: ['GetItem', 'UpdateItem', 'GetItem'],
    metadata: ['GetItem'],
    remove: ['DeleteItem'],
  },
  freeBusy: { calls: 3, tooLong: 102, error: /three months/ },
  scopes: { none: ['ews.messages'] },
}

describe.each([
  ['Google', google],
  ['Microsoft', microsoft],
  ['Exchange', exchange],
])('calendars at %s', (_, provider) => {
  const its = useAccounts(provider.open)

  test('take a known number of calls to be listed, read and changed', async () => {
    const { account, accounts } = its
    for (let day = 1; day <= 28; day += 1)
      account.view.add(`Event ${day}`, `2026-06-${`${day}`.padStart(2, '0')}T09:00`)
    const recurrence = ['RRULE:FREQ=DAILY;COUNT=28']
    const series = await account.create('primary', { title: 'Daily', when: span('2026-06-01T12:00'), recurrence })
    accounts.calls()
    const page = await account.get('/events', { ...primary, ...june, limit: 50 })
    const events = expectStatus(page, 200).body.data
    expect(events).toHaveLength(50)
    const made: Partial<Record<Step, string[]>> = { list: accounts.calls() }
    const rest = await account.get('/events', { ...primary, ...june, limit: 50, page_token: page.body.next_cursor })
    expect(rest.body.data).toHaveLength(6)
    expect(accounts.calls()).toHaveLength(provider.calls.list.length)
    const instance = events.find(({ master_event_id }: Json) => master_event_id === series.id)
    expect(await account.read('primary', instance.id)).toEqual(instance)
    accounts.calls()
    let id = ''
    const steps: [Step, () => Promise<unknown>][] = [
      ['create', async () => ({ id } = await account.create('primary', { title: 'One', when: nine }))],
      ['read', () => account.read('primary', id)],
      ['rename', () => account.change('primary', id, { title: 'Other' })],
      ['move', () => account.change('primary', id, { when: span('2026-06-21T09:00') })],
      ['metadata', () => account.change('primary', id, { metadata: { key1: 'x' } })],
      ['remove', () => account.delete(path(id), primary)],
    ]
    for (const [step, run] of steps) {
      await run()
      made[step] = accounts.calls().map((call) => call.replace(encodeURIComponent(id), ':id'))
    }
    expect(made).toEqual(provider.calls)
  })

  test('have events that are found without their calendar, and not in another one', async () => {
    const { account } = its
    const [side, other] = [
      await account.createCalendar({ name: 'Side' }),
      await account.createCalendar({ name: 'Other' }),
    ]
    const { id } = await account.create(side.id, { title: 'Aside', when: nine })
    const found = expectStatus(await account.get(path(id)), 200).body.data
    expect(found).toMatchObject({ id, title: 'Aside', calendar_id: side.id, read_only: false })
    expectStatus(await account.get(path(id), { calendar_id: other.id }), 404)
    expectStatus(await account.get(path('AAMkNothing')), 404)
    expectStatus(await account.put(path(id), { title: 'Found' }), 200)
    expectStatus(await account.delete(path(id)), 200)
  })

  test('require their scopes, before a request to the provider', async () => {
    const { none, reading } = provider.scopes
    for (const scopes of [none, ...(reading ? [reading] : [])]) {
      const account = await its.accounts.newAccount({ scopes })
      if (scopes === reading) expectStatus(await account.get('/events', primary), 200)
      its.accounts.calls()
      const refused = await account.post('/events', { when: nine }, primary)
      expect(expectStatus(refused, 403).body.error.type).toBe('insufficient_scopes')
      expect(its.accounts.calls()).toEqual([])
    }
  })

  test('show the free/busy of many people during three months in parts, and errors for some', async () => {
    const { account, accounts } = its
    const other = await accounts.newAccount()
    for (const start of ['06-02T09:00', '06-02T09:30', '08-20T09:00']) {
      await other.create('primary', { when: span(`2026-${start}`) })
    }
    const strangers = Array.from({ length: 40 }, (_, place) => `nobody${place}@contoso.example`)
    const emails = [other.email, ...strangers, account.email, other.email.toUpperCase()]
    const window = { start_time: june.start, end_time: time('2026-08-31T00:00'), emails }
    accounts.calls()
    const reported = expectStatus(await account.post('/calendars/free-busy', window), 200).body.data
    expect(accounts.calls()).toHaveLength(provider.freeBusy.calls)
    expect(reported.map(({ email }: Json) => email)).toEqual(emails)
    const slot = (start: string, end: string) =>
      expect.objectContaining({ status: 'busy', start_time: time(start), end_time: time(end) })
    const busy = [slot('2026-06-02T09:00', '2026-06-02T10:30'), slot('2026-08-20T09:00', '2026-08-20T10:00')]
    for (const place of [0, 42]) expect(reported[place]).toMatchObject({ object: 'free_busy', time_slots: busy })
    expect(reported[41]).toMatchObject({ object: 'free_busy', time_slots: [] })
    for (const place of [1, 40])
      expect(reported[place]).toMatchObject({ object: 'error', error: expect.stringMatching(/./) })
    const long = { ...window, end_time: window.start_time + provider.freeBusy.tooLong * 86_400 }
    expectRefusal(await account.post('/calendars/free-busy', long), provider.freeBusy.error)
  })

  test('give availability in every requested calendar and across providers, and who was booked last comes last', async () => {
    const { account: first, accounts } = its
    const second = await accounts.newAccount()
    const { email: third, id: grantId } = await accounts.service.createGrant(`virtual${second.email}`, second.key)
    await accounts.call('POST', `/v3/grants/${grantId}/calendars`, { body: { name: 'Work' } })
    const busy = { body: { when: span('2026-06-02T11:00') } }
    await accounts.call('POST', `/v3/grants/${grantId}/events?calendar_id=primary`, busy)
    const { id: side } = await first.createCalendar({ name: 'Side' })
    const booked = await first.create('primary', { when: nine, metadata: { key5: 'group' } })
    await first.create(side, { when: span('2026-06-02T11:00') })
    await second.create('primary', { when: span('2026-06-01T10:00'), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
    const everybody = [first.email, second.email, third].sort()
    const ask = (...own: object[]) => {
      const body = {
        start_time: nine.start_time,
        end_time: time('2026-06-02T12:00'),
        duration_minutes: 60,
        participants: [...own, { email: second.email }, { email: third }],
        availability_rules: { availability_method: 'max-availability', round_robin_group_id: 'group' },
      }
      return accounts.call('POST', '/v3/calendars/availability', { body })
    }
    const slotsOf = ({ body }: Json) =>
      body.data.time_slots.map(({ start_time, emails }: Json) => [start_time, emails.toSorted()])
    const found = expectStatus(await ask({ email: first.email }), 200)
    expect(found.body.data.order).toEqual([...everybody.filter((email) => email !== first.email), first.email])
    expect(slotsOf(found)).toEqual([
      [time('2026-06-02T09:00'), [second.email, third].sort()],
      [time('2026-06-02T10:00'), [first.email, third].sort()],
      [time('2026-06-02T11:00'), [first.email, second.email].sort()],
    ])
    const inBoth = expectStatus(await ask({ email: first.email, calendar_ids: ['primary', side] }), 200)
    expect(slotsOf(inBoth)).toContainEqual([time('2026-06-02T11:00'), [second.email]])
    // A cancelled booking does not count.
    expectStatus(await first.delete(path(booked.id), { ...primary, notify_participants: false }), 200)
    expect(expectStatus(await ask({ email: first.email }), 200).body.data.order).toEqual(everybody)
    expectRefusal(await ask({ email: first.email, calendar_ids: ['nosuch'] }), /calendar/)
  })
})

describe.each([
  ['Microsoft', microsoft],
  ['Exchange', exchange],
])('calendars of Outlook at %s', (_, provider) => {
  const its = useAccounts(provider.open)

  test('keep the deletions and the last day of a series that moves', async () => {
    const { account } = its
    const { id } = await account.create('primary', {
      when: span('2026-06-01T09:00', 60, zone),
      recurrence: ['RRULE:FREQ=DAILY;UNTIL=20260605T235959Z', 'EXDATE:20260603T130000Z'],
    })
    const moved = await account.change('primary', id, { when: span('2026-06-01T15:00', 30, zone) })
    expect(moved.recurrence).toEqual(['RRULE:FREQ=DAILY;UNTIL=20260605T190000Z', 'EXDATE:20260603T190000Z'])
    const starts = (await account.listAll('primary', june)).map(({ when }) => when.start_time)
    expect(starts).toEqual([1, 2, 4, 5].map((day) => time(`2026-06-0${day}T15:00`, zone)))
    const put = (...recurrence: string[]) => account.put(path(id), { recurrence }, primary)
    const rule = 'RRULE:FREQ=DAILY;UNTIL=20260605T190000Z'
    expectStatus(await put(rule), 200)
    expect(await account.listAll('primary', june)).toHaveLength(4)
    expectRefusal(await put(rule, 'EXDATE:20260604T190000Z'), /EXDATE/)
    expectRefusal(await put('RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15'), /BYMONTHDAY/)
  })

  test('have invitations that the provider answers, with a mail or without', async () => {
    const { account } = its
    const answer = async (title: string, body: object, query = {}) => {
      account.view.invite(title, '2026-06-02T09:00')
      const event = (await account.listAll('primary', june)).find((one) => one.title === title)
      expect(event).toMatchObject({ status: 'maybe', busy: true, organizer: { email: boss } })
      expectStatus(await account.post(`${path(event.id)}/send-rsvp`, body, { ...primary, ...query }), 200)
      return event.id
    }
    const yes = await answer('yes', { status: 'yes', comment: 'Gladly' })
    expect(account.view.replies()).toMatchObject([{ response: 'accepted', comment: expect.stringContaining('Gladly') }])
    const { participants } = await account.read('primary', yes)
    expect(participants[0]).toMatchObject({ email: account.email, status: 'yes' })
    await answer('maybe', { status: 'maybe' }, { skip_email: true })
    expect(account.view.replies()).toHaveLength(1)
    const no = await answer('no', { status: 'no' })
    expect(account.view.replies()).toHaveLength(2)
    expectStatus(await account.get(path(no), primary), 404)
    const free = await account.listAll('primary', { ...june, tentative_as_busy: false })
    expect(free.map(({ title, busy }) => [title, busy]).sort()).toEqual([
      ['maybe', false],
      ['yes', true],
    ])
    expectRefusal(await account.put(path(yes), { title: 'Mine' }, primary), /organizer/)
    const own = await account.create('primary', { title: 'Own', when: span('2026-06-03T09:00') })
    expectRefusal(await account.post(`${path(own.id)}/send-rsvp`, { status: 'yes' }, primary), /organizes/)
  })

  test('have one reminder for each event, and a capacity', async () => {
    const { account } = its
    const reminders = { use_default: false, overrides: [{ reminder_minutes: 30 }] }
    const made = await account.create('primary', { when: nine, reminders, capacity: 12 })
    expect(made).toMatchObject({ reminders, capacity: 12 })
    expect((await account.change('primary', made.id, { title: 'Other' })).capacity).toBe(12)
    const two = { ...reminders, overrides: [{ reminder_minutes: 1 }, { reminder_minutes: 2 }] }
    expectRefusal(await account.post('/events', { when: nine, reminders: two }, primary), /reminders/)
  })
})

describe.each([
  ['Google', google],
  ['Microsoft', microsoft],
])('conferences at %s', (_, provider) => {
  const its = useAccounts(provider.open)

  test('are created by the provider, survive other changes, and are removed', async () => {
    const { account } = its
    const { provider: name, url, error } = provider.conference
    const made = await account.create('primary', { when: nine, conferencing: { provider: name, autocreate: {} } })
    expect(made.conferencing).toMatchObject({ provider: name, details: { url: expect.stringContaining(url) } })
    expect((await account.read('primary', made.id)).conferencing).toEqual(made.conferencing)
    const changed = await account.change('primary', made.id, { title: 'Kept', description: 'New <b>text</b>' })
    expect(changed.description).toContain('New <b>text</b>')
    expect(changed.conferencing).toEqual(made.conferencing)
    expect(await account.change('primary', made.id, { conferencing: {} })).not.toHaveProperty('conferencing')
    expect(await account.read('primary', made.id)).not.toHaveProperty('conferencing')
    const zoom = { provider: 'Zoom Meeting', autocreate: {} }
    expectRefusal(await account.post('/events', { when: nine, conferencing: zoom }, primary), error)
  })
})
