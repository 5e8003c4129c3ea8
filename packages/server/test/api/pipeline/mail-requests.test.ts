/** Requests about mail before and after the provider: paths, queries, pages, permissions. */
import type { NamedRoute } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Answer, CallOptions } from '../../harness.ts'
import { bodyOf } from '../../world/samples.ts'
import { createFakeSending } from './fake-sending.ts'
import { type MailService, messageOf, openMailService } from './mail-provider.ts'
import { expectNoFault, leavesOf, mainMethod, naughty, pathOf, routes, withValue } from './requests.ts'

let world: MailService
beforeEach(async () => {
  world = await openMailService({ overrides: { sending: createFakeSending() } })
  for (const id of ['m1', 'm2', 'm3']) world.mailbox.messages.set(id, messageOf(id))
})
afterEach(() => world[Symbol.asyncDispose]())

const call = (method: string, path: string, options?: CallOptions) =>
  world.service.call(method, `${world.at}${path}`, options)
/** The last call of the provider. */
const requested = () => world.mailbox.calls.at(-1)

test('every operation reaches the provider under its own name, with its arguments', async () => {
  const thread = encodeURIComponent('thread of m1')
  const requests: [string, string, unknown, string, object][] = [
    ['GET', '/messages?in=INBOX', undefined, 'messages.list', { in: 'INBOX', limit: 50 }],
    ['GET', '/messages/m1?fields=include_headers', undefined, 'messages.get', { message_id: 'm1' }],
    ['PUT', '/messages/m1', { unread: false }, 'messages.update', { message_id: 'm1' }],
    ['PATCH', '/messages/clean', { message_id: ['m1'] }, 'messages.clean', {}],
    ['DELETE', '/messages/m1', undefined, 'messages.delete', { message_id: 'm1' }],
    ['GET', '/threads?unread=true', undefined, 'threads.list', { unread: true, limit: 20 }],
    ['GET', `/threads/${thread}`, undefined, 'threads.get', { thread_id: 'thread of m1' }],
    ['PUT', `/threads/${thread}`, { starred: true }, 'threads.update', { thread_id: 'thread of m1' }],
    ['DELETE', `/threads/${thread}`, undefined, 'threads.delete', { thread_id: 'thread of m1' }],
    ['POST', '/folders', { name: 'Bills' }, 'folders.create', {}],
    ['GET', '/folders', undefined, 'folders.list', { limit: 50 }],
    ['GET', '/folders/id%20of%20Bills', undefined, 'folders.get', { folder_id: 'id of Bills' }],
    ['PUT', '/folders/id%20of%20Bills', { name: 'Paid' }, 'folders.update', { folder_id: 'id of Bills' }],
    ['DELETE', '/folders/id%20of%20Bills', undefined, 'folders.delete', { folder_id: 'id of Bills' }],
    ['GET', '/attachments/a?message_id=m2', undefined, 'attachments.get', { attachment_id: 'a', message_id: 'm2' }],
    [
      'GET',
      '/attachments/a/download?message_id=m2',
      undefined,
      'attachments.download',
      { attachment_id: 'a', message_id: 'm2' },
    ],
  ]
  for (const [method, path, body, operation, given] of requests) {
    const answer = await call(method, path, { body })
    expect(answer.status, `${operation} ${JSON.stringify(answer.body)}`).toBe(200)
    expect(requested()?.operation).toBe(operation)
    expect(requested()?.given[0]).toMatchObject(given)
  }
  expect(new Set(world.mailbox.calls.map(({ operation }) => operation)).size).toBe(16)
})

describe('ids in paths', () => {
  test.for(['<a+1@x.test>', 'a/b', 'a b', 'a%20b', 'ü', "'", '%', 'clean/', '..%2F', 'v0:YQ==:dGV4dA==:12'])(
    '%s is decoded once',
    async (id) => {
      world.mailbox.messages.set(id, messageOf(id))
      const answer = await call('GET', `/messages/${encodeURIComponent(id)}`)
      expect([answer.status, answer.body.data?.id]).toEqual([200, id])
      const attachment = await call('GET', `/attachments/${encodeURIComponent(id)}?message_id=m1`)
      expect(attachment.body.data.id).toBe(id)
    },
  )

  test('PUT /messages/clean cleans messages and is not a message id', async () => {
    const before = requested()
    const read = await call('GET', '/messages/clean')
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'PUT, PATCH'])
    expect(requested()).toBe(before)
    expect((await call('PUT', '/messages/clean', { body: { message_id: ['m1'] } })).status).toBe(200)
  })
})

