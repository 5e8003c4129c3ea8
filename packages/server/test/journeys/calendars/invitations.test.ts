/**
 * Mails about events through a real SMTP server: invitations, changes, cancellations, answers; and answers without
 * mail.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { claimOutbox, outboxDepth } from '@waypost/store/tables/notifications/outbox'
import { enginesFor } from '@waypost/testing/engines'
import { isCheck } from '@waypost/testing/level'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import { openServiceMail, type ServiceMail } from '@waypost/testing/peers/smtp-sink'
import { sql } from '@waypost/testing/statement'
import { testClock } from '@waypost/testing/test-clock'
import type { ParsedMail } from 'mailparser'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { doJobs } from '../../../src/node.ts'
import {
  type Account,
  accountOf,
  at,
  expectRefusal,
  expectStatus,
  type Fields,
  type Json,
  noon,
  openAccounts,
  span,
  type TestAccounts,
} from '../../conformance/accounts.ts'
import { openService } from '../../harness.ts'

const newYork = 'America/New_York'

interface Delivery {
  to: string
  mail: ParsedMail
  /** The iTIP object, with its lines unfolded. */
  ics: string
}

const from = 'calendar@waypost.test'

/** The iTIP object of a mail. */
function icsOf(mail: ParsedMail): string {
  const part = mail.attachments.find(({ contentType }) => contentType === 'application/ics')
  return (part?.content.toString() ?? '').replace(/\r\n[ \t]/g, '')
}

/** The lines of the event with this name, without those of the time zones. */
const line = (ics: string, name: string): string[] =>
  (ics.split('BEGIN:VEVENT')[1] ?? '')
    .split('\r\n')
    .filter((text) => text.startsWith(`${name}:`) || text.startsWith(`${name};`))
const guests = (...emails: string[]) => ({ participants: emails.map((email) => ({ email })) })

const document = sql<{ document: string }>('test.document', 'select document from events where id = $1')
const rewrite = sql('test.rewrite', 'update events set document = $2 where id = $1')

