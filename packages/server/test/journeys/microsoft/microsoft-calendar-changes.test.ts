/** Changes in Microsoft calendars are notified: all of them, once, also after Graph's delta token has expired. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Fields, type Json, span } from '../../conformance/accounts.ts'
import { freePort } from '../../peers/daemon.ts'
import { type MicrosoftAccount, type MicrosoftAccounts, openMicrosoftAccounts } from './microsoft-accounts.ts'

const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 20_000, interval: 50 })
const today = new Date().toISOString().slice(0, 10)
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const at = (dateTime: string): Fields => ({ dateTime, timeZone: 'UTC' })
const meeting = (subject: string, date = inDays(30)): Fields => ({
  subject,
  start: at(`${date}T09:00:00`),
  end: at(`${date}T10:00:00`),
})
const daily = (subject: string): Fields => ({
  ...meeting(subject),
  recurrence: {
    pattern: { type: 'daily', interval: 1 },
    range: { type: 'numbered', startDate: inDays(30), numberOfOccurrences: 4 },
  },
})

interface Told {
  type: string
  source: string
  data: { object: Json }
}

const openWatched = (env: Record<string, string>): Promise<MicrosoftAccounts> =>
  openMicrosoftAccounts({ env, overrides: { serving: true } })

// Each test waits for its own polls.
describe.concurrent('changes of calendars at Microsoft', () => {
  let accounts: MicrosoftAccounts
  beforeAll(async () => {
    accounts = await openWatched({ WAYPOST_POLL_SECONDS: '1' })
    await accounts.service.listen()
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  const notificationsOf = async ({ key }: MicrosoftAccount): Promise<Told[]> => {
    const { body } = await accounts.service.call('GET', '/v3/notifications?limit=200', { key })
    return body.data.filter(({ type }: Told) => /^(calendar|event)\./.test(type))
  }
  const objectsOf = async (account: MicrosoftAccount, type: string): Promise<Json[]> =>
    (await notificationsOf(account)).filter((one) => one.type === type).map(({ data }) => data.object)
  const names = async (account: MicrosoftAccount): Promise<string[]> =>
    (await notificationsOf(account)).map(
      ({ type, data }) => `${type} ${data.object.title ?? data.object.name ?? data.object.id}`,
    )
  const looks = (email: string): number =>
    accounts.simulator.calls.filter(
      ({ path, account }) => account === email && path.toLowerCase().endsWith('/me/calendars'),
    ).length
  /** Waits until a complete poll of the account that started after now. */
  const lookedAt = async ({ email }: { email: string }): Promise<void> => {
    const before = looks(email)
    await until(() => expect(looks(email)).toBeGreaterThanOrEqual(before + 2))
  }

  /** A watched account: every change from now on is notified. */
  const watchedAccount = async (
    before: (microsoft: MicrosoftAccount['microsoft']) => void = () => {},
  ): Promise<MicrosoftAccount> => {
    const { key } = await accounts.service.createApplication()
    const email = `watched${Math.random().toString(36).slice(2)}@contoso.example`
    before(accounts.simulator.addAccount({ email, name: 'Watched' }))
    const account = await accounts.newAccount({ key, email })
    await lookedAt(account)
    return account
  }

  test('an event is notified when created, changed and deleted, but older ones are not; a series is one event', async () => {
    const account = await watchedAccount(({ calendar }) => {
      calendar.addEvent(meeting('old'))
      calendar.addEvent(daily('old series'))
    })
    const { calendar } = account.microsoft
    const added = calendar.addEvent({
      ...meeting('new'),
      attendees: [{ emailAddress: { address: 'bob@elsewhere.test' } }],
    })
    await until(async () => expect(await names(account)).toEqual(['event.created new']))
    const [told] = await notificationsOf(account)
    expect(told).toMatchObject({ source: '/microsoft/events/incremental' })
    const id: string = told?.data.object.id
    const { metadata: _, ...shown } = await account.read('primary', id)
    expect(told?.data.object).toMatchObject(shown)
    calendar.changeEvent(added.id, { subject: 'changed' })
    await until(async () => expect(await names(account)).toEqual(['event.created new', 'event.updated changed']))
    // Outside the window that Graph returns: the event still exists, and was changed.
    calendar.changeEvent(added.id, meeting('far', inDays(900)))
    await until(async () => expect((await names(account)).slice(2)).toEqual(['event.updated far']))
    calendar.changeEvent(added.id, meeting('near'))
    await until(async () => expect((await names(account)).slice(3)).toEqual(['event.updated near']))
    calendar.deleteEvent(added.id)
    await until(async () => expect(await objectsOf(account, 'event.deleted')).toHaveLength(1))
    const { calendar_id } = shown
    expect((await objectsOf(account, 'event.deleted'))[0]).toEqual({
      id,
      object: 'event',
      grant_id: account.grantId,
      calendar_id,
    })

    const before = (await notificationsOf(account)).length
    const series = calendar.addEvent(daily('series'))
    const since = async (): Promise<string[]> => (await names(account)).slice(before)
    await until(async () => expect(await since()).toEqual(['event.created series']))
    const [master] = await objectsOf(account, 'event.created').then((all) => all.slice(-1))
    expect(master.recurrence).toEqual(['RRULE:FREQ=DAILY;COUNT=4'])
    const instances = await account.listAll('primary', { master_event_id: master.id, ...window })
    expect(instances).toHaveLength(4)
    await account.change('primary', instances[1].id, { title: 'special' })
    await until(async () => expect(await since()).toEqual(['event.created series', 'event.updated series']))
    expect((await objectsOf(account, 'event.updated')).at(-1)).toMatchObject({
      id: master.id,
      occurrences: [instances[1].id],
    })
    await account.delete(`/events/${instances[2].id}`, { calendar_id: 'primary' })
    await until(async () => expect(await since()).toHaveLength(3))
    const cancelled = (await objectsOf(account, 'event.updated')).at(-1)
    expect(cancelled).toMatchObject({ id: master.id, cancelled_occurrences: [expect.stringContaining(inDays(32))] })
    expect(cancelled).not.toHaveProperty('occurrences')
    expect(cancelled.recurrence[1]).toMatch(/^EXDATE/)
    calendar.deleteEvent(series.id)
    await until(async () => expect(await since()).toHaveLength(4))
    expect((await objectsOf(account, 'event.deleted')).at(-1).id).toBe(master.id)
    await lookedAt(account)
    expect(await since()).toHaveLength(4)
  })

  test('writes through the API, invitations and answers are notified; changes of only metadata are not', async () => {
    const account = await watchedAccount()
    const own = { title: 'Own', when: span(`${inDays(20)}T09:00`), metadata: { key1: 'x' } }
    const { id } = await account.create('primary', own)
    await until(async () => expect(await names(account)).toEqual(['event.created Own']))
    expect((await objectsOf(account, 'event.created'))[0].metadata).toEqual({ key1: 'x' })
    await account.change('primary', id, { metadata: { key1: 'y' } })
    await account.delete(`/events/${id}`, { calendar_id: 'primary' })
    await until(async () => expect(await objectsOf(account, 'event.deleted')).toHaveLength(1))
    expect((await objectsOf(account, 'event.deleted'))[0].metadata).toEqual({ key1: 'y' })
    account.microsoft.calendar.receiveInvitation({ name: 'Boss', address: 'boss@elsewhere.test' }, meeting('invited'))
    await until(async () => expect(await names(account)).toContain('event.created invited'))
    const [, invited] = await objectsOf(account, 'event.created')
    expect(invited.participants).toEqual([expect.objectContaining({ email: account.email, status: 'noreply' })])
    await account.post(`/events/${invited.id}/send-rsvp`, { status: 'yes' }, { calendar_id: 'primary' })
    await until(async () => expect(await objectsOf(account, 'event.updated')).toHaveLength(1))
    const [answered] = await objectsOf(account, 'event.updated')
    expect(answered.participants).toEqual([expect.objectContaining({ email: account.email, status: 'yes' })])
  })

  test('calendars, changes in each, and changes during an expired delta token are notified', async () => {
    const account = await watchedAccount(({ calendar }) => {
      calendar.addEvent(meeting('old'), calendar.addCalendar('Old').id)
      calendar.addEvent(meeting('old too'))
    })
    const { calendar } = account.microsoft
    const { id } = calendar.addCalendar('Other')
    // Before the service has found the calendar.
    const event = calendar.addEvent(meeting('elsewhere'), id)
    await until(async () => expect(await names(account)).toEqual(['calendar.created Other', 'event.created elsewhere']))
    expect((await objectsOf(account, 'event.created'))[0]).toMatchObject({ calendar_id: id })
    calendar.changeCalendar(id, { name: 'Renamed' })
    await until(async () => expect(await names(account)).toContain('calendar.updated Renamed'))
    const gone = calendar.addEvent(meeting('gone'))
    await until(async () => expect(await names(account)).toContain('event.created gone'))
    const before = (await notificationsOf(account)).length

    accounts.simulator.fail(
      { method: 'GET', path: /calendarView\/delta$/, times: 4 },
      { status: 503, code: 'serviceNotAvailable', message: 'Try again.' },
    )
    calendar.expireDeltaTokens()
    calendar.addEvent(meeting('after'))
    calendar.changeEvent(event.id, { subject: 'changed' })
    calendar.deleteEvent(gone.id)
    await until(async () => expect(await objectsOf(account, 'event.deleted')).toHaveLength(1))
    await until(async () => expect(await names(account)).toContain('event.updated changed'))
    await lookedAt(account)
    expect(
      (await names(account))
        .slice(before)
        .map((name) => name.replace(/deleted .*/, 'deleted'))
        .sort(),
    ).toEqual(['event.created after', 'event.deleted', 'event.updated changed'])
    // The events of a deleted calendar are not notified.
    calendar.deleteCalendar(id)
    await until(async () => expect(await objectsOf(account, 'calendar.deleted')).toHaveLength(1))
    await lookedAt(account)
    expect(await notificationsOf(account)).toHaveLength(before + 4)
  })
})

