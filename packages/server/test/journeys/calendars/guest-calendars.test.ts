/**
 * The calendars of guests who get only mail. After every change of random sequences, the calendar of each guest shows
 * the events that the API returns with this guest. No guest gets a mail without news.
 */

import { oneEngineFor } from '@waypost/testing/engines'
import { runs } from '@waypost/testing/level'
import { testClock } from '@waypost/testing/test-clock'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeExpired } from '../../../src/housekeeping.ts'
import { doJobs } from '../../../src/node.ts'
import type { SystemMail, SystemMessage } from '../../../src/sending/system-mail.ts'
import { accountOf, at, expectStatus, type Fields, type Json } from '../../conformance/accounts.ts'
import { openService, type TestService } from '../../harness.ts'
import { GuestCalendar, type Shown } from './guest-calendar.ts'

const people = ['ann@x.test', 'bob@x.test', 'cleo@x.test'] as const
const from = at('2026-05-01T00:00')
const to = at('2026-09-01T00:00')

/** One change; numbers select among the available items. */
type Step =
  | { do: 'create'; zone: string | undefined; rule: string | undefined; guests: number; hidden: boolean }
  | { do: 'guests'; guests: number }
  | { do: 'move'; minutes: number }
  | { do: 'retitle' }
  | { do: 'relocate' }
  | { do: 'delete' }
  | { do: 'delete calendar' }
  | { do: 'rule'; rule: string }
  | { do: 'exclude'; slot: number }
  | { do: 'occurrence guests'; slot: number; guests: number }
  | { do: 'occurrence move'; slot: number; minutes: number }
  | { do: 'occurrence retitle' | 'occurrence delete'; slot: number }

const rules = ['FREQ=DAILY;COUNT=5', 'FREQ=WEEKLY', 'FREQ=WEEKLY;COUNT=4', 'FREQ=WEEKLY;UNTIL=20260625T000000Z']
const slot = fc.nat(5)
const guests = fc.nat(7)
const minutes = fc.constantFrom(60, -60, 30, 1440)
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('guests' as const), guests }),
    fc.record({ do: fc.constant('move' as const), minutes }),
    fc.record({ do: fc.constantFrom('retitle' as const, 'relocate' as const) }),
    fc.record({ do: fc.constant('rule' as const), rule: fc.constantFrom(...rules) }),
    fc.record({ do: fc.constant('exclude' as const), slot }),
    fc.record({ do: fc.constant('occurrence guests' as const), slot, guests }),
    fc.record({ do: fc.constant('occurrence move' as const), slot, minutes }),
    fc.record({ do: fc.constantFrom('occurrence retitle' as const, 'occurrence delete' as const), slot }),
  ),
  { minLength: 3, maxLength: 12 },
)
const beginning: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('create' as const),
  zone: fc.constantFrom(undefined, 'America/New_York', 'days'),
  rule: fc.constantFrom(undefined, ...rules, ...rules),
  guests: fc.integer({ min: 1, max: 7 }),
  hidden: fc.boolean(),
})
const ending: fc.Arbitrary<Step> = fc.record({ do: fc.constantFrom('delete' as const, 'delete calendar' as const) })

