/**
 * Accounts whose calendars are on a Radicale, which sends no invitations, and whose mail is on real servers. Guests
 * are invited by mail alone, and applications are notified once.
 */
import { randomUUID } from 'node:crypto'
import { sharedCyrus } from '@waypost/testing/peers/cyrus'
import type { DavServer } from '@waypost/testing/peers/dav-server'
import { sharedRadicale } from '@waypost/testing/peers/radicale'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, type Fields, type Json } from '../../conformance/accounts.ts'
import { type MailServers, openMailServers, othersAfterMarker, type PostAccount, until } from '../mail/mail-servers.ts'

let servers: MailServers
let radicale: DavServer
beforeAll(async () => {
  ;[servers, radicale] = await Promise.all([openMailServers(), sharedRadicale()])
})
afterAll(async () => {
  await servers?.[Symbol.asyncDispose]()
  await radicale?.[Symbol.asyncDispose]()
})

const start = Math.floor(Date.UTC(2027, 5, 1, 9) / 1000)
const at = { calendar_id: 'personal' }

/** The iTIP objects that arrived in a mailbox, ordered by version. */
async function invitations(account: PostAccount): Promise<{ method: string; ics: string; from: string }[]> {
  const found = await Promise.all(
    (await account.mail()).map(async ({ source }) => {
      const mail = await simpleParser(source)
      const ics = mail.attachments.find(({ filename }) => filename === 'invite.ics')?.content.toString() ?? ''
      const method = /^METHOD:(\w+)/m.exec(ics)?.[1] ?? ''
      return { method, ics, from: mail.from?.value[0]?.address ?? '', stamp: /^DTSTAMP:(\w+)/m.exec(ics)?.[1] ?? '' }
    }),
  )
  return found.filter(({ method }) => method !== '').sort((a, b) => (a.stamp < b.stamp ? -1 : 1))
}
const methods = async (account: PostAccount): Promise<string[]> =>
  (await invitations(account)).map(({ method }) => method)
const expectMethods = (account: PostAccount, expected: string[]) =>
  until(async () => expect(await methods(account)).toEqual(expected))

const listed = async (account: PostAccount, uid: string): Promise<Json[]> =>
  expectStatus(await account.get('/events', { ...at, ical_uid: uid }), 200).body.data
const expectEvent = (account: PostAccount, uid: string, fields: Fields): Promise<Json> =>
  until(async () => {
    const [event] = await listed(account, uid)
    expect(event).toMatchObject(fields)
    return event
  })
/** The triggers of the notifications about an event. */
const reportedOf = async (account: PostAccount, uid: string): Promise<string[]> => {
  const found: string[] = []
  for (const trigger of ['event.created', 'event.updated', 'event.deleted']) {
    const reported = await account.reported(trigger)
    found.push(...reported.filter(({ data }) => data.object.ical_uid === uid).map(({ type }) => type))
  }
  return found
}
/** Waits until everything that arrived before has been processed. */
async function noticeAll(account: PostAccount): Promise<void> {
  const uid = `mark-${randomUUID()}`
  await deliver(account, { from: 'olga@example.org', uid })
  await until(async () => expect(await reportedOf(account, uid)).toEqual(['event.created']))
}

interface Sent {
  from: string
  uid: string
  method?: string
  lines?: string[]
  headers?: string[]
  folder?: string
}

/** A mail about an event from an outside sender. */
async function deliver(
  to: PostAccount,
  { from, uid, method = 'REQUEST', lines = [], headers = [], folder }: Sent,
): Promise<void> {
  const event = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Elsewhere//EN',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTART:20270701T090000Z',
    'DTEND:20270701T100000Z',
    ...(lines.length > 0
      ? lines
      : ['DTSTAMP:20270101T000000Z', `ORGANIZER:mailto:${from}`, `ATTENDEE:mailto:${to.email}`]),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  const source = [
    `From: ${from}`,
    `To: ${to.email}`,
    `Subject: ${method}`,
    `Message-ID: <${randomUUID()}@example.org>`,
    ...headers,
    'MIME-Version: 1.0',
    `Content-Type: text/calendar; method=${method}; charset=utf-8`,
    '',
    ...event,
    '',
  ].join('\r\n')
  await servers.server.deliver(to.email, source, ...(folder ? [{ folder }] : []))
}

