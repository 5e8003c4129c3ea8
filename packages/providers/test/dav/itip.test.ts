/**
 * Two accounts on a server without scheduling invite each other by mail, both through the operations of their
 * adapter: one receives what the other sends. On a server with scheduling, no mail is sent and none is processed.
 */
import type { Event, EventDraft, EventListQuery, Grant } from '@waypost/contract'
import type { Invitation } from '@waypost/formats/itip/invitations'
import type { ItipMail } from '@waypost/formats/itip/mail'
import { readReplies } from '@waypost/formats/itip/reading'
import { ApiError } from '@waypost/platform/api-error'
import { sharedCyrus } from '@waypost/testing/peers/cyrus'
import type { DavServer } from '@waypost/testing/peers/dav-server'
import { sharedRadicale } from '@waypost/testing/peers/radicale'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventOperations, rsvpOperation } from '../../src/dav/caldav/events.ts'
import { type CalDavTraits, calDavTraits } from '../../src/dav/caldav/traits.ts'
import { type MailingSession, schedulingMail } from '../../src/dav/itip/mail.ts'
import { itipOf } from '../../src/dav/itip/receive.ts'
import type { SessionIo } from '../../src/io.ts'
import { type DavAccount, davAccount } from './dav-account.ts'

const traits: CalDavTraits<MailingSession> = { ...calDavTraits, mail: schedulingMail }
const events = { ...eventOperations(traits), rsvp: rsvpOperation(traits) }
const itip = itipOf(traits)

const draftAt = (start: number, more: Partial<EventDraft> = {}): EventDraft => ({
  title: 'Lunch',
  when: { start_time: start, end_time: start + 3600, start_timezone: 'Europe/Berlin', end_timezone: 'Europe/Berlin' },
  ...more,
})
const start = Date.UTC(2027, 5, 1, 9) / 1000

interface User extends AsyncDisposable {
  email: string
  session: MailingSession
  dav: DavAccount
  /** Mails that were sent, in order. */
  sent: Invitation[]
  /** Waiting mails, with the mark of their change. */
  held: { mails: readonly Invitation[]; mark: string }[]
  headers: Record<string, string>
  smtp: boolean
  sending: () => Promise<void>
  /** Intercepts requests between the account and its server. */
  between: SessionIo['request'] | undefined
  request: SessionIo['request']
}

async function newUser(server: DavServer): Promise<User> {
  const mailbox = await server.addDavUser()
  let now = Date.now()
  const user: Omit<User, 'session' | 'dav' | 'request' | typeof Symbol.asyncDispose> = {
    email: mailbox.user,
    sent: [],
    held: [],
    headers: {},
    smtp: true,
    sending: async () => undefined,
    between: undefined,
  }
  const accountMail: SessionIo['accountMail'] = {
    async hold(mails, mark) {
      const one = { mails, mark }
      user.held.push(one)
      const end = () => user.held.splice(user.held.indexOf(one), 1)
      return {
        async release() {
          end()
          user.sent.push(...mails)
        },
        async drop() {
          end()
        },
      }
    },
    async send(mail) {
      await user.sending()
      user.sent.push(mail)
    },
  }
  const dav = davAccount({
    clock: { now: () => (now += 1000) } as SessionIo['clock'],
    log: { info: () => undefined, warn: () => undefined } as unknown as SessionIo['log'],
    setResponseHeader: (name, text) => {
      user.headers[name] = text
    },
    accountMail,
  })
  const { request } = dav.io
  dav.io.request = (requested) => (user.between ?? request)(requested)
  const session: MailingSession = {
    grant: { id: 'grant', email: mailbox.user } as Grant,
    io: dav.io,
    dav: dav.open({ caldavUrl: server.davUrl, auth: mailbox }),
    accounts: async () => (user.smtp ? { smtp: {} } : {}),
  }
  return Object.assign(user, { session, dav, request, [Symbol.asyncDispose]: () => dav[Symbol.asyncDispose]() })
}

/** A mail as the reader of a mailbox returns it. */
const received = (from: User, { method, ics }: Invitation): ItipMail =>
  method === 'REPLY' ? { method, replies: readReplies(ics) } : { method, sender: from.email.toLowerCase(), ics }

/** Delivers sent mails to their recipients. */
async function deliver(from: User, ...to: User[]): Promise<Invitation[]> {
  const mails = from.sent.splice(0).flatMap((mail) => (mail.next ? [mail, mail.next] : [mail]))
  for (const mail of mails) {
    for (const user of to.filter(({ email }) => email === mail.to))
      await itip.receive(user.session, received(from, mail))
  }
  return mails
}

