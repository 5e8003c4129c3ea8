/** Calendar objects after a change: the change is there, and the rest is unchanged to the byte. */
import type { Participant, When } from '@waypost/contract'
import { describe, expect, test } from 'vitest'
import { type EventFields, eventsOf, readCalendarObject } from '../../src/icalendar/calendar-object.ts'
import {
  type ChangeOptions,
  cancelOccurrence,
  changeEvent as changeObject,
  changeOccurrence,
  type FieldChange,
  newCalendarObject,
  setAttendeeStatus,
} from '../../src/icalendar/calendar-object-changes.ts'
import { occurrencesIn } from '../../src/icalendar/calendar-occurrences.ts'
import { ComponentNode, type Item, parseItems, writeItems } from '../../src/icalendar/content-lines.ts'
import { Steps } from '../../src/recurrence/steps.ts'
import { difficultIcs } from './difficult-ics.ts'
import { endsOfWhen } from './ics-times.ts'
import { calendar, type DifficultIcs, outlookZone, vevent } from './making-ics.ts'

const changeEvent = (...change: Parameters<typeof changeObject>): string => changeObject(...change).text

const hour = 3600
const options: ChangeOptions = {
  zone: 'Europe/Berlin',
  now: Date.UTC(2026, 0, 2, 3, 4, 5),
  addresses: ['ada@example.com'],
  organizer: { email: 'ada@example.com', name: 'Ada Byron' },
}
const optionsOf = ({ zone = 'Europe/Berlin' }: DifficultIcs): ChangeOptions => ({ ...options, zone })

function objectOf(text: string) {
  const object = readCalendarObject(text)
  if (!object) throw new Error('no object')
  return object
}

const readText = (text: string, zone = 'Europe/Berlin') => eventsOf(objectOf(text), { zone })

function mainOf(text: string, zone?: string): EventFields {
  const { main } = readText(text, zone)
  if (!main) throw new Error('no main event')
  return main
}

/** The text without these lines directly in an event, and without METHOD; line ends do not count. */
function rest(text: string, names: readonly string[]): string {
  const isGone = (item: Item, within: string): boolean =>
    !(item instanceof ComponentNode) &&
    ((within === 'VEVENT' && names.includes(item.name)) || (within === 'VCALENDAR' && item.name === 'METHOD'))
  const pruned = (items: readonly Item[], within: string): Item[] =>
    items
      .filter((item) => !isGone(item, within))
      .map((item) => (item instanceof ComponentNode ? item.with(pruned(item.items, item.name)) : item))
  return writeItems(pruned(parseItems(text), ''))
    .replace(/\r*\n/g, '\n')
    .replace(/\n$/, '')
}

const stamps = ['DTSTAMP', 'LAST-MODIFIED', 'X-WAYPOST-ASKED-SEQUENCE']
const ofTime = ['DTSTART', 'DTEND', 'DURATION', 'SEQUENCE', 'RRULE', 'RDATE', 'EXDATE', 'RECURRENCE-ID', ...stamps]
const changeable = difficultIcs.filter(({ unreadable, orphan }) => !unreadable && !orphan)
const named = changeable.map((sample) => [sample.name, sample] as const)

/** Fields that a change of others does not touch. */
const others = ({ updated_at: _, sequence: _s, ...fields }: EventFields) => fields

function later(when: When, seconds: number): When {
  const day = (date: string): string =>
    Temporal.PlainDate.from(date)
      .add({ days: seconds / 86_400 })
      .toString()
  switch (when.object) {
    case 'time':
      return { ...when, time: when.time + seconds }
    case 'timespan':
      return { ...when, start_time: when.start_time + seconds, end_time: when.end_time + seconds }
    case 'date':
      return { ...when, date: day(when.date) }
    case 'datespan':
      return { ...when, start_date: day(when.start_date), end_date: day(when.end_date) }
  }
}

