/**
 * Events on a server without scheduling (Radicale), and on one that responds wrongly: nothing is lost, overwritten or
 * created twice.
 */
import type { Event } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { EgressError } from '@waypost/platform/egress/error'
import type { DavSession } from '@waypost/providers/dav/session'
import { type DavServer, putObject } from '@waypost/testing/peers/dav-server'
import type { Mailbox } from '@waypost/testing/peers/mail-server'
import { sharedRadicale } from '@waypost/testing/peers/radicale'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { calDavTraits, type ReportedChange, type SchedulingMail } from '../../../../providers/src/dav/caldav/traits.ts'
import { at, type Between, type CalendarAccount, calendarAccount, listQuery, span } from './calendar-account.ts'

let server: DavServer
let box: Mailbox
let ann: CalendarAccount
let calendarId: string
const reported: ReportedChange[] = []
const mail: SchedulingMail<DavSession> = {
  async telling(_, change, write) {
    const written = await write()
    reported.push(change)
    return written
  },
  tellOrganizer: async (_, { guest, answer }) => ({ mail: `${guest.email} said ${answer.status}` }),
}
beforeAll(async () => {
  server = await sharedRadicale()
  box = await server.addDavUser()
})
afterAll(() => server?.[Symbol.asyncDispose]())
beforeEach(async () => {
  reported.length = 0
  ann = calendarAccount(server, box, { traits: { ...calDavTraits, mail } })
  calendarId = (await ann.operations.calendars.create(ann.session, { name: 'Work' })).id
  return async () => {
    ann.between = undefined
    await ann.operations.calendars.delete(ann.session, { calendar_id: calendarId })
    await ann[Symbol.asyncDispose]()
  }
})

const urlOf = (id: string): string => `${server.calendarHome(box.user)}${calendarId}/${id}.ics`
const textOf = async (id: string): Promise<string> => (await server.request(box, 'GET', urlOf(id))).text
/** Another program writes an object, whatever is stored there. */
const write = (id: string, text: string): Promise<void> => putObject(server, box, urlOf(id), text)
const object = (uid: string, ...lines: string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:test',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260101T000000Z',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
const list = async (query: object = {}): Promise<Event[]> => {
  const { items } = await ann.operations.events.list(
    ann.session,
    listQuery({ calendar_id: calendarId, ...query }),
    undefined,
  )
  return items as Event[]
}
const change = (id: string, fields: object, of: object = {}): Promise<Event> =>
  ann.operations.events.update(ann.session, { event_id: id, calendar_id: calendarId, ...of }, fields)
const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
  )

test('a change is applied on top of a concurrent one, and nothing is overwritten', async () => {
  const { id } = await ann.create(calendarId, { title: 'Ours', when: span('2036-06-02T09:00') })
  let others = 0
  const meanwhile =
    (times: number): Between =>
    async (request, next) => {
      if (request.method === 'PUT' && others < times) {
        others += 1
        await write(
          id,
          (await textOf(id)).replace(/SUMMARY:.*\r\n/, `SUMMARY:Theirs ${others}\r\nX-THEIRS:${others}\r\n`),
        )
      }
      return next(request)
    }
  ann.between = meanwhile(1)
  expect(await change(id, { location: 'Room' })).toMatchObject({ title: 'Theirs 1', location: 'Room' })
  expect(await textOf(id)).toMatch(/X-THEIRS:1/)
  others = 0
  ann.between = meanwhile(99)
  expect(await codeOf(change(id, { location: 'Hall' }))).toBe('conflict')
  ann.between = undefined
  expect((await list())[0]).toMatchObject({ title: 'Theirs 3', location: 'Room' })
  others = 0
  ann.between = meanwhile(1)
  await ann.operations.events.delete(ann.session, { event_id: id, calendar_id: calendarId })
  ann.between = undefined
  expect(await list()).toEqual([])
})

