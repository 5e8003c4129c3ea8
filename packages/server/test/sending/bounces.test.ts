/** Which delivery reports count, how they are reported, and that each is reported once. On both stores. */
import { type Message, triggers } from '@waypost/contract'
import type { RecipientStatus } from '@waypost/formats/dsn/report'
import { newId } from '@waypost/platform/ids'
import { listSendReports } from '@waypost/store/tables/mail/send-reports'
import { addSend } from '@waypost/store/tables/mail/sends'
import { enginesFor } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Notified } from '../../src/grants/notify.ts'
import { bounceType, type Noticed, noticeBounce } from '../../src/sending/replies/replies.ts'
import { sharedService, type TestService } from '../harness.ts'

const sentAt = Date.UTC(2026, 5, 1, 12, 0, 0)
const bouncedAt = Date.UTC(2026, 5, 1, 12, 0, 30) / 1000
const message: Message = { id: 'm-report', grant_id: 'g', object: 'message', date: bouncedAt }
const toState = sql('test.sends.state', 'update sends set state = $2, provider_id = $3 where id = $1')

describe.each(enginesFor(import.meta.url))('reports about sent messages on %s', (engine) => {
  let service: TestService
  let applicationId: string
  let grantId: string
  let reported: Notified[]
  beforeAll(async () => {
    service = await sharedService(engine)
    const { id, key } = await service.createApplication()
    applicationId = id
    grantId = (await service.createGrant('mira@example.com', key)).id
  })
  afterAll(() => service?.[Symbol.asyncDispose]())
  beforeEach(() => {
    reported = []
  })

  /** A message that was sent to some addresses, or is in another state; returns its Message-ID. */
  async function sent(recipients = ['bob@example.org'], { state = 'sent', grant = grantId } = {}): Promise<string> {
    const id = newId()
    const messageId = `${id}@example.com`
    const people = (emails: readonly string[]) => emails.map((email) => ({ email }))
    const [to = '', ...cc] = recipients
    const row = {
      ...{ id, applicationId, grantId: grant, state: 'accepted', messageId, sender: 'mira@example.com' },
      recipients,
      scheduleId: null,
      dueAt: sentAt,
      owner: null,
      facts: { subject: 'Offer', from: people(['mira@example.com']), to: people([to]), cc: people(cc) },
      now: sentAt,
    }
    await addSend(service.services.storage.database, row, service.services.storage.seals)
    await service.services.storage.database.run(toState, [id, state, 'm-sent'])
    return messageId
  }

  /** Lets the watcher find a report. */
  async function notice(report: Noticed['report'], grant = grantId): Promise<Notified[]> {
    const before = reported.length
    const notify = async (_: unknown, one: Notified) => void reported.push(one)
    const watched = { applicationId, grantId: grant, provider: 'imap' }
    await service.services.storage.database.transaction((tx) =>
      noticeBounce(
        tx,
        watched,
        { message, report },
        { notify, seals: service.services.storage.seals, now: sentAt + 60_000 },
      ),
    )
    return reported.slice(before)
  }

  const failure = (fields: Partial<RecipientStatus> = {}): RecipientStatus => ({
    ...{ address: 'bob@example.org', action: 'failed', status: '5.1.1', code: '550', reason: '550 5.1.1 User unknown' },
    ...fields,
  })
  const bounce = (messageId: string | undefined, ...recipients: RecipientStatus[]): Noticed['report'] => ({
    kind: 'delivery',
    ...(messageId === undefined ? {} : { messageId }),
    recipients: recipients.length > 0 ? recipients : [failure()],
  })

  test('a hard bounce is reported with all fields of the contract', async () => {
    const messageId = await sent(['bob@example.org', 'cleo@example.org'])
    const [one, ...others] = await notice(bounce(messageId))
    expect(others).toEqual([])
    expect(one).toEqual({
      applicationId,
      grantId,
      provider: 'imap',
      trigger: 'message.bounce_detected',
      data: { grant_id: grantId },
      object: {
        bounce_reason: '550 5.1.1 User unknown',
        bounce_date: 'Mon, 01 Jun 2026 12:00:30 +0000',
        bounced_addresses: 'bob@example.org',
        type: 'mailbox_unavailable',
        code: '550',
        grant_id: grantId,
        message_id: 'm-sent',
        origin: {
          to: ['bob@example.org'],
          from: 'mira@example.com',
          cc: ['cleo@example.org'],
          bcc: [],
          subject: 'Offer',
          mime_id: `<${messageId}>`,
          id: 'm-sent',
          original_send_at: 'Mon, 01 Jun 2026 12:00:00 +0000',
        },
      },
    })
    const { object, data } = triggers['message.bounce_detected']
    expect(object.parse(one?.object)).toEqual(one?.object)
    expect(data?.schema.safeParse({ application_id: applicationId, ...one?.data }).success).toBe(true)
  })

  test('each recipient is reported once, however often it bounces and in whatever case', async () => {
    const messageId = await sent(['bob@example.org', 'cleo@example.org'])
    expect(await notice(bounce(messageId))).toHaveLength(1)
    expect(await notice(bounce(messageId, failure({ address: 'BOB@example.org' })))).toEqual([])
    const both = await notice(bounce(messageId, failure(), failure({ address: 'cleo@example.org' })))
    expect(both.map(({ object }) => (object as { bounced_addresses: string }).bounced_addresses)).toEqual([
      'cleo@example.org',
    ])
    const again = await sent()
    expect(await notice(bounce(again))).toHaveLength(1)
  })

  test.each([
    ['a delay', failure({ action: 'delayed', status: '4.4.1', code: '451' })],
    ['a delivery', failure({ action: 'delivered', status: '2.0.0' })],
    ['a relay', failure({ action: 'relayed' })],
  ])('%s is not reported', async (_, status) => {
    const messageId = await sent()
    expect(await notice(bounce(messageId, status))).toEqual([])
    expect(await notice(bounce(messageId))).toHaveLength(1)
  })

  test.each(['4.4.7', '4.2.2', '4.0.0', undefined])(
    'a final failure with the status %s is reported',
    async (status) => {
      const messageId = await sent()
      const { status: _, ...rest } = failure({ code: '421', reason: '421 Busy' })
      const reported = await notice(bounce(messageId, status === undefined ? rest : { ...rest, status }))
      expect(reported).toMatchObject([{ object: { code: '421', bounce_reason: '421 Busy' } }])
    },
  )

  test('a report about a message that was not sent through Waypost is ignored', async () => {
    expect(await notice(bounce('made-up@example.com'))).toEqual([])
    expect(await notice(bounce(undefined))).toEqual([])
    expect(
      await notice({ kind: 'complaint', feedbackType: 'abuse', messageId: 'made-up@example.com', recipients: [] }),
    ).toEqual([])
  })

  test('a report in the mailbox of another account is ignored', async () => {
    const { id, key } = await service.createApplication('Other')
    const other = await service.createGrant('eve@example.com', key)
    const messageId = await sent()
    const notify = async (_: unknown, one: Notified) => void reported.push(one)
    const watched = { applicationId: id, grantId: other.id, provider: 'imap' }
    await service.services.storage.database.transaction((tx) =>
      noticeBounce(
        tx,
        watched,
        { message, report: bounce(messageId) },
        { notify, seals: service.services.storage.seals, now: sentAt },
      ),
    )
    expect(reported).toEqual([])
  })

  test.each(['accepted', 'scheduled', 'claimed', 'failed', 'cancelled'])(
    'a message that is %s cannot have bounced',
    async (state) => {
      expect(await notice(bounce(await sent(['bob@example.org'], { state })))).toEqual([])
    },
  )

  test.each(['transmitting', 'unknown'])('a message that is %s may have bounced', async (state) => {
    expect(await notice(bounce(await sent(['bob@example.org'], { state })))).toHaveLength(1)
  })

  test('a forwarding address is reported as it was written', async () => {
    const address = 'bob@elsewhere.example'
    const named = await sent(['bob@example.org', 'cleo@example.org'])
    expect(await notice(bounce(named, failure({ address, original: 'bob@example.org' })))).toMatchObject([
      { object: { bounced_addresses: 'bob@example.org' } },
    ])
    expect(await notice(bounce(await sent(), failure({ address })))).toMatchObject([
      { object: { bounced_addresses: 'bob@example.org' } },
    ])
    const several = await sent(['bob@example.org', 'cleo@example.org'])
    expect(await notice(bounce(several, failure({ address })))).toMatchObject([
      { object: { bounced_addresses: address } },
    ])
  })

  test('complaints are stored once each and not reported', async () => {
    const messageId = await sent(['bob@example.org', 'cleo@example.org'])
    const complaint = { kind: 'complaint', feedbackType: 'abuse', messageId } as const
    const recipients = ['Cleo@example.org', 'stranger@example.org']
    expect(await notice({ ...complaint, recipients, userAgent: 'Provider/1' })).toEqual([])
    expect(await notice({ ...complaint, recipients: ['cleo@example.org'] })).toEqual([])
    expect(await notice({ ...complaint, recipients: [] })).toEqual([])
    const retained = await listSendReports(
      service.services.storage.database,
      { applicationId, grantId, messageId },
      service.services.storage.seals,
    )
    expect(retained).toMatchObject([
      { kind: 'complaint', recipient: '', document: { feedback_type: 'abuse' } },
      {
        kind: 'complaint',
        recipient: 'cleo@example.org',
        document: { feedback_type: 'abuse', user_agent: 'Provider/1' },
      },
    ])
    expect(retained).toHaveLength(2)
    const alone = await sent()
    await notice({ ...complaint, messageId: alone, recipients: [] })
    expect(
      await listSendReports(
        service.services.storage.database,
        { applicationId, grantId, messageId: alone },
        service.services.storage.seals,
      ),
    ).toMatchObject([{ recipient: 'bob@example.org' }])
  })

  test('a failed transaction stores nothing, and the next one reports', async () => {
    const messageId = await sent()
    const notify = async (): Promise<void> => {
      throw new Error('the store is gone')
    }
    const watched = { applicationId, grantId, provider: 'imap' }
    const attempt = service.services.storage.database.transaction((tx) =>
      noticeBounce(
        tx,
        watched,
        { message, report: bounce(messageId) },
        { notify, seals: service.services.storage.seals, now: sentAt },
      ),
    )
    await expect(attempt).rejects.toThrow('the store is gone')
    expect(await notice(bounce(messageId))).toHaveLength(1)
  })
})