describe('a difficult calendar object', () => {
  test.each(named)('%s: does not change if its own fields are written', (_, sample) => {
    const { title, description, location, when, busy, status, participants, resources, recurrence, reminders } = mainOf(
      sample.text,
      sample.zone,
    )
    const same = {
      title,
      description,
      location,
      when,
      busy,
      status,
      participants,
      resources,
      reminders,
      ...(recurrence ? { recurrence } : {}),
    }
    expect(changeEvent(objectOf(sample.text), same, optionsOf(sample))).toBe(sample.text)
  })

  test.each(named)('%s: with another title changes only its title', (_, sample) => {
    const title =
      'Another; title, with \\ all\nand a long tail that must be folded, because it has more than 75 octets: äöü'
    const text = changeEvent(objectOf(sample.text), { title }, optionsOf(sample))
    expect(rest(text, ['SUMMARY', ...stamps])).toBe(rest(sample.text, ['SUMMARY', ...stamps]))
    expect(others(mainOf(text, sample.zone))).toEqual({ ...others(mainOf(sample.text, sample.zone)), title })
    expect(text).not.toMatch(/(?<!\r)\n|^METHOD/m)
  })

  test.each(named)('%s: with another time changes only its times', (_, sample) => {
    const before = readText(sample.text, sample.zone)
    const main = mainOf(sample.text, sample.zone)
    const when = later(main.when, main.when.object.startsWith('date') ? 7 * 86_400 : 2 * hour)
    const text = changeEvent(objectOf(sample.text), { when }, optionsOf(sample))
    const after = mainOf(text, sample.zone)
    expect(after.when).toEqual(when)
    // An event whose organizer is unreadable is somebody else's.
    const isOwn = main.organizer !== null || !sample.text.includes('ORGANIZER')
    const highest = Math.max(main.sequence ?? 0, ...before.overrides.map(({ fields }) => fields.sequence ?? 0))
    expect(after.sequence).toBe(isOwn ? highest + 1 : main.sequence)
    // Guests are asked again, and overrides of removed slots are deleted.
    const names = [...ofTime, 'ATTENDEE']
    if (before.overrides.length === 0) expect(rest(text, names)).toBe(rest(sample.text, names))
    const { when: _w, recurrence: _r, participants: requested, ...same } = others(after)
    const { when: _x, recurrence: _q, participants, reminders: _m, ...expected } = others(main)
    expect(same).toMatchObject(expected)
    expect(requested.map(({ email, name, comment }) => ({ email, name, comment }))).toEqual(
      participants.map(({ email, name, comment }) => ({ email, name, comment })),
    )
  })

  test.each(named)('%s: with one more guest keeps the lines of the others', (_, sample) => {
    const main = mainOf(sample.text, sample.zone)
    const added: Participant = {
      email: 'new@example.com',
      name: 'New, One',
      comment: null,
      phone_number: null,
      status: 'noreply',
    }
    const text = changeEvent(objectOf(sample.text), { participants: [...main.participants, added] }, optionsOf(sample))
    const names = [...stamps, 'SEQUENCE', 'ATTENDEE', 'ORGANIZER']
    expect(rest(text, names)).toBe(rest(sample.text, names))
    const attendees = (of: string): string[] =>
      objectOf(of).master?.lines.flatMap(({ name, raw }) =>
        name === 'ATTENDEE' ? raw.replace(/\r*\n/g, '\r\n') : [],
      ) ?? []
    expect(attendees(text).slice(0, -1)).toEqual(attendees(sample.text))
    const after = mainOf(text, sample.zone)
    expect(after.participants).toEqual([...main.participants, added])
    if (!sample.text.includes('ORGANIZER')) expect(after.organizer).toEqual(options.organizer)
  })
})

const series = (...more: string[]): string =>
  calendar(
    'series',
    [
      ...outlookZone('W. Europe Standard Time'),
      ...vevent(
        'SEQUENCE:4',
        'DTSTART;TZID=W. Europe Standard Time:20260105T090000',
        'DTEND;TZID=W. Europe Standard Time:20260105T100000',
        'RRULE:FREQ=WEEKLY;UNTIL=20260331T220000Z',
        'EXDATE;TZID=W. Europe Standard Time:20260119T090000',
        'SUMMARY:Round',
        'LOCATION:Here',
        'ORGANIZER:mailto:ada@example.com',
        'ATTENDEE;PARTSTAT=ACCEPTED;X-KEEP=1:mailto:bob@example.com',
        'X-MINE:1',
        'BEGIN:VALARM',
        'UID:alarm-1',
        'ACTION:DISPLAY',
        'TRIGGER:-PT10M',
        'ACKNOWLEDGED:20260101T000000Z',
        'END:VALARM',
      ),
      ...vevent(
        'SEQUENCE:4',
        'RECURRENCE-ID;TZID=W. Europe Standard Time:20260112T090000',
        'DTSTART;TZID=W. Europe Standard Time:20260112T090000',
        'DTEND;TZID=W. Europe Standard Time:20260112T100000',
        'SUMMARY:Other words',
        'LOCATION:Here',
        'ORGANIZER:mailto:ada@example.com',
        'ATTENDEE;PARTSTAT=DECLINED:mailto:bob@example.com',
        'X-MINE:2',
      ),
      ...vevent(
        'SEQUENCE:6',
        'RECURRENCE-ID;TZID=W. Europe Standard Time:20260126T090000',
        'DTSTART;TZID=W. Europe Standard Time:20260127T150000',
        'DTEND;TZID=W. Europe Standard Time:20260127T160000',
        'SUMMARY:Round',
        'LOCATION:There',
        'ORGANIZER:mailto:ada@example.com',
        'ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.com',
      ),
      ...more,
    ],
    {},
  ).text

