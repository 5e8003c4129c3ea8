/**
 * Replies of guests by mail, read from a real mailbox: a reply counts if it comes from the guest, is the newest, and
 * refers to the current time of the event.
 */

import { takeReplyMailbox } from '@waypost/store/tables/mail/reply-mailboxes'
import { enginesFor } from '@waypost/testing/engines'
import { sharedDovecot } from '@waypost/testing/peers/dovecot'
import type { Mailbox, MailServer } from '@waypost/testing/peers/mail-server'
import { startScriptedImap } from '@waypost/testing/peers/scripted-imap'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { examine } from '../../../src/cli/doctor/doctor.ts'
import { readConfig } from '../../../src/config.ts'
import { doJobs } from '../../../src/node.ts'
import { createReplyMailbox, parseMailbox } from '../../../src/sending/replies/reply-mailbox.ts'
import type { SystemMail, SystemMessage } from '../../../src/sending/system-mail.ts'
import { accountOf, at, expectStatus, type Fields, type Json } from '../../conformance/accounts.ts'
import { openService, type TestService } from '../../harness.ts'

interface Answer {
  method?: string
  uid: string
  from?: string
  headers?: readonly string[]
  attendee?: string
  partstat?: string
  sentBy?: string
  sequence?: number
  stamp?: string
  slot?: string
  comment?: string
  lines?: readonly string[]
}

/** A mail as calendars write it: base64, folded, with quoted parameters. */
function answerMail({ method = 'REPLY', attendee = 'ann@x.test', ...answer }: Answer): string {
  const { partstat = 'ACCEPTED', sequence = 0, stamp = '20260601T130000Z', from = attendee } = answer
  const sentBy = answer.sentBy ? `;SENT-BY="mailto:${answer.sentBy}"` : ''
  const ics = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    `UID:${answer.uid.slice(0, 20)}\r\n ${answer.uid.slice(20)}`,
    `ATTENDEE;CN="Doe; A: B";PARTSTAT=${partstat}${sentBy}:MAILTO:${attendee}`,
    `SEQUENCE:${sequence}`,
    `DTSTAMP:${stamp}`,
    ...(answer.slot ? [`RECURRENCE-ID${answer.slot}`] : []),
    ...(answer.lines ?? []),
    ...(answer.comment ? [`COMMENT:${answer.comment}`] : []),
    'BEGIN:VALARM',
    'UID:other',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')
  return [
    ...(answer.headers ?? []),
    `From: Guest <${from}>`,
    'To: calendar@waypost.test',
    'Subject: Accepted',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Yes',
    '--b',
    `Content-Type: text/calendar; charset=UTF-8; method=${method}`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(ics).toString('base64').replace(/.{76}/g, '$&\r\n'),
    '--b--',
    '',
  ].join('\r\n')
}

let dovecot: MailServer
beforeAll(async () => {
  dovecot = await sharedDovecot()
})
afterAll(() => dovecot[Symbol.asyncDispose]())

