/** The effect of event mails on a calendar: the rules of RFC 5546, and untrusted senders. */
import { describe, expect, test } from 'vitest'
import { type CalendarObject, eventsOf, readCalendarObject } from '../../src/icalendar/calendar-object.ts'
import {
  cancelOccurrence,
  changeEvent as changeObject,
  setAttendeeStatus,
} from '../../src/icalendar/calendar-object-changes.ts'
import { applyCancel } from '../../src/itip/cancel.ts'
import type { ItipContext, Outcome } from '../../src/itip/objects.ts'
import { type AttendeeReply, readReplies } from '../../src/itip/reading.ts'
import { applyReply } from '../../src/itip/reply.ts'
import { applyRequest } from '../../src/itip/request.ts'

const changeEvent = (...change: Parameters<typeof changeObject>): string => changeObject(...change).text

const context: ItipContext = {
  addresses: ['ann@example.com', 'ann@alias.example'],
  sender: 'olga@example.com',
  zone: 'Europe/Berlin',
  now: Date.UTC(2026, 0, 20),
}
const options = { ...context, organizer: { email: 'ann@example.com', name: null } }

interface Part {
  sequence?: number
  stamp?: string
  organizer?: string
  attendees?: string[]
  more?: string[]
}

const organizer = 'ORGANIZER:mailto:olga@example.com'
const ann = 'ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:ann@example.com'
const bob = 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.com'

const part = ({
  sequence = 0,
  stamp = '20260101T080000Z',
  organizer: by = organizer,
  attendees = [ann, bob],
  more = [],
}: Part) =>
  [
    'BEGIN:VEVENT',
    'UID:uid-1@example.com',
    `SEQUENCE:${sequence}`,
    `DTSTAMP:${stamp}`,
    by,
    ...attendees,
    ...(more.some((line) => line.startsWith('DTSTART'))
      ? []
      : ['DTSTART;TZID=Europe/Berlin:20260302T100000', 'DTEND;TZID=Europe/Berlin:20260302T110000']),
    ...more,
    'END:VEVENT',
  ].filter((line) => line !== '')

