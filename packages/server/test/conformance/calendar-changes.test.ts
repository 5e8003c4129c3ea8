/** Changes in the calendars of simulated providers are notified: all of them, once, also after an expired token. */

import { freePort } from '@waypost/testing/peers/daemon'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Json, span } from './accounts.ts'
import { pollsOnDemand } from './polls.ts'
import { at, type OpenSimulated, type SimulatedAccounts } from './simulated.ts'

const inDays = (days: number): string => Temporal.Now.plainDateISO().add({ days }).toString()
const day = inDays(30)
const window = { start: Math.floor(Date.now() / 1000), end: Math.floor(Date.now() / 1000) + 60 * 86_400 }
const guest = 'bob@elsewhere.test'

/** The calendars as their user, or another program, sees them. Ids are those of the provider. */
interface Agenda {
  add(title: string, wish?: { calendarId?: string; isDaily?: boolean }): string
  rename(id: string, title: string, calendarId?: string): void
  remove(id: string, calendarId?: string): void
  invite(title: string): void
  addCalendar(name: string): string
  renameCalendar(id: string, name: string): void
  removeCalendar(id: string): void
  expire(): void
}

interface Provider {
  open: OpenSimulated<Agenda>
  /** The requests for pushes, and for changes. */
  subscription: RegExp
  changes: RegExp
  /** The provider's response to some of them. */
  unavailable: object
  /** How a notification of a series names a cancelled instance. */
  cancelled(instance: Json): string
}

const google: Provider = {
  open: at.google(({ calendar }) => {
    const time = (hour: string) => ({ dateTime: `${day}T${hour}:00:00Z`, timeZone: 'UTC' })
    const meeting = (summary: string) => ({ summary, start: time('09'), end: time('10') })
    return {
      add(title, { calendarId, isDaily } = {}) {
        const recurrence = isDaily ? { recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] } : {}
        return calendar.addEvent({ ...meeting(title), attendees: [{ email: guest }], ...recurrence }, calendarId).id
      },
      rename: (id, summary, calendarId) => calendar.changeEvent(id, { summary }, calendarId),
      remove: calendar.deleteEvent,
      invite: (title) => void calendar.receiveInvitation({ email: 'boss@elsewhere.test' }, meeting(title)),
      addCalendar: (summary) => calendar.addCalendar({ summary }).id,
      renameCalendar: (id, summary) => calendar.changeCalendar(id, { summary }),
      removeCalendar: calendar.deleteCalendar,
      expire: calendar.expireSyncTokens,
    }
  }),
  subscription: /\/watch$/,
  changes: /calendarList|\/events$/,
  unavailable: { status: 503, reason: 'backendError' },
  cancelled: ({ id }) => id,
}

const microsoft: Provider = {
  open: at.microsoft(({ calendar }) => {
    const time = (hour: string) => ({ dateTime: `${day}T${hour}:00:00`, timeZone: 'UTC' })
    const meeting = (subject: string) => ({ subject, start: time('09'), end: time('10') })
    const range = { type: 'numbered', startDate: day, numberOfOccurrences: 4 }
    const recurrence = { pattern: { type: 'daily', interval: 1 }, range }
    const boss = { name: 'Boss', address: 'boss@elsewhere.test' }
    return {
      add(title, { calendarId, isDaily } = {}) {
        const attendees = [{ emailAddress: { address: guest } }]
        return calendar.addEvent({ ...meeting(title), attendees, ...(isDaily ? { recurrence } : {}) }, calendarId).id
      },
      rename: (id, subject) => calendar.changeEvent(id, { subject }),
      remove: (id) => calendar.deleteEvent(id),
      invite: (title) => void calendar.receiveInvitation(boss, meeting(title)),
      addCalendar: (name) => calendar.addCalendar(name).id,
      renameCalendar: (id, name) => calendar.changeCalendar(id, { name }),
      removeCalendar: calendar.deleteCalendar,
      expire: calendar.expireDeltaTokens,
    }
  }),
  subscription: /\/subscriptions$/,
  changes: /calendarView\/delta$/,
  unavailable: { status: 503, code: 'serviceNotAvailable', message: 'Try again.' },
  cancelled: ({ when }) => expect.stringContaining(new Date(when.start_time * 1000).toISOString().slice(0, 10)),
}

const nameOf = ({ type, data: { object } }: Json): string => `${type} ${object.title ?? object.name ?? object.id}`

