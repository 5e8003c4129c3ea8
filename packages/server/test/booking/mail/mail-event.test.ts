/** The calendar object in mails about bookings, as ical.js reads it. */
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import type { BookingMail } from '../../../src/booking/mail/booking-mail.ts'
import { itipOf, withEvent } from '../../../src/booking/mail/mail-event.ts'
import { mailTextOf } from '../../../src/booking/mail/mail-text.ts'
import { composeInvitation } from '../../../src/sending/event-mail/invitation-mail.ts'
import { sampleMail } from './sample-mail.ts'

const now = 1_800_000_000_000
const read = (mail: BookingMail) => {
  const object = itipOf(mail, { now })
  if (!object) return undefined
  const calendar = new ICAL.Component(ICAL.parse(object.ics))
  const event = calendar.getFirstSubcomponent('vevent')
  if (!event) throw new Error('no event')
  return { calendar, event, value: (name: string) => event.getFirstPropertyValue(name)?.toString() }
}

test('a booked time is a REQUEST with the UID of the event; a job of an earlier release has the revision as SEQUENCE', () => {
  const found = read(sampleMail())
  expect(found?.calendar.getFirstPropertyValue('method')).toBe('REQUEST')
  expect(found && ['uid', 'sequence', 'summary', 'status', 'organizer', 'url'].map(found.value)).toEqual([
    ...['event-1@calendar.test', '3', 'Consultation', 'CONFIRMED', 'mailto:olga@host.test', 'https://meet.test/abc'],
  ])
  expect(found?.value('dtstart')).toBe('2027-03-28T00:30:00Z')
  const attendees = found?.event.getAllProperties('attendee').map((each) => each.getFirstValue())
  expect(attendees).toEqual(['mailto:gina@guest.test', 'mailto:carl@guest.test', 'mailto:hugo@host.test'])
})

test('a later mail has the same UID and a higher SEQUENCE; a cancelled time is a CANCEL', () => {
  const booking = { ...sampleMail().booking, revision: 4 }
  const cancelled = read(sampleMail({ kind: 'cancelled', booking }))
  expect(cancelled?.calendar.getFirstPropertyValue('method')).toBe('CANCEL')
  expect(cancelled && ['uid', 'sequence', 'status'].map(cancelled.value)).toEqual([
    ...['event-1@calendar.test', '4', 'CANCELLED'],
  ])
})

test('hidden participants are not listed, and hostile names stay inside their value', () => {
  const guest = { email: 'gina@guest.test', name: 'G";CN=x:\r\nATTACH:evil' }
  const found = read(sampleMail({ hidesParticipants: true, guest }))
  expect(found?.event.getAllProperties('attendee')).toHaveLength(1)
  expect(found?.event.getFirstProperty('attach')).toBeNull()
})

test('the guests are those of the event, with their answers; those of the booking have accepted', () => {
  const attendees = [
    { email: 'Gina@guest.test', name: 'Gina', status: 'noreply' as const },
    { email: 'late@else.test', name: '', status: 'no' as const },
  ]
  const found = read(sampleMail({ attendees }))
  const people = found?.event
    .getAllProperties('attendee')
    .map((each) => [each.getFirstValue(), each.getFirstParameter('partstat')])
  expect(people).toEqual([
    ['mailto:Gina@guest.test', 'ACCEPTED'],
    ['mailto:late@else.test', 'DECLINED'],
  ])
})

test('a refusal cancels the event in a calendar that has it, and in no other', () => {
  const booking = { ...sampleMail().booking, sequence: 5 }
  expect(read(sampleMail({ kind: 'declined', booking }))?.calendar.getFirstPropertyValue('method')).toBe('CANCEL')
  for (const kind of ['declined', 'cancelled'] as const) {
    expect(itipOf(sampleMail({ kind, booking: { ...booking, sequence: null } }), { now })).toBeUndefined()
  }
})

test('a seat belongs to its occurrence, and a guest who leaves does not cancel the event of others', () => {
  const slot = { time: 1_806_000_000, timezone: 'UTC' }
  const booking = { ...sampleMail().booking, sequence: 5, slot, isSeat: true }
  const taken = read(sampleMail({ booking }))
  expect(taken && ['uid', 'sequence', 'recurrence-id'].map(taken.value)).toEqual([
    ...['event-1@calendar.test', '5', '2027-03-25T18:40:00Z'],
  ])
  const left = read(sampleMail({ kind: 'cancelled', booking }))
  expect(left?.value('status')).toBeUndefined()
  expect(left?.event.getAllProperties('attendee')).toHaveLength(1)
  const host = { ...sampleMail().recipient, email: 'hugo@host.test', role: 'host' as const }
  expect(itipOf(sampleMail({ kind: 'cancelled', booking, recipient: host }), { now })).toBeUndefined()
})

test('a move to another event cancels the previous one, with its organizer and time', () => {
  const withdrawn = { start: 1_790_000_000, end: 1_790_001_800, organizer: { email: 'otto@host.test', name: '' } }
  const mail = sampleMail({ kind: 'cancelled', withdrawn, booking: { ...sampleMail().booking, sequence: 9 } })
  const found = read(mail)
  expect(mailTextOf(mail).subject).toBe('Rescheduled: Consultation')
  expect(found?.calendar.getFirstPropertyValue('method')).toBe('CANCEL')
  expect(found && ['sequence', 'organizer', 'dtstart'].map(found.value)).toEqual([
    ...['9', 'mailto:otto@host.test', '2026-09-21T14:13:20Z'],
  ])
})

test('mails to the organizer, requests, refusals and reminders have no calendar object', () => {
  const organizer = { ...sampleMail().recipient, email: 'olga@host.test', role: 'organizer' as const }
  expect(itipOf(sampleMail({ recipient: organizer }), { now })).toBeUndefined()
  for (const kind of ['requested', 'declined', 'reminder'] as const) {
    expect(itipOf(sampleMail({ kind }), { now })).toBeUndefined()
  }
})

test('the service names itself as the sender on behalf of the organizer', () => {
  const object = itipOf(sampleMail(), { now, sentBy: 'service@waypost.test' })
  expect(object?.ics.replaceAll('\r\n ', '')).toContain('SENT-BY="mailto:service@waypost.test":mailto:olga@host.test')
})

test('the message has a calendar part that mail clients recognize, and none without an object', async () => {
  const compose = async (mail: BookingMail) => {
    const message = withEvent({ to: mail.recipient.email, ...mailTextOf(mail) }, mail, { now })
    const account = { email: 'olga@host.test', name: 'Olga' }
    const { source } = await composeInvitation(message, { account, messageId: 'a@host.test', date: new Date(now) })
    return Buffer.from(source).toString()
  }
  const booked = await compose(sampleMail())
  expect(booked).toMatch(/Content-Type: multipart\/alternative/)
  expect(booked).toMatch(/Content-Type: text\/calendar; method=REQUEST; charset=UTF-8/i)
  expect(booked).toMatch(/filename="?invite\.ics/)
  const reminder = await compose(sampleMail({ kind: 'reminder' }))
  expect(reminder).not.toMatch(/text\/calendar|invite\.ics/)
  expect(reminder).toMatch(/Content-Type: text\/html/)
})
