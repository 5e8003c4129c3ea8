/** Days, months and free times of the booking page. */
import { expect, test } from 'vitest'
import { createSlotStore, hostsOf, nearestSlots, nextFreeDay, type Slot, slotsByDay } from '../src/slots.ts'
import { addMonths, dayInMonth, weeksOf, windowOf } from '../src/time/days.ts'
import { firstWeekdayOf, formatsOf, formatTagOf } from '../src/time/formats.ts'
import { allZones, zonesMatching } from '../src/time/zones.ts'

const at = (text: string): number => Date.parse(text) / 1000
const slotAt = (text: string, emails: string[] = []): Slot => ({
  emails,
  start_time: at(text),
  end_time: at(text) + 1800,
})
const now = at('2026-11-18T10:00:00Z')

/** A service with these times that counts requests. */
function serviceWith(...times: string[]) {
  const requested: string[] = []
  const slots = async ({ start, end }: { start: number; end: number }) => {
    requested.push(new Date(start * 1000).toISOString().slice(0, 10))
    return {
      time_slots: times.map((time) => slotAt(time)).filter((slot) => slot.start_time >= start && slot.start_time < end),
    }
  }
  return { requested, store: createSlotStore({ slots }, () => now) }
}

test('a month begins on the first weekday of the language and has whole weeks', () => {
  const weeks = weeksOf('2026-11', 1)
  expect(weeks).toHaveLength(6)
  expect(weeks[0]).toEqual([...Array.from({ length: 6 }, () => undefined), '2026-11-01'])
  expect(weeksOf('2026-11', 0)[0]?.[0]).toBe('2026-11-01')
  expect([addMonths('2026-11', 2), addMonths('2026-01', -1)]).toEqual(['2027-01', '2025-12'])
  expect(dayInMonth('2026-01-31', '2026-02')).toBe('2026-02-28')
  expect([firstWeekdayOf('en-US'), firstWeekdayOf('de-DE')]).toEqual([0, 1])
})

test('a free time belongs to the day that it has in the time zone of the visitor, also when clocks change', () => {
  const slots = [slotAt('2026-10-25T23:30:00Z'), slotAt('2026-10-25T00:30:00Z'), slotAt('2026-10-25T01:30:00Z')]
  const daysIn = (zone: string) =>
    [...slotsByDay(slots, formatsOf('en', zone, false))].map(([day, { length }]) => [day, length])
  expect(daysIn('UTC')).toEqual([['2026-10-25', 3]])
  expect(daysIn('Europe/Berlin')).toEqual([
    ['2026-10-25', 2],
    ['2026-10-26', 1],
  ])
  expect(daysIn('America/Los_Angeles')).toEqual([
    ['2026-10-24', 2],
    ['2026-10-25', 1],
  ])
  const { start, end } = windowOf('2026-11')
  expect(start).toBeLessThanOrEqual(at('2026-11-01T00:00:00+14:00'))
  expect(end).toBeGreaterThanOrEqual(at('2026-12-01T00:00:00-12:00'))
})

test('the next free day is searched month by month, and each month is read once', async () => {
  const { requested, store } = serviceWith('2027-01-05T09:00:00Z')
  const search = { store, formats: formatsOf('en', 'UTC', false), last: '2027-02' }
  expect(await nextFreeDay(search, '2026-11-17')).toBe('2027-01-05')
  expect(await nextFreeDay(search, '2026-11-17')).toBe('2027-01-05')
  expect(requested).toHaveLength(3)
  expect(requested[0]).toBe('2026-11-18')
  expect(await nextFreeDay({ ...search, last: '2026-12' }, '2026-11-17')).toBeUndefined()
})

test('a failed month can be read again', async () => {
  let isDown = true
  const slots = async () => {
    if (isDown) throw new Error('down')
    return { time_slots: [slotAt('2026-11-20T09:00:00Z')] }
  }
  const store = createSlotStore({ slots }, () => now)
  await store.load('2026-11')
  expect(store.month('2026-11')?.state).toBe('failed')
  isDown = false
  await store.load('2026-11')
  expect(store.month('2026-11')).toMatchObject({ state: 'ready', slots: [{ emails: [] }] })
})

test('instead of a taken time the nearest ones are offered, in order of time and without the taken one', async () => {
  const times = [
    '2026-11-20T09:00:00Z',
    '2026-11-20T11:00:00Z',
    '2026-11-20T12:00:00Z',
    '2026-11-27T09:00:00Z',
    '2026-12-01T10:00:00Z',
  ]
  const { store } = serviceWith(...times)
  const search = { store, formats: formatsOf('en', 'UTC', false), last: '2026-12' }
  const starts = async (count: number) =>
    (await nearestSlots(search, slotAt('2026-11-20T11:00:00Z'), count)).map(({ start_time }) => start_time)
  expect(await starts(2)).toEqual([at('2026-11-20T09:00:00Z'), at('2026-11-20T12:00:00Z')])
  expect(await starts(9)).toEqual([times[0], times[2], times[3], times[4]].map((time) => at(time ?? '')))
})

test('with round robin, the first host in order who is free is booked; otherwise the server decides', () => {
  const slot = slotAt('2026-11-20T09:00:00Z', ['b@example.com', 'c@example.com'])
  expect(hostsOf(slot, ['a@example.com', 'c@example.com', 'b@example.com'])).toEqual([{ email: 'c@example.com' }])
  expect(hostsOf(slot, [])).toEqual([])
})

test('time zones are found by city, name and offset, and the own one comes first', () => {
  const zones = allZones('en', 'America/Sao_Paulo')
  expect(zones[0]?.id).toBe('America/Sao_Paulo')
  expect(zonesMatching(zones, 'sao paulo').map(({ id }) => id)).toContain('America/Sao_Paulo')
  expect(zonesMatching(zones, 'gmt+9 tokyo').map(({ city }) => city)).toEqual(['Tokyo'])
  expect(zonesMatching(zones, 'nowhere at all')).toEqual([])
  expect(formatTagOf('en', ['de-DE', 'en-GB'])).toBe('en-GB')
  expect(formatTagOf('fr', ['de-DE'])).toBe('fr')
})