test.each([
  ['5.1.1', 'User unknown', 'mailbox_unavailable'],
  ['5.1.2', 'Domain not found', 'domain_not_found'],
  ['5.4.4', 'Unable to route', 'domain_not_found'],
  ['5.0.0', 'Host not found', 'domain_not_found'],
  ['5.0.0', 'No such user', 'mailbox_unavailable'],
  ['5.2.1', 'Disabled', 'mailbox_unavailable'],
  ['5.2.2', 'Full', 'mailbox_full'],
  ['5.3.4', 'Too big', 'message_too_large'],
  ['5.7.1', 'Spam', 'message_refused'],
  ['5.7.1', 'User unknown', 'mailbox_unavailable'],
  ['', 'Something', 'mailbox_unavailable'],
  ['5.1.10', 'RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup', 'mailbox_unavailable'],
  ['5.1.10', 'The domain takes no mail', 'domain_not_found'],
  ['5.4.310', 'DNS domain does not exist', 'domain_not_found'],
  ['4.0.0', 'lookup responded with code NXDOMAIN', 'domain_not_found'],
  ['4.0.0', 'returned Null MX', 'domain_not_found'],
  ['4.2.2', 'Over quota', 'mailbox_full'],
  ['4.3.0', 'Disk quota exceeded', 'mailbox_full'],
  ['4.7.0', 'Deferred for reputation', 'message_refused'],
  ['4.4.7', 'Message expired', 'mailbox_unavailable'],
])('status %s with "%s" is %s', (status, reason, type) => {
  expect(bounceType(status, reason)).toBe(type)
})