const text = (method: string | undefined, ...parts: Part[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Somebody//Else//EN',
    ...(method ? [`METHOD:${method}`] : []),
    ...parts.flatMap(part),
    'END:VCALENDAR',
    '',
  ].join('\r\n')

function read(source: string): CalendarObject {
  const object = readCalendarObject(source)
  if (!object) throw new Error('no events')
  return object
}
const object = (...parts: Part[]): CalendarObject => read(text(undefined, ...parts))
const mail = (method: string, ...parts: Part[]): CalendarObject => read(text(method, ...parts))
const written = (outcome: Outcome | { change: 'resend' }): string => {
  if (outcome.change !== 'write') throw new Error(`nothing was written: ${JSON.stringify(outcome)}`)
  return outcome.text
}
const events = (source: string) => eventsOf(read(source), context)
const ownStatus = (source: string) =>
  events(source).main?.participants.find(({ email }) => email === 'ann@example.com')?.status
const series = 'RRULE:FREQ=WEEKLY;COUNT=4'
const slot = (day: string) => `RECURRENCE-ID;TZID=Europe/Berlin:202603${day}T100000`
const at = (day: string, hour: string) => [
  `DTSTART;TZID=Europe/Berlin:202603${day}T${hour}0000`,
  `DTEND;TZID=Europe/Berlin:202603${day}T${hour}3000`,
]

describe('a REQUEST', () => {
  test('of an unknown event creates an event that waits for an answer, without METHOD and alarms of others', () => {
    const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT15M', 'END:VALARM']
    const accepted = 'ATTENDEE;PARTSTAT=ACCEPTED;X-KEPT=1:MAILTO:Ann@Example.com'
    const made = written(
      applyRequest(
        undefined,
        mail('REQUEST', { attendees: [accepted, bob], more: ['SUMMARY:Lunch', ...alarm] }),
        context,
      ),
    )
    expect(made).not.toMatch(/METHOD|VALARM/)
    expect(made).toContain('PARTSTAT=NEEDS-ACTION;X-KEPT=1')
    expect(events(made).main).toMatchObject({ title: 'Lunch', organizer: { email: 'olga@example.com' } })
  })

  const refused: [string, CalendarObject | undefined, Part, string][] = [
    [
      'of somebody who is not the organizer',
      undefined,
      { organizer: 'ORGANIZER:mailto:eve@example.com' },
      'does not organize',
    ],
    [
      'in the name of somebody elsewhere',
      undefined,
      { organizer: 'ORGANIZER;SENT-BY="mailto:olga@example.com":mailto:boss@elsewhere.example' },
      'does not organize',
    ],
    ['without an organizer', undefined, { organizer: '' }, 'nobody organizes'],
    [
      'that names the account as the organizer',
      undefined,
      { organizer: 'ORGANIZER:mailto:ann@alias.example' },
      'itself',
    ],
    ['that does not invite the account', undefined, { attendees: [bob] }, 'not invited'],
    [
      'about an event of the account itself',
      object({ organizer: 'ORGANIZER:mailto:ann@example.com' }),
      { sequence: 9 },
      'itself',
    ],
    [
      'about an event that nobody organizes',
      object({ organizer: '', attendees: [] }),
      { sequence: 9 },
      'nobody organizes',
    ],
    [
      'about an event of another organizer',
      object({ organizer: 'ORGANIZER:mailto:otto@example.com' }),
      { sequence: 9 },
      'another organizer',
    ],
    ['with a lower SEQUENCE', object({ sequence: 3 }), { sequence: 2, stamp: '20270101T000000Z' }, 'not newer'],
    ['with the same SEQUENCE and an older DTSTAMP', object({}), { stamp: '20251231T000000Z' }, 'not newer'],
    ['that came before', object({ sequence: 3 }), { sequence: 3 }, 'not newer'],
  ]
  test.each(refused)('%s changes nothing', (_, stored, sent, why) => {
    expect(applyRequest(stored, mail('REQUEST', sent), context)).toEqual({
      change: 'none',
      why: expect.stringContaining(why),
    })
  })

  test('sent for the organizer by somebody of the same domain counts', () => {
    const by = 'ORGANIZER;SENT-BY="mailto:olga@example.com":mailto:boss@example.com'
    expect(
      events(written(applyRequest(undefined, mail('REQUEST', { organizer: by }), context))).main?.organizer?.email,
    ).toBe('boss@example.com')
  })

  const answered = (sequence = 1): CalendarObject => {
    const first = object({
      sequence,
      more: ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT5M', 'END:VALARM', 'CATEGORIES:Mine'],
    })
    const addresses = ['ann@example.com']
    return read(setAttendeeStatus(first, { addresses, status: 'yes' }, options) ?? '')
  }

  test('with details keeps the answer, the alarms and the categories of the account', () => {
    // Its DTSTAMP is before the account's own change of its copy, and after the invitation.
    const invited = read(written(applyRequest(undefined, mail('REQUEST', { sequence: 1 }), context)))
    const stored = read(setAttendeeStatus(invited, { addresses: ['ann@example.com'], status: 'yes' }, options) ?? '')
    const retained = 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@example.com'
    const next = written(
      applyRequest(
        stored,
        mail('REQUEST', { sequence: 1, stamp: '20260102T000000Z', attendees: [retained], more: ['SUMMARY:New'] }),
        context,
      ),
    )
    expect(ownStatus(next)).toBe('yes')
    expect(events(next).main?.title).toBe('New')
    const alarmed = written(
      applyRequest(
        answered(),
        mail('REQUEST', { sequence: 2, stamp: '20270102T000000Z', attendees: [retained] }),
        context,
      ),
    )
    expect(alarmed).toMatch(/BEGIN:VALARM[\s\S]*TRIGGER:-PT5M/)
    expect(alarmed).toContain('CATEGORIES:Mine')
  })

  test('that requests a new answer removes the old one; one that claims an answer sets none', () => {
    expect(ownStatus(written(applyRequest(answered(), mail('REQUEST', { sequence: 2 }), context)))).toBe('noreply')
    const claimed = 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@example.com'
    const stored = object({ sequence: 1 })
    const next = written(applyRequest(stored, mail('REQUEST', { sequence: 2, attendees: [claimed] }), context))
    expect(ownStatus(next)).toBe('noreply')
  })

  test('of one occurrence is stored with the series, and a newer series replaces all', () => {
    const stored = object({ more: [series] })
    const one = mail('REQUEST', { sequence: 1, more: [slot('09'), ...at('09', '15')] })
    const withOne = written(applyRequest(stored, one, context))
    expect(events(withOne).overrides.map(({ slot: name }) => name)).toEqual(['20260309T090000Z'])
    expect(events(withOne).series).toBeDefined()
    expect(applyRequest(read(withOne), one, context)).toMatchObject({ change: 'none' })
    const older = mail('REQUEST', { sequence: 0, stamp: '20260103T000000Z', more: [series, 'SUMMARY:Older'] })
    const retained = events(written(applyRequest(read(withOne), older, context)))
    expect([retained.main?.title, retained.overrides.length]).toEqual(['Older', 1])
    const newer = mail('REQUEST', { sequence: 2, more: [series] })
    expect(events(written(applyRequest(read(withOne), newer, context))).overrides).toEqual([])
  })

  test('of only an occurrence is a separate event, even if its slot is in UTC', () => {
    const alone = written(applyRequest(undefined, mail('REQUEST', { more: [slot('09'), ...at('09', '15')] }), context))
    expect(events(alone)).toMatchObject({ overrides: [{ slot: '20260309T090000Z' }] })
    const again = mail('REQUEST', { sequence: 1, more: ['RECURRENCE-ID:20260309T090000Z', ...at('09', '16')] })
    expect(events(written(applyRequest(read(alone), again, context))).overrides).toHaveLength(1)
  })

  test('includes the zones of its times', () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Mine',
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      'TZOFFSETFROM:+0300',
      'TZOFFSETTO:+0300',
      'END:STANDARD',
      'END:VTIMEZONE',
    ]
    const source = text('REQUEST', { more: ['DTSTART;TZID=Mine:20260302T100000'] }).replace(
      'BEGIN:VEVENT',
      [...zone, 'BEGIN:VEVENT'].join('\r\n'),
    )
    const made = written(applyRequest(undefined, read(source), context))
    expect(made).toContain('TZID:Mine')
    expect(events(made).main?.when).toMatchObject({ time: Date.UTC(2026, 2, 2, 7) / 1000 })
  })
})

