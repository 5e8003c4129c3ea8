/**
 * A Microsoft whose responses differ from its documentation. For any error in a response, clients get a provider
 * error or the readable part. Every response of the service is still checked against the contract.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MicrosoftSimulator, startMicrosoft } from '../../../../simulators/src/index.ts'
import { type Account, accountOf, expectStatus, type Json } from '../../conformance/accounts.ts'
import { messagePath } from '../../conformance/mail-subject.ts'
import { mimeMessage } from '../../conformance/mime-messages.ts'
import type { Answer, TestService } from '../../harness.ts'
import { createMicrosoftGrant, openMicrosoftService } from '../../peers/microsoft.ts'
import { spoiled } from '../mail/spoiled.ts'

const email = 'malformed@contoso.example'
const base = '/v1.0/me'
const start = Math.floor(Date.parse('2026-06-01T09:00:00Z') / 1000)
const window = { calendar_id: 'primary', start: start - 86_400, end: start + 30 * 86_400 }
const batches = '/v1.0/$batch'
const at = (collection: string, id: string): string => `${base}/${collection}/${encodeURIComponent(id)}`

/** In addition to other types: invalid text, impossible times, impossible numbers. */
function strange(value: Json): Json[] {
  if (typeof value === 'number') return [-1, 0.5, 1e300]
  if (typeof value !== 'string') return []
  const isTime = /^\d{4}-\d\d-\d\dT/.test(value)
  return ['', ...(isTime ? ['yesterday', '+275760-09-13T00:00:00Z', '-271821-04-20T00:00:00Z'] : [])]
}