test('a request with a key creates one event', async () => {
  const once = { name: 'ab'.repeat(16), again: false }
  const draft = { title: 'Once', when: span('2036-06-02T09:00') }
  const first = await ann.create(calendarId, draft, { once })
  const second = await ann.create(calendarId, draft, { once: { ...once, again: true } })
  expect(second.id).toBe(first.id)
  expect(await list()).toHaveLength(1)
  const { calendars } = ann.operations
  const made = await calendars.create(ann.session, { name: 'Once' }, { once })
  const again = await calendars.create(ann.session, { name: 'Once' }, { once: { ...once, again: true } })
  expect(again).toEqual(made)
  await calendars.delete(ann.session, { calendar_id: made.id })
})

test('an event is found by its UID, also on a server that cannot search for it', async () => {
  await write('by-uid', object('by-uid', 'DTSTART:20200602T090000Z'))
  const ids = async (ical_uid: string) => (await list({ ical_uid })).map(({ id }) => id)
  expect(await ids('by-uid')).toEqual(['by-uid'])
  expect(await ids('by')).toEqual([])
  ann.between = async (request, next) => {
    const polls = String(request.body ?? '').includes('text-match')
    return next(polls ? { ...request, body: String(request.body).replace('>by-uid<', '>none<') } : request)
  }
  expect(await ids('by-uid')).toEqual(['by-uid'])
})

test('unsupported properties of an event survive its changes', async () => {
  const retained = ['X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC', 'CATEGORIES:Red,Blue', 'ATTACH:https://files.test/1']
  await write(
    'foreign',
    object(
      'foreign',
      'DTSTART;TZID=Europe/Berlin:20360602T090000',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY;COUNT=3',
      ...retained,
    ),
  )
  const [first] = await list()
  await change('foreign', { title: 'Renamed' })
  await change(first?.id ?? '', { title: 'One' })
  const text = await textOf('foreign')
  for (const line of retained) expect(text.split(line)).toHaveLength(3)
  expect((await list()).map(({ title }) => title)).toEqual(['One', 'Renamed', 'Renamed'])
})

test('a start outside its rule and rules within a day are refused', async () => {
  const when = span('2036-06-02T09:00')
  const problem = (recurrence: string[]): Promise<string> =>
    ann.create(calendarId, { when, recurrence }).then(
      () => 'taken',
      (error: Error) => error.message,
    )
  expect(await problem(['RRULE:FREQ=WEEKLY;BYDAY=TU'])).toMatch(/^recurrence: when: the start must fall on a day/)
  expect(await problem(['RRULE:FREQ=HOURLY'])).toMatch(/^recurrence: .*FREQ/)
  expect(await problem(['RRULE:FREQ=WEEKLY;BYDAY=MO'])).toBe('taken')
})

test('guests of a server without scheduling get mail after a change is made', async () => {
  const guests = { participants: [{ email: 'bob@example.com' }] }
  const made = await ann.create(calendarId, {
    title: 'Invited',
    when: span('2036-06-02T09:00'),
    recurrence: ['RRULE:FREQ=DAILY;COUNT=2'],
    ...guests,
  })
  expect(reported.splice(0)).toEqual([
    expect.objectContaining({ url: urlOf(made.id), after: { main: made, overrides: [] } }),
  ])
  const id = `${made.id}_20360603T090000Z`
  const moved = await change(id, { when: span('2036-06-03T12:00') })
  const slot = { time: at('2036-06-03T09:00'), timezone: 'UTC' }
  const [second] = reported.splice(0)
  expect(second).toMatchObject({ occurrence: slot, after: { overrides: [{ slot, event: moved }] } })
  expect(second?.before?.overrides).toEqual([
    { slot, event: expect.objectContaining({ id, when: expect.objectContaining({ start_time: slot.time }) }) },
  ])
  await change(made.id, { title: 'Silently' }, { notify_participants: false })
  expect(reported).toEqual([])
  await ann.operations.events.delete(ann.session, { event_id: id, calendar_id: calendarId })
  await ann.operations.events.delete(ann.session, { event_id: made.id, calendar_id: calendarId })
  expect(reported.map(({ text, occurrence, after }) => [text !== undefined, occurrence, after === undefined])).toEqual([
    [true, slot, false],
    [false, undefined, true],
  ])
  const lines = ['ORGANIZER:mailto:eve@example.com', `ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:${box.user}`]
  await write('invited', object('invited', 'DTSTART:20360602T090000Z', 'DTEND:20360602T100000Z', ...lines))
  const answer = (skip_email: boolean) =>
    ann.operations.events.rsvp(
      ann.session,
      { event_id: 'invited', calendar_id: calendarId, skip_email },
      { status: 'yes' },
    )
  expect(await answer(true)).toEqual({})
  expect(await answer(false)).toEqual({ mail: `${box.user} said yes` })
  expect((await list())[0]?.participants).toEqual([expect.objectContaining({ status: 'yes' })])
  expect(await codeOf(change('invited', { title: 'Mine' }))).toBe('invalid_request')
})

