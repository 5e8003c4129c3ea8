/** Single events of virtual accounts: times, lists and fields. Series are tested in series.test.ts. */

import { beatNode } from '@waypost/store/tables/applications/nodes'
import { enginesFor } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  at,
  expectRefusal,
  expectStatus,
  type Fields,
  ids,
  type Json,
  noon,
  openAccounts,
  pagesOf,
  type Query,
  span,
  type TestAccounts,
  titles,
} from '../../conformance/accounts.ts'

const hour = 3600
const day = 24 * hour

describe.each(enginesFor(import.meta.url))('events on %s', (engine) => {
  let accounts: TestAccounts
  let account: Account & { calendarId: string }
  beforeAll(async () => {
    accounts = await openAccounts({ engine })
    account = await accounts.newCalendarAccount()
  })
  afterAll(() => accounts[Symbol.asyncDispose]())

  const post = (fields: Fields, query: Query = {}) =>
    account.post('/events', fields, { calendar_id: account.calendarId, ...query })

  describe('when', () => {
    const zones = { start_timezone: null, end_timezone: null }
    const forms: [string, Fields, Fields][] = [
      ['a point in time', { time: noon }, { object: 'time', time: noon, timezone: null }],
      [
        'a point in a zone',
        { time: noon, timezone: 'Asia/Tokyo' },
        { object: 'time', time: noon, timezone: 'Asia/Tokyo' },
      ],
      [
        'a span',
        { start_time: noon, end_time: noon + hour },
        { object: 'timespan', start_time: noon, end_time: noon + hour, ...zones },
      ],
      [
        'a span between zones',
        { start_time: noon, end_time: noon + hour, start_timezone: 'Europe/Paris', end_timezone: 'America/New_York' },
        {
          object: 'timespan',
          start_time: noon,
          end_time: noon + hour,
          start_timezone: 'Europe/Paris',
          end_timezone: 'America/New_York',
        },
      ],
      ['a day', { date: '2026-06-03' }, { object: 'date', date: '2026-06-03' }],
      [
        'days, the last one included',
        { start_date: '2026-06-03', end_date: '2026-06-05' },
        { object: 'datespan', start_date: '2026-06-03', end_date: '2026-06-05' },
      ],
      [
        'days that are one',
        { start_date: '2026-06-03', end_date: '2026-06-03' },
        { object: 'date', date: '2026-06-03' },
      ],
      [
        'a day, whose zone is dropped',
        { date: '2026-06-03', timezone: 'Asia/Tokyo' },
        { object: 'date', date: '2026-06-03' },
      ],
      [
        'a span beside members that are null',
        { object: null, time: null, date: null, start_time: noon, end_time: noon + hour, start_date: null },
        { object: 'timespan', start_time: noon, end_time: noon + hour, ...zones },
      ],
      [
        'zones by their Windows and old names',
        {
          start_time: noon,
          end_time: noon + 1,
          start_timezone: 'Eastern Standard Time',
          end_timezone: 'america/new_york',
        },
        {
          object: 'timespan',
          start_time: noon,
          end_time: noon + 1,
          start_timezone: 'America/New_York',
          end_timezone: 'America/New_York',
        },
      ],
    ]

    test.each(forms)('%s is returned with its form named', async (_, given, expected) => {
      const made = await account.create(account.calendarId, { when: given })
      expect(made.when).toEqual(expected)
      expect((await account.read(account.calendarId, made.id)).when).toEqual(expected)
      const object = given.start_date ? 'datespan' : expected.object
      expect((await account.create(account.calendarId, { when: { ...given, object } })).when).toEqual(expected)
    })

    const wrong: [string, unknown, RegExp][] = [
      ['nothing', {}, /exactly one of/],
      ['two forms', { time: noon, date: '2026-06-03' }, /exactly one of/],
      ['a span and a point', { time: noon, start_time: noon, end_time: noon + 1 }, /exactly one of/],
      ['half a span', { start_time: noon }, /exactly one of/],
      ['half of some days', { end_date: '2026-06-03' }, /exactly one of/],
      ['a span mixed of time and date', { start_time: noon, end_date: '2026-06-03' }, /exactly one of/],
      ['another form than it says', { object: 'date', time: noon }, /object/],
      ['an unknown form', { object: 'moment', time: noon }, /object/],
      ['one zone of two', { start_time: noon, end_time: noon + 1, start_timezone: 'Europe/Paris' }, /both or neither/],
      [
        'the other zone of two',
        { start_time: noon, end_time: noon + 1, end_timezone: 'Europe/Paris' },
        /both or neither/,
      ],
      ['a zone that is none', { time: noon, timezone: 'Mars/Olympus' }, /timezone.*time zone/],
      ['a path for a zone', { time: noon, timezone: '../../etc/passwd' }, /timezone/],
      ['milliseconds', { time: noon * 1000 }, /time.*milliseconds/],
      ['milliseconds in a span', { start_time: noon * 1000, end_time: noon * 1000 + 1 }, /start_time.*milliseconds/],
      ['half seconds', { time: noon + 0.5 }, /time/],
      ['a text', { time: String(noon) }, /time/],
      ['an end before the start', { start_time: noon, end_time: noon - 1 }, /end_time.*after/],
      ['an end at the start', { start_time: noon, end_time: noon }, /end_time.*after/],
      ['a last day before the first', { start_date: '2026-06-03', end_date: '2026-06-02' }, /end_date.*before/],
      ['a day that does not exist', { date: '2026-02-30' }, /date/],
      ['a date that is none', { date: '3 June' }, /date/],
      ['no object', 'tomorrow', /when/],
      ['null', null, /when/],
    ]

    test.each(wrong)('%s is rejected', async (_, when, message) => {
      expectRefusal(await post({ when }), message)
      const { id } = await account.create(account.calendarId, { when: { time: noon } })
      if (when !== null) {
        expectRefusal(await account.put(`/events/${id}`, { when }, { calendar_id: account.calendarId }), message)
      }
    })

    test('is required on creation and optional in a change', async () => {
      expectRefusal(await post({ title: 'Whenever' }), /when/)
      const made = await account.create(account.calendarId, { when: { time: noon } })
      expect((await account.change(account.calendarId, made.id, { title: 'Then' })).when).toEqual(made.when)
    })

    test('can be any time from the first to the last that can be represented', async () => {
      for (const when of [{ time: -1 }, { time: 0 }, { time: 253_402_300_799 }, { date: '0001-01-02' }]) {
        expect((await account.create(account.calendarId, { when })).when).toMatchObject(when)
      }
      expectRefusal(await post({ when: { time: 253_402_300_800 } }), /milliseconds/)
    })
  })

  describe('the window of a list', () => {
    test('is one month from now by default', async () => {
      const { calendarId, ...own } = await accounts.newCalendarAccount()
      const now = Math.floor(accounts.clock.now() / 1000)
      const make = (title: string, from: number, to: number) =>
        own.create(calendarId, { title, when: { start_time: now + from, end_time: now + to } })
      await make('over', -2 * hour, 0)
      await make('still on', -2 * hour, 1)
      await make('next', hour, 2 * hour)
      await make('in 29 days', 29 * day, 29 * day + hour)
      await make('in a month', 30 * day, 30 * day + hour)
      await make('in two months', 60 * day, 61 * day)
      expect(titles(await own.list(calendarId))).toEqual(['still on', 'next', 'in 29 days'])
      accounts.clock.advance(2 * hour * 1000)
      // The end has moved too: the month is counted from now.
      expect(titles(await own.list(calendarId))).toEqual(['in 29 days', 'in a month'])
      expect(titles(await own.list(calendarId, { start: now - day }))).toHaveLength(5)
      expect(titles(await own.list(calendarId, { end: now + 29 * day }))).toEqual([])
    })

    test('is one month from a later start, and months are clamped', async () => {
      const { calendarId, ...own } = await accounts.newCalendarAccount()
      const days = ['2028-01-30', '2028-01-31', '2028-02-28', '2028-02-29', '2028-03-01']
      for (const date of days) await own.create(calendarId, { title: date, when: { time: at(`${date}T12:00`) } })
      const listed = await own.list(calendarId, { start: at('2028-01-31T00:00') })
      expect(titles(listed)).toEqual(['2028-01-31', '2028-02-28'])
    })

    test('is rejected if it ends before it starts', async () => {
      const { calendarId } = account
      const now = Math.floor(accounts.clock.now() / 1000)
      const get = (query: Query) => account.get('/events', { calendar_id: calendarId, ...query })
      expectRefusal(await get({ start: 2000, end: 1000 }), /end/)
      expectRefusal(await get({ end: now - 1 }), /end/)
      expectRefusal(await get({ start: 'yesterday' }), /start/)
      expectStatus(await get({ start: 1000, end: 1000 }), 200)
    })

    test('is rejected in milliseconds, and beyond the supported range', async () => {
      const names = ['start', 'end', 'updated_after', 'updated_before']
      for (const name of names) {
        const list = (value: number) => account.get('/events', { calendar_id: account.calendarId, [name]: value })
        expectRefusal(await list(noon * 1000), /milliseconds/)
        expectRefusal(await list(Number.MAX_SAFE_INTEGER), name)
        expectRefusal(await list(-Number.MAX_SAFE_INTEGER), name)
      }
      const far = { calendar_id: account.calendarId, start: 253_402_300_799 }
      expectStatus(await account.get('/events', far), 200)
      expectStatus(await account.get('/events', { ...far, start: -62_135_596_800, end: -62_135_596_800 }), 200)
    })

    test('contains overlapping events, and not those that only touch its edges', async () => {
      const { calendarId, ...own } = await accounts.newCalendarAccount()
      const [start, end] = [at('2026-07-01T10:00'), at('2026-07-01T12:00')]
      const make = (title: string, from: number, to: number) =>
        own.create(calendarId, { title, when: { start_time: from, end_time: to } })
      await make('ends at the start', start - hour, start)
      await make('ends after the start', start - hour, start + 1)
      await make('inside', start + 1, end - 1)
      await make('around', start - day, end + day)
      await make('starts before the end', end - 1, end + hour)
      await make('starts at the end', end, end + hour)
      const point = (title: string, time: number) => own.create(calendarId, { title, when: { time } })
      await point('a point before', start - 1)
      await point('a point at the start', start)
      await point('a point at the end', end)
      expect(titles(await own.list(calendarId, { start, end }))).toEqual([
        'around',
        'ends after the start',
        'a point at the start',
        'inside',
        'starts before the end',
      ])
      expect(titles(await own.list(calendarId, { start: String(start), end: String(end) }))).toHaveLength(5)
    })

    test('counts whole days in the time zone of the calendar', async () => {
      const { calendarId, ...own } = await accounts.newCalendarAccount({ timezone: 'Pacific/Auckland' })
      await own.create(calendarId, { title: 'day', when: { date: '2026-07-02' } })
      await own.create(calendarId, { title: 'days', when: { start_date: '2026-07-02', end_date: '2026-07-04' } })
      // Midnight in Auckland is noon of the day before in UTC.
      const window = (start: string, end: string) => own.list(calendarId, { start: at(start), end: at(end) })
      expect(titles(await window('2026-07-01T00:00', '2026-07-01T12:00'))).toEqual([])
      expect(titles(await window('2026-07-01T11:00', '2026-07-01T12:01')).sort()).toEqual(['day', 'days'])
      expect(titles(await window('2026-07-02T11:59', '2026-07-02T12:01')).sort()).toEqual(['day', 'days'])
      expect(titles(await window('2026-07-02T12:00', '2026-07-02T12:01'))).toEqual(['days'])
      expect(titles(await window('2026-07-04T11:59', '2026-07-04T12:30'))).toEqual(['days'])
      expect(titles(await window('2026-07-04T12:00', '2026-07-05T12:30'))).toEqual([])
    })
  })

  describe('pages', () => {
    const start = at('2026-08-01T00:00')
    const window = { start, end: start + 20 * day }
    /** Twelve events, one a day at noon; two of them at the same time. */
    async function fill(): Promise<Account & { calendarId: string; made: Json[] }> {
      const own = await accounts.newCalendarAccount()
      const made: Json[] = []
      for (let index = 0; index < 12; index += 1) {
        const time = start + Math.min(index, 10) * day + 12 * hour
        made.push(await own.create(own.calendarId, { title: `event ${index}`, when: { time } }))
      }
      return { ...own, made }
    }
    const page = async (own: Account & { calendarId: string }, query: Query) =>
      expectStatus(await own.get('/events', { calendar_id: own.calendarId, ...query }), 200).body

    test('of every size contain each event once, ordered by start', async () => {
      const { made, ...own } = await fill()
      const whole = await own.list(own.calendarId, window)
      expect(ids(whole).sort()).toEqual(ids(made).sort())
      const key = (event: Json): string => `${event.when.time} ${event.id}`
      expect(whole.map(key)).toEqual(whole.map(key).sort())
      for (const limit of [1, 3, 4, 11, 12, 13]) {
        const pages = await pagesOf(own, '/events', { calendar_id: own.calendarId, ...window, limit })
        expect(ids(pages.flat())).toEqual(ids(whole))
        expect(pages).toHaveLength(Math.ceil(12 / limit))
      }
      expect(ids(await own.listAll(own.calendarId, { ...window, order_by: 'start', limit: 5 }))).toEqual(ids(whole))
      expectRefusal(await own.get('/events', { calendar_id: own.calendarId, order_by: 'title' }), /order_by/)
    })

    test('have 1 to 200 events', async () => {
      const { calendarId, ...own } = await accounts.newCalendarAccount()
      await own.create(calendarId, { when: { time: start }, recurrence: ['RRULE:FREQ=DAILY;COUNT=201'] })
      const query = { calendar_id: calendarId, start, end: start + 300 * day }
      expect((await pagesOf(own, '/events', { ...query, limit: 500 })).map(({ length }) => length)).toEqual([200, 1])
      expect((await own.get('/events', query)).body.data).toHaveLength(50)
      for (const limit of [0, -5, 'all']) expectRefusal(await own.get('/events', { ...query, limit }), /limit/)
    })

    test('use the window of the first page while time passes', async () => {
      const own = await accounts.newCalendarAccount()
      const now = Math.floor(accounts.clock.now() / 1000)
      const make = (title: string, time: number) => own.create(own.calendarId, { title, when: { time } })
      await make('soon', now + hour)
      await make('then', now + 2 * hour)
      await make('later', now + 3 * hour)
      await make('after a month', now + 31 * day)
      const first = await page(own, { limit: 1 })
      accounts.clock.advance(10 * day * 1000)
      const second = await page(own, { limit: 1, page_token: first.next_cursor })
      const third = await page(own, { limit: 1, page_token: second.next_cursor })
      expect(titles([...first.data, ...second.data, ...third.data])).toEqual(['soon', 'then', 'later'])
      expect(third.next_cursor).toBeUndefined()
      expect(titles((await page(own, {})).data)).toEqual(['after a month'])
    })

    test('neither repeat nor omit an event when others are created, deleted and moved between them', async () => {
      const { made, ...own } = await fill()
      const first = await page(own, { ...window, limit: 4 })
      expect(titles(first.data)).toEqual(['event 0', 'event 1', 'event 2', 'event 3'])
      // Events of past pages are deleted, moved back and added; the same for events of later pages.
      await own.delete(`/events/${made[0].id}`)
      await own.delete(`/events/${made[3].id}`)
      await own.change(own.calendarId, made[2].id, { when: { time: start } })
      await own.create(own.calendarId, { title: 'new before', when: { time: start + hour } })
      await own.delete(`/events/${made[5].id}`)
      await own.change(own.calendarId, made[6].id, { when: { time: start + 15 * day } })
      await own.create(own.calendarId, { title: 'new after', when: { time: start + 7 * day } })
      const rest: Json[] = []
      for (let token = first.next_cursor; token !== undefined; ) {
        const next = await page(own, { ...window, limit: 2, page_token: token })
        rest.push(...next.data)
        token = next.next_cursor
      }
      const last = rest.pop()
      expect(last.title).toBe('event 6')
      expect(titles(rest).slice(0, 5)).toEqual(['event 4', 'new after', 'event 7', 'event 8', 'event 9'])
      expect(titles(rest).slice(5).sort()).toEqual(['event 10', 'event 11'])
    })

    test('belong to one list: the cursor is rejected with other filters, calendars or accounts', async () => {
      const { made, ...own } = await fill()
      const { next_cursor } = await page(own, { ...window, limit: 4 })
      const get = (query: Query) =>
        own.get('/events', { calendar_id: own.calendarId, page_token: next_cursor, ...query })
      expectRefusal(await get({ ...window, title: 'event' }), /page_token/)
      expectRefusal(await get({ ...window, end: window.end + 1 }), /page_token/)
      expectRefusal(await get({}), /page_token/)
      expectRefusal(await get({ ...window, calendar_id: 'primary' }), /page_token/)
      const other = await accounts.newCalendarAccount()
      const query = { ...window, page_token: next_cursor }
      expectRefusal(await other.get('/events', { calendar_id: other.calendarId, ...query }), /page_token/)
      const selected = expectStatus(await get({ ...window, limit: 2, select: 'id' }), 200)
      expect(selected.body.data).toEqual([{ id: made[4].id }, { id: made[5].id }])
    })
  })

  describe('filters', () => {
    let own: Account & { calendarId: string }
    const window = { start: at('2026-09-01T00:00'), end: at('2026-09-30T00:00') }
    const find = async (query: Query): Promise<string[]> =>
      titles(await own.list(own.calendarId, { ...window, ...query }))
    const get = (query: Query) => own.get('/events', { calendar_id: own.calendarId, ...query })
    beforeAll(async () => {
      own = await accounts.newCalendarAccount()
      const make = (index: number, fields: Fields) =>
        own.create(own.calendarId, { when: { time: at(`2026-09-${String(index).padStart(2, '0')}T12:00`) }, ...fields })
      const guests = (...names: string[]) => ({ participants: names.map((name) => ({ email: `${name}@x.test` })) })
      await make(1, { title: 'Company March Meeting', location: 'Room 7', ...guests('ann', 'Bob') })
      await make(2, { title: 'abcMarch123', description: 'the big plan', ...guests('ann') })
      await make(3, { title: 'march!', busy: false, ...guests('bob', 'cleo') })
      await make(4, { title: 'Prüfung', description: 'THE PLAN, in full', location: 'Room 77' })
    })

    test('find whole words of titles, descriptions and locations, ignoring case', async () => {
      expect(await find({ title: 'march' })).toEqual(['Company March Meeting', 'march!'])
      expect(await find({ title: 'MARCH meeting' })).toEqual(['Company March Meeting'])
      expect(await find({ title: 'abcmarch123' })).toEqual(['abcMarch123'])
      expect(await find({ title: 'prüfung' })).toEqual(['Prüfung'])
      expect(await find({ title: 'Pr' })).toEqual([])
      expect(await find({ description: 'plan' })).toEqual(['abcMarch123', 'Prüfung'])
      expect(await find({ location: 'room 7' })).toEqual(['Company March Meeting'])
      expect(await find({ title: 'march', location: 'room 77' })).toEqual([])
      expect(await find({ title: '%' })).toEqual([])
    })

    test('find busy and free events', async () => {
      expect(await find({ busy: false })).toEqual(['march!'])
      expect(await find({ busy: 'true' })).toHaveLength(3)
      expectRefusal(await get({ ...window, busy: 'maybe' }), /busy/)
    })

    test('find the events with all the attendees, given as one list or as repeated parameters', async () => {
      const repeated = async (...emails: string[]): Promise<string[]> => {
        const names = emails.map((email) => `attendees=${encodeURIComponent(email)}`).join('&')
        const path = `/events?calendar_id=${own.calendarId}&start=${window.start}&end=${window.end}&${names}`
        return titles(expectStatus(await own.get(path), 200).body.data)
      }
      expect(await find({ attendees: 'ann@x.test' })).toEqual(['Company March Meeting', 'abcMarch123'])
      expect(await find({ attendees: 'ANN@x.test,bob@X.test' })).toEqual(['Company March Meeting'])
      expect(await repeated('ann@x.test', 'bob@x.test')).toEqual(['Company March Meeting'])
      expect(await repeated('bob@x.test', 'ann@x.test')).toEqual(['Company March Meeting'])
      expect(await repeated('bob@x.test')).toEqual(['Company March Meeting', 'march!'])
      expect(await repeated('ann@x.test', 'nobody@x.test')).toEqual([])
    })

    test('return the same events page by page as at once', async () => {
      const listed = await own.listAll(own.calendarId, { ...window, title: 'march', limit: 1 })
      expect(titles(listed)).toEqual(['Company March Meeting', 'march!'])
    })

    test('by update time exclude the time itself', async () => {
      const later = await accounts.newCalendarAccount()
      const first = await later.create(later.calendarId, { title: 'first', when: { time: window.start } })
      accounts.clock.advance(5000)
      await later.create(later.calendarId, { title: 'second', when: { time: window.start } })
      const list = async (query: Query) => titles(await later.list(later.calendarId, { ...window, ...query }))
      expect(await list({ updated_after: first.updated_at })).toEqual(['second'])
      expect(await list({ updated_after: first.updated_at - 1 })).toHaveLength(2)
      expect(await list({ updated_before: first.updated_at + 1 })).toEqual(['first'])
      expect(await list({ updated_before: first.updated_at })).toEqual([])
    })

    test('by ical_uid cannot be combined with others', async () => {
      const [event] = await own.list(own.calendarId, window)
      expect(ids((await get({ ical_uid: event.ical_uid })).body.data)).toEqual([event.id])
      expect((await get({ ical_uid: 'unknown@x.test' })).body.data).toEqual([])
      expect((await get({ ical_uid: event.ical_uid, limit: 10, select: 'id' })).body.data).toEqual([{ id: event.id }])
      const others: Query[] = [
        { title: 'march' },
        { start: window.start },
        { end: window.end },
        { busy: true },
        { attendees: 'ann@x.test' },
        { expand_recurring: true },
        { master_event_id: event.id },
        { metadata_pair: 'key1:x' },
        { show_cancelled: true },
        { updated_after: 1 },
      ]
      for (const other of others) {
        expectRefusal(await get({ ical_uid: event.ical_uid, ...other }), new RegExp(Object.keys(other).join()))
      }
    })

    test('require a calendar', async () => {
      expectRefusal(await own.get('/events', window), /calendar_id/)
      expectRefusal(await own.get('/events', { ...window, calendar_id: '' }), /calendar_id/)
      expectStatus(await own.get('/events', { ...window, calendar_id: 'unknown' }), 404)
    })
  })

  describe('metadata', () => {
    test('finds events by key1 to key5, at all times and without other filters', async () => {
      const own = await accounts.newCalendarAccount()
      const made = []
      for (const year of [2001, 2026, 2040]) {
        made.push(
          await own.create(own.calendarId, {
            when: { time: at(`${year}-01-01T12:00`) },
            metadata: { key1: 'red', key5: String(year), note: 'x' },
          }),
        )
      }
      const get = (query: Query) => own.get('/events', { calendar_id: own.calendarId, ...query })
      const find = async (query: Query) => ids(expectStatus(await get(query), 200).body.data)
      expect(await find({ metadata_pair: 'key1:red' })).toEqual(ids(made))
      expect(await find({ metadata_pair: 'key1:red,key5:2040' })).toEqual([made[2].id])
      expect(await find({ metadata_pair: 'key1:blue' })).toEqual([])
      expect(ids(await own.listAll(own.calendarId, { metadata_pair: 'key1:red', limit: 1 }))).toEqual(ids(made))
      const others: Query[] = [
        { title: 'march' },
        { description: 'x' },
        { location: 'x' },
        { busy: true },
        { attendees: 'ann@x.test' },
        { expand_recurring: false },
        { show_cancelled: false },
        { ical_uid: 'x' },
        { start: 1000 },
        { end: 2000 },
        { updated_after: 1 },
        { updated_before: noon * 2 },
        { master_event_id: 'x' },
      ]
      for (const other of others) {
        expectRefusal(await get({ metadata_pair: 'key1:red', ...other }), new RegExp(Object.keys(other).join()))
      }
      expectRefusal(await get({ metadata_pair: 'note:x' }), /metadata_pair/)
      expectRefusal(await get({ metadata_pair: 'key1' }), /must have the form key1:value/)
    })

    test('is replaced as a whole, and kept by a change that does not contain it', async () => {
      const own = await accounts.newCalendarAccount()
      const { id } = await own.create(own.calendarId, { when: { time: noon }, metadata: { key1: 'a', other: 'b' } })
      const put = async (fields: Fields) => (await own.change(own.calendarId, id, fields)).metadata
      expect(await put({ title: 'x' })).toEqual({ key1: 'a', other: 'b' })
      expect(await put({ metadata: { other: 'c' } })).toEqual({ other: 'c' })
      expect(await own.list(own.calendarId, { metadata_pair: 'key1:a' })).toEqual([])
      expect(await put({ metadata: {} })).toEqual({})
    })
  })

  describe('an event', () => {
    test('has every field that clients rely on', async () => {
      const own = await accounts.newCalendarAccount()
      const now = Math.floor(accounts.clock.now() / 1000)
      const made = await own.create('primary', {
        title: 'Interview',
        when: span('2026-06-25T09:00', 30),
        calendar_id: 'another',
        status: 'cancelled',
        object: 'event',
      })
      expect(made).toEqual({
        id: expect.any(String),
        object: 'event',
        grant_id: own.grantId,
        calendar_id: own.calendarId,
        title: 'Interview',
        description: null,
        text_description: null,
        location: null,
        when: {
          object: 'timespan',
          start_time: at('2026-06-25T09:00'),
          end_time: at('2026-06-25T09:30'),
          start_timezone: null,
          end_timezone: null,
        },
        busy: true,
        status: 'confirmed',
        hide_participants: false,
        participants: [],
        resources: [],
        organizer: { name: null, email: own.email },
        ical_uid: expect.stringMatching(/^.+@.+$/),
        sequence: 0,
        read_only: false,
        metadata: {},
        created_at: now,
        updated_at: now,
      })
      expect(await own.read('primary', made.id)).toEqual(made)
      expect(await own.read(own.email, made.id)).toEqual(made)
      expect((await own.get(`/events/${made.id}`)).body.data).toEqual(made)
      expect(await own.list('primary')).toEqual([made])
    })

    test('keeps the fields that a change does not contain; lists and objects are replaced, and null clears', async () => {
      const own = await accounts.newCalendarAccount()
      const { id } = await own.create(own.calendarId, {
        title: 'A',
        description: 'B',
        location: 'C',
        busy: false,
        visibility: 'private',
        capacity: 5,
        when: { time: noon },
        participants: [{ email: 'ann@x.test', name: 'Ann' }, { email: 'bob@x.test' }],
        resources: [{ email: 'room@x.test', name: 'Room' }],
        conferencing: { provider: 'Zoom Meeting', details: { url: 'https://zoom.test/1', meeting_code: '1' } },
      })
      accounts.clock.advance(1000)
      const put = (fields: Fields) => own.change(own.calendarId, id, fields)
      expect(await put({ title: 'A2' })).toMatchObject({ title: 'A2', description: 'B', busy: false, capacity: 5 })
      expect(await put({ description: null, location: '' })).toMatchObject({ description: null, location: null })
      expect((await put({ participants: [{ email: 'bob@x.test' }] })).participants).toHaveLength(1)
      expect((await put({ participants: [] })).participants).toEqual([])
      expect((await put({ resources: [] })).resources).toEqual([])
      const changed = { provider: 'Zoom Meeting', details: { url: 'https://zoom.test/2' } }
      expect((await put({ conferencing: changed })).conferencing).toEqual(changed)
      const last = await put({ conferencing: {}, busy: null, visibility: null })
      expect(last).not.toHaveProperty('conferencing')
      expect(last).not.toHaveProperty('visibility')
      expect(last).toMatchObject({ busy: true })
      expect(last.updated_at).toBeGreaterThan(last.created_at)
      expect(await own.read(own.calendarId, id)).toEqual(last)
    })

    test('has each guest once, without its owner, and every guest starts without an answer', async () => {
      const own = await accounts.newCalendarAccount()
      const guest = (email: string, rest: Fields = {}) => ({ email, ...rest })
      const made = await own.create(own.calendarId, {
        when: { time: noon },
        participants: [
          guest('Ann@x.test', { name: 'Ann', status: 'yes', comment: 'hi', phone_number: '+1' }),
          guest('ann@X.test', { name: 'Another Ann' }),
          guest(own.email.toUpperCase()),
          guest('bob@x.test'),
        ],
      })
      expect(made.participants).toEqual([
        { email: 'Ann@x.test', name: 'Ann', comment: 'hi', phone_number: '+1', status: 'noreply' },
        { email: 'bob@x.test', name: null, comment: null, phone_number: null, status: 'noreply' },
      ])
    })

    test('rejects unsupported fields by name', async () => {
      const when = { time: noon }
      const bad: [Fields, RegExp][] = [
        [{ title: 'x'.repeat(1025) }, /title/],
        [{ location: 'x'.repeat(256) }, /location/],
        [{ participants: [{ name: 'Nobody' }] }, /participants.*email/],
        [{ participants: [{ email: '  ' }] }, /participants.*email/],
        [{ participants: 'ann@x.test' }, /participants/],
        [{ visibility: 'default' }, /visibility/],
        [{ visibility: 'secret' }, /visibility/],
        [{ busy: 'yes' }, /busy/],
        [{ capacity: 0 }, /capacity/],
        [{ metadata: { a: { b: 'c' } } }, /metadata/],
        [{ reminders: { use_default: true, overrides: [{ reminder_minutes: 5 }] } }, /reminders/],
        [{ conferencing: { provider: 'Google Meet', autocreate: {} } }, /autocreate/],
        [{ conferencing: { provider: 'x', autocreate: {}, details: { url: 'https://x.test' } } }, /autocreate/],
        [{ conferencing: { provider: 'x', details: { url: 'javascript:alert(1)' } } }, /conferencing/],
        [{ conferencing: { details: { url: 'https://x.test' } } }, /provider/],
      ]
      for (const [fields, message] of bad) expectRefusal(await post({ when, ...fields }), message)
    })

    test('does not store reminders and colors, and says so', async () => {
      const answer = await post({ when: { time: noon }, reminders: { use_default: true }, color_id: '5', nonsense: 1 })
      expectStatus(answer, 200)
      expect(answer.body.data).not.toHaveProperty('reminders')
      expect(answer.headers.get('x-ignored-fields')).toBe('reminders, color_id, nonsense')
    })

    test('reports ignored fields by their path, at any depth', async () => {
      const guest = { email: 'ann@x.test', nickname: 'Annie', status: 'noreply' }
      const when = { start_time: noon, end_time: noon + 60, timezone: 'Europe/Berlin', colour: 1 }
      const conferencing = { provider: 'Zoom Meeting', details: { url: 'https://x.test', extra: 'kept' }, room: 3 }
      const made = await post({
        when,
        participants: [guest, { ...guest, email: 'bob@x.test', vip: true }],
        conferencing,
      })
      expectStatus(made, 200)
      expect(made.headers.get('x-ignored-fields')).toBe(
        'when.timezone, when.colour, participants.nickname, participants.vip, conferencing.room',
      )
      const path = `/events/${made.body.data.id}`
      const changed = await account.put(path, {
        when: { date: '2027-01-01', start_timezone: 'UTC' },
        metadata: { x: 'y' },
      })
      expect(changed.headers.get('x-ignored-fields')).toBe('when.start_timezone')
    })

    test('is deleted immediately and permanently', async () => {
      const own = await accounts.newCalendarAccount()
      const { id } = await own.create(own.calendarId, { when: { time: noon + day } })
      const at = { calendar_id: own.calendarId }
      expect(expectStatus(await own.delete(`/events/${id}`, at), 200).body).toEqual({ request_id: expect.any(String) })
      expectStatus(await own.delete(`/events/${id}`, at), 404)
      expectStatus(await own.get(`/events/${id}`, at), 404)
      expectStatus(await own.put(`/events/${id}`, { title: 'x' }, at), 404)
      expect(await own.list(own.calendarId, { show_cancelled: true })).toEqual([])
    })

    test('is found only in the calendar of the request', async () => {
      const own = await accounts.newCalendarAccount()
      const other = await own.createCalendar()
      const { id } = await own.create(other.id, { when: { time: noon } })
      expectStatus(await own.get(`/events/${id}`, { calendar_id: 'primary' }), 404)
      expectStatus(await own.put(`/events/${id}`, {}, { calendar_id: 'primary' }), 404)
      expectStatus(await own.delete(`/events/${id}`, { calendar_id: 'primary' }), 404)
      expectStatus(await own.delete(`/events/${id}`), 200)
    })

    test('is not found by malformed ids', async () => {
      for (const id of ['x', '%00', '%20', '..%2f..', 'a_20260101', 'a_20260101T000000Z', 'é', '%F0%9F%93%85']) {
        expectStatus(await account.get(`/events/${id}`, { calendar_id: account.calendarId }), 404)
      }
    })

    test('is changed the same way by PATCH and PUT', async () => {
      const { id } = await account.create(account.calendarId, { title: 'Old', location: 'Kept', when: { time: noon } })
      const answer = await accounts.call('PATCH', `/v3/grants/${account.grantId}/events/${id}`, {
        body: { title: 'x' },
      })
      expect(expectStatus(answer, 200).body.data).toMatchObject({ title: 'x', location: 'Kept' })
    })

    test('is returned in part with `select`', async () => {
      const made = await post({ title: 'T', when: { time: noon } }, { select: 'title,when,unknown' })
      expect(Object.keys(made.body.data).sort()).toEqual(['title', 'when'])
      const blanks = await post({ title: 'T', when: { time: noon } }, { select: ' title , when,' })
      expect(Object.keys(blanks.body.data).sort()).toEqual(['title', 'when'])
      const own = await accounts.newCalendarAccount()
      await own.create(own.calendarId, { title: 'T', when: { time: noon + 30 * day } })
      await own.create(own.calendarId, {
        title: 'S',
        when: { time: noon + 30 * day + 1 },
        recurrence: ['RRULE:FREQ=DAILY;COUNT=1'],
      })
      const query = { start: noon, end: noon + 60 * day, select: 'title' }
      expect(await own.list(own.calendarId, query)).toEqual([{ title: 'T' }, { title: 'S' }])
    })
  })

  describe('with an Idempotency-Key', () => {
    const create = (own: Account & { calendarId: string }, body: Fields, key: string, query: Query = {}) =>
      own.post('/events', body, { calendar_id: own.calendarId, ...query }, { 'idempotency-key': key })

    test('an event is created once, and a retry gets the first response', async () => {
      const own = await accounts.newCalendarAccount()
      const body = { title: 'Once', when: { time: noon + 40 * day } }
      const first = expectStatus(await create(own, body, 'one'), 200)
      accounts.clock.advance(5000)
      const second = expectStatus(await create(own, body, 'one'), 200)
      expect(second.body).toEqual(first.body)
      const third = expectStatus(await create(own, body, 'two'), 200)
      expect(third.body.data.id).not.toBe(first.body.data.id)
      const window = { start: noon, end: noon + 60 * day }
      expect(await own.list(own.calendarId, window)).toHaveLength(2)
    })

    test('an event is created once by many concurrent requests', async () => {
      const own = await accounts.newCalendarAccount()
      // The node that claims the key must be registered as alive.
      const { database } = accounts.service.services.storage
      const { node } = accounts.service.services.runtime
      await beatNode(database, node, accounts.clock.now())
      const body = { title: 'Once', when: { time: noon + 40 * day } }
      const answers = await Promise.all(Array.from({ length: 10 }, () => create(own, body, 'same')))
      const made = answers.filter(({ status }) => status === 200)
      expect(made.length).toBeGreaterThan(0)
      expect(new Set(made.map((answer) => answer.body.data.id)).size).toBe(1)
      expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
      expect(await own.list(own.calendarId, { start: noon, end: noon + 60 * day })).toHaveLength(1)
    })

    test('a different request is rejected', async () => {
      const own = await accounts.newCalendarAccount()
      expectStatus(await create(own, { title: 'One', when: { time: noon } }, 'key'), 200)
      const other = await create(own, { title: 'Two', when: { time: noon } }, 'key')
      expect(other.status).toBeGreaterThanOrEqual(400)
      expect(other.status).toBeLessThan(500)
    })
  })

  test('an event at a busy time is in the list, whatever its length and whoever changes the calendar meanwhile', async () => {
    const own = await accounts.newCalendarAccount()
    const start = at('2026-10-01T00:00')
    const work = Array.from({ length: 12 }, (_, index) => [
      own.create(own.calendarId, { when: { start_time: start - index * day, end_time: start + 2 } }),
      own.put(`/calendars/${own.calendarId}`, { name: `Name ${index}` }),
    ]).flat()
    await Promise.all(work)
    expect(await own.list(own.calendarId, { start, end: start + 1 })).toHaveLength(12)
  })
})