describe.each(oneEngineFor(import.meta.url))("the guests' calendars on %s", (engine) => {
  const clock = testClock(Date.parse('2026-05-20T12:00:00Z'))
  const outgoing: SystemMessage[] = []
  const mail: SystemMail = {
    address: 'calendar@waypost.test',
    send: async (message) => void outgoing.push(message),
    [Symbol.asyncDispose]: async () => undefined,
  }
  let service: TestService
  let key: string
  beforeAll(async () => {
    const env = { WAYPOST_MAIL_PER_DAY: '1000000', WAYPOST_RATE_LIMITS: 'false' }
    service = await openService({ engine, env, overrides: { clock, mail } })
    key = (await service.createApplication('Office')).key
  })
  afterAll(() => service[Symbol.asyncDispose]())

  let accounts = 0
  async function open(credential = key) {
    const email = `desk${++accounts}@x.test`
    const { id: grantId } = await service.createGrant(email, credential)
    const account = accountOf((method, path, rest) => service.call(method, path, { key: credential, ...rest }), {
      grantId,
      email,
    })
    await account.createCalendar()
    const { id: calendarId } = await account.createCalendar()
    return { account, calendarId, calendars: new Map(people.map((one) => [one as string, new GuestCalendar()])) }
  }
  type Opened = Awaited<ReturnType<typeof open>>

  const versionOf = (message: object): string => {
    const text = 'ics' in message ? String(message.ics) : ''
    const sequence = /^SEQUENCE:(\d+)/m.exec(text)?.[1] ?? ''
    return `${sequence.padStart(6, '0')} ${/^DTSTAMP:(\S+)/m.exec(text)?.[1]}`
  }

  /** Sends due mail, applies it to the guests' calendars, and returns the number of mails for each guest. */
  async function deliver({ calendars }: Opened): Promise<Map<string, number>> {
    const got = new Map<string, number>()
    await doJobs(service.services)
    // Mails are sent concurrently, and calendars ignore mail older than what they have. Sorting by version avoids
    // that.
    for (const message of outgoing.splice(0).toSorted((a, b) => versionOf(a).localeCompare(versionOf(b)))) {
      if (!('ics' in message)) throw new Error('a mail without an event')
      calendars.get(message.to)?.apply(message.ics)
      got.set(message.to, (got.get(message.to) ?? 0) + 1)
    }
    return got
  }

  async function compare({ account, calendarId, calendars }: Opened): Promise<void> {
    const answer = await account.get('/events', { calendar_id: calendarId, start: from, end: to, limit: 200 })
    const events: Json[] = answer.status === 404 ? [] : expectStatus(answer, 200).body.data
    for (const [email, calendar] of calendars) {
      const invited = events.filter(({ participants }) => participants.some((one: Json) => one.email === email))
      expect(calendar.shows(from, to), email).toEqual(invited.map(shown).sort(inOrder))
    }
  }

  const shown = ({ when, title, location }: Json): Shown => ({
    start: when.start_time ?? at(`${when.date}T00:00`, systemZone),
    end: when.end_time ?? at(`${when.date}T00:00`, systemZone) + 86_400,
    title,
    location: location ?? '',
  })
  const systemZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const inOrder = (a: Shown, b: Shown): number => a.start - b.start || a.title.localeCompare(b.title)

  const invited = (bits: number): Fields => ({
    participants: people.filter((_, index) => (bits >> index) & 1).map((email) => ({ email })),
  })
  let titles = 0
  const create = (opened: Opened, { zone, rule, hidden, guests: bits }: Extract<Step, { do: 'create' }>) => {
    const isDays = zone === 'days'
    const start = at('2026-06-01T10:00', isDays ? undefined : zone)
    const zones = zone && !isDays ? { start_timezone: zone, end_timezone: zone } : {}
    return opened.account.create(opened.calendarId, {
      title: `title ${++titles}`,
      hide_participants: hidden,
      when: isDays ? { date: '2026-06-01' } : { start_time: start, end_time: start + 3600, ...zones },
      ...(rule ? { recurrence: [`RRULE:${rule}`] } : {}),
      ...invited(bits),
    })
  }

  const later = (when: Json, by: number): Json =>
    when.object === 'date'
      ? {
          date: Temporal.PlainDate.from(when.date)
            .add({ days: Math.sign(by) })
            .toString(),
        }
      : { ...when, start_time: when.start_time + by * 60, end_time: when.end_time + by * 60 }

  /** Makes a change; a change that the API rejects is skipped. */
  async function take({ account, calendarId }: Opened, id: string, step: Step): Promise<void> {
    const query = { calendar_id: calendarId }
    const put = async (name: string, fields: Fields): Promise<void> => {
      const { status, body } = await account.put(`/events/${name}`, fields, query)
      expect([200, 400], JSON.stringify(body)).toContain(status)
    }
    if (step.do === 'delete') return void expectStatus(await account.delete(`/events/${id}`, query), 200)
    if (step.do === 'delete calendar') return void expectStatus(await account.delete(`/calendars/${calendarId}`), 200)
    const master = await account.read(calendarId, id)
    if (step.do === 'guests') return put(id, invited(step.guests))
    if (step.do === 'move') return put(id, { when: later(master.when, step.minutes) })
    if (step.do === 'retitle') return put(id, { title: `title ${++titles}` })
    if (step.do === 'relocate') return put(id, { location: `room ${++titles}` })
    if (!master.recurrence || step.do === 'create') return
    if (step.do === 'rule') {
      const others = master.recurrence.filter((line: string) => !line.startsWith('RRULE'))
      return put(id, { recurrence: [`RRULE:${step.rule}`, ...others] })
    }
    const all = await account.list(calendarId, { start: from, end: to, master_event_id: id, expand_recurring: true })
    const one = all[step.slot % Math.max(all.length, 1)]
    if (!one) return
    if (step.do === 'exclude') {
      const slotText = one.id.split('_').at(-1)
      const value = slotText.includes('T') ? `EXDATE:${slotText}` : `EXDATE;VALUE=DATE:${slotText}`
      return put(id, { recurrence: [...master.recurrence, value] })
    }
    if (step.do === 'occurrence guests') return put(one.id, invited(step.guests))
    if (step.do === 'occurrence move') return put(one.id, { when: later(one.when, step.minutes) })
    if (step.do === 'occurrence retitle') return put(one.id, { title: `title ${++titles}` })
    expectStatus(await account.delete(`/events/${one.id}`, query), 200)
  }

  test('show what the API returns, for any changes in any order', async () => {
    await fc.assert(
      fc.asyncProperty(beginning, steps, ending, async (first, between, last) => {
        const opened = await open()
        const { id } = await create(opened, first as Extract<Step, { do: 'create' }>)
        for (const [email, count] of await deliver(opened)) expect([email, count]).toEqual([email, 1])
        await compare(opened)
        for (const step of [...between, last]) {
          await take(opened, id, step)
          for (const [email, count] of await deliver(opened)) expect(count, email).toBeLessThanOrEqual(2)
          await compare(opened)
        }
        for (const calendar of opened.calendars.values()) expect(calendar.shows(from, to)).toEqual([])
      }),
      { numRuns: runs(engine === 'sqlite' ? 15 : 4) },
    )
  })

  describe('for a series with a guest of one occurrence', () => {
    const second = (id: string): string => `${id}_20260608T100000Z`
    /** A weekly series with ann, and with bob only at its second occurrence, which starts an hour later. */
    async function series() {
      const opened = await open()
      const { account, calendarId } = opened
      const rule = 'FREQ=WEEKLY;COUNT=4'
      const { id, when } = await create(opened, { do: 'create', zone: undefined, rule, guests: 1, hidden: false })
      const start = at('2026-06-08T11:00')
      const moved = { start_time: start, end_time: start + 3600 }
      await account.change(calendarId, second(id), { when: moved, ...invited(3) })
      await deliver(opened)
      await compare(opened)
      const change = (fields: Fields) => account.change(calendarId, id, fields)
      return { ...opened, id, when, change }
    }
    const reported = (opened: Opened) => deliver(opened).then((got) => Object.fromEntries(got))

    test('show a guest who is added later the changed occurrences too', async () => {
      const opened = await series()
      await opened.change(invited(5))
      // The changed occurrence has its own guests, and cleo is not one of them.
      expect(await reported(opened)).toEqual({ 'cleo@x.test': 1 })
      await compare(opened)
      await opened.account.change(opened.calendarId, second(opened.id), invited(7))
      expect(await reported(opened)).toEqual({ 'cleo@x.test': 1 })
      await compare(opened)
    })

    test.each<[string, (opened: Awaited<ReturnType<typeof series>>) => Promise<unknown>, number]>([
      ['is deleted', ({ account, calendarId, id }) => account.delete(`/events/${id}`, { calendar_id: calendarId }), 1],
      ['is cut short by COUNT', ({ change }) => change({ recurrence: ['RRULE:FREQ=WEEKLY;COUNT=1'] }), 1],
      [
        'is cut short by UNTIL',
        ({ change }) => change({ recurrence: ['RRULE:FREQ=WEEKLY;UNTIL=20260602T000000Z'] }),
        1,
      ],
      [
        'loses the slot',
        ({ change }) => change({ recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE:20260608T100000Z'] }),
        1,
      ],
      ['becomes a single event', ({ change }) => change({ recurrence: [] }), 1],
      ['gets another place', ({ change }) => change({ location: 'Room 9' }), 1],
      // The slot then has another name: the old one is cancelled, and the new one is sent.
      ['moves', ({ change, when }) => change({ when: later(when, 60) }), 2],
      ['goes with its calendar', ({ account, calendarId }) => account.delete(`/calendars/${calendarId}`), 1],
    ])('get one mail for both guests when it %s', async (_, work, mails) => {
      const opened = await series()
      await work(opened)
      expect(await reported(opened)).toEqual({ 'ann@x.test': 1, 'bob@x.test': mails })
      await compare(opened)
    })

    test('get no second mail for a guest who was removed from one occurrence', async () => {
      const opened = await series()
      const { account, calendarId, id, calendars } = opened
      await account.change(calendarId, second(id), invited(2))
      expect(await reported(opened)).toEqual({ 'ann@x.test': 1 })
      await opened.change({ title: 'Renamed' })
      expect(await reported(opened)).toEqual({ 'ann@x.test': 1, 'bob@x.test': 1 })
      await compare(opened)
      expect(calendars.get('ann@x.test')?.shows(from, to)).toHaveLength(3)
    })
  })

  test('get cancellations only of future events when a calendar is deleted', async () => {
    const opened = await open()
    const { account, calendarId } = opened
    const past = at('2026-05-02T10:00')
    const fields = { title: 'Past', ...invited(1) }
    await account.create(calendarId, { ...fields, when: { start_time: past, end_time: past + 3600 } })
    await account.create(calendarId, { when: { date: '2026-06-09' }, title: 'To come', ...invited(6) })
    await deliver(opened)
    const answer = expectStatus(await account.delete(`/calendars/${calendarId}`), 200)
    expect(answer.headers.get('x-waypost-mail')).toBe('queued: 2')
    expect(Object.fromEntries(await deliver(opened))).toEqual({ 'bob@x.test': 1, 'cleo@x.test': 1 })
  })

  test('get cancellations only of future events when an account is deleted, from all of its calendars', async () => {
    const opened = await open()
    const { account, calendarId } = opened
    await account.create('primary', { when: { date: '2026-05-02' }, title: 'Past', ...invited(1) })
    await account.create('primary', { when: { date: '2026-06-09' }, title: 'To come', ...invited(2) })
    await account.create(calendarId, { when: { date: '2026-06-09' }, title: 'To come', ...invited(6) })
    await deliver(opened)
    expectStatus(await service.call('DELETE', `/v3/grants/${account.grantId}`, { key }), 200)
    expect(Object.fromEntries(await deliver(opened))).toEqual({ 'bob@x.test': 2, 'cleo@x.test': 1 })
    expect(opened.calendars.get('bob@x.test')?.shows(from, to)).toEqual([])
  })

  test('get cancellations only of events still in the future when an account is deleted some time after its connector', async () => {
    const { key: own } = await service.createApplication('Closing')
    const opened = await open(own)
    const { account } = opened
    const soon = Math.floor(clock.now() / 1000) + 86_400
    await account.create('primary', { when: { start_time: soon, end_time: soon + 60 }, title: 'Soon', ...invited(1) })
    await account.create('primary', { when: { date: '2026-06-09' }, title: 'To come', ...invited(6) })
    await deliver(opened)
    expectStatus(await service.call('DELETE', '/v3/connectors/virtual-calendar', { key: own }), 200)
    expect(await deliver(opened)).toEqual(new Map())
    clock.advance(72 * 3_600_000)
    await purgeExpired(service.services)
    expect(Object.fromEntries(await deliver(opened))).toEqual({ 'bob@x.test': 1, 'cleo@x.test': 1 })
    await purgeExpired(service.services)
    expect(await deliver(opened)).toEqual(new Map())
  })
})