const at = (local: string): number =>
  Temporal.PlainDateTime.from(local).toZonedDateTime('Europe/Berlin').epochMilliseconds / 1000
const span = (start: string, end: string): When => ({
  object: 'timespan',
  start_time: at(start),
  end_time: at(end),
  start_timezone: 'Europe/Berlin',
  end_timezone: 'Europe/Berlin',
})
const january = { from: Date.UTC(2026, 0, 1) / 1000, to: Date.UTC(2026, 1, 1) / 1000 }
const shown = (text: string): [string, string | null][] =>
  occurrencesIn(readText(text), january, { ...options, steps: new Steps() }).map(({ fields }) => [
    endsOfWhen(fields.when)[0],
    fields.title,
  ])
const linesOf = (text: string, name: string): string[] =>
  objectOf(text).calendar.components.flatMap((one) =>
    one.lines.filter((line) => line.name === name).map(({ raw }) => raw.replace(/\r\n /g, '').trim()),
  )

describe('a series', () => {
  test('that moves moves its exceptions, its overrides and its end', () => {
    const text = changeEvent(objectOf(series()), { when: span('2026-01-05T11:00', '2026-01-05T12:30') }, options)
    expect(shown(text)).toEqual([
      ['2026-01-05T10:00:00Z', 'Round'],
      ['2026-01-12T10:00:00Z', 'Other words'],
      ['2026-01-27T14:00:00Z', 'Round'],
    ])
    expect(linesOf(text, 'RECURRENCE-ID')).toEqual([
      'RECURRENCE-ID;TZID=W. Europe Standard Time:20260112T110000',
      'RECURRENCE-ID;TZID=W. Europe Standard Time:20260126T110000',
    ])
    expect(linesOf(text, 'EXDATE')).toEqual(['EXDATE;TZID=W. Europe Standard Time:20260119T110000'])
    expect(linesOf(text, 'SEQUENCE')).toEqual(['SEQUENCE:7', 'SEQUENCE:7', 'SEQUENCE:6'])
    expect(linesOf(text, 'ATTENDEE')[0]).toBe(
      'ATTENDEE;PARTSTAT=NEEDS-ACTION;X-KEEP=1;RSVP=TRUE:mailto:bob@example.com',
    )
    expect(linesOf(text, 'X-MINE')).toEqual(['X-MINE:1', 'X-MINE:2'])
    expect(linesOf(text, 'TZID')).toEqual(['TZID:W. Europe Standard Time'])
  })

  test('whose fields change updates the overrides that shared them', () => {
    const text = changeEvent(objectOf(series()), { title: 'Square', location: 'Upstairs' }, options)
    expect(linesOf(text, 'SUMMARY')).toEqual(['SUMMARY:Square', 'SUMMARY:Other words', 'SUMMARY:Square'])
    expect(linesOf(text, 'LOCATION')).toEqual(['LOCATION:Upstairs', 'LOCATION:Upstairs', 'LOCATION:There'])
    expect(linesOf(text, 'DTSTART')).toEqual(linesOf(series(), 'DTSTART'))
  })

  test('whose guests change updates overrides with the same guests, and answers stay', () => {
    const { participants } = mainOf(series())
    const added: Participant = {
      email: 'eve@example.com',
      name: null,
      comment: null,
      phone_number: null,
      status: 'noreply',
    }
    const text = changeEvent(objectOf(series()), { participants: [...participants, added] }, options)
    const { overrides } = readText(text)
    expect(overrides.map(({ fields }) => fields.participants.map(({ email }) => email))).toEqual([
      ['bob@example.com', 'eve@example.com'],
      ['bob@example.com', 'eve@example.com'],
    ])
  })

  test('with another rule loses the overrides of removed slots', () => {
    const text = changeEvent(objectOf(series()), { recurrence: ['RRULE:FREQ=WEEKLY;INTERVAL=3;COUNT=3'] }, options)
    expect(shown(text)).toEqual([
      ['2026-01-05T08:00:00Z', 'Round'],
      ['2026-01-27T14:00:00Z', 'Round'],
    ])
    expect(linesOf(text, 'RRULE')).toEqual(['RRULE:FREQ=WEEKLY;INTERVAL=3;COUNT=3'])
    expect(linesOf(text, 'EXDATE')).toEqual([])
  })

  test('that is no longer recurring is one event', () => {
    const text = changeEvent(objectOf(series()), { recurrence: null }, options)
    expect(shown(text)).toEqual([['2026-01-05T08:00:00Z', 'Round']])
    expect(text).not.toMatch(/RRULE:FREQ=WEEKLY|EXDATE|RECURRENCE-ID/)
  })

  test('that moves to another zone gets a VTIMEZONE and all slots in it', () => {
    const when: When = {
      object: 'timespan',
      start_time: at('2026-01-05T09:00'),
      end_time: at('2026-01-05T10:00'),
      start_timezone: 'America/New_York',
      end_timezone: 'America/New_York',
    }
    const text = changeEvent(objectOf(series()), { when }, options)
    expect(linesOf(text, 'TZID')).toEqual(['TZID:W. Europe Standard Time', 'TZID:America/New_York'])
    expect(linesOf(text, 'DTSTART')[0]).toBe('DTSTART;TZID=America/New_York:20260105T030000')
    expect(linesOf(text, 'RECURRENCE-ID')[0]).toBe('RECURRENCE-ID;TZID=America/New_York:20260112T030000')
    expect(linesOf(text, 'EXDATE')).toEqual(['EXDATE;TZID=America/New_York:20260119T030000'])
  })

  test('of timed events becomes all-day, with its own lines or with others', () => {
    const when: When = { object: 'date', date: '2026-01-05' }
    const starts = (recurrence?: string[]) =>
      shown(changeEvent(objectOf(series()), { when, ...(recurrence ? { recurrence } : {}) }, options)).map(
        ([start]) => start,
      )
    const own = readText(series(), options.zone).main?.recurrence ?? []
    expect(own).not.toEqual([])
    expect(starts()).toEqual(starts(own))
    expect(starts(['RRULE:FREQ=WEEKLY;COUNT=2'])).toEqual(['2026-01-05', '2026-01-12'])
  })

  test('refuses a rule that its start does not follow, and invalid lines', () => {
    expect(() => changeEvent(objectOf(series()), { recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=TU'] }, options)).toThrow(
      /allowed by RRULE/,
    )
    expect(() => changeEvent(objectOf(series()), { recurrence: ['RRULE:FREQ=HOURLY'] }, options)).toThrow(/HOURLY/)
  })

  test('with an unreadable rule keeps it on the same day, and does not move to another', () => {
    const text = calendar(
      'odd',
      vevent('DTSTART:20260105T090000Z', 'DTEND:20260105T100000Z', 'RRULE:RSCALE=CHINESE;FREQ=YEARLY'),
      {},
    ).text
    const when: When = {
      object: 'timespan',
      start_time: at('2026-01-05T12:00'),
      end_time: at('2026-01-05T13:00'),
      start_timezone: null,
      end_timezone: null,
    }
    const moved = changeEvent(objectOf(text), { when }, options)
    expect(linesOf(moved, 'RRULE')).toEqual(['RRULE:RSCALE=CHINESE;FREQ=YEARLY'])
    expect(linesOf(moved, 'DTSTART')).toEqual(['DTSTART:20260105T110000Z'])
    const later = { ...when, start_time: when.start_time + 86_400, end_time: when.end_time + 86_400 }
    expect(() => changeEvent(objectOf(text), { when: later }, options)).toThrow(/send recurrence with the rule/)
  })
})

describe('one occurrence', () => {
  test('that changes becomes an override with everything of its series', () => {
    const text = changeOccurrence(objectOf(series()), '20260105T080000Z', { change: { title: 'First' }, options })
    const added = objectOf(text).overrides.at(-1)
    expect(added?.lines.map(({ raw }) => raw.trim())).toEqual([
      'UID:series@calendars.example',
      'DTSTAMP:20260102T030405Z',
      'SEQUENCE:4',
      'RECURRENCE-ID;TZID=W. Europe Standard Time:20260105T090000',
      'DTSTART;TZID=W. Europe Standard Time:20260105T090000',
      'DTEND;TZID=W. Europe Standard Time:20260105T100000',
      'SUMMARY:First',
      'LOCATION:Here',
      'ORGANIZER:mailto:ada@example.com',
      'ATTENDEE;PARTSTAT=ACCEPTED;X-KEEP=1:mailto:bob@example.com',
      'X-MINE:1',
      'LAST-MODIFIED:20260102T030405Z',
    ])
    // Its alarm is another one, which nobody has acknowledged yet.
    expect(added?.components[0]?.text).toBe('BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT10M\r\nEND:VALARM\r\n')
    expect(text.replace(added?.text ?? '', '')).toBe(series())
  })

  test("that changes again keeps its override's fields", () => {
    const text = changeOccurrence(objectOf(series()), '20260112T080000Z', {
      change: { when: span('2026-01-13T09:00', '2026-01-13T10:00') },
      options,
    })
    expect(shown(text)[1]).toEqual(['2026-01-13T08:00:00Z', 'Other words'])
    expect(linesOf(text, 'SEQUENCE')).toEqual(['SEQUENCE:4', 'SEQUENCE:7', 'SEQUENCE:6'])
    expect(linesOf(text, 'X-MINE')).toEqual(['X-MINE:1', 'X-MINE:2'])
    expect(rest(text, [...ofTime, 'ATTENDEE'])).toBe(rest(series(), [...ofTime, 'ATTENDEE']))
  })

  test('covered by an earlier THISANDFUTURE override is created like it', () => {
    const text = series(
      ...vevent(
        'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=W. Europe Standard Time:20260202T090000',
        'DTSTART;TZID=W. Europe Standard Time:20260202T140000',
        'DURATION:PT30M',
        'SUMMARY:Afternoon',
        'X-MINE:3',
      ),
    )
    const changed = changeOccurrence(objectOf(text), '20260216T080000Z', { change: { location: 'Garden' }, options })
    expect(
      objectOf(changed)
        .overrides.at(-1)
        ?.lines.map(({ raw }) => raw.trim()),
    ).toEqual([
      'UID:series@calendars.example',
      'DTSTAMP:20260102T030405Z',
      'RECURRENCE-ID;TZID=W. Europe Standard Time:20260216T090000',
      'DTSTART;TZID=W. Europe Standard Time:20260216T140000',
      'DTEND;TZID=W. Europe Standard Time:20260216T143000',
      'SUMMARY:Afternoon',
      'X-MINE:3',
      'LOCATION:Garden',
      'LAST-MODIFIED:20260102T030405Z',
      'SEQUENCE:7',
    ])
  })

  test('with an empty change leaves the text unchanged', () => {
    expect(changeOccurrence(objectOf(series()), '20260105T080000Z', { change: { title: 'Round' }, options })).toBe(
      series(),
    )
  })

  test('cannot recur, and must exist', () => {
    const change: FieldChange = { recurrence: ['RRULE:FREQ=DAILY'] }
    expect(() => changeOccurrence(objectOf(series()), '20260105T080000Z', { change, options })).toThrow(/cannot repeat/)
    expect(() => changeOccurrence(objectOf(series()), '20260106T080000Z', { change: { title: 'x' }, options })).toThrow(
      /no event/,
    )
    expect(() => cancelOccurrence(objectOf(series()), '20260119T080000Z', options)).toThrow(/no event/)
  })

  test('that is cancelled is excluded, with its override', () => {
    const text = cancelOccurrence(objectOf(series()), '20260112T080000Z', options) ?? ''
    expect(shown(text).map(([start]) => start)).toEqual(['2026-01-05T08:00:00Z', '2026-01-27T14:00:00Z'])
    expect(linesOf(text, 'EXDATE')).toEqual([
      'EXDATE;TZID=W. Europe Standard Time:20260119T090000',
      'EXDATE;TZID=W. Europe Standard Time:20260112T090000',
    ])
    expect(linesOf(text, 'SEQUENCE')).toEqual(['SEQUENCE:7', 'SEQUENCE:6'])
  })

  test('that exists twice is removed twice', () => {
    const again = (...lines: string[]): string[] =>
      vevent(
        'RECURRENCE-ID;TZID=W. Europe Standard Time:20260112T090000',
        'DTSTART:20260112T080000Z',
        'SEQUENCE:1',
        ...lines,
      )
    const text = series(...again('SUMMARY:Older'), ...again('SUMMARY:Oldest'))
    expect(shown(text)[1]?.[1]).toBe('Other words')
    expect(cancelOccurrence(objectOf(text), '20260112T080000Z', options)).not.toMatch(/Older|Oldest/)
    expect(changeEvent(objectOf(text), { recurrence: null }, options)).not.toMatch(/Older|Oldest/)
    const moved = changeEvent(objectOf(text), { when: span('2026-01-05T11:00', '2026-01-05T12:00') }, options)
    expect(moved).not.toMatch(/Older|Oldest/)
    expect(shown(changeEvent(objectOf(text), { description: 'New' }, options))[1]?.[1]).toBe('Other words')
  })

  test('that is the last one of a guest leaves nothing', () => {
    const text = calendar(
      'orphan',
      vevent('RECURRENCE-ID:20260112T080000Z', 'DTSTART:20260112T080000Z', 'DURATION:PT1H'),
      {},
    ).text
    expect(cancelOccurrence(objectOf(text), '20260112T080000Z', options)).toBeUndefined()
    const changed = changeOccurrence(objectOf(text), '20260112T080000Z', { change: { title: 'Mine' }, options })
    expect(readText(changed).overrides[0]?.fields.title).toBe('Mine')
  })
})

describe('an answer', () => {
  const bob = { addresses: ['bob@example.com'], status: 'maybe' as const }

  test('is written in the series and in its overrides, and raises no sequence number', () => {
    const text = setAttendeeStatus(objectOf(series()), { ...bob, comment: 'If, "perhaps"' }, options) ?? ''
    expect(linesOf(text, 'ATTENDEE')).toEqual([
      `ATTENDEE;PARTSTAT=TENTATIVE;X-KEEP=1;X-RESPONSE-COMMENT="If, ^'perhaps^'":mailto:bob@example.com`,
      `ATTENDEE;PARTSTAT=TENTATIVE;X-RESPONSE-COMMENT="If, ^'perhaps^'":mailto:bob@example.com`,
      `ATTENDEE;PARTSTAT=TENTATIVE;X-RESPONSE-COMMENT="If, ^'perhaps^'":mailto:bob@example.com`,
    ])
    expect(mainOf(text).participants[0]).toMatchObject({ status: 'maybe', comment: 'If, "perhaps"' })
    expect(linesOf(text, 'SEQUENCE')).toEqual(['SEQUENCE:4', 'SEQUENCE:4', 'SEQUENCE:6'])
  })

  test('to one occurrence creates an override', () => {
    const text = setAttendeeStatus(objectOf(series()), { ...bob, slot: '20260105T080000Z' }, options) ?? ''
    const { main, overrides } = readText(text)
    expect(main?.participants[0]?.status).toBe('yes')
    expect(overrides.map(({ slot, fields }) => [slot, fields.participants[0]?.status])).toEqual([
      ['20260105T080000Z', 'maybe'],
      ['20260112T080000Z', 'no'],
      ['20260126T080000Z', 'yes'],
    ])
  })

  test('of an uninvited person is ignored', () => {
    expect(setAttendeeStatus(objectOf(series()), { ...bob, addresses: ['eve@example.com'] }, options)).toBeUndefined()
    expect(
      setAttendeeStatus(
        objectOf(series()),
        { ...bob, addresses: ['eve@example.com'], slot: '20260105T080000Z' },
        options,
      ),
    ).toBeUndefined()
  })

  test('without notification says so to the server', () => {
    const text = setAttendeeStatus(objectOf(series()), bob, { ...options, scheduleAgent: 'NONE' }) ?? ''
    expect(linesOf(text, 'ORGANIZER')[0]).toBe('ORGANIZER;SCHEDULE-AGENT=NONE:mailto:ada@example.com')
    const again =
      setAttendeeStatus(objectOf(text), { ...bob, status: 'yes' }, { ...options, scheduleAgent: 'SERVER' }) ?? ''
    expect(linesOf(again, 'ORGANIZER')[0]).toBe('ORGANIZER:mailto:ada@example.com')
  })
})

describe('an event of another organizer', () => {
  const guest: ChangeOptions = { ...options, addresses: ['bob@example.com'], organizer: { email: 'bob@example.com' } }

  test('keeps its sequence number and its answers, whatever a guest changes', () => {
    const text = changeEvent(
      objectOf(series()),
      { when: span('2026-01-05T11:00', '2026-01-05T12:00'), reminders: null },
      guest,
    )
    expect(linesOf(text, 'SEQUENCE')).toEqual(linesOf(series(), 'SEQUENCE'))
    expect(linesOf(text, 'ATTENDEE')).toEqual(linesOf(series(), 'ATTENDEE'))
    expect(text).not.toContain('TRIGGER:-PT10M')
    expect(linesOf(cancelOccurrence(objectOf(series()), '20260105T080000Z', guest) ?? '', 'SEQUENCE')).toEqual(
      linesOf(series(), 'SEQUENCE'),
    )
  })
})

describe('a new event', () => {
  const when: When = span('2026-07-01T10:00', '2026-07-01T11:00')
  const make = (fields: Partial<FieldChange>, more: Partial<ChangeOptions> = {}): string =>
    newCalendarObject({ when, ...fields }, { ...options, ...more, uid: 'new@example.com' })

  test('is read as it was written', () => {
    const fields: FieldChange = {
      title: 'A title, with marks; and more',
      description: 'Two\nlines',
      location: 'Röntgenstraße 5',
      busy: false,
      visibility: 'private',
      hide_participants: true,
      capacity: 12,
      participants: [
        {
          email: 'bob@example.com',
          name: 'Bob "B" Bee',
          comment: 'Hm: yes',
          phone_number: '+49 30 1',
          status: 'noreply',
        },
      ],
      resources: [{ email: 'blue@example.com', name: 'Blue room' }],
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20260708T080000Z'],
      reminders: {
        use_default: false,
        overrides: [
          { reminder_minutes: 10, reminder_method: 'display' },
          { reminder_minutes: 60, reminder_method: 'email' },
        ],
      },
      conferencing: {
        provider: 'Zoom Meeting',
        details: { url: 'https://example.zoom.us/j/1', pin: '99', phone: ['+1 412 555'] },
      },
    }
    const text = make(fields)
    expect(mainOf(text)).toMatchObject({
      ...fields,
      when,
      status: 'confirmed',
      sequence: 0,
      ical_uid: 'new@example.com',
      created_at: options.now / 1000,
    })
    expect(mainOf(text).organizer).toEqual(options.organizer)
    expect(text).not.toContain('METHOD')
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  })

  test.each<[string, When]>([
    ['a point in time', { object: 'time', time: at('2026-07-01T10:00'), timezone: 'Europe/Berlin' }],
    [
      'a span in UTC',
      {
        object: 'timespan',
        start_time: at('2026-07-01T10:00'),
        end_time: at('2026-07-01T12:00'),
        start_timezone: 'UTC',
        end_timezone: 'UTC',
      },
    ],
    [
      'a span between zones',
      {
        object: 'timespan',
        start_time: at('2026-07-01T10:00'),
        end_time: at('2026-07-01T12:00'),
        start_timezone: 'Europe/Berlin',
        end_timezone: 'Asia/Tokyo',
      },
    ],
    [
      'the second pass of an hour',
      {
        object: 'timespan',
        start_time: at('2026-10-25T02:30') + hour,
        end_time: at('2026-10-25T04:00'),
        start_timezone: 'UTC',
        end_timezone: 'Europe/Berlin',
      },
    ],
    ['a day', { object: 'date', date: '2026-07-01' }],
    ['days', { object: 'datespan', start_date: '2026-07-01', end_date: '2026-07-03' }],
  ])('has its given time: %s', (_, given) => {
    const text = make({ when: given })
    expect(mainOf(text).when).toEqual(given)
    expect(linesOf(text, 'DTEND')).toHaveLength(given.object === 'time' ? 0 : 1)
  })

  test('without a zone is in UTC', () => {
    const text = make({
      when: {
        object: 'timespan',
        start_time: at('2026-07-01T10:00'),
        end_time: at('2026-07-01T11:00'),
        start_timezone: null,
        end_timezone: null,
      },
    })
    expect(linesOf(text, 'DTSTART')).toEqual(['DTSTART:20260701T080000Z'])
  })

  test('has HTML in addition to its text, and loses it with the next text', () => {
    const html = '<p>Hello <b>world</b> &amp; all</p><p>Bye</p>'
    const text = make({ description: html })
    expect(linesOf(text, 'DESCRIPTION')).toEqual(['DESCRIPTION:Hello world & all\\nBye'])
    expect(mainOf(text).description).toBe(html)
    const plain = changeEvent(objectOf(text), { description: 'Words' }, options)
    expect(mainOf(plain).description).toBe('Words')
    expect(plain).not.toContain('X-ALT-DESC')
  })

  test('without notification says so to the server', () => {
    const participants: Participant[] = [
      { email: 'bob@example.com', name: null, comment: null, phone_number: null, status: 'noreply' },
    ]
    const text = make({ participants }, { scheduleAgent: 'NONE' })
    expect(linesOf(text, 'ATTENDEE')[0]).toContain(';SCHEDULE-AGENT=NONE:')
    const reported = changeEvent(objectOf(text), { title: 'Now' }, { ...options, scheduleAgent: 'SERVER' })
    expect(linesOf(reported, 'ATTENDEE')[0]).not.toContain('SCHEDULE-AGENT')
  })

  test("cannot get other lines from clients' texts", () => {
    const bad = 'x\r\nATTENDEE:mailto:evil@example.com\nX:\u2028Y\u0000'
    const text = make({
      title: bad,
      location: bad,
      description: bad,
      participants: [{ email: 'a@b.c', name: bad, comment: bad, phone_number: bad, status: 'noreply' }],
      conferencing: { provider: bad, details: { url: `https://example.com/${bad}` } },
    })
    expect(linesOf(text, 'ATTENDEE').every((line) => line.endsWith('mailto:a@b.c'))).toBe(true)
    expect(linesOf(text, 'X')).toEqual([])
    expect(mainOf(text).title).toBe('x\nATTENDEE:mailto:evil@example.com\nX:\nY')
  })
})

describe('fields', () => {
  const event = (...lines: string[]): string =>
    calendar('fields', vevent('DTSTART:20260701T100000Z', 'DTEND:20260701T110000Z', ...lines), {}).text

  test('for alarms: kept ones stay unchanged, others are removed, and unknown ones stay', () => {
    const alarm = (...lines: string[]): string[] => ['BEGIN:VALARM', ...lines, 'END:VALARM']
    const retained = alarm('ACTION:AUDIO', 'TRIGGER;X-P=1:-PT600S', 'ACKNOWLEDGED:20260101T000000Z', 'X-Y:1')
    const foreign = alarm('ACTION:PROCEDURE', 'TRIGGER:-PT5M')
    const text = event(...retained, ...alarm('ACTION:DISPLAY', 'TRIGGER:-PT30M'), ...foreign)
    const reminders = {
      overrides: [{ reminder_minutes: 10, reminder_method: 'sound' as const }, { reminder_minutes: 5 }],
    }
    const changed = changeEvent(objectOf(text), { reminders }, options)
    const alarms = objectOf(changed).master?.components.map((one) => one.text.split('\r\n').slice(0, -1))
    expect(alarms).toEqual([retained, foreign, alarm('ACTION:DISPLAY', 'TRIGGER:-PT5M', 'DESCRIPTION:Reminder')])
    const none = changeEvent(objectOf(text), { reminders: { use_default: true } }, options)
    expect(objectOf(none).master?.components).toHaveLength(1)
  })

  test('for guests: removed ones are deleted, the organizer and guests without an address stay', () => {
    const text = event(
      'ORGANIZER:mailto:ada@example.com',
      'ATTENDEE;ROLE=CHAIR;PARTSTAT=ACCEPTED:mailto:ada@example.com',
      'ATTENDEE;CN=Nobody:invalid:nomail',
      'ATTENDEE;CN=Bob:mailto:bob@example.com',
      'ATTENDEE;CUTYPE=ROOM;CN=Blue:mailto:blue@example.com',
    )
    expect(linesOf(changeEvent(objectOf(text), { participants: [] }, options), 'ATTENDEE')).toEqual([
      'ATTENDEE;ROLE=CHAIR;PARTSTAT=ACCEPTED:mailto:ada@example.com',
      'ATTENDEE;CN=Nobody:invalid:nomail',
      'ATTENDEE;CUTYPE=ROOM;CN=Blue:mailto:blue@example.com',
    ])
    expect(linesOf(changeEvent(objectOf(text), { resources: [] }, options), 'ATTENDEE')).toHaveLength(3)
  })

  test('for the conference: lines of others are removed with it, and so is the equal link', () => {
    const text = event(
      'URL:https://meet.google.com/abc-defg-hij',
      'X-GOOGLE-CONFERENCE:https://meet.google.com/abc-defg-hij',
      'X-OTHER:1',
    )
    const gone = changeEvent(objectOf(text), { conferencing: null }, options)
    expect(mainOf(gone).conferencing).toBeUndefined()
    expect(rest(gone, ['URL', 'X-GOOGLE-CONFERENCE', ...stamps])).toBe(
      rest(text, ['URL', 'X-GOOGLE-CONFERENCE', ...stamps]),
    )
    const other = { provider: 'WebEx', details: { url: 'https://example.webex.com/meet/ada', meeting_code: '7' } }
    expect(mainOf(changeEvent(objectOf(text), { conferencing: other }, options)).conferencing).toEqual(other)
  })

  test('of Microsoft follow their standard counterparts', () => {
    const text = event('X-MICROSOFT-CDO-BUSYSTATUS:OOF', 'X-MICROSOFT-CDO-ALLDAYEVENT:FALSE')
    const free = changeEvent(objectOf(text), { busy: false, when: { object: 'date', date: '2026-07-01' } }, options)
    expect(linesOf(free, 'X-MICROSOFT-CDO-BUSYSTATUS')).toEqual(['X-MICROSOFT-CDO-BUSYSTATUS:FREE'])
    expect(linesOf(free, 'X-MICROSOFT-CDO-ALLDAYEVENT')).toEqual(['X-MICROSOFT-CDO-ALLDAYEVENT:TRUE'])
    expect(mainOf(free)).toMatchObject({ busy: false, when: { object: 'date', date: '2026-07-01' } })
  })

  test('that are cleared lose their lines', () => {
    const text = event('SUMMARY:S', 'DESCRIPTION:D', 'LOCATION:L', 'CLASS:PRIVATE', 'X-WAYPOST-CAPACITY:4', 'X-OTHER:1')
    const cleared = changeEvent(
      objectOf(text),
      { title: null, description: '', location: null, visibility: null, capacity: null },
      options,
    )
    expect(mainOf(cleared)).toMatchObject({ title: null, description: null, location: null })
    expect(mainOf(cleared)).not.toHaveProperty('visibility')
    expect(linesOf(cleared, 'X-OTHER')).toEqual(['X-OTHER:1'])
  })

  test('of a floating time stay floating', () => {
    const text = calendar(
      'floating',
      vevent('DTSTART:20260701T100000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;UNTIL=20260703T100000'),
      {},
    ).text
    const moved = changeEvent(objectOf(text), { when: span('2026-07-01T12:00', '2026-07-01T13:00') }, options)
    expect(linesOf(moved, 'DTSTART')).toEqual(['DTSTART:20260701T120000'])
    expect(linesOf(moved, 'DTEND')).toEqual(['DTEND:20260701T130000'])
    expect(linesOf(moved, 'RRULE')).toEqual(['RRULE:FREQ=DAILY;UNTIL=20260703T120000'])
    expect(linesOf(moved, 'DURATION')).toEqual([])
  })
})
