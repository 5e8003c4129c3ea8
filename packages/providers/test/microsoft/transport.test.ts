/** Calls to a Graph on loopback: concurrency, errors, links, pages and batches. */
import type { Grant } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { object, text } from '@waypost/platform/json/reader'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { availability } from '../../src/microsoft/calendar/free-busy.ts'
import { isMissing, needsResync, refused } from '../../src/microsoft/errors.ts'
import { deltaPage, listAll, listPage } from '../../src/microsoft/graph-pages.ts'
import { mailboxLimits, mailboxPath, open, type Session } from '../../src/microsoft/session.ts'
import { MailboxRequests } from '../../src/shared/mailbox-requests.ts'
import { providerReason, providerStatus } from '../../src/shared/refusal.ts'
import { openProviderPeer, type ProviderPeer } from '../shared/provider-peer.ts'

let peer: ProviderPeer
let session: Session
const retained = new Map<string, AsyncDisposable>()
beforeAll(async () => {
  peer = await openProviderPeer()
})
afterAll(() => peer[Symbol.asyncDispose]())
beforeEach(() => {
  peer.requested()
  peer.refusedTokens.length = 0
  retained.clear()
  const io = Object.assign(Object.create(peer.io), {
    credentials: () => ({ refresh_token: 'r' }),
    retained: (name: string, make: (forget: () => void) => AsyncDisposable) => {
      const value = retained.get(name) ?? make(() => retained.delete(name))
      retained.set(name, value)
      return value
    },
  })
  session = open({ id: 'g', email: 'ada@example.com', settings: {} } as unknown as Grant, io)
})

const named = object({ id: text }, {})
const error = (code: string, message = 'words of Graph') => ({ error: { code, message, innerError: {} } })
const failureOf = async (work: Promise<unknown>): Promise<ApiError> => {
  const thrown = await work.then(
    () => new Error('it did not fail'),
    (cause: unknown) => cause,
  )
  if (thrown instanceof ApiError) return thrown
  throw thrown
}

describe('a call', () => {
  test('requests immutable ids and other preferences, with the token of the account', async () => {
    peer.reply({ body: { id: 'm1' } })
    const found = await session.call('GET', mailboxPath(session, 'messages/m1'), {
      read: named,
      query: { $select: 'id,subject' },
      prefer: ['outlook.body-content-type="text"'],
    })
    expect(found.id).toBe('m1')
    const [heard] = peer.requested()
    expect(heard?.target).toBe('/v1.0/me/messages/m1?%24select=id%2Csubject')
    expect(heard?.headers.prefer).toBe('IdType="ImmutableId", outlook.body-content-type="text"')
    expect(heard?.headers.authorization).toMatch(/^Bearer /)
  })

  test('in a shared mailbox has its address', () => {
    expect(mailboxPath(session, 'messages', 'team@contoso.example')).toBe('users/team%40contoso.example/messages')
  })

  test('whose token is refused is repeated once with another', async () => {
    peer.reply({ status: 401, body: error('InvalidAuthenticationToken') }, { body: { id: 'm1' } })
    await session.call('GET', 'me/messages/m1', { read: named })
    expect(peer.refusedTokens).toHaveLength(1)
    peer.reply({ status: 401, body: error('InvalidAuthenticationToken') })
    expect((await failureOf(session.execute('GET', 'me'))).code).toBe('grant_invalid')
  })

  test('with an unexpected response is a provider error', async () => {
    peer.reply({ body: { id: 7 } })
    const failed = await failureOf(session.call('GET', 'me/messages/m1', { read: named }))
    expect(failed).toMatchObject({ code: 'provider_unavailable', message: expect.stringContaining('Microsoft') })
  })

  test('sends and receives bytes unchanged', async () => {
    peer.reply({ headers: { 'content-type': 'text/plain' }, body: 'Subject: x\r\n\r\n' })
    expect(await session.download('me/messages/m1/$value')).toMatchObject({ contentType: 'text/plain' })
    await session.execute('POST', 'me/sendMail', { raw: { bytes: 'U3ViamVjdA==', contentType: 'text/plain' } })
    const [, sent] = peer.requested()
    expect(sent).toMatchObject({ method: 'POST', body: 'U3ViamVjdA==' })
    expect(sent?.headers['content-type']).toBe('text/plain')
  })
})