/** Removes series that start before the range from the results of a time search, as some servers do. */
const missingSeries: Between = async (request, next) => {
  const answer = await next({ ...request, headers: { ...request.headers, 'accept-encoding': 'identity' } })
  if (request.method !== 'REPORT' || !String(request.body).includes('time-range')) return answer
  const parts = answer.body.toString().split(/(?=<response>)/)
  const retained = parts.filter((part) => !part.includes('RRULE'))
  const tail = retained.length < parts.length && !retained.at(-1)?.includes('</multistatus>') ? '</multistatus>' : ''
  return { ...answer, body: Buffer.from(retained.join('') + tail) }
}

test('series are listed on a server whose time search omits them', async () => {
  await write('daily', object('daily', 'DTSTART:20360101T090000Z', 'DTEND:20360101T100000Z', 'RRULE:FREQ=DAILY'))
  await write('single', object('single', 'DTSTART:20360602T120000Z', 'DTEND:20360602T130000Z'))
  const wanted = { start: at('2036-06-02T00:00'), end: at('2036-06-04T00:00') }
  const ids = ['daily_20360602T090000Z', 'single', 'daily_20360603T090000Z']
  const found = async () => (await list(wanted)).map(({ id }) => id)
  ann.between = missingSeries
  expect(await found()).toEqual(ids)
  expect(await found()).toEqual(ids)
})

test('a page takes one REPORT once the server was probed, and the following pages use the same data', async () => {
  await write('daily', object('daily', 'DTSTART:20360101T090000Z', 'DTEND:20360101T100000Z', 'RRULE:FREQ=DAILY'))
  await write('days', object('days', 'DTSTART;VALUE=DATE:20360101', 'RRULE:FREQ=DAILY'))
  const whole = await list()
  expect(whole).toHaveLength(50)
  ann.requested.length = 0
  const pages: Event[] = []
  let position: Parameters<typeof ann.operations.events.list>[2]
  do {
    const page = await ann.operations.events.list(
      ann.session,
      listQuery({ calendar_id: calendarId, limit: 20 }),
      position,
    )
    pages.push(...(page.items as Event[]))
    position = page.next
  } while (position !== undefined)
  expect(ann.requested).toEqual(['REPORT'])
  expect(pages).toHaveLength(60)
  expect(pages.slice(0, 50)).toEqual(whole)
})

test('the first page of a list, and a page after our own change, is read again', async () => {
  for (const day of ['02', '03', '04']) await write(day, object(day, `DTSTART:203606${day}T090000Z`))
  const query = listQuery({ calendar_id: calendarId, limit: 1 })
  const page = async (position?: Parameters<typeof ann.operations.events.list>[2]) => {
    const { items, next } = await ann.operations.events.list(ann.session, query, position)
    return { title: (items[0] as Event | undefined)?.title, next }
  }
  const first = await page()
  await change('03', { title: 'Changed' })
  expect((await page(first.next)).title).toBe('Changed')
  await write('02', object('02', 'DTSTART:20360602T090000Z', 'SUMMARY:Elsewhere'))
  expect((await page()).title).toBe('Elsewhere')
})