describe.each(enginesFor(import.meta.url))('mails on %s', (engine) => {
  let accounts: TestAccounts
  let post: ServiceMail
  beforeAll(async () => {
    post = await openServiceMail(from)
    accounts = await openAccounts({ engine, env: post.env })
  })
  afterAll(async () => {
    await accounts[Symbol.asyncDispose]()
    await post[Symbol.asyncDispose]()
  })
  afterEach(() => {
    post.mails.length = 0
  })

  /** Sends due mail and returns it, ordered by recipient. */
  const collect = async (): Promise<Delivery[]> => {
    await doJobs(accounts.service.services)
    const sent = post.mails.splice(0).sort((a, b) => (a.to < b.to ? -1 : 1))
    return sent.map(({ to, mail }) => ({ to, mail, ics: icsOf(mail) }))
  }
  /** Writes fields of an event that no client can write, as an import would. */
  const force = async (id: string, fields: Fields): Promise<void> => {
    const { database } = accounts.service.services.storage
    const row = await database.get(document, [id])
    await database.run(rewrite, [id, JSON.stringify({ ...JSON.parse(row?.document ?? '{}'), ...fields })])
  }
  const create = (account: Account, fields: Fields, query = {}) =>
    account.post(
      '/events',
      { title: 'Meeting', when: span('2026-06-02T09:00', 60, newYork), ...fields },
      {
        calendar_id: 'primary',
        ...query,
      },
    )

  describe('an invitation', () => {
    test('is sent to every guest when an event is created', async () => {
      const account = await accounts.newCalendarAccount()
      const answer = expectStatus(await create(account, guests('ann@x.test', 'bob@x.test')), 200)
      expect(answer.headers.get('x-waypost-mail')).toBe('queued: 2')
      expect(post.mails).toEqual([])
      const mails = await collect()
      expect(mails.map(({ to }) => to)).toEqual(['ann@x.test', 'bob@x.test'])
      for (const { to, mail, ics } of mails) {
        expect(mail.subject).toBe('Invitation: Meeting')
        expect(mail.from?.value[0]?.address).toBe(from)
        expect(mail.to?.value.map(({ address }) => address)).toEqual([to])
        const inline = mail.attachments.find(({ contentType }) => contentType === 'text/calendar')
        expect(inline?.headers.get('content-type')).toMatchObject({ params: { method: 'REQUEST' } })
        expect(ics).toContain('\r\nMETHOD:REQUEST\r\n')
        expect(line(ics, 'UID')).toEqual([`UID:${answer.body.data.ical_uid}`])
        expect(line(ics, 'SEQUENCE')).toEqual(['SEQUENCE:0'])
        expect(line(ics, 'DTSTART')).toEqual([`DTSTART;TZID=${newYork}:20260602T090000`])
        expect(line(ics, 'ATTENDEE')).toHaveLength(2)
        expect(line(ics, 'ORGANIZER').join()).toContain(`mailto:${account.email}`)
        expect(ics).toContain('BEGIN:VTIMEZONE')
      }
    })

    test('of an all-day event ends on the day after the last', async () => {
      const account = await accounts.newCalendarAccount()
      const days = { start_date: '2026-06-03', end_date: '2026-06-05' }
      const { data } = (await create(account, { when: days, ...guests('ann@x.test') })).body
      expect(data.when).toEqual({ object: 'datespan', ...days })
      const [mail] = await collect()
      expect(line(mail?.ics ?? '', 'DTSTART')).toEqual(['DTSTART;VALUE=DATE:20260603'])
      expect(line(mail?.ics ?? '', 'DTEND')).toEqual(['DTEND;VALUE=DATE:20260606'])
    })

    test('is not sent if the client turns off notifications', async () => {
      const account = await accounts.newCalendarAccount()
      const silent = { notify_participants: false }
      const answer = expectStatus(await create(account, guests('ann@x.test'), silent), 200)
      expect(answer.headers.get('x-waypost-mail')).toBeNull()
      const path = `/events/${answer.body.data.id}`
      expectStatus(await account.put(path, { when: span('2026-06-03T09:00') }, silent), 200)
      expectStatus(await account.delete(path, silent), 200)
      expect(await outboxDepth(accounts.service.services.storage.database)).toBe(0)
      expect(await collect()).toEqual([])
    })

    test('is not sent to the owner or to guests with an invalid address', async () => {
      const account = await accounts.newCalendarAccount()
      const answer = await create(account, guests(account.email, 'room 7', 'ann@x.test'))
      expect(answer.headers.get('x-waypost-mail')).toBe('queued: 1')
      expect((await collect()).map(({ to }) => to)).toEqual(['ann@x.test'])
      expect((await create(account, {})).headers.get('x-waypost-mail')).toBeNull()
    })

    test('does not contain other guests if guests are hidden', async () => {
      const account = await accounts.newCalendarAccount()
      await create(account, { hide_participants: true, ...guests('ann@x.test', 'bob@x.test') })
      const [ann] = await collect()
      expect(ann?.ics).not.toContain('bob@x.test')
      expect(line(ann?.ics ?? '', 'ATTENDEE')).toHaveLength(1)
    })

    test('is not sent for a rejected request', async () => {
      const account = await accounts.newCalendarAccount()
      expectRefusal(await create(account, { ...guests('ann@x.test'), recurrence: ['RRULE:FREQ=HOURLY'] }))
      expect(await outboxDepth(accounts.service.services.storage.database)).toBe(0)
    })

    test('is sent once if the request is repeated with its Idempotency-Key', async () => {
      const account = await accounts.newCalendarAccount()
      const send = () =>
        account.post(
          '/events',
          { when: { time: noon }, ...guests('ann@x.test') },
          { calendar_id: 'primary' },
          {
            'idempotency-key': 'once',
          },
        )
      const first = await send()
      const second = await send()
      expect(second.body).toEqual(first.body)
      expect(second.headers.get('x-waypost-mail')).toBe('queued: 1')
      expect(await collect()).toHaveLength(1)
    })
  })

  describe('a change', () => {
    let account: Account & { calendarId: string }
    let event: Json
    beforeAll(async () => {
      account = await accounts.newCalendarAccount()
      event = (await create(account, guests('ann@x.test', 'bob@x.test'))).body.data
      await collect()
    })
    const put = async (fields: Fields) => {
      const answer = expectStatus(await account.put(`/events/${event.id}`, fields, { calendar_id: 'primary' }), 200)
      return { mails: await collect(), event: answer.body.data }
    }

    test('of the time requests new answers from all guests, with a higher sequence number', async () => {
      await force(event.id, { participants: event.participants.map((one: Json) => ({ ...one, status: 'yes' })) })
      const { mails, event: after } = await put({ when: span('2026-06-02T10:00', 60, newYork) })
      expect(mails).toHaveLength(2)
      expect(mails[0]?.mail.subject).toBe('Updated invitation: Meeting')
      expect(line(mails[0]?.ics ?? '', 'SEQUENCE')).toEqual(['SEQUENCE:1'])
      expect(mails[0]?.ics).not.toContain('ACCEPTED')
      expect(after.participants.map((one: Json) => one.status)).toEqual(['noreply', 'noreply'])
    })

    test('of the title keeps the sequence number and the answers', async () => {
      await force(event.id, {
        ...(await account.read('primary', event.id)),
        participants: event.participants.map((one: Json) => ({ ...one, status: 'yes' })),
      })
      const { mails, event: after } = await put({ title: 'Renamed' })
      expect(mails).toHaveLength(2)
      expect(line(mails[0]?.ics ?? '', 'SEQUENCE')).toEqual(['SEQUENCE:1'])
      expect(after.participants.map((one: Json) => one.status)).toEqual(['yes', 'yes'])
    })

    test('that guests cannot see sends nothing', async () => {
      expect((await put({ metadata: { key1: 'x' } })).mails).toEqual([])
      expect((await put({ capacity: 5 })).mails).toEqual([])
      expect((await put({})).mails).toEqual([])
    })

    test('of the guests invites new ones and sends a cancellation to removed ones', async () => {
      const { mails } = await put(guests('bob@x.test', 'cleo@x.test'))
      expect(mails.map(({ to, mail }) => `${to} ${mail.subject}`)).toEqual([
        'ann@x.test Invitation withdrawn: Renamed',
        'cleo@x.test Invitation: Renamed',
      ])
      const withdrawn = mails[0]?.ics ?? ''
      expect(withdrawn).toContain('METHOD:CANCEL')
      expect(withdrawn).not.toContain('STATUS:CANCELLED')
      expect(line(withdrawn, 'ATTENDEE')).toHaveLength(1)
    })

    test('to an event without guests is a cancellation', async () => {
      expectStatus(await account.delete(`/events/${event.id}`, { calendar_id: 'primary' }), 200)
      const mails = await collect()
      expect(mails.map(({ to }) => to)).toEqual(['bob@x.test', 'cleo@x.test'])
      for (const { mail, ics } of mails) {
        expect(mail.subject).toBe('Cancelled: Renamed')
        expect(ics).toContain('METHOD:CANCEL')
        expect(ics).toContain('STATUS:CANCELLED')
        expect(line(ics, 'UID')).toEqual([`UID:${event.ical_uid}`])
        expect(line(ics, 'SEQUENCE')).toEqual(['SEQUENCE:3'])
      }
    })
  })

  test('a mail about one occurrence names its slot in the series', async () => {
    const account = await accounts.newCalendarAccount()
    const recurrence = ['RRULE:FREQ=DAILY;COUNT=5']
    const { data: master } = (await create(account, { recurrence, ...guests('ann@x.test') })).body
    const [invitation] = await collect()
    expect(line(invitation?.ics ?? '', 'RRULE')).toEqual(['RRULE:FREQ=DAILY;COUNT=5'])
    const second = `${master.id}_20260603T130000Z`
    await account.change('primary', second, { when: span('2026-06-03T15:00', 60, newYork) })
    const [moved] = await collect()
    expect(line(moved?.ics ?? '', 'RECURRENCE-ID')).toEqual([`RECURRENCE-ID;TZID=${newYork}:20260603T090000`])
    expect(line(moved?.ics ?? '', 'DTSTART')).toEqual([`DTSTART;TZID=${newYork}:20260603T150000`])
    expect(line(moved?.ics ?? '', 'RRULE')).toEqual([])
    await account.delete(`/events/${second}`)
    const [cancelled] = await collect()
    expect(cancelled?.ics).toContain('METHOD:CANCEL')
    expect(cancelled?.ics).toContain('STATUS:CANCELLED')
    expect(line(cancelled?.ics ?? '', 'RECURRENCE-ID')).toEqual([`RECURRENCE-ID;TZID=${newYork}:20260603T090000`])
    await account.delete(`/events/${master.id}`)
    const [all] = await collect()
    expect(line(all?.ics ?? '', 'RECURRENCE-ID')).toEqual([])
  })

  test('a waiting mail is encrypted in the store, because it contains the event', async () => {
    const account = await accounts.newCalendarAccount()
    post.refuse(451)
    await create(account, { ...guests('ann@x.test'), title: 'CANARY title', description: 'CANARY description' })
    const waiting = await accounts.service.services.storage.database.all(
      sql<{ payload: string }>('', 'select payload from outbox'),
    )
    expect(waiting).toHaveLength(1)
    expect(waiting[0]?.payload).not.toMatch(/CANARY|ann@x|BEGIN:VCALENDAR/)
    post.refuse(undefined)
    const [sent] = await collect()
    expect(sent?.ics).toContain('CANARY title')
  })

  test('a mail that the server rejects temporarily is retried later', async () => {
    const account = await accounts.newCalendarAccount()
    post.refuse(451)
    await create(account, guests('ann@x.test'))
    expect(await collect()).toEqual([])
    expect(await outboxDepth(accounts.service.services.storage.database)).toBe(1)
    post.refuse(undefined)
    expect(await collect()).toEqual([])
    accounts.clock.advance(31_000)
    expect(await collect()).toHaveLength(1)
    expect(await outboxDepth(accounts.service.services.storage.database)).toBe(0)
  })

  describe('an answer', () => {
    const organizer = { email: 'boss@x.test', name: 'Boss' }
    /** An event of another organizer to which the account is invited. */
    const invited = async (account: Account, fields: Fields = {}): Promise<Json> => {
      const { data } = (await create(account, { ...guests('ann@x.test'), ...fields }, { notify_participants: false }))
        .body
      const own = { email: account.email, name: 'Me', comment: null, phone_number: null, status: 'noreply' }
      await force(data.id, { organizer, participants: [...data.participants, own] })
      return data
    }
    const answer = (account: Account, id: string, body: unknown, query = {}) =>
      account.post(`/events/${id}/send-rsvp`, body, { calendar_id: 'primary', ...query })
    const statuses = async (account: Account, id: string): Promise<string[]> =>
      (await account.read('primary', id)).participants.map((one: Json) => one.status)

    test.each(['yes', 'no', 'maybe'])('%s is stored and sent to the organizer', async (status) => {
      const account = await accounts.newCalendarAccount()
      const { id, ical_uid } = await invited(account)
      const result = expectStatus(
        await answer(account, id, { status, comment: 'See you; soon', calendar_id: 'x' }),
        200,
      )
      expect(result.body).toEqual({ request_id: expect.any(String), data: { mail: 'queued' } })
      expect(await statuses(account, id)).toEqual(['noreply', status])
      const mails = await collect()
      expect(mails.map(({ to }) => to)).toEqual(['boss@x.test'])
      const ics = mails[0]?.ics ?? ''
      const inline = mails[0]?.mail.attachments.find(({ contentType }) => contentType === 'text/calendar')
      expect(inline?.headers.get('content-type')).toMatchObject({ params: { method: 'REPLY' } })
      expect(ics).toContain('METHOD:REPLY')
      expect(line(ics, 'UID')).toEqual([`UID:${ical_uid}`])
      const word = { yes: 'ACCEPTED', no: 'DECLINED', maybe: 'TENTATIVE' }[status]
      const sentBy = `SENT-BY="mailto:${from}"`
      expect(line(ics, 'ATTENDEE')).toEqual([`ATTENDEE;PARTSTAT=${word};CN=Me;${sentBy}:mailto:${account.email}`])
      expect(mails[0]?.mail.replyTo?.value[0]?.address).toBe(account.email)
      expect(line(ics, 'COMMENT')).toEqual(['COMMENT:See you\\; soon'])
    })

    test('can be stored without mail, with either name of the flag', async () => {
      const account = await accounts.newCalendarAccount()
      const { id } = await invited(account)
      for (const flag of ['skip_nylas_email', 'skip_email']) {
        const result = expectStatus(await answer(account, id, { status: 'yes' }, { [flag]: true }), 200)
        expect(result.body.data).toEqual({})
      }
      expect(await collect()).toEqual([])
      expect(await statuses(account, id)).toEqual(['noreply', 'yes'])
    })

    test('is not accepted from the organizer or a stranger', async () => {
      const account = await accounts.newCalendarAccount()
      const { data } = (await create(account, guests('ann@x.test'), { notify_participants: false })).body
      expectRefusal(await answer(account, data.id, { status: 'yes' }), /not invited/)
      expectStatus(await answer(account, 'unknown', { status: 'yes' }), 404)
      for (const body of [{}, { status: 'YES' }, { status: 'noreply' }, { status: null }]) {
        expectRefusal(await answer(account, data.id, body), /status/)
      }
    })

    test('to one occurrence applies to that one, and to a series applies to all', async () => {
      const account = await accounts.newCalendarAccount()
      const master = await invited(account, { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
      const second = `${master.id}_20260603T130000Z`
      const third = `${master.id}_20260604T130000Z`
      expectStatus(await answer(account, second, { status: 'no' }), 200)
      expect(await statuses(account, second)).toEqual(['noreply', 'no'])
      expect(await statuses(account, third)).toEqual(['noreply', 'noreply'])
      const [mail] = await collect()
      expect(line(mail?.ics ?? '', 'RECURRENCE-ID')).toEqual([`RECURRENCE-ID;TZID=${newYork}:20260603T090000`])
      expectStatus(await answer(account, master.id, { status: 'yes' }), 200)
      expect(await statuses(account, third)).toEqual(['noreply', 'yes'])
      const [whole] = await collect()
      expect(line(whole?.ics ?? '', 'RECURRENCE-ID')).toEqual([])
    })

    test('is kept by a change that does not change the time', async () => {
      const account = await accounts.newCalendarAccount()
      const { id } = await invited(account)
      await answer(account, id, { status: 'yes' }, { skip_email: true })
      await account.change('primary', id, { metadata: { key1: 'x' } })
      expect(await statuses(account, id)).toEqual(['noreply', 'yes'])
    })

    test('affects free/busy', async () => {
      const account = await accounts.newCalendarAccount()
      const { id } = await invited(account)
      const busy = async () => {
        const body = { start_time: at('2026-06-01T00:00'), end_time: at('2026-06-05T00:00'), emails: [account.email] }
        return (await account.post('/calendars/free-busy', body)).body.data[0].time_slots.length
      }
      expect(await busy()).toBe(1)
      await answer(account, id, { status: 'no' }, { skip_email: true })
      expect(await busy()).toBe(0)
    })
  })
})

describe.each(enginesFor(import.meta.url))('without a mail identity on %s', (engine) => {
  test('the response says that no mail is sent, and nothing is queued', async () => {
    await using accounts = await openAccounts({ engine })
    const account = await accounts.newCalendarAccount()
    const body = { when: span('2026-06-02T09:00'), ...guests('ann@x.test') }
    const answer = expectStatus(await account.post('/events', body, { calendar_id: 'primary' }), 200)
    expect(answer.headers.get('x-waypost-mail')).toMatch(/^not sent: .*WAYPOST_SMTP_URL/)
    const { id } = answer.body.data
    expect((await account.put(`/events/${id}`, { title: 'x' })).headers.get('x-waypost-mail')).toMatch(/^not sent/)
    const silent = await account.put(`/events/${id}`, { title: 'y' }, { notify_participants: false })
    expect(silent.headers.get('x-waypost-mail')).toBeNull()
    expect((await account.delete(`/events/${id}`)).headers.get('x-waypost-mail')).toMatch(/^not sent/)
    expect(await outboxDepth(accounts.service.services.storage.database)).toBe(0)
  })
})

describe('a mail', () => {
  const connect = async (service: Awaited<ReturnType<typeof openService>>, email: string): Promise<Account> => {
    const { id } = await service.createGrant(email)
    const account = accountOf((method, path, rest) => service.call(method, path, rest), { grantId: id, email })
    await account.createCalendar()
    return account
  }

  test.each(enginesFor(import.meta.url))(
    'survives a crash between the change and its delivery on %s',
    async (engine) => {
      await using post = await openServiceMail(from)
      const dataDir = await mkdtemp(path.join(tmpdir(), 'waypost-crash-'))
      const clock = testClock()
      const options = {
        dataDir,
        env: post.env,
        overrides: { clock },
        ...(engine === 'postgresql' ? { databaseUrl: await freshDatabaseUrl() } : {}),
      }
      {
        await using service = await openService(options)
        const account = await connect(service, 'desk@x.test')
        await account.create('primary', { when: { time: noon }, ...guests('ann@x.test', 'bob@x.test') })
        // A node claims one mail and dies.
        const now = clock.now()
        expect(
          await claimOutbox(service.services.storage.database, {
            owner: 'dead',
            leaseUntil: now + 60_000,
            now,
            limit: 1,
          }),
        ).toHaveLength(1)
      }
      expect(post.mails).toEqual([])
      await using service = await openService(options)
      await doJobs(service.services)
      expect(post.mails).toHaveLength(1)
      clock.advance(61_000)
      await doJobs(service.services)
      expect(post.mails.map(({ to }) => to).sort()).toEqual(['ann@x.test', 'bob@x.test'])
      await doJobs(service.services)
      expect(post.mails).toHaveLength(2)
      await rm(dataDir, { recursive: true, force: true })
    },
  )

  test.runIf(isCheck)('is sent by only one of two running nodes', async () => {
    await using post = await openServiceMail(from)
    const databaseUrl = await freshDatabaseUrl()
    const env = { ...post.env, WAYPOST_SECRET_KEY: randomBytes(32).toString('base64') }
    await using one = await openService({ databaseUrl, env })
    const account = await connect(one, 'desk@x.test')
    await using two = await openService({ databaseUrl, env })
    const names = Array.from({ length: 40 }, (_, index) => `guest${index}@x.test`)
    const busy = { on: true }
    const work = [one, two, one, two].map(async ({ services }) => {
      while (busy.on) {
        await doJobs(services)
        await nextTurn()
      }
    })
    for (const [index, name] of names.entries())
      await account.create('primary', { when: { time: noon + index }, ...guests(name, `also-${name}`) })
    await expect.poll(() => outboxDepth(one.services.storage.database)).toBe(0)
    busy.on = false
    await Promise.all(work)
    const sent = post.mails.map(({ to }) => to).sort()
    expect(sent).toEqual(names.flatMap((name) => [name, `also-${name}`]).sort())
  })
})
