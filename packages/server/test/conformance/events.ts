/** Events as a client sees them, for every provider. */
import ICAL from 'ical.js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  accountOf,
  at,
  expectRefusal,
  expectStatus,
  type Fields,
  ids,
  type Json,
  pagesOf,
  type Query,
  span,
  startOf,
  titles,
  wall,
} from './accounts.ts'
import type { Lack, OpenSubject, Subject } from './subject.ts'

const zone = 'America/New_York'

/** The occurrences of a series in the pages of an export, as ical.js reads them. */
function exportedDays(texts: readonly string[], uid: string): { days: string[]; special: number } {
  const calendars = texts.map((text) => new ICAL.Component(ICAL.parse(text)))
  for (const each of calendars.flatMap((calendar) => calendar.getAllSubcomponents('vtimezone'))) {
    ICAL.TimezoneService.register(new ICAL.Timezone(each))
  }
  const components = calendars.flatMap((calendar) => calendar.getAllSubcomponents('vevent'))
  const events = components.map((component) => new ICAL.Event(component)).filter((event) => event.uid === uid)
  const masters = events.filter((event) => !event.isRecurrenceException())
  const [master] = masters
  if (!master || masters.length > 1) throw new Error(`${masters.length} series`)
  for (const event of events) if (event.isRecurrenceException()) master.relateException(event)
  const days: string[] = []
  let special = 0
  const iterator = master.iterator()
  for (let next = iterator.next(); next; next = iterator.next()) {
    const { item, startDate } = master.getOccurrenceDetails(next)
    if (item.component.getFirstPropertyValue('status') === 'CANCELLED') continue
    days.push(wall(startDate.toUnixTime(), zone))
    if (item.summary === 'Special') special += 1
  }
  return { days, special }
}

