/** What happens in a mailbox at Google is told: by polling, by push, after history was forgotten; and that access is lost. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createEgress } from '../../src/lib/egress.ts'
import { letter, newMessageId } from '../conformance/letters.ts'
import { messagePath } from '../conformance/mail-subject.ts'
import { expectStatus, type Json } from '../conformance/office.ts'
import { createGoogleGrant, identity, scope } from '../peers/google.ts'
import { type Desk, type Desks, openDesks } from './google-desk.ts'

const until = <T>(check: () => T | Promise<T>, timeout = 25_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 50 })

interface Told {
  type: string
  data: { object: Json }
}

describe('changes at Google', () => {
  let desks: Desks
  beforeAll(async () => {
    desks = await openDesks({ env: { WAYPOST_POLL_SECONDS: '1' }, overrides: { serving: true } })
    await desks.house.listen()
  })
  afterAll(() => desks?.[Symbol.asyncDispose]())

  /** An account of an application of its own, which is told of nothing else. */
  async function newDesk(options: { before?: string[]; scopes?: string[] } = {}): Promise<Desk> {
    const { key } = await desks.house.createApplication()
    const email = `${randomUUID()}@example.com`
    const { mail } = desks.simulator.addAccount({ email })
    for (const subject of options.before ?? []) mail.deliver(letter({ subject }), { at: Date.now() - 120_000 })
    const desk = await desks.newDesk({ email, key, ...(options.scopes ? { scopes: options.scopes } : {}) })
    return desk
  }
  const told = async ({ key }: Desk, type = ''): Promise<Told[]> => {
    const { body } = await desks.house.call('GET', '/v3/notifications?limit=200', { key })
    return body.data.filter((each: Told) => each.type.startsWith(type) && !each.type.startsWith('calendar'))
  }
  const subjects = async (desk: Desk, type: string): Promise<string[]> =>
    (await told(desk, type)).map(({ data }) => data.object.subject)
  /** The account is watched: a message that arrives is told. */
  async function watched(desk: Desk): Promise<void> {
    desk.google.mail.deliver(letter({ subject: 'first' }))
    await until(async () => expect(await subjects(desk, 'message.created')).toEqual(['first']))
  }

  test('a message that arrives is told once, as the API answers it; older ones are not', async () => {
    const desk = await newDesk({ before: ['old'] })
    await watched(desk)
    const [{ data }] = (await told(desk, 'message.created')) as [Told]
    const read = expectStatus(await desk.get(messagePath(data.object.id)), 200).body.data
    expect(data.object).toEqual(read)
    const old = desk.google.mail.list()[0]?.id ?? ''
    desk.google.mail.relabel(old, { remove: ['UNREAD'] })
    desk.google.mail.deliver(letter({ subject: 'second' }))
    await until(async () => expect(await subjects(desk, 'message.created')).toContain('second'))
    expect(await subjects(desk, 'message.updated')).toEqual([])
    expect((await subjects(desk, 'message.created')).toSorted()).toEqual(['first', 'second'])
  })

  test('marks and moves are changes of the same message, and a message that comes and changes is told once', async () => {
    const desk = await newDesk()
    await watched(desk)
    const { mail } = desk.google
    const id = mail.list()[0]?.id ?? ''
    mail.relabel(id, { remove: ['UNREAD'], add: ['STARRED'] })
    await until(async () => {
      const changes = (await told(desk, 'message.updated')).map(({ data }) => data.object)
      expect(changes.at(-1)).toMatchObject({ id, unread: false, starred: true })
    })
    const quick = mail.deliver(letter({ subject: 'quick' }))
    mail.relabel(quick.id, { remove: ['UNREAD'] })
    await until(async () => expect(await subjects(desk, 'message.created')).toContain('quick'))
    expect((await subjects(desk, 'message.created')).filter((subject) => subject === 'quick')).toHaveLength(1)
  })

  test('what is sent is told, drafts are not until then', async () => {
    const desk = await newDesk()
    await watched(desk)
    const to = [{ email: 'somebody@example.com' }]
    const draft = expectStatus(await desk.post('/drafts', { to, subject: 'drafted' }), 200).body.data
    expectStatus(await desk.put(`/drafts/${draft.id}`, { subject: 'drafted again' }), 200)
    expectStatus(await desk.post('/messages/send', { to, subject: 'sent' }), 200)
    await until(async () => expect(await subjects(desk, 'message.created')).toContain('sent'))
    expectStatus(await desk.post(`/drafts/${draft.id}`, {}), 200)
    await until(async () => expect(await subjects(desk, 'message.created')).toContain('drafted again'))
    expect((await subjects(desk, 'message.created')).toSorted()).toEqual(['drafted again', 'first', 'sent'])
  })

  test('labels that are made, renamed and deleted are folders that change', async () => {
    const desk = await newDesk()
    await watched(desk)
    const { data } = expectStatus(await desk.post('/folders', { name: 'One' }), 200).body
    await until(async () =>
      expect((await told(desk, 'folder.created')).map((each) => each.data.object)).toMatchObject([
        { id: data.id, name: 'One' },
      ]),
    )
    expectStatus(await desk.put(`/folders/${data.id}`, { name: 'Two' }), 200)
    await until(async () => expect((await told(desk, 'folder.updated'))[0]?.data.object).toMatchObject({ name: 'Two' }))
    expectStatus(await desk.delete(`/folders/${data.id}`), 200)
    await until(async () => expect((await told(desk, 'folder.deleted'))[0]?.data.object).toMatchObject({ id: data.id }))
  })

  test('messages that came while history was forgotten are told, each once', async () => {
    const desk = await newDesk()
    await watched(desk)
    const { mail } = desk.google
    const subjectsNow = ['a', 'b', 'c']
    for (const subject of subjectsNow) mail.deliver(letter({ subject }))
    mail.forgetHistory()
    await until(async () =>
      expect((await subjects(desk, 'message.created')).toSorted()).toEqual(['a', 'b', 'c', 'first']),
    )
    mail.deliver(letter({ subject: 'later' }))
    await until(async () => expect(await subjects(desk, 'message.created')).toContain('later'))
    expect(await subjects(desk, 'message.created')).toHaveLength(5)
  })

  test('an account that shows its headers alone tells these, also after history was forgotten', async () => {
    const desk = await newDesk({ before: ['old'], scopes: [...identity, scope('gmail.metadata')] })
    await watched(desk)
    const [{ type, data }] = (await told(desk, 'message.created')) as [Told]
    expect(type).toBe('message.created.metadata')
    expect(data.object).not.toHaveProperty('body')
    expect(data.object.headers).toContainEqual({ name: 'Subject', value: 'first' })
    desk.google.mail.deliver(letter({ subject: 'missed' }))
    desk.google.mail.forgetHistory()
    await until(async () => expect((await subjects(desk, 'message.created')).toSorted()).toEqual(['first', 'missed']))
  })

  test('many messages at once are all told', async () => {
    const desk = await newDesk()
    await watched(desk)
    const names = Array.from({ length: 230 }, (_, index) => `bulk ${index}`)
    for (const subject of names) desk.google.mail.deliver(letter({ subject }))
    const all = async (): Promise<string[]> => {
      const first = await desks.house.call('GET', '/v3/notifications?limit=200', { key: desk.key })
      const token = first.body.next_cursor
      const second = await desks.house.call('GET', `/v3/notifications?limit=200&page_token=${token}`, { key: desk.key })
      return [...first.body.data, ...(second.body.data ?? [])].map(({ data }: Told) => data.object.subject)
    }
    await until(async () =>
      expect((await all()).filter((name) => name?.startsWith('bulk')).toSorted()).toEqual(names.toSorted()),
    )
  })

  test('an answer to a tracked message is told, though Gmail gave that message another name', async () => {
    const desk = await newDesk()
    await watched(desk)
    const sent = await desk.post('/messages/send', {
      to: [{ email: 'somebody@example.com' }],
      subject: 'Tracked',
      body: '<p>Hello</p>',
      tracking_options: { thread_replies: true, label: 'spring' },
    })
    const { id } = expectStatus(sent, 200).body.data
    const { data } = expectStatus(await desk.get(messagePath(id), { fields: 'include_headers' }), 200).body
    const given = data.headers.find(({ name }: Json) => name === 'Message-ID').value.slice(1, -1)
    expect(given).toMatch(/@mail\.gmail\.com$/)
    desk.google.mail.deliver(
      letter({ subject: 'Re: Tracked', from: 'somebody@example.com', inReplyTo: given, references: [given] }),
    )
    await until(async () => expect(await told(desk, 'thread.replied')).toHaveLength(1))
    const [{ data: reply }] = (await told(desk, 'thread.replied')) as [Told]
    expect(reply.object).toMatchObject({ root_message_id: id, label: 'spring' })
  })

  test('a bounce of what was sent is told', async () => {
    const desk = await newDesk()
    await watched(desk)
    const sent = await desk.post('/messages/send', { to: [{ email: 'nobody@example.com' }], subject: 'Bouncing' })
    const { id } = expectStatus(sent, 200).body.data
    const { data } = expectStatus(await desk.get(messagePath(id), { fields: 'include_headers' }), 200).body
    const given = data.headers.find(({ name }: Json) => name === 'Message-ID').value
    const boundary = 'report-boundary'
    const report = [
      'From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
      `To: ${desk.email}`,
      'Subject: Delivery Status Notification (Failure)',
      `In-Reply-To: ${given}`,
      `References: ${given}`,
      `Message-ID: <${newMessageId()}>`,
      'MIME-Version: 1.0',
      `Content-Type: multipart/report; boundary="${boundary}"; report-type=delivery-status`,
      '',
      `--${boundary}`,
      'Content-Type: text/plain',
      '',
      'Address not found',
      `--${boundary}`,
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; googlemail.com',
      '',
      'Final-Recipient: rfc822; nobody@example.com',
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.',
      '',
      `--${boundary}`,
      'Content-Type: message/rfc822',
      '',
      `Message-ID: ${given}`,
      'Subject: Bouncing',
      '',
      'Text',
      `--${boundary}--`,
      '',
    ].join('\r\n')
    desk.google.mail.deliver(report)
    await until(async () => expect(await told(desk, 'message.bounce_detected')).toHaveLength(1))
    const [{ data: bounce }] = (await told(desk, 'message.bounce_detected')) as [Told]
    expect(bounce.object).toMatchObject({ bounced_addresses: 'nobody@example.com' })
  })

  test('a quota that is used up is waited for; nothing is lost', async () => {
    const desk = await newDesk()
    await watched(desk)
    const path = /\/gmail\/v1\/users\/me\/history/
    desks.simulator.fail({ path, times: 2 }, { status: 429, reason: 'rateLimitExceeded', retryAfter: 3 })
    desk.google.mail.deliver(letter({ subject: 'patient' }))
    await until(async () => expect(await subjects(desk, 'message.created')).toContain('patient'), 40_000)
    const { body } = await desks.house.call('GET', `/v3/grants/${desk.grantId}`, { key: desk.key })
    expect(body.data.grant_status).toBe('valid')
  })

  test('a consent that is taken back expires the grant, once; with another it goes on where it was', async () => {
    const desk = await newDesk()
    await watched(desk)
    desk.google.revokeConsent()
    desk.google.mail.deliver(letter({ subject: 'meanwhile' }))
    await until(async () => expect(await told(desk, 'grant.expired')).toHaveLength(1))
    expectStatus(await desk.get('/messages'), 401)
    expectStatus(await desk.get('/messages'), 401)
    expect(await told(desk, 'grant.expired')).toHaveLength(1)
    const again = await createGoogleGrant(desks.house, desks.simulator, { email: desk.email, key: desk.key })
    expect(again.id).toBe(desk.grantId)
    await until(async () =>
      expect(await subjects(desk, 'message.created')).toEqual(expect.arrayContaining(['first', 'meanwhile'])),
    )
    expect(await told(desk, 'grant.expired')).toHaveLength(1)
  })
})