describe('the paths of attachments below their message', () => {
  test('mean the same as those with message_id in the query', async () => {
    world.mailbox.messages.set('a/b', messageOf('a/b'))
    const short = await call('GET', '/attachments/x?message_id=a%2Fb')
    const long = await call('GET', '/messages/a%2Fb/attachments/x')
    expect(long.body.data).toEqual(short.body.data)
    expect(requested()).toMatchObject({ given: [{ attachment_id: 'x', message_id: 'a/b' }] })
    const bytes = await call('GET', '/messages/m1/attachments/x/download')
    expect([bytes.status, bytes.body]).toEqual([200, 'hello, world'])
    expect(requested()).toMatchObject({ operation: 'attachments.download', given: [{ message_id: 'm1' }] })
  })

  test('take precedence over the query', async () => {
    const answer = await call('GET', '/messages/m1/attachments/x?message_id=m2')
    expect(requested()).toMatchObject({ given: [{ message_id: 'm1' }] })
    expect(answer.headers.has('x-ignored-fields')).toBe(false)
  })

  test('need a message id', async () => {
    for (const path of ['/attachments/x', '/attachments/x/download', '/attachments/x?message_id=']) {
      const answer = await call('GET', path)
      expect([answer.status, answer.body.error.type]).toEqual([400, 'invalid_request_error'])
      expect(answer.body.error.validation_errors).toHaveProperty('message_id')
    }
    expect((await call('GET', '/messages/nothing/attachments/x')).status).toBe(404)
    expect((await call('GET', '/messages/nothing/attachments/x/download')).body.error.type).toBe('not_found_error')
    expect((await call('POST', '/messages/m1/attachments/x/download')).headers.get('allow')).toBe('GET')
  })
})

describe('queries', () => {
  test('the text undefined counts as absent', async () => {
    const names = ['in', 'unread', 'limit', 'page_token', 'thread_id', 'metadata_pair', 'fields', 'any_email', 'select']
    const answer = await call('GET', `/messages?${names.map((name) => `${name}=undefined`).join('&')}`)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toHaveLength(3)
    const [query] = requested()?.given ?? []
    expect(JSON.parse(JSON.stringify(query))).toEqual({ limit: 50 })
    await call('GET', '/messages?in=a&in=undefined&subject=undefined+behaviour')
    expect(requested()?.given[0]).toMatchObject({ in: 'a', subject: 'undefined behaviour' })
    expect((await call('GET', '/attachments/x?message_id=undefined')).status).toBe(400)
  })

  test('are accepted in all forms that clients send', async () => {
    await call('GET', '/messages?any_email=a%40x.test%2Cb%40x.test&from=c%40x.test&from=d%40x.test&in=one&in=two')
    expect(requested()?.given[0]).toMatchObject({
      any_email: ['a@x.test', 'b@x.test'],
      from: ['c@x.test', 'd@x.test'],
      in: 'two',
    })
    await call('GET', '/messages?search_query_native=SUBJECT+%22two+words%22&unread=True')
    expect(requested()?.given[0]).toMatchObject({ search_query_native: 'SUBJECT "two words"', unread: true })
  })

  test.for([
    ['/messages', 200],
    ['/threads', 50],
    ['/folders', 200],
  ] as const)('a limit above the largest page of %s is the largest page', async ([path, max]) => {
    expect((await call('GET', `${path}?limit=100000`)).status).toBe(200)
    expect(requested()?.given[0]).toMatchObject({ limit: max })
    for (const limit of ['0', '-1', '1.5', 'x']) {
      const answer = await call('GET', `${path}?limit=${limit}`)
      expect([answer.status, Object.keys(answer.body.error.validation_errors)]).toEqual([400, ['limit']])
    }
  })

  test('pages of one list may have different sizes', async () => {
    const first = await call('GET', '/messages?limit=1')
    const rest = await call('GET', `/messages?limit=2&page_token=${first.body.next_cursor}`)
    const ids = [...first.body.data, ...rest.body.data].map((message) => message.id)
    expect(ids).toEqual(['m1', 'm2', 'm3'])
    expect(rest.body).not.toHaveProperty('next_cursor')
  })

  test.for([
    ['/messages', 'any_email', Array.from({ length: 26 }, (_, n) => `a${n}@x.test`).join(',')],
    ['/messages', 'received_after', '1790000000000'],
    ['/messages', 'metadata_pair', 'colour:red'],
    ['/messages', 'shared_from', 'bob@x.test'],
    ['/messages/m1', 'fields', 'everything'],
    ['/threads', 'unread', 'perhaps'],
  ] as const)('%s does not take every %s', async ([path, name, value]) => {
    const answer = await call('GET', `${path}?${name}=${encodeURIComponent(value)}`)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.error.validation_errors)[0]).toMatch(new RegExp(`^${name}`))
    expect(world.mailbox.calls).toEqual([])
  })
})

