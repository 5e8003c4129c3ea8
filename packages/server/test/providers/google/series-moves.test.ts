/**
 * Moving a series at Google: its deleted and changed occurrences and its end move with it, as on virtual calendars.
 */
import type { EventChange } from '@waypost/contract'
import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Account,
  accountOf,
  at,
  type Call,
  expectRefusal,
  expectStatus,
  type Json,
  span,
} from '../../conformance/accounts.ts'
import type { TestService } from '../../harness.ts'
import { createGoogleGrant, type GooglePeer, openGoogle, openGoogleService } from '../../peers/google.ts'

let peer: GooglePeer
let service: TestService
let applicationId: string
let google: Account
let virtual: Account
/** The calendars at Google and the virtual one. */
let calendars: { google: string; virtual: string }

beforeAll(async () => {
  peer = await openGoogle()
  service = await openGoogleService(peer.simulator)
  const { id, key } = await service.createApplication('Series')
  applicationId = id
  const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
  const email = 'ada@example.com'
  const { calendar } = peer.simulator.addAccount({ email, name: 'Ada', timezone: 'UTC' })
  google = accountOf(call, { grantId: (await createGoogleGrant(service, peer.simulator, { email, key })).id, email })
  await call('POST', '/v3/connectors', { body: { provider: 'virtual-calendar' } })
  const made = await call('POST', '/v3/connect/custom', {
    body: { provider: 'virtual-calendar', settings: { email: 'series' } },
  })
  virtual = accountOf(call, { grantId: made.body.data.id, email: 'series' })
  calendars = {
    google: calendar.addCalendar({ summary: 'Series' }).id,
    virtual: (await virtual.createCalendar({ timezone: 'UTC' })).id,
  }
})

afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await peer?.[Symbol.asyncDispose]()
})

const window = { start: at('2026-01-01T00:00'), end: at('2028-01-01T00:00'), limit: 200 }

/** The visible occurrences of a series, in order. */
async function seen(account: Account, calendarId: string, id: string): Promise<Json[]> {
  return (await occurrences(account, calendarId, id))
    .map(({ title, location, when, participants }) => ({
      title,
      location,
      from: when.start_time ?? when.start_date ?? when.date,
      to: when.end_time ?? when.end_date ?? when.date,
      guests: participants.map((guest: Json) => guest.email).sort(),
    }))
    .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : `${a.title}` < `${b.title}` ? -1 : 1))
}

const both = () => [
  { account: google, calendarId: calendars.google },
  { account: virtual, calendarId: calendars.virtual },
]

async function occurrences(account: Account, calendarId: string, id: string): Promise<Json[]> {
  const found = await account.listAll(calendarId, { ...window, expand_recurring: true, master_event_id: id })
  return found.sort(
    (a, b) => (a.when.start_time ?? at(`${a.when.date}T00:00`)) - (b.when.start_time ?? at(`${b.when.date}T00:00`)),
  )
}

interface Edit {
  pick: number
  kind: 'delete' | 'title' | 'place' | 'later' | 'guests'
}

async function edit(account: Account, calendarId: string, occurrence: Json, { kind, pick }: Edit): Promise<void> {
  const path = `/events/${occurrence.id}`
  const query = { calendar_id: calendarId, notify_participants: false }
  if (kind === 'delete') {
    expectStatus(await account.delete(path, query), 200)
    return
  }
  const later = (when: Json) => ({ ...when, start_time: when.start_time + 1800, end_time: when.end_time + 2400 })
  const change = {
    title: { title: `Changed ${pick}` },
    place: { location: `Place ${pick}`, title: `Moved ${pick}` },
    guests: { participants: [{ email: `guest${pick}@example.org` }] },
    later: occurrence.when.object === 'timespan' ? { when: later(occurrence.when) } : { location: 'Elsewhere' },
  }[kind]
  expectStatus(await account.put(path, change, query), 200)
}

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'] as const
const rules = [
  'FREQ=DAILY;COUNT=9',
  'FREQ=DAILY;INTERVAL=2;UNTIL=20260428T220000Z',
  'FREQ=WEEKLY;COUNT=6',
  'FREQ=WEEKLY;UNTIL=20260520T140000Z',
  'FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=10',
  'FREQ=MONTHLY;COUNT=5',
] as const

