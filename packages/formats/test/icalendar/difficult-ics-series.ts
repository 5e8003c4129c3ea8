/** Series with excluded, changed and added occurrences. */
import { calendar, type DifficultIcs, outlookZone, single, vevent } from './making-ics.ts'

const utc = (...lines: string[]): string[] => [
  'DTSTART:20260105T090000Z',
  'DTEND:20260105T100000Z',
  'SUMMARY:Round',
  ...lines,
]
const days = (...lines: string[]): string[] => [
  'DTSTART;VALUE=DATE:20260105',
  'DTEND;VALUE=DATE:20260106',
  'SUMMARY:Day',
  ...lines,
]
const zone = outlookZone('W. Europe Standard Time')
const local = (...lines: string[]): string[] => [
  'DTSTART;TZID=W. Europe Standard Time:20260105T090000',
  'DTEND;TZID=W. Europe Standard Time:20260105T100000',
  'SUMMARY:Round',
  ...lines,
]
const four = ['2026-01-05T09:00:00Z', '2026-01-12T09:00:00Z', '2026-01-19T09:00:00Z', '2026-01-26T09:00:00Z']
const without = (...gone: number[]): string[] => four.filter((_, index) => !gone.includes(index))
const override = (slot: string, start: string, ...lines: string[]): string[] =>
  vevent(`RECURRENCE-ID${slot}`, `DTSTART:${start}`, 'DURATION:PT1H', ...lines)

