/**
 * Compares a paged list with a naive reference that expands everything, sorts by start and id, and cuts by the
 * window. The reference computes occurrences by stepping a local date, independently of the service's own expansion.
 */

import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Account,
  at,
  type Fields,
  ids,
  type Json,
  openAccounts,
  pagesOf,
  type TestAccounts,
} from '../../conformance/accounts.ts'

/** Around the clock changes in New York, 2026-03-08, and in Berlin, 2026-03-29. */
const base = at('2026-03-01T00:00')
const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata'] as const
const words = ['red', 'blue'] as const

interface Times {
  /** Half hours after the base. */
  start: number
  /** Half hours; 0 is a point in time. */
  length: number
}
interface Single extends Times {
  kind: 'single'
  title: string
}
interface Days {
  kind: 'days'
  title: string
  first: number
  days: number
}
/** The change of an occurrence: none, deletion, another title, another time. */
type Fate = { what: 'delete' | 'rename' } | ({ what: 'move' } & Times)
interface Repeated {
  kind: 'series'
  title: string
  start: number
  length: number
  allDay: boolean
  zone: (typeof zones)[number]
  freq: 'DAILY' | 'WEEKLY'
  interval: number
  count: number
  fates: [number, Fate][]
}
type Made = Single | Days | Repeated

