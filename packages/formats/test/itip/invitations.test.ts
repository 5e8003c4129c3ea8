import type { When } from '@waypost/contract'
import { describe, expect, test } from 'vitest'
import { type Invitation, invitationsFor, replyMailFor } from '../../src/itip/invitations.ts'
import { isMailAddress, replyFor } from '../../src/itip/itip.ts'
import {
  berlin,
  cancel,
  event,
  guest,
  invitationsOf,
  NOW,
  physicalLines,
  read,
  request,
  sender,
  unix,
} from './making-invitations.ts'

describe('the mails of a change', () => {
  const change = { ...sender, now: NOW }
  const summary = (mails: Invitation[]) => mails.map(({ to, method, subject }) => `${method} ${to} ${subject}`)
  const sequences = (mails: Invitation[]) => mails.map(({ ics }) => read(ics).value('sequence'))

  test('a new event invites all guests and rooms, but not the organizer', () => {
    const participants = [
      guest('ann@example.com'),
      guest('Ann@Example.com'),
      guest('OLGA@example.com'),
      guest('me@waypost.test'),
    ]
    const after = event({ participants, resources: [{ email: 'room@example.com' }], sequence: 0 })
    const mails = invitationsOf({ ...change, sentBy: 'me@waypost.test', after })
    expect(summary(mails)).toEqual([
      'REQUEST ann@example.com Invitation: Planning',
      'REQUEST room@example.com Invitation: Planning',
    ])
    expect(sequences(mails)).toEqual(['0', '0'])
    for (const { method, ics } of mails) expect(read(ics).method).toBe(method)
  })

  test('guests without a mail address get no mail', () => {
    const participants = [guest('virtual calendar 7'), guest('a@x.test, b@y.test'), { ...guest('x'), email: undefined }]
    expect(invitationsOf({ ...change, after: event({ participants }) })).toEqual([])
  })

  test('an irrelevant change sends no mail', () => {
    const before = event()
    const answered = [guest('ann@example.com', { name: 'Ann Lee', status: 'no' }), guest('bob@example.com')]
    const after = event({
      participants: answered,
      metadata: { key1: 'x' },
      color_id: '3',
      reminders: { use_default: true, overrides: [] },
      updated_at: 5,
    })
    expect(invitationsOf({ ...change, before, after })).toEqual([])
    expect(invitationsOf(change)).toEqual([])
  })

  test('a new time requests new answers from all guests', () => {
    const requested = { participants: event().participants.map((one) => ({ ...one, status: 'noreply' as const })) }
    const after = event({ when: berlin(unix(2026, 1, 16, 9)), ...requested })
    const mails = invitationsOf({ ...change, before: event(), after })
    expect(summary(mails)).toEqual([
      'REQUEST ann@example.com Updated invitation: Planning',
      'REQUEST bob@example.com Updated invitation: Planning',
    ])
    expect(sequences(mails)).toEqual(['3', '3'])
    for (const { ics } of mails) {
      expect(read(ics).attendees.map(({ partstat }) => partstat)).toEqual(['NEEDS-ACTION', 'NEEDS-ACTION'])
    }
  })

  test('a new title keeps sequence number and answers', () => {
    const mails = invitationsOf({ ...change, before: event(), after: event({ title: 'Other' }) })
    expect(sequences(mails)).toEqual(['2', '2'])
    expect(read(mails[0]?.ics ?? '').attendees.map(({ partstat }) => partstat)).toEqual(['NEEDS-ACTION', 'ACCEPTED'])
  })

  test('an added guest is the only one invited, and a removed guest is the only one notified', () => {
    const after = event({ participants: [guest('ann@example.com'), guest('carl@example.com')] })
    const mails = invitationsOf({ ...change, before: event(), after })
    expect(summary(mails)).toEqual([
      'CANCEL bob@example.com Invitation withdrawn: Planning',
      'REQUEST carl@example.com Invitation: Planning',
    ])
    const withdrawn = read(mails[0]?.ics ?? '')
    expect(withdrawn.names).not.toContain('status')
    expect(withdrawn.attendees.map(({ address }) => address)).toEqual(['mailto:bob@example.com'])
    expect(mails[0]?.text).toContain('withdrawn')
    expect(mails[0]?.text).not.toMatch(/cancelled/i)
  })

  test('a deleted event is cancelled for all', () => {
    for (const after of [undefined, event({ status: 'cancelled' })]) {
      const mails = invitationsOf({ ...change, before: event(), after })
      expect(summary(mails)).toEqual([
        'CANCEL ann@example.com Cancelled: Planning',
        'CANCEL bob@example.com Cancelled: Planning',
      ])
      expect(sequences(mails)).toEqual(['3', '3'])
      for (const { ics } of mails) expect(read(ics).value('status')).toBe('CANCELLED')
    }
    const gone = event({ status: 'cancelled' })
    expect(invitationsOf({ ...change, before: gone, after: gone })).toEqual([])
    const again = invitationsOf({ ...change, before: gone, after: event() })
    expect(summary(again)[0]).toBe('REQUEST ann@example.com Invitation: Planning')
    expect(sequences(again)).toEqual(['3', '3'])
  })

  test('one occurrence is changed or deleted by its slot', () => {
    const occurrence = { time: unix(2026, 1, 22, 9), timezone: 'Europe/Berlin' }
    const main = event({ recurrence: ['RRULE:FREQ=WEEKLY'] })
    const at = (when: When) => ({ main, overrides: [{ slot: occurrence, event: event({ when }) }] })
    const before = at(berlin(unix(2026, 1, 22, 9)))
    const moved = invitationsFor({ ...change, occurrence, before, after: at(berlin(unix(2026, 1, 23, 9))) })
    const without = event({ recurrence: ['RRULE:FREQ=WEEKLY', 'EXDATE:20260122T090000Z'] })
    const deleted = invitationsFor({ ...change, occurrence, before, after: { main: without, overrides: [] } })
    expect(moved.map(({ method }) => method)).toEqual(['REQUEST', 'REQUEST'])
    expect(deleted.map(({ method }) => method)).toEqual(['CANCEL', 'CANCEL'])
    for (const { ics } of [...moved, ...deleted]) expect(read(ics).value('recurrence-id')).toBe('2026-01-22T10:00:00')
    for (const { ics } of deleted) expect(read(ics).value('status')).toBe('CANCELLED')
  })

  test('hidden guests stay hidden in every part of every mail', () => {
    const before = event({ hide_participants: true })
    const after = event({
      hide_participants: true,
      title: 'Other',
      participants: [guest('ann@example.com'), guest('carl@example.com')],
    })
    for (const mail of invitationsOf({ ...change, before, after })) {
      const others = ['ann@', 'bob@', 'carl@'].filter((name) => !mail.to.startsWith(name))
      for (const other of others) expect(JSON.stringify(mail)).not.toContain(other)
    }
  })

  test('say in plain words what, when and where', () => {
    const after = event({ recurrence: ['RRULE:FREQ=WEEKLY;INTERVAL=2'], description: 'Bring tea', title: 'Café ☕' })
    expect(invitationsOf({ ...change, after })[0]?.text).toBe(
      [
        'You are invited to this event.',
        '',
        'Café ☕',
        'When: Thursday, 15 January 2026, 10:00–11:00 (Europe/Berlin)',
        'Repeats: every 2 weeks',
        'Where: Room 5',
        'Organizer: Olga',
        '',
        'Bring tea',
      ].join('\n'),
    )
    const whens: [When, string][] = [
      [{ object: 'date', date: '2026-01-15' }, 'Thursday, 15 January 2026'],
      [
        { object: 'datespan', start_date: '2026-01-15', end_date: '2026-01-16' },
        'Thursday 15 January – Friday 16 January 2026',
      ],
      [{ object: 'time', time: unix(2026, 1, 15, 9), timezone: null }, 'Thursday, 15 January 2026 at 09:00 (UTC)'],
    ]
    for (const [when, words] of whens) {
      expect(invitationsOf({ ...change, after: event({ when }) })[0]?.text).toContain(`When: ${words}\n`)
    }
  })
})

