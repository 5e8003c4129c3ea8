/** Headers about provider calls, compared with the calls that the simulated Google received. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus } from '../../conformance/accounts.ts'
import { messagePath } from '../../conformance/mail-subject.ts'
import { mimeMessage } from '../../conformance/mime-messages.ts'
import type { Answer } from '../../harness.ts'
import { type GoogleAccount, type GoogleAccounts, openGoogleAccounts } from './google-accounts.ts'

/** What Google publishes, by method and path. */
const published: readonly (readonly [RegExp, number])[] = [
  [/^POST .*\/(?:messages|drafts)\/send$/, 100],
  [/^GET .*\/attachments\/[^/]+$/, 5],
  [/^GET .*\/messages(?:\/[^/]+)?$/, 5],
  [/^DELETE .*\/messages\/[^/]+$/, 10],
  [/^POST .*\/messages\/[^/]+\/(?:modify|trash)$/, 5],
  [/^(?:GET|POST) .*\/threads/, 10],
  [/^GET .*\/drafts(?:\/[^/]+)?$/, 5],
  [/^POST .*\/drafts$/, 10],
  [/^PUT .*\/drafts\/[^/]+$/, 15],
  [/^DELETE .*\/drafts\/[^/]+$/, 10],
  [/^GET .*\/labels(?:\/[^/]+)?$/, 1],
  [/^(?:POST|PATCH|DELETE) .*\/labels/, 5],
  [/^GET .*\/settings\/sendAs$/, 1],
]
const unitsOf = (call: string): number => {
  const found = published.find(([pattern]) => pattern.test(call))
  if (!found) throw new Error(`no published price of ${call}`)
  return found[1]
}

describe('the provider calls of a request at Google', () => {
  let accounts: GoogleAccounts
  let ada: GoogleAccount
  beforeAll(async () => {
    accounts = await openGoogleAccounts()
  })
  beforeEach(async () => {
    ada = await accounts.newAccount()
    // The first call fetches an access token, which is not counted.
    expectStatus(await ada.get('/folders', { limit: 1 }), 200)
    accounts.simulator.clearCalls()
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  /** The calls that Google received since the last time: those in a batch instead of the batch. */
  const received = (): string[] => {
    const calls = accounts.simulator.calls
      .filter(({ path }) => !/^\/(?:batch|token)/.test(path))
      .map(({ method, path }) => `${method} ${path}`)
    accounts.simulator.clearCalls()
    return calls
  }
  const told = ({ headers }: Answer): Record<string, string | null> => ({
    calls: headers.get('x-provider-request-count'),
    alias: headers.get('nylas-provider-request-count'),
    units: headers.get('x-google-quota-units'),
    unitsAlias: headers.get('nylas-gmail-quota-usage'),
  })
  /** The answer tells the calls and the units that Google saw. */
  const expectTold = (answer: Answer, atLeast: number): void => {
    const calls = received()
    const units = String(calls.reduce((sum, call) => sum + unitsOf(call), 0))
    expect(calls.length).toBeGreaterThanOrEqual(atLeast)
    expect(told(answer)).toEqual({ calls: `${calls.length}`, alias: `${calls.length}`, units, unitsAlias: units })
  }

  test('are those that Google received, with each call of a batch', async () => {
    const file = { name: 'plan.pdf', type: 'application/pdf', content: 'PDF' }
    for (let index = 0; index < 12; index++) {
      ada.google.mail.deliver(mimeMessage({ subject: `Number ${index}`, files: [file] }))
    }
    const page = await ada.get('/messages', { limit: 12 })
    expectTold(page, 13)
    const [message] = expectStatus(page, 200).body.data
    expectTold(await ada.get(messagePath(message.id)), 1)
    expectTold(await ada.put(messagePath(message.id), { unread: false }), 1)
    expectTold(await ada.get('/threads', { limit: 5 }), 6)
    expectTold(await ada.get(`/threads/${message.thread_id}`), 1)
    expectTold(await ada.put(`/threads/${message.thread_id}`, { starred: true }), 1)
    expectTold(await ada.get('/folders'), 2)
    const [attachment] = message.attachments
    const path = `${messagePath(message.id)}/attachments/${encodeURIComponent(attachment.id)}`
    expectTold(await ada.get(path), 1)
    const download = await ada.get(`${path}/download`)
    expect(download.body).toBe('PDF')
    expectTold(download, 1)
    expectTold(await ada.delete(messagePath(message.id)), 1)
  })

  test('count a sent message, a draft and a folder', async () => {
    const sent = await ada.post('/messages/send', { to: [{ email: 'bo@example.com' }], subject: 'Hi', body: 'x' })
    expectStatus(sent, 200)
    expectTold(sent, 1)
    expect(Number(told(sent).units)).toBeGreaterThanOrEqual(100)
    const made = await ada.post('/drafts', { to: [{ email: 'bo@example.com' }], subject: 'Draft', body: 'x' })
    expectTold(made, 1)
    const at = `/drafts/${expectStatus(made, 200).body.data.id}`
    expectTold(await ada.get(at), 1)
    expectTold(await ada.put(at, { subject: 'Other' }), 2)
    expectTold(await ada.post(at, {}), 2)
    expectTold(await ada.post('/folders', { name: 'Clients' }), 1)
  })

  test('are in the answer of a failed request, with every attempt, and apart for concurrent requests', async () => {
    const missing = await ada.get(messagePath('1234567890abcdef'))
    expectStatus(missing, 404)
    expectTold(missing, 1)
    ada.google.mail.deliver(mimeMessage({ subject: 'One' }))
    accounts.simulator.fail({ path: /\/messages$/ }, { status: 503, reason: 'backendError' })
    const retried = await ada.get('/messages', { limit: 1 })
    expectStatus(retried, 200)
    expectTold(retried, 3)
    const [first] = retried.body.data
    const answers = await Promise.all([ada.get('/messages', { limit: 1 }), ada.get(messagePath(first.id))])
    expect(answers.map((answer) => told(answer).calls)).toEqual(['2', '1'])
  })

  test('of a calendar have no quota units, and a virtual calendar needs no calls', async () => {
    const made = await ada.create('primary', {
      title: 'Plan',
      when: { start_time: 1_790_000_000, end_time: 1_790_003_600 },
    })
    received()
    const answer = await ada.get(`/events/${made.id}`, { calendar_id: 'primary' })
    expect(told(answer)).toEqual({ calls: `${received().length}`, alias: '1', units: null, unitsAlias: null })
    const { key } = accounts
    await accounts.service.call('POST', '/v3/connectors', { key, body: { provider: 'virtual-calendar' } })
    const body = { provider: 'virtual-calendar', settings: { email: 'room-1' } }
    const { data } = (await accounts.service.call('POST', '/v3/connect/custom', { key, body })).body
    const virtual = await accounts.service.call('GET', `/v3/grants/${data.id}/calendars`, { key })
    expect(told(virtual)).toEqual({ calls: '0', alias: '0', units: null, unitsAlias: null })
    const grants = await accounts.service.call('GET', '/v3/grants', { key })
    expect(told(grants).calls).toBeNull()
  })
})
