/**
 * Changes of series, and the result on every kind of calendar. A kind that differs has its own expected result;
 * docs/calendars.md describes each difference.
 */
import { type Fields, span } from './accounts.ts'

export interface SeriesStep {
  /** The occurrence at this local time; if absent, the series. */
  at?: string
  /** The fields to write; if absent, it is deleted. */
  put?: Fields
}

export interface SeriesCase {
  name: string
  start: Fields
  recurrence: string[]
  steps?: SeriesStep[]
  /** Refused steps with their status and field, and then the listed occurrences. */
  expected: string[]
  differs?: Readonly<Record<string, string[]>>
}

export const zone = 'Europe/Berlin'
const nine = (day: string, hour = '09:00'): Fields => span(`2026-06-${day}T${hour}`, 60, zone)
const weekly = { start: nine('01'), recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=4'] }
const exceptional: SeriesStep[] = [
  { at: '2026-06-08T09:00' },
  { at: '2026-06-15T09:00', put: { title: 'Changed', location: 'Elsewhere' } },
  { at: '2026-06-22T09:00', put: { when: nine('22', '14:00') } },
]
const exchange = (expected: string[]) => ({ microsoft: expected, ews: expected })
const google = (expected: string[]) => ({ google: expected })

export const seriesCases: SeriesCase[] = [
  {
    name: 'a weekly series that is dragged to another weekday takes its rule and all its exceptions along',
    ...weekly,
    steps: [...exceptional, { put: { when: nine('02', '10:00') } }],
    expected: ['02T10:00 Series', '16T10:00 Changed', '23T14:00 Series'],
  },
  {
    name: 'a weekly series that is dragged to the week before starts there, and keeps its number of occurrences',
    ...weekly,
    steps: [...exceptional, { put: { when: span('2026-05-25T09:00', 60, zone) } }],
    expected: ['05-25T09:00 Series', '08T09:00 Changed', '15T14:00 Series'],
  },
  {
    name: 'several weekdays all move',
    start: nine('01'),
    recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=4'],
    steps: [{ put: { when: nine('02') } }],
    expected: ['02T09:00 Series', '04T09:00 Series', '06T09:00 Series', '09T09:00 Series'],
  },
  {
    name: 'every second weekend that is dragged over the end of the week stays two days in a row',
    start: nine('06'),
    recurrence: ['RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;COUNT=4'],
    steps: [{ put: { when: nine('07') } }],
    expected: ['07T09:00 Series', '08T09:00 Series', '21T09:00 Series', '22T09:00 Series'],
  },
  {
    name: 'a daily series that is dragged by a day takes its exceptions along, past places that it still has',
    start: nine('01'),
    recurrence: ['RRULE:FREQ=DAILY;UNTIL=20260605T070000Z'],
    steps: [
      { at: '2026-06-02T09:00', put: { title: 'Changed', location: 'Elsewhere' } },
      { at: '2026-06-03T09:00' },
      { at: '2026-06-04T09:00', put: { title: 'Other' } },
      { put: { when: nine('02') } },
    ],
    expected: ['02T09:00 Series', '03T09:00 Changed', '05T09:00 Other', '06T09:00 Series'],
  },
  {
    name: 'a monthly series on a date moves to the new date',
    start: nine('05'),
    recurrence: ['RRULE:FREQ=MONTHLY;BYMONTHDAY=5;COUNT=3'],
    steps: [{ put: { when: nine('09') } }],
    expected: ['09T09:00 Series', '07-09T09:00 Series', '08-09T09:00 Series'],
  },
  {
    name: 'a monthly series on a weekday moves to the new weekday and place',
    start: nine('09'),
    recurrence: ['RRULE:FREQ=MONTHLY;BYDAY=2TU;COUNT=3'],
    steps: [{ put: { when: nine('17') } }],
    expected: ['17T09:00 Series', '07-15T09:00 Series', '08-19T09:00 Series'],
  },
  {
    name: 'a yearly series moves to the new day and month',
    start: nine('09'),
    recurrence: ['RRULE:FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=9;COUNT=2'],
    steps: [{ put: { when: span('2026-07-10T09:00', 60, zone) } }],
    expected: ['07-10T09:00 Series'],
  },
  {
    name: 'a rule that cannot follow by itself is refused with the remedy, and goes with a new rule',
    start: nine('30'),
    recurrence: ['RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=2'],
    steps: [
      { put: { when: nine('29') } },
      { put: { when: nine('25'), recurrence: ['RRULE:FREQ=MONTHLY;BYMONTHDAY=25;COUNT=2'] } },
    ],
    expected: ['400 recurrence', '25T09:00 Series', '07-25T09:00 Series'],
  },
  {
    name: 'a rule that is sent back moves along like one that is not sent',
    ...weekly,
    steps: [...exceptional, { put: { when: nine('02', '10:00'), recurrence: weekly.recurrence } }],
    expected: ['02T10:00 Series', '16T10:00 Changed', '23T14:00 Series'],
  },
  {
    name: 'a rule that is sent back keeps its days where the new start is one of them',
    start: nine('01'),
    recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=3'],
    steps: [{ put: { when: nine('03'), recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=3'] } }],
    expected: ['03T09:00 Series', '08T09:00 Series', '10T09:00 Series'],
  },
  {
    name: 'a start outside the rule is refused, in a new series and in a change',
    ...weekly,
    steps: [
      { put: { recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=4'] } },
      { put: { when: nine('03'), recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=TH;COUNT=4'] } },
    ],
    expected: [
      '400 recurrence',
      '400 recurrence',
      '01T09:00 Series',
      '08T09:00 Series',
      '15T09:00 Series',
      '22T09:00 Series',
    ],
  },
  {
    name: 'a rule without its EXDATE leaves deleted what was deleted',
    start: nine('01'),
    recurrence: ['RRULE:FREQ=DAILY;COUNT=4', 'EXDATE:20260602T070000Z'],
    steps: [{ at: '2026-06-03T09:00' }, { put: { recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] } }],
    expected: ['01T09:00 Series', '04T09:00 Series', '05T09:00 Series'],
  },
  {
    name: 'another rule with other EXDATE lines replaces those before',
    start: nine('01'),
    recurrence: ['RRULE:FREQ=DAILY;COUNT=4', 'EXDATE:20260602T070000Z'],
    steps: [{ put: { recurrence: ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20260603T070000Z'] } }],
    expected: ['01T09:00 Series', '02T09:00 Series'],
  },
  ...(
    [
      ['an earlier end', 'RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260615T070000Z', ['01T09:00 Series', '15T09:00 Changed']],
      [
        'a later end',
        'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=5',
        ['01T09:00 Series', '15T09:00 Changed', '22T14:00 Series', '29T09:00 Series'],
      ],
      [
        'every second week',
        'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;COUNT=3',
        ['01T09:00 Series', '15T09:00 Changed', '29T09:00 Series'],
      ],
      [
        'another weekday beside',
        'RRULE:FREQ=WEEKLY;BYDAY=MO,TH;COUNT=7',
        [
          '01T09:00 Series',
          '04T09:00 Series',
          '11T09:00 Series',
          '15T09:00 Changed',
          '18T09:00 Series',
          '22T14:00 Series',
        ],
      ],
    ] as const
  ).map(([what, rule, expected]) => ({
    name: `a rule with ${what} keeps the changed occurrences that it still has`,
    ...weekly,
    steps: [...exceptional, { put: { recurrence: [rule] } }],
    expected: [...expected],
  })),
  {
    name: 'another length of a series keeps its changed occurrences',
    ...weekly,
    steps: [...exceptional, { put: { when: span('2026-06-01T09:00', 90, zone), title: 'Longer' } }],
    expected: ['01T09:00 Longer', '15T09:00 Changed', '22T14:00 Longer'],
  },
  {
    name: 'a series in hours becomes one of whole days with its rule sent back, and what was deleted stays so',
    ...weekly,
    steps: [{ at: '2026-06-08T09:00' }, { put: { when: { date: '2026-06-01' }, recurrence: weekly.recurrence } }],
    expected: ['01 Series', '15 Series', '22 Series'],
  },
  {
    name: 'a series of whole days becomes one in hours, and moves to another weekday at once',
    start: { date: '2026-06-01' },
    recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3'],
    steps: [{ put: { when: nine('02') } }],
    expected: ['02T09:00 Series', '09T09:00 Series', '16T09:00 Series'],
  },
  {
    name: 'a series that moves to another zone keeps the local time there',
    ...weekly,
    steps: [{ put: { when: span('2026-06-01T09:00', 60, 'America/New_York') } }],
    expected: ['01T15:00 Series', '08T15:00 Series', '15T15:00 Series', '22T15:00 Series'],
  },
  {
    name: 'a time without a zone stays in the zone of the series',
    start: span('2026-10-19T09:00', 60, zone),
    recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'],
    steps: [{ put: { when: span('2026-10-19T08:00') } }],
    expected: ['10-19T10:00 Series', '10-26T10:00 Series'],
  },
  {
    name: 'an occurrence that the series does not have any more is not found',
    ...weekly,
    steps: [
      { put: { recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2'] } },
      { at: '2026-06-22T09:00', put: { title: 'Late' } },
    ],
    expected: ['404', '01T09:00 Series', '08T09:00 Series'],
  },
  {
    name: 'an occurrence can be moved past another one',
    ...weekly,
    steps: [{ at: '2026-06-08T09:00', put: { when: nine('17') } }],
    expected: ['01T09:00 Series', '15T09:00 Series', '17T09:00 Series', '22T09:00 Series'],
    // Exchange does not allow an occurrence to pass its neighbors.
    differs: exchange(['400 when', '01T09:00 Series', '08T09:00 Series', '15T09:00 Series', '22T09:00 Series']),
  },
  {
    name: 'a local time that the change of the clocks skips has no occurrence, and does not count',
    start: span('2027-03-27T02:30', 60, zone),
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
    expected: ['27-03-27T02:30 Series', '27-03-29T02:30 Series', '27-03-30T02:30 Series'],
    // These providers expand their series themselves.
    differs: {
      ...google(['27-03-27T02:30 Series', '27-03-28T03:30 Series', '27-03-29T02:30 Series']),
      ...exchange(['27-03-27T02:30 Series', '27-03-28T03:30 Series', '27-03-29T02:30 Series']),
    },
  },
  {
    name: 'a local time that comes twice has one occurrence, the first time',
    start: span('2026-10-24T02:30', 60, zone),
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
    expected: ['10-24T02:30 Series', '10-25T02:30 Series', '10-26T02:30 Series'],
  },
  {
    name: 'COUNT beside UNTIL, and rules within a day, are refused',
    ...weekly,
    steps: [
      { put: { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4;UNTIL=20260622T070000Z'] } },
      { put: { recurrence: ['RRULE:FREQ=HOURLY;COUNT=4'] } },
    ],
    expected: [
      '400 recurrence',
      '400 recurrence',
      '01T09:00 Series',
      '08T09:00 Series',
      '15T09:00 Series',
      '22T09:00 Series',
    ],
  },
]
