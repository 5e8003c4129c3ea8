/** What only Gmail does for notified changes of mail: metadata, long absences, revoked consent and pushes. */

import { createEgress } from '@waypost/platform/egress/egress'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GoogleSimulator } from '../../../../simulators/src/index.ts'
import { expectStatus, type Json } from '../../conformance/accounts.ts'
import { openGoogleMail } from '../../conformance/google-subject.ts'
import { type SimulatedMail, subjects } from '../../conformance/mail-subject.ts'
import { mimeMessage } from '../../conformance/mime-messages.ts'
import { until, watchedMail } from '../../conformance/watched-mail.ts'
import { createGoogleGrant, identity, scope } from '../../peers/google.ts'

describe.concurrent('changes at Google', () => {
  const { open, subscriber, newAccount, watched } = watchedMail({
    open: () => openGoogleMail({ env: { WAYPOST_POLL_SECONDS: '1' }, overrides: { serving: true } }),
    scopes: [...identity, 'https://mail.google.com/'],
  })

  test('an application that does not subscribe to deletions and cleaned messages gets none', async () => {
    await using account = await watched()
    await account.other.erase(account.firstMessageId, 'inbox')
    await account.arrive({ subject: 'later' })
    await account.createdAs('later')
    const types = (await account.reported()).map(({ type }) => type)
    expect(types).toEqual(['grant.created', 'message.created', 'message.created'])
  })

  test('a new message is cleaned for an application that subscribes, as the API cleans it', async () => {
    await using account = await newAccount()
    await subscriber().subscribe(account.key, 'message.created.cleaned')
    const html = '<h1>News</h1><p>We <b>moved</b>.</p><blockquote type="cite"><p>Where are you?</p></blockquote>'
    await account.arrive({ subject: 'first', html })
    await until(async () => expect(await account.created()).toHaveLength(2))
    const [message] = await account.objects('message.created')
    const [cleaned] = await account.objects('message.created.cleaned')
    const body = { message_id: [message.id], html_as_markdown: true }
    const [{ conversation }] = expectStatus(await account.put('/messages/clean', body), 200).body.data
    expect(cleaned).toEqual({ ...message, body: conversation, cleaning_status: 'success' })
    expect(conversation).toContain('We **moved**.')
    expect(conversation).not.toContain('Where are you?')
  })

  test('more than a page of messages that arrived while the history expired are all notified', async () => {
    await using account = await watched()
    const names = Array.from({ length: 520 }, (_, index) => `missed ${index}`)
    const { mail } = open().simulator.account(account.email)
    for (const subject of names) mail.deliver(mimeMessage({ subject }))
    mail.forgetHistory()
    const expected = [...names, 'first'].toSorted()
    await until(async () => expect((await account.created()).toSorted()).toEqual(expected), 60_000)
  })

  test('an account that shares only headers is notified with these, also after the history expired', async () => {
    await using account = await watched({ before: ['old'], scopes: [...identity, scope('gmail.metadata')] })
    const [{ type, data }] = await account.reported('message.created')
    expect(type).toBe('message.created.metadata')
    expect(data.object).not.toHaveProperty('body')
    expect(data.object.headers).toContainEqual({ name: 'Subject', value: 'first' })
    await account.arrive({ subject: 'missed' })
    open().simulator.account(account.email).mail.forgetHistory()
    await until(async () => expect((await account.created()).toSorted()).toEqual(['first', 'missed']))
  })

  test('a revoked consent expires the grant once, and a new consent resumes where it stopped', async () => {
    await using account = await watched()
    const { service, simulator } = open()
    simulator.account(account.email).revokeConsent()
    await account.arrive({ subject: 'meanwhile' })
    await until(async () => expect(await account.reported('grant.expired')).toHaveLength(1))
    for (let time = 0; time < 2; time++) expectStatus(await account.get('/messages'), 401)
    expect(await account.reported('grant.expired')).toHaveLength(1)
    const again = await createGoogleGrant(service, simulator, account)
    expect(again.id).toBe(account.grantId)
    await until(async () => expect(await account.created()).toEqual(expect.arrayContaining(['first', 'meanwhile'])))
    expect(await account.reported('grant.expired')).toHaveLength(1)
  })
})

describe('changes at Google by push', () => {
  const topic = 'projects/waypost/topics/mail'
  const baseUrl = 'https://waypost.example'
  const audience = `${baseUrl}/v3/push/google/mail`
  let open: SimulatedMail<GoogleSimulator>
  let endpoint: string
  beforeAll(async () => {
    // The service does not poll during the test.
    open = await openGoogleMail({
      env: { WAYPOST_POLL_SECONDS: '3600', WAYPOST_BASE_URL: baseUrl },
      overrides: { serving: true, egress: createEgress({ mode: 'private' }) },
    })
    endpoint = `${await open.service.listen()}/v3/push/google/mail`
  })
  afterAll(() => open?.[Symbol.asyncDispose]())

  test('a message is notified as soon as Google pushes a change', async () => {
    const { service, simulator, key, call } = open
    const serviceAccountEmail = 'push@waypost.iam.gserviceaccount.com'
    simulator.pushTo(topic, { endpoint, audience, serviceAccountEmail })
    const email = 'pushed@example.com'
    const { mail } = simulator.addAccount({ email })
    const grant = await createGoogleGrant(service, simulator, { email, key, settings: { topic_name: topic } })
    const reported = async (): Promise<string[]> => {
      const { data } = (await call('GET', '/v3/notifications?limit=200')).body
      return subjects(
        data.flatMap((each: Json) => (each.type === 'message.created' ? [each.data.object] : [])),
      ).toSorted()
    }
    await until(() => expect(simulator.calls.some(({ path }) => path.endsWith('/watch'))).toBe(true))
    await simulator.settled()
    mail.deliver(mimeMessage({ subject: 'pushed' }))
    await until(async () => expect(await reported()).toEqual(['pushed']))
    mail.deliver(mimeMessage({ subject: 'again' }))
    await until(async () => expect(await reported()).toEqual(['again', 'pushed']))
    expect(grant.grant_status).toBe('valid')
  })

  test('posts from anybody else are ignored', async () => {
    const data = Buffer.from(JSON.stringify({ emailAddress: 'pushed@example.com', historyId: 1 })).toString('base64')
    const subscription = 'projects/waypost/subscriptions/mail'
    const body = JSON.stringify({ message: { data, messageId: '1' }, subscription })
    for (const headers of [{}, { authorization: 'Bearer nonsense' }] as Record<string, string>[]) {
      const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }
      expect((await fetch(endpoint, init)).status).toBe(404)
    }
  })
})
