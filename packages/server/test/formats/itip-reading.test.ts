import { describe, expect, test } from 'vitest'
import { readReplyMail } from '../../src/formats/itip-mail.ts'
import { readReplies } from '../../src/formats/itip-reading.ts'

const event = (...lines: string[]): string[] => ['BEGIN:VEVENT', 'UID:u1', ...lines, 'END:VEVENT']
const calendar = (method: string, ...lines: string[]): string =>
  ['BEGIN:VCALENDAR', `METHOD:${method}`, ...lines, 'END:VCALENDAR', ''].join('\r\n')
const yes = 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@x.test'

describe('the answers in a calendar text', () => {
  test('are those of its events, each with what it answers', () => {
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
    ['an answer that is none of ours', calendar('REPLY', ...event('ATTENDEE;PARTSTAT=DELEGATED:mailto:a@x.test'))],
    ['an attendee without an address', calendar('REPLY', ...event('ATTENDEE;PARTSTAT=ACCEPTED:urn:uuid:1'))],
    ['an attendee of an alarm', calendar('REPLY', ...event('BEGIN:VALARM', yes, 'END:VALARM'))],
    ['nothing', ''],
  ])('are none with %s', (_, text) => {
    expect(readReplies(text)).toEqual([])
  })

  test('are read in one pass, however the text is made', () => {
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

  test('are found in the part of the calendar or in the attachment, once', () => {
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
  ])('are not believed of %s', (_, headers) => {
    expect(readReplyMail(mail(headers, part('text/calendar', reply)))).toEqual([])
  })

  test('that is forwarded are not those of who forwards it', () => {
    const inner = mail(from, part('text/calendar', reply)).toString().replaceAll('--b', '--c').replace('=b', '=c')
    expect(readReplyMail(mail(from, part('message/rfc822', inner)))).toEqual([])
  })
})
