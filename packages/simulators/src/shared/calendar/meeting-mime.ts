// The message about a meeting, as Exchange composes it: text for people and iCalendar for programs.
import { randomUUID } from 'node:crypto'
import { type ItipItem, type ItipMethod, itipText } from './itip.ts'
import type { Attendee, Person } from './people.ts'

export type MeetingMailKind = 'request' | 'update' | 'cancel' | 'reply' | 'forward'

export interface MeetingMime {
  readonly kind: MeetingMailKind
  readonly from: Person
  readonly to: readonly Person[]
  readonly item: ItipItem
  readonly comment: string
  /** In a reply: the sender's response. */
  readonly answer?: Attendee
  readonly now: number
}

const methods: Readonly<Record<MeetingMailKind, ItipMethod>> = {
  request: 'REQUEST',
  update: 'REQUEST',
  forward: 'REQUEST',
  cancel: 'CANCEL',
  reply: 'REPLY',
}
const answers: Readonly<Record<string, string>> = {
  accepted: 'Accepted',
  tentativelyAccepted: 'Tentative',
  declined: 'Declined',
}

export function meetingMime(mail: MeetingMime): string {
  const { kind, from, to, item, comment, answer, now } = mail
  const method = methods[kind]
  const attendees = answer === undefined ? item.attendees : [answer]
  const boundary = `_000_${randomUUID()}_`
  const part = (type: string, text: string) => [
    `--${boundary}`,
    `Content-Type: ${type}; charset="utf-8"`,
    'Content-Transfer-Encoding: base64',
    '',
    ...(Buffer.from(text)
      .toString('base64')
      .match(/.{1,76}/g) ?? ['']),
    '',
  ]
  return [
    `Date: ${new Date(now).toUTCString().replace('GMT', '+0000')}`,
    `From: ${mailbox(from)}`,
    `To: ${to.map(mailbox).join(',\r\n ')}`,
    `Subject: ${word(subjectOf(mail))}`,
    `Message-ID: <${randomUUID()}@simulated.prod.outlook.com>`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    ...part('text/plain', comment),
    ...part(`text/calendar; method=${method}`, itipText({ method, item, attendees, comment, now })),
    `--${boundary}--`,
    '',
  ].join('\r\n')
}

function subjectOf({ kind, item, answer }: MeetingMime): string {
  const subject = item.subject.replace(/^Canceled: /, '')
  if (kind === 'reply') return `${answers[answer?.status.response ?? ''] ?? 'Response'}: ${subject}`
  if (kind === 'cancel') return `Canceled: ${subject}`
  return kind === 'forward' ? `FW: ${subject}` : subject
}

function mailbox({ name, address }: Person): string {
  return name === address ? `<${address}>` : `${word(name)} <${address}>`
}

/** The value of a text header; non-ASCII text is encoded (RFC 2047). */
function word(text: string): string {
  const plain = text.replace(/[\r\n]+/g, ' ')
  if (/^[\w .:'-]*$/.test(plain)) return plain
  const words: string[] = []
  for (let rest = plain; rest !== ''; ) {
    let end = Math.min(rest.length, 40)
    while (Buffer.byteLength(rest.slice(0, end)) > 42 || /[\uD800-\uDBFF]$/.test(rest.slice(0, end))) end--
    words.push(`=?utf-8?B?${Buffer.from(rest.slice(0, end)).toString('base64')}?=`)
    rest = rest.slice(end)
  }
  return words.join('\r\n ')
}
