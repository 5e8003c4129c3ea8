/** Recurring events of virtual accounts: reading, changing single occurrences, changing the whole series. */

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
  openAccounts,
  pagesOf,
  type Query,
  span,
  startOf,
  type TestAccounts,
  titles,
  wall,
} from '../../conformance/accounts.ts'

const newYork = 'America/New_York'
const hour = 3600
const day = 24 * hour

describe.each(enginesFor(import.meta.url))('series on %s', (engine) => {
  let accounts: TestAccounts
  beforeAll(async () => {
    accounts = await openAccounts({ engine })
  })
  afterAll(() => accounts[Symbol.asyncDispose]())

  type CalendarAccount = Account & { calendarId: string }
  const window = (from: string, to: string): Query => ({ start: at(from), end: at(to) })
  const whole = window('2026-01-01T00:00', '2027-12-31T00:00')
  const starts = (events: readonly Json[], zone?: string): string[] =>
    events.map((event) => {
      const start = startOf(event)
      return typeof start === 'number' ? wall(start, zone) : start
    })
  const slot = (time: number): string => wall(time).replace(/[-:]/g, '').concat('00Z')
  const instance = (master: Json, start: string, zone?: string): string => `${master.id}_${slot(at(start, zone))}`
  const create = (account: CalendarAccount, recurrence: string[], fields: Fields = {}): Promise<Json> =>
    account.create(account.calendarId, {
      title: 'Series',
      when: span('2026-06-01T09:00', 60, newYork),
      recurrence,
      ...fields,
    })
  /** Five mornings in New York, from Monday to Friday. */
  const week = (account: CalendarAccount, fields: Fields = {}): Promise<Json> =>
    create(account, ['RRULE:FREQ=DAILY;COUNT=5'], fields)
  const remove = async (account: CalendarAccount, id: string): Promise<void> =>
    void expectStatus(await account.delete(`/events/${id}`, { calendar_id: account.calendarId }), 200)
  const gone = async (account: CalendarAccount, id: string): Promise<void> =>
    void expectStatus(await account.get(`/events/${id}`, { calendar_id: account.calendarId }), 404)

  describe('a weekly series in New York', () => {
    test('keeps its local time in March and November, and its exact length', async () => {
      const account = await accounts.newCalendarAccount()
      const spring = await create(account, ['RRULE:FREQ=WEEKLY;COUNT=3'], {
        when: span('2026-03-01T09:00', 60, newYork),
      })
      const autumn = await create(account, ['RRULE:FREQ=WEEKLY;COUNT=3'], {
        when: span('2026-10-25T22:00', 480, newYork),
      })
      const listed = await account.list(account.calendarId, whole)
      const of = (master: Json) => listed.filter((event) => event.master_event_id === master.id)
      expect(starts(of(spring))).toEqual(['2026-03-01T14:00', '2026-03-08T13:00', '2026-03-15T13:00'])
      expect(starts(of(spring), newYork)).toEqual(['2026-03-01T09:00', '2026-03-08T09:00', '2026-03-15T09:00'])
      expect(starts(of(autumn), newYork)).toEqual(['2026-10-25T22:00', '2026-11-01T22:00', '2026-11-08T22:00'])
      for (const { when } of listed) expect([hour, 8 * hour]).toContain(when.end_time - when.start_time)
      expect(ids(of(spring))).toEqual(
        ['20260301T140000Z', '20260308T130000Z', '20260315T130000Z'].map((end) => `${spring.id}_${end}`),
      )
    })

    test('skips a local time that does not exist, and does not count it', async () => {
      const account = await accounts.newCalendarAccount()
      await create(account, ['RRULE:FREQ=DAILY;COUNT=3'], { when: span('2026-03-07T02:30', 15, newYork) })
      expect(starts(await account.list(account.calendarId, whole), newYork)).toEqual([
        '2026-03-07T02:30',
        '2026-03-09T02:30',
        '2026-03-10T02:30',
      ])
    })

    test('repeats in UTC if it has no time zone', async () => {
      const account = await accounts.newCalendarAccount()
      await create(account, ['RRULE:FREQ=WEEKLY;COUNT=2'], { when: span('2026-03-05T09:00', 60) })
      expect(starts(await account.list(account.calendarId, whole))).toEqual(['2026-03-05T09:00', '2026-03-12T09:00'])
    })

    test('that is a point in time repeats in its own time zone', async () => {
      const account = await accounts.newCalendarAccount()
      const when = { time: at('2026-03-07T09:00', newYork), timezone: newYork }
      await create(account, ['RRULE:FREQ=DAILY;COUNT=2'], { when })
      const listed = await account.list(account.calendarId, whole)
      expect(listed.map((event) => event.when)).toEqual([
        { object: 'time', ...when },
        { object: 'time', time: at('2026-03-08T09:00', newYork), timezone: newYork },
      ])
      // A window that starts at a point contains it; a window that ends there does not.
      const point = at('2026-03-08T09:00', newYork)
      expect(await account.list(account.calendarId, { start: point, end: point + 1 })).toHaveLength(1)
      expect(await account.list(account.calendarId, { start: point - 1, end: point })).toHaveLength(0)
    })
  })

  describe('reading', () => {
    test('an instance is an event of its own, with the fields of its series', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await week(account, { description: 'D', location: 'L', participants: [{ email: 'ann@x.test' }] })
      expect(master.recurrence).toEqual(['RRULE:FREQ=DAILY;COUNT=5'])
      expect(master).not.toHaveProperty('master_event_id')
      const [, second] = await account.list(account.calendarId, whole)
      const { recurrence: _, ...rest } = master
      expect(second).toEqual({
        ...rest,
        id: instance(master, '2026-06-02T09:00', newYork),
        master_event_id: master.id,
        when: { object: 'timespan', ...span('2026-06-02T09:00', 60, newYork) },
      })
      expect(second).not.toHaveProperty('original_start_time')
      expect(await account.read(account.calendarId, second.id)).toEqual(second)
      expect(await account.read(account.calendarId, master.id)).toEqual(master)
    })

    test('an id whose slot is not part of the series is not found', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await week(account)
      const single = await account.create(account.calendarId, { when: span('2026-06-01T09:00') })
      await gone(account, instance(master, '2026-06-06T09:00', newYork))
      await gone(account, instance(master, '2026-06-02T09:01', newYork))
      await gone(account, `${master.id}_20260602`)
      await gone(account, `${master.id}_`)
      await gone(account, instance(single, '2026-06-01T09:00'))
    })

    test('an instance that started before the window is included while it lasts', async () => {
      const account = await accounts.newCalendarAccount()
      await create(account, ['RRULE:FREQ=DAILY;COUNT=3'], { when: span('2026-06-01T09:00', 180) })
      const listed = await account.list(account.calendarId, window('2026-06-02T11:00', '2026-06-02T11:30'))
      expect(starts(listed)).toEqual(['2026-06-02T09:00'])
      expect(await account.list(account.calendarId, window('2026-06-02T12:00', '2026-06-02T12:30'))).toEqual([])
      const long = await accounts.newCalendarAccount()
      await create(long, ['RRULE:FREQ=DAILY;COUNT=4'], { when: span('2026-06-01T09:00', 3 * 24 * 60) })
      const days = await long.listAll(long.calendarId, { ...window('2026-06-04T10:00', '2026-06-04T10:01'), limit: 1 })
      expect(starts(days)).toEqual(['2026-06-02T09:00', '2026-06-03T09:00', '2026-06-04T09:00'])
    })

    test('expand_recurring=false and import return masters and changed instances only', async () => {
      const account = await accounts.newCalendarAccount()
      const { calendarId } = account
      const single = await account.create(calendarId, { title: 'Single', when: span('2026-06-02T12:00') })
      const master = await week(account)
      const over = await create(account, ['RRULE:FREQ=DAILY;COUNT=2'], { when: span('2025-06-02T12:00') })
      const changed = await account.change(calendarId, instance(master, '2026-06-03T09:00', newYork), {
        title: 'Changed',
      })
      const query = window('2026-06-01T00:00', '2026-06-30T00:00')
      const masters = await account.list(calendarId, { ...query, expand_recurring: false })
      expect(masters).toEqual([master, single, changed])
      expect(await account.list(calendarId, query)).toHaveLength(6)
      expect(await account.list(calendarId, { ...query, expand_recurring: true })).toHaveLength(6)
      const imported = expectStatus(await account.get('/events/import', { calendar_id: calendarId, ...query }), 200)
      expect(ids(imported.body.data).sort()).toEqual(ids(masters).sort())
      for (const limit of [1, 2, 500]) {
        const pages = await pagesOf(account, '/events/import', { calendar_id: calendarId, ...query, limit })
        expect(ids(pages.flat()).sort()).toEqual(ids(masters).sort())
      }
      const paged = await account.listAll(calendarId, { ...query, expand_recurring: false, limit: 1 })
      expect(ids(paged)).toEqual(ids(masters))
      const late = window('2026-06-03T00:00', '2026-06-03T23:00')
      expect(ids(await account.list(calendarId, { ...late, expand_recurring: false }))).toEqual([master.id, changed.id])
      expect(ids(await account.list(calendarId, { ...query, expand_recurring: false }))).not.toContain(over.id)
      expectRefusal(await account.get('/events/import', query), /calendar_id/)
      expectStatus(await account.get('/events/import', { ...query, calendar_id: 'unknown' }), 404)
    })

    test('master_event_id returns the instances of one series, including changed ones', async () => {
      const account = await accounts.newCalendarAccount()
      const { calendarId } = account
      const one = await week(account, { title: 'One' })
      const two = await week(account, { title: 'Two' })
      await account.create(calendarId, { title: 'Single', when: span('2026-06-02T09:00') })
      // More changed instances of another series than a page holds.
      for (const date of ['2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04']) {
        await account.change(calendarId, instance(one, `${date}T09:00`, newYork), { title: 'One, changed' })
      }
      await account.change(calendarId, instance(two, '2026-06-04T09:00', newYork), {
        title: 'Two, changed',
        when: span('2026-06-02T20:00', 30),
      })
      const list = (query: Query) => account.listAll(calendarId, { ...whole, ...query })
      for (const limit of [1, 2, 3, 50]) {
        expect(titles(await list({ master_event_id: two.id, limit }))).toEqual([
          'Two',
          'Two',
          'Two, changed',
          'Two',
          'Two',
        ])
        const masters = await list({ master_event_id: two.id, expand_recurring: false, limit })
        expect(titles(masters)).toEqual(['Two', 'Two, changed'])
      }
      expect(await list({ master_event_id: two.id, expand_recurring: true, title: 'changed' })).toHaveLength(1)
      const unknown = { calendar_id: calendarId, ...whole, master_event_id: 'unknown' }
      expectStatus(await account.get('/events', unknown), 404)
    })

    test('filters match instances and masters, on every page', async () => {
      const account = await accounts.newCalendarAccount()
      for (let index = 0; index < 6; index += 1) {
        await week(account, { title: index === 4 ? 'Needle' : `Hay ${index}`, when: span(`2026-06-01T0${index}:00`) })
      }
      const list = (query: Query) => account.listAll(account.calendarId, { ...whole, ...query, title: 'needle' })
      for (const limit of [1, 2, 50]) {
        expect(titles(await list({ limit }))).toEqual(Array(5).fill('Needle'))
        expect(titles(await list({ limit, expand_recurring: false }))).toEqual(['Needle'])
      }
    })

    test('ical_uid returns the master and its changed instances, page by page', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await week(account)
      const changed = await account.change(account.calendarId, instance(master, '2026-06-03T09:00', newYork), {
        title: 'X',
      })
      expect(changed.ical_uid).toBe(master.ical_uid)
      expect(ids(await account.list(account.calendarId, { ical_uid: master.ical_uid }))).toEqual([
        master.id,
        changed.id,
      ])
      const pages = await pagesOf(account, '/events', {
        calendar_id: account.calendarId,
        ical_uid: master.ical_uid,
        limit: 1,
      })
      expect(pages.map(ids)).toEqual([[master.id], [changed.id]])
    })

    test('instances have the metadata of their series, unless they have their own', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await week(account, { metadata: { key1: 'series' } })
      const own = instance(master, '2026-06-02T09:00', newYork)
      await account.change(account.calendarId, own, { metadata: { key1: 'own' } })
      await account.change(account.calendarId, instance(master, '2026-06-03T09:00', newYork), { title: 'Changed' })
      const of = async () => (await account.list(account.calendarId, whole)).map((event) => event.metadata.key1)
      expect(await of()).toEqual(['series', 'own', 'series', 'series', 'series'])
      await account.change(account.calendarId, master.id, { metadata: { key1: 'new' } })
      expect(await of()).toEqual(['new', 'own', 'new', 'new', 'new'])
      expect(ids(await account.list(account.calendarId, { metadata_pair: 'key1:own' }))).toEqual([own])
      expect(ids(await account.list(account.calendarId, { metadata_pair: 'key1:new' }))).toContain(master.id)
    })
  })

  describe('one occurrence', () => {
    test('that is changed keeps its id, and follows its series in all other fields', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await week(account, { location: 'Room 1' })
      const id = instance(master, '2026-06-02T09:00', newYork)
      const changed = await account.change(account.calendarId, id, { title: 'Special' })
      expect(changed).toMatchObject({ id, master_event_id: master.id, title: 'Special', location: 'Room 1' })
      expect(changed).not.toHaveProperty('recurrence')
      await account.change(account.calendarId, master.id, { title: 'Renamed', location: 'Room 2', busy: false })
      const listed = await account.list(account.calendarId, whole)
      expect(titles(listed)).toEqual(['Renamed', 'Special', 'Renamed', 'Renamed', 'Renamed'])
      for (const event of listed) expect(event).toMatchObject({ location: 'Room 2', busy: false })
      expect((await account.change(account.calendarId, id, { location: 'Room 3' })).title).toBe('Special')
      expect(await account.read(account.calendarId, id)).toMatchObject({
        title: 'Special',
        location: 'Room 3',
        busy: false,
      })
      expectRefusal(
        await account.put(`/events/${id}`, { recurrence: ['RRULE:FREQ=DAILY'] }, { calendar_id: account.calendarId }),
        /recurrence/,
      )
    })

    test('without its own visibility or conference does not inherit those of its series', async () => {
      const account = await accounts.newCalendarAccount()
      const conferencing = { provider: 'Zoom Meeting', details: { url: 'https://zoom.test/1' } }
      const master = await week(account, { visibility: 'private', conferencing })
      const id = instance(master, '2026-06-02T09:00', newYork)
      const cleared = await account.change(account.calendarId, id, { visibility: null, conferencing: {} })
      const other = await account.change(account.calendarId, id, { title: 'Special' })
      const read = await account.read(account.calendarId, id)
      const listed = await account.list(account.calendarId, whole)
      for (const event of [cleared, other, read, listed[1]]) {
        expect(event).not.toHaveProperty('visibility')
        expect(event).not.toHaveProperty('conferencing')
      }
      expect(listed[2]).toMatchObject({ visibility: 'private', conferencing })
      expect(await account.change(account.calendarId, id, { visibility: 'public', conferencing })).toMatchObject({
        visibility: 'public',
        conferencing,
      })
    })

    test('that is sent back as it was read is not a changed occurrence', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await week(account)
      const id = instance(master, '2026-06-02T09:00', newYork)
      const read = await account.read(account.calendarId, id)
      for (const fields of [{}, read]) expect(await account.change(account.calendarId, id, fields)).toEqual(read)
      const masters = await account.list(account.calendarId, { ...whole, expand_recurring: false })
      expect(ids(masters)).toEqual([master.id])
    })

    test('that was changed is reported as updated when its series changes', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await week(account)
      const id = instance(master, '2026-06-02T09:00', newYork)
      const before = await account.change(account.calendarId, id, { title: 'Special' })
      accounts.clock.advance(5000)
      const series = await account.change(account.calendarId, master.id, { location: 'Room 2' })
      const after = await account.read(account.calendarId, id)
      expect(after).toMatchObject({ title: 'Special', location: 'Room 2', updated_at: series.updated_at })
      expect(after.sequence).toBeGreaterThanOrEqual(series.sequence)
      const since = await account.list(account.calendarId, { ...whole, updated_after: before.updated_at })
      expect(ids(since)).toContain(id)
    })

    test('that is moved is found at its new time, and not at the old one', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await week(account)
      const id = instance(master, '2026-06-02T09:00', newYork)
      await account.change(account.calendarId, id, { when: span('2026-07-15T10:00', 30) })
      const june = await account.list(account.calendarId, window('2026-06-01T00:00', '2026-06-30T00:00'))
      expect(starts(june, newYork)).toEqual(
        ['2026-06-01', '2026-06-03', '2026-06-04', '2026-06-05'].map((d) => `${d}T09:00`),
      )
      const july = await account.list(account.calendarId, window('2026-07-01T00:00', '2026-07-30T00:00'))
      expect(ids(july)).toEqual([id])
      const narrow = await account.list(account.calendarId, window('2026-07-15T10:29', '2026-07-15T10:30'))
      expect(ids(narrow)).toEqual([id])
      const only = await account.list(account.calendarId, {
        ...window('2026-07-01T00:00', '2026-07-30T00:00'),
        expand_recurring: false,
      })
      expect(ids(only)).toEqual([id])
      expect(ids(await account.list(account.calendarId, { ...whole, master_event_id: master.id }))).toHaveLength(5)
      await account.change(account.calendarId, id, { when: span('2026-06-05T20:00', 30) })
      expect(ids(await account.list(account.calendarId, whole)).at(-1)).toBe(id)
    })

    test('that is deleted is in EXDATE, is not found, and cannot be deleted again', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await week(account)
      const plain = instance(master, '2026-06-02T09:00', newYork)
      const changed = instance(master, '2026-06-03T09:00', newYork)
      await account.change(account.calendarId, changed, { title: 'Changed', when: span('2026-06-20T09:00') })
      await remove(account, plain)
      await remove(account, changed)
      for (const id of [plain, changed]) {
        await gone(account, id)
        expectStatus(await account.delete(`/events/${id}`), 404)
        expectStatus(await account.put(`/events/${id}`, { title: 'x' }), 404)
      }
      expect((await account.read(account.calendarId, master.id)).recurrence).toEqual([
        'RRULE:FREQ=DAILY;COUNT=5',
        'EXDATE:20260602T130000Z,20260603T130000Z',
      ])
      // COUNT includes the slots that EXDATE removes.
      expect(starts(await account.list(account.calendarId, whole), newYork)).toEqual(
        ['2026-06-01', '2026-06-04', '2026-06-05'].map((date) => `${date}T09:00`),
      )
    })

    test('can be the first, the last, and eventually every one', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await week(account)
      for (const date of ['2026-06-01', '2026-06-05', '2026-06-02', '2026-06-03', '2026-06-04']) {
        await remove(account, instance(master, `${date}T09:00`, newYork))
      }
      expect(await account.list(account.calendarId, whole)).toEqual([])
      expect((await account.read(account.calendarId, master.id)).id).toBe(master.id)
      await remove(account, master.id)
      await gone(account, master.id)
    })

    test('is changed and deleted concurrently with others, and no change is lost', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await create(account, ['RRULE:FREQ=DAILY;COUNT=20'])
      const [first, ...others] = ids(await account.list(account.calendarId, whole))
      await Promise.all([
        ...others.slice(0, 9).map((id) => remove(account, id)),
        ...others.slice(9, 18).map((id) => account.change(account.calendarId, id, { title: 'Changed' })),
        account.change(account.calendarId, master.id, { location: 'Room' }),
      ])
      const left = await account.list(account.calendarId, whole)
      expect(ids(left)).toEqual([first, ...others.slice(9)])
      expect(titles(left)).toEqual(['Series', ...Array(9).fill('Changed'), 'Series'])
      for (const event of left) expect(event.location).toBe('Room')
    })

    test('is deleted with its series', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await week(account)
      const id = instance(master, '2026-06-02T09:00', newYork)
      await account.change(account.calendarId, id, { title: 'Changed' })
      await remove(account, master.id)
      await gone(account, id)
      expect(await account.list(account.calendarId, whole)).toEqual([])
      expect(await account.list(account.calendarId, { ical_uid: master.ical_uid })).toEqual([])
    })
  })

  describe('a change of the whole series', () => {
    /** A week with its Tuesday deleted, its Wednesday renamed and its Thursday moved to the evening. */
    async function exceptional(account: CalendarAccount): Promise<Json> {
      const master = await week(account)
      await remove(account, instance(master, '2026-06-02T09:00', newYork))
      await account.change(account.calendarId, instance(master, '2026-06-03T09:00', newYork), { title: 'Renamed' })
      await account.change(account.calendarId, instance(master, '2026-06-04T09:00', newYork), {
        title: 'Moved',
        when: span('2026-06-04T20:00', 30, newYork),
      })
      return master
    }
    const seen = async (account: CalendarAccount): Promise<string[]> =>
      (await account.list(account.calendarId, whole)).map(
        (event) => `${wall(event.when.start_time, newYork)} ${event.title}`,
      )

    test('of its time keeps deletions, and moves its changed instances', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await exceptional(account)
      await account.change(account.calendarId, master.id, { when: span('2026-06-01T11:00', 60, newYork) })
      expect(await seen(account)).toEqual([
        '2026-06-01T11:00 Series',
        '2026-06-03T11:00 Renamed',
        '2026-06-04T20:00 Moved',
        '2026-06-05T11:00 Series',
      ])
      await gone(account, instance(master, '2026-06-02T11:00', newYork))
      await gone(account, instance(master, '2026-06-03T09:00', newYork))
      expect((await account.read(account.calendarId, instance(master, '2026-06-03T11:00', newYork))).title).toBe(
        'Renamed',
      )
      expect((await account.read(account.calendarId, master.id)).recurrence[1]).toBe('EXDATE:20260602T150000Z')
    })

    test('of its time with the same recurrence lines keeps deletions and its last occurrence', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await exceptional(account)
      const until = 'RRULE:FREQ=DAILY;UNTIL=20260605T130000Z'
      await account.change(account.calendarId, master.id, { recurrence: [until, 'EXDATE:20260602T130000Z'] })
      const { recurrence } = await account.read(account.calendarId, master.id)
      // Clients read an event, change one field, and send all fields back.
      const later = await account.change(account.calendarId, master.id, {
        when: span('2026-06-01T11:00', 60, newYork),
        recurrence: recurrence.map((line: string) => line.toLowerCase()),
      })
      expect(later.recurrence).toEqual(['RRULE:FREQ=DAILY;UNTIL=20260605T150000Z', 'EXDATE:20260602T150000Z'])
      expect(await seen(account)).toEqual([
        '2026-06-01T11:00 Series',
        '2026-06-03T11:00 Renamed',
        '2026-06-04T20:00 Moved',
        '2026-06-05T11:00 Series',
      ])
    })

    test('of its time and its rule keeps the deletions that are sent back', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await exceptional(account)
      const changed = await account.change(account.calendarId, master.id, {
        when: span('2026-06-01T11:00', 60, newYork),
        // The EXDATE that was read, and one for the new time.
        recurrence: ['RRULE:FREQ=DAILY;COUNT=6', 'EXDATE:20260602T130000Z', 'EXDATE:20260605T150000Z'],
      })
      expect(changed.recurrence[1]).toBe('EXDATE:20260602T150000Z,20260605T150000Z')
      expect(await seen(account)).toEqual([
        '2026-06-01T11:00 Series',
        '2026-06-03T11:00 Renamed',
        '2026-06-04T20:00 Moved',
        '2026-06-06T11:00 Series',
      ])
    })

    test('of its time zone keeps deletions and changed instances', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await exceptional(account)
      await account.change(account.calendarId, master.id, { when: span('2026-06-01T09:00', 60, 'Europe/Berlin') })
      const listed = await account.list(account.calendarId, whole)
      expect(starts(listed, 'Europe/Berlin')).toEqual([
        '2026-06-01T09:00',
        '2026-06-03T09:00',
        '2026-06-05T02:00',
        '2026-06-05T09:00',
      ])
      expect(titles(listed)).toEqual(['Series', 'Renamed', 'Moved', 'Series'])
    })

    test('of its length applies to its renamed instances, and lists find them', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await exceptional(account)
      await account.change(account.calendarId, master.id, { when: span('2026-06-01T09:00', 600, newYork) })
      const listed = await account.list(account.calendarId, {
        start: at('2026-06-03T18:30', newYork),
        end: at('2026-06-03T18:31', newYork),
      })
      expect(titles(listed)).toEqual(['Renamed'])
    })

    test('to an earlier end drops the changed instances after the end', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await exceptional(account)
      const until = 'RRULE:FREQ=DAILY;UNTIL=20260603T130000Z'
      await account.change(account.calendarId, master.id, { recurrence: [until, 'EXDATE:20260602T130000Z'] })
      expect(await seen(account)).toEqual(['2026-06-01T09:00 Series', '2026-06-03T09:00 Renamed'])
      await gone(account, instance(master, '2026-06-04T09:00', newYork))
      // A later end does not restore them, and deleted occurrences stay deleted.
      await account.change(account.calendarId, master.id, { recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] })
      expect(await seen(account)).toEqual([
        '2026-06-01T09:00 Series',
        '2026-06-03T09:00 Renamed',
        '2026-06-04T09:00 Series',
      ])
    })

    test('of its rule keeps the changed instances that the new rule still contains', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await exceptional(account)
      await account.change(account.calendarId, master.id, { recurrence: ['RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3'] })
      expect(await seen(account)).toEqual([
        '2026-06-01T09:00 Series',
        '2026-06-03T09:00 Renamed',
        '2026-06-05T09:00 Series',
      ])
    })

    test('to a single event drops its instances, and lists find the single event', async () => {
      for (const recurrence of [[], null]) {
        const account = await accounts.newCalendarAccount()
        const master = await exceptional(account)
        const single = await account.change(account.calendarId, master.id, { recurrence })
        expect(single).not.toHaveProperty('recurrence')
        expect(await seen(account)).toEqual(['2026-06-01T09:00 Series'])
        await gone(account, instance(master, '2026-06-01T09:00', newYork))
        const late = await account.list(account.calendarId, {
          start: at('2026-06-01T09:59', newYork),
          end: at('2026-06-01T10:10', newYork),
        })
        expect(ids(late)).toEqual([master.id])
      }
    })

    test('from a single event deletes the metadata, unless the request has new metadata', async () => {
      const account = await accounts.newCalendarAccount()
      const make = () =>
        account.create(account.calendarId, { when: span('2026-06-01T09:00'), metadata: { key1: 'single', note: 'x' } })
      const one = await make()
      const recurrence = ['RRULE:FREQ=DAILY;COUNT=2']
      expect((await account.change(account.calendarId, one.id, { recurrence })).metadata).toEqual({})
      expect(await account.list(account.calendarId, { metadata_pair: 'key1:single' })).toEqual([])
      expect(await account.list(account.calendarId, whole)).toHaveLength(2)
      const two = await make()
      const changed = await account.change(account.calendarId, two.id, { recurrence, metadata: { key1: 'series' } })
      expect(changed.metadata).toEqual({ key1: 'series' })
      // A series that remains a series keeps its metadata.
      const again = await account.change(account.calendarId, two.id, { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
      expect(again.metadata).toEqual({ key1: 'series' })
    })

    test('between times and whole days converts the rule, or accepts another one', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await week(account)
      const days = await account.change(account.calendarId, master.id, { when: { date: '2026-06-01' } })
      expect(days.recurrence).toEqual(master.recurrence)
      const changed = await account.change(account.calendarId, master.id, {
        when: { date: '2026-06-01' },
        recurrence: ['RRULE:FREQ=DAILY;COUNT=2'],
      })
      expect(changed.when).toEqual({ object: 'date', date: '2026-06-01' })
      expect(starts(await account.list(account.calendarId, whole))).toEqual(['2026-06-01', '2026-06-02'])
    })

    test('that is rejected changes nothing', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await exceptional(account)
      const before = await account.list(account.calendarId, whole)
      for (const fields of [
        { title: 'No', recurrence: ['RRULE:FREQ=HOURLY'] },
        { title: 'No', recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=SU'] },
        { title: 'No', when: { time: 1, date: '2026-01-01' } },
      ]) {
        expectRefusal(await account.put(`/events/${master.id}`, fields))
      }
      expect(await account.list(account.calendarId, whole)).toEqual(before)
    })
  })

  describe('an all-day series', () => {
    test('is computed on dates, whatever the time zone of its calendar', async () => {
      for (const timezone of ['UTC', 'Pacific/Auckland', newYork]) {
        const account = await accounts.newCalendarAccount({ timezone })
        const master = await account.create(account.calendarId, {
          when: { start_date: '2026-03-06', end_date: '2026-03-07' },
          recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'],
        })
        const listed = await account.list(account.calendarId, whole)
        expect(listed.map((event) => event.when)).toEqual([
          { object: 'datespan', start_date: '2026-03-06', end_date: '2026-03-07' },
          { object: 'datespan', start_date: '2026-03-13', end_date: '2026-03-14' },
          { object: 'datespan', start_date: '2026-03-20', end_date: '2026-03-21' },
        ])
        expect(ids(listed)).toEqual(['20260306', '20260313', '20260320'].map((date) => `${master.id}_${date}`))
        const late = { start: at('2026-03-14T23:00', timezone), end: at('2026-03-14T23:30', timezone) }
        expect(ids(await account.list(account.calendarId, late))).toEqual([`${master.id}_20260313`])
        const after = { start: at('2026-03-15T00:00', timezone), end: at('2026-03-15T00:30', timezone) }
        expect(await account.list(account.calendarId, after)).toEqual([])
      }
    })

    test('has its occurrences deleted, changed and moved by date', async () => {
      const account = await accounts.newCalendarAccount({ timezone: newYork })
      const master = await account.create(account.calendarId, {
        title: 'Day',
        when: { date: '2026-06-01' },
        recurrence: ['RRULE:FREQ=DAILY;COUNT=5', 'EXDATE;VALUE=DATE:20260605'],
      })
      await remove(account, `${master.id}_20260602`)
      await account.change(account.calendarId, `${master.id}_20260603`, { title: 'Other' })
      await account.change(account.calendarId, `${master.id}_20260604`, { title: 'Away', when: { date: '2026-06-10' } })
      expect((await account.read(account.calendarId, master.id)).recurrence).toEqual([
        'RRULE:FREQ=DAILY;COUNT=5',
        'EXDATE;VALUE=DATE:20260602,20260605',
      ])
      const listed = await account.list(account.calendarId, whole)
      expect(starts(listed)).toEqual(['2026-06-01', '2026-06-03', '2026-06-10'])
      await account.put(`/calendars/${account.calendarId}`, { timezone: 'Pacific/Auckland' })
      expect(await account.list(account.calendarId, whole)).toEqual(listed)
      // One day later: the changed occurrence moves with its slot.
      await account.change(account.calendarId, master.id, { when: { date: '2026-06-02' } })
      expect(titles(await account.list(account.calendarId, whole)).sort()).toContain('Other')
    })
  })

  describe('the recurrence lines', () => {
    const accepted: [string, string[], string[], string[]][] = [
      [
        'blanks and lower case',
        ['rrule:freq=weekly; byday=mo;count=2 '],
        ['RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2'],
        ['2026-06-01', '2026-06-08'],
      ],
      [
        'EXDATE in UTC',
        ['EXDATE:20260602T130000Z', 'RRULE:FREQ=DAILY;COUNT=3'],
        ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20260602T130000Z'],
        ['2026-06-01', '2026-06-03'],
      ],
      [
        'EXDATE with a zone',
        ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;TZID=Europe/Berlin:20260602T150000'],
        ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20260602T130000Z'],
        ['2026-06-01', '2026-06-03'],
      ],
      [
        'EXDATE in local time',
        ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20260602T090000'],
        ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20260602T130000Z'],
        ['2026-06-01', '2026-06-03'],
      ],
      [
        'EXDATE as a date, which means the local day',
        ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;VALUE=DATE:20260602'],
        ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20260602T130000Z'],
        ['2026-06-01', '2026-06-03'],
      ],
      [
        'several EXDATE lines and lists',
        ['EXDATE:20260602T130000Z,20260603T130000Z', 'RRULE:FREQ=DAILY;COUNT=5', 'EXDATE:20260604T130000Z'],
        ['RRULE:FREQ=DAILY;COUNT=5', 'EXDATE:20260602T130000Z,20260603T130000Z,20260604T130000Z'],
        ['2026-06-01', '2026-06-05'],
      ],
      [
        'an EXDATE of another hour, which matches nothing',
        ['RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:20260602T000000Z'],
        ['RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:20260602T000000Z'],
        ['2026-06-01', '2026-06-02'],
      ],
      [
        'RDATE beside a rule',
        ['RRULE:FREQ=DAILY;COUNT=2', 'RDATE:20260610T130000Z'],
        ['RRULE:FREQ=DAILY;COUNT=2', 'RDATE:20260610T130000Z'],
        ['2026-06-01', '2026-06-02', '2026-06-10'],
      ],
      [
        'RDATE without a rule',
        ['RDATE;TZID=America/New_York:20260610T090000,20260620T090000'],
        ['RDATE:20260610T130000Z,20260620T130000Z'],
        ['2026-06-01', '2026-06-10', '2026-06-20'],
      ],
      [
        'RDATE taken back by EXDATE',
        ['RRULE:FREQ=DAILY;COUNT=1', 'RDATE:20260610T130000Z', 'EXDATE:20260610T130000Z'],
        ['RRULE:FREQ=DAILY;COUNT=1', 'RDATE:20260610T130000Z', 'EXDATE:20260610T130000Z'],
        ['2026-06-01'],
      ],
      [
        'UNTIL as a date, until its end',
        ['RRULE:FREQ=DAILY;UNTIL=20260602'],
        ['RRULE:FREQ=DAILY;UNTIL=20260603T035959Z'],
        ['2026-06-01', '2026-06-02'],
      ],
      [
        'UNTIL at the last start',
        ['RRULE:FREQ=DAILY;UNTIL=20260602T130000Z'],
        ['RRULE:FREQ=DAILY;UNTIL=20260602T130000Z'],
        ['2026-06-01', '2026-06-02'],
      ],
      [
        'the last weekday of the month',
        ['RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1;COUNT=3'],
        ['RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1;COUNT=3'],
        ['2026-06-01', '2026-07-01', '2026-08-03'],
      ],
    ]

    test.each(accepted)('%s', async (_, recurrence, lines, dates) => {
      const account = await accounts.newCalendarAccount()
      const master = await create(account, recurrence)
      expect(master.recurrence).toEqual(lines)
      expect(starts(await account.list(account.calendarId, whole), newYork)).toEqual(
        dates.map((date) => `${date}T09:00`),
      )
      // The returned lines can be sent back and mean the same.
      expect((await account.change(account.calendarId, master.id, { recurrence: lines })).recurrence).toEqual(lines)
    })

    const long = Array.from({ length: 24 }, (_, index) => index).join()
    const minutes = Array.from({ length: 60 }, (_, index) => index).join()
    const refused: [string, string[], RegExp][] = [
      ['SECONDLY', ['RRULE:FREQ=SECONDLY'], /SECONDLY/],
      ['MINUTELY', ['RRULE:FREQ=MINUTELY;COUNT=10'], /MINUTELY/],
      ['HOURLY', ['RRULE:FREQ=HOURLY;COUNT=10'], /HOURLY/],
      ['a bomb of seconds', ['RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30'], /SECONDLY/],
      ['a bomb of days', ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31;BYDAY=MO'], /never occurs/],
      ['30 February', ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'], /never occurs/],
      ['a bomb of products', [`RRULE:FREQ=DAILY;BYHOUR=${long};BYMINUTE=${minutes};BYSECOND=${minutes}`], /multiply/],
      ['an endless search', ['RRULE:FREQ=DAILY;BYHOUR=9;BYSETPOS=2'], /RRULE/],
      ['INTERVAL=0', ['RRULE:FREQ=DAILY;INTERVAL=0'], /INTERVAL/],
      ['a huge INTERVAL', ['RRULE:FREQ=DAILY;INTERVAL=99999999999'], /INTERVAL/],
      ['a huge COUNT', ['RRULE:FREQ=DAILY;COUNT=10001'], /COUNT/],
      ['COUNT=0', ['RRULE:FREQ=DAILY;COUNT=0'], /COUNT/],
      ['COUNT and UNTIL', ['RRULE:FREQ=DAILY;COUNT=2;UNTIL=20270101T000000Z'], /COUNT/],
      ['UNTIL before the start', ['RRULE:FREQ=DAILY;UNTIL=20200101T000000Z'], /UNTIL/],
      ['two rules', ['RRULE:FREQ=DAILY', 'RRULE:FREQ=WEEKLY'], /RRULE/],
      ['EXRULE', ['RRULE:FREQ=DAILY', 'EXRULE:FREQ=WEEKLY'], /EXRULE/],
      ['DTSTART', ['DTSTART:20260601T090000Z', 'RRULE:FREQ=DAILY'], /DTSTART/],
      ['no rule', ['EXDATE:20260601T130000Z'], /RRULE/],
      ['no FREQ', ['RRULE:COUNT=2'], /FREQ/],
      ['a numbered day of a week', ['RRULE:FREQ=WEEKLY;BYDAY=1MO'], /BYDAY/],
      ['a start outside the rule', ['RRULE:FREQ=WEEKLY;BYDAY=TU'], /2026-06-02T09:00/],
      ['a zone from elsewhere', ['RRULE:FREQ=DAILY', 'EXDATE;TZID=../../etc:20260601T090000'], /TZID/],
      ['too long a line', [`RRULE:FREQ=DAILY;BYMONTHDAY=${'1,'.repeat(600)}1`], /RRULE/],
      ['nonsense', ['every day'], /recurrence/],
      ['too many dates', ['RRULE:FREQ=DAILY', `EXDATE:${Array(5001).fill('20260601T130000Z').join()}`], /EXDATE/],
    ]

    test.each(refused)('%s is rejected', async (_, recurrence, message) => {
      const account = await accounts.newCalendarAccount()
      const answer = await account.post(
        '/events',
        { when: span('2026-06-01T09:00', 60, newYork), recurrence },
        { calendar_id: account.calendarId },
      )
      expectRefusal(answer, message)
      expect(await account.list(account.calendarId, whole)).toEqual([])
    })

    test('with too many overlapping occurrences are rejected, on creation and on extension', async () => {
      const account = await accounts.newCalendarAccount()
      const years = { start_time: at('2026-06-01T09:00', newYork), end_time: at('2056-06-01T09:00', newYork) }
      const post = (fields: Fields) => account.post('/events', fields, { calendar_id: account.calendarId })
      expectRefusal(await post({ when: years, recurrence: ['RRULE:FREQ=DAILY'] }), /overlap/)
      const days = { start_date: '2026-06-01', end_date: '2056-06-01' }
      expectRefusal(await post({ when: days, recurrence: ['RRULE:FREQ=DAILY'] }), /overlap/)
      expectStatus(await post({ when: years, recurrence: ['RRULE:FREQ=YEARLY'] }), 200)
      const { id } = await create(account, ['RRULE:FREQ=DAILY'])
      expectRefusal(await account.put(`/events/${id}`, { when: years }), /overlap/)
    })

    test('extend to the last day of the year 9999 and no further', async () => {
      const account = await accounts.newCalendarAccount()
      const last = await account.create(account.calendarId, { when: { date: '9999-12-31' } })
      expect((await account.read(account.calendarId, last.id)).when).toEqual({ object: 'date', date: '9999-12-31' })
      await account.create(account.calendarId, {
        when: { start_date: '9999-12-28', end_date: '9999-12-30' },
        recurrence: ['RRULE:FREQ=DAILY'],
      })
      await account.create(account.calendarId, {
        when: span('9999-12-29T12:00', 24 * 60),
        recurrence: ['RRULE:FREQ=DAILY'],
      })
      const listed = await account.list(account.calendarId, window('9999-12-27T00:00', '9999-12-31T23:59'))
      expect(starts(listed)).toEqual(['9999-12-28', '9999-12-29', '9999-12-29T12:00', '9999-12-30T12:00', '9999-12-31'])
    })

    test('that start at the earliest time or never end are read quickly', async () => {
      const account = await accounts.newCalendarAccount()
      await account.create(account.calendarId, { when: { date: '0001-01-01' }, recurrence: ['RRULE:FREQ=DAILY'] })
      await account.create(account.calendarId, {
        when: span('2000-01-01T09:00', 60, newYork),
        recurrence: [`RRULE:FREQ=DAILY;BYHOUR=${long};BYMINUTE=0,30`, 'EXDATE:20000101T140000Z'],
      })
      const page = await account.get('/events', {
        calendar_id: account.calendarId,
        ...window('2026-06-01T00:00', '2026-07-01T00:00'),
      })
      expect(page.status).toBe(200)
      expect(page.body.data).toHaveLength(50)
      const all = await account.listAll(account.calendarId, {
        ...window('2026-06-01T00:00', '2026-06-08T00:00'),
        limit: 200,
      })
      // Seven days, every half hour, and the hour that started before.
      expect(all).toHaveLength(7 + 7 * 48 + 1)
      // A request that would cost too much is rejected with advice, not answered in part.
      await account.create(account.calendarId, {
        when: span('2000-01-01T09:00', 60, newYork),
        recurrence: [`RRULE:FREQ=DAILY;BYHOUR=${long};BYMINUTE=0,30`],
      })
      const wide = { calendar_id: account.calendarId, ...window('2026-01-01T00:00', '2027-12-01T00:00') }
      const answer = await account.get('/events', { ...wide, title: 'never' })
      expectRefusal(answer, /shorter/)
    })

    test('of an all-day series accept dates and no times', async () => {
      const account = await accounts.newCalendarAccount()
      const post = (recurrence: string[]) =>
        account.post('/events', { when: { date: '2026-06-01' }, recurrence }, { calendar_id: account.calendarId })
      expectRefusal(await post(['RRULE:FREQ=DAILY;BYHOUR=9']), /BYHOUR/)
      expectRefusal(await post(['RRULE:FREQ=DAILY', 'EXDATE:20260602T090000Z']), /EXDATE/)
      const made = await post(['RRULE:FREQ=DAILY;UNTIL=20260603', 'EXDATE:20260602'])
      expect(expectStatus(made, 200).body.data.recurrence).toEqual([
        'RRULE:FREQ=DAILY;UNTIL=20260603',
        'EXDATE;VALUE=DATE:20260602',
      ])
      expect(starts(await account.list(account.calendarId, whole))).toEqual(['2026-06-01', '2026-06-03'])
    })
  })

  test('cursors cover instances and single events together, whatever changes meanwhile', async () => {
    const account = await accounts.newCalendarAccount()
    const { calendarId } = account
    const master = await create(account, ['RRULE:FREQ=DAILY;COUNT=10'], { when: span('2026-06-01T09:00') })
    const singles: Json[] = []
    for (let index = 1; index <= 9; index += 1) {
      singles.push(
        await account.create(calendarId, { title: `Single ${index}`, when: span(`2026-06-0${index}T09:00`) }),
      )
    }
    const query = { calendar_id: calendarId, ...whole, limit: 4 }
    const first = expectStatus(await account.get('/events', query), 200).body
    expect(first.data).toHaveLength(4)
    await remove(account, instance(master, '2026-06-01T09:00'))
    await remove(account, instance(master, '2026-06-05T09:00'))
    await account.change(calendarId, instance(master, '2026-06-06T09:00'), { when: span('2026-06-01T20:00') })
    await account.change(calendarId, instance(master, '2026-06-07T09:00'), { title: 'Renamed' })
    await remove(account, singles[7].id)
    const rest: Json[] = []
    for (let token = first.next_cursor; token !== undefined; ) {
      const next = expectStatus(await account.get('/events', { ...query, page_token: token }), 200).body
      rest.push(...next.data)
      token = next.next_cursor
    }
    const seen = ids([...first.data, ...rest])
    expect(new Set(seen).size).toBe(seen.length)
    const expected = [
      ...[
        '2026-06-01',
        '2026-06-02',
        '2026-06-03',
        '2026-06-04',
        '2026-06-07',
        '2026-06-08',
        '2026-06-09',
        '2026-06-10',
      ].map((date) => instance(master, `${date}T09:00`)),
      ...singles.filter((_, index) => index !== 7).map(({ id }) => id),
    ]
    expect(seen.toSorted()).toEqual(expected.toSorted())
    expect(rest.length + 4).toBe(16)
    expect(at('2026-06-02T00:00') - at('2026-06-01T00:00')).toBe(day)
  })
})