describe('a CANCEL', () => {
  const cancelled = 'STATUS:CANCELLED'
  test('ends the event once, and silences it', () => {
    const stored = object({ more: ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT5M', 'END:VALARM'] })
    const sent = mail('CANCEL', { sequence: 1, more: [cancelled] })
    const next = written(applyCancel(stored, sent, context))
    expect(events(next).main).toMatchObject({ status: 'cancelled', sequence: 1 })
    expect(next).not.toContain('VALARM')
    expect(applyCancel(read(next), sent, context)).toMatchObject({ change: 'none' })
    // An older invitation does not restore it; a newer one does.
    expect(applyRequest(read(next), mail('REQUEST', { sequence: 0 }), context)).toMatchObject({ change: 'none' })
    expect(events(written(applyRequest(read(next), mail('REQUEST', { sequence: 2 }), context))).main?.status).toBe(
      'confirmed',
    )
  })

  test('that names only the account removes it from the list; one that names others does not affect it', () => {
    expect(
      events(written(applyCancel(object({}), mail('CANCEL', { sequence: 1, attendees: [ann] }), context))).main?.status,
    ).toBe('cancelled')
    expect(applyCancel(object({}), mail('CANCEL', { sequence: 1, attendees: [bob] }), context)).toMatchObject({
      change: 'none',
    })
  })

  test('of an occurrence removes it from the series, once; and from single occurrences', () => {
    const stored = object({ more: [series] })
    const sent = mail('CANCEL', { sequence: 0, more: ['RECURRENCE-ID:20260309T090000Z', cancelled] })
    const next = written(applyCancel(stored, sent, context))
    expect(next).toMatch(/EXDATE;TZID=Europe\/Berlin:20260309T100000/)
    expect(events(next).main).toMatchObject({ status: 'confirmed', sequence: 0 })
    expect(applyCancel(read(next), sent, context)).toMatchObject({ change: 'none' })
    const alone = object({ more: [slot('09'), ...at('09', '15')] })
    expect(events(written(applyCancel(alone, sent, context))).overrides[0]?.fields.status).toBe('cancelled')
    const none = mail('CANCEL', { sequence: 5, more: ['RECURRENCE-ID:20260310T090000Z', cancelled] })
    expect(applyCancel(stored, none, context)).toMatchObject({ change: 'none' })
  })

  const refused: [string, CalendarObject | undefined, Part][] = [
    ['of an unknown event', undefined, { sequence: 1 }],
    ['of a stranger', object({}), { sequence: 1, organizer: 'ORGANIZER:mailto:eve@example.com' }],
    [
      'in the name of the organizer whom the event does not have',
      object({ organizer: 'ORGANIZER:mailto:otto@example.com' }),
      { sequence: 1 },
    ],
    ['of an event of the account itself', object({ organizer: 'ORGANIZER:mailto:ann@example.com' }), { sequence: 1 }],
    ['that is older', object({ sequence: 2 }), { sequence: 1 }],
  ]
  test.each(refused)('%s changes nothing', (_, stored, sent) => {
    expect(applyCancel(stored, mail('CANCEL', { ...sent, more: [cancelled] }), context)).toMatchObject({
      change: 'none',
    })
  })
})

describe('an answer', () => {
  const own = 'ORGANIZER:mailto:ann@example.com'
  const guests = ['ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bob@example.com', 'ATTENDEE:mailto:cleo@example.com']
  const event = (fields: Part = {}) => object({ organizer: own, attendees: guests, ...fields })
  const reply = (fields: Partial<AttendeeReply> = {}): AttendeeReply => ({
    method: 'REPLY',
    uid: 'uid-1@example.com',
    attendee: 'bob@example.com',
    status: 'yes',
    sequence: 0,
    stamp: Date.UTC(2026, 0, 10) / 1000,
    ...fields,
  })
  const statusOf = (source: string, email = 'bob@example.com') =>
    events(source).main?.participants.find((one) => one.email === email)

  test('is stored with its comment, once, and the newest counts', () => {
    const first = written(applyReply(event(), reply({ comment: 'Gladly' }), context))
    expect(statusOf(first)).toMatchObject({ status: 'yes', comment: 'Gladly' })
    expect(statusOf(first, 'cleo@example.com')).toMatchObject({ status: 'noreply' })
    expect(events(first).main?.sequence).toBe(0)
    expect(applyReply(read(first), reply({ comment: 'Gladly' }), context)).toMatchObject({ change: 'none' })
    expect(applyReply(read(first), reply({ status: 'no', stamp: 5 }), context)).toMatchObject({ change: 'none' })
    const later = written(
      applyReply(read(first), reply({ status: 'no', stamp: Date.UTC(2026, 0, 11) / 1000 }), context),
    )
    expect(statusOf(later)).toMatchObject({ status: 'no', comment: 'Gladly' })
  })

  const refused: [string, CalendarObject | undefined, Partial<AttendeeReply>][] = [
    ['to an unknown event', undefined, {}],
    ['of a stranger', event(), { attendee: 'eve@example.com' }],
    ['to an event that somebody else organizes', object({}), {}],
    ['to what the event was before', event({ sequence: 2 }), { sequence: 1 }],
    ['to what is cancelled', event({ more: ['STATUS:CANCELLED'] }), {}],
    [
      'to an occurrence that there is not',
      event({ more: [series] }),
      { slot: { time: { day: 20_522, seconds: 36_000, utc: false } } },
    ],
  ]
  test.each(refused)('%s changes nothing', (_, stored, fields) => {
    expect(applyReply(stored, reply(fields), context)).toMatchObject({ change: 'none' })
  })

  test('to a lower sequence number counts if no new answer was requested since', () => {
    const marked = event({ sequence: 2, more: ['X-WAYPOST-ASKED-SEQUENCE;X-SEQUENCE=2:1'] })
    expect(statusOf(written(applyReply(marked, reply({ sequence: 1 }), context)))).toMatchObject({ status: 'yes' })
    expect(applyReply(marked, reply({ sequence: 0 }), context)).toMatchObject({ change: 'none' })
    const counted = event({ sequence: 3, more: ['X-WAYPOST-ASKED-SEQUENCE;X-SEQUENCE=2:1'] })
    expect(applyReply(counted, reply({ sequence: 1 }), context)).toMatchObject({ change: 'none' })
  })

  test('to one occurrence creates an override, and the series is unchanged', () => {
    const source = text('REPLY', {
      organizer: own,
      stamp: '20260110T000000Z',
      attendees: ['ATTENDEE;PARTSTAT=DECLINED:mailto:bob@example.com'],
      more: [slot('09')],
    })
    const [sent] = readReplies(source)
    const next = events(written(applyReply(event({ more: [series] }), sent ?? reply(), context)))
    expect(next.main?.participants.map(({ status }) => status)).toEqual(['noreply', 'noreply'])
    expect(next.overrides).toMatchObject([
      { slot: '20260309T090000Z', fields: { participants: [{ status: 'no' }, { status: 'noreply' }] } },
    ])
  })

  test('that proposes another time is described in the comment; a REFRESH requests the event again', () => {
    const proposal = written(
      applyReply(event(), reply({ method: 'COUNTER', status: 'maybe', comment: 'Proposes 2026-03-03' }), context),
    )
    expect(statusOf(proposal)).toMatchObject({ status: 'maybe', comment: 'Proposes 2026-03-03' })
    expect(applyReply(event(), reply({ method: 'REFRESH' }), context)).toEqual({ change: 'resend' })
    expect(applyReply(event(), reply({ method: 'REFRESH', attendee: 'eve@example.com' }), context)).toMatchObject({
      change: 'none',
    })
  })
})

describe('the sequence number of an event and its answers', () => {
  const own = 'ORGANIZER:mailto:ann@example.com'
  const event = object({ organizer: own, attendees: [bob], more: [series] })
  const answer: AttendeeReply = {
    method: 'REPLY',
    uid: 'uid-1@example.com',
    attendee: 'bob@example.com',
    status: 'no',
    sequence: 0,
    stamp: Date.UTC(2026, 0, 10) / 1000,
  }
  const counts = (source: string) => applyReply(read(source), answer, context).change === 'write'
  const bobOf = eventsOf(event, context).main?.participants ?? []

  test('answers stay valid if the location or the guests change, or an occurrence is removed, and not if the time changes', () => {
    const cleo = {
      email: 'cleo@example.com',
      name: null,
      comment: null,
      phone_number: null,
      status: 'noreply',
    } as const
    const more = changeEvent(event, { participants: [...bobOf, cleo] }, options)
    const moved = changeEvent(read(more), { location: 'Elsewhere' }, options)
    const fewer = cancelOccurrence(read(moved), '20260309T090000Z', options) ?? ''
    expect([more, moved, fewer].map((one) => [events(one).main?.sequence, counts(one)])).toEqual([
      [1, true],
      [2, true],
      [3, true],
    ])
    const when = {
      object: 'timespan',
      start_time: 1772449200,
      end_time: 1772452800,
      start_timezone: 'Europe/Berlin',
      end_timezone: 'Europe/Berlin',
    } as const
    const later = changeEvent(read(fewer), { when }, options)
    expect([events(later).main?.sequence, counts(later)]).toEqual([4, false])
    expect(later).not.toContain('ASKED')
  })

  test('two changes within a second have different times', () => {
    const first = changeEvent(event, { title: 'A' }, options)
    const second = changeEvent(read(first), { title: 'B' }, options)
    expect(events(second).main?.updated_at).toBe((events(first).main?.updated_at ?? 0) + 1)
  })
})