describe('calendars on a server that sends no invitations', () => {
  let [ann, ben] = [] as unknown as [PostAccount, PostAccount]
  beforeEach(async () => {
    ;[ann, ben] = await Promise.all([servers.newAccount(radicale), servers.newAccount(radicale)])
  })

  const invite = async (fields: Fields = {}, query: Fields = {}): Promise<Json> => {
    const when = {
      start_time: start,
      end_time: start + 3600,
      start_timezone: 'Europe/Berlin',
      end_timezone: 'Europe/Berlin',
    }
    const body = { title: 'Lunch', when, participants: [{ email: ben.email }], ...fields }
    return expectStatus(await ann.post('/events', body, { ...at, ...query }), 200).body.data
  }

  test('an invitation is mailed, answered by mail, changed and cancelled, with one mail and one notification for each step', async () => {
    // Both mailboxes are watched from here on.
    await Promise.all([noticeAll(ann), noticeAll(ben)])
    const event = await invite()
    await expectMethods(ben, ['REQUEST'])
    expect((await invitations(ben))[0]?.from).toBe(ann.email)
    const copy = await expectEvent(ben, event.ical_uid, {
      title: 'Lunch',
      organizer: { email: ann.email },
      participants: [{ email: ben.email, status: 'noreply' }],
    })
    await until(async () => expect(await reportedOf(ben, event.ical_uid)).toEqual(['event.created']))
    expect((await ann.mail('Sent')).length).toBe(1)

    const rsvp = await ben.post(`/events/${copy.id}/send-rsvp`, { status: 'yes', comment: 'Gladly' }, at)
    expect(expectStatus(rsvp, 200).body).toMatchObject({ data: { mail: 'sent' } })
    await expectMethods(ann, ['REPLY'])
    await expectEvent(ann, event.ical_uid, { participants: [{ email: ben.email, status: 'yes', comment: 'Gladly' }] })
    await until(async () => expect(await reportedOf(ann, event.ical_uid)).toEqual(['event.created', 'event.updated']))

    expectStatus(
      await ann.put(`/events/${event.id}`, { when: { start_time: start + 3600, end_time: start + 7200 } }, at),
      200,
    )
    await expectEvent(ben, event.ical_uid, {
      when: { start_time: start + 3600 },
      participants: [{ status: 'noreply' }],
    })
    await expectMethods(ben, ['REQUEST', 'REQUEST'])

    expectStatus(await ann.delete(`/events/${event.id}`, at), 200)
    await expectMethods(ben, ['REQUEST', 'REQUEST', 'CANCEL'])
    await until(async () =>
      expect(await reportedOf(ben, event.ical_uid)).toEqual(expect.arrayContaining(['event.updated', 'event.updated'])),
    )
    await noticeAll(ben)
    await noticeAll(ann)
    expect(await methods(ben)).toEqual(['REQUEST', 'REQUEST', 'CANCEL'])
    // The copy already contains the answer, and has its own notification.
    expect((await reportedOf(ben, event.ical_uid)).filter((type) => type === 'event.created')).toHaveLength(1)
    expect((await ann.mail('Sent')).length).toBe(3)
  })

  test('a removed guest gets a cancellation, silent changes send no mail, and an occurrence is mailed separately', async () => {
    const series = await invite({ recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] })
    await expectEvent(ben, series.ical_uid, { title: 'Lunch' })
    const second = `${series.id}_20270608T090000Z`
    expectStatus(await ann.put(`/events/${second}`, { title: 'Picnic' }, at), 200)
    await expectMethods(ben, ['REQUEST', 'REQUEST'])
    const [, occurrence] = await invitations(ben)
    expect(occurrence?.ics).toMatch(/RECURRENCE-ID/)
    expect(occurrence?.ics).not.toMatch(/RRULE:FREQ=WEEKLY/)
    const quiet = await ann.put(
      `/events/${series.id}`,
      { description: 'Nobody is told' },
      { ...at, notify_participants: 'false' },
    )
    expectStatus(quiet, 200)
    expectStatus(await ann.put(`/events/${series.id}`, { participants: [] }, at), 200)
    await expectMethods(ben, ['REQUEST', 'REQUEST', 'CANCEL'])
    await until(async () => {
      const events = await listed(ben, series.ical_uid)
      expect(events.map(({ status }) => status)).toEqual(events.map(() => 'cancelled'))
    })
  })

  test('invitations from outside are added to the calendar, except from strangers, spam and broken ones', async () => {
    const uid = randomUUID()
    await deliver(ben, { from: 'olga@example.org', uid })
    await expectEvent(ben, uid, {
      organizer: { email: 'olga@example.org' },
      participants: [{ email: ben.email, status: 'noreply' }],
    })
    const cancel = ['DTSTAMP:20270102T000000Z', 'SEQUENCE:1', 'STATUS:CANCELLED', 'ORGANIZER:mailto:olga@example.org']
    await deliver(ben, { from: 'eve@example.org', uid, method: 'CANCEL', lines: cancel })
    await deliver(ben, {
      from: 'olga@example.org',
      uid,
      method: 'CANCEL',
      lines: cancel,
      headers: ['Authentication-Results: mx; dmarc=fail'],
    })
    const [spam, forwarded, forged] = [randomUUID(), randomUUID(), randomUUID()]
    await deliver(ben, { from: 'olga@example.org', uid: spam, folder: 'Junk' })
    await deliver(ben, {
      from: 'olga@example.org',
      uid: forwarded,
      lines: ['DTSTAMP:20270101T000000Z', 'ORGANIZER:mailto:olga@example.org', 'ATTENDEE:mailto:otto@example.org'],
    })
    await deliver(ben, {
      from: 'eve@example.org',
      uid: forged,
      lines: ['DTSTAMP:20270101T000000Z', 'ORGANIZER:mailto:olga@example.org', `ATTENDEE:mailto:${ben.email}`],
    })
    await deliver(ben, {
      from: 'olga@example.org',
      uid: 'broken',
      lines: ['DTSTAMP:now', `ATTENDEE;X=${'"'.repeat(9)}`, 'x'.repeat(600_000)],
    })
    await noticeAll(ben)
    expect((await listed(ben, uid))[0]).toMatchObject({ status: 'confirmed' })
    for (const none of [spam, forwarded, forged, 'broken']) expect(await listed(ben, none)).toEqual([])
    await deliver(ben, { from: 'olga@example.org', uid, method: 'CANCEL', lines: cancel })
    await until(async () => expect(await reportedOf(ben, uid)).toEqual(['event.created', 'event.updated']))
    // The same cancellation again changes nothing.
    await deliver(ben, { from: 'olga@example.org', uid, method: 'CANCEL', lines: cancel })
    await deliver(ben, { from: 'olga@example.org', uid })
    await noticeAll(ben)
    expect(await reportedOf(ben, uid)).toEqual(['event.created', 'event.updated'])
  })

  test('an answer from a stranger does not count', async () => {
    const event = await invite()
    const reply = (email: string, stamp = '20270103T000000Z') => ({
      method: 'REPLY',
      uid: event.ical_uid,
      lines: [`DTSTAMP:${stamp}`, `ORGANIZER:mailto:${ann.email}`, `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${email}`],
    })
    await deliver(ann, { from: 'eve@example.org', ...reply('eve@example.org') })
    await deliver(ann, { from: 'eve@example.org', ...reply(ben.email) })
    await noticeAll(ann)
    expect((await listed(ann, event.ical_uid))[0]?.participants).toMatchObject([
      { email: ben.email, status: 'noreply' },
    ])
    await deliver(ann, { from: ben.email, ...reply(ben.email) })
    await expectEvent(ann, event.ical_uid, { participants: [{ email: ben.email, status: 'yes' }] })
  })
})