describe('the mail of an answer', () => {
  const ann = { email: 'ann@example.com', name: 'Ann' }

  test.each([
    ['yes', 'Accepted: Planning'],
    ['no', 'Declined: Planning'],
    ['maybe', 'Tentative: Planning'],
  ] as const)('%s has the reply to the organizer', (answer, subject) => {
    const reply = replyFor(event(), ann, answer, { comment: 'Late; sorry', now: NOW })
    const mail = replyMailFor(event(), ann, answer, { comment: 'Late; sorry', now: NOW })
    expect(mail).toMatchObject({ to: 'olga@example.com', subject, ...reply })
    expect(mail.text).toContain('Late; sorry')
  })
})

/** Strings that try to escape from their field. */
const injections = [
  'x\r\nATTENDEE:mailto:evil@evil.test',
  'x\nEND:VEVENT\nBEGIN:VEVENT\nUID:evil',
  'x\rBcc: evil@evil.test',
  'x\r\n\r\n<script>alert(1)</script>',
  'x\0y',
  'x\u2028METHOD:PUBLISH\u2029y\u0085z\vq\f',
  '";ROLE=CHAIR:mailto:evil@evil.test',
  ':mailto:evil@evil.test',
  ';X=1:2',
  '\\n\\,\\;\\\\',
  'x^nATTENDEE^\'"',
  'BEGIN:VCALENDAR',
  '\r\n.\r\nMAIL FROM:<evil@evil.test>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '=?utf-8?B?eA0KQmNjOiBldmls?=',
  '\u202Egpj.exe',
]

