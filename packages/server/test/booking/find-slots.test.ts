/** The slots of configurations on virtual calendars, compared with a reference that checks every minute. */
import { randomUUID } from 'node:crypto'
import type { Configuration } from '@waypost/contract'
import { addClaim, always } from '@waypost/store/tables/scheduling/booking-hosts'
import { insertBooking } from '@waypost/store/tables/scheduling/bookings'
import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NaiveHost, type NaiveQuestion, naiveSlots } from '../../../scheduling/test/configurations/naive-slots.ts'
import {
  bareConfiguration,
  changeDays,
  question,
} from '../../../scheduling/test/configurations/random-configurations.ts'
import { findSlots, isSlotFree } from '../../src/booking/find-slots.ts'
import { type Account, openAccounts, type TestAccounts } from '../conformance/accounts.ts'

const midnightOf = (date: string): number =>
  Temporal.PlainDate.from(date).toZonedDateTime('UTC').epochMilliseconds / 1000

let accounts: TestAccounts
const hosts: (NaiveHost & { account: Account })[] = []
const group = bareConfiguration({}).id

/** Meetings around every day of the random requests; two of the four hosts were booked before. */
async function openHost(index: number): Promise<void> {
  const account = await accounts.newAccount(`p${index}@x.test`)
  await account.createCalendar({ timezone: 'UTC' })
  const busy: { start: number; end: number }[] = []
  const put = async (start: number, end: number, metadata = {}) => {
    busy.push({ start, end })
    return account.create('primary', { when: { start_time: start, end_time: end }, metadata })
  }
  for (const [day, [date]] of changeDays.entries()) {
    for (const part of [0, 1, 2]) {
      const start = midnightOf(date) + part * 50_000 + ((index * 7919 + day * 104_729 + part * 1301) % 40_000) - 40_000
      await put(start, start + 1800 + ((index + day) % 4) * 1700)
    }
  }
  accounts.clock.advance(60_000)
  const past = midnightOf('2026-01-05')
  const tagged = index % 2 === 1 ? await put(past, past + 1800, { key5: group }) : undefined
  hosts[index] = { email: account.email, account, busy, lastBooked: tagged?.created_at }
}

beforeAll(async () => {
  accounts = await openAccounts()
  for (const index of [0, 1, 2, 3]) await openHost(index)
})
afterAll(() => accounts[Symbol.asyncDispose]())

const setClock = (now: number): void => accounts.clock.advance(now * 1000 - accounts.clock.now())
const ask = (configuration: Configuration) => ({
  record: { applicationId: accounts.applicationId, configuration },
  signal: () => AbortSignal.timeout(60_000),
})

/** The request about the hosts of this file. */
function realQuestion(requested: NaiveQuestion): NaiveQuestion {
  const real = requested.configuration.participants.map(({ email }) => hosts.find((host) => host.email === email))
  return { ...requested, hosts: real.filter((host) => host !== undefined) }
}

/** A booking accepts any free host, also one that `max-fairness` does not offer because it is the turn of others. */
const forEverybody = (configuration: Configuration): Configuration => {
  const { availability } = configuration
  const { availability_rules: rules } = availability
  if (rules?.availability_method !== 'max-fairness') return configuration
  const availability_rules = { ...rules, availability_method: 'max-availability' as const }
  return { ...configuration, availability: { ...availability, availability_rules } }
}

describe('any configuration', () => {
  test('has exactly the bookable slots that a check of every minute finds', async () => {
    const { services } = accounts.service
    const property = fc.asyncProperty(question, fc.integer({ min: 1, max: 3000 }), async (random, shift) => {
      const requested = realQuestion(random)
      const { configuration, now, start, end } = requested
      setClock(now)
      const expected = naiveSlots(requested)
      const found = await findSlots(services.scheduling, { ...ask(configuration), startTime: start, endTime: end })
      expect(found.time_slots).toEqual(expected.time_slots)
      const isFree = (slot: { start_time: number; end_time: number }, emails: string[]) =>
        isSlotFree(services.scheduling, { ...ask(configuration), start: slot.start_time, end: slot.end_time, emails })
      const everybody = configuration.participants.map(({ email }) => email)
      const bookable = naiveSlots({ ...requested, configuration: forEverybody(configuration) }).time_slots
      const offeredStarts = new Set(bookable.map(({ start_time }) => start_time))
      for (const slot of found.time_slots.filter((_, index) => index % 7 === 0).slice(0, 4)) {
        expect(await isFree(slot, slot.emails)).toBe(true)
        expect(await isFree({ ...slot, end_time: slot.end_time + 300 }, slot.emails)).toBe(false)
        const free = bookable.find(({ start_time }) => start_time === slot.start_time)?.emails ?? []
        const absent = everybody.filter((email) => !free.includes(email))
        if (absent.length > 0) expect(await isFree(slot, absent)).toBe(false)
        const other = slot.start_time + shift * 60
        if (other >= end || offeredStarts.has(other)) continue
        expect(await isFree({ start_time: other, end_time: other + slot.end_time - slot.start_time }, [])).toBe(false)
      }
    })
    await fc.assert(property, { numRuns: runs(40) })
  })
})