test('a result that is too large for one response is requested in parts', async () => {
  for (const month of ['06', '08', '11']) await write(month, object(month, `DTSTART:2036${month}10T090000Z`))
  const ranges: number[] = []
  ann.between = (request, next) => {
    const range = /start="(\d{4})(\d\d)(\d\d)T.*end="(\d{4})(\d\d)(\d\d)T/.exec(String(request.body ?? ''))
    if (!range) return next(request)
    const [, ...numbers] = range.map(Number)
    const day = (from: number): number =>
      Date.UTC(numbers[from] ?? 0, (numbers[from + 1] ?? 0) - 1, numbers[from + 2]) / 86_400_000
    ranges.push(day(3) - day(0))
    if (day(3) - day(0) > 40) return Promise.reject(new EgressError('too_large', 'too much'))
    return next(request)
  }
  expect((await list({ end: at('2036-12-01T00:00') })).map(({ id }) => id)).toEqual(['06', '08', '11'])
  expect(Math.max(...ranges)).toBeGreaterThan(90)
  expect(ranges.length).toBeLessThan(15)
})

test('availability uses the calendars, and finds the newest booking that was not cancelled', async () => {
  const { id } = await ann.create(calendarId, {
    when: span('2036-06-02T09:00'),
    recurrence: ['RRULE:FREQ=DAILY;COUNT=2'],
  })
  await ann.create(calendarId, { when: span('2036-06-02T12:00'), busy: false })
  await write('maybe', object('maybe', 'DTSTART:20360602T150000Z', 'DTEND:20360602T160000Z', 'STATUS:TENTATIVE'))
  const window = { from: at('2036-06-02T00:00'), to: at('2036-06-04T00:00') }
  const { availability } = ann.operations
  const busy = async (tentativeAsBusy: boolean) =>
    (await availability.busy(ann.session, { calendarIds: [calendarId], ...window, tentativeAsBusy }))
      .map(({ start }) => start)
      .sort()
  expect(await busy(false)).toEqual([at('2036-06-02T09:00'), at('2036-06-03T09:00')])
  expect(await busy(true)).toHaveLength(3)
  const none = availability.busy(ann.session, { calendarIds: ['none'], ...window, tentativeAsBusy: true })
  expect(await codeOf(none)).toBe('invalid_request')
  const tagged = ['gone', id].map((each, index) => ({ calendarId, id: each, madeAt: 100 - index }))
  expect(await availability.lastBooked(ann.session, { calendarIds: [calendarId], group: 'g', tagged })).toBe(99)
  const reported = await ann.operations.calendars.freeBusy(ann.session, {
    start_time: window.from,
    end_time: window.to,
    emails: [box.user, 'bob@example.com'],
  })
  expect(reported).toEqual([
    expect.objectContaining({ object: 'free_busy', time_slots: expect.arrayContaining([]) }),
    {
      email: 'bob@example.com',
      object: 'error',
      error: 'the calendar server of the account does not share free/busy of other people',
    },
  ])
  expect(reported[0]).toHaveProperty('time_slots.length', 3)
})

test('a server whose default calendar is not a calendar has none', async () => {
  const { calendars, events } = ann.operations
  await ann.create(calendarId, { when: span('2036-06-02T09:00') })
  const service = ann.session.dav.calendars
  if (!service) throw new Error('no calendars')
  const home = { ...(await service.home()), defaultCalendar: server.calendarHome(box.user) }
  service.home = async () => home
  await expect(calendars.get(ann.session, { calendar_id: 'primary' })).rejects.toThrow(/no primary calendar/)
  await expect(events.list(ann.session, listQuery({}), undefined)).rejects.toThrow(/no primary calendar/)
  const window = { start_time: at('2036-06-02T00:00'), end_time: at('2036-06-03T00:00') }
  const [own] = await calendars.freeBusy(ann.session, { ...window, emails: [box.user] })
  expect(own).toHaveProperty('time_slots.length', 1)
})