describe('calendars on a server that sends invitations itself', () => {
  test('send no second mail, and process no invitations from the mailbox', async () => {
    await using cyrus = await sharedCyrus()
    const [ann, ben] = await Promise.all([servers.newAccount(cyrus), servers.newAccount(cyrus)])
    const when = { start_time: start, end_time: start + 3600 }
    const at = { calendar_id: 'Default' }
    const made = await ann.post('/events', { title: 'Lunch', when, participants: [{ email: ben.email }] }, at)
    const event = expectStatus(made, 200).body.data
    expect(made.headers.get('x-waypost-mail')).toBeNull()
    expectStatus(await ann.put(`/events/${event.id}`, { title: 'Dinner' }, at), 200)
    const uid = randomUUID()
    await deliver(ben, { from: 'olga@example.org', uid })
    const subject = `mark ${uid}`
    await servers.server.deliver(ben.email, `From: a@example.org\nSubject: ${subject}\nMessage-ID: <${uid}@a>\n\nx`)
    await until(async () => {
      const reported = await ben.reported('message.created')
      expect(reported.map(({ data }) => data.object.subject)).toContain(subject)
    })
    expectStatus(await ann.delete(`/events/${event.id}`, at), 200)
    expect(await othersAfterMarker(ann, 'Sent')).toEqual([])
    expect(await methods(ben)).toEqual([])
    expect(expectStatus(await ben.get('/events', { ...at, ical_uid: uid }), 200).body.data).toEqual([])
  })
})