describe('hard_delete', () => {
  const allow = (allowed: boolean) =>
    world.service.call('PATCH', '/v3/applications', { body: { allow_hard_delete: allowed } })

  test('is refused unless the application allows it, and the error says how to allow it', async () => {
    const answer = await call('DELETE', '/messages/m1?hard_delete=true')
    expect([answer.status, answer.body.error.type]).toEqual([403, 'forbidden'])
    expect(answer.body.error.message).toContain('allow_hard_delete')
    expect(world.mailbox.calls).toEqual([])
    expect(world.mailbox.messages.has('m1')).toBe(true)
  })

  test('is executed while it is allowed, and refused again afterwards', async () => {
    expect((await world.service.call('GET', '/v3/applications')).body.data.allow_hard_delete).toBe(false)
    expect((await allow(true)).body.data.allow_hard_delete).toBe(true)
    expect((await call('DELETE', '/messages/m1?hard_delete=true')).status).toBe(200)
    expect(world.mailbox.messages.has('m1')).toBe(false)
    await world.service.call('PATCH', '/v3/applications', { body: { additional_settings: {}, domain: 'a.test' } })
    expect((await call('DELETE', '/messages/m2?hard_delete=true')).status).toBe(200)
    await allow(false)
    expect((await call('DELETE', '/messages/m3?hard_delete=true')).status).toBe(403)
  })

  test('false moves to the trash, whatever the application allows', async () => {
    for (const query of ['', '?hard_delete=false', '?hard_delete=undefined']) {
      expect((await call('DELETE', `/messages/m1${query}`)).status).toBe(200)
    }
    expect(world.mailbox.messages.get('m1')?.folders).toEqual(['Trash'])
  })

  test('cannot be allowed through another field', async () => {
    await world.service.call('PATCH', '/v3/applications', {
      body: { additional_settings: { allow_hard_delete: true }, settings: { allow_hard_delete: true } },
    })
    expect((await call('DELETE', '/messages/m1?hard_delete=true')).status).toBe(403)
  })
})

describe('an Idempotency-Key', () => {
  test('has a change executed once', async () => {
    const once: CallOptions = { body: { starred: true }, headers: { 'idempotency-key': 'star' } }
    const first = await call('PUT', '/messages/m1', once)
    const again = await call('PUT', '/messages/m1', once)
    expect(again.headers.get('idempotent-response')).toBe('true')
    expect(again.body).toEqual(first.body)
    expect(world.mailbox.calls).toHaveLength(1)
    const gone: CallOptions = { headers: { 'idempotency-key': 'gone' } }
    expect((await call('DELETE', '/messages/m1', gone)).body).toEqual((await call('DELETE', '/messages/m1', gone)).body)
    expect(world.mailbox.calls).toHaveLength(2)
  })

  test('is free again after a temporary failure of the provider', async () => {
    const once: CallOptions = { body: { starred: true }, headers: { 'idempotency-key': 'star' } }
    let bad = true
    world.mailbox.before = () => {
      if (bad) throw new ApiError('provider_unavailable')
    }
    expect((await call('PUT', '/messages/m1', once)).status).toBe(504)
    bad = false
    expect((await call('PUT', '/messages/m1', once)).body.data.starred).toBe(true)
  })
})

