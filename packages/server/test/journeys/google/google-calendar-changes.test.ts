/** Changes in Google calendars are notified: all of them, once, also after Google's sync token has expired. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Fields, type Json, span } from '../../conformance/accounts.ts'
import { freePort } from '../../peers/daemon.ts'
import { type GoogleAccount, type GoogleAccounts, openGoogleAccounts } from './google-accounts.ts'

const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 20_000, interval: 50 })
const at = (dateTime: string): Fields => ({ dateTime, timeZone: 'UTC' })
const meeting = (summary: string): Fields => ({
  summary,
  start: at('2027-06-01T09:00:00Z'),
  end: at('2027-06-01T10:00:00Z'),
})

interface Told {
  type: string
  source: string
  data: { object: Json }
}

describe('changes of calendars at Google', () => {
  let accounts: GoogleAccounts
  beforeAll(async () => {
    accounts = await openGoogleAccounts({ env: { WAYPOST_POLL_SECONDS: '1' }, overrides: { serving: true } })
    await accounts.service.listen()
  })
  afterAll(() => accounts[Symbol.asyncDispose]())

  const notificationsOf = async ({ key }: GoogleAccount, type = ''): Promise<Told[]> => {
    const { body } = await accounts.service.call('GET', '/v3/notifications?limit=200', { key })
    return body.data.filter((one: Told) => !one.type.startsWith('grant.') && one.type.startsWith(type))
  }
  const objectsOf = async (account: GoogleAccount, type: string): Promise<Json[]> =>
    (await notificationsOf(account)).filter((one) => one.type === type).map(({ data }) => data.object)
  const names = async (account: GoogleAccount): Promise<string[]> =>
    (await notificationsOf(account)).map(
      ({ type, data }) => `${type} ${data.object.title ?? data.object.name ?? data.object.id}`,
    )

  /** A watched account: every change from now on is notified. */
  const watchedAccount = async (
    before: (google: GoogleAccount['google']) => void = () => {},
  ): Promise<GoogleAccount> => {
    const { key } = await accounts.service.createApplication()
    const email = `watched${Math.random().toString(36).slice(2)}@example.com`
    before(accounts.simulator.addAccount({ email, name: 'Watched', timezone: 'UTC' }))
    accounts.simulator.clearCalls()
    const account = await accounts.newAccount({ key, email })
    const begun = (): boolean =>
      accounts.simulator.calls.some(({ path, account }) => account === email && path.endsWith('/connections'))
    await until(() => expect(begun()).toBe(true))
    return account
  }

  test('an event is notified when created, changed and deleted, but older events are not', async () => {
    const account = await watchedAccount(({ calendar }) => void calendar.addEvent(meeting('old')))
    const { id } = account.google.calendar.addEvent({ ...meeting('new'), attendees: [{ email: 'bob@elsewhere.test' }] })
    await until(async () => expect(await names(account)).toEqual(['event.created new']))
    const [told] = await notificationsOf(account)
    expect(told).toMatchObject({ source: '/google/events/incremental' })
    const { metadata: _, ...shown } = await account.read('primary', id)
    expect(told?.data.object).toMatchObject(shown)
    account.google.calendar.changeEvent(id, { summary: 'changed' })
    await until(async () => expect(await names(account)).toEqual(['event.created new', 'event.updated changed']))
    account.google.calendar.deleteEvent(id)
    await until(async () => expect(await objectsOf(account, 'event.deleted')).toHaveLength(1))
    expect((await objectsOf(account, 'event.deleted'))[0]).toEqual({
      id,
      object: 'event',
      grant_id: account.grantId,
      calendar_id: account.email,
    })
  })

  test('writes through the API are notified too, with metadata; changes of only metadata are not', async () => {
    const account = await watchedAccount()
    const { id } = await account.create('primary', {
      title: 'Own',
      when: span('2027-06-01T09:00'),
      metadata: { key1: 'x' },
    })
    await until(async () => expect(await names(account)).toEqual(['event.created Own']))
    expect((await objectsOf(account, 'event.created'))[0].metadata).toEqual({ key1: 'x' })
    await account.change('primary', id, { metadata: { key1: 'y' } })
    await account.delete(`/events/${id}`, { calendar_id: 'primary' })
    await until(async () => expect(await objectsOf(account, 'event.deleted')).toHaveLength(1))
    expect((await notificationsOf(account)).map(({ type }) => type)).toEqual(['event.created', 'event.deleted'])
    expect((await objectsOf(account, 'event.deleted'))[0].metadata).toEqual({ key1: 'y' })
  })

  test('a series is notified as one event, and changes of its instances as changes of it', async () => {
    const account = await watchedAccount()
    const { calendar } = account.google
    const { id } = calendar.addEvent({ ...meeting('series'), recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] })
    await until(async () => expect(await names(account)).toEqual(['event.created series']))
    expect((await objectsOf(account, 'event.created'))[0].recurrence).toEqual(['RRULE:FREQ=DAILY;COUNT=4'])
    calendar.changeEvent(`${id}_20270602T090000Z`, { summary: 'special' })
    await until(async () => expect(await objectsOf(account, 'event.updated')).toHaveLength(1))
    calendar.deleteEvent(`${id}_20270603T090000Z`)
    await until(async () => expect(await objectsOf(account, 'event.updated')).toHaveLength(2))
    const [changed, cancelled] = await objectsOf(account, 'event.updated')
    expect(changed).toMatchObject({ id, title: 'series', occurrences: [`${id}_20270602T090000Z`] })
    expect(changed).not.toHaveProperty('cancelled_occurrences')
    expect(cancelled).toMatchObject({ id, cancelled_occurrences: [`${id}_20270603T090000Z`] })
    calendar.deleteEvent(id)
    await until(async () => expect(await objectsOf(account, 'event.deleted')).toHaveLength(1))
    expect((await objectsOf(account, 'event.deleted'))[0].id).toBe(id)
    expect(await notificationsOf(account)).toHaveLength(4)
  })

  test('an invitation and the answers of guests are notified', async () => {
    const account = await watchedAccount()
    const invited = account.google.calendar.receiveInvitation({ email: 'boss@elsewhere.test' }, meeting('invited'))
    await until(async () => expect(await notificationsOf(account, 'event.')).toHaveLength(1))
    await account.post(`/events/${invited.id}/send-rsvp`, { status: 'yes' }, { calendar_id: 'primary' })
    await until(async () => expect(await objectsOf(account, 'event.updated')).not.toHaveLength(0))
    const answered = (await objectsOf(account, 'event.updated')).at(-1)
    expect(answered.participants).toContainEqual(expect.objectContaining({ email: account.email, status: 'yes' }))
  })

  test('calendars are notified, and changes in each of them', async () => {
    const account = await watchedAccount(({ calendar }) => {
      const { id } = calendar.addCalendar({ summary: 'Old' })
      calendar.addEvent(meeting('old'), id)
    })
    const { calendar } = account.google
    const { id } = calendar.addCalendar({ summary: 'Other' })
    // Before the service has found the calendar.
    const event = calendar.addEvent(meeting('elsewhere'), id)
    await until(async () => expect(await names(account)).toEqual(['calendar.created Other', 'event.created elsewhere']))
    expect((await objectsOf(account, 'event.created'))[0]).toMatchObject({ id: event.id, calendar_id: id })
    calendar.changeEvent(event.id, { summary: 'changed' }, id)
    await until(async () => expect(await names(account)).toContain('event.updated changed'))
    calendar.deleteEvent(event.id, id)
    await until(async () => expect(await objectsOf(account, 'event.deleted')).toHaveLength(1))
    expect((await objectsOf(account, 'event.deleted'))[0]).toMatchObject({ id: event.id, calendar_id: id })
    calendar.changeCalendar(id, { summary: 'Renamed' })
    await until(async () => expect(await names(account)).toContain('calendar.updated Renamed'))
    expect((await objectsOf(account, 'calendar.updated'))[0]).toMatchObject({
      id,
      grant_id: account.grantId,
      object: 'calendar',
    })
    // A color change is not notified, and neither are the events of a deleted calendar.
    await account.put(`/calendars/${encodeURIComponent(id)}`, { hex_color: '#1a73e8' })
    calendar.addEvent(meeting('last'), id)
    await until(async () => expect(await names(account)).toContain('event.created last'))
    calendar.deleteCalendar(id)
    await until(async () => expect(await objectsOf(account, 'calendar.deleted')).toHaveLength(1))
    calendar.addEvent(meeting('afterwards'))
    await until(async () => expect(await names(account)).toContain('event.created afterwards'))
    expect((await notificationsOf(account)).map(({ type }) => type)).toEqual([
      'calendar.created',
      'event.created',
      'event.updated',
      'event.deleted',
      'calendar.updated',
      'event.created',
      'calendar.deleted',
      'event.created',
    ])
  })

  test('shared calendars are notified as read-only, if they can be read', async () => {
    const account = await watchedAccount()
    const { calendar: others } = accounts.simulator.addAccount({ email: `owner-of-${account.email}`, timezone: 'UTC' })
    const read = others.addCalendar({ summary: 'Read' }).id
    const busy = others.addCalendar({ summary: 'Busy' }).id
    others.addEvent(meeting('long there'), read)
    others.share(read, account.email, 'reader')
    others.share(busy, account.email, 'freeBusyReader')
    await until(async () => expect(await objectsOf(account, 'calendar.created')).toHaveLength(2))
    others.addEvent(meeting('secret'), busy)
    others.addEvent({ ...meeting('shared'), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }, read)
    await until(async () => expect(await objectsOf(account, 'event.created')).toHaveLength(1))
    expect((await objectsOf(account, 'event.created'))[0]).toMatchObject({ title: 'shared', read_only: true })
    // A calendar that Google temporarily cannot return does not delay the others.
    const path = new RegExp(`${encodeURIComponent(read)}/events$`)
    accounts.simulator.fail({ method: 'GET', path, times: 6 }, { status: 503, reason: 'backendError' })
    others.addEvent(meeting('delayed'), read)
    account.google.calendar.addEvent(meeting('own'))
    await until(async () => expect(await names(account)).toContain('event.created own'))
    await until(async () => expect(await names(account)).toContain('event.created delayed'))
    expect((await objectsOf(account, 'event.created')).map(({ title }) => title).sort()).toEqual([
      'delayed',
      'own',
      'shared',
    ])
  })

  test('changes are notified once after an expired sync token, and nothing else again', async () => {
    const account = await watchedAccount(({ calendar }) => void calendar.addEvent(meeting('old')))
    const { calendar } = account.google
    calendar.addEvent(meeting('before'))
    const gone = calendar.addEvent(meeting('gone'))
    await until(async () => expect(await objectsOf(account, 'event.created')).toHaveLength(2))
    accounts.simulator.fail(
      { method: 'GET', path: /calendarList|\/events$/, times: 4 },
      { status: 503, reason: 'backendError' },
    )
    calendar.expireSyncTokens()
    calendar.addEvent(meeting('after'))
    calendar.addCalendar({ summary: 'Other' })
    calendar.deleteEvent(gone.id)
    await until(async () => expect(await objectsOf(account, 'event.deleted')).toHaveLength(1))
    await until(async () => expect(await names(account)).toContain('calendar.created Other'))
    const last = calendar.addEvent(meeting('last'))
    await until(async () => expect(await names(account)).toContain('event.created last'))
    expect((await names(account)).sort()).toEqual(
      [
        'calendar.created Other',
        'event.created after',
        'event.created before',
        'event.created gone',
        'event.created last',
        `event.deleted ${gone.id}`,
      ].sort(),
    )
    expect(last.id).toBeDefined()
  })
})

