/** Mails about events in an account's own name: sent once if the change was made, never otherwise, on both stores. */

import type { Invitation } from '@waypost/formats/itip/invitations'
import { ApiError } from '@waypost/platform/api-error'
import type { AccountMail } from '@waypost/providers/io'
import { SendFailed } from '@waypost/providers/provider'
import { getGrant } from '@waypost/store/tables/grants/grants'
import { outboxDepth } from '@waypost/store/tables/notifications/outbox'
import { enginesFor } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { simpleParser } from 'mailparser'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { doJobs } from '../../src/node.ts'
import { mend, openSendingService, type SendingService, sendingBy } from './fake-mail-server.ts'

const until = (what: () => Promise<void> | void) => vi.waitFor(what, { interval: 25 })
const mailTo = (to: string, more: Partial<Invitation> = {}): Invitation => ({
  to,
  method: 'REQUEST',
  ics: 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n',
  subject: 'Invitation: Lunch',
  text: 'You are invited.',
  html: '<p>You are invited.</p>',
  ...more,
})

const jobPayload = sql<{ payload: string }>('test.jobPayload', 'select payload from outbox')

describe.each(enginesFor(import.meta.url))('mails about events on %s', (engine) => {
  let clock: TestClock
  let sending: SendingService
  let mail: AccountMail
  /** The provider's answer about a change, by its mark. */
  const made = vi.fn(async (_session: unknown, _mark: string): Promise<boolean> => true)

  beforeAll(async () => {
    clock = testClock()
    sending = await openSendingService({ engine, overrides: { clock } })
    const { services } = sending.service
    const virtual = sendingBy(sending.mailServer)['virtual-calendar']
    Object.assign(services.accounts.providers, {
      'virtual-calendar': { ...virtual, itip: { isMade: made, receive: async () => undefined } },
    })
    const record = await getGrant(services.storage.database, sending.applicationId, sending.grantId)
    if (!record) throw new Error('the grant is gone')
    mail = services.mail.accountMails.of(record, () => new AbortController().signal)
  })
  afterAll(() => sending[Symbol.asyncDispose]())
  beforeEach(async () => {
    mend(sending.mailServer)
    made.mockReset().mockResolvedValue(true)
    const node = await sending.node()
    node.work()
  })
  afterEach(() => sending.endNodes())

  const jobs = () => doJobs(sending.service.services)
  const left = () => outboxDepth(sending.service.services.storage.database)
  const taken = () => sending.mailServer.taken.map(({ recipients }) => recipients[0]).sort()

  test('are sent after the change, one to each guest, and the job ends', async () => {
    const held = await mail.hold([mailTo('ann@example.com'), mailTo('bob@example.com')], 'mark')
    await jobs()
    expect(taken()).toEqual([])
    await held.release()
    await jobs()
    await until(() => expect(taken()).toEqual(['ann@example.com', 'bob@example.com']))
    expect(await left()).toBe(0)
    expect(made).not.toHaveBeenCalled()
    const [first] = sending.mailServer.taken
    const read = await simpleParser(Buffer.from(first?.source ?? ''))
    expect(read.from?.text).toContain('sender@example.com')
    expect(read.attachments.map(({ filename }) => filename)).toContain('invite.ics')
    expect(Buffer.from(first?.source ?? '').toString()).toContain('text/calendar; method=REQUEST')
  })

  test('reach each of many guests once', async () => {
    const guests = Array.from({ length: 45 }, (_, index) => `guest-${index}@example.com`)
    const held = await mail.hold(
      guests.map((to) => mailTo(to)),
      'mark',
    )
    await held.release()
    await jobs()
    await until(() => expect(taken()).toEqual(guests.toSorted()))
  })

  test('are not sent if the change was refused', async () => {
    const held = await mail.hold([mailTo('ann@example.com')], 'mark')
    await held.drop()
    clock.advance(600_000)
    await jobs()
    expect(await left()).toBe(0)
    expect(made).not.toHaveBeenCalled()
    expect(taken()).toEqual([])
  })

  test("wait for the provider's answer if the node died in between", async () => {
    await mail.hold([mailTo('ann@example.com')], 'was made')
    await mail.hold([mailTo('bob@example.com')], 'was not')
    made.mockImplementation(async (_, mark) => mark === 'was made')
    made.mockRejectedValueOnce(new ApiError('provider_unreachable'))
    await jobs()
    expect(made).not.toHaveBeenCalled()
    clock.advance(121_000)
    await jobs()
    expect(await left()).toBe(1)
    clock.advance(31_000)
    await jobs()
    expect(await left()).toBe(0)
    await until(() => expect(taken()).toEqual(['ann@example.com']))
  })

  test('are recorded once, however often the job runs', async () => {
    const { handlers } = sending.service.services.mail.accountMails
    const held = await mail.hold([mailTo('ann@example.com')], 'mark')
    await held.release()
    const { database } = sending.service.services.storage
    const payload = (await database.get(jobPayload, []))?.payload ?? ''
    for (let run = 0; run < 3; run++)
      await handlers['invitations.send']?.(payload, new AbortController().signal, { application_id: '', id: '' })
    await jobs()
    await until(() => expect(taken()).toEqual(['ann@example.com']))
    expect(payload).not.toContain('ann@example.com')
  })

  test('a mail that follows another one is sent after it', async () => {
    const { mailServer } = sending
    const tried = vi.fn()
    const usual = mailServer.send
    mailServer.send = async (message, begin) => {
      tried(Buffer.from(message.source).includes('Moved') ? 'first' : 'second')
      if (tried.mock.calls.length === 1) throw new SendFailed('not now', { status: 451 })
      return usual(message, begin)
    }
    const next = mailTo('ann@example.com')
    const held = await mail.hold(
      [mailTo('ann@example.com', { subject: 'Moved: Lunch', method: 'CANCEL', next })],
      'mark',
    )
    await held.release()
    await jobs()
    await until(() => expect(tried).toHaveBeenCalledTimes(1))
    clock.advance(3_000)
    await jobs()
    expect(tried).toHaveBeenCalledTimes(1)
    await until(async () => {
      clock.advance(3_000)
      await jobs()
      expect(taken()).toHaveLength(2)
    })
    expect(tried.mock.calls.flat()).toEqual(['first', 'first', 'second'])
    expect(await left()).toBe(0)
  })

  test('a reply is sent at once, and a failure reports the reason', async () => {
    await mail.send(mailTo('olga@example.com', { method: 'REPLY' }))
    expect(taken()).toEqual(['olga@example.com'])
    sending.mailServer.send = async () => {
      throw new SendFailed('no such user', { permanent: true, status: 550 })
    }
    await expect(mail.send(mailTo('gone@example.com'))).rejects.toMatchObject({ code: 'send_refused' })
  })
})