describe('an error', () => {
  const cases: [number, string, string][] = [
    [400, 'ErrorInvalidRecipients', 'provider_refused'],
    [403, 'ErrorAccessDenied', 'provider_refused'],
    [404, 'ErrorItemNotFound', 'not_found'],
    [404, 'MailboxNotEnabledForRESTAPI', 'provider_refused'],
    // The token is valid: another sign-in would not help.
    [401, 'OrganizationFromTenantGuidNotFound', 'provider_refused'],
    [409, 'ErrorFolderExists', 'conflict'],
    [410, 'SyncStateNotFound', 'not_found'],
    [412, 'ErrorIrresolvableConflict', 'conflict'],
    [429, 'ApplicationThrottled', 'provider_rate_limited'],
    [500, 'generalException', 'provider_unavailable'],
    [503, 'serviceNotAvailable', 'provider_unavailable'],
    [504, 'UnknownError', 'provider_unavailable'],
  ]
  test.each(cases)('%i %s is %s', (status, reason, code) => {
    const made = refused({ status, header: () => undefined, body: Buffer.from(JSON.stringify(error(reason))) })
    expect([made.code, providerStatus(made), providerReason(made)]).toEqual([code, status, reason])
  })

  test('of access names the required scopes, if they are missing', () => {
    const body = Buffer.from(JSON.stringify(error('ErrorAccessDenied')))
    const made = refused({ status: 403, header: () => undefined, body }, ['Mail.Read', 'Mail.ReadWrite'])
    expect(made.code).toBe('insufficient_scopes')
    expect(made.message).toContain('Mail.Read, Mail.ReadWrite')
  })

  test('is recognized without JSON, for invalid ids and for expired positions', () => {
    const of = (status: number, body: unknown): ApiError =>
      refused({
        status,
        header: () => undefined,
        body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      })
    expect(of(500, '<html>').code).toBe('provider_unavailable')
    expect(isMissing(of(400, error('ErrorInvalidIdMalformed')))).toBe(true)
    expect(isMissing(of(400, error('ErrorInvalidRecipients')))).toBe(false)
    expect(needsResync(of(410, error('resyncRequired')))).toBe(true)
    expect(needsResync(of(404, error('ErrorItemNotFound')))).toBe(false)
  })
})

describe('delays', () => {
  test('of a second or two are waited for, and longer ones are reported', async () => {
    peer.reply({ status: 429, headers: { 'retry-after': '0' }, body: error('TooManyRequests') }, { body: { id: 'a' } })
    expect((await session.call('GET', 'me/messages/a', { read: named })).id).toBe('a')
    peer.requested()
    peer.reply({ status: 429, headers: { 'retry-after': '60' }, body: error('ApplicationThrottled') })
    const failed = await failureOf(session.execute('GET', 'me/messages'))
    expect(failed).toMatchObject({ code: 'provider_rate_limited', details: { retryAfter: 60 } })
    expect(peer.requested()).toHaveLength(1)
    // For that time the mailbox gets no request; another mailbox does.
    peer.reply({ body: { id: 'a' } })
    peer.now += 20_000
    expect((await failureOf(session.execute('GET', 'me/events'))).details.retryAfter).toBe(40)
    expect(peer.requested()).toEqual([])
    expect([...retained.keys()]).toEqual(['requests to me'])
    await session.execute('GET', 'users/team%40contoso.example/messages')
    peer.now += 40_001
    await session.execute('GET', 'me/events')
    expect(peer.requested()).toHaveLength(2)
  })

  test('with 503 are reported too', async () => {
    peer.reply({ status: 503, headers: { 'retry-after': '30' }, body: error('serviceNotAvailable') })
    const failed = await failureOf(session.execute('GET', 'me/messages'))
    expect(failed).toMatchObject({ code: 'provider_unavailable', details: { retryAfter: 30 } })
    expect(peer.requested()).toHaveLength(1)
  })
})