export const difficultSeries: DifficultIcs[] = [
  single('EXDATE as a list', utc('RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE:20260112T090000Z,20260126T090000Z'), {
    at: without(1, 3),
  }),
  single(
    'EXDATE in several lines',
    utc('RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE:20260112T090000Z', 'EXDATE:20260126T090000Z'),
    { at: without(1, 3) },
  ),
  single('EXDATE as a day in a series of hours', utc('RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE;VALUE=DATE:20260112'), {
    at: without(1),
    noOracle: 'ical.js compares a day with a time',
  }),
  calendar(
    'EXDATE in UTC for a series in a zone',
    [...zone, ...vevent(...local('RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE:20260112T080000Z'))],
    {
      at: ['2026-01-05T08:00:00Z', '2026-01-19T08:00:00Z', '2026-01-26T08:00:00Z'],
    },
  ),
  calendar(
    'EXDATE in another zone',
    [...zone, ...vevent(...local('RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE;TZID=America/New_York:20260112T030000'))],
    {
      at: ['2026-01-05T08:00:00Z', '2026-01-19T08:00:00Z', '2026-01-26T08:00:00Z'],
      noOracle: 'ical.js knows no zone that the text does not describe',
    },
  ),
  single(
    'EXDATE as midnight in a series of days',
    days('RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE;TZID=Europe/Berlin:20260112T000000'),
    {
      at: ['2026-01-05', '2026-01-19'],
      noOracle: 'ical.js compares a day with a time',
    },
  ),
  single('EXDATE in UTC in a series of days', days('RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20260111T230000Z'), {
    at: ['2026-01-05', '2026-01-19'],
    noOracle: 'ical.js compares a day with a time',
  }),
  single(
    'EXDATE that names nothing',
    utc('RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE:20260113T090000Z', 'EXDATE:', 'EXDATE:soon'),
    {
      at: four,
      noOracle: 'ical.js does not read it',
    },
  ),
  single('EXDATE of the start', utc('RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE:20260105T090000Z'), { at: without(0) }),
  single('RDATE beside a rule', utc('RRULE:FREQ=WEEKLY;COUNT=2', 'RDATE:20260301T120000Z'), {
    at: [...four.slice(0, 2), '2026-03-01T12:00:00Z'],
  }),
  single('RDATE without a rule', utc('RDATE:20260301T120000Z,20260302T120000Z'), {
    at: [four[0] ?? '', '2026-03-01T12:00:00Z', '2026-03-02T12:00:00Z'],
    noOracle: 'ical.js leaves the start out',
  }),
  single('RDATE with periods', utc('RDATE;VALUE=PERIOD:20260301T120000Z/PT2H,20260302T120000Z/20260302T150000Z'), {
    at: [four[0] ?? '', '2026-03-01T12:00:00Z', '2026-03-02T12:00:00Z'],
    noOracle: 'ical.js takes the periods for dates',
  }),
  single('RDATE that the rule makes too', utc('RRULE:FREQ=WEEKLY;COUNT=4', 'RDATE:20260112T090000Z'), {
    at: four,
    noOracle: 'ical.js has it twice',
  }),
  single('UNTIL as a day', utc('RRULE:FREQ=WEEKLY;UNTIL=20260119'), {
    at: four.slice(0, 3),
    noOracle: 'ical.js ends with the beginning of the day',
  }),
  calendar('UNTIL as a local time', [...zone, ...vevent(...local('RRULE:FREQ=WEEKLY;UNTIL=20260119T090000'))], {
    at: ['2026-01-05T08:00:00Z', '2026-01-12T08:00:00Z', '2026-01-19T08:00:00Z'],
  }),
  single('UNTIL before the start', utc('RRULE:FREQ=WEEKLY;UNTIL=20251231T000000Z'), {
    at: four.slice(0, 1),
    noOracle: 'ical.js has no occurrence at all',
  }),
  single('COUNT and UNTIL at once', utc('RRULE:FREQ=WEEKLY;COUNT=10;UNTIL=20260126T090000Z'), {
    at: four,
    noOracle: 'ical.js refuses it',
  }),
  single('COUNT beyond all bounds', utc('RRULE:FREQ=YEARLY;COUNT=99999'), { at: four.slice(0, 1) }),
  single('INTERVAL of nothing', utc('RRULE:FREQ=WEEKLY;INTERVAL=0;UNTIL=20260126T090000Z'), {
    at: four,
    noOracle: 'ical.js may take another interval',
  }),
  single('RSCALE of our own calendar', utc('RRULE:RSCALE=GREGORIAN;FREQ=WEEKLY;COUNT=4;SKIP=OMIT'), {
    at: four,
    noOracle: 'ical.js does not know RSCALE',
  }),
  single('RSCALE of another calendar', utc('RRULE:RSCALE=CHINESE;FREQ=YEARLY'), {
    at: four.slice(0, 1),
    noOracle: 'ical.js does not know RSCALE',
  }),
  single('a rule with parts of somebody’s own', utc('RRULE:FREQ=WEEKLY;COUNT=4;X-MAYBE=YES'), {
    at: four,
    noOracle: 'ical.js may refuse it',
  }),
  single('numbered weekdays of a week', utc('RRULE:FREQ=WEEKLY;COUNT=4;BYDAY=1MO'), {
    at: four,
    noOracle: 'ical.js may refuse it',
  }),
  single('a start outside of the rule', utc('RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20260120T235959Z'), {
    at: ['2026-01-05T09:00:00Z', '2026-01-06T09:00:00Z', '2026-01-13T09:00:00Z', '2026-01-20T09:00:00Z'],
    noOracle: 'ical.js leaves the start out',
  }),
  single('every six hours', utc('RRULE:FREQ=HOURLY;INTERVAL=6;COUNT=4'), {
    at: ['2026-01-05T09:00:00Z', '2026-01-05T15:00:00Z', '2026-01-05T21:00:00Z', '2026-01-06T03:00:00Z'],
  }),
  single(
    'every quarter of an hour from nine to ten',
    utc('RRULE:FREQ=MINUTELY;INTERVAL=15;BYHOUR=9;UNTIL=20260106T091500Z'),
    {
      at: [
        '2026-01-05T09:00:00Z',
        '2026-01-05T09:15:00Z',
        '2026-01-05T09:30:00Z',
        '2026-01-05T09:45:00Z',
        '2026-01-06T09:00:00Z',
        '2026-01-06T09:15:00Z',
      ],
      noOracle: 'ical.js does not limit minutes by hours',
    },
  ),
  single('every second', utc('RRULE:FREQ=SECONDLY'), { at: four.slice(0, 1), noOracle: 'would not end' }),
  single('every two minutes', utc('RRULE:FREQ=MINUTELY;INTERVAL=2;COUNT=5000'), {
    at: four.slice(0, 1),
    noOracle: 'nobody could list it',
  }),
  single(
    'a thousand times a day',
    utc(
      `RRULE:FREQ=DAILY;COUNT=3000;BYHOUR=${Array.from({ length: 24 }, (_, hour) => hour)};BYMINUTE=${Array.from({ length: 40 }, (_, minute) => minute)}`,
    ),
    {
      at: four.slice(0, 1),
      noOracle: 'nobody could list it',
    },
  ),
  single(
    'days that last three years each',
    ['DTSTART;VALUE=DATE:20260105', 'DTEND;VALUE=DATE:20290105', 'RRULE:FREQ=DAILY;COUNT=20'],
    {
      at: ['2026-01-05'],
      noOracle: 'nobody could list it',
    },
  ),
  single('a rule that never comes true', utc('RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31'), {
    at: four.slice(0, 1),
    noOracle: 'would not end',
  }),
  single('a rule that is none', utc('RRULE:WHENEVER'), { at: four.slice(0, 1), noOracle: 'ical.js refuses it' }),
  single('two rules', utc('RRULE:FREQ=WEEKLY;COUNT=4', 'RRULE:FREQ=DAILY;COUNT=2'), {
    at: four,
    noOracle: 'ical.js follows both',
  }),
  single('EXRULE', utc('RRULE:FREQ=WEEKLY;COUNT=4', 'EXRULE:FREQ=WEEKLY;INTERVAL=2'), { at: four }),
  calendar(
    'an override before its master',
    [
      ...override(':20260112T090000Z', '20260112T110000Z', 'SUMMARY:Later'),
      ...vevent(...utc('RRULE:FREQ=WEEKLY;COUNT=4')),
    ],
    {
      at: ['2026-01-05T09:00:00Z', '2026-01-12T11:00:00Z', '2026-01-19T09:00:00Z', '2026-01-26T09:00:00Z'],
      titles: ['Round', 'Later', 'Round', 'Round'],
    },
  ),
  calendar(
    'an override that is cancelled',
    [
      ...vevent(...utc('RRULE:FREQ=WEEKLY;COUNT=4')),
      ...override(':20260112T090000Z', '20260112T090000Z', 'STATUS:CANCELLED'),
    ],
    {
      at: without(1),
      noOracle: 'ical.js shows what is cancelled',
    },
  ),
  calendar(
    'an override known by another zone',
    [
      ...zone,
      ...vevent(...local('RRULE:FREQ=WEEKLY;COUNT=2')),
      ...override(';TZID=Asia/Tokyo:20260112T170000', '20260112T100000Z', 'SUMMARY:Elsewhere'),
    ],
    {
      at: ['2026-01-05T08:00:00Z', '2026-01-12T10:00:00Z'],
      titles: ['Round', 'Elsewhere'],
      noOracle: 'ical.js knows no zone that the text does not describe',
    },
  ),
  calendar(
    'an override known by its day',
    [
      ...vevent(...utc('RRULE:FREQ=WEEKLY;COUNT=2')),
      ...override(';VALUE=DATE:20260112', '20260112T100000Z', 'SUMMARY:That day'),
    ],
    {
      at: ['2026-01-05T09:00:00Z', '2026-01-12T10:00:00Z'],
      titles: ['Round', 'That day'],
      noOracle: 'ical.js compares a day with a time',
    },
  ),
  calendar(
    'an override of days known by a time',
    [
      ...vevent(...days('RRULE:FREQ=WEEKLY;COUNT=2')),
      ...vevent('RECURRENCE-ID:20260111T230000Z', 'DTSTART;VALUE=DATE:20260113', 'SUMMARY:A day later'),
    ],
    {
      at: ['2026-01-05', '2026-01-13'],
      titles: ['Day', 'A day later'],
      noOracle: 'ical.js compares a day with a time',
    },
  ),
  calendar(
    'an override that is a day in a series of hours',
    [
      ...vevent(...utc('RRULE:FREQ=WEEKLY;COUNT=2')),
      ...vevent('RECURRENCE-ID:20260112T090000Z', 'DTSTART;VALUE=DATE:20260112', 'SUMMARY:All day'),
    ],
    { at: ['2026-01-05T09:00:00Z', '2026-01-12'], titles: ['Round', 'All day'] },
  ),
  calendar(
    'this and what follows',
    [
      ...vevent(...utc('RRULE:FREQ=WEEKLY;COUNT=4')),
      ...vevent(
        'RECURRENCE-ID;RANGE=THISANDFUTURE:20260119T090000Z',
        'DTSTART:20260119T130000Z',
        'DURATION:PT30M',
        'SUMMARY:Afternoon',
      ),
    ],
    {
      at: ['2026-01-05T09:00:00Z', '2026-01-12T09:00:00Z', '2026-01-19T13:00:00Z', '2026-01-26T13:00:00Z'],
      titles: ['Round', 'Round', 'Afternoon', 'Afternoon'],
    },
  ),
  calendar(
    'this and what follows, moved across days, in days',
    [
      ...vevent(...days('RRULE:FREQ=WEEKLY;COUNT=3')),
      ...vevent(
        'RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20260112',
        'DTSTART;VALUE=DATE:20260114',
        'DTEND;VALUE=DATE:20260116',
        'SUMMARY:Two days',
      ),
    ],
    { at: ['2026-01-05', '2026-01-14', '2026-01-21'], titles: ['Day', 'Two days', 'Two days'] },
  ),
  calendar(
    'overrides without a master',
    [
      ...override(':20260112T090000Z', '20260112T110000Z', 'SUMMARY:Guest'),
      ...override(':20260119T090000Z', '20260119T090000Z', 'SUMMARY:Guest again'),
    ],
    {
      orphan: true,
      at: ['2026-01-12T11:00:00Z', '2026-01-19T09:00:00Z'],
      titles: ['Guest', 'Guest again'],
      noOracle: 'ical.js needs a master',
    },
  ),
  calendar(
    'two overrides of one slot',
    [
      ...vevent(...utc('RRULE:FREQ=WEEKLY;COUNT=2')),
      ...override(':20260112T090000Z', '20260112T100000Z', 'SUMMARY:New', 'SEQUENCE:3'),
      ...override(':20260112T090000Z', '20260112T110000Z', 'SUMMARY:Old', 'SEQUENCE:2'),
    ],
    {
      at: ['2026-01-05T09:00:00Z', '2026-01-12T10:00:00Z'],
      titles: ['Round', 'New'],
      noOracle: 'ical.js takes the last',
    },
  ),
  calendar(
    'an override of a slot that EXDATE has taken out',
    [
      ...vevent(...utc('RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20260112T090000Z')),
      ...override(':20260112T090000Z', '20260112T110000Z', 'SUMMARY:Still'),
    ],
    {
      at: ['2026-01-05T09:00:00Z', '2026-01-12T11:00:00Z', '2026-01-19T09:00:00Z'],
      noOracle: 'ical.js leaves it out',
    },
  ),
  calendar(
    'an override of a slot that there never was',
    [
      ...vevent(...utc('RRULE:FREQ=WEEKLY;COUNT=2')),
      ...override(':20260114T090000Z', '20260114T110000Z', 'SUMMARY:Extra'),
    ],
    {
      at: ['2026-01-05T09:00:00Z', '2026-01-12T09:00:00Z', '2026-01-14T11:00:00Z'],
      noOracle: 'ical.js leaves it out',
    },
  ),
  calendar(
    'an override without a start',
    [
      ...vevent(...utc('RRULE:FREQ=WEEKLY;COUNT=2')),
      ...vevent('RECURRENCE-ID:20260112T090000Z', 'SUMMARY:Without a start'),
    ],
    {
      at: ['2026-01-05T09:00:00Z', '2026-01-12T09:00:00Z'],
      titles: ['Round', 'Without a start'],
      noOracle: 'ical.js fails',
    },
  ),
  calendar(
    'two masters',
    [
      ...vevent(...utc('SEQUENCE:1')),
      ...vevent('DTSTART:20260201T090000Z', 'DTEND:20260201T100000Z', 'SUMMARY:Newer', 'SEQUENCE:2'),
    ],
    {
      at: ['2026-02-01T09:00:00Z'],
      titles: ['Newer'],
      noOracle: 'ical.js takes the first',
    },
  ),
  single(
    'a series without end through a change of clocks',
    [
      'DTSTART;TZID=Europe/Berlin:20260323T023000',
      'DTEND;TZID=Europe/Berlin:20260323T033000',
      'RRULE:FREQ=DAILY;UNTIL=20260331T003000Z',
    ],
    {
      at: ['2026-03-23', '2026-03-24', '2026-03-25', '2026-03-26', '2026-03-27', '2026-03-28']
        .map((day) => `${day}T01:30:00Z`)
        .concat(['2026-03-30T00:30:00Z', '2026-03-31T00:30:00Z']),
      noOracle: 'ical.js keeps the hour that is not there',
    },
  ),
  single(
    'the last working day of a month',
    utc('RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3', 'EXDATE:20260105T090000Z'),
    {
      at: ['2026-01-30T09:00:00Z', '2026-02-27T09:00:00Z', '2026-03-31T09:00:00Z'],
    },
  ),
  single('birthdays on the 29th of February', ['DTSTART;VALUE=DATE:20240229', 'RRULE:FREQ=YEARLY', 'SUMMARY:Leap'], {
    at: [],
    noOracle: 'ical.js goes on to the 1st of March',
  }),
]