const time = fc.record({ hour: fc.integer({ min: 6, max: 20 }), minutes: fc.constantFrom(30, 60, 90) })
const move = fc.record({
  days: fc.constantFrom(0, 0, 0, 1, 2, 7),
  time,
  zone: fc.option(fc.constantFrom(...zones)),
  title: fc.boolean(),
  /** Whether the lines are sent back as they were read. */
  withLines: fc.boolean(),
})
const scenario = fc.record({
  rule: fc.constantFrom(...rules),
  allDay: fc.constantFrom(false, false, false, true),
  zone: fc.constantFrom(...zones),
  time,
  edits: fc.uniqueArray(
    fc.record({
      pick: fc.integer({ min: 0, max: 8 }),
      kind: fc.constantFrom<Edit['kind']>('delete', 'title', 'place', 'later', 'guests'),
    }),
    { selector: ({ pick }) => pick, minLength: 1, maxLength: 4 },
  ),
  moves: fc.array(move, { minLength: 1, maxLength: 3 }),
})

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never

const day = (days: number): string => Temporal.PlainDate.from('2026-04-06').add({ days }).toString()

function whenOf({ allDay, zone: first }: Scenario, moves: readonly Json[], own: Scenario['time']): Json {
  const days = moves.reduce((sum, one) => sum + one.days, 0)
  if (allDay) return { date: day(days) }
  const zone = moves.reduce((last, one) => one.zone ?? last, first)
  return span(`${day(days)}T${String(own.hour).padStart(2, '0')}:00`, own.minutes, zone)
}

/** Runs the same steps on both calendars, and returns what is visible after each. */
async function play(
  given: Scenario,
  { account, calendarId }: { account: Account; calendarId: string },
): Promise<Json[]> {
  const rule = given.allDay ? given.rule.replace(/UNTIL=(\d+)T\w+/, 'UNTIL=$1') : given.rule
  const when = whenOf(given, [], given.time)
  const series = await account.create(calendarId, { title: 'Series', when, recurrence: [`RRULE:${rule}`] })
  const all = await occurrences(account, calendarId, series.id)
  for (const one of given.edits) {
    const occurrence = all[one.pick]
    if (occurrence) await edit(account, calendarId, occurrence, one)
  }
  const steps: Json[] = [await seen(account, calendarId, series.id)]
  for (const [index, one] of given.moves.entries()) {
    const { recurrence } = await account.read(calendarId, series.id)
    const change = {
      when: whenOf(given, given.moves.slice(0, index + 1), one.time),
      ...(one.title ? { title: `Series ${index}` } : {}),
      ...(one.withLines ? { recurrence } : {}),
    }
    const answer = await account.put(`/events/${series.id}`, change, { calendar_id: calendarId })
    // Virtual calendars refuse a start outside its rule; Google decides for itself.
    if (answer.status === 400) return [...steps, 'refused']
    expectStatus(answer, 200)
    steps.push(await seen(account, calendarId, series.id))
  }
  return steps
}

test('random series that are moved look the same at Google and on virtual calendars', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const [atGoogle, onVirtual] = both()
      if (!atGoogle || !onVirtual) return
      const wanted = await play(given, onVirtual)
      const found = await play(given, atGoogle)
      const refused = wanted.indexOf('refused')
      const upTo = refused < 0 ? wanted.length : refused
      expect(found.slice(0, upTo)).toEqual(wanted.slice(0, upTo))
    }),
    { numRuns: runs(12), endOnFailure: true },
  )
})

const weekly = { title: 'Weekly', when: span('2026-09-07T09:00'), recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] }

/** Google fails every batch until the repeated request succeeds. */
async function moveInSteps(id: string, between: () => Promise<void> = async () => {}): Promise<number> {
  peer.simulator.fail({ path: /^\/batch\/calendar/, times: 4 }, { status: 503, reason: 'backendError' })
  for (let failures = 0; failures < 5; failures += 1) {
    const change = { when: span('2026-09-07T10:00') }
    const { status } = await google.put(`/events/${id}`, change, { calendar_id: calendars.google })
    if (status === 200) return failures
    expect(status).toBe(504)
    await between()
  }
  throw new Error('it never got through')
}

const ofSimulator = () => peer.simulator.account('ada@example.com').calendar

test('a move that is interrupted after its first step is finished by the repeated request', async () => {
  const series = await google.create(calendars.google, weekly)
  const [first, second, third] = await occurrences(google, calendars.google, series.id)
  await edit(google, calendars.google, first, { pick: 0, kind: 'delete' })
  await edit(google, calendars.google, second, { pick: 1, kind: 'title' })
  await edit(google, calendars.google, third, { pick: 2, kind: 'guests' })
  expect(await moveInSteps(series.id)).toBeGreaterThan(0)
  const after = await seen(google, calendars.google, series.id)
  expect(after.map(({ title, from, guests }) => [title, from, guests])).toEqual([
    ['Changed 1', at('2026-09-14T10:00'), []],
    ['Weekly', at('2026-09-21T10:00'), ['guest2@example.org']],
    ['Weekly', at('2026-09-28T10:00'), []],
  ])
  const retained = JSON.stringify(ofSimulator().event(series.id, calendars.google))
  expect(retained).not.toContain('waypost-move')
})