const window = {
  start: Math.floor(Date.parse(`${today}T00:00:00Z`) / 1000),
  end: Math.floor(Date.parse(`${inDays(60)}T00:00:00Z`) / 1000),
}

test('changes are notified when Graph pushes them, however rarely it is polled', async () => {
  const port = await freePort()
  await using accounts = await openWatched({ WAYPOST_PORT: `${port}`, WAYPOST_POLL_SECONDS: '3600' })
  await accounts.service.listen()
  const account = await accounts.newAccount()
  const told = async (): Promise<Told[]> => {
    const { body } = await accounts.call('GET', '/v3/notifications?limit=200')
    return body.data.filter(({ type }: Told) => type.startsWith('event.'))
  }
  const subscriptions = (): number =>
    accounts.simulator.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/subscriptions')).length
  await until(() => expect(subscriptions()).toBeGreaterThanOrEqual(2))
  const { id } = account.microsoft.calendar.addEvent(meeting('pushed'))
  await until(async () => expect((await told()).map(({ type }) => type)).toEqual(['event.created']))
  account.microsoft.calendar.deleteEvent(id)
  await until(async () => expect((await told()).map(({ type }) => type)).toEqual(['event.created', 'event.deleted']))
  expect((await told()).map(({ source }) => source)).toEqual(Array(2).fill('/microsoft/events/realtime'))
})