describe.each(enginesFor(import.meta.url))('replies by mail on %s', (engine) => {
  const clock = testClock(Date.parse('2026-06-01T12:00:00Z'))
  const outgoing: SystemMessage[] = []
  const mail: SystemMail = {
    address: 'calendar@waypost.test',
    send: async (message) => void outgoing.push(message),
    [Symbol.asyncDispose]: async () => undefined,
  }
  let mailbox: Mailbox
  let url: string
  let service: TestService
  let key: string
  beforeAll(async () => {
    mailbox = await dovecot.addUser()
    const login = `${encodeURIComponent(mailbox.user)}:${encodeURIComponent(mailbox.password)}`
    url = `imap://${login}@127.0.0.1:${dovecot.imapPort}`
    const env = {
      WAYPOST_SMTP_URL: 'smtp://127.0.0.1:1',
      WAYPOST_MAIL_FROM: 'calendar@waypost.test',
      WAYPOST_IMAP_URL: url,
    }
    service = await openService({ engine, env, overrides: { clock, mail } })
    key = (await service.createApplication('Office')).key
  })
  afterAll(() => service[Symbol.asyncDispose]())

  let accounts = 0
  /** An event with ann and bob. */
  async function invite(fields: Fields = {}) {
    const email = `room${++accounts}@x.test`
    const { id: grantId } = await service.createGrant(email, key)
    const account = accountOf((method, path, rest) => service.call(method, path, { key, ...rest }), { grantId, email })
    await account.createCalendar()
    const start = at('2026-06-08T10:00')
    const event = await account.create('primary', {
      title: 'Meeting',
      when: { start_time: start, end_time: start + 3600 },
      participants: [{ email: 'Ann@x.test' }, { email: 'bob@x.test' }],
      ...fields,
    })
    const change = (changes: Fields, id: string = event.id) => account.change('primary', id, changes)
    const statuses = async (id: string = event.id): Promise<string[]> =>
      (await account.read('primary', id)).participants.map((one: Json) => one.status)
    return { account, event, uid: event.ical_uid as string, change, statuses }
  }
  const read = async (...answers: Answer[]): Promise<void> => {
    for (const answer of answers) await dovecot.deliver(mailbox.user, answerMail(answer))
    await service.services.mail.replies?.read(AbortSignal.timeout(20_000))
  }
  /** The number of notifications about a change of the event. */
  const reportedOf = async (id: string): Promise<number> =>
    expectStatus(await service.call('GET', '/v3/notifications?limit=200', { key }), 200).body.data.filter(
      ({ type, data }: Json) => type === 'event.updated' && data.object.id === id,
    ).length

  test('are stored and notified once, even if the mailbox is read again', async () => {
    const { uid, statuses, account, event } = await invite()
    await read({ uid, partstat: 'TENTATIVE', comment: 'Perhaps\\, late' })
    expect(await statuses()).toEqual(['maybe', 'noreply'])
    expect((await account.read('primary', event.id)).participants[0].comment).toBe('Perhaps, late')
    await read()
    await read({ uid, partstat: 'TENTATIVE', comment: 'Perhaps\\, late' })
    await expect.poll(() => reportedOf(event.id)).toBe(1)
    expect((await account.read('primary', event.id)).sequence).toBe(0)
  })

  test('reach the service, which organizes the events that it mails on behalf of the account', async () => {
    await doJobs(service.services)
    outgoing.length = 0
    const { account } = await invite()
    await doJobs(service.services)
    const ics = outgoing.flatMap((message) => ('ics' in message ? [message.ics.replace(/\r\n /g, '')] : []))
    expect(ics).toHaveLength(2)
    for (const text of ics) expect(text).toContain(`ORGANIZER;CN="${account.email}":mailto:calendar@waypost.test`)
  })

  test('that are older than the previous one, or refer to another time, do not count', async () => {
    const { uid, statuses, change } = await invite()
    await read({ uid, partstat: 'DECLINED', stamp: '20260601T130500Z' })
    await read({ uid, partstat: 'ACCEPTED', stamp: '20260601T130400Z' })
    expect(await statuses()).toEqual(['no', 'noreply'])
    const start = at('2026-06-08T15:00')
    await change({ when: { start_time: start, end_time: start + 3600 } })
    await read({ uid, partstat: 'ACCEPTED', stamp: '20260601T140000Z' })
    expect(await statuses()).toEqual(['noreply', 'noreply'])
    await read({ uid, partstat: 'ACCEPTED', sequence: 1, stamp: '20260601T140000Z' })
    expect(await statuses()).toEqual(['yes', 'noreply'])
    // Adding and removing guests raises the sequence number. A guest who got no mail replies with the number that he
    // has.
    await change({ participants: [{ email: 'ann@x.test' }, { email: 'bob@x.test' }, { email: 'cleo@x.test' }] })
    await read({ uid, attendee: 'bob@x.test', partstat: 'DECLINED', sequence: 1 })
    expect(await statuses()).toEqual(['yes', 'no', 'noreply'])
  })

  test("count only from the guest, or from somebody of the same domain on the guest's behalf", async () => {
    const { uid, statuses } = await invite()
    const forged = 'Authentication-Results: mx.waypost.test; spf=pass; dmarc=fail (p=none) header.from=x.test'
    await read(
      { uid, from: 'mallory@evil.test' },
      { uid, from: 'mallory@evil.test', sentBy: 'mallory@evil.test' },
      { uid, headers: [forged] },
      { uid, headers: ['From: mallory@evil.test'] },
      { uid, attendee: 'stranger@x.test' },
      { uid: 'unknown@x.test' },
      { uid, method: 'COUNTER', from: 'mallory@evil.test', partstat: 'DECLINED' },
      { uid, method: 'DECLINECOUNTER', partstat: 'DECLINED' },
      { uid, partstat: 'DELEGATED', from: 'mallory@evil.test' },
    )
    expect(await statuses()).toEqual(['noreply', 'noreply'])
    await read({ uid, from: 'assistant@x.test', sentBy: 'assistant@x.test' })
    expect(await statuses()).toEqual(['yes', 'noreply'])
  })

  test("that delegate or propose another time change only the sender's status, and are notified", async () => {
    const { uid, account, event, change } = await invite()
    const guests = async () =>
      (await account.read('primary', event.id)).participants.map((one: Json) => [one.email, one.status, one.comment])
    await read({ uid, partstat: 'ACCEPTED' })
    await doJobs(service.services)
    outgoing.length = 0
    const time = 'DTSTART:20260608T150000Z'
    await read({ uid, method: 'COUNTER', partstat: 'ACCEPTED', stamp: '20260601T130100Z', lines: [time] })
    expect((await guests())[0]).toEqual(['Ann@x.test', 'yes', 'Proposes 2026-06-08 15:00 UTC'])
    await read({ uid, method: 'COUNTER', partstat: 'TENTATIVE', stamp: '20260601T130200Z', lines: [time] })
    expect((await guests())[0]).toEqual(['Ann@x.test', 'maybe', 'Proposes 2026-06-08 15:00 UTC'])
    await read({
      uid,
      partstat: 'DELEGATED;DELEGATED-TO="mailto:cleo@y.test"',
      stamp: '20260601T130300Z',
      lines: ['ATTENDEE;PARTSTAT=NEEDS-ACTION;DELEGATED-FROM="mailto:ann@x.test":mailto:cleo@y.test'],
    })
    const delegated = { uid, attendee: 'cleo@y.test', partstat: 'ACCEPTED;DELEGATED-FROM="mailto:ann@x.test"' }
    await read(delegated)
    expect(await guests()).toEqual([
      ['Ann@x.test', 'no', 'Delegated to cleo@y.test'],
      ['bob@x.test', 'noreply', null],
    ])
    await expect.poll(() => reportedOf(event.id)).toBe(4)
    await doJobs(service.services)
    expect(outgoing).toEqual([])
    // A delegate whom the organizer invites replies like any other guest.
    await change({ participants: [{ email: 'ann@x.test' }, { email: 'bob@x.test' }, { email: 'cleo@y.test' }] })
    await read({ ...delegated, sequence: 1, stamp: '20260601T130400Z' })
    expect((await guests())[2]).toEqual(['cleo@y.test', 'yes', null])
  })

  test.each([
    ['UTC', ':20260609T140000Z'],
    ['the zone of the series', ';TZID=America/New_York:20260609T100000'],
    ['a zone by the name of Windows', ';TZID="Eastern Standard Time":20260609T100000'],
    ['another zone', ';TZID=Europe/Berlin:20260609T160000'],
    ['a zone by a name of its own', ';TZID=/x/Custom:20260609T100000'],
    ['a day', ';VALUE=DATE:20260609'],
  ])('to one occurrence, given in %s, apply only to that one', async (_, slot) => {
    const zone = 'America/New_York'
    const start = at('2026-06-08T10:00', zone)
    const when = { start_time: start, end_time: start + 3600, start_timezone: zone, end_timezone: zone }
    const { uid, statuses, event } = await invite({ when, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
    await read({ uid, slot, partstat: 'DECLINED' })
    expect(await statuses(`${event.id}_20260609T140000Z`)).toEqual(['no', 'noreply'])
    expect(await statuses(`${event.id}_20260610T140000Z`)).toEqual(['noreply', 'noreply'])
  })

  test('to one occurrence do not change the guests of the series: a guest invited later is invited to that occurrence too', async () => {
    const { uid, statuses, change, event } = await invite({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
    await read({ uid, slot: ':20260609T100000Z', partstat: 'DECLINED' })
    await change({ participants: [{ email: 'ann@x.test' }, { email: 'cleo@x.test' }] })
    expect(await statuses(`${event.id}_20260609T100000Z`)).toEqual(['no', 'noreply'])
  })

  test('that request the event again are answered with it', async () => {
    const { uid } = await invite()
    await doJobs(service.services)
    outgoing.length = 0
    await read({ uid, method: 'REFRESH' }, { uid, method: 'REFRESH', attendee: 'stranger@x.test' })
    await doJobs(service.services)
    expect(outgoing.map((message) => [message.to, 'method' in message && message.method])).toEqual([
      ['Ann@x.test', 'REQUEST'],
    ])
  })

  test('are read by one node at a time, and the next node continues where it stopped', async () => {
    const { database } = service.services.storage
    const { uid, statuses } = await invite()
    await read()
    const { id } = parseMailbox(url)
    const now = clock.now()
    const place = await takeReplyMailbox(database, id, { owner: 'other', now, until: now + 60_000 })
    expect(place?.uid).toBeGreaterThan(0)
    await read({ uid })
    expect(await statuses()).toEqual(['noreply', 'noreply'])
    clock.advance(61_000)
    await read()
    expect(await statuses()).toEqual(['yes', 'noreply'])
  })

  test.each([
    ['tells', ['IDLE'], 3_600],
    ['cannot tell', [], 1],
  ])('are read from a server that %s new mail', async (_, capabilities, pollSeconds) => {
    await using server = await startScriptedImap({ capabilities })
    const { database, log } = service.services.storage
    const { sessions } = service.services.accounts
    const url = `imap://calendar:secret@127.0.0.1:${server.port}`
    await using mailbox = createReplyMailbox({
      ...{ url, database, sessions, clock, log, pollSeconds },
      nodeId: 'node',
    })
    const stop = new AbortController()
    const following = mailbox.follow(stop.signal)
    for (const partstat of ['TENTATIVE', 'ACCEPTED']) {
      const { uid, statuses } = await invite()
      server.add(answerMail({ uid, partstat }), { date: new Date(clock.now()) })
      server.tell(`* ${server.folder('INBOX').messages.length} EXISTS`)
      const status = partstat === 'ACCEPTED' ? 'yes' : 'maybe'
      await vi.waitFor(async () => expect(await statuses()).toEqual([status, 'noreply']))
    }
    expect(server.count('LOGIN')).toBe(1)
    expect(server.count('IDLE') > 0).toBe(capabilities.length > 0)
    stop.abort()
    await following
    const { id } = parseMailbox(url)
    const now = clock.now()
    expect(await takeReplyMailbox(database, id, { owner: 'next', now, until: now })).toMatchObject({ uid: 2 })
  })

  test('stay unchanged in the mailbox', async () => {
    await using client = await dovecot.client(mailbox.user)
    await client.mailboxOpen('INBOX', { readOnly: true })
    const flags = await client.fetchAll('1:*', { flags: true })
    expect(flags.length).toBeGreaterThan(10)
    expect(flags.filter((one) => one.flags?.has('\\Seen'))).toEqual([])
  })
})

test('the doctor checks the reply mailbox without reading any message', async () => {
  const { user, password } = await dovecot.addUser()
  const examined = async (secret: string, folder = '') => {
    const login = `${encodeURIComponent(user)}:${encodeURIComponent(secret)}`
    const { config, secrets } = readConfig({
      WAYPOST_DATA_DIR: '/nonexistent',
      WAYPOST_SMTP_URL: 'smtp://127.0.0.1:1',
      WAYPOST_MAIL_FROM: 'calendar@waypost.test',
      WAYPOST_IMAP_URL: `imap://${login}@127.0.0.1:${dovecot.imapPort}/${folder}`,
    })
    return (await examine(config, secrets)).filter(({ check }) => check === 'replies')
  }
  expect(await examined(password)).toEqual([
    { check: 'replies', state: 'ok', message: expect.stringMatching(/opens the folder INBOX .* are read immediately/) },
  ])
  expect(await examined(password, 'Elsewhere')).toMatchObject([{ state: 'problem', remedy: expect.any(String) }])
  const wrong = await examined('not-this-one')
  expect(wrong).toMatchObject([{ state: 'problem', message: expect.stringMatching(/did not accept the user name/) }])
  expect(JSON.stringify(wrong)).not.toContain('not-this-one')
})
