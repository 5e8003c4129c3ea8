/**
 * Providers whose responses differ from their documentation. For any error in a response, clients get a provider error
 * or the readable part. Every response of the service is still checked against the contract.
 */

import { isFull } from '@waypost/testing/level'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GoogleSimulator, startGoogle, startMicrosoft } from '../../../simulators/src/index.ts'
import type { Answer, TestService } from '../harness.ts'
import { createGoogleGrant, openGoogleService } from '../peers/google.ts'
import { createMicrosoftGrant, openMicrosoftService } from '../peers/microsoft.ts'
import { type Account as ApiAccount, accountOf, at, expectStatus, type Json, span } from './accounts.ts'
import { messagePath } from './mail-subject.ts'
import { malformed } from './malformed-answers.ts'
import { mimeMessage } from './mime-messages.ts'

type Ids = Readonly<Record<string, string>>
type Ask = (account: ApiAccount, ids: Ids) => Promise<Answer>

const email = 'ada@contoso.example'
const [start, end] = [at('2026-05-31T09:00'), at('2026-07-01T09:00')]
const june = { calendar_id: 'primary', start, end }
const when = span('2026-06-01T09:00', 60, 'UTC')
const recipient = { email: 'bob@contoso.example' }

/** What clients request. The tables of the providers name these requests. */
const requests = {
  'a list of messages': (account) => account.get('/messages'),
  'a search': (account) => account.get('/messages', { search_query_native: 'First' }),
  'a message': (account, { first = '' }) => account.get(messagePath(first)),
  'a message with headers': (account, { first = '' }) => account.get(messagePath(first), { fields: 'include_headers' }),
  'a mark': (account, { second = '' }) => account.put(messagePath(second), { starred: true }),
  'a list of threads': (account) => account.get('/threads'),
  'a thread': (account, ids) => account.get(`/threads/${ids.thread}`),
  'a list of drafts': (account) => account.get('/drafts'),
  'a draft': (account, ids) => account.get(`/drafts/${ids.draft}`),
  'a list of folders': (account) => account.get('/folders'),
  'one folder of the list': (account) => account.get('/folders', { limit: 1 }),
  'a folder': (account, ids) => account.get(`/folders/${ids.folder}`),
  'an attachment': (account, ids) => account.get(`/attachments/${ids.file}`, { message_id: ids.first }),
  'a list of contacts': (account) => account.get('/contacts'),
  'a list of people': (account) => account.get('/contacts', { source: 'inbox' }),
  'a list of the directory': (account) => account.get('/contacts', { source: 'domain' }),
  'a contact': (account, ids) => account.get(`/contacts/${ids.contact}`),
  'a list of groups': (account) => account.get('/contacts/groups'),
  'a list of calendars': (account) => account.get('/calendars'),
  'a list of events': (account) => account.get('/events', june),
  'an event': (account, ids) => account.get(`/events/${ids.event}`, june),
  'free/busy': (account) => account.post('/calendars/free-busy', { start_time: start, end_time: end, emails: [email] }),
  'a new event': (account) => account.post('/events', { title: 'New', when }, { calendar_id: 'primary' }),
  'a new contact': (account) => account.post('/contacts', { given_name: 'Di' }),
  'a new folder': (account) => account.post('/folders', { name: 'New' }),
  'a new draft': (account) => account.post('/drafts', { subject: 'New' }),
  'a sent message': (account) => account.post('/messages/send', { to: [recipient], subject: 'Hi', body: 'Hi' }),
  'a read message': (account, { second = '' }) => account.put(messagePath(second), { unread: false }),
} satisfies Record<string, Ask>
type Name = keyof typeof requests

interface Open {
  service: TestService
  simulator: Pick<GoogleSimulator, 'observe'> & {
    fail(match: object, failure: { status: number; json: unknown }): void
  }
  createGrant(key: string): Promise<{ id: string }>
  ids: Record<string, string>
}

interface Account extends ApiAccount {
  ids: Record<string, string>
  /** Sets the provider's response to the next requests for a path. */
  answerWith(path: string | RegExp, json: unknown, times?: number): void
}

