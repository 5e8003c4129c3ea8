/** What happens in calendars at Google is told: everything, once, also after Google has forgotten where we were. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Fields, type Json, span } from '../conformance/office.ts'
import { freePort } from '../peers/daemon.ts'
import { type Desk, type Desks, openDesks } from './google-desk.ts'

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
  let desks: Desks
  beforeAll(async () => {
    desks = await openDesks({ env: { WAYPOST_POLL_SECONDS: '1' }, overrides: { serving: true } })
    await desks.house.listen()
  })
  afterAll(() => desks[Symbol.asyncDispose]())

  const toldOf = async ({ key }: Desk, type = ''): Promise<Told[]> => {
    const { body } = await desks.house.call('GET', '/v3/notifications?limit=200', { key })
    return body.data.filter((one: Told) => !one.type.startsWith('grant.') && one.type.startsWith(type))
  }
  const objectsOf = async (desk: Desk, type: string): Promise<Json[]> =>
    (await toldOf(desk)).filter((one) => one.type === type).map(({ data }) => data.object)
  const names = async (desk: Desk): Promise<string[]> =>
    (await toldOf(desk)).map(({ type, data }) => `${type} ${data.object.title ?? data.object.name ?? data.object.id}`)

  /** An account that is watched: whatever happens from now on is told. */
  const watchedDesk = async (before: (google: Desk['google']) => void = () => {}): Promise<Desk> => {
    const { key } = await desks.house.createApplication()
    const email = `watched${Math.random().toString(36).slice(2)}@example.com`
    before(desks.simulator.addAccount({ email, name: 'Watched', timezone: 'UTC' }))
    desks.simulator.clearCalls()
    const desk = await desks.newDesk({ key, email })
    const begun = (): boolean =>
      desks.simulator.calls.some(({ path, account }) => account === email && path.endsWith('/connections'))
    await until(() => expect(begun()).toBe(true))
    return desk
  }

  test('an event is told when it is made, changed and deleted; older ones are not', async () => {
    const desk = await watchedDesk(({ calendar }) => void calendar.addEvent(meeting('old')))
    const { id } = desk.google.calendar.addEvent({ ...meeting('new'), attendees: [{ email: 'bob@elsewhere.test' }] })
    await until(async () => expect(await names(desk)).toEqual(['event.created new']))
    const [told] = await toldOf(desk)
    expect(told).toMatchObject({ source: '/google/events/realtime' })
    const { metadata: _, ...shown } = await desk.read('primary', id)
    expect(told?.data.object).toMatchObject(shown)
    desk.google.calendar.changeEvent(id, { summary: 'changed' })
    await until(async () => expect(await names(desk)).toEqual(['event.created new', 'event.updated changed']))
    desk.google.calendar.deleteEvent(id)
    await until(async () => expect(await objectsOf(desk, 'event.deleted')).toHaveLength(1))
    expect((await objectsOf(desk, 'event.deleted'))[0]).toEqual({
      id,
      object: 'event',
      grant_id: desk.grantId,
      calendar_id: desk.email,
    })
  })

  test('what is written through the API is told as well, with its metadata; metadata alone is not', async () => {
    const desk = await watchedDesk()
    const { id } = await desk.create('primary', {
      title: 'Own',
      when: span('2027-06-01T09:00'),
      metadata: { key1: 'x' },
    })
    await until(async () => expect(await names(desk)).toEqual(['event.created Own']))
    expect((await objectsOf(desk, 'event.created'))[0].metadata).toEqual({ key1: 'x' })
    await desk.change('primary', id, { metadata: { key1: 'y' } })
    await desk.delete(`/events/${id}`, { calendar_id: 'primary' })
    await until(async () => expect(await objectsOf(desk, 'event.deleted')).toHaveLength(1))
    expect((await toldOf(desk)).map(({ type }) => type)).toEqual(['event.created', 'event.deleted'])
    expect((await objectsOf(desk, 'event.deleted'))[0].metadata).toEqual({ key1: 'y' })
  })

  test('a series is told as one; what happens to its instances is told of it', async () => {
    const desk = await watchedDesk()
    const { calendar } = desk.google
    const { id } = calendar.addEvent({ ...meeting('series'), recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] })
    await until(async () => expect(await names(desk)).toEqual(['event.created series']))
    expect((await objectsOf(desk, 'event.created'))[0].recurrence).toEqual(['RRULE:FREQ=DAILY;COUNT=4'])
    calendar.changeEvent(`${id}_20270602T090000Z`, { summary: 'special' })
    await until(async () => expect(await objectsOf(desk, 'event.updated')).toHaveLength(1))
    calendar.deleteEvent(`${id}_20270603T090000Z`)
    await until(async () => expect(await objectsOf(desk, 'event.updated')).toHaveLength(2))
    const [changed, cancelled] = await objectsOf(desk, 'event.updated')
    expect(changed).toMatchObject({ id, title: 'series', occurrences: [`${id}_20270602T090000Z`] })
    expect(changed).not.toHaveProperty('cancelled_occurrences')
    expect(cancelled).toMatchObject({ id, cancelled_occurrences: [`${id}_20270603T090000Z`] })
    calendar.deleteEvent(id)
    await until(async () => expect(await objectsOf(desk, 'event.deleted')).toHaveLength(1))
    expect((await objectsOf(desk, 'event.deleted'))[0].id).toBe(id)
    expect(await toldOf(desk)).toHaveLength(4)
  })

  test('an invitation and the answers of guests are told', async () => {
    const desk = await watchedDesk()
    const invited = desk.google.calendar.receiveInvitation({ email: 'boss@elsewhere.test' }, meeting('invited'))
    await until(async () => expect(await toldOf(desk, 'event.')).toHaveLength(1))
    await desk.post(`/events/${invited.id}/send-rsvp`, { status: 'yes' }, { calendar_id: 'primary' })
    await until(async () => expect(await objectsOf(desk, 'event.updated')).not.toHaveLength(0))
    const answered = (await objectsOf(desk, 'event.updated')).at(-1)
    expect(answered.participants).toContainEqual(expect.objectContaining({ email: desk.email, status: 'yes' }))
  })

  test('calendars are told; of other calendars than the main one, nothing that happens in them', async () => {
    const desk = await watchedDesk()
    const { calendar } = desk.google
    const { id } = calendar.addCalendar({ summary: 'Other' })
    await until(async () => expect(await names(desk)).toEqual(['calendar.created Other']))
    calendar.addEvent(meeting('elsewhere'), id)
    calendar.changeCalendar(id, { summary: 'Renamed' })
    await until(async () => expect(await names(desk)).toContain('calendar.updated Renamed'))
    expect((await objectsOf(desk, 'calendar.updated'))[0]).toMatchObject({
      id,
      grant_id: desk.grantId,
      object: 'calendar',
    })
    // A colour is no reason to tell.
    await desk.put(`/calendars/${encodeURIComponent(id)}`, { hex_color: '#1a73e8' })
    calendar.deleteCalendar(id)
    await until(async () => expect(await objectsOf(desk, 'calendar.deleted')).toHaveLength(1))
    expect((await toldOf(desk)).map(({ type }) => type)).toEqual([
      'calendar.created',
      'calendar.updated',
      'calendar.deleted',
    ])
  })

  test('what happened while Google forgot where we were is told, and nothing else again', async () => {
    const desk = await watchedDesk(({ calendar }) => void calendar.addEvent(meeting('old')))
    const { calendar } = desk.google
    calendar.addEvent(meeting('before'))
    const gone = calendar.addEvent(meeting('gone'))
    await until(async () => expect(await objectsOf(desk, 'event.created')).toHaveLength(2))
    desks.simulator.fail(
      { method: 'GET', path: /calendarList|\/events$/, times: 4 },
      { status: 503, reason: 'backendError' },
    )
    calendar.expireSyncTokens()
    calendar.addEvent(meeting('after'))
    calendar.addCalendar({ summary: 'Other' })
    calendar.deleteEvent(gone.id)
    await until(async () => expect(await objectsOf(desk, 'event.deleted')).toHaveLength(1))
    await until(async () => expect(await names(desk)).toContain('calendar.created Other'))
    const last = calendar.addEvent(meeting('last'))
    await until(async () => expect(await names(desk)).toContain('event.created last'))
    expect((await names(desk)).sort()).toEqual(
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

test('changes are told when Google says so, however rarely it is asked', async () => {
  const port = await freePort()
  await using desks = await openDesks({
    env: { WAYPOST_PORT: `${port}`, WAYPOST_POLL_SECONDS: '3600' },
    overrides: { serving: true },
  })
  await desks.house.listen()
  const desk = await desks.newDesk()
  await until(() => expect(desk.google.calendar.channels).toHaveLength(2))
  const told = async (): Promise<string[]> => {
    const { body } = await desks.call('GET', '/v3/notifications?limit=200')
    return body.data.map(({ type }: Told) => type).filter((type: string) => !type.startsWith('grant.'))
  }
  desk.google.calendar.addEvent(meeting('pushed'))
  await until(async () => expect(await told()).toEqual(['event.created']))
  desk.google.calendar.addCalendar({ summary: 'Other' })
  await until(async () => expect(await told()).toEqual(['event.created', 'calendar.created']))
})

test('a part of the account that Google does not tell of does not hold up the others', async () => {
  await using desks = await openDesks({ env: { WAYPOST_POLL_SECONDS: '1' }, overrides: { serving: true } })
  await desks.house.listen()
  desks.simulator.fail(
    { method: 'GET', path: /\/connections$/, times: 50 },
    { status: 403, reason: 'accessNotConfigured' },
  )
  desks.simulator.fail({ method: 'GET', path: /calendarList$/, times: 1 }, { status: 403, reason: 'notACalendarUser' })
  const desk = await desks.newDesk()
  const refused = (end: string): number => desks.simulator.calls.filter(({ path }) => path.endsWith(end)).length
  await until(() => expect([refused('/connections'), refused('/calendarList')]).toEqual([1, 1]))
  desk.google.mail.deliver('From: bob@elsewhere.test\r\nSubject: Hello\r\n\r\nText\r\n')
  await until(async () => {
    const { body } = await desks.call('GET', '/v3/notifications?limit=200')
    expect(body.data.map(({ type }: Told) => type)).toContain('message.created')
  })
  // They are left alone, not asked at every look.
  expect([refused('/connections'), refused('/calendarList')]).toEqual([1, 1])
})
