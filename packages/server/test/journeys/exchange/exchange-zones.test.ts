/**
 * Time zones of events at Microsoft and Exchange: each zone is returned as it was sent, and series keep their hour.
 */

import { isCheck } from '@waypost/testing/level'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ianaZones } from '../../../../formats/test/timezones/iana-zones.ts'
import { type Account, at, expectRefusal, type Json, span } from '../../conformance/accounts.ts'
import { type MicrosoftAccounts, openMicrosoftAccounts } from '../microsoft/microsoft-accounts.ts'
import { type ExchangeAccounts, openExchangeAccounts } from './exchange-accounts.ts'

let microsoft: MicrosoftAccounts
let exchange: ExchangeAccounts
beforeAll(async () => {
  ;[microsoft, exchange] = await Promise.all([openMicrosoftAccounts(), openExchangeAccounts()])
})
afterAll(async () => {
  await microsoft?.[Symbol.asyncDispose]()
  await exchange?.[Symbol.asyncDispose]()
})

/** Every third zone, in `npm test` every thirtieth, and those without an equal Windows zone. `providers/exchange/zones.test.ts` maps all of them. */
const zones = [
  ...new Set([
    ...ianaZones.filter((_, place) => place % (isCheck ? 3 : 30) === 0),
    'America/Toronto',
    'America/Scoresbysund',
    'America/Vancouver',
    'Antarctica/Casey',
    'Antarctica/Troll',
    'Europe/Vienna',
  ]),
]
const window = { start: at('2027-01-01T00:00'), end: at('2027-12-31T00:00') }
const zonesOf = ({ when }: Json): string[] => [when.start_timezone, when.end_timezone]
/** A week around the change to summer time in America, and one around that in Europe. */
const aroundChanges = ['2027-03-10T09:00', '2027-03-24T09:00']

/** Creates one event for each zone, four at a time. */
async function createInAll(account: Account, zones: readonly string[]): Promise<void> {
  const left = [...zones]
  const work = async (): Promise<void> => {
    for (let zone = left.pop(); zone !== undefined; zone = left.pop()) {
      const made = await account.create('primary', { title: zone, when: span('2027-06-01T09:00', 60, zone) })
      expect(zonesOf(made), zone).toEqual([zone, zone])
    }
  }
  await Promise.all([work(), work(), work(), work()])
}

describe.each([
  ['Microsoft', () => microsoft.newAccount()],
  ['Exchange', () => exchange.newAccount()],
] as const)('at %s', (_, newAccount) => {
  test('an IANA zone is returned as it was sent, at the intended instant', async () => {
    const account = await newAccount()
    await createInAll(account, zones)
    const listed = await account.listAll('primary', { ...window, limit: 200 })
    expect(listed.map(({ title }) => title).sort()).toEqual([...zones].sort())
    for (const event of listed) {
      expect(zonesOf(event), event.title).toEqual([event.title, event.title])
      expect(event.when.start_time, event.title).toBe(at('2027-06-01T09:00', event.title))
    }
  })

  test.each(['America/Toronto', 'America/Havana', 'Europe/Athens', 'Europe/Vienna', 'Europe/Chisinau', 'Asia/Saigon'])(
    'series in %s keep their hour across the clock change',
    async (zone) => {
      const account = await newAccount()
      for (const start of aroundChanges) {
        const { id, when } = await account.create('primary', {
          when: span(start, 30, zone),
          recurrence: ['RRULE:FREQ=DAILY;COUNT=7'],
        })
        expect(when).toMatchObject({ start_timezone: zone, end_timezone: zone })
        const days = await account.listAll('primary', { ...window, master_event_id: id })
        const first = Temporal.PlainDateTime.from(start)
        expect(days.map((day) => day.when.start_time)).toEqual(
          Array.from({ length: 7 }, (_, days) => at(first.add({ days }).toString(), zone)),
        )
        expect(new Set(days.flatMap(zonesOf))).toEqual(new Set([zone]))
      }
    },
  )

  test('a new zone replaces the old one, even if both have the same Windows name', async () => {
    const account = await newAccount()
    const { id } = await account.create('primary', {
      when: span('2027-06-01T09:00', 60, 'America/Toronto'),
      capacity: 5,
    })
    const others = ['America/New_York', 'US/Eastern', 'Europe/Vienna', 'Europe/Berlin', 'UTC', 'America/Detroit']
    for (const zone of others) {
      const changed = await account.change('primary', id, { when: span('2027-06-01T09:00', 60, zone) })
      expect(zonesOf(changed)).toEqual([zone, zone])
      expect(zonesOf(await account.read('primary', id))).toEqual([zone, zone])
    }
    const renamed = await account.change('primary', id, { title: 'Renamed', capacity: 6 })
    expect(zonesOf(renamed)).toEqual(['America/Detroit', 'America/Detroit'])
    expect(renamed.capacity).toBe(6)
  })

  test('a change that sends a series back as it was read changes nothing', async () => {
    const account = await newAccount()
    const { id, when, recurrence } = await account.create('primary', {
      when: span('2027-06-01T09:00', 60, 'America/Toronto'),
      recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
    })
    const inSeries = async () => account.listAll('primary', { ...window, master_event_id: id })
    const [, second] = await inSeries()
    await account.change('primary', second.id, { title: 'Changed' })
    await account.change('primary', id, { when, recurrence })
    expect((await inSeries()).map(({ title }) => title)).toEqual([null, 'Changed', null])
  })
})

test('Microsoft refuses a series in a zone without a Windows equivalent, and says so', async () => {
  const account = await microsoft.newAccount()
  const when = span('2027-06-01T09:00', 60, 'Antarctica/Troll')
  const answer = await account.post(
    '/events',
    { when, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] },
    { calendar_id: 'primary' },
  )
  expectRefusal(answer, /when\.start_timezone.*Antarctica\/Troll/)
})

test('a zone that a user chooses in Outlook is returned', async () => {
  const account = await microsoft.newAccount()
  const { id } = await account.create('primary', { when: span('2027-06-01T09:00', 60, 'America/Toronto') })
  const time = (hour: number) => ({ dateTime: `2027-06-01T${hour}:00:00`, timeZone: 'Central Standard Time' })
  account.microsoft.calendar.changeEvent(id, { start: time(10), end: time(11) })
  const { when } = await account.read('primary', id)
  expect(when).toMatchObject({
    start_time: at('2027-06-01T10:00', 'America/Chicago'),
    start_timezone: 'America/Chicago',
    end_timezone: 'America/Chicago',
  })
})
