/**
 * Changes in a Gmail mailbox are notified: by polling, by push, and after the history has expired; and so is lost
 * access.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createEgress } from '../../../src/lib/egress/egress.ts'
import { expectStatus, type Json } from '../../conformance/accounts.ts'
import { messagePath } from '../../conformance/mail-subject.ts'
import { mimeMessage, newMessageId } from '../../conformance/mime-messages.ts'
import { createGoogleGrant, identity, scope } from '../../peers/google.ts'
import { openSubscriber, type Subscriber } from '../subscriber.ts'
import { type GoogleAccount, type GoogleAccounts, openGoogleAccounts } from './google-accounts.ts'

const until = <T>(check: () => T | Promise<T>, timeout = 25_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 50 })

interface Told {
  type: string
  data: { object: Json }
}

describe('changes at Google', () => {
  let accounts: GoogleAccounts
  let subscriber: Subscriber
  beforeAll(async () => {
    accounts = await openGoogleAccounts({ env: { WAYPOST_POLL_SECONDS: '1' }, overrides: { serving: true } })
    await accounts.service.listen()
    subscriber = await openSubscriber(accounts.service)
  })
  afterAll(async () => {
    await accounts?.[Symbol.asyncDispose]()
    await subscriber?.[Symbol.asyncDispose]()
  })

  /** An account with its own application, which gets no other notifications. */
  async function newAccount(options: { before?: string[]; scopes?: string[] } = {}): Promise<GoogleAccount> {
    const { key } = await accounts.service.createApplication()
    const email = `${randomUUID()}@example.com`
    const { mail } = accounts.simulator.addAccount({ email })
    for (const subject of options.before ?? []) mail.deliver(mimeMessage({ subject }), { at: Date.now() - 120_000 })
    const account = await accounts.newAccount({ email, key, ...(options.scopes ? { scopes: options.scopes } : {}) })
    return account
  }
  const told = async ({ key }: GoogleAccount, type = ''): Promise<Told[]> => {
    const { body } = await accounts.service.call('GET', '/v3/notifications?limit=200', { key })
    return body.data.filter((each: Told) => each.type.startsWith(type) && !each.type.startsWith('calendar'))
  }
  const subjects = async (account: GoogleAccount, type: string): Promise<string[]> =>
    (await told(account, type)).map(({ data }) => data.object.subject)
  /** Waits until the account is watched: a message that arrives is notified. */
  async function watched(account: GoogleAccount): Promise<void> {
    account.google.mail.deliver(mimeMessage({ subject: 'first' }))
    await until(async () => expect(await subjects(account, 'message.created')).toEqual(['first']))
  }

  test('a new message is notified once, as the API returns it, but older ones are not', async () => {
    const account = await newAccount({ before: ['old'] })
    await watched(account)
    const [{ data }] = (await told(account, 'message.created')) as [Told]
    const read = expectStatus(await account.get(messagePath(data.object.id)), 200).body.data
    expect(data.object).toEqual(read)
    const old = account.google.mail.list()[0]?.id ?? ''
    account.google.mail.relabel(old, { remove: ['UNREAD'] })
    account.google.mail.deliver(mimeMessage({ subject: 'second' }))
    await until(async () => expect(await subjects(account, 'message.created')).toContain('second'))
    expect(await subjects(account, 'message.updated')).toEqual([])
    expect((await subjects(account, 'message.created')).toSorted()).toEqual(['first', 'second'])
  })

  test('flags and moves are changes of the same message, and a message that arrives and changes is notified once', async () => {
    const account = await newAccount()
    await watched(account)
    const { mail } = account.google
    const id = mail.list()[0]?.id ?? ''
    mail.relabel(id, { remove: ['UNREAD'], add: ['STARRED'] })
    await until(async () => {
      const changes = (await told(account, 'message.updated')).map(({ data }) => data.object)
      expect(changes.at(-1)).toMatchObject({ id, unread: false, starred: true })
    })
    const quick = mail.deliver(mimeMessage({ subject: 'quick' }))
    mail.relabel(quick.id, { remove: ['UNREAD'] })
    await until(async () => expect(await subjects(account, 'message.created')).toContain('quick'))
    expect((await subjects(account, 'message.created')).filter((subject) => subject === 'quick')).toHaveLength(1)
  })

  test('sent messages are notified, and drafts only once they are sent', async () => {
    const account = await newAccount()
    await watched(account)
    const to = [{ email: 'somebody@example.com' }]
    const draft = expectStatus(await account.post('/drafts', { to, subject: 'drafted' }), 200).body.data
    expectStatus(await account.put(`/drafts/${draft.id}`, { subject: 'drafted again' }), 200)
    expectStatus(await account.post('/messages/send', { to, subject: 'sent' }), 200)
    await until(async () => expect(await subjects(account, 'message.created')).toContain('sent'))
    expectStatus(await account.post(`/drafts/${draft.id}`, {}), 200)
    await until(async () => expect(await subjects(account, 'message.created')).toContain('drafted again'))
    expect((await subjects(account, 'message.created')).toSorted()).toEqual(['drafted again', 'first', 'sent'])
  })

  test('a deletion for good is notified once; the trash, drafts and messages that nobody knew are no deletions', async () => {
    const account = await newAccount()
    await subscriber.subscribe(account.key, 'message.deleted')
    await watched(account)
    const { mail } = account.google
    const deleted = async (): Promise<string[]> =>
      (await subscriber.objects(account.key, 'message.deleted')).map(({ id }) => id)
    const id = mail.list()[0]?.id ?? ''
    expectStatus(await account.put(messagePath(id), { metadata: { case: '7' } }), 200)
    expectStatus(await account.delete(messagePath(id)), 200)
    await until(async () =>
      expect((await told(account, 'message.updated')).at(-1)?.data.object.folders).toContain('TRASH'),
    )
    expect(await deleted()).toEqual([])
    const draft = expectStatus(await account.post('/drafts', { subject: 'drafted' }), 200).body.data
    expectStatus(await account.put(`/drafts/${draft.id}`, { subject: 'drafted again' }), 200)
    expectStatus(await account.delete(`/drafts/${draft.id}`), 200)
    mail.remove(mail.deliver(mimeMessage({ subject: 'brief' })).id)
    mail.remove(id)
    await until(async () => expect(await deleted()).toEqual([id]))
    const own = mail.deliver(mimeMessage({ subject: 'own' })).id
    await until(async () => expect(await subjects(account, 'message.created')).toContain('own'))
    await accounts.service.call('PATCH', '/v3/applications', { key: account.key, body: { allow_hard_delete: true } })
    expectStatus(await account.delete(messagePath(own), { hard_delete: true }), 200)
    await until(async () => expect(await deleted()).toEqual([id, own]))
    expect(await subscriber.objects(account.key, 'message.deleted')).toEqual([
      { id, grant_id: account.grantId, object: 'message', metadata: { case: '7' } },
      { id: own, grant_id: account.grantId, object: 'message' },
    ])
  })

  test('an application that does not subscribe to deletions and cleaned messages gets none', async () => {
    const account = await newAccount()
    await watched(account)
    const { mail } = account.google
    mail.remove(mail.list()[0]?.id ?? '')
    mail.deliver(mimeMessage({ subject: 'later' }))
    await until(async () => expect(await subjects(account, 'message.created')).toContain('later'))
    expect((await told(account)).map(({ type }) => type)).toEqual([
      'grant.created',
      'message.created',
      'message.created',
    ])
  })

  test('a new message is cleaned for an application that subscribes, as the API cleans it', async () => {
    const account = await newAccount()
    await subscriber.subscribe(account.key, 'message.created.cleaned')
    const html = '<h1>News</h1><p>We <b>moved</b>.</p><blockquote type="cite"><p>Where are you?</p></blockquote>'
    account.google.mail.deliver(mimeMessage({ subject: 'first', html }))
    await until(async () => expect(await subjects(account, 'message.created')).toHaveLength(2))
    const [{ data }] = (await told(account, 'message.created')) as [Told]
    const [cleaned] = await subscriber.objects(account.key, 'message.created.cleaned')
    const body = { message_id: [data.object.id], html_as_markdown: true }
    const [{ conversation }] = expectStatus(await account.put('/messages/clean', body), 200).body.data
    expect(cleaned).toEqual({ ...data.object, body: conversation, cleaning_status: 'success' })
    expect(conversation).toContain('We **moved**.')
    expect(conversation).not.toContain('Where are you?')
  })

  test('labels that are created, renamed and deleted are notified as folders', async () => {
    const account = await newAccount()
    await watched(account)
    const { data } = expectStatus(await account.post('/folders', { name: 'One' }), 200).body
    await until(async () =>
      expect((await told(account, 'folder.created')).map((each) => each.data.object)).toMatchObject([
        { id: data.id, name: 'One' },
      ]),
    )
    expectStatus(await account.put(`/folders/${data.id}`, { name: 'Two' }), 200)
    await until(async () =>
      expect((await told(account, 'folder.updated'))[0]?.data.object).toMatchObject({ name: 'Two' }),
    )
    expectStatus(await account.delete(`/folders/${data.id}`), 200)
    await until(async () =>
      expect((await told(account, 'folder.deleted'))[0]?.data.object).toMatchObject({ id: data.id }),
    )
  })

  test('messages that arrived while the history expired are notified once each', async () => {
    const account = await newAccount()
    await watched(account)
    const { mail } = account.google
    const subjectsNow = ['a', 'b', 'c']
    for (const subject of subjectsNow) mail.deliver(mimeMessage({ subject }))
    mail.forgetHistory()
    await until(async () =>
      expect((await subjects(account, 'message.created')).toSorted()).toEqual(['a', 'b', 'c', 'first']),
    )
    mail.deliver(mimeMessage({ subject: 'later' }))
    await until(async () => expect(await subjects(account, 'message.created')).toContain('later'))
    expect(await subjects(account, 'message.created')).toHaveLength(5)
  })

  test('more than a page of messages that arrived while the history expired are all notified', async () => {
    const account = await newAccount()
    await watched(account)
    const names = Array.from({ length: 520 }, (_, index) => `missed ${index}`)
    for (const subject of names) account.google.mail.deliver(mimeMessage({ subject }))
    account.google.mail.forgetHistory()
    const all = async (): Promise<string[]> => {
      const found: string[] = []
      let path = '/v3/notifications?limit=200'
      for (let page = 0; page < 5; page += 1) {
        const { body } = await accounts.service.call('GET', path, { key: account.key })
        found.push(...body.data.map(({ data }: Told) => data.object.subject))
        if (body.data.length === 0) break
        path = `/v3/notifications?limit=200&page_token=${body.next_cursor}`
      }
      return found.filter((subject) => subject?.startsWith('missed'))
    }
    await until(async () => expect((await all()).toSorted()).toEqual(names.toSorted()), 60_000)
  }, 90_000)

  test('an account that shares only headers is notified with these, also after the history expired', async () => {
    const account = await newAccount({ before: ['old'], scopes: [...identity, scope('gmail.metadata')] })
    await watched(account)
    const [{ type, data }] = (await told(account, 'message.created')) as [Told]
    expect(type).toBe('message.created.metadata')
    expect(data.object).not.toHaveProperty('body')
    expect(data.object.headers).toContainEqual({ name: 'Subject', value: 'first' })
    account.google.mail.deliver(mimeMessage({ subject: 'missed' }))
    account.google.mail.forgetHistory()
    await until(async () =>
      expect((await subjects(account, 'message.created')).toSorted()).toEqual(['first', 'missed']),
    )
  })

  test('many messages at once are all notified', async () => {
    const account = await newAccount()
    await watched(account)
    const names = Array.from({ length: 230 }, (_, index) => `bulk ${index}`)
    for (const subject of names) account.google.mail.deliver(mimeMessage({ subject }))
    const all = async (): Promise<string[]> => {
      const first = await accounts.service.call('GET', '/v3/notifications?limit=200', { key: account.key })
      const token = first.body.next_cursor
      const second = await accounts.service.call('GET', `/v3/notifications?limit=200&page_token=${token}`, {
        key: account.key,
      })
      return [...first.body.data, ...(second.body.data ?? [])].map(({ data }: Told) => data.object.subject)
    }
    await until(async () =>
      expect((await all()).filter((name) => name?.startsWith('bulk')).toSorted()).toEqual(names.toSorted()),
    )
  })

  test("a reply to a tracked message is notified, even if Gmail changed that message's Message-ID", async () => {
    const account = await newAccount()
    await watched(account)
    const sent = await account.post('/messages/send', {
      to: [{ email: 'somebody@example.com' }],
      subject: 'Tracked',
      body: '<p>Hello</p>',
      tracking_options: { thread_replies: true, label: 'spring' },
    })
    const { id } = expectStatus(sent, 200).body.data
    const { data } = expectStatus(await account.get(messagePath(id), { fields: 'include_headers' }), 200).body
    const given = data.headers.find(({ name }: Json) => name === 'Message-ID').value.slice(1, -1)
    expect(given).toMatch(/@mail\.gmail\.com$/)
    account.google.mail.deliver(
      mimeMessage({ subject: 'Re: Tracked', from: 'somebody@example.com', inReplyTo: given, references: [given] }),
    )
    await until(async () => expect(await told(account, 'thread.replied')).toHaveLength(1))
    const [{ data: reply }] = (await told(account, 'thread.replied')) as [Told]
    expect(reply.object).toMatchObject({ root_message_id: id, label: 'spring' })
  })

  test('a bounce of a sent message is notified', async () => {
    const account = await newAccount()
    await watched(account)
    const sent = await account.post('/messages/send', { to: [{ email: 'nobody@example.com' }], subject: 'Bouncing' })
    const { id } = expectStatus(sent, 200).body.data
    const { data } = expectStatus(await account.get(messagePath(id), { fields: 'include_headers' }), 200).body
    const given = data.headers.find(({ name }: Json) => name === 'Message-ID').value
    const boundary = 'report-boundary'
    const report = [
      'From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
      `To: ${account.email}`,
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
    account.google.mail.deliver(report)
    await until(async () => expect(await told(account, 'message.bounce_detected')).toHaveLength(1))
    const [{ data: bounce }] = (await told(account, 'message.bounce_detected')) as [Told]
    expect(bounce.object).toMatchObject({ bounced_addresses: 'nobody@example.com' })
  })

  test('an exhausted quota delays notifications, and nothing is lost', async () => {
    const account = await newAccount()
    await watched(account)
    const path = /\/gmail\/v1\/users\/me\/history/
    accounts.simulator.fail({ path, times: 2 }, { status: 429, reason: 'rateLimitExceeded', retryAfter: 3 })
    account.google.mail.deliver(mimeMessage({ subject: 'patient' }))
    await until(async () => expect(await subjects(account, 'message.created')).toContain('patient'), 40_000)
    const { body } = await accounts.service.call('GET', `/v3/grants/${account.grantId}`, { key: account.key })
    expect(body.data.grant_status).toBe('valid')
  })

  test('a revoked consent expires the grant once, and a new consent resumes where it stopped', async () => {
    const account = await newAccount()
    await watched(account)
    account.google.revokeConsent()
    account.google.mail.deliver(mimeMessage({ subject: 'meanwhile' }))
    await until(async () => expect(await told(account, 'grant.expired')).toHaveLength(1))
    expectStatus(await account.get('/messages'), 401)
    expectStatus(await account.get('/messages'), 401)
    expect(await told(account, 'grant.expired')).toHaveLength(1)
    const again = await createGoogleGrant(accounts.service, accounts.simulator, {
      email: account.email,
      key: account.key,
    })
    expect(again.id).toBe(account.grantId)
    await until(async () =>
      expect(await subjects(account, 'message.created')).toEqual(expect.arrayContaining(['first', 'meanwhile'])),
    )
    expect(await told(account, 'grant.expired')).toHaveLength(1)
  })
})