describe.each([
  ['google', google],
  ['microsoft', microsoft],
] as const)('changes of calendars at %s', (kind, { open, changes, unavailable, cancelled }) => {
  const polls = pollsOnDemand(kind)
  let accounts: SimulatedAccounts<Agenda>
  beforeAll(async () => {
    accounts = await open({ overrides: { serving: true, providers: polls.providers } })
    await accounts.service.listen()
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  /** A watched account: every change from now on is notified. */
  async function watch(before?: (agenda: Agenda) => void) {
    const { key } = await accounts.service.createApplication()
    const account = await accounts.newAccount({ key }, before)
    await polls.isWaiting(account)
    const reported = (): Promise<Json[]> => polls.reported(accounts.service, account, /^(calendar|event)\./)
    return { account, agenda: account.view, reported }
  }

  test('an event is notified when created, changed and deleted, but older events are not', async () => {
    const { account, agenda, reported } = await watch(({ add }) => {
      add('old')
      add('old series', { isDaily: true })
    })
    const added = agenda.add('new')
    const [created, ...others] = await reported()
    expect(others).toEqual([])
    expect(created).toMatchObject({ type: 'event.created', source: `/${kind}/events/incremental` })
    const { id, calendar_id } = created.data.object
    const { metadata: _, ...shown } = await account.read('primary', id)
    expect(created.data.object).toMatchObject({ ...shown, title: 'new' })
    agenda.rename(added, 'changed')
    expect((await reported()).map(nameOf)).toEqual(['event.updated changed'])
    agenda.remove(added)
    const [deleted] = await reported()
    expect(deleted.type).toBe('event.deleted')
    expect(deleted.data.object).toEqual({ id, object: 'event', grant_id: account.grantId, calendar_id })
  })

  test('writes through the API are notified too, with metadata; changes of only metadata are not', async () => {
    const { account, reported } = await watch()
    const own = { title: 'Own', when: span(`${day}T12:00`), metadata: { key1: 'x' } }
    const { id } = await account.create('primary', own)
    expect(await reported()).toMatchObject([
      { type: 'event.created', data: { object: { title: 'Own', metadata: { key1: 'x' } } } },
    ])
    await account.change('primary', id, { metadata: { key1: 'y' } })
    await account.delete(`/events/${id}`, { calendar_id: 'primary' })
    expect(await reported()).toMatchObject([
      { type: 'event.deleted', data: { object: { id, metadata: { key1: 'y' } } } },
    ])
  })

  test('a series is notified as one event, and changes of its instances as changes of it', async () => {
    const { account, agenda, reported } = await watch()
    const series = agenda.add('series', { isDaily: true })
    const [created, ...others] = await reported()
    expect(others).toEqual([])
    const { id, recurrence, title } = created.data.object
    expect([title, recurrence]).toEqual(['series', ['RRULE:FREQ=DAILY;COUNT=4']])
    const instances = await account.listAll('primary', { master_event_id: id, ...window })
    expect(instances).toHaveLength(4)
    await account.change('primary', instances[1].id, { title: 'special' })
    const [changed, ...more] = await reported()
    expect(more).toEqual([])
    expect(changed).toMatchObject({
      type: 'event.updated',
      data: { object: { id, title, occurrences: [instances[1].id] } },
    })
    expect(changed.data.object).not.toHaveProperty('cancelled_occurrences')
    await account.delete(`/events/${instances[2].id}`, { calendar_id: 'primary' })
    expect(await reported()).toMatchObject([
      { type: 'event.updated', data: { object: { id, cancelled_occurrences: [cancelled(instances[2])] } } },
    ])
    agenda.remove(series)
    expect(await reported()).toMatchObject([{ type: 'event.deleted', data: { object: { id } } }])
    expect(await reported()).toEqual([])
  })

  test('an invitation and its answer are notified', async () => {
    const { account, agenda, reported } = await watch()
    agenda.invite('invited')
    const [invited, ...others] = await reported()
    expect(others).toEqual([])
    const { id, participants } = invited.data.object
    expect(participants).toContainEqual(expect.objectContaining({ email: account.email, status: 'noreply' }))
    await account.post(`/events/${id}/send-rsvp`, { status: 'yes' }, { calendar_id: 'primary' })
    const [answered] = await reported()
    expect(answered).toMatchObject({ type: 'event.updated', data: { object: { id } } })
    expect(answered.data.object.participants).toContainEqual(
      expect.objectContaining({ email: account.email, status: 'yes' }),
    )
  })

  test('calendars are notified, and changes in each of them', async () => {
    const { account, agenda, reported } = await watch(({ add, addCalendar }) => {
      add('old', { calendarId: addCalendar('Old') })
      add('old too')
    })
    const calendarId = agenda.addCalendar('Other')
    // Before the service has found the calendar.
    const event = agenda.add('elsewhere', { calendarId })
    const found = await reported()
    expect(found.map(nameOf)).toEqual(['calendar.created Other', 'event.created elsewhere'])
    expect(found[1].data.object.calendar_id).toBe(calendarId)
    agenda.rename(event, 'changed', calendarId)
    expect((await reported()).map(nameOf)).toEqual(['event.updated changed'])
    agenda.remove(event, calendarId)
    expect(await reported()).toMatchObject([{ type: 'event.deleted', data: { object: { calendar_id: calendarId } } }])
    agenda.renameCalendar(calendarId, 'Renamed')
    expect(await reported()).toMatchObject([
      {
        type: 'calendar.updated',
        data: { object: { name: 'Renamed', grant_id: account.grantId, object: 'calendar' } },
      },
    ])
    // A color change is not notified, and neither are the events of a deleted calendar.
    await account.put(`/calendars/${encodeURIComponent(calendarId)}`, { hex_color: '#1a73e8' })
    agenda.add('last', { calendarId })
    expect((await reported()).map(nameOf)).toEqual(['event.created last'])
    agenda.removeCalendar(calendarId)
    expect((await reported()).map(({ type }) => type)).toEqual(['calendar.deleted'])
    agenda.add('afterwards')
    expect((await reported()).map(nameOf)).toEqual(['event.created afterwards'])
  })

  test('changes are notified once after an expired token, and nothing else again', async () => {
    const { agenda, reported } = await watch(({ add }) => void add('old'))
    agenda.add('before')
    const gone = agenda.add('gone')
    expect(await reported()).toHaveLength(2)
    accounts.simulator.fail({ method: 'GET', path: changes, times: 4 }, unavailable)
    agenda.expire()
    agenda.add('after')
    agenda.addCalendar('Other')
    agenda.remove(gone)
    const types = [...(await reported()), ...(await reported())]
      .map(nameOf)
      .map((name) => name.replace(/deleted .*/, 'deleted'))
    expect(types.sort()).toEqual(['calendar.created Other', 'event.created after', 'event.deleted'])
    agenda.add('last')
    expect((await reported()).map(nameOf)).toEqual(['event.created last'])
  })
})

test.each([
  ['google', google],
  ['microsoft', microsoft],
])('changes are notified when %s pushes them, however rarely it is polled', async (kind, { open, subscription }) => {
  const env = { WAYPOST_PORT: `${await freePort()}`, WAYPOST_POLL_SECONDS: '3600' }
  await using accounts = await open({ env, overrides: { serving: true } })
  await accounts.service.listen()
  const { view: agenda } = await accounts.newAccount()
  const reported = async (): Promise<Json[]> => {
    const { body } = await accounts.call('GET', '/v3/notifications?limit=200')
    return body.data.filter(({ type }: Json) => /^(calendar|event)\./.test(type))
  }
  let pushes = 0
  const isPushed = (count: number) => (): void => {
    pushes += accounts.calls().filter((call) => subscription.test(call)).length
    expect(pushes).toBeGreaterThanOrEqual(count)
  }
  const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { interval: 50 })
  await until(isPushed(2))
  const id = agenda.add('pushed')
  await until(async () => expect((await reported()).map(nameOf)).toEqual(['event.created pushed']))
  agenda.remove(id)
  await until(async () => expect(await reported()).toHaveLength(2))
  if (kind === 'google') {
    const calendarId = agenda.addCalendar('Other')
    await until(async () => expect((await reported()).slice(2).map(nameOf)).toEqual(['calendar.created Other']))
    await until(isPushed(3))
    agenda.add('pushed too', { calendarId })
    await until(async () => expect((await reported()).slice(3).map(nameOf)).toEqual(['event.created pushed too']))
  }
  expect(new Set((await reported()).map(({ source }) => source))).toEqual(new Set([`/${kind}/events/realtime`]))
})