describe('changes at Google by push', () => {
  const topic = 'projects/waypost/topics/mail'
  const baseUrl = 'https://waypost.example'
  const audience = `${baseUrl}/v3/push/google/mail`
  let desks: Desks
  let endpoint: string
  beforeAll(async () => {
    // Nobody looks by itself within the time of a test.
    desks = await openDesks({
      env: { WAYPOST_POLL_SECONDS: '3600', WAYPOST_BASE_URL: baseUrl },
      overrides: { serving: true, egress: createEgress({ mode: 'private' }) },
    })
    endpoint = `${await desks.house.listen()}/v3/push/google/mail`
  })
  afterAll(() => desks?.[Symbol.asyncDispose]())

  test('a message is told as soon as Google says that there is something', async () => {
    desks.simulator.pushTo(topic, { endpoint, audience, serviceAccountEmail: 'push@waypost.iam.gserviceaccount.com' })
    const { key } = await desks.house.createApplication()
    const email = 'pushed@example.com'
    const { mail } = desks.simulator.addAccount({ email })
    const grant = await createGoogleGrant(desks.house, desks.simulator, { email, key, settings: { topic_name: topic } })
    const subjects = async (): Promise<string[]> => {
      const { body } = await desks.house.call('GET', '/v3/notifications?limit=200', { key })
      return body.data
        .filter(({ type }: Told) => type === 'message.created')
        .map(({ data }: Told) => data.object.subject)
    }
    await until(() => expect(desks.simulator.calls.some(({ path }) => path.endsWith('/watch'))).toBe(true))
    await desks.simulator.settled()
    mail.deliver(letter({ subject: 'pushed' }))
    await until(async () => expect(await subjects()).toEqual(['pushed']))
    mail.deliver(letter({ subject: 'again' }))
    await until(async () => expect((await subjects()).toSorted()).toEqual(['again', 'pushed']))
    expect(grant.grant_status).toBe('valid')
  })

  test('what anybody else posts is not listened to', async () => {
    const data = Buffer.from(JSON.stringify({ emailAddress: 'pushed@example.com', historyId: 1 })).toString('base64')
    const body = JSON.stringify({
      message: { data, messageId: '1' },
      subscription: 'projects/waypost/subscriptions/mail',
    })
    for (const headers of [{}, { authorization: 'Bearer nonsense' }] as Record<string, string>[]) {
      const answer = await fetch(endpoint, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      })
      expect(answer.status).toBe(404)
    }
  })
})
