/** Recurring events of virtual accounts: how they are read, changed one by one, and changed as a whole. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  at,
  expectRefusal,
  expectStatus,
  type Fields,
  ids,
  type Json,
  type Office,
  openOffice,
  pagesOf,
  type Query,
  span,
  startOf,
  titles,
  wall,
} from '../conformance/office.ts'
import { engines } from '../harness.ts'

const newYork = 'America/New_York'
const hour = 3600
const day = 24 * hour

describe.each(engines)('series on %s', (engine) => {
  let office: Office
  beforeAll(async () => {
    office = await openOffice({ engine })
  })
  afterAll(() => office[Symbol.asyncDispose]())

  type Desk = Account & { calendarId: string }
  const window = (from: string, to: string): Query => ({ start: at(from), end: at(to) })
  const whole = window('2026-01-01T00:00', '2027-12-31T00:00')
  const starts = (events: readonly Json[], zone?: string): string[] =>
    events.map((event) => {
      const start = startOf(event)
      return typeof start === 'number' ? wall(start, zone) : start
    })
  const slot = (time: number): string => wall(time).replace(/[-:]/g, '').concat('00Z')
  const instance = (master: Json, start: string, zone?: string): string => `${master.id}_${slot(at(start, zone))}`
  const create = (desk: Desk, recurrence: string[], fields: Fields = {}): Promise<Json> =>
    desk.create(desk.calendarId, {
      title: 'Series',
      when: span('2026-06-01T09:00', 60, newYork),
      recurrence,
      ...fields,
    })
  /** Five mornings in New York, from Monday to Friday. */
  const week = (desk: Desk, fields: Fields = {}): Promise<Json> => create(desk, ['RRULE:FREQ=DAILY;COUNT=5'], fields)
  const remove = async (desk: Desk, id: string): Promise<void> =>
    void expectStatus(await desk.delete(`/events/${id}`, { calendar_id: desk.calendarId }), 200)
  const gone = async (desk: Desk, id: string): Promise<void> =>
    void expectStatus(await desk.get(`/events/${id}`, { calendar_id: desk.calendarId }), 404)

  describe('§20.4 a weekly series in New York', () => {
    test('keeps its local time in March and November, and its exact length', async () => {
      const desk = await office.newDesk()
      const spring = await create(desk, ['RRULE:FREQ=WEEKLY;COUNT=3'], { when: span('2026-03-01T09:00', 60, newYork) })
      const autumn = await create(desk, ['RRULE:FREQ=WEEKLY;COUNT=3'], { when: span('2026-10-25T22:00', 480, newYork) })
      const listed = await desk.list(desk.calendarId, whole)
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
      const desk = await office.newDesk()
      await create(desk, ['RRULE:FREQ=DAILY;COUNT=3'], { when: span('2026-03-07T02:30', 15, newYork) })
      expect(starts(await desk.list(desk.calendarId, whole), newYork)).toEqual([
        '2026-03-07T02:30',
        '2026-03-09T02:30',
        '2026-03-10T02:30',
      ])
    })

    test('repeats in UTC when it names no zone', async () => {
      const desk = await office.newDesk()
      await create(desk, ['RRULE:FREQ=WEEKLY;COUNT=2'], { when: span('2026-03-05T09:00', 60) })
      expect(starts(await desk.list(desk.calendarId, whole))).toEqual(['2026-03-05T09:00', '2026-03-12T09:00'])
    })

    test('repeats a point in time in the zone of the point', async () => {
      const desk = await office.newDesk()
      const when = { time: at('2026-03-07T09:00', newYork), timezone: newYork }
      await create(desk, ['RRULE:FREQ=DAILY;COUNT=2'], { when })
      const listed = await desk.list(desk.calendarId, whole)
      expect(listed.map((event) => event.when)).toEqual([
        { object: 'time', ...when },
        { object: 'time', time: at('2026-03-08T09:00', newYork), timezone: newYork },
      ])
      // The window of a point holds its start and not its end.
      const point = at('2026-03-08T09:00', newYork)
      expect(await desk.list(desk.calendarId, { start: point, end: point + 1 })).toHaveLength(1)
      expect(await desk.list(desk.calendarId, { start: point - 1, end: point })).toHaveLength(0)
    })
  })

  describe('reading', () => {
    test('an instance is an event of its own, with the fields of its series', async () => {
      const desk = await office.newDesk()
      const master = await week(desk, { description: 'D', location: 'L', participants: [{ email: 'ann@x.test' }] })
      expect(master.recurrence).toEqual(['RRULE:FREQ=DAILY;COUNT=5'])
      expect(master).not.toHaveProperty('master_event_id')
      const [, second] = await desk.list(desk.calendarId, whole)
      const { recurrence: _, ...rest } = master
      expect(second).toEqual({
        ...rest,
        id: instance(master, '2026-06-02T09:00', newYork),
        master_event_id: master.id,
        when: { object: 'timespan', ...span('2026-06-02T09:00', 60, newYork) },
      })
      expect(second).not.toHaveProperty('original_start_time')
      expect(await desk.read(desk.calendarId, second.id)).toEqual(second)
      expect(await desk.read(desk.calendarId, master.id)).toEqual(master)
    })

    test('an id whose slot is not of the series is not found', async () => {
      const desk = await office.newDesk()
      const master = await week(desk)
      const single = await desk.create(desk.calendarId, { when: span('2026-06-01T09:00') })
      await gone(desk, instance(master, '2026-06-06T09:00', newYork))
      await gone(desk, instance(master, '2026-06-02T09:01', newYork))
      await gone(desk, `${master.id}_20260602`)
      await gone(desk, `${master.id}_`)
      await gone(desk, instance(single, '2026-06-01T09:00'))
    })

    test('an instance that began before the window is in it while it lasts', async () => {
      const desk = await office.newDesk()
      await create(desk, ['RRULE:FREQ=DAILY;COUNT=3'], { when: span('2026-06-01T09:00', 180) })
      const listed = await desk.list(desk.calendarId, window('2026-06-02T11:00', '2026-06-02T11:30'))
      expect(starts(listed)).toEqual(['2026-06-02T09:00'])
      expect(await desk.list(desk.calendarId, window('2026-06-02T12:00', '2026-06-02T12:30'))).toEqual([])
      const long = await office.newDesk()
      await create(long, ['RRULE:FREQ=DAILY;COUNT=4'], { when: span('2026-06-01T09:00', 3 * 24 * 60) })
      const days = await long.listAll(long.calendarId, { ...window('2026-06-04T10:00', '2026-06-04T10:01'), limit: 1 })
      expect(starts(days)).toEqual(['2026-06-02T09:00', '2026-06-03T09:00', '2026-06-04T09:00'])
    })

    test('expand_recurring=false and import give masters and changed instances, not the others', async () => {
      const desk = await office.newDesk()
      const { calendarId } = desk
      const single = await desk.create(calendarId, { title: 'Single', when: span('2026-06-02T12:00') })
      const master = await week(desk)
      const over = await create(desk, ['RRULE:FREQ=DAILY;COUNT=2'], { when: span('2025-06-02T12:00') })
      const changed = await desk.change(calendarId, instance(master, '2026-06-03T09:00', newYork), { title: 'Changed' })
      const query = window('2026-06-01T00:00', '2026-06-30T00:00')
      const masters = await desk.list(calendarId, { ...query, expand_recurring: false })
      expect(masters).toEqual([master, single, changed])
      expect(await desk.list(calendarId, query)).toHaveLength(6)
      expect(await desk.list(calendarId, { ...query, expand_recurring: true })).toHaveLength(6)
      const imported = expectStatus(await desk.get('/events/import', { calendar_id: calendarId, ...query }), 200)
      expect(ids(imported.body.data).sort()).toEqual(ids(masters).sort())
      for (const limit of [1, 2, 500]) {
        const pages = await pagesOf(desk, '/events/import', { calendar_id: calendarId, ...query, limit })
        expect(ids(pages.flat()).sort()).toEqual(ids(masters).sort())
      }
      const paged = await desk.listAll(calendarId, { ...query, expand_recurring: false, limit: 1 })
      expect(ids(paged)).toEqual(ids(masters))
      const late = window('2026-06-03T00:00', '2026-06-03T23:00')
      expect(ids(await desk.list(calendarId, { ...late, expand_recurring: false }))).toEqual([master.id, changed.id])
      expect(ids(await desk.list(calendarId, { ...query, expand_recurring: false }))).not.toContain(over.id)
      expectRefusal(await desk.get('/events/import', query), /calendar_id/)
      expectStatus(await desk.get('/events/import', { ...query, calendar_id: 'unknown' }), 404)
    })

    test('master_event_id gives the instances of one series, changed ones too', async () => {
      const desk = await office.newDesk()
      const { calendarId } = desk
      const one = await week(desk, { title: 'One' })
      const two = await week(desk, { title: 'Two' })
      await desk.create(calendarId, { title: 'Single', when: span('2026-06-02T09:00') })
      // More changed instances of another series than a page holds.
      for (const date of ['2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04']) {
        await desk.change(calendarId, instance(one, `${date}T09:00`, newYork), { title: 'One, changed' })
      }
      await desk.change(calendarId, instance(two, '2026-06-04T09:00', newYork), {
        title: 'Two, changed',
        when: span('2026-06-02T20:00', 30),
      })
      const list = (query: Query) => desk.listAll(calendarId, { ...whole, ...query })
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
      expect(await list({ master_event_id: 'unknown' })).toEqual([])
    })

    test('filters look at instances and at masters, on every page', async () => {
      const desk = await office.newDesk()
      for (let index = 0; index < 6; index += 1) {
        await week(desk, { title: index === 4 ? 'Needle' : `Hay ${index}`, when: span(`2026-06-01T0${index}:00`) })
      }
      const list = (query: Query) => desk.listAll(desk.calendarId, { ...whole, ...query, title: 'needle' })
      for (const limit of [1, 2, 50]) {
        expect(titles(await list({ limit }))).toEqual(Array(5).fill('Needle'))
        expect(titles(await list({ limit, expand_recurring: false }))).toEqual(['Needle'])
      }
    })

    test('ical_uid gives the master and its changed instances, a page at a time', async () => {
      const desk = await office.newDesk()
      const master = await week(desk)
      const changed = await desk.change(desk.calendarId, instance(master, '2026-06-03T09:00', newYork), { title: 'X' })
      expect(changed.ical_uid).toBe(master.ical_uid)
      expect(ids(await desk.list(desk.calendarId, { ical_uid: master.ical_uid }))).toEqual([master.id, changed.id])
      const pages = await pagesOf(desk, '/events', {
        calendar_id: desk.calendarId,
        ical_uid: master.ical_uid,
        limit: 1,
      })
      expect(pages.map(ids)).toEqual([[master.id], [changed.id]])
    })

    test('the metadata of a series is that of its instances, unless they have their own', async () => {
      const desk = await office.newDesk()
      const master = await week(desk, { metadata: { key1: 'series' } })
      const own = instance(master, '2026-06-02T09:00', newYork)
      await desk.change(desk.calendarId, own, { metadata: { key1: 'own' } })
      await desk.change(desk.calendarId, instance(master, '2026-06-03T09:00', newYork), { title: 'Changed' })
      const of = async () => (await desk.list(desk.calendarId, whole)).map((event) => event.metadata.key1)
      expect(await of()).toEqual(['series', 'own', 'series', 'series', 'series'])
      await desk.change(desk.calendarId, master.id, { metadata: { key1: 'new' } })
      expect(await of()).toEqual(['new', 'own', 'new', 'new', 'new'])
      expect(ids(await desk.list(desk.calendarId, { metadata_pair: 'key1:own' }))).toEqual([own])
      expect(ids(await desk.list(desk.calendarId, { metadata_pair: 'key1:new' }))).toContain(master.id)
    })
  })

  describe('§20.4 one occurrence', () => {
    test('that is changed keeps its id, and follows its series in everything else', async () => {
      const desk = await office.newDesk()
      const master = await week(desk, { location: 'Room 1' })
      const id = instance(master, '2026-06-02T09:00', newYork)
      const changed = await desk.change(desk.calendarId, id, { title: 'Special' })
      expect(changed).toMatchObject({ id, master_event_id: master.id, title: 'Special', location: 'Room 1' })
      expect(changed).not.toHaveProperty('recurrence')
      await desk.change(desk.calendarId, master.id, { title: 'Renamed', location: 'Room 2', busy: false })
      const listed = await desk.list(desk.calendarId, whole)
      expect(titles(listed)).toEqual(['Renamed', 'Special', 'Renamed', 'Renamed', 'Renamed'])
      for (const event of listed) expect(event).toMatchObject({ location: 'Room 2', busy: false })
      expect((await desk.change(desk.calendarId, id, { location: 'Room 3' })).title).toBe('Special')
      expect(await desk.read(desk.calendarId, id)).toMatchObject({ title: 'Special', location: 'Room 3', busy: false })
      expectRefusal(
        await desk.put(`/events/${id}`, { recurrence: ['RRULE:FREQ=DAILY'] }, { calendar_id: desk.calendarId }),
        /recurrence/,
      )
    })

    test('that is sent back as it was read stays one like the others', async () => {
      const desk = await office.newDesk()
      const master = await week(desk)
      const id = instance(master, '2026-06-02T09:00', newYork)
      const read = await desk.read(desk.calendarId, id)
      for (const fields of [{}, read]) expect(await desk.change(desk.calendarId, id, fields)).toEqual(read)
      const masters = await desk.list(desk.calendarId, { ...whole, expand_recurring: false })
      expect(ids(masters)).toEqual([master.id])
    })

    test('that is changed has changed again when its series does', async () => {
      const desk = await office.newDesk()
      const master = await week(desk)
      const id = instance(master, '2026-06-02T09:00', newYork)
      const before = await desk.change(desk.calendarId, id, { title: 'Special' })
      office.clock.advance(5000)
      const series = await desk.change(desk.calendarId, master.id, { location: 'Room 2' })
      const after = await desk.read(desk.calendarId, id)
      expect(after).toMatchObject({ title: 'Special', location: 'Room 2', updated_at: series.updated_at })
      expect(after.sequence).toBeGreaterThanOrEqual(series.sequence)
      const since = await desk.list(desk.calendarId, { ...whole, updated_after: before.updated_at })
      expect(ids(since)).toContain(id)
    })

    test('that is moved is found where it is now, and not where it was', async () => {
      const desk = await office.newDesk()
      const master = await week(desk)
      const id = instance(master, '2026-06-02T09:00', newYork)
      await desk.change(desk.calendarId, id, { when: span('2026-07-15T10:00', 30) })
      const june = await desk.list(desk.calendarId, window('2026-06-01T00:00', '2026-06-30T00:00'))
      expect(starts(june, newYork)).toEqual(
        ['2026-06-01', '2026-06-03', '2026-06-04', '2026-06-05'].map((d) => `${d}T09:00`),
      )
      const july = await desk.list(desk.calendarId, window('2026-07-01T00:00', '2026-07-30T00:00'))
      expect(ids(july)).toEqual([id])
      const narrow = await desk.list(desk.calendarId, window('2026-07-15T10:29', '2026-07-15T10:30'))
      expect(ids(narrow)).toEqual([id])
      const only = await desk.list(desk.calendarId, {
        ...window('2026-07-01T00:00', '2026-07-30T00:00'),
        expand_recurring: false,
      })
      expect(ids(only)).toEqual([id])
      expect(ids(await desk.list(desk.calendarId, { ...whole, master_event_id: master.id }))).toHaveLength(5)
      await desk.change(desk.calendarId, id, { when: span('2026-06-05T20:00', 30) })
      expect(ids(await desk.list(desk.calendarId, whole)).at(-1)).toBe(id)
    })

    test('that is deleted is in EXDATE, is found no more, and cannot be deleted again', async () => {
      const desk = await office.newDesk()
      const master = await week(desk)
      const plain = instance(master, '2026-06-02T09:00', newYork)
      const changed = instance(master, '2026-06-03T09:00', newYork)
      await desk.change(desk.calendarId, changed, { title: 'Changed', when: span('2026-06-20T09:00') })
      await remove(desk, plain)
      await remove(desk, changed)
      for (const id of [plain, changed]) {
        await gone(desk, id)
        expectStatus(await desk.delete(`/events/${id}`), 404)
        expectStatus(await desk.put(`/events/${id}`, { title: 'x' }), 404)
      }
      expect((await desk.read(desk.calendarId, master.id)).recurrence).toEqual([
        'RRULE:FREQ=DAILY;COUNT=5',
        'EXDATE:20260602T130000Z,20260603T130000Z',
      ])
      // COUNT counts what EXDATE takes away.
      expect(starts(await desk.list(desk.calendarId, whole), newYork)).toEqual(
        ['2026-06-01', '2026-06-04', '2026-06-05'].map((date) => `${date}T09:00`),
      )
    })

    test('may be the first, the last, and at the end every one', async () => {
      const desk = await office.newDesk()
      const master = await week(desk)
      for (const date of ['2026-06-01', '2026-06-05', '2026-06-02', '2026-06-03', '2026-06-04']) {
        await remove(desk, instance(master, `${date}T09:00`, newYork))
      }
      expect(await desk.list(desk.calendarId, whole)).toEqual([])
      expect((await desk.read(desk.calendarId, master.id)).id).toBe(master.id)
      await remove(desk, master.id)
      await gone(desk, master.id)
    })

    test('is changed and deleted beside others at the same time, and nothing is lost', async () => {
      const desk = await office.newDesk()
      const master = await create(desk, ['RRULE:FREQ=DAILY;COUNT=20'])
      const [first, ...others] = ids(await desk.list(desk.calendarId, whole))
      await Promise.all([
        ...others.slice(0, 9).map((id) => remove(desk, id)),
        ...others.slice(9, 18).map((id) => desk.change(desk.calendarId, id, { title: 'Changed' })),
        desk.change(desk.calendarId, master.id, { location: 'Room' }),
      ])
      const left = await desk.list(desk.calendarId, whole)
      expect(ids(left)).toEqual([first, ...others.slice(9)])
      expect(titles(left)).toEqual(['Series', ...Array(9).fill('Changed'), 'Series'])
      for (const event of left) expect(event.location).toBe('Room')
    })

    test('is gone with its series', async () => {
      const desk = await office.newDesk()
      const master = await week(desk)
      const id = instance(master, '2026-06-02T09:00', newYork)
      await desk.change(desk.calendarId, id, { title: 'Changed' })
      await remove(desk, master.id)
      await gone(desk, id)
      expect(await desk.list(desk.calendarId, whole)).toEqual([])
      expect(await desk.list(desk.calendarId, { ical_uid: master.ical_uid })).toEqual([])
    })
  })

  describe('§20.4 a change of the whole series', () => {
    /** A week with its Tuesday deleted, its Wednesday renamed and its Thursday moved to the evening. */
    async function exceptional(desk: Desk): Promise<Json> {
      const master = await week(desk)
      await remove(desk, instance(master, '2026-06-02T09:00', newYork))
      await desk.change(desk.calendarId, instance(master, '2026-06-03T09:00', newYork), { title: 'Renamed' })
      await desk.change(desk.calendarId, instance(master, '2026-06-04T09:00', newYork), {
        title: 'Moved',
        when: span('2026-06-04T20:00', 30, newYork),
      })
      return master
    }
    const seen = async (desk: Desk): Promise<string[]> =>
      (await desk.list(desk.calendarId, whole)).map((event) => `${wall(event.when.start_time, newYork)} ${event.title}`)

    test('of its time keeps deletions, and its changed instances go with it', async () => {
      const desk = await office.newDesk()
      const master = await exceptional(desk)
      await desk.change(desk.calendarId, master.id, { when: span('2026-06-01T11:00', 60, newYork) })
      expect(await seen(desk)).toEqual([
        '2026-06-01T11:00 Series',
        '2026-06-03T11:00 Renamed',
        '2026-06-04T20:00 Moved',
        '2026-06-05T11:00 Series',
      ])
      await gone(desk, instance(master, '2026-06-02T11:00', newYork))
      await gone(desk, instance(master, '2026-06-03T09:00', newYork))
      expect((await desk.read(desk.calendarId, instance(master, '2026-06-03T11:00', newYork))).title).toBe('Renamed')
      expect((await desk.read(desk.calendarId, master.id)).recurrence[1]).toBe('EXDATE:20260602T150000Z')
    })

    test('of its time together with the lines that it had keeps deletions and its last occurrence', async () => {
      const desk = await office.newDesk()
      const master = await exceptional(desk)
      const until = 'RRULE:FREQ=DAILY;UNTIL=20260605T130000Z'
      await desk.change(desk.calendarId, master.id, { recurrence: [until, 'EXDATE:20260602T130000Z'] })
      const { recurrence } = await desk.read(desk.calendarId, master.id)
      // Clients read an event, change one field, and send all of them back.
      const later = await desk.change(desk.calendarId, master.id, {
        when: span('2026-06-01T11:00', 60, newYork),
        recurrence: recurrence.map((line: string) => line.toLowerCase()),
      })
      expect(later.recurrence).toEqual(['RRULE:FREQ=DAILY;UNTIL=20260605T150000Z', 'EXDATE:20260602T150000Z'])
      expect(await seen(desk)).toEqual([
        '2026-06-01T11:00 Series',
        '2026-06-03T11:00 Renamed',
        '2026-06-04T20:00 Moved',
        '2026-06-05T11:00 Series',
      ])
    })

    test('of its time and its rule keeps the deletions that are sent back', async () => {
      const desk = await office.newDesk()
      const master = await exceptional(desk)
      const changed = await desk.change(desk.calendarId, master.id, {
        when: span('2026-06-01T11:00', 60, newYork),
        // The one that was read, and one for the new time.
        recurrence: ['RRULE:FREQ=DAILY;COUNT=6', 'EXDATE:20260602T130000Z', 'EXDATE:20260605T150000Z'],
      })
      expect(changed.recurrence[1]).toBe('EXDATE:20260602T150000Z,20260605T150000Z')
      expect(await seen(desk)).toEqual([
        '2026-06-01T11:00 Series',
        '2026-06-03T11:00 Renamed',
        '2026-06-04T20:00 Moved',
        '2026-06-06T11:00 Series',
      ])
    })

    test('of its zone keeps deletions and changed instances', async () => {
      const desk = await office.newDesk()
      const master = await exceptional(desk)
      await desk.change(desk.calendarId, master.id, { when: span('2026-06-01T09:00', 60, 'Europe/Berlin') })
      const listed = await desk.list(desk.calendarId, whole)
      expect(starts(listed, 'Europe/Berlin')).toEqual([
        '2026-06-01T09:00',
        '2026-06-03T09:00',
        '2026-06-05T02:00',
        '2026-06-05T09:00',
      ])
      expect(titles(listed)).toEqual(['Series', 'Renamed', 'Moved', 'Series'])
    })

    test('of its length makes its renamed instances as long, and finds them', async () => {
      const desk = await office.newDesk()
      const master = await exceptional(desk)
      await desk.change(desk.calendarId, master.id, { when: span('2026-06-01T09:00', 600, newYork) })
      const listed = await desk.list(desk.calendarId, {
        start: at('2026-06-03T18:30', newYork),
        end: at('2026-06-03T18:31', newYork),
      })
      expect(titles(listed)).toEqual(['Renamed'])
    })

    test('to end earlier drops the changed instances after the end', async () => {
      const desk = await office.newDesk()
      const master = await exceptional(desk)
      const until = 'RRULE:FREQ=DAILY;UNTIL=20260603T130000Z'
      await desk.change(desk.calendarId, master.id, { recurrence: [until, 'EXDATE:20260602T130000Z'] })
      expect(await seen(desk)).toEqual(['2026-06-01T09:00 Series', '2026-06-03T09:00 Renamed'])
      await gone(desk, instance(master, '2026-06-04T09:00', newYork))
      // They do not come back with a later end.
      await desk.change(desk.calendarId, master.id, { recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] })
      expect(await seen(desk)).toEqual([
        '2026-06-01T09:00 Series',
        '2026-06-02T09:00 Series',
        '2026-06-03T09:00 Renamed',
        '2026-06-04T09:00 Series',
      ])
    })

    test('of its rule keeps the changed instances that the new rule still has', async () => {
      const desk = await office.newDesk()
      const master = await exceptional(desk)
      await desk.change(desk.calendarId, master.id, { recurrence: ['RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3'] })
      expect(await seen(desk)).toEqual([
        '2026-06-01T09:00 Series',
        '2026-06-03T09:00 Renamed',
        '2026-06-05T09:00 Series',
      ])
    })

    test('to a single event drops its instances, and the event is found as one', async () => {
      for (const recurrence of [[], null]) {
        const desk = await office.newDesk()
        const master = await exceptional(desk)
        const single = await desk.change(desk.calendarId, master.id, { recurrence })
        expect(single).not.toHaveProperty('recurrence')
        expect(await seen(desk)).toEqual(['2026-06-01T09:00 Series'])
        await gone(desk, instance(master, '2026-06-01T09:00', newYork))
        const late = await desk.list(desk.calendarId, {
          start: at('2026-06-01T09:59', newYork),
          end: at('2026-06-01T10:10', newYork),
        })
        expect(ids(late)).toEqual([master.id])
      }
    })

    test('from a single event loses the metadata, unless new ones come with it', async () => {
      const desk = await office.newDesk()
      const make = () =>
        desk.create(desk.calendarId, { when: span('2026-06-01T09:00'), metadata: { key1: 'single', note: 'x' } })
      const one = await make()
      const recurrence = ['RRULE:FREQ=DAILY;COUNT=2']
      expect((await desk.change(desk.calendarId, one.id, { recurrence })).metadata).toEqual({})
      expect(await desk.list(desk.calendarId, { metadata_pair: 'key1:single' })).toEqual([])
      expect(await desk.list(desk.calendarId, whole)).toHaveLength(2)
      const two = await make()
      const changed = await desk.change(desk.calendarId, two.id, { recurrence, metadata: { key1: 'series' } })
      expect(changed.metadata).toEqual({ key1: 'series' })
      // A series that stays one keeps them.
      const again = await desk.change(desk.calendarId, two.id, { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
      expect(again.metadata).toEqual({ key1: 'series' })
    })

    test('between hours and whole days needs the rule', async () => {
      const desk = await office.newDesk()
      const master = await week(desk)
      const path = `/events/${master.id}`
      expectRefusal(await desk.put(path, { when: { date: '2026-06-01' } }), /recurrence/)
      const changed = await desk.change(desk.calendarId, master.id, {
        when: { date: '2026-06-01' },
        recurrence: ['RRULE:FREQ=DAILY;COUNT=2'],
      })
      expect(changed.when).toEqual({ object: 'date', date: '2026-06-01' })
      expect(starts(await desk.list(desk.calendarId, whole))).toEqual(['2026-06-01', '2026-06-02'])
    })

    test('that is refused changes nothing', async () => {
      const desk = await office.newDesk()
      const master = await exceptional(desk)
      const before = await desk.list(desk.calendarId, whole)
      for (const fields of [
        { title: 'No', recurrence: ['RRULE:FREQ=HOURLY'] },
        { title: 'No', recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=SU'] },
        { title: 'No', when: { time: 1, date: '2026-01-01' } },
      ]) {
        expectRefusal(await desk.put(`/events/${master.id}`, fields))
      }
      expect(await desk.list(desk.calendarId, whole)).toEqual(before)
    })
  })

  describe('a series of whole days', () => {
    test('is computed on dates, in whatever zone its calendar is', async () => {
      for (const timezone of ['UTC', 'Pacific/Auckland', newYork]) {
        const desk = await office.newDesk({ timezone })
        const master = await desk.create(desk.calendarId, {
          when: { start_date: '2026-03-06', end_date: '2026-03-07' },
          recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'],
        })
        const listed = await desk.list(desk.calendarId, whole)
        expect(listed.map((event) => event.when)).toEqual([
          { object: 'datespan', start_date: '2026-03-06', end_date: '2026-03-07' },
          { object: 'datespan', start_date: '2026-03-13', end_date: '2026-03-14' },
          { object: 'datespan', start_date: '2026-03-20', end_date: '2026-03-21' },
        ])
        expect(ids(listed)).toEqual(['20260306', '20260313', '20260320'].map((date) => `${master.id}_${date}`))
        const late = { start: at('2026-03-14T23:00', timezone), end: at('2026-03-14T23:30', timezone) }
        expect(ids(await desk.list(desk.calendarId, late))).toEqual([`${master.id}_20260313`])
        const after = { start: at('2026-03-15T00:00', timezone), end: at('2026-03-15T00:30', timezone) }
        expect(await desk.list(desk.calendarId, after)).toEqual([])
      }
    })

    test('has its occurrences deleted, changed and moved by date', async () => {
      const desk = await office.newDesk({ timezone: newYork })
      const master = await desk.create(desk.calendarId, {
        title: 'Day',
        when: { date: '2026-06-01' },
        recurrence: ['RRULE:FREQ=DAILY;COUNT=5', 'EXDATE;VALUE=DATE:20260605'],
      })
      await remove(desk, `${master.id}_20260602`)
      await desk.change(desk.calendarId, `${master.id}_20260603`, { title: 'Other' })
      await desk.change(desk.calendarId, `${master.id}_20260604`, { title: 'Away', when: { date: '2026-06-10' } })
      expect((await desk.read(desk.calendarId, master.id)).recurrence).toEqual([
        'RRULE:FREQ=DAILY;COUNT=5',
        'EXDATE;VALUE=DATE:20260602,20260605',
      ])
      const listed = await desk.list(desk.calendarId, whole)
      expect(starts(listed)).toEqual(['2026-06-01', '2026-06-03', '2026-06-10'])
      await desk.put(`/calendars/${desk.calendarId}`, { timezone: 'Pacific/Auckland' })
      expect(await desk.list(desk.calendarId, whole)).toEqual(listed)
      // One day later: what had been changed goes with its slot.
      await desk.change(desk.calendarId, master.id, { when: { date: '2026-06-02' } })
      expect(titles(await desk.list(desk.calendarId, whole)).sort()).toContain('Other')
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
      const desk = await office.newDesk()
      const master = await create(desk, recurrence)
      expect(master.recurrence).toEqual(lines)
      expect(starts(await desk.list(desk.calendarId, whole), newYork)).toEqual(dates.map((date) => `${date}T09:00`))
      // What is answered can be sent back and means the same.
      expect((await desk.change(desk.calendarId, master.id, { recurrence: lines })).recurrence).toEqual(lines)
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

    test.each(refused)('%s is refused at once', async (_, recurrence, message) => {
      const desk = await office.newDesk()
      const began = performance.now()
      const answer = await desk.post(
        '/events',
        { when: span('2026-06-01T09:00', 60, newYork), recurrence },
        { calendar_id: desk.calendarId },
      )
      expect(performance.now() - began).toBeLessThan(1500)
      expectRefusal(answer, message)
      expect(await desk.list(desk.calendarId, whole)).toEqual([])
    })

    test('whose occurrences would all go on at once are refused, when they are made and when they grow', async () => {
      const desk = await office.newDesk()
      const years = { start_time: at('2026-06-01T09:00', newYork), end_time: at('2056-06-01T09:00', newYork) }
      const post = (fields: Fields) => desk.post('/events', fields, { calendar_id: desk.calendarId })
      expectRefusal(await post({ when: years, recurrence: ['RRULE:FREQ=DAILY'] }), /overlap/)
      const days = { start_date: '2026-06-01', end_date: '2056-06-01' }
      expectRefusal(await post({ when: days, recurrence: ['RRULE:FREQ=DAILY'] }), /overlap/)
      expectStatus(await post({ when: years, recurrence: ['RRULE:FREQ=YEARLY'] }), 200)
      const { id } = await create(desk, ['RRULE:FREQ=DAILY'])
      expectRefusal(await desk.put(`/events/${id}`, { when: years }), /overlap/)
    })

    test('reach the last day of the year 9999 and no further', async () => {
      const desk = await office.newDesk()
      const last = await desk.create(desk.calendarId, { when: { date: '9999-12-31' } })
      expect((await desk.read(desk.calendarId, last.id)).when).toEqual({ object: 'date', date: '9999-12-31' })
      await desk.create(desk.calendarId, {
        when: { start_date: '9999-12-28', end_date: '9999-12-30' },
        recurrence: ['RRULE:FREQ=DAILY'],
      })
      await desk.create(desk.calendarId, {
        when: span('9999-12-29T12:00', 24 * 60),
        recurrence: ['RRULE:FREQ=DAILY'],
      })
      const listed = await desk.list(desk.calendarId, window('9999-12-27T00:00', '9999-12-31T23:59'))
      expect(starts(listed)).toEqual(['9999-12-28', '9999-12-29', '9999-12-29T12:00', '9999-12-30T12:00', '9999-12-31'])
    })

    test('that begin at the beginning of time or go on for ever are read at once', async () => {
      const desk = await office.newDesk()
      await desk.create(desk.calendarId, { when: { date: '0001-01-01' }, recurrence: ['RRULE:FREQ=DAILY'] })
      await desk.create(desk.calendarId, {
        when: span('2000-01-01T09:00', 60, newYork),
        recurrence: [`RRULE:FREQ=DAILY;BYHOUR=${long};BYMINUTE=0,30`, 'EXDATE:20000101T140000Z'],
      })
      const began = performance.now()
      const page = await desk.get('/events', {
        calendar_id: desk.calendarId,
        ...window('2026-06-01T00:00', '2026-07-01T00:00'),
      })
      expect(page.status).toBe(200)
      expect(page.body.data).toHaveLength(50)
      const all = await desk.listAll(desk.calendarId, { ...window('2026-06-01T00:00', '2026-06-08T00:00'), limit: 200 })
      // Seven days, every half hour, and the hour that began before.
      expect(all).toHaveLength(7 + 7 * 48 + 1)
      expect(performance.now() - began).toBeLessThan(3000)
      // More than a request may cost is refused with advice, not answered in part.
      await desk.create(desk.calendarId, {
        when: span('2000-01-01T09:00', 60, newYork),
        recurrence: [`RRULE:FREQ=DAILY;BYHOUR=${long};BYMINUTE=0,30`],
      })
      const wide = { calendar_id: desk.calendarId, ...window('2026-01-01T00:00', '2027-12-01T00:00') }
      const answer = await desk.get('/events', { ...wide, title: 'never' })
      expectRefusal(answer, /shorter/)
      expect(performance.now() - began).toBeLessThan(8000)
    })

    test('of an all-day series take dates and no hours', async () => {
      const desk = await office.newDesk()
      const post = (recurrence: string[]) =>
        desk.post('/events', { when: { date: '2026-06-01' }, recurrence }, { calendar_id: desk.calendarId })
      expectRefusal(await post(['RRULE:FREQ=DAILY;BYHOUR=9']), /BYHOUR/)
      expectRefusal(await post(['RRULE:FREQ=DAILY', 'EXDATE:20260602T090000Z']), /EXDATE/)
      const made = await post(['RRULE:FREQ=DAILY;UNTIL=20260603', 'EXDATE:20260602'])
      expect(expectStatus(made, 200).body.data.recurrence).toEqual([
        'RRULE:FREQ=DAILY;UNTIL=20260603',
        'EXDATE;VALUE=DATE:20260602',
      ])
      expect(starts(await desk.list(desk.calendarId, whole))).toEqual(['2026-06-01', '2026-06-03'])
    })
  })

  test('cursors go through instances and single events together, whatever happens meanwhile', async () => {
    const desk = await office.newDesk()
    const { calendarId } = desk
    const master = await create(desk, ['RRULE:FREQ=DAILY;COUNT=10'], { when: span('2026-06-01T09:00') })
    const singles: Json[] = []
    for (let index = 1; index <= 9; index += 1) {
      singles.push(await desk.create(calendarId, { title: `Single ${index}`, when: span(`2026-06-0${index}T09:00`) }))
    }
    const query = { calendar_id: calendarId, ...whole, limit: 4 }
    const first = expectStatus(await desk.get('/events', query), 200).body
    expect(first.data).toHaveLength(4)
    await remove(desk, instance(master, '2026-06-01T09:00'))
    await remove(desk, instance(master, '2026-06-05T09:00'))
    await desk.change(calendarId, instance(master, '2026-06-06T09:00'), { when: span('2026-06-01T20:00') })
    await desk.change(calendarId, instance(master, '2026-06-07T09:00'), { title: 'Renamed' })
    await remove(desk, singles[7].id)
    const rest: Json[] = []
    for (let token = first.next_cursor; token !== undefined; ) {
      const next = expectStatus(await desk.get('/events', { ...query, page_token: token }), 200).body
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
