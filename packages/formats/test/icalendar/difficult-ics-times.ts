/** Starts and ends in all their forms. */
import { type DifficultIcs, single } from './making-ics.ts'

export const difficultTimes: DifficultIcs[] = [
  single('a floating time', ['DTSTART:20260701T100000', 'DTEND:20260701T110000'], {
    zone: 'America/New_York',
    start: '2026-07-01T14:00:00Z',
    end: '2026-07-01T15:00:00Z',
    timezone: 'America/New_York',
  }),
  single('a time in UTC', ['DTSTART:20260701T100000Z', 'DTEND:20260701T110000Z'], {
    start: '2026-07-01T10:00:00Z',
    end: '2026-07-01T11:00:00Z',
    timezone: 'UTC',
  }),
  single(
    'UTC and a TZID at once',
    ['DTSTART;TZID=Europe/Berlin:20260701T100000Z', 'DTEND;TZID=Europe/Berlin:20260701T110000Z'],
    {
      start: '2026-07-01T10:00:00Z',
      end: '2026-07-01T11:00:00Z',
      noOracle: 'ical.js takes the zone',
    },
  ),
  single('a duration of an hour and a half', ['DTSTART:20260701T100000Z', 'DURATION:PT1H30M'], {
    start: '2026-07-01T10:00:00Z',
    end: '2026-07-01T11:30:00Z',
  }),
  single(
    'a duration of a day over a change of clocks',
    ['DTSTART;TZID=Europe/Berlin:20260328T100000', 'DURATION:P1D'],
    {
      start: '2026-03-28T09:00:00Z',
      end: '2026-03-29T08:00:00Z',
      noOracle: 'ical.js knows no zone that the text does not describe',
    },
  ),
  single(
    'a duration of 24 hours over a change of clocks',
    ['DTSTART;TZID=Europe/Berlin:20260328T100000', 'DURATION:PT24H'],
    {
      start: '2026-03-28T09:00:00Z',
      end: '2026-03-29T09:00:00Z',
      noOracle: 'ical.js knows no zone that the text does not describe',
    },
  ),
  single('a duration of weeks for whole days', ['DTSTART;VALUE=DATE:20260701', 'DURATION:P2W'], {
    start: '2026-07-01',
    end: '2026-07-14',
  }),
  single('a duration that goes back', ['DTSTART:20260701T100000Z', 'DURATION:-PT1H'], {
    start: '2026-07-01T10:00:00Z',
    end: '2026-07-01T10:00:00Z',
    noOracle: 'ical.js ends before it begins',
  }),
  single('DTEND and DURATION at once', ['DTSTART:20260701T100000Z', 'DURATION:PT3H', 'DTEND:20260701T110000Z'], {
    start: '2026-07-01T10:00:00Z',
    end: '2026-07-01T11:00:00Z',
  }),
  single('an end before the start', ['DTSTART:20260701T100000Z', 'DTEND:20260701T090000Z'], {
    start: '2026-07-01T10:00:00Z',
    end: '2026-07-01T10:00:00Z',
    noOracle: 'ical.js ends before it begins',
  }),
  single('an end at the start', ['DTSTART:20260701T100000Z', 'DTEND:20260701T100000Z'], {
    start: '2026-07-01T10:00:00Z',
    end: '2026-07-01T10:00:00Z',
  }),
  single('no end', ['DTSTART:20260701T100000Z'], {
    start: '2026-07-01T10:00:00Z',
    end: '2026-07-01T10:00:00Z',
    fields: { when: { object: 'time', time: 1782900000, timezone: 'UTC' } },
  }),
  single('a day without an end', ['DTSTART;VALUE=DATE:20260701'], { start: '2026-07-01', end: '2026-07-01' }),
  single('a day that ends on itself', ['DTSTART;VALUE=DATE:20260701', 'DTEND;VALUE=DATE:20260701'], {
    start: '2026-07-01',
    end: '2026-07-01',
  }),
  single('days that end before they begin', ['DTSTART;VALUE=DATE:20260701', 'DTEND;VALUE=DATE:20260601'], {
    start: '2026-07-01',
    end: '2026-07-01',
    noOracle: 'ical.js ends before it begins',
  }),
  single('days over the end of a leap February', ['DTSTART;VALUE=DATE:20280227', 'DTEND;VALUE=DATE:20280302'], {
    start: '2028-02-27',
    end: '2028-03-01',
  }),
  single('a date without VALUE=DATE', ['DTSTART:20260701', 'DTEND:20260703'], {
    start: '2026-07-01',
    end: '2026-07-02',
    noOracle: 'ical.js takes it for a time',
  }),
  single('a time under VALUE=DATE', ['DTSTART;VALUE=DATE:20260701T000000', 'DTEND;VALUE=DATE:20260702T000000'], {
    start: '2026-07-01',
    end: '2026-07-01',
    noOracle: 'ical.js does not read it',
  }),
  single(
    'a date with a TZID',
    ['DTSTART;TZID=Europe/Berlin;VALUE=DATE:20260701', 'DTEND;TZID=Europe/Berlin;VALUE=DATE:20260702'],
    { start: '2026-07-01', end: '2026-07-01' },
  ),
  single(
    'a start in days and an end in hours',
    ['DTSTART;VALUE=DATE:20260701', 'DTEND;TZID=Europe/Berlin:20260702T120000'],
    {
      start: '2026-07-01',
      end: '2026-07-02',
      noOracle: 'ical.js ends at noon',
    },
  ),
  single(
    'a start in hours and an end in days',
    ['DTSTART;TZID=Europe/Berlin:20260701T180000', 'DTEND;VALUE=DATE:20260702'],
    {
      start: '2026-07-01T16:00:00Z',
      end: '2026-07-01T22:00:00Z',
      noOracle: 'ical.js does not turn a day into a time',
    },
  ),
  single('the marks of ISO 8601', ['DTSTART:2026-07-01T10:00:00Z', 'DTEND:2026-07-01T11:00:00Z'], {
    start: '2026-07-01T10:00:00Z',
    end: '2026-07-01T11:00:00Z',
    noOracle: 'ical.js does not read it',
  }),
  single('small letters', ['dtstart:20260701t100000z', 'dtend:20260701t110000z'], {
    start: '2026-07-01T10:00:00Z',
    end: '2026-07-01T11:00:00Z',
    noOracle: 'ical.js does not read it',
  }),
  single('blanks behind the times', ['DTSTART:20260701T100000Z ', 'DTEND:20260701T110000Z\t'], {
    start: '2026-07-01T10:00:00Z',
    end: '2026-07-01T11:00:00Z',
    noOracle: 'ical.js does not read it',
  }),
  single('midnight as 24:00, and a leap second', ['DTSTART:20260630T240000Z', 'DTEND:20260701T235960Z'], {
    start: '2026-07-01T00:00:00Z',
    end: '2026-07-01T23:59:59Z',
    noOracle: 'ical.js makes other times of them',
  }),
  single(
    'VALUE=DATE-TIME said aloud',
    ['DTSTART;VALUE=DATE-TIME:20260701T100000Z', 'DTEND;VALUE=DATE-TIME:20260701T110000Z'],
    {
      start: '2026-07-01T10:00:00Z',
      end: '2026-07-01T11:00:00Z',
    },
  ),
  single(
    'a year in the far past',
    ['DTSTART;VALUE=DATE:16040101', 'RRULE:FREQ=YEARLY;INTERVAL=1', 'SUMMARY:Birthday of the order'],
    { start: '1604-01-01', at: ['2026-01-01'] },
  ),
  single('no start at all', ['SUMMARY:Some day'], { unreadable: true }),
  single('a start that is no date', ['DTSTART:20260231T100000Z', 'SUMMARY:The 31st of February'], { unreadable: true }),
]
