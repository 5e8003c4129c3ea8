import { describe, expect, test } from 'vitest'
import { type BusyCalendar, type BusyEvent, ownRsvp, rsvpReader } from '../src/busy-events.ts'
import { findFreeBusy } from '../src/free-busy.ts'

const seconds = (text: string): number => Temporal.Instant.from(text).epochMilliseconds / 1000
const at = (time: string): number => seconds(`2026-06-01T${time}:00-04:00`)
const event = (start: string, end: string, more: Partial<BusyEvent> = {}): BusyEvent => ({
  when: { start_time: at(start), end_time: at(end) },
  busy: true,
  status: 'confirmed',
  ...more,
})
const calendar = (...events: BusyEvent[]): BusyCalendar => ({ timezone: 'America/New_York', events })
const window = { start_time: at('09:00'), end_time: at('17:00') }
const blocks = (
  events: BusyEvent[],
  requested: { start_time: number; end_time: number; tentative_as_busy?: boolean } = window,
) =>
  findFreeBusy('ann@x.test', [calendar(...events)], requested).time_slots.map(({ start_time, end_time }) =>
    [start_time, end_time].map((time) =>
      Temporal.Instant.fromEpochMilliseconds(time * 1000)
        .toZonedDateTimeISO('America/New_York')
        .toPlainTime()
        .toString()
        .slice(0, 5),
    ),
  )

describe('free/busy of an address', () => {
  test('has the shape of the contract, and no slots when free', () => {
    expect(findFreeBusy('ann@x.test', [], window)).toEqual({ email: 'ann@x.test', object: 'free_busy', time_slots: [] })
    expect(findFreeBusy('ann@x.test', [calendar(event('10:00', '11:00'))], window).time_slots).toEqual([
      { start_time: at('10:00'), end_time: at('11:00'), status: 'busy', object: 'time_slot' },
    ])
  })

  test('merges overlapping and touching events of all calendars, sorts them and clips them to the window', () => {
    const answer = findFreeBusy(
      'ann@x.test',
      [
        calendar(event('16:30', '18:00'), event('11:00', '12:00'), event('08:00', '09:30')),
        { timezone: 'Europe/Berlin', events: [event('12:00', '12:30'), event('10:45', '11:15')] },
      ],
      window,
    )
    expect(answer.time_slots.map(({ start_time, end_time }) => [start_time, end_time])).toEqual([
      [at('09:00'), at('09:30')],
      [at('10:45'), at('12:30')],
      [at('16:30'), at('17:00')],
    ])
  })

  test('leaves out events that only touch the window', () => {
    expect(blocks([event('08:00', '09:00'), event('17:00', '18:00')])).toEqual([])
  })

  test('leaves out free, cancelled and declined events', () => {
    const hour = ['10:00', '11:00'] as const
    expect(
      blocks([
        event(...hour, { busy: false }),
        event(...hour, { status: 'cancelled' }),
        event(...hour, { rsvp: 'no' }),
      ]),
    ).toEqual([])
    for (const more of [
      { busy: null },
      { busy: undefined },
      { status: null },
      { rsvp: 'yes' },
      { rsvp: 'noreply' },
    ] as const)
      expect(blocks([event(...hour, more)])).toEqual([['10:00', '11:00']])
  })

  test('counts tentative events by default', () => {
    for (const more of [{ status: 'maybe' }, { status: 'tentative' }, { rsvp: 'maybe' }] as const) {
      const tentative = [event('10:00', '11:00', more)]
      expect(blocks(tentative)).toHaveLength(1)
      expect(blocks(tentative, { ...window, tentative_as_busy: true })).toHaveLength(1)
      expect(blocks(tentative, { ...window, tentative_as_busy: false })).toEqual([])
    }
    expect(blocks([event('10:00', '11:00')], { ...window, tentative_as_busy: false })).toHaveLength(1)
  })

  test('has no block for an event without length', () => {
    expect(blocks([{ when: { time: at('10:00') } }, event('11:00', '11:00'), event('12:00', '11:30')])).toEqual([])
  })

  test('takes all-day events as days of the calendar zone, the last one included', () => {
    const requested = { start_time: seconds('2026-05-30T00:00Z'), end_time: seconds('2026-06-05T00:00Z') }
    const slots = (when: BusyEvent['when'], timezone: string) =>
      findFreeBusy('a', [{ timezone, events: [{ when }] }], requested).time_slots.map(({ start_time, end_time }) =>
        [start_time, end_time].map((time) => Temporal.Instant.fromEpochMilliseconds(time * 1000).toString()),
      )
    expect(slots({ date: '2026-06-01' }, 'America/New_York')).toEqual([
      ['2026-06-01T04:00:00Z', '2026-06-02T04:00:00Z'],
    ])
    expect(slots({ start_date: '2026-06-01', end_date: '2026-06-02' }, 'Pacific/Auckland')).toEqual([
      ['2026-05-31T12:00:00Z', '2026-06-02T12:00:00Z'],
    ])
    expect(slots({ start_date: '2025-01-01', end_date: '2027-01-01' }, 'Asia/Tokyo')).toEqual([
      ['2026-05-30T00:00:00Z', '2026-06-05T00:00:00Z'],
    ])
    expect(blocks([{ when: { date: '2026-06-01' }, busy: false }])).toEqual([])
  })

  test('gives the day of a clock change its real length', () => {
    const requested = { start_time: seconds('2026-03-07T00:00Z'), end_time: seconds('2026-03-10T00:00Z') }
    const [slot] = findFreeBusy('a', [calendar({ when: { date: '2026-03-08' } })], requested).time_slots
    expect((slot.end_time - slot.start_time) / 3600).toBe(23)
  })
})

test('the answer of the owner is found whatever the case of the address', () => {
  const participants = [
    { email: null },
    { email: 'bob@x.test', status: 'yes' },
    { email: 'Ann@X.test', status: 'no' },
  ] as const
  expect(ownRsvp(participants, 'ann@x.test')).toBe('no')
  expect(ownRsvp([{ email: 'ann@x.test' }], 'ann@x.test')).toBe('noreply')
  expect(ownRsvp(participants, 'carl@x.test')).toBeUndefined()
})

test('the guests that the occurrences of a series share are searched once', () => {
  let searched = 0
  const guests = [
    {
      get email() {
        searched += 1
        return 'Ann@x.test'
      },
      status: 'no' as const,
    },
  ]
  const rsvpOf = rsvpReader(['other@x.test', 'ann@x.test'])
  expect(Array.from({ length: 100 }, () => rsvpOf(guests))).toEqual(Array.from({ length: 100 }, () => 'no'))
  expect(searched).toBe(2)
  expect(rsvpOf([])).toBeUndefined()
})
