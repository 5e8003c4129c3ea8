/**
 * A Google whose responses differ from its documentation. For any error in a response, clients get a provider error
 * or the readable part. Every response of the service is still checked against the contract.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GoogleSimulator, type SimulatedAccount, startGoogle } from '../../../../simulators/src/index.ts'
import { type Account, accountOf, expectStatus, type Json } from '../../conformance/accounts.ts'
import { messagePath } from '../../conformance/mail-subject.ts'
import { mimeMessage } from '../../conformance/mime-messages.ts'
import type { Answer, TestService } from '../../harness.ts'
import { createGoogleGrant, openGoogleService } from '../../peers/google.ts'
import { spoiled } from '../mail/spoiled.ts'

const email = 'ada@example.com'
const start = Date.parse('2026-06-01T09:00:00Z')
const window = { calendar_id: 'primary', start: start / 1000 - 86_400, end: start / 1000 + 30 * 86_400 }

describe('a malformed response of Google', () => {
  let simulator: GoogleSimulator
  let service: TestService
  let account: Account
  let google: SimulatedAccount
  const ids = { first: '', second: '', event: '', contact: '' }

  beforeAll(async () => {
    simulator = await startGoogle()
    service = await openGoogleService(simulator)
    const { key } = await service.createApplication('Malformed')
    google = simulator.addAccount({ email, name: 'Ada' })
    const grant = await createGoogleGrant(service, simulator, { email, key })
    account = accountOf((method, path, rest) => service.call(method, path, { key, ...rest }), {
      grantId: grant.id,
      email,
    })
    ids.first = google.mail.deliver(mimeMessage({ subject: 'First' })).id
    ids.second = google.mail.deliver(mimeMessage({ subject: 'Second' })).id
    ids.event = google.calendar.addEvent({
      summary: 'Talk',
      start: { dateTime: new Date(start).toISOString(), timeZone: 'Europe/Berlin' },
      end: { dateTime: new Date(start + 3_600_000).toISOString(), timeZone: 'Europe/Berlin' },
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'],
      attendees: [{ email: 'bob@example.com', responseStatus: 'accepted' }],
      reminders: { useDefault: false, overrides: [{ method: 'email', minutes: 10 }] },
      extendedProperties: { private: { 'waypost-capacity': '5' } },
    }).id
    const made = await account.post('/contacts', {
      given_name: 'Cy',
      surname: 'Clark',
      birthday: '1990-02-03',
      company_name: 'Acme',
      emails: [{ email: 'cy@example.com', type: 'work' }],
      phone_numbers: [{ number: '+1 555', type: 'home' }],
    })
    ids.contact = expectStatus(made, 200).body.data.id
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await simulator?.[Symbol.asyncDispose]()
  })

  /** Sets Google's response to the next request for a path. */
  const answerWith = (path: string | RegExp, json: unknown): void => simulator.fail({ path }, { status: 200, json })
  const expectProviderError = (answer: Answer): void => {
    expectStatus(answer, 504)
    expect(answer.body.error).toMatchObject({
      type: 'provider_error',
      message: 'Google answered with something that cannot be read; try again',
      provider_error: { reason: 'malformed_answer', message: expect.any(String) },
    })
  }

  const noObjects = [null, 'text', 7, true, [], [{}]]
  const lists = '/gmail/v1/users/me/messages'

  describe('for a list', () => {
    const routes: [string, () => Promise<Answer>, string | RegExp, string][] = [
      ['messages', () => account.get('/messages'), lists, 'messages'],
      ['threads', () => account.get('/threads'), /\/threads$/, 'threads'],
      ['drafts', () => account.get('/drafts'), /\/drafts$/, 'drafts'],
      ['folders', () => account.get('/folders'), /\/labels$/, 'labels'],
      ['events', () => account.get('/events', window), /\/events$/, 'items'],
      ['calendars', () => account.get('/calendars'), /\/calendarList$/, 'items'],
      ['contacts', () => account.get('/contacts'), /\/connections$/, 'connections'],
      ['groups', () => account.get('/contacts/groups'), /\/contactGroups$/, 'contactGroups'],
    ]
    test.each(routes)('of %s is a provider error', async (_, ask, path, field) => {
      for (const json of [...noObjects, { [field]: {} }, { [field]: 'text' }, { [field]: 7 }]) {
        answerWith(path, json)
        expectProviderError(await ask())
      }
    })

    test.each(routes)('of %s with some invalid items is not an error', async (_, ask, path, field) => {
      answerWith(path, { [field]: [null, 7, 'text', [], {}, { id: null }, { id: 5, resourceName: 5 }] })
      expect(expectStatus(await ask(), 200).body.data).toEqual([])
    })
  })

  describe('for one object', () => {
    const routes: [string, () => Promise<Answer>, () => string][] = [
      ['message', () => account.get(messagePath(ids.first)), () => `${lists}/${ids.first}`],
      [
        'event',
        () => account.get(`/events/${ids.event}`, window),
        () => `/calendar/v3/calendars/primary/events/${ids.event}`,
      ],
      ['contact', () => account.get(`/contacts/${ids.contact}`), () => `/v1/people/${ids.contact}`],
    ]
    test.each(routes)('(%s) is a provider error', async (_, ask, path) => {
      for (const json of [...noObjects, {}, { id: 7, resourceName: 7 }]) {
        answerWith(path(), json)
        expectProviderError(await ask())
      }
    })

    test('is reported with its place, without its content', async () => {
      const event = { id: 'x', attendees: [{ email: 'bob@example.com' }, { email: { secret: 'words' } }] }
      answerWith(`/calendar/v3/calendars/primary/events/${ids.event}`, event)
      const { error } = (await account.get(`/events/${ids.event}`, window)).body
      expect(error.provider_error.message).toBe('attendees[1].email is no text')
      expect(JSON.stringify(error)).not.toContain('words')
    })
  })

  test('in one call of a batch affects only that call', async () => {
    const wrong = [null, [], {}, { id: 7 }, { id: ids.first, threadId: 'a', payload: { parts: [null] } }]
    for (const json of wrong) {
      answerWith(`${lists}/${ids.first}`, json)
      const listed = expectStatus(await account.get('/messages'), 200)
      const subjects = new Map(listed.body.data.map(({ id, subject }: Json) => [id, subject]))
      expect(subjects.get(ids.second)).toBe('Second')
      expect(listed.headers.get('x-unreadable-messages')).toBe(ids.first)
      answerWith(/\/threads\/\w+$/, json)
      expect(expectStatus(await account.get('/threads'), 200).body.data).toHaveLength(1)
    }
  })

  test('to a change is a provider error with an unknown outcome', async () => {
    answerWith(/\/events$/, { id: null })
    const event = { title: 'New', when: { start_time: start / 1000, end_time: start / 1000 + 60 } }
    expectProviderError(await account.post('/events', event, { calendar_id: 'primary' }))
    answerWith(/\/people:createContact$/, {})
    expectProviderError(await account.post('/contacts', { given_name: 'Di' }))
    answerWith(/\/messages\/send$/, [])
    const sent = await account.post('/messages/send', { to: [{ email: 'bob@example.com' }], subject: 'Hi', body: 'Hi' })
    expectStatus(sent, 504)
    expect(sent.body.error.type).toBe('provider_error')
  })

  test.each<[string, () => Promise<Answer>]>([
    ['a list of messages', () => account.get('/messages')],
    ['a message', () => account.get(messagePath(ids.first))],
    ['a thread', () => account.get(`/threads/${ids.first}`)],
    ['a list of folders', () => account.get('/folders', { limit: 1 })],
    ['a list of events', () => account.get('/events', window)],
    ['a list of calendars', () => account.get('/calendars')],
    ['a list of contacts', () => account.get('/contacts')],
    ['a list of groups', () => account.get('/contacts/groups')],
    [
      'free/busy',
      () => account.post('/calendars/free-busy', { start_time: window.start, end_time: window.end, emails: [email] }),
    ],
  ])('never causes another error, wherever it is wrong: %s', async (_, ask) => {
    const answers = new Map<string, Json>()
    const stop = simulator.observe(({ path, responseBody, batched }) => {
      if (!path.startsWith('/batch') || batched) answers.set(path, JSON.parse(Buffer.from(responseBody).toString()))
    })
    expectStatus(await ask(), 200)
    stop()
    expect(answers.size).toBeGreaterThan(0)
    const seen = new Set<number>()
    for (const [path, answer] of [...answers].slice(0, 2)) {
      for (const json of spoiled(answer)) {
        answerWith(path, json)
        const { status, body } = await ask()
        seen.add(status)
        expect([200, 404, 504], `${JSON.stringify(json)}\n${JSON.stringify(body)}`).toContain(status)
        if (status === 504) expect(body.error.type).toBe('provider_error')
      }
    }
    expect(seen).toContain(504)
  })
})