describe('concurrency', () => {
  /** Responds when told; counts the requests in progress and their maximum. */
  const holding = () => {
    const held: (() => void)[] = []
    const seen = { now: 0, max: 0 }
    peer.reply((response) => {
      seen.now++
      seen.max = Math.max(seen.max, seen.now)
      held.push(() => {
        seen.now--
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"a","responses":[]}')
      })
    })
    return { held, seen }
  }

  test('is four requests at a time for a mailbox', async () => {
    const { held, seen } = holding()
    const calls = Array.from({ length: 12 }, () => session.execute('GET', 'me/messages'))
    await expect.poll(() => held.length, { interval: 5 }).toBe(4)
    for (let answered = 0; answered < 12; answered++) {
      await expect.poll(() => held.length, { interval: 5 }).toBeGreaterThan(answered)
      held[answered]?.()
    }
    await Promise.all(calls)
    expect(seen.max).toBe(4)
    // Once nothing is in progress, nothing is stored.
    expect([...retained.keys()]).toEqual([])
  })

  test('skips a request that stopped waiting, and the next one runs', async () => {
    const requests = new MailboxRequests(mailboxLimits, () => {})
    const ready = { status: 200, header: () => undefined, headerList: () => [], body: Buffer.alloc(0) }
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<typeof ready>())
    const clock = { now: () => 0 }
    const patient = { clock, signal: new AbortController().signal }
    const running = gates.map(({ promise }) => requests.run(patient, 1, () => promise))
    const leaving = new AbortController()
    const left = requests.run({ clock, signal: leaving.signal }, 4, async () => ready)
    const last = requests.run(patient, 1, async () => ready)
    leaving.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    gates[0]?.resolve(ready)
    // Three are still in progress.
    expect(await last).toBe(ready)
    for (const { resolve } of gates) resolve(ready)
    await Promise.all(running)
  })
})

describe('a link', () => {
  const list = { path: 'me/messages', query: { $select: 'id', $top: 2 }, read: named }
  const page = (ids: string[], link?: string) => ({
    body: { value: ids.map((id) => ({ id })), ...(link ? { '@odata.nextLink': link } : {}) },
  })

  test('to the next page is followed by its parameters', async () => {
    const next = `${peer.url}/v1.0/me/messages?%24select=id&%24top=2&%24skip=2`
    peer.reply(page(['a', 'b'], next), page(['c']))
    const first = await listPage(session, list)
    expect(first).toEqual({ items: [{ id: 'a' }, { id: 'b' }], next: '%24skip=2' })
    expect(await listPage(session, list, first.next)).toEqual({ items: [{ id: 'c' }], next: undefined })
    expect(peer.requested()[1]?.target).toBe('/v1.0/me/messages?%24select=id&%24top=2&%24skip=2')
    peer.reply(page(['a', 'b'], next), page([], `${next}&%24skiptoken=x`), page(['c']))
    expect((await listAll(session, list)).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  })

  test('that never ends is an error: a truncated list must not count as complete', async () => {
    peer.reply(page([], `${peer.url}/v1.0/me/messages?%24skip=2`))
    expect((await failureOf(listAll(session, list, { maxPages: 3 }))).code).toBe('provider_refused')
    expect(peer.requested()).toHaveLength(3)
    const requested = { calendarIds: ['primary'], from: 0, to: 86_400, tentativeAsBusy: true }
    const failed = await failureOf(availability.busy(session, requested))
    expect(failed).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('too many events') })
  })

  test.each([
    'https://graph.microsoft.com.evil.test/v1.0/me/messages?$skip=2',
    'http://127.0.0.1:1/v1.0/me/messages?$skip=2',
    '/v1.0/me/messages',
    'nonsense',
  ])('to another host is not followed, and no token is sent there: %s', async (link) => {
    peer.reply(page(['a'], link))
    expect((await failureOf(listPage(session, list))).message).toContain('leads elsewhere')
    await failureOf(session.follow(link, { read: named }))
    expect(peer.requested()).toHaveLength(1)
  })

  test('below another path of the same host is not followed', async () => {
    expect((await failureOf(session.follow(`${peer.url}/beta/me`, { read: named }))).code).toBe('provider_unavailable')
    expect(peer.requested()).toEqual([])
  })

  test.each([
    [400, error('ErrorInvalidSkipToken', 'The skip token has expired.')],
    [400, error('Directory_ExpiredPageToken', 'The specified page token value has expired')],
    [410, error('SyncStateNotFound')],
  ])('with an expired position is reported as such (%i)', async (status, body) => {
    peer.reply({ status, body })
    const failed = await failureOf(listPage(session, list, '%24skip=2'))
    expect(failed.details.validationErrors).toHaveProperty('page_token')
    // On the first page it is another error.
    expect((await failureOf(listPage(session, list))).details.validationErrors).toBeUndefined()
  })

  test('to changes is stored completely', async () => {
    const delta = `${peer.url}/v1.0/me/mailFolders/x/messages/delta?$deltatoken=t`
    peer.reply(
      { body: { value: [{ id: 'a' }], '@odata.deltaLink': delta } },
      { body: { value: [], '@odata.nextLink': delta } },
    )
    const first = await deltaPage(session, { path: 'me/mailFolders/x/messages/delta', query: { $select: 'id' } }, named)
    expect(first).toEqual({ items: [{ id: 'a' }], delta })
    expect(await deltaPage(session, { link: delta, prefer: ['odata.maxpagesize=50'] }, named)).toEqual({
      items: [],
      next: delta,
    })
    expect(peer.requested()[1]).toMatchObject({
      target: '/v1.0/me/mailFolders/x/messages/delta?$deltatoken=t',
      headers: { prefer: 'IdType="ImmutableId", odata.maxpagesize=50' },
    })
  })

  test('to an upload accepts chunks without the token of the account', async () => {
    peer.reply({ status: 201 })
    const piece = { bytes: Buffer.from('abc'), headers: { 'content-range': 'bytes 0-2/3' } }
    expect((await session.upload(`${peer.url}/upload/1?token=t`, piece)).status).toBe(201)
    const [heard] = peer.requested()
    expect(heard).toMatchObject({ method: 'PUT', target: '/upload/1?token=t', body: 'abc' })
    expect(heard?.headers.authorization).toBeUndefined()
    expect(() => session.upload('http://elsewhere.test/upload', piece)).toThrow('leads elsewhere')
  })
})