describe('arbitrary client input', () => {
  const kinds = new Set([
    'messages',
    'drafts',
    'schedules',
    'signatures',
    'grantTemplates',
    'threads',
    'folders',
    'attachments',
  ])
  const mail = routes.filter(({ resource }) => kinds.has(resource))
  const params = { message_id: 'm1', thread_id: 'thread%20of%20m1', folder_id: 'INBOX', attachment_id: 'a' }
  const needed = new URLSearchParams({ message_id: 'm1' })
  /** A different part of the texts each time; over all places, every text is used. */
  let turn = 0
  const texts = () => {
    turn++
    return naughty.filter((_, index) => (index + turn) % 6 === 0)
  }
  /** JSON and no server error, or the file. */
  const expectTaken = (answer: Answer, about: string) => {
    if (answer.status === 200 && answer.headers.has('content-disposition')) return
    expectNoFault(answer, about)
  }
  const send = (named: NamedRoute, query: URLSearchParams, body = bodyOf(named)) =>
    world.service.call(mainMethod(named), `${pathOf(named, { ...params, grant_id: world.grantId })}?${query}`, {
      ...(named.route.method === 'GET' ? {} : { body }),
    })

  test('in a query is accepted or refused', async () => {
    expect(mail).toHaveLength(40)
    for (const named of mail) {
      for (const name of Object.keys(named.route.query?.shape ?? {})) {
        for (const text of texts()) {
          const query = new URLSearchParams(named.resource === 'attachments' ? needed : '')
          query.set(name, text)
          expectTaken(await send(named, query), `${named.id} ${name}=${JSON.stringify(text)}`)
        }
      }
    }
  })

  test('in a body is accepted or refused', async () => {
    for (const named of mail.filter(({ route }) => route.body)) {
      for (const place of leavesOf(bodyOf(named))) {
        for (const text of texts()) {
          const body = withValue(bodyOf(named), place, text) as Record<string, unknown>
          expectTaken(await send(named, new URLSearchParams(), body), `${named.id} ${place.join('.')} ${text}`)
        }
      }
    }
  })

  test('in a path finds nothing and causes no failure', async () => {
    for (const named of mail) {
      for (const name of Object.keys(params).filter((param) => named.route.path.includes(`:${param}`))) {
        for (const text of [...texts().map(encodeURIComponent), '%', '%00', '%ED%A0%80']) {
          const path = pathOf(named, { ...params, grant_id: world.grantId, [name]: text })
          const about = `${named.id} ${path}`
          const answer = await world.service.call(mainMethod(named), `${path}?${needed}`, {
            ...(named.route.method === 'GET' ? {} : { body: bodyOf(named) }),
          })
          expectTaken(answer, about)
        }
      }
    }
  })

  test('in metadata is returned unchanged, and found', async () => {
    for (const text of naughty.filter((one) => !one.includes('\0') && one.length <= 500)) {
      const metadata = {
        key1: text,
        [text === '__proto__' || text === '' ? 'key' : text.slice(0, 40).toWellFormed()]: text,
      }
      await call('PUT', '/messages/m1', { body: { metadata } })
      expect((await call('GET', '/messages/m1')).body.data.metadata, text).toEqual(metadata)
      if (text === '' || /,key[1-5]:/.test(text)) continue
      const found = await call('GET', `/messages?metadata_pair=${encodeURIComponent(`key1:${text}`)}`)
      expect(
        found.body.data?.map(({ id }: { id: string }) => id),
        text,
      ).toEqual(['m1'])
    }
  })
})

test('an error of the provider is passed on with its message', async () => {
  world.mailbox.before = () => {
    throw new ApiError('provider_refused', 'the mail server refused the search', {
      providerError: { code: 'BADCHARSET' },
    })
  }
  const answer = await call('GET', '/messages')
  expect([answer.status, answer.body.error]).toEqual([
    400,
    {
      type: 'provider_error',
      message: 'the mail server refused the search',
      provider_error: { code: 'BADCHARSET' },
    },
  ])
})