export function describeEvents(subject: Subject): void {
  const lacks = (lack: Lack): boolean => subject.lacks?.includes(lack) ?? false

  describe(`events of ${subject.name}`, () => {
    let open: OpenSubject
    let account: Account
    let calendarId: string
    const made: string[] = []
    beforeAll(async () => {
      open = await subject.open()
      account = accountOf(open.call, open)
      calendarId = open.calendarId
    })
    // Each test leaves the calendar empty.
    afterEach(async () => {
      for (const id of made.splice(0)) await account.delete(path(id), silent())
    })
    afterAll(() => open[Symbol.asyncDispose]())

    const path = (id: string): string => `/events/${encodeURIComponent(id)}`
    const silent = (): Query => ({ calendar_id: calendarId, notify_participants: false })
    const create = async (fields: Fields): Promise<Json> => {
      const event = await account.create(calendarId, fields, { notify_participants: false })
      made.push(event.id)
      return event
    }
    const change = (id: string, fields: Fields): Promise<Json> =>
      account.change(calendarId, id, fields, { notify_participants: false })
    const june: Query = { start: at('2026-06-01T00:00'), end: at('2026-07-01T00:00') }
    const list = (query: Query = {}): Promise<Json[]> => account.listAll(calendarId, { ...june, ...query })
    const isGone = async (id: string): Promise<void> => {
      const answer = await account.get(path(id), { calendar_id: calendarId })
      // Some providers keep deleted events for a while, marked as cancelled.
      if (answer.status === 200) expect(answer.body.data.status).toBe('cancelled')
      else expectStatus(answer, 404)
    }

    describe('a single one', () => {
      test('has every field that clients rely on, and is read as it was created', async () => {
        const event = await create({
          title: 'Meeting',
          description: 'Plan',
          location: 'Room',
          when: span('2026-06-02T09:00'),
        })
        expect(event).toMatchObject({
          id: expect.stringMatching(/./),
          object: 'event',
          grant_id: open.grantId,
          calendar_id: calendarId,
          title: 'Meeting',
          description: expect.stringContaining('Plan'),
          location: 'Room',
          busy: true,
          status: 'confirmed',
          participants: [],
          read_only: false,
          when: { object: 'timespan', start_time: at('2026-06-02T09:00'), end_time: at('2026-06-02T10:00') },
        })
        expect(event.ical_uid).toMatch(/./)
        expect(event).not.toHaveProperty('recurrence')
        const read = await account.read(calendarId, event.id)
        expect(read).toMatchObject({ id: event.id, title: 'Meeting', when: event.when, ical_uid: event.ical_uid })
        expect(await list()).toEqual([read])
      })

      test('has its description as plain text too, which is read-only', async () => {
        const event = await create({
          title: 'Described',
          description: '<p>Bring the <b>plan</b>,</p><p>Ann &amp; Bob</p>',
          when: span('2026-06-02T09:00'),
        })
        expect(event.text_description).toMatch(/^Bring the plan,\n+Ann & Bob$/)
        expect(event.text_description).not.toMatch(/[<>]/)
        const read = await account.read(calendarId, event.id)
        expect(read.text_description).toBe(event.text_description)
        expect(await list()).toEqual([read])
        expect(await list({ select: 'text_description' })).toEqual([{ text_description: event.text_description }])
        const changed = await account.put(path(event.id), { title: 'Other', text_description: 'Mine' }, silent())
        expectStatus(changed, 200)
        expect(changed.headers.get('x-ignored-fields')).toContain('text_description')
        expect(changed.body.data.text_description).toBe(event.text_description)
        expect(await change(event.id, { description: null })).toMatchObject({ text_description: null })
        const plain = await create({ title: 'Bare', when: span('2026-06-03T09:00') })
        expect(plain).toMatchObject({ description: null, text_description: null })
      })

      const days: [string, Fields, Fields][] = [
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
      ]
      test.each(days)('can be %s', async (_, when, expected) => {
        const { id } = await create({ title: 'Away', when })
        expect((await account.read(calendarId, id)).when).toEqual(expected)
      })

      test('can be a span in a time zone', async () => {
        const { id } = await create({ when: span('2026-06-02T09:00', 60, zone) })
        expect((await account.read(calendarId, id)).when).toMatchObject({
          object: 'timespan',
          start_time: at('2026-06-02T09:00', zone),
          end_time: at('2026-06-02T10:00', zone),
        })
      })

      test('can be a point in time', async () => {
        const time = at('2026-06-02T09:00')
        const { id } = await create({ when: { time } })
        const { when } = await account.read(calendarId, id)
        expect(when).toMatchObject(
          lacks('points-in-time') ? { object: 'timespan', start_time: time, end_time: time } : { object: 'time', time },
        )
      })

      const wrong: [string, Fields][] = [
        ['no time', {}],
        ['two forms of a time', { when: { time: 1_780_000_000, date: '2026-06-03' } }],
        ['half a span', { when: { start_time: 1_780_000_000 } }],
        ['one zone of two', { when: { start_time: 1_780_000_000, end_time: 1_780_000_001, start_timezone: zone } }],
        ['a zone that is none', { when: { time: 1_780_000_000, timezone: 'Mars/Olympus' } }],
        ['milliseconds', { when: { time: 1_780_000_000_000 } }],
        ['an end before its start', { when: { start_time: 1_780_000_001, end_time: 1_780_000_000 } }],
        ['a rule within the day', { when: span('2026-06-02T09:00'), recurrence: ['RRULE:FREQ=SECONDLY'] }],
        ['a rule that is none', { when: span('2026-06-02T09:00'), recurrence: ['every day'] }],
      ]
      test.each(wrong)('with %s is refused', async (_, fields) => {
        expectRefusal(await account.post('/events', fields, silent()))
        expect(await list()).toEqual([])
      })

      test('requires an existing calendar', async () => {
        const body = { when: span('2026-06-02T09:00') }
        expectRefusal(await account.post('/events', body), /calendar_id/)
        expectStatus(await account.post('/events', body, { calendar_id: 'no-such-calendar' }), 404)
      })

      test('is changed in part, with lists replaced', async () => {
        const { id } = await create({
          title: 'Meeting',
          location: 'Room 1',
          when: span('2026-06-02T09:00'),
          participants: [{ email: 'ann@example.com', name: 'Ann' }, { email: 'bob@example.com' }],
        })
        await change(id, { title: 'Renamed' })
        const renamed = await account.read(calendarId, id)
        expect(renamed).toMatchObject({ title: 'Renamed', location: 'Room 1' })
        const emails = (event: Json): string[] => event.participants.map((one: Json) => one.email.toLowerCase()).sort()
        expect(emails(renamed)).toEqual(['ann@example.com', 'bob@example.com'])
        expect(renamed.participants.every((one: Json) => one.status === 'noreply')).toBe(true)
        await change(id, { when: span('2026-06-04T10:00', 30) })
        const moved = await account.read(calendarId, id)
        expect(moved.when).toMatchObject({ start_time: at('2026-06-04T10:00'), end_time: at('2026-06-04T10:30') })
        expect(moved.title).toBe('Renamed')
        await change(id, { participants: [{ email: 'bob@example.com' }] })
        expect(emails(await account.read(calendarId, id))).toEqual(['bob@example.com'])
        await change(id, { participants: [] })
        expect((await account.read(calendarId, id)).participants).toEqual([])
      })

      test.skipIf(lacks('busy'))('can be free', async () => {
        const { id } = await create({ when: span('2026-06-02T09:00'), busy: false })
        expect((await account.read(calendarId, id)).busy).toBe(false)
        await change(id, { busy: true })
        expect((await account.read(calendarId, id)).busy).toBe(true)
      })

      test.skipIf(lacks('visibility'))('can be private', async () => {
        const { id } = await create({ when: span('2026-06-02T09:00'), visibility: 'private' })
        expect((await account.read(calendarId, id)).visibility).toBe('private')
      })

      test.skipIf(lacks('conferencing'))('can have a conference', async () => {
        const conferencing = { provider: 'Zoom Meeting', details: { url: 'https://zoom.example/1' } }
        const { id } = await create({ when: span('2026-06-02T09:00'), conferencing })
        expect((await account.read(calendarId, id)).conferencing).toMatchObject(conferencing)
        await change(id, { conferencing: {} })
        expect(await account.read(calendarId, id)).not.toHaveProperty('conferencing')
      })

      test('is deleted once', async () => {
        const { id } = await create({ when: span('2026-06-02T09:00') })
        expectStatus(await account.delete(path(id), silent()), 200)
        await isGone(id)
        expectStatus(await account.delete(path(id), silent()), 404)
        expect(await list()).toEqual([])
      })

      test('that does not exist is not found', async () => {
        const nowhere = path('nosuchevent')
        expectStatus(await account.get(nowhere, { calendar_id: calendarId }), 404)
        expectStatus(await account.put(nowhere, { title: 'x' }, silent()), 404)
        expectStatus(await account.delete(nowhere, silent()), 404)
      })

      test('has metadata, which is replaced as a whole and can be filtered by', async () => {
        const { id } = await create({ when: span('2001-01-01T09:00'), metadata: { key1: 'one', note: 'x' } })
        const find = async (pair: string) => ids(await account.listAll(calendarId, { metadata_pair: pair }))
        expect((await account.read(calendarId, id)).metadata).toEqual({ key1: 'one', note: 'x' })
        expect(await find('key1:one')).toEqual([id])
        await change(id, { title: 'Renamed' })
        expect(await find('key1:one')).toEqual([id])
        await change(id, { metadata: { key2: 'two' } })
        expect(await find('key1:one')).toEqual([])
        expect((await account.read(calendarId, id)).metadata).toEqual({ key2: 'two' })
        for (const other of ['title', 'start', 'end', 'updated_after', 'updated_before', 'master_event_id']) {
          const both = { calendar_id: calendarId, metadata_pair: 'key2:two', [other]: 1 }
          expectRefusal(await account.get('/events', both), `metadata_pair: cannot be combined with ${other}`)
        }
      })
    })

    describe('a list', () => {
      test('contains the events that overlap the window, sorted by start', async () => {
        for (const [title, start, minutes] of [
          ['touches the end', '2026-06-03T12:00', 60],
          ['reaches out', '2026-06-03T11:30', 60],
          ['inside', '2026-06-03T10:30', 30],
          ['around', '2026-06-03T08:00', 600],
          ['reaches in', '2026-06-03T09:30', 60],
          ['touches the start', '2026-06-03T09:00', 60],
        ] as const) {
          await create({ title, when: span(start, minutes) })
        }
        const window = { start: at('2026-06-03T10:00'), end: at('2026-06-03T12:00') }
        expect(titles(await list(window))).toEqual(['around', 'reaches in', 'inside', 'reaches out'])
        expectRefusal(await account.get('/events', { calendar_id: calendarId, start: 2000, end: 1000 }))
        expectRefusal(await account.get('/events', june), /calendar_id/)
        expectStatus(await account.get('/events', { ...june, calendar_id: 'no-such-calendar' }), 404)
      })

      test('in pages contains each event once', async () => {
        for (let day = 1; day <= 7; day += 1) await create({ title: `Day ${day}`, when: span(`2026-06-0${day}T09:00`) })
        await create({ title: 'Series', when: span('2026-06-01T12:00'), recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] })
        const whole = await list()
        expect(whole).toHaveLength(11)
        const starts = whole.map(startOf)
        expect(starts).toEqual(starts.toSorted())
        for (const limit of [1, 3, 11]) {
          const pages = await pagesOf(account, '/events', { calendar_id: calendarId, ...june, limit })
          expect(ids(pages.flat())).toEqual(ids(whole))
          for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit)
        }
        const first = await account.get('/events', { calendar_id: calendarId, ...june, limit: 1 })
        const other = { calendar_id: calendarId, ...june, title: 'Day', page_token: first.body.next_cursor }
        expectRefusal(await account.get('/events', other), /page_token/)
      })

      test('finds whole words of titles', async () => {
        await create({ title: 'Company March Meeting', when: span('2026-06-02T09:00') })
        await create({ title: 'abcMarch123', when: span('2026-06-03T09:00') })
        expect(titles(await list({ title: 'march' }))).toEqual(['Company March Meeting'])
        expect(await list({ title: 'april' })).toEqual([])
      })

      test('returns the selected fields', async () => {
        await create({ title: 'Short', when: span('2026-06-02T09:00') })
        expect(await list({ select: 'title' })).toEqual([{ title: 'Short' }])
      })

      test.skipIf(lacks('attendees-filter'))('finds events by all of the attendees', async () => {
        const guests = (...names: string[]) => ({
          participants: names.map((name) => ({ email: `${name}@example.com` })),
        })
        await create({ title: 'Both', when: span('2026-06-02T09:00'), ...guests('ann', 'bob') })
        await create({ title: 'One', when: span('2026-06-03T09:00'), ...guests('ann') })
        expect(titles(await list({ attendees: 'ann@example.com' }))).toEqual(['Both', 'One'])
        expect(titles(await list({ attendees: 'ann@example.com,bob@example.com' }))).toEqual(['Both'])
      })

      test.skipIf(lacks('ical-uid-filter'))('finds events by only their UID', async () => {
        const event = await create({ title: 'Known', when: span('2026-06-02T09:00') })
        await create({ title: 'Other', when: span('2026-06-02T09:00') })
        const find = (query: Query) => account.get('/events', { calendar_id: calendarId, ...query })
        expect(ids((await find({ ical_uid: event.ical_uid })).body.data)).toEqual([event.id])
        expectRefusal(await find({ ical_uid: event.ical_uid, title: 'Known' }), /ical_uid/)
      })

      test.skipIf(lacks('updated-filter'))('finds events that changed since a time', async () => {
        const event = await create({ title: 'Now', when: span('2026-06-02T09:00') })
        expect(await list({ updated_after: event.updated_at })).toEqual([])
        expect(ids(await list({ updated_after: event.updated_at - 60 }))).toEqual([event.id])
      })
    })

    describe('a series', () => {
      const daily = (fields: Fields = {}): Promise<Json> =>
        create({
          title: 'Daily',
          when: span('2026-06-01T09:00', 60, zone),
          recurrence: ['RRULE:FREQ=DAILY;COUNT=5'],
          ...fields,
        })
      const starts = (events: readonly Json[]): string[] => events.map((event) => wall(event.when.start_time, zone))
      const mornings = (...days: number[]): string[] => days.map((day) => `2026-06-0${day}T09:00`)

      test('has instances with their own ids, which refer to their master', async () => {
        const master = await daily({ location: 'Room' })
        expect(master.recurrence.join()).toMatch(/RRULE:.*FREQ=DAILY/)
        const instances = await list()
        expect(starts(instances)).toEqual(mornings(1, 2, 3, 4, 5))
        expect(new Set(ids(instances)).size).toBe(5)
        for (const one of instances) {
          expect(one).toMatchObject({
            master_event_id: master.id,
            title: 'Daily',
            location: 'Room',
            ical_uid: master.ical_uid,
          })
          expect(one).not.toHaveProperty('recurrence')
        }
        expect(await account.read(calendarId, instances[1].id)).toMatchObject({
          id: instances[1].id,
          when: instances[1].when,
        })
        expect((await account.read(calendarId, master.id)).recurrence).toEqual(master.recurrence)
      })

      test('keeps its local time across clock changes', async () => {
        await daily({ when: span('2026-03-05T09:00', 60, zone), recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'] })
        const march = await account.listAll(calendarId, { start: at('2026-03-01T00:00'), end: at('2026-03-31T00:00') })
        expect(starts(march)).toEqual(['2026-03-05T09:00', '2026-03-12T09:00'])
        expect(march.map((event) => event.when.end_time - event.when.start_time)).toEqual([3600, 3600])
      })

      test('of whole days repeats by day', async () => {
        await create({ title: 'Off', when: { date: '2026-06-05' }, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] })
        expect((await list()).map((event) => event.when)).toEqual(
          ['2026-06-05', '2026-06-12', '2026-06-19'].map((date) => ({ object: 'date', date })),
        )
      })

      test('omits the slots in EXDATE', async () => {
        await daily({ recurrence: ['RRULE:FREQ=DAILY;COUNT=5', 'EXDATE:20260602T130000Z'] })
        expect(starts(await list())).toEqual(mornings(1, 3, 4, 5))
      })

      test('can have one instance changed and moved', async () => {
        const master = await daily()
        const instances = await list()
        // The last one has no instance after it.
        const moved = lacks('moving-past-neighbours') ? 5 : 2
        const others = mornings(...[1, 2, 3, 4, 5].filter((day) => day !== moved))
        const fields = { title: 'Special', when: span('2026-06-20T18:00', 30) }
        const changed = await change(instances[moved - 1].id, fields)
        expect(changed).toMatchObject({ title: 'Special', master_event_id: master.id })
        const all = await list()
        expect(starts(all)).toEqual([...others, '2026-06-20T14:00'])
        expect(all.at(-1).title).toBe('Special')
        const early = await list({ end: at('2026-06-10T00:00') })
        expect(starts(early)).toEqual(others)
        if (lacks('moving-past-neighbours')) {
          expectRefusal(await account.put(path(instances[0].id), { when: span('2026-06-03T18:00') }, silent()), /when/)
        }
        expect(titles(await list({ start: at('2026-06-10T00:00') }))).toEqual(['Special'])
        expect((await account.read(calendarId, master.id)).title).toBe('Daily')
      })

      test('can have one instance deleted', async () => {
        await daily()
        const [, second] = await list()
        expectStatus(await account.delete(path(second.id), silent()), 200)
        await isGone(second.id)
        expect(starts(await list())).toEqual(mornings(1, 3, 4, 5))
      })

      test('is changed as a whole', async () => {
        const master = await daily()
        await change(master.id, { title: 'Renamed' })
        expect(titles(await list())).toEqual(Array(5).fill('Renamed'))
        await change(master.id, { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
        expect(starts(await list())).toEqual(mornings(1, 2))
      })

      test.skipIf(lacks('series-to-single'))('becomes a single event and back', async () => {
        const master = await daily()
        const single = await change(master.id, { recurrence: [] })
        expect(single).not.toHaveProperty('recurrence')
        expect(starts(await list())).toEqual(mornings(1))
        await change(master.id, { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
        expect(starts(await list())).toEqual(mornings(1, 2))
      })

      test('is deleted with all its instances', async () => {
        const master = await daily()
        const [, second] = await list()
        await change(second.id, { title: 'Special' })
        expectStatus(await account.delete(path(master.id), silent()), 200)
        await isGone(master.id)
        await isGone(second.id)
        expect(await list()).toEqual([])
      })

      test.skipIf(lacks('masters'))(
        'is listed once, with its changed instances, if instances are not requested',
        async () => {
          const single = await create({ title: 'Single', when: span('2026-06-04T09:00') })
          const master = await daily()
          const [, second] = (await list()).filter((event) => event.master_event_id === master.id)
          await change(second.id, { title: 'Special' })
          const wanted = [single.id, master.id, second.id].sort()
          expect(ids(await list({ expand_recurring: false })).sort()).toEqual(wanted)
          const imported = await pagesOf(account, '/events/import', { calendar_id: calendarId, ...june, limit: 2 })
          expect([...new Set(ids(imported.flat()))].sort()).toEqual(wanted)
        },
      )

      test.skipIf(lacks('masters'))('is exported with its changed and deleted occurrences, on any page', async () => {
        const master = await daily()
        const [, second, third] = await list()
        await create({ title: 'Single', when: span('2026-06-04T09:00') })
        await change(second.id, { title: 'Special', when: span('2026-06-02T18:00') })
        await account.delete(path(third.id), silent())
        for (const limit of [2, 200]) {
          const texts: string[] = []
          let next: string | undefined
          do {
            // The window is longer than the longest list of events at some providers.
            const query = { calendar_id: calendarId, start: at('2025-06-01T00:00'), end: at('2026-07-01T00:00'), limit }
            const answer = expectStatus(await account.get('/events/export', { ...query, page_token: next }), 200)
            texts.push(String(answer.body))
            next = answer.headers.get('next-cursor') ?? undefined
          } while (next)
          const { days, special } = exportedDays(texts, master.ical_uid)
          expect(days).toEqual(['2026-06-01T09:00', '2026-06-02T14:00', '2026-06-04T09:00', '2026-06-05T09:00'])
          expect(special).toBe(1)
        }
      })

      test.skipIf(lacks('master-filter'))('is listed separately by its id', async () => {
        const master = await daily()
        await create({ title: 'Single', when: span('2026-06-04T09:00') })
        expect(starts(await list({ master_event_id: master.id }))).toEqual(mornings(1, 2, 3, 4, 5))
      })
    })
  })
}