const listed = async ({ session }: User, uid: string | null, calendar_id = 'personal'): Promise<Event[]> =>
  (await events.list(session, { calendar_id, limit: 50, ical_uid: uid ?? '' } as EventListQuery, undefined))
    .items as Event[]
const statusOf = (event: Event | undefined, { email }: User) =>
  event?.participants.find((one) => one.email === email)?.status
const methods = (mails: readonly Invitation[]) => mails.map(({ method, to }) => `${method} ${to}`)

describe('on a server without scheduling', () => {
  let server: DavServer
  let [ann, ben, cleo] = [] as unknown as [User, User, User]
  beforeAll(async () => {
    server = await sharedRadicale()
  })
  afterAll(() => server[Symbol.asyncDispose]())
  beforeEach(async () => {
    ;[ann, ben, cleo] = await Promise.all([newUser(server), newUser(server), newUser(server)])
    return async () => {
      for (const user of [ann, ben, cleo]) await user[Symbol.asyncDispose]()
    }
  })
  const invite = (more: Partial<EventDraft> = {}, guests: User[] = [ben], at: object = {}) =>
    events.create(
      ann.session,
      { calendar_id: 'personal', ...at },
      draftAt(start, { participants: guests.map(({ email }) => ({ email })), ...more }),
    )
  const change = (event: Event, fields: object) =>
    events.update(ann.session, { event_id: event.id, calendar_id: 'personal' }, fields)
  const answer = (user: User, event: Event | undefined, status: 'yes' | 'no' | 'maybe', at: object = {}) =>
    events.rsvp(
      user.session,
      { event_id: event?.id ?? '', calendar_id: 'personal', skip_email: false, ...at },
      { status, comment: 'By mail' },
    )

  test('an invitation arrives, is answered, changed and cancelled, each once', async () => {
    const event = await invite()
    expect(ann.headers['x-waypost-mail']).toBe('queued: 1')
    expect(methods(await deliver(ann, ben))).toEqual([`REQUEST ${ben.email}`])
    const [copy] = await listed(ben, event.ical_uid)
    expect(copy).toMatchObject({ title: 'Lunch', organizer: { email: ann.email }, when: { start_time: start } })
    expect(statusOf(copy, ben)).toBe('noreply')

    expect(await answer(ben, copy, 'yes')).toEqual({ mail: 'sent' })
    expect(methods(ben.sent)).toEqual([`REPLY ${ann.email}`])
    const [reply] = await deliver(ben, ann)
    const [answered] = await listed(ann, event.ical_uid)
    expect(answered?.participants).toMatchObject([{ email: ben.email, status: 'yes', comment: 'By mail' }])
    // The same mail again changes nothing.
    if (reply) await itip.receive(ann.session, received(ben, reply))
    expect((await listed(ann, event.ical_uid))[0]).toEqual(answered)

    await change(event, { location: 'Elsewhere' })
    expect(methods(await deliver(ann, ben))).toEqual([`REQUEST ${ben.email}`])
    expect((await listed(ben, event.ical_uid))[0]).toMatchObject({ location: 'Elsewhere', sequence: 1 })
    expect(statusOf((await listed(ben, event.ical_uid))[0], ben)).toBe('yes')

    await change(event, { when: { start_time: start + 86_400, end_time: start + 90_000 } })
    await deliver(ann, ben)
    expect(statusOf((await listed(ben, event.ical_uid))[0], ben)).toBe('noreply')

    await events.delete(ann.session, { event_id: event.id, calendar_id: 'personal' })
    expect(methods(await deliver(ann, ben))).toEqual([`CANCEL ${ben.email}`])
    expect((await listed(ben, event.ical_uid))[0]).toMatchObject({ status: 'cancelled' })
    expect([ann.held, ben.held]).toEqual([[], []])
  })

  test('new guests are invited, removed ones get a cancellation, and an answer to the previous sequence number still counts', async () => {
    const event = await invite()
    await deliver(ann, ben)
    const [copy] = await listed(ben, event.ical_uid)
    await change(event, { participants: [{ email: ben.email }, { email: cleo.email }] })
    expect(methods(await deliver(ann, ben, cleo))).toEqual([`REQUEST ${cleo.email}`])
    await answer(ben, copy, 'maybe')
    await deliver(ben, ann)
    expect(statusOf((await listed(ann, event.ical_uid))[0], ben)).toBe('maybe')
    await change(event, { participants: [{ email: cleo.email }] })
    const [gone] = await deliver(ann, ben, cleo)
    expect(gone).toMatchObject({ method: 'CANCEL', to: ben.email, subject: 'Invitation withdrawn: Lunch' })
    expect((await listed(ben, event.ical_uid))[0]).toMatchObject({ status: 'cancelled' })
    expect((await listed(cleo, event.ical_uid))[0]).toMatchObject({ status: 'confirmed' })
  })

  test('an occurrence is moved, answered and cancelled separately', async () => {
    const event = await invite({ recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] })
    await deliver(ann, ben)
    const [second] = [`${event.id}_20270608T090000Z`]
    const at = { event_id: second ?? '', calendar_id: 'personal' }
    await events.update(ann.session, at, {
      when: { start_time: start + 7 * 86_400 + 7200, end_time: start + 7 * 86_400 + 9000 },
    })
    const [mail] = await deliver(ann, ben)
    expect(mail?.ics).toContain('RECURRENCE-ID')
    expect(mail?.ics).not.toContain('RRULE:FREQ=WEEKLY')
    const [copy] = await listed(ben, event.ical_uid)
    const moved = await events.get(ben.session, { event_id: `${copy?.id}_20270608T090000Z`, calendar_id: 'personal' })
    expect(moved.when).toMatchObject({ start_time: start + 7 * 86_400 + 7200 })
    await answer(ben, moved, 'no')
    await deliver(ben, ann)
    expect(statusOf(await events.get(ann.session, at), ben)).toBe('no')
    expect(
      statusOf(
        (await listed(ann, event.ical_uid)).find(({ recurrence }) => recurrence),
        ben,
      ),
    ).toBe('noreply')
    await events.delete(ann.session, at)
    expect(methods(await deliver(ann, ben))).toEqual([`CANCEL ${ben.email}`])
    await expect(events.get(ben.session, { event_id: moved.id, calendar_id: 'personal' })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect((await listed(ben, event.ical_uid))[0]).toMatchObject({ status: 'confirmed' })
  })

  test('nobody gets mail if the client turns it off, if nothing of theirs changed, or if the account is a guest', async () => {
    const event = await invite({}, [ben], { notify_participants: false })
    expect([ann.sent, ann.held, ann.headers]).toEqual([[], [], {}])
    await change(event, { reminders: { use_default: false, overrides: [{ reminder_minutes: 5 }] } })
    expect(ann.sent).toEqual([])
    await change(event, { title: 'Dinner' })
    await deliver(ann, ben)
    const [copy] = await listed(ben, event.ical_uid)
    await answer(ben, copy, 'no', { skip_email: true })
    await events.delete(ben.session, { event_id: copy?.id ?? '', calendar_id: 'personal' })
    expect(ben.sent).toEqual([])
  })

  test('hidden guests see only themselves', async () => {
    await invite({ hide_participants: true }, [ben, cleo])
    const mails = await deliver(ann, ben, cleo)
    expect(mails.map(({ ics, to }) => [ics.includes(ben.email), ics.includes(cleo.email), to])).toEqual([
      [true, false, ben.email],
      [false, true, cleo.email],
    ])
  })

  test('an account that cannot send reports it, and so does an answer that cannot be sent', async () => {
    ann.smtp = false
    const event = await invite()
    expect(ann.headers['x-waypost-mail']).toMatch(/^not sent: .*smtp_host/)
    ann.smtp = true
    await change(event, { title: 'Again' })
    await deliver(ann, ben)
    const [copy] = await listed(ben, event.ical_uid)
    ben.sending = async () => {
      throw new ApiError('send_refused', 'no such user')
    }
    expect(await answer(ben, copy, 'yes')).toEqual({
      send_ics_error: { type: expect.any(String), message: 'no such user' },
    })
    expect(statusOf((await listed(ben, event.ical_uid))[0], ben)).toBe('yes')
    ben.smtp = false
    expect(await answer(ben, copy, 'no')).toMatchObject({
      send_ics_error: { message: expect.stringContaining('smtp_host') },
    })
  })

  test('mails of a refused change are dropped, and an unknown outcome is checked later', async () => {
    const { request } = ann
    const event = await invite()
    ann.sent.splice(0)
    ann.between = async (requested) => {
      if (requested.method !== 'PUT') return request(requested)
      await request(requested)
      throw new Error('the connection broke')
    }
    await expect(change(event, { title: 'Made' })).rejects.toThrow()
    const [made] = ann.held
    expect(made?.mails).toHaveLength(1)
    ann.between = async (requested) => {
      if (requested.method === 'PUT') throw new Error('the connection broke')
      return request(requested)
    }
    await expect(change(event, { title: 'Not made' })).rejects.toThrow()
    ann.between = undefined
    expect(await Promise.all(ann.held.map(({ mark }) => itip.isMade(ann.session, mark)))).toEqual([true, false])
    const retained = ann.held.length
    ann.between = (requested) =>
      request(
        requested.method === 'PUT'
          ? { ...requested, headers: { ...requested.headers, 'if-match': '"other"' } }
          : requested,
      )
    await expect(change(event, { title: 'Refused' })).rejects.toMatchObject({ code: 'conflict' })
    expect(ann.held).toHaveLength(retained)
    ann.between = undefined
    await events.delete(ann.session, { event_id: event.id, calendar_id: 'personal' })
    expect(await itip.isMade(ann.session, JSON.stringify({ url: JSON.parse(made?.mark ?? '{}').url }))).toBe(true)
  })

  test('strangers change nothing: neither the answers nor the event', async () => {
    const event = await invite()
    const [request] = ann.sent
    await deliver(ann, ben)
    const forged = (ics: string, sender: string, method: 'REQUEST' | 'CANCEL' = 'REQUEST'): ItipMail => ({
      method,
      sender,
      ics,
    })
    const newer = (request?.ics ?? '').replace('SEQUENCE:0', 'SEQUENCE:9').replace('Lunch', 'Owned')
    await itip.receive(ben.session, forged(newer, cleo.email))
    await itip.receive(ben.session, forged(newer.replaceAll(ann.email, cleo.email), cleo.email))
    await itip.receive(ben.session, forged(newer.replace('METHOD:REQUEST', 'METHOD:CANCEL'), cleo.email, 'CANCEL'))
    expect((await listed(ben, event.ical_uid))[0]).toMatchObject({ title: 'Lunch', status: 'confirmed' })
    // In the name of the organizer, sent to its own calendar.
    await itip.receive(ann.session, forged(newer, ann.email))
    expect((await listed(ann, event.ical_uid))[0]).toMatchObject({ title: 'Lunch' })
    const reply = {
      method: 'REPLY',
      uid: event.ical_uid ?? '',
      attendee: cleo.email,
      status: 'yes',
      sequence: 5,
      stamp: 5,
    } as const
    await itip.receive(ann.session, { method: 'REPLY', replies: [reply, { ...reply, uid: 'no such event' }] })
    expect((await listed(ann, event.ical_uid))[0]?.participants.map(({ email }) => email)).toEqual([ben.email])
    for (const ics of [
      '',
      'BEGIN:VCALENDAR',
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VEVENT\r\nEND:VCALENDAR',
      'x'.repeat(100_000),
    ]) {
      await itip.receive(ben.session, forged(ics, ann.email))
    }
  })

  test('a guest can request the event again, and two readers of one mail create one event', async () => {
    const event = await invite()
    const [request] = ann.sent
    if (!request) throw new Error('nobody was invited')
    ann.sent.splice(0)
    await Promise.all([1, 2, 3].map(() => itip.receive(ben.session, received(ann, request))))
    expect(await listed(ben, event.ical_uid)).toHaveLength(1)
    const refresh = {
      method: 'REFRESH',
      uid: event.ical_uid ?? '',
      attendee: ben.email,
      sequence: 0,
      stamp: 0,
    } as const
    await itip.receive(ann.session, { method: 'REPLY', replies: [refresh] })
    expect(methods(ann.sent)).toEqual([`REQUEST ${ben.email}`])
  })
})

describe('on a server with scheduling', () => {
  let server: DavServer
  beforeAll(async () => {
    server = await sharedCyrus()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('no mail is sent, and none is processed', async () => {
    await using ann = await newUser(server)
    await using ben = await newUser(server)
    const event = await events.create(
      ann.session,
      { calendar_id: 'Default' },
      draftAt(start, { participants: [{ email: ben.email }] }),
    )
    const at = { event_id: event.id, calendar_id: 'Default' }
    await events.update(ann.session, at, { title: 'Dinner' })
    expect([ann.sent, ann.held]).toEqual([[], []])
    const ics = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:other\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20270601T090000Z\r\nORGANIZER:mailto:${ann.email}\r\nATTENDEE:mailto:${ben.email}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
    await itip.receive(ben.session, { method: 'REQUEST', sender: ann.email, ics })
    expect(await listed(ben, 'other', 'Default')).toEqual([])
    await events.delete(ann.session, at)
    expect([ann.sent, ann.held, ann.headers]).toEqual([[], [], {}])
  })
})