describe('a batch', () => {
  const answering = (status: (id: string) => number) =>
    peer.reply((response, { body }) => {
      const { requests } = JSON.parse(body)
      const responses = requests.map(({ id, url }: { id: string; url: string }) => {
        const own = status(url)
        return own < 300
          ? { id, status: own, headers: { 'Content-Type': 'application/json' }, body: { id: url } }
          : { id, status: own, headers: { 'Retry-After': '0' }, body: error('ErrorItemNotFound') }
      })
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ responses: responses.reverse() }))
    })

  test('has twenty calls, each with the preferences and its own result, in order', async () => {
    answering((url) => (url.endsWith('/7') ? 404 : 200))
    const calls = Array.from({ length: 45 }, (_, place) => ({ path: `me/messages/${place}` }))
    const results = await session.batch(calls, named)
    expect(results.map((each) => (each instanceof ApiError ? each.code : each.id))).toEqual(
      calls.map(({ path }, place) => (place === 7 ? 'not_found' : `/${path}`)),
    )
    const requested = peer.requested()
    expect(requested.map(({ target }) => target)).toEqual(Array(3).fill('/v1.0/$batch'))
    const sizes = requested.map(({ body }) => JSON.parse(body).requests.length)
    expect(sizes).toEqual([20, 20, 5])
    for (const { body } of requested) {
      for (const { headers } of JSON.parse(body).requests) expect(headers.prefer).toBe('IdType="ImmutableId"')
    }
  })

  test('repeats calls that Graph did not process', async () => {
    let tries = 0
    answering((url) => (url.endsWith('/1') && tries++ === 0 ? 429 : 200))
    const results = await session.batch([{ path: 'me/messages/0' }, { path: 'me/messages/1' }], named)
    expect(results).toEqual([{ id: '/me/messages/0' }, { id: '/me/messages/1' }])
    expect(peer.requested()).toHaveLength(2)
  })

  test('writes the body of a call as JSON', async () => {
    answering(() => 200)
    await session.batch([{ method: 'PATCH', path: 'me/messages/0', body: { isRead: true } }], named)
    expect(JSON.parse(peer.requested()[0]?.body ?? '').requests[0]).toEqual({
      id: '0',
      method: 'PATCH',
      url: '/me/messages/0',
      headers: { prefer: 'IdType="ImmutableId"', 'Content-Type': 'application/json' },
      body: { isRead: true },
    })
  })
})
