import { describe, expect, test } from 'vitest'
import { toIntervals } from '../src/intervals.ts'
import { zoneOffsetsAround } from '../src/local-time.ts'
import { type Opening, openSpans } from '../src/open-hours.ts'

const zone = 'America/New_York'
const seconds = (text: string): number => Temporal.Instant.from(text).epochMilliseconds / 1000

/** The open spans of an opening between two moments, as UTC texts without the year. */
function open(opening: Opening, from: string, to: string): string[] {
  const window = { start: seconds(from), end: seconds(to) }
  const text = (moment: number): string =>
    Temporal.Instant.fromEpochMilliseconds(moment * 1000)
      .toString()
      .slice(5, 16)
  const spans = openSpans(opening, { window, offsets: zoneOffsetsAround(window) })
  return toIntervals(spans).map(({ start, end }) => `${text(start)}/${text(end)}`)
}
const june = (opening: Opening): string[] => open(opening, '2026-06-01T00:00-04:00', '2026-06-04T00:00-04:00')
const hours = { days: [1, 2, 3], timezone: zone, start: '9:00', end: '17:00' }
const whole = ['06-01T04:00/06-04T04:00']

describe('open hours', () => {
  test('are the whole window when there are none', () => {
    expect(june({})).toEqual(whole)
    expect(june({ open_hours: [], specific_time_availability: [] })).toEqual(whole)
  })

  test('apply on the listed days, 0 being Sunday', () => {
    expect(june({ open_hours: [{ ...hours, days: [2] }] })).toEqual(['06-02T13:00/06-02T21:00'])
    expect(june({ open_hours: [{ ...hours, days: [0, 6] }] })).toEqual([])
    expect(open({ open_hours: [{ ...hours, days: [0] }] }, '2026-06-06T00:00Z', '2026-06-09T00:00Z')).toEqual([
      '06-07T13:00/06-07T21:00',
    ])
  })

  test('are clipped to the window', () => {
    expect(open({ open_hours: [hours] }, '2026-06-01T12:00-04:00', '2026-06-01T13:00-04:00')).toEqual([
      '06-01T16:00/06-01T17:00',
    ])
  })

  test('are the union of all rules; the end of a day touches the next', () => {
    const evening = { ...hours, days: [1], start: '16:00', end: '24:00' }
    const night = { ...hours, days: [2], start: '0:00', end: '2:00' }
    expect(june({ open_hours: [{ ...hours, days: [1] }, evening, night] })).toEqual(['06-01T13:00/06-02T06:00'])
  })

  test('leave out excluded dates, in the zone of the rule and only of that rule', () => {
    const tokyo = { days: [2], timezone: 'Asia/Tokyo', start: '9:00', end: '10:00', exdates: ['2026-06-01'] }
    expect(june({ open_hours: [{ ...hours, exdates: ['2026-06-02'] }, tokyo] })).toEqual([
      '06-01T13:00/06-01T21:00',
      '06-02T00:00/06-02T01:00',
      '06-03T13:00/06-03T21:00',
    ])
    expect(june({ open_hours: [{ ...tokyo, exdates: ['2026-06-02'] }] })).toEqual([])
  })

  test('reach the window from a local date that is not its date in UTC', () => {
    const far = (timezone: string) => ({ days: [0, 1, 2, 3, 4, 5, 6], timezone, start: '12:00', end: '13:00' })
    const day = ['2026-06-01T00:00Z', '2026-06-02T00:00Z'] as const
    expect(open({ open_hours: [far('Pacific/Kiritimati')] }, ...day)).toEqual(['06-01T22:00/06-01T23:00'])
    expect(open({ open_hours: [far('Pacific/Niue')] }, ...day)).toEqual(['06-01T23:00/06-02T00:00'])
  })

  test.each([
    [zone, '2026-03-07T00:00Z', '2026-03-10T00:00Z', ['03-07T14:00', '03-08T13:00', '03-09T13:00']],
    [zone, '2026-10-31T00:00Z', '2026-11-03T00:00Z', ['10-31T13:00', '11-01T14:00', '11-02T14:00']],
    ['Europe/Berlin', '2026-03-28T00:00Z', '2026-03-31T00:00Z', ['03-28T08:00', '03-29T07:00', '03-30T07:00']],
    ['Australia/Lord_Howe', '2026-10-02T12:00Z', '2026-10-05T12:00Z', ['10-02T22:30', '10-03T22:00', '10-04T22:00']],
  ])('begin at the same local time on both sides of a change: %s %s', (timezone, from, to, starts) => {
    const rule = { days: [0, 1, 2, 3, 4, 5, 6], timezone, start: '9:00', end: '10:00' }
    expect(open({ open_hours: [rule] }, from, to).map((span) => span.split('/')[0])).toEqual(starts)
  })

  test('in the hours that are skipped, do not exist', () => {
    const rule = { days: [0], timezone: zone, start: '2:00', end: '3:00' }
    expect(open({ open_hours: [rule] }, '2026-03-08T00:00Z', '2026-03-09T00:00Z')).toEqual([])
  })

  test('do not depend on where the window begins, even just after a change', () => {
    // 1:30 to 3:00 begins in the first pass of the repeated hour, before this window does.
    const rule = { days: [0], timezone: zone, start: '1:30', end: '3:00' }
    expect(open({ open_hours: [rule] }, '2026-11-01T06:05Z', '2026-11-02T00:00Z')).toEqual(['11-01T06:05/11-01T08:00'])
  })
})

