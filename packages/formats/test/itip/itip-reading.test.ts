import { describe, expect, test } from 'vitest'
import { readReplyMail } from '../../src/itip/mail.ts'
import { readReplies } from '../../src/itip/reading.ts'

const event = (...lines: string[]): string[] => ['BEGIN:VEVENT', 'UID:u1', ...lines, 'END:VEVENT']
const calendar = (method: string, ...lines: string[]): string =>
  ['BEGIN:VCALENDAR', `METHOD:${method}`, ...lines, 'END:VCALENDAR', ''].join('\r\n')
const yes = 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@x.test'

describe('the answers in a calendar text', () => {
  test('are those of its events, each with its reference', () => {
    const lines = event(
      'sequence:3',
      'DTSTAMP:20260601T000000Z',
      'RECURRENCE-ID;TZID="W. Europe Standard Time":20260602T090000',
      'ATTENDEE;PARTSTAT=declined;CN="Doe:;, Ann";SENT-BY="MAILTO:Boss@x.test":MAILTO:Ann@X.test',
      'COMMENT:One\\, two\\nthree',
    )
    expect(readReplies(calendar('Reply', ...lines))).toEqual([
      {
        method: 'REPLY',
        uid: 'u1',
        attendee: 'ann@x.test',
        sentBy: 'boss@x.test',
        status: 'no',
        comment: 'One, two\nthree',
        sequence: 3,
        stamp: Date.UTC(2026, 5, 1) / 1000,
        slot: { time: { day: 20_606, seconds: 32_400, utc: false }, zone: 'W. Europe Standard Time' },
      },
    ])
  })

  test.each([
    ['another method', calendar('REQUEST', ...event(yes))],
    ['no method', event(yes).join('\r\n')],
    ['a method inside the event', calendar('X', ...event('METHOD:REPLY', yes))],
    ['no UID', calendar('REPLY', 'BEGIN:VEVENT', yes, 'END:VEVENT')],
    ['an occurrence that is no time', calendar('REPLY', ...event(yes, 'RECURRENCE-ID:never'))],
    ['an answer that is none', calendar('REPLY', ...event('ATTENDEE;PARTSTAT=X-LATER:mailto:a@x.test'))],
    ['an answer that is left out', calendar('REPLY', ...event('ATTENDEE;CN=Ann:mailto:a@x.test'))],
    ['an attendee without an address', calendar('REPLY', ...event('ATTENDEE;PARTSTAT=ACCEPTED:urn:uuid:1'))],
    ['an attendee of an alarm', calendar('REPLY', ...event('BEGIN:VALARM', yes, 'END:VALARM'))],
    ['nothing', ''],
  ])('are none with %s', (_, text) => {
    expect(readReplies(text)).toEqual([])
  })

  const read = (method: string, ...lines: string[]) =>
    readReplies(calendar(method, ...event(...lines))).map(({ attendee, status, comment }) => [
      attendee,
      status,
      comment,
    ])

  test('name the delegate if somebody delegates, and the delegate answers separately', () => {
    const boss = 'ATTENDEE;PARTSTAT=DELEGATED;DELEGATED-TO="mailto:Ben@x.test","mailto:Cleo@x.test":mailto:ann@x.test'
    const ben = 'ATTENDEE;PARTSTAT=NEEDS-ACTION;DELEGATED-FROM="mailto:ann@x.test":mailto:ben@x.test'
    expect(read('REPLY', boss, ben, 'COMMENT:Ask Ben')).toEqual([
      ['ann@x.test', 'no', 'Delegated to ben@x.test, cleo@x.test. Ask Ben'],
      ['ben@x.test', 'noreply', 'Ask Ben'],
    ])
    expect(read('REPLY', 'ATTENDEE;PARTSTAT=DELEGATED:mailto:ann@x.test')).toEqual([['ann@x.test', 'no', 'Delegated']])
    const accepts = 'ATTENDEE;DELEGATED-FROM="mailto:ann@x.test";PARTSTAT=ACCEPTED:mailto:ben@x.test'
    expect(read('REPLY', accepts)).toEqual([['ben@x.test', 'yes', undefined]])
  })

  test.each([
    ['TENTATIVE', 'maybe'],
    ['DECLINED', 'no'],
    ['ACCEPTED', undefined],
    ['NEEDS-ACTION', undefined],
    ['DELEGATED', 'no'],
  ])('have the proposal of a COUNTER, and that it is %s if that is possible', (partstat, status) => {
    const attendee = `ATTENDEE;PARTSTAT=${partstat}:mailto:ann@x.test`
    const times = ['DTSTART;TZID=Europe/Berlin:20260608T150000', 'DTEND;TZID=Europe/Berlin:20260608T163000']
    expect(read('COUNTER', attendee, ...times, 'COMMENT:Better')).toEqual([
      ['ann@x.test', status, 'Proposes 2026-06-08 15:00 Europe/Berlin to 2026-06-08 16:30 Europe/Berlin. Better'],
    ])
    expect(read('COUNTER', attendee, 'DTSTART;VALUE=DATE:20260608')).toEqual([
      ['ann@x.test', status, 'Proposes 2026-06-08'],
    ])
    expect(read('COUNTER', attendee, 'DTSTART:20260608T150000Z')).toEqual([
      ['ann@x.test', status, 'Proposes 2026-06-08 15:00 UTC'],
    ])
    expect(read('COUNTER', attendee, 'DTSTART:soon')).toEqual([['ann@x.test', status, 'Proposes a change']])
  })

  test('are parsed in one pass for any text', () => {
    const bombs = ['BEGIN:VEVENT\n', 'ATTENDEE;"', ';', '\n ', 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:%\n']
    for (const bomb of bombs) {
      const text = calendar('REPLY', 'BEGIN:VEVENT', 'UID:u1', bomb.repeat(200_000))
      expect(readReplies(text).length).toBeLessThanOrEqual(100)
    }
  })
})

describe('the answers in a mail', () => {
  const part = (type: string, text: string): string[] => ['--b', `Content-Type: ${type}`, '', text]
  const mail = (headers: string[], ...parts: string[][]): Buffer =>
    Buffer.from(
      [...headers, 'Content-Type: multipart/mixed; boundary=b', '', ...parts.flat(), '--b--', ''].join('\r\n'),
    )
  const reply = calendar('REPLY', ...event(yes))
  const from = ['From: Ann <ann@x.test>']

  test('are found in the calendar part or in the attachment, once', () => {
    const parts = ['text/calendar; method=REPLY', 'application/ics; name=reply.ics'].map((type) => part(type, reply))
    for (const some of [parts, parts.slice(0, 1), parts.slice(1)]) {
      expect(readReplyMail(mail(from, ...some)).map(({ attendee }) => attendee)).toEqual(['ann@x.test'])
    }
  })

  test.each([
    ['another sender', ['From: mallory@x.test']],
    ['an address in the name of another sender', ['From: "ann@x.test" <mallory@evil.test>']],
    ['two senders', ['From: ann@x.test, mallory@evil.test']],
    ['two headers of senders', ['From: ann@x.test', 'From: mallory@evil.test']],
    ['no sender', ['Sender: ann@x.test']],
    ['a sender whom the receiving server calls forged', [...from, 'Authentication-Results: mx; dmarc = fail']],
  ])('are not accepted from %s', (_, headers) => {
    expect(readReplyMail(mail(headers, part('text/calendar', reply)))).toEqual([])
  })

  test('that is forwarded are not those of the forwarding person', () => {
    const inner = mail(from, part('text/calendar', reply)).toString().replaceAll('--b', '--c').replace('=b', '=c')
    expect(readReplyMail(mail(from, part('message/rfc822', inner)))).toEqual([])
  })
})
