import type { Event, When } from '@waypost/contract'
import { describe, expect, test } from 'vitest'
import { isSignificantChange, replyFor, resetsAnswers, sequenceAfter } from '../../src/itip/itip.ts'
import { berlin, cancel, event, guest, NOW, read, request, unix } from './making-invitations.ts'

describe('a request', () => {
  test('contains what the contract lists', () => {
    const { method, calendar, value, names, zoneIn, vevent, attendees } = read(request(event(), { sequence: 3 }))
    expect(method).toBe('REQUEST')
    expect(calendar.getAllProperties().map(({ name }) => name)).toEqual(['version', 'prodid', 'calscale', 'method'])
    expect(value('uid')).toBe('uid-1@waypost.test')
    expect(value('sequence')).toBe('3')
    expect(value('dtstamp')).toBe('2026-01-05T08:30:00Z')
    expect(value('dtstart')).toBe('2026-01-15T10:00:00')
    expect(value('dtend')).toBe('2026-01-15T11:00:00')
    expect(zoneIn('dtstart')).toBe('Europe/Berlin')
    expect(value('summary')).toBe('Planning')
    expect(value('location')).toBe('Room 5')
    expect(value('status')).toBe('CONFIRMED')
    expect(value('transp')).toBe('OPAQUE')
    expect(value('organizer')).toBe('mailto:olga@example.com')
    expect(vevent.getFirstProperty('organizer')?.getFirstParameter('cn')).toBe('Olga')
    expect(names).not.toContain('recurrence-id')
    expect(names).not.toContain('class')
    const individual = { cutype: 'INDIVIDUAL', role: 'REQ-PARTICIPANT', rsvp: 'TRUE' }
    expect(attendees).toEqual([
      { address: 'mailto:ann@example.com', ...individual, partstat: 'NEEDS-ACTION', cn: 'Ann' },
      { address: 'mailto:bob@example.com', ...individual, partstat: 'ACCEPTED', cn: undefined },
    ])
  })

  test('is CRLF text without a blank line at its end, the method before the event', () => {
    const ics = request(event({ description: 'one\ntwo' }))
    expect(ics.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(ics).toMatch(/END:VCALENDAR\r\n$/)
    expect(ics.indexOf('METHOD:')).toBeLessThan(ics.indexOf('BEGIN:VEVENT'))
  })

  test('names the sender for the organizer', () => {
    const organizer = (ics: string) => read(ics).vevent.getFirstProperty('organizer')
    const sent = organizer(request(event(), { sentBy: 'system@waypost.test' }))
    expect(sent?.getFirstValue()).toBe('mailto:olga@example.com')
    expect(sent?.getFirstParameter('sent-by')).toBe('mailto:system@waypost.test')
    const identifier = { organizer: { email: 'team calendar 7', name: 'Team' }, sentBy: 'system@waypost.test' }
    const virtual = organizer(request(event(), identifier))
    expect(virtual?.getFirstValue()).toBe('mailto:system@waypost.test')
    expect(virtual?.getFirstParameter('sent-by')).toBeUndefined()
    expect(virtual?.getFirstParameter('cn')).toBe('Team')
  })

  test('invites rooms as rooms, once', () => {
    const resources = [{ email: 'room@example.com', name: 'Big room' }]
    const participants = [guest('ROOM@example.com', { status: 'yes' }), guest('ann@example.com')]
    const { attendees } = read(request(event({ resources, participants })))
    expect(attendees).toHaveLength(2)
    expect(attendees[1]).toEqual({
      address: 'mailto:room@example.com',
      cutype: 'ROOM',
      role: 'NON-PARTICIPANT',
      partstat: 'ACCEPTED',
      rsvp: 'TRUE',
      cn: 'Big room',
    })
  })

  test('hides the participants from one another', () => {
    const hidden = event({ hide_participants: true, resources: [{ email: 'room@example.com' }] })
    for (const to of ['ann@example.com', 'bob@example.com', 'room@example.com']) {
      const ics = request(hidden, { to })
      expect(read(ics).attendees.map(({ address }) => address)).toEqual([`mailto:${to}`])
      expect(ics.match(/[\w.]+@example\.com/g)?.filter((email) => email !== to)).toEqual(['olga@example.com'])
    }
  })
})

describe('a cancellation', () => {
  test('of the event has the cancelled status', () => {
    const { method, value, attendees } = read(cancel(event(), { sequence: 3 }))
    expect([method, value('status'), value('sequence')]).toEqual(['CANCEL', 'CANCELLED', '3'])
    expect(attendees).toHaveLength(2)
    expect(attendees[0]?.rsvp).toBeUndefined()
  })

  test('of one occurrence names it', () => {
    const recurrenceId = { time: unix(2026, 1, 22, 9), timezone: 'Europe/Berlin' }
    const { value, zoneIn } = read(cancel(event(), { slot: recurrenceId }))
    expect([value('recurrence-id'), value('status')]).toEqual(['2026-01-22T10:00:00', 'CANCELLED'])
    expect(zoneIn('recurrence-id')).toBe('Europe/Berlin')
  })

  test('for a removed guest lists only him and keeps the event', () => {
    const { method, names, attendees } = read(cancel(event(), { to: 'bob@example.com', alone: true }))
    expect(method).toBe('CANCEL')
    expect(names).not.toContain('status')
    expect(attendees.map(({ address }) => address)).toEqual(['mailto:bob@example.com'])
  })
})

describe('a reply', () => {
  const ann = { email: 'ann@example.com', name: 'Ann' }

  test.each([
    ['yes', 'ACCEPTED'],
    ['no', 'DECLINED'],
    ['maybe', 'TENTATIVE'],
  ] as const)('%s has one attendee, %s', (answer, partstat) => {
    const reply = replyFor(event(), ann, answer, { comment: 'Late; sorry', now: NOW })
    const { method, attendees, value } = read(reply.ics)
    expect([reply.method, method]).toEqual(['REPLY', 'REPLY'])
    expect(attendees).toMatchObject([{ address: 'mailto:ann@example.com', partstat, cn: 'Ann' }])
    expect([value('uid'), value('sequence'), value('dtstamp')]).toEqual([
      'uid-1@waypost.test',
      '2',
      '2026-01-05T08:30:00Z',
    ])
    expect(value('organizer')).toBe('mailto:olga@example.com')
    expect(value('comment')).toBe('Late; sorry')
  })

  test('to one occurrence names it; without a comment there is none', () => {
    const recurrenceId = { date: '2026-01-22' }
    const { value, type, names } = read(replyFor(event(), ann, 'yes', { comment: null, now: NOW, recurrenceId }).ics)
    expect([value('recurrence-id'), type('recurrence-id')]).toEqual(['2026-01-22', 'date'])
    expect(names).not.toContain('comment')
  })

  test('requires an organizer', () => {
    expect(() => replyFor(event({ organizer: null }), ann, 'yes', { now: NOW })).toThrow('no organizer')
  })
})

describe('a change is significant', () => {
  const base = event({ recurrence: ['RRULE:FREQ=WEEKLY'] })
  const later = berlin(unix(2026, 1, 15, 10))
  test.each<[string, Partial<Event>, boolean, boolean]>([
    ['start and end', { when: later }, true, true],
    ['end', { when: berlin(unix(2026, 1, 15, 9), 90) }, true, true],
    ['rule', { recurrence: ['RRULE:FREQ=DAILY'] }, true, true],
    ['one exception', { recurrence: ['RRULE:FREQ=WEEKLY', 'EXDATE:20260122T090000Z'] }, true, false],
    ['status', { status: 'maybe' }, true, false],
    ['place', { location: 'Room 6' }, true, false],
    ['title', { title: 'Other' }, false, false],
    ['text', { description: 'Other' }, false, false],
    ['guests', { participants: [] }, false, false],
    ['spelling of the rule', { recurrence: ['rrule: FREQ=WEEKLY'] }, false, false],
  ])('if it is the %s', (_, fields, significant, resets) => {
    const after = { ...base, ...fields }
    expect(isSignificantChange(base, after)).toBe(significant)
    expect(resetsAnswers(base, after)).toBe(resets)
    // Changes of guests raise the number too: two different mails never have the same number.
    expect(sequenceAfter(base, after)).toBe(significant || 'participants' in fields ? 3 : 2)
    expect(sequenceAfter(base, { ...after, sequence: 7 })).toBe(7)
  })

  test('of a zone only if it affects the recurrence', () => {
    const when: When = { object: 'time', time: 0, timezone: 'Europe/Berlin' }
    const single = event({ when })
    expect(isSignificantChange(single, { ...single, when: { ...when, timezone: 'Europe/Paris' } })).toBe(false)
    const series = { ...single, recurrence: ['RRULE:FREQ=DAILY'] }
    expect(isSignificantChange(series, { ...series, when: { ...when, timezone: 'Asia/Tokyo' } })).toBe(true)
  })

  test('not if one day is written as a range of days', () => {
    const day = event({ when: { object: 'date', date: '2026-01-15' } })
    const days = event({ when: { object: 'datespan', start_date: '2026-01-15', end_date: '2026-01-15' } })
    expect(isSignificantChange(day, days)).toBe(false)
  })
})