describe('injected text', () => {
  const plainNames = read(request(event({ description: 'x' }))).names
  test.each(injections)('%j stays in its field', (evil) => {
    const after = event({
      title: evil,
      description: `about ${evil}`,
      location: evil,
      ical_uid: evil,
      participants: [guest('ann@example.com', { name: evil }), guest(`${evil}@example.com`)],
    })
    const options = { organizer: { email: `o${evil}@example.com`, name: evil }, sentBy: 'system@waypost.test' }
    for (const ics of [request(after, options), cancel(after, options)]) {
      expect(ics.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/)
      for (const line of physicalLines(ics)) expect(line).toMatch(/^( |[A-Z-]+[;:])/)
      const { names, attendees, calendar, value, vevent, method } = read(ics)
      expect(calendar.getAllSubcomponents('vevent')).toHaveLength(1)
      expect(['REQUEST', 'CANCEL']).toContain(method)
      expect(names.toSorted()).toEqual(plainNames.toSorted())
      expect(attendees).toHaveLength(2)
      expect(attendees.map(({ role }) => role)).toEqual(['REQ-PARTICIPANT', 'REQ-PARTICIPANT'])
      expect(attendees[1]?.address).toMatch(/^mailto:[^\s]+$/)
      expect(String(vevent.getFirstPropertyValue('organizer'))).toMatch(/^mailto:/)
      const retained = evil.replace(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g, '\n').replaceAll('\0', '')
      expect(value('summary')).toBe(retained)
      expect(value('location')).toBe(retained)
    }
    const mails = invitationsOf({ ...options, now: NOW, after })
    for (const { subject, html, to } of mails) {
      expect(subject).not.toMatch(/\p{Cc}/u)
      expect(isMailAddress(to)).toBe(true)
      expect(
        html
          .match(/<[^>]*>/g)
          ?.every((tag) => /^<\/?(!doctype html|html|body|p|h2|table|tr|th align="left"|th|td|br)>$/.test(tag)),
      ).toBe(true)
    }
  })

  test('creates no address', () => {
    for (const evil of injections) expect(isMailAddress(`a@b.test${evil}`)).toBe(false)
    for (const address of ['a+b=c@x.test', "o'neil@x.test", 'ü@bücher.test', '用户@例子.测试']) {
      expect(isMailAddress(address)).toBe(true)
    }
  })

  test('in a comment, a conference and an answering guest stays there', () => {
    for (const evil of injections) {
      const conferencing = { provider: evil, details: { url: `https://x.test/${evil}`, meeting_code: evil } }
      expect(read(request(event({ conferencing }))).attendees).toHaveLength(2)
      const reply = replyFor(event(), { email: `a${evil}@x.test`, name: evil }, 'yes', { comment: evil, now: NOW })
      expect(read(reply.ics).attendees).toHaveLength(1)
      expect(read(reply.ics).calendar.getAllSubcomponents('vevent')).toHaveLength(1)
    }
  })
})
