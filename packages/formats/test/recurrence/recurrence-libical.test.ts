import { describe, expect, test } from 'vitest'
import { occurrencesBetween } from '../../src/recurrence/recurrence.ts'
import { Steps } from '../../src/recurrence/steps.ts'
import { describeVectors } from './describing-vectors.ts'
import { at, problemOf, seriesOf, timed } from './making-series.ts'
import { readTable, readVectors, startOf } from './reading-vectors.ts'
import {
  againstDateutil,
  againstRruleTemporal,
  agreed,
  libicalAlone,
  notAgreed,
  refused,
} from './recurrence-vectors-libical.ts'

describeVectors('§20.5 rules as libical, dateutil and rrule-temporal read them', readVectors(agreed))
describeVectors('§20.5 rules as libical and rrule-temporal read them', readVectors(againstDateutil))
describeVectors('rules as libical and dateutil read them', readVectors(againstRruleTemporal))
describeVectors('rules as only libical reads them', readVectors(libicalAlone))
describeVectors('rules that libical reads otherwise', readVectors(notAgreed))

describe('rules that libical expands and we refuse', () => {
  test.each(readTable(refused))('%s %s', (begin = '', rule, part = '') => {
    expect(problemOf(startOf(begin), `RRULE:${rule}`)?.split(': ')[0]).toBe(part)
  })
})

/** A start, its zone, the rule and how many occurrences libical counts. */
const counted: readonly (readonly [string, string, string, number])[] = [
  ['1997-12-15T09:00', 'America/Los_Angeles', 'FREQ=DAILY;UNTIL=19971224T000000Z;INTERVAL=1', 9],
  [
    '1998-01-01T09:00',
    'America/Los_Angeles',
    'FREQ=YEARLY;UNTIL=20000131T090000;BYDAY=SU,MO,TU,WE,TH,FR,SA;BYMONTH=1',
    93,
  ],
  ['1998-01-01T09:00', 'America/Los_Angeles', 'FREQ=DAILY;UNTIL=20000131T090000;INTERVAL=1;BYMONTH=1', 93],
  ['2002-01-01T09:00', 'UTC', 'FREQ=DAILY;UNTIL=20020120T090000Z;INTERVAL=1;BYDAY=TU,WE,TH', 9],
  ['2002-01-01T09:00', 'UTC', 'FREQ=DAILY;UNTIL=20020120T090000Z;INTERVAL=1;BYDAY=MO,TU,WE,TH,FR;WKST=SU', 14],
  ['1997-09-02T09:00', 'America/Los_Angeles', 'FREQ=WEEKLY;UNTIL=19971224T000000Z;INTERVAL=1', 17],
  ['1997-09-02T09:00', 'America/Los_Angeles', 'FREQ=WEEKLY;UNTIL=19971007T000000Z;INTERVAL=1;BYDAY=TU,TH', 10],
  [
    '1997-09-02T09:00',
    'America/Los_Angeles',
    'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;BYDAY=MO,WE,FR;WKST=SU',
    24,
  ],
  ['1997-09-05T09:00', 'America/Los_Angeles', 'FREQ=MONTHLY;UNTIL=19971224T000000Z;INTERVAL=1;BYDAY=1FR', 4],
]

test.each(counted)('%s %s %s occurs %i times', (begin, zone, rule, count) => {
  const series = seriesOf(timed(begin, zone), `RRULE:${rule}`)
  const window = { from: at('1990-01-01'), to: at('2050-01-01') }
  expect(occurrencesBetween(series, window, { allDayZone: 'UTC', steps: new Steps() })).toHaveLength(count)
})