describe('a malformed response of Microsoft', () => {
  let simulator: MicrosoftSimulator
  let service: TestService
  let account: Account
  const ids = { first: '', second: '', thread: '', draft: '', folder: '', file: '', contact: '', event: '' }

  beforeAll(async () => {
    simulator = await startMicrosoft()
    service = await openMicrosoftService(simulator)
    const { key } = await service.createApplication('Malformed')
    const { mail } = simulator.addAccount({ email, name: 'Ada' })
    const grant = await createMicrosoftGrant(service, simulator, { email, key })
    account = accountOf((method, path, rest) => service.call(method, path, { key, ...rest }), {
      grantId: grant.id,
      email,
    })
    const files = [{ name: 'plan.pdf', type: 'application/pdf', content: 'PDF' }]
    const first = mail.deliver(mimeMessage({ subject: 'First', files, cc: 'Cy <cy@contoso.example>' }))
    ids.first = first.immutableId
    ids.thread = first.conversationId
    ids.second = mail.deliver(mimeMessage({ subject: 'Second' })).immutableId
    ids.folder = mail.createFolder('Clients')
    mail.createFolder('Within', ids.folder)
    ids.draft = expectStatus(await account.post('/drafts', { subject: 'Draft' }), 200).body.data.id
    const person = await account.post('/contacts', {
      given_name: 'Cy',
      surname: 'Clark',
      birthday: '1990-02-03',
      company_name: 'Acme',
      emails: [{ email: 'cy@example.com', type: 'work' }],
      phone_numbers: [{ number: '+1 555', type: 'home' }],
      physical_addresses: [{ format: 'x', street_address: '1 Way', city: 'Bath', country: 'UK', type: 'home' }],
    })
    ids.contact = expectStatus(person, 200).body.data.id
    const talk = await account.post(
      '/events',
      {
        title: 'Talk',
        when: { start_time: start, end_time: start + 3600, start_timezone: 'UTC', end_timezone: 'UTC' },
        recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'],
        participants: [{ email: 'bob@contoso.example' }],
      },
      { calendar_id: 'primary' },
    )
    ids.event = expectStatus(talk, 200).body.data.id
    ids.file = expectStatus(await account.get(messagePath(ids.first)), 200).body.data.attachments[0].id
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await simulator?.[Symbol.asyncDispose]()
  })

  /** Sets Graph's response to the next request for a path. */
  const answerWith = (path: string | RegExp, json: unknown): void => simulator.fail({ path }, { status: 200, json })
  const expectProviderError = (answer: Answer): void => {
    expectStatus(answer, 504)
    expect(answer.body.error).toMatchObject({
      type: 'provider_error',
      message: 'Microsoft answered with something that cannot be read; try again',
      provider_error: { reason: 'malformed_answer', message: expect.any(String) },
    })
  }

  const noObjects = [null, 'text', 7, true, [], [{}]]

  describe('for a list', () => {
    const routes: [string, () => Promise<Answer>, string | RegExp][] = [
      ['messages', () => account.get('/messages'), `${base}/messages`],
      ['threads', () => account.get('/threads'), `${base}/messages`],
      ['drafts', () => account.get('/drafts'), /\/mailFolders\/drafts\/messages$/],
      ['folders', () => account.get('/folders'), `${base}/mailFolders`],
      ['contacts', () => account.get('/contacts'), `${base}/contacts`],
    ]
    test.each(routes)('of %s is a provider error', async (_, ask, path) => {
      for (const json of [...noObjects, {}, { value: {} }, { value: 'text' }, { value: 7 }]) {
        answerWith(path, json)
        expectProviderError(await ask())
      }
    })

    test.each(routes)('of %s with some invalid items is not an error', async (_, ask, path) => {
      answerWith(path, { value: [null, 7, 'text', [], {}, { id: null }, { id: 5 }] })
      expect(expectStatus(await ask(), 200).body.data).toEqual([])
    })
  })

  describe('for one object', () => {
    const routes: [string, () => Promise<Answer>, () => string][] = [
      ['message', () => account.get(messagePath(ids.first)), () => at('messages', ids.first)],
      ['draft', () => account.get(`/drafts/${ids.draft}`), () => at('messages', ids.draft)],
      ['folder', () => account.get(`/folders/${ids.folder}`), () => at('mailFolders', ids.folder)],
      ['contact', () => account.get(`/contacts/${ids.contact}`), () => at('contacts', ids.contact)],
    ]
    test.each(routes)('(%s) is a provider error', async (_, ask, path) => {
      for (const json of [...noObjects, {}, { id: 7 }]) {
        answerWith(path(), json)
        expectProviderError(await ask())
      }
    })

    test('is reported with its place, without its content', async () => {
      const json = { id: ids.first, toRecipients: [{}, { emailAddress: { address: { secret: 'words' } } }] }
      answerWith(at('messages', ids.first), json)
      const { error } = (await account.get(messagePath(ids.first))).body
      expect(error.provider_error.message).toBe('toRecipients[1].emailAddress.address is no text')
      expect(JSON.stringify(error)).not.toContain('words')
    })
  })

  test('of a batch, or of one call of it, is reported or affects only that call', async () => {
    const ask = (): Promise<Answer> => account.get('/threads')
    const part = { id: '0', status: 200, headers: 'none', body: { value: 7 } }
    for (const json of ['text', { responses: [null, { id: 'x', status: 200 }, part, { ...part, status: '200' }] }]) {
      simulator.fail({ path: batches, times: 2 }, { status: 200, json })
      const { status, body } = await ask()
      expect([200, 504], JSON.stringify(body)).toContain(status)
      if (status === 504) expect(body.error.type).toBe('provider_error')
    }
  })

  test('to a change is a provider error with an unknown outcome', async () => {
    answerWith(`${base}/mailFolders`, { id: null })
    expectProviderError(await account.post('/folders', { name: 'New' }))
    answerWith(`${base}/messages`, [])
    expectProviderError(await account.post('/drafts', { subject: 'New' }))
    answerWith(`${base}/contacts`, {})
    expectProviderError(await account.post('/contacts', { given_name: 'Di' }))
    answerWith(at('messages', ids.second), { id: 5 })
    expectProviderError(await account.put(messagePath(ids.second), { unread: false }))
  })

  test.each<[string, () => Promise<Answer>]>([
    ['a list of messages', () => account.get('/messages')],
    ['a search', () => account.get('/messages', { search_query_native: 'First' })],
    ['a message', () => account.get(messagePath(ids.first), { fields: 'include_headers' })],
    ['a list of threads', () => account.get('/threads')],
    ['a thread', () => account.get(`/threads/${ids.thread}`)],
    ['a list of drafts', () => account.get('/drafts')],
    ['a list of folders', () => account.get('/folders', { limit: 1 })],
    ['a folder', () => account.get(`/folders/${ids.folder}`)],
    ['an attachment', () => account.get(`/attachments/${ids.file}`, { message_id: ids.first })],
    ['a list of contacts', () => account.get('/contacts')],
    ['a list of people', () => account.get('/contacts', { source: 'inbox' })],
    ['a list of the directory', () => account.get('/contacts', { source: 'domain' })],
    ['a contact', () => account.get(`/contacts/${ids.contact}`)],
    ['a list of groups', () => account.get('/contacts/groups')],
    ['a list of calendars', () => account.get('/calendars')],
    ['a list of events', () => account.get('/events', window)],
    ['an event', () => account.get(`/events/${ids.event}`, window)],
    [
      'free/busy',
      () => account.post('/calendars/free-busy', { start_time: window.start, end_time: window.end, emails: [email] }),
    ],
    ['a mark', () => account.put(messagePath(ids.second), { starred: true })],
  ])('never causes another error, wherever it is wrong: %s', async (_, ask) => {
    const answers = new Map<string, Json>()
    const stop = simulator.observe(({ path, responseBody, responseHeaders }) => {
      // The parts of a batch are spoiled separately.
      if (path.startsWith('/v1.0/') && path !== batches && `${responseHeaders['content-type']}`.includes('json')) {
        answers.set(path, JSON.parse(Buffer.from(responseBody).toString()))
      }
    })
    expectStatus(await ask(), 200)
    stop()
    expect(answers.size).toBeGreaterThan(0)
    const seen = new Set<number>()
    for (const [path, answer] of answers) {
      for (const json of spoiled(answer, strange)) {
        answerWith(path, json)
        const { status, body } = await ask()
        seen.add(status)
        expect([200, 404, 504], `${path}\n${JSON.stringify(json)}\n${JSON.stringify(body)}`).toContain(status)
        if (status === 504) expect(body.error.type).toBe('provider_error')
      }
    }
    expect(seen).toContain(504)
  })
})