describe('specific times', () => {
  const wednesday = { date: '2026-06-03', start: '14:00', end: '15:00', timezone: zone }

  test('replace the open hours of their date, several as a union', () => {
    const morning = { ...wednesday, start: '8:00', end: '9:00' }
    expect(
      june({ open_hours: [{ ...hours, days: [2, 3] }], specific_time_availability: [wednesday, morning] }),
    ).toEqual(['06-02T13:00/06-02T21:00', '06-03T12:00/06-03T13:00', '06-03T18:00/06-03T19:00'])
  })

  test('open a date that has no open hours', () => {
    expect(june({ open_hours: [{ ...hours, days: [6] }], specific_time_availability: [wednesday] })).toEqual([
      '06-03T18:00/06-03T19:00',
    ])
  })

  test('from 0:00 to 0:00 close the date', () => {
    const closed = { ...wednesday, start: '00:00', end: '00:00' }
    expect(june({ open_hours: [{ ...hours, days: [2, 3] }], specific_time_availability: [closed] })).toEqual([
      '06-02T13:00/06-02T21:00',
    ])
    expect(june({ specific_time_availability: [closed] })).toEqual(['06-01T04:00/06-03T04:00'])
  })

  test('without open hours replace their local day of the window', () => {
    expect(june({ specific_time_availability: [wednesday] })).toEqual([
      '06-01T04:00/06-03T04:00',
      '06-03T18:00/06-03T19:00',
    ])
  })

  test('replace the date of a rule in another zone by its name', () => {
    const tokyo = { ...wednesday, timezone: 'Asia/Tokyo' }
    expect(june({ open_hours: [{ ...hours, days: [2, 3] }], specific_time_availability: [tokyo] })).toEqual([
      '06-02T13:00/06-02T21:00',
      '06-03T05:00/06-03T06:00',
    ])
  })

  test('are the only open times on request, and without any the person is never available', () => {
    const only = { open_hours: [hours], only_specific_time_availability: true }
    expect(june({ ...only, specific_time_availability: [wednesday] })).toEqual(['06-03T18:00/06-03T19:00'])
    expect(june(only)).toEqual([])
  })

  test('outside the window change nothing', () => {
    const later = { ...wednesday, date: '2027-06-03' }
    expect(june({ specific_time_availability: [later] })).toEqual(whole)
  })
})