/** Changes a series like a process that ends after this many responses of Google. Returns whether it finished. */
async function changeUntil(calls: number, id: string, change: EventChange): Promise<boolean> {
  const { sessions } = service.services.accounts
  const { database } = service.services.storage
  const end = new AbortController()
  let answered = 0
  const stop = peer.simulator.observe(() => {
    if (++answered === calls) end.abort(new Error('the process ended'))
  })
  const record = await sessions.find(applicationId, { by: 'id', value: google.grantId })
  const use = { queries: database, signal: () => end.signal, responseHeaders: {} }
  const update = sessions.operation(record, { resource: 'events', operation: 'update' }, use)
  try {
    await update({ event_id: id, calendar_id: calendars.google }, change)
    return true
  } catch (error) {
    if (!end.signal.aborted) throw error
    return false
  } finally {
    stop()
  }
}

test('a move that is interrupted between any two calls is finished by the repeated request', async () => {
  const change = { when: span('2026-09-07T10:00'), title: 'Moved' }
  let isWhole = false
  let calls = 1
  for (; !isWhole; calls += 1) {
    const series = await google.create(calendars.google, weekly)
    const [first, second, third] = await occurrences(google, calendars.google, series.id)
    await edit(google, calendars.google, first, { pick: 0, kind: 'delete' })
    await edit(google, calendars.google, second, { pick: 1, kind: 'title' })
    await edit(google, calendars.google, third, { pick: 2, kind: 'guests' })
    isWhole = await changeUntil(calls, series.id, change)
    await google.change(calendars.google, series.id, change)
    const after = await seen(google, calendars.google, series.id)
    expect(after.map(({ title, from, guests }) => [title, from, guests])).toEqual([
      ['Changed 1', at('2026-09-14T10:00'), []],
      ['Moved', at('2026-09-21T10:00'), ['guest2@example.org']],
      ['Moved', at('2026-09-28T10:00'), []],
    ])
    expect(JSON.stringify(ofSimulator().event(series.id, calendars.google))).not.toContain('waypost-move')
    await google.delete(`/events/${series.id}`, { calendar_id: calendars.google })
  }
  // The series and its exceptions read, the series written, places found, occurrences written, the journal cleared.
  expect(calls).toBeGreaterThan(6)
})

test('a change before an interrupted move is finished is preserved', async () => {
  const series = await google.create(calendars.google, weekly)
  const [first, second] = await occurrences(google, calendars.google, series.id)
  await edit(google, calendars.google, first, { pick: 0, kind: 'title' })
  await edit(google, calendars.google, second, { pick: 1, kind: 'title' })
  let left = true
  const failures = await moveInSteps(series.id, async () => {
    if (!left) return
    left = false
    const newer = { title: 'Newer', when: span('2026-09-14T11:00') }
    await google.change(calendars.google, `${series.id}_20260914T100000Z`, newer)
  })
  expect(failures).toBeGreaterThan(0)
  const titles = (await seen(google, calendars.google, series.id)).map(({ title }) => title)
  expect(titles).toEqual(['Changed 0', 'Newer', 'Weekly', 'Weekly'])
  // A change of one occurrence does not finish the move of the series.
  const requested = peer.simulator.calls.map(({ path }) => path).filter((path) => path.endsWith('/instances'))
  expect(requested.filter((path) => path.includes(`${series.id}_`))).toEqual([])
})

test('a series with an unsupported rule is not moved, and stays unchanged', async () => {
  const time = (hour: string) => ({ dateTime: `2026-09-07T${hour}:00:00Z`, timeZone: 'UTC' })
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=5', 'EXRULE:FREQ=DAILY;INTERVAL=2;COUNT=2']
  const body = { summary: 'Odd', start: time('09'), end: time('10'), recurrence }
  const { id } = ofSimulator().addEvent(body, calendars.google)
  const change = { when: span('2026-09-07T12:00') }
  const answer = await google.put(`/events/${id}`, change, { calendar_id: calendars.google })
  expectRefusal(answer, /this series cannot be moved.*EXRULE/)
  expect(ofSimulator().event(id, calendars.google)).toMatchObject({ recurrence, sequence: 0 })
})