describe('the slots of a host', () => {
  const monday = midnightOf('2027-01-04')
  const hour = (clock: number): number => monday + clock * 3600
  const page = (parts: Partial<Configuration> = {}, emails = ['p0@x.test']): Configuration =>
    bareConfiguration({
      participants: emails.map((email) => ({
        email,
        availability: { calendar_ids: ['primary'], open_hours: [{ days: [1], start: '9:00', end: '12:00' }] },
        booking: { calendar_id: 'primary' },
      })),
      availability: { duration_minutes: 60 },
      ...parts,
    })
  const starts = async (configuration: Configuration, more: { exceptBooking?: string } = {}) => {
    setClock(monday - 86_400)
    const { exceptBooking: id } = more
    const moving = id ? { id, hostGrantId: hosts[0].account.grantId, calendarId: 'primary', eventId: null } : undefined
    const window = { startTime: monday, endTime: monday + 86_400, exceptBooking: moving }
    const found = await findSlots(accounts.service.services.scheduling, { ...ask(configuration), ...window })
    return { ...found, hours: found.time_slots.map(({ start_time }) => (start_time - monday) / 3600).join(' ') }
  }

  /** Another booking of the first host that is not in the host's calendar yet. */
  async function claim(start: number, holdsUntil: number): Promise<string> {
    const { database, clock } = accounts.service.services.storage
    const id = randomUUID()
    const { applicationId } = accounts
    const { grantId } = hosts[0].account
    await database.transaction(async (tx) => {
      await insertBooking(tx, {
        ...{ id, application_id: applicationId, configuration_id: group, grant_id: grantId, host_grant_id: grantId },
        ...{ status: 'creating', revision: 1, start_time: start, end_time: start + 3600, calendar_id: 'primary' },
        ...{ event_id: null, guest_key: 'guest', sealed_document: '', sealed_intent: null },
        ...{ created_at: clock.now(), updated_at: clock.now() },
      })
      const time = { bookingId: id, start, end: start + 3600 }
      await addClaim(tx, { applicationId, grantId, revision: 1, ...time, holdsUntil })
    })
    return id
  }

  test('a claim of another booking blocks until it expires; the claim of the moved booking does not', async () => {
    setClock(monday - 86_400)
    const bookingId = await claim(hour(10), always)
    await claim(hour(11), accounts.clock.now())
    expect((await starts(page())).hours).toBe('9 11')
    expect((await starts(page(), { exceptBooking: bookingId })).hours).toBe('9 10 11')
    const buffer = { availability_rules: { buffer: { before: 15, after: 0 } } }
    expect((await starts(page({ availability: { duration_minutes: 60, ...buffer } }))).hours).toBe('11')
  })

  test('a participant without calendars is no host, and a page without hosts has no slots', async () => {
    const { participants } = page({}, ['p1@x.test'])
    const invited = [...participants, { email: 'invited@x.test', availability: { calendar_ids: [] } }]
    const found = await starts(page({ participants: invited }))
    expect(found.hours).toBe('9 10 11')
    expect(found.time_slots[0].emails).toEqual(['p1@x.test'])
    expect((await starts(page({ participants: [{ email: 'invited@x.test' }] }))).time_slots).toEqual([])
  })

  test('round robin omits a host whose account cannot be read; other methods report the host', async () => {
    const emails = ['p1@x.test', 'gone@x.test']
    const method = (availability_method: 'collective' | 'max-availability') =>
      page({ availability: { duration_minutes: 60, availability_rules: { availability_method } } }, emails)
    const found = await starts(method('max-availability'))
    expect(found.time_slots.map((slot) => slot.emails)).toEqual([['p1@x.test'], ['p1@x.test'], ['p1@x.test']])
    await expect(starts(method('collective'))).rejects.toMatchObject({
      code: 'invalid_request',
      message: /gone@x.test/,
    })
  })

  test('the host of a moved booking comes first, even if it is the turn of others', async () => {
    const availability_rules = { availability_method: 'max-fairness' as const }
    const both = page({ availability: { duration_minutes: 60, availability_rules } }, ['p0@x.test', 'p2@x.test'])
    // A booking of the first host is in progress (above), so it is the turn of the other host.
    expect((await starts(both)).order).toEqual(['p2@x.test', 'p0@x.test'])
    const { services } = accounts.service
    const booking = { id: randomUUID(), hostGrantId: hosts[0].account.grantId, calendarId: 'primary' }
    const findWith = (eventId: string | null) => {
      const window = { startTime: monday, endTime: monday + 86_400, exceptBooking: { ...booking, eventId } }
      return findSlots(services.scheduling, { ...ask(both), ...window })
    }
    // While a booking is in progress, its host has no precedence.
    expect((await findWith(null)).order).toEqual(['p2@x.test', 'p0@x.test'])
    const found = await findWith('gone')
    expect(found.order).toEqual(['p0@x.test', 'p2@x.test'])
    expect(found.time_slots[0].emails).toEqual(['p0@x.test'])
  })

  test('a window of more than 93 days is refused, and an empty one is accepted', async () => {
    const scheduler = { available_days_in_future: 400 }
    const { services } = accounts.service
    setClock(monday - 86_400)
    const find = (days: number) =>
      findSlots(services.scheduling, {
        ...ask(page({ scheduler })),
        startTime: monday,
        endTime: monday + days * 86_400,
      })
    await expect(find(94)).rejects.toMatchObject({ code: 'invalid_request', message: /end_time/ })
    expect((await find(93)).time_slots.length).toBeGreaterThan(20)
    expect((await find(0)).time_slots).toEqual([])
  })
})