describe('changes at Google by push', () => {
  const topic = 'projects/waypost/topics/mail'
  const baseUrl = 'https://waypost.example'
  const audience = `${baseUrl}/v3/push/google/mail`
  let accounts: GoogleAccounts
  let endpoint: string
  beforeAll(async () => {
    // The service does not poll during the test.
    accounts = await openGoogleAccounts({
      env: { WAYPOST_POLL_SECONDS: '3600', WAYPOST_BASE_URL: baseUrl },
      overrides: { serving: true, egress: createEgress({ mode: 'private' }) },
    })
    endpoint = `${await accounts.service.listen()}/v3/push/google/mail`
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  test('a message is notified as soon as Google pushes a change', async () => {
    accounts.simulator.pushTo(topic, {
      endpoint,
      audience,
      serviceAccountEmail: 'push@waypost.iam.gserviceaccount.com',
    })
    const { key } = await accounts.service.createApplication()
    const email = 'pushed@example.com'
    const { mail } = accounts.simulator.addAccount({ email })
    const grant = await createGoogleGrant(accounts.service, accounts.simulator, {
      email,
      key,
      settings: { topic_name: topic },
    })
    const subjects = async (): Promise<string[]> => {
      const { body } = await accounts.service.call('GET', '/v3/notifications?limit=200', { key })
      return body.data
        .filter(({ type }: Told) => type === 'message.created')
        .map(({ data }: Told) => data.object.subject)
    }
    await until(() => expect(accounts.simulator.calls.some(({ path }) => path.endsWith('/watch'))).toBe(true))
    await accounts.simulator.settled()
    mail.deliver(mimeMessage({ subject: 'pushed' }))
    await until(async () => expect(await subjects()).toEqual(['pushed']))
    mail.deliver(mimeMessage({ subject: 'again' }))
    await until(async () => expect((await subjects()).toSorted()).toEqual(['again', 'pushed']))
    expect(grant.grant_status).toBe('valid')
  })

  test('posts from anybody else are ignored', async () => {
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