interface Provider {
  /** A provider with two messages. */
  open(resources: AsyncDisposableStack): Promise<Open>
  /** The path of each list at the provider, and the field with its items. */
  lists: Partial<Record<Name, readonly [path: string | RegExp, field: string]>>
  /** Lists without their field are empty. */
  emptyLists?: boolean
  objects: Partial<Record<Name, (ids: Ids) => string>>
  /** An object with one wrong field, and what the error says of it. */
  place: readonly [name: Name, json: Json, message: string]
  changes: readonly (readonly [name: Name, path: string | RegExp | ((ids: Ids) => string), json: Json])[]
  /** The requests whose responses are malformed in every field. */
  anywhere: readonly Name[]
  /** Whole batches are malformed by `batch`, and their parts separately. */
  batches: string
  batch: readonly [title: string, run: (account: Account) => Promise<void>]
  /** Wrong values in addition to other types. */
  strange?: (value: Json) => Json[]
}

const files = [{ name: 'plan.pdf', type: 'application/pdf', content: 'PDF' }]
const first = mimeMessage({ subject: 'First', files, cc: 'Cy <cy@contoso.example>' })
const second = mimeMessage({ subject: 'Second' })

/** Everything but messages is created through the API. */
async function fill(account: Account, isWithDraft: boolean): Promise<void> {
  const { ids } = account
  const create = async (path: string, fields: object, query = {}): Promise<string> =>
    expectStatus(await account.post(path, fields, query), 200).body.data.id
  ids.contact = await create('/contacts', {
    given_name: 'Cy',
    surname: 'Clark',
    birthday: '1990-02-03',
    company_name: 'Acme',
    emails: [{ email: 'cy@example.com', type: 'work' }],
    phone_numbers: [{ number: '+1 555', type: 'home' }],
    physical_addresses: [{ format: 'x', street_address: '1 Way', city: 'Bath', country: 'UK', type: 'home' }],
  })
  const event = { title: 'Talk', when, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'], participants: [recipient] }
  const reminders = { use_default: false, overrides: [{ reminder_minutes: 10 }] }
  ids.event = await create('/events', { ...event, reminders, capacity: 5 }, { calendar_id: 'primary' })
  if (isWithDraft) ids.draft = await create('/drafts', { subject: 'Draft' })
  ids.file = expectStatus(await account.get(messagePath(ids.first ?? '')), 200).body.data.attachments[0].id
}

const gmail = '/gmail/v1/users/me/messages'
const google: Provider = {
  async open(resources) {
    const simulator = resources.use(await startGoogle())
    const service = resources.use(await openGoogleService(simulator))
    const { mail } = simulator.addAccount({ email, name: 'Ada' })
    const { id } = mail.deliver(first)
    const createGrant = (key: string) => createGoogleGrant(service, simulator, { email, key })
    return { service, simulator, createGrant, ids: { first: id, thread: id, second: mail.deliver(second).id } }
  },
  lists: {
    'a list of messages': [gmail, 'messages'],
    'a list of threads': [/\/threads$/, 'threads'],
    'a list of drafts': [/\/drafts$/, 'drafts'],
    'a list of folders': [/\/labels$/, 'labels'],
    'a list of events': [/\/events$/, 'items'],
    'a list of calendars': [/\/calendarList$/, 'items'],
    'a list of contacts': [/\/connections$/, 'connections'],
    'a list of groups': [/\/contactGroups$/, 'contactGroups'],
  },
  emptyLists: true,
  objects: {
    'a message': (ids) => `${gmail}/${ids.first}`,
    'an event': (ids) => `/calendar/v3/calendars/primary/events/${ids.event}`,
    'a contact': (ids) => `/v1/people/${ids.contact}`,
  },
  place: [
    'an event',
    { attendees: [{ email: 'bob@example.com' }, { email: { secret: 'words' } }] },
    'attendees[1].email is no text',
  ],
  changes: [
    ['a new event', /\/events$/, { id: null }],
    ['a new contact', /\/people:createContact$/, {}],
    ['a sent message', /\/messages\/send$/, []],
  ],
  anywhere: [
    ...(['a list of messages', 'a message', 'a thread', 'one folder of the list', 'a list of events'] as const),
    ...(['a list of calendars', 'a list of contacts', 'a list of groups', 'free/busy'] as const),
  ],
  batches: '/batch',
  batch: [
    'in one call of a batch affects only that call',
    async (account) => {
      const { ids, answerWith } = account
      const wrong = [null, [], {}, { id: 7 }, { id: ids.first, threadId: 'a', payload: { parts: [null] } }]
      for (const json of wrong) {
        answerWith(`${gmail}/${ids.first}`, json)
        const listed = expectStatus(await account.get('/messages'), 200)
        const subjects = new Map(listed.body.data.map(({ id, subject }: Json) => [id, subject]))
        expect(subjects.get(ids.second)).toBe('Second')
        expect(listed.headers.get('x-unreadable-messages')).toBe(ids.first)
        answerWith(/\/threads\/\w+$/, json)
        expect(expectStatus(await account.get('/threads'), 200).body.data).toHaveLength(1)
      }
    },
  ],
}

const graph = '/v1.0/me'
const graphObject =
  (collection: string, name: string) =>
  (ids: Ids): string =>
    `${graph}/${collection}/${encodeURIComponent(ids[name] ?? '')}`
const microsoft: Provider = {
  async open(resources) {
    const simulator = resources.use(await startMicrosoft())
    const service = resources.use(await openMicrosoftService(simulator))
    const { mail } = simulator.addAccount({ email, name: 'Ada' })
    const { immutableId, conversationId: thread } = mail.deliver(first)
    const folder = mail.createFolder('Clients')
    mail.createFolder('Within', folder)
    const createGrant = (key: string) => createMicrosoftGrant(service, simulator, { email, key })
    const ids = { first: immutableId, thread, second: mail.deliver(second).immutableId, folder }
    return { service, simulator, createGrant, ids }
  },
  lists: {
    'a list of messages': [`${graph}/messages`, 'value'],
    'a list of threads': [`${graph}/messages`, 'value'],
    'a list of drafts': [/\/mailFolders\/drafts\/messages$/, 'value'],
    'a list of folders': [`${graph}/mailFolders`, 'value'],
    'a list of contacts': [`${graph}/contacts`, 'value'],
  },
  objects: {
    'a message': graphObject('messages', 'first'),
    'a draft': graphObject('messages', 'draft'),
    'a folder': graphObject('mailFolders', 'folder'),
    'a contact': graphObject('contacts', 'contact'),
  },
  place: [
    'a message',
    { toRecipients: [{}, { emailAddress: { address: { secret: 'words' } } }] },
    'toRecipients[1].emailAddress.address is no text',
  ],
  changes: [
    ['a new folder', `${graph}/mailFolders`, { id: null }],
    ['a new draft', `${graph}/messages`, []],
    ['a new contact', `${graph}/contacts`, {}],
    ['a read message', graphObject('messages', 'second'), { id: 5 }],
  ],
  anywhere: [
    ...(['a list of messages', 'a search', 'a message with headers', 'a list of threads', 'a thread'] as const),
    ...(['a list of drafts', 'one folder of the list', 'a folder', 'an attachment', 'a list of contacts'] as const),
    ...([
      'a list of people',
      'a list of the directory',
      'a contact',
      'a list of groups',
      'a list of calendars',
    ] as const),
    ...(['a list of events', 'an event', 'free/busy', 'a mark'] as const),
  ],
  batches: '/v1.0/$batch',
  batch: [
    'of a batch, or of one call of it, is reported or affects only that call',
    async (account) => {
      const part = { id: '0', status: 200, headers: 'none', body: { value: 7 } }
      for (const json of ['text', { responses: [null, { id: 'x', status: 200 }, part, { ...part, status: '200' }] }]) {
        account.answerWith(microsoft.batches, json, 2)
        const { status, body } = await account.get('/threads')
        expect([200, 504], JSON.stringify(body)).toContain(status)
        if (status === 504) expect(body.error.type).toBe('provider_error')
      }
    },
  ],
  /** Invalid text, impossible times, impossible numbers. */
  strange(value) {
    if (typeof value === 'number') return [-1, 0.5, 1e300]
    if (typeof value !== 'string') return []
    const isTime = /^\d{4}-\d\d-\d\dT/.test(value)
    return ['', ...(isTime ? ['yesterday', '+275760-09-13T00:00:00Z', '-271821-04-20T00:00:00Z'] : [])]
  },
}

const noObjects = [null, 'text', 7, true, [], [{}]]
const entries = <V>(table: Partial<Record<Name, V>>): [Name, V][] => Object.entries(table) as [Name, V][]

describe.each([
  ['Google', google],
  ['Microsoft', microsoft],
])('a malformed response of %s', (provider, { open, lists, emptyLists, objects, place, changes, ...rest }) => {
  const resources = new AsyncDisposableStack()
  let simulator: Open['simulator']
  let account: Account
  beforeAll(async () => {
    const { service, createGrant, ids, ...opened } = await open(resources)
    simulator = opened.simulator
    const { key } = await service.createApplication('Malformed')
    const { id: grantId } = await createGrant(key)
    account = {
      ...accountOf((method, path, options) => service.call(method, path, { key, ...options }), { grantId, email }),
      ids,
      answerWith: (path, json, times = 1) => simulator.fail({ path, times }, { status: 200, json }),
    }
    await fill(account, 'a draft' in objects)
  })
  afterAll(() => resources.disposeAsync())

  const ask = (name: Name): Promise<Answer> => requests[name](account, account.ids)
  const expectProviderError = (answer: Answer): void => {
    expectStatus(answer, 504)
    expect(answer.body.error).toMatchObject({
      type: 'provider_error',
      message: `${provider} answered with something that cannot be read; try again`,
      provider_error: { reason: 'malformed_answer', message: expect.any(String) },
    })
  }

  test.each(entries(lists))('for %s is a provider error', async (name, [path, field]) => {
    const wrong = [...noObjects, ...(emptyLists ? [] : [{}]), { [field]: {} }, { [field]: 'text' }, { [field]: 7 }]
    for (const json of wrong) {
      account.answerWith(path, json)
      expectProviderError(await ask(name))
    }
  })

  test.each(entries(lists))('for %s with some invalid items is not an error', async (name, [path, field]) => {
    account.answerWith(path, { [field]: [null, 7, 'text', [], {}, { id: null }, { id: 5, resourceName: 5 }] })
    expect(expectStatus(await ask(name), 200).body.data).toEqual([])
  })

  test.each(entries(objects))('for %s is a provider error', async (name, path) => {
    for (const json of [...noObjects, {}, { id: 7, resourceName: 7 }]) {
      account.answerWith(path(account.ids), json)
      expectProviderError(await ask(name))
    }
  })

  test('is reported with its place, without its content', async () => {
    const [name, json, message] = place
    account.answerWith(objects[name]?.(account.ids) ?? '', { id: 'x', ...json })
    const { error } = (await ask(name)).body
    expect(error.provider_error.message).toBe(message)
    expect(JSON.stringify(error)).not.toContain('words')
  })

  test(rest.batch[0], () => rest.batch[1](account))

  test.each(changes)('to %s is a provider error with an unknown outcome', async (name, path, json) => {
    account.answerWith(typeof path === 'function' ? path(account.ids) : path, json)
    const answer = await ask(name)
    if (name !== 'a sent message') return expectProviderError(answer)
    expectStatus(answer, 504)
    expect(answer.body.error.type).toBe('provider_error')
  })

  test.each(rest.anywhere)('never causes another error, wherever it is wrong: %s', async (name) => {
    const answers = new Map<string, Json>()
    const stop = simulator.observe(({ path, responseBody, responseHeaders }) => {
      if (path.startsWith(rest.batches) || !`${responseHeaders['content-type']}`.includes('json')) return
      answers.set(path, JSON.parse(Buffer.from(responseBody).toString()))
    })
    expectStatus(await ask(name), 200)
    stop()
    expect(answers.size).toBeGreaterThan(0)
    const seen = new Set<number>()
    for (const [path, answer] of answers) {
      let count = -1
      for (const json of malformed(answer, rest.strange)) {
        count += 1
        // Below `check:full`: the wrong values of the whole response, and one of three at places within it.
        if (!isFull && count > 2 && count % 3 !== Math.floor(count / 3) % 3) continue
        account.answerWith(path, json)
        const { status, body } = await ask(name)
        seen.add(status)
        expect([200, 404, 504], `${path}\n${JSON.stringify(json)}\n${JSON.stringify(body)}`).toContain(status)
        if (status === 504) expect(body.error.type).toBe('provider_error')
      }
    }
    expect(seen).toContain(504)
  })
})