test('changes are notified when Google pushes them, however rarely it is polled', async () => {
  const port = await freePort()
  await using accounts = await openGoogleAccounts({
    env: { WAYPOST_PORT: `${port}`, WAYPOST_POLL_SECONDS: '3600' },
    overrides: { serving: true },
  })
  await accounts.service.listen()
  const account = await accounts.newAccount()
  await until(() => expect(account.google.calendar.channels).toHaveLength(2))
  const told = async (): Promise<string[]> => {
    const { body } = await accounts.call('GET', '/v3/notifications?limit=200')
    return body.data.map(({ type }: Told) => type).filter((type: string) => !type.startsWith('grant.'))
  }
  account.google.calendar.addEvent(meeting('pushed'))
  await until(async () => expect(await told()).toEqual(['event.created']))
  const { id } = account.google.calendar.addCalendar({ summary: 'Other' })
  await until(async () => expect(await told()).toEqual(['event.created', 'calendar.created']))
  await until(() => expect(account.google.calendar.channels).toHaveLength(3))
  account.google.calendar.addEvent(meeting('pushed too'), id)
  await until(async () => expect(await told()).toEqual(['event.created', 'calendar.created', 'event.created']))
  const { body } = await accounts.call('GET', '/v3/notifications?limit=200')
  const sources = body.data.map(({ source }: Told) => source).filter((source: string) => source.startsWith('/google/'))
  expect(sources).toEqual(['/google/events/realtime', '/google/events/realtime', '/google/events/realtime'])
})

test('a part of the account that Google does not report does not delay the others', async () => {
  await using accounts = await openGoogleAccounts({ env: { WAYPOST_POLL_SECONDS: '1' }, overrides: { serving: true } })
  await accounts.service.listen()
  accounts.simulator.fail(
    { method: 'GET', path: /\/connections$/, times: 50 },
    { status: 403, reason: 'accessNotConfigured' },
  )
  accounts.simulator.fail(
    { method: 'GET', path: /calendarList$/, times: 1 },
    { status: 403, reason: 'notACalendarUser' },
  )
  const account = await accounts.newAccount()
  const refused = (end: string): number => accounts.simulator.calls.filter(({ path }) => path.endsWith(end)).length
  await until(() => expect([refused('/connections'), refused('/calendarList')]).toEqual([1, 1]))
  account.google.mail.deliver('From: bob@elsewhere.test\r\nSubject: Hello\r\n\r\nText\r\n')
  await until(async () => {
    const { body } = await accounts.call('GET', '/v3/notifications?limit=200')
    expect(body.data.map(({ type }: Told) => type)).toContain('message.created')
  })
  // They are skipped, not requested at every poll.
  expect([refused('/connections'), refused('/calendarList')]).toEqual([1, 1])
})