const title = fc.constantFrom(...words)
const times = { start: fc.integer({ min: 0, max: 48 * 40 }), length: fc.constantFrom(0, 1, 2, 3, 47, 48, 49, 200) }
const fate: fc.Arbitrary<Fate> = fc.oneof(
  fc.constant<Fate>({ what: 'delete' }),
  fc.constant<Fate>({ what: 'rename' }),
  fc.record({ what: fc.constant('move' as const), ...times }),
)
const made: fc.Arbitrary<Made> = fc.oneof(
  fc.record({ kind: fc.constant('single' as const), title, ...times }),
  fc.record({
    kind: fc.constant('days' as const),
    title,
    first: fc.integer({ min: 0, max: 40 }),
    days: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({
    kind: fc.constant('series' as const),
    title,
    ...times,
    allDay: fc.boolean(),
    zone: fc.constantFrom(...zones),
    freq: fc.constantFrom('DAILY', 'WEEKLY'),
    interval: fc.integer({ min: 1, max: 3 }),
    count: fc.integer({ min: 1, max: 12 }),
    fates: fc.array(fc.tuple(fc.integer({ min: 0, max: 11 }), fate), { maxLength: 3 }),
  }),
)

/** The reference's record of an event: its times and the fields that filters use. */
interface Known {
  id: string
  start: number
  end: number
  title: string
  masterId?: string
  /** Stored by itself: a single event or a changed occurrence. */
  stored: boolean
}
interface Book {
  events: Known[]
  /** All slots of each series that were not deleted, changed or not. */
  series: { id: string; title: string; slots: { start: number; end: number }[] }[]
}

const dateOf = (index: number): Temporal.PlainDate => Temporal.PlainDate.from('2026-03-01').add({ days: index })
const midnight = (date: Temporal.PlainDate, zone: string): number => date.toZonedDateTime(zone).epochMilliseconds / 1000
const whenOf = ({ start, length }: Times): Fields => {
  const time = base + start * 1800
  return length === 0 ? { time } : { start_time: time, end_time: time + length * 1800 }
}
const boundsOf = ({ start, length }: Times): { start: number; end: number } => ({
  start: base + start * 1800,
  end: base + (start + length) * 1800,
})

describe('paging through a calendar', () => {
  let accounts: TestAccounts
  beforeAll(async () => {
    accounts = await openAccounts({ engine: 'sqlite' })
  })
  afterAll(() => accounts[Symbol.asyncDispose]())

  const fill = async (
    account: Account & { calendarId: string },
    plan: readonly Made[],
    { book = { events: [], series: [] }, zone }: { book?: Book; zone: string },
  ): Promise<Book> => {
    for (const one of plan) {
      if (one.kind === 'single') {
        const { id } = await account.create(account.calendarId, { title: one.title, when: whenOf(one) })
        book.events.push({ id, ...boundsOf(one), title: one.title, stored: true })
      } else if (one.kind === 'days') {
        const [first, last] = [dateOf(one.first), dateOf(one.first + one.days - 1)]
        const when = { start_date: String(first), end_date: String(last) }
        const { id } = await account.create(account.calendarId, { title: one.title, when })
        const bounds = { start: midnight(first, zone), end: midnight(last.add({ days: 1 }), zone) }
        book.events.push({ id, ...bounds, title: one.title, stored: true })
      } else await repeat(account, one, { book, zone })
    }
    return book
  }

  const repeat = async (
    account: Account & { calendarId: string },
    one: Repeated,
    { book, zone }: { book: Book; zone: string },
  ): Promise<void> => {
    const { allDay, freq, interval, count } = one
    const days = 1 + (one.length % 3)
    const first = Temporal.Instant.fromEpochMilliseconds((base + one.start * 1800) * 1000).toZonedDateTimeISO(one.zone)
    const zoned = { start_timezone: one.zone, end_timezone: one.zone }
    const when = allDay
      ? { start_date: String(first.toPlainDate()), end_date: String(first.toPlainDate().add({ days: days - 1 })) }
      : one.length === 0
        ? { ...whenOf(one), timezone: one.zone }
        : { ...whenOf(one), ...zoned }
    const recurrence = [`RRULE:FREQ=${freq};INTERVAL=${interval};COUNT=${count}`]
    const { id: masterId } = await account.create(account.calendarId, { title: one.title, when, recurrence })
    const slots: { name: string; start: number; end: number }[] = []
    for (let step = 0; slots.length < count; step += 1) {
      const local = first.toPlainDateTime().add({ days: step * interval * (freq === 'WEEKLY' ? 7 : 1) })
      const date = local.toPlainDate()
      if (allDay) {
        const bounds = { start: midnight(date, zone), end: midnight(date.add({ days }), zone) }
        slots.push({ name: String(date).replaceAll('-', ''), ...bounds })
        continue
      }
      const instant = step === 0 ? first : local.toZonedDateTime(one.zone, { disambiguation: 'earlier' })
      // A local time that the clock change skips is not an occurrence.
      if (!instant.toPlainDateTime().equals(local)) continue
      const start = instant.epochMilliseconds / 1000
      const name = instant.toInstant().toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')
      slots.push({ name, start, end: start + one.length * 1800 })
    }
    const fates = new Map(one.fates)
    const retained: { start: number; end: number }[] = []
    for (const [index, { name, start, end }] of slots.entries()) {
      const id = `${masterId}_${name}`
      const happens = fates.get(index)
      if (happens?.what === 'delete') {
        expect((await account.delete(`/events/${id}`)).status).toBe(200)
        continue
      }
      retained.push({ start, end })
      if (happens?.what === 'rename') await account.change(account.calendarId, id, { title: 'renamed' })
      if (happens?.what === 'move') await account.change(account.calendarId, id, { when: whenOf(happens) })
      const bounds = happens?.what === 'move' ? boundsOf(happens) : { start, end }
      const shown = happens?.what === 'rename' ? 'renamed' : one.title
      book.events.push({ id, ...bounds, title: shown, masterId, stored: happens !== undefined })
    }
    book.series.push({ id: masterId, title: one.title, slots: retained })
  }

  const overlaps = (event: { start: number; end: number }, from: number, to: number): boolean =>
    event.start < to && (event.end > from || (event.start === event.end && event.start >= from))
  const inOrder = (a: Known, b: Known): number => a.start - b.start || (a.id < b.id ? -1 : 1)

  interface Question {
    from: number
    length: number
    limit: number
    title: string | undefined
    ofSeries: boolean
  }
  const question: fc.Arbitrary<Question> = fc.record({
    from: fc.integer({ min: -48, max: 48 * 50 }),
    length: fc.integer({ min: 0, max: 48 * 50 }),
    limit: fc.integer({ min: 1, max: 20 }),
    title: fc.option(title, { nil: undefined, freq: 2 }),
    ofSeries: fc.boolean(),
  })

  const ask = async (account: Account & { calendarId: string }, book: Book, requested: Question): Promise<void> => {
    const [from, to] = [base + requested.from * 1800, base + (requested.from + requested.length) * 1800]
    const masterId = requested.ofSeries ? book.series[0]?.id : undefined
    const fits = (event: { title: string; masterId?: string }): boolean =>
      (requested.title === undefined || event.title === requested.title) &&
      (masterId === undefined || event.masterId === masterId)
    const inside = book.events.filter((event) => overlaps(event, from, to) && fits(event)).sort(inOrder)
    const query = {
      calendar_id: account.calendarId,
      start: from,
      end: to,
      limit: requested.limit,
      title: requested.title,
      master_event_id: masterId,
    }
    const pages = await pagesOf(account, '/events', query)
    expect(ids(pages.flat())).toEqual(ids(inside))
    expect(pages.slice(0, -1).every((page) => page.length === requested.limit)).toBe(true)

    const masters = book.series
      .filter((one) => one.slots.some((slot) => overlaps(slot, from, to)))
      .filter((one) => fits({ ...one, masterId: one.id }))
    const stored = inside.filter((event) => event.stored)
    const listed = await pagesOf(account, '/events', { ...query, expand_recurring: false })
    expect(ids(listed.flat()).toSorted()).toEqual(ids([...masters, ...stored] as Json[]).toSorted())
  }

  test('returns the same as expanding and sorting everything, for every window, page size and filter', async () => {
    const plans = fc.record({
      plan: fc.array(made, { minLength: 1, maxLength: 9 }),
      zone: fc.constantFrom(...zones),
      questions: fc.array(question, { minLength: 4, maxLength: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(plans, async ({ plan, zone, questions }) => {
        const account = await accounts.newCalendarAccount({ timezone: zone })
        const book = await fill(account, plan, { zone })
        for (const one of questions) await ask(account, book, one)
      }),
      { numRuns: runs(40), seed: 20260301 },
    )
  })

  /** A change of a calendar between two requests. */
  type Step = { what: 'add'; made: Made } | { what: 'remove' | 'rename'; which: number; title: string }
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ what: fc.constant('add' as const), made }),
    fc.record({ what: fc.constantFrom('remove' as const, 'rename' as const), which: fc.nat(20), title }),
  )

  const change = async (account: Account & { calendarId: string }, book: Book, happens: Step): Promise<void> => {
    const one = happens.what === 'add' ? undefined : book.series[happens.which % Math.max(1, book.series.length)]
    if (happens.what === 'add' || !one) return
    if (happens.what === 'remove') {
      expect((await account.delete(`/events/${one.id}`)).status).toBe(200)
      book.series.splice(book.series.indexOf(one), 1)
      book.events = book.events.filter((event) => event.masterId !== one.id)
      return
    }
    await account.change(account.calendarId, one.id, { title: happens.title })
    // Occurrences follow their series in the fields that they did not change themselves.
    for (const event of book.events) {
      if (event.masterId === one.id && event.title !== 'renamed') event.title = happens.title
    }
    one.title = happens.title
  }

  test('returns the same after changes of cached data', async () => {
    const stories = fc.record({
      plan: fc.array(made, { minLength: 2, maxLength: 5 }),
      zone: fc.constantFrom(...zones),
      steps: fc.array(fc.tuple(step, question), { minLength: 4, maxLength: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(stories, async ({ plan, zone, steps }) => {
        const account = await accounts.newCalendarAccount({ timezone: zone })
        const book = await fill(account, plan, { zone })
        for (const [happens, requested] of steps) {
          await ask(account, book, requested)
          if (happens.what === 'add') await fill(account, [happens.made], { book, zone })
          else await change(account, book, happens)
          await ask(account, book, requested)
        }
      }),
      { numRuns: runs(30), seed: 20260302 },
    )
  })
})
