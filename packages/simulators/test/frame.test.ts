import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { seededGoogle } from '../src/index.ts'
import { checkExchange, hasSchemas } from './discovery.ts'
import { mimeMessage, openAccount, refusalOf } from './gmail-account.ts'

const userId = 'me'
const TOPIC = 'projects/p/topics/mail'

interface Received {
  readonly authorization: string
  readonly body: { message: { data: string; messageId: string }; subscription: string }
}

/** A receiver of pushes that answers the first `fails` of them with 500. */
async function openReceiver(fails: number) {
  const received: Received[] = []
  let left = fails
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (left-- > 0) {
      response.writeHead(500).end()
      return
    }
    received.push({
      authorization: request.headers.authorization ?? '',
      body: JSON.parse(Buffer.concat(chunks).toString()),
    })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/push`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a watch pushes every change with a Google token, and again after a failure', async () => {
  await using receiver = await openReceiver(1)
  await using account = await openAccount()
  const { users } = account.gmailOf(account.ada)
  account.google.pushTo(TOPIC, {
    endpoint: receiver.url,
    audience: 'me',
    serviceAccountEmail: 'push@p.iam.gserviceaccount.com',
  })
  const watch = await users.watch({ userId, requestBody: { topicName: TOPIC, labelIds: ['INBOX'] } })
  expect(Number(watch.data.expiration)).toBeGreaterThan(Date.now() + 6 * 24 * 3_600_000)
  const { id } = account.ada.mail.deliver(mimeMessage({}))
  account.ada.mail.deliver(mimeMessage({}), { labels: ['SENT'] })
  await account.google.settled()
  expect(receiver.received).toHaveLength(2)
  const [, second] = receiver.received
  const data = JSON.parse(Buffer.from(second?.body.message.data ?? '', 'base64').toString())
  const { historyId } = (await users.messages.get({ userId, id })).data
  expect(data).toEqual({ emailAddress: 'ada@example.com', historyId: Number(historyId) })
  expect(second?.body.subscription).toBe('projects/p/subscriptions/mail')
  const keys = createRemoteJWKSet(new URL(`${account.google.url}/oauth2/v3/certs`))
  const { payload } = await jwtVerify(second?.authorization.slice('Bearer '.length) ?? '', keys, {
    audience: 'me',
    issuer: 'https://accounts.google.com',
  })
  expect(payload).toMatchObject({ email: 'push@p.iam.gserviceaccount.com', email_verified: true })
  await users.stop({ userId })
  account.ada.mail.deliver(mimeMessage({}))
  await account.google.settled()
  expect(receiver.received).toHaveLength(2)
  expect(await refusalOf(users.watch({ userId, requestBody: { topicName: 'mail' } }))).toMatchObject({ status: 400 })
})

test('a batch answers every request inside it', async () => {
  await using account = await openAccount()
  const { id } = account.ada.mail.deliver(mimeMessage({ Subject: 'in a batch' }))
  const { accessToken } = account.google.grantToken('ada@example.com', ['gmail.modify'])
  const body = [
    '--b',
    'Content-Type: application/http',
    'Content-ID: <one>',
    '',
    `GET /gmail/v1/users/me/messages/${id}?format=metadata&metadataHeaders=Subject`,
    '',
    '--b',
    'Content-Type: application/http',
    'Content-ID: <two>',
    '',
    `POST /gmail/v1/users/me/messages/${id}/modify HTTP/1.1`,
    'Content-Type: application/json',
    '',
    '{"addLabelIds":["STARRED"]}',
    '--b',
    'Content-Type: application/http',
    'Content-ID: <three>',
    '',
    'GET /gmail/v1/users/me/messages/ffff',
    '',
    '--b--',
    '',
  ].join('\r\n')
  const post = () =>
    fetch(`${account.google.url}/batch/gmail/v1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'multipart/mixed; boundary=b' },
      body,
    })
  const text = await (await post()).text()
  expect(text.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404'])
  expect(text.match(/^Content-ID: .*$/gm)?.map((line) => line.trim())).toEqual([
    'Content-ID: <response-one>',
    'Content-ID: <response-two>',
    'Content-ID: <response-three>',
  ])
  expect(text).toContain('in a batch')
  expect(account.ada.mail.read(id).labels).toContain('STARRED')
  expect(account.google.calls.map(({ batched, status }) => [batched, status])).toEqual([
    [true, 200],
    [true, 200],
    [true, 404],
    [false, 200],
  ])
  account.google.fail({ path: /\/modify$/ }, { status: 429, reason: 'rateLimitExceeded', retryAfter: 1 })
  expect((await (await post()).text()).match(/^HTTP\/1\.1 \d+/gm)).toEqual([
    'HTTP/1.1 200',
    'HTTP/1.1 429',
    'HTTP/1.1 404',
  ])
})

test('fields keeps only the named fields', async () => {
  await using account = await openAccount()
  const { id } = account.ada.mail.deliver(mimeMessage({ Subject: 'partial' }))
  const { messages, labels } = account.gmailOf(account.ada).users
  const { data } = await messages.get({ userId, id, fields: 'id,payload(headers/name,body/size)' })
  expect(Object.keys(data)).toEqual(['id', 'payload'])
  expect(Object.keys(data.payload ?? {}).sort()).toEqual(['body', 'headers'])
  expect(data.payload?.headers?.[0]).toEqual({ name: 'From' })
  const listed = (await labels.list({ userId, fields: 'labels(id)' })).data.labels
  expect(listed?.[0]).toEqual({ id: 'CHAT' })
  expect(await refusalOf(messages.get({ userId, id, fields: 'id(' }))).toMatchObject({ status: 400 })
})

test('unknown parameters, methods and bodies are refused', async () => {
  await using account = await openAccount()
  const { accessToken } = account.google.grantToken('ada@example.com', ['gmail.modify'])
  const headers = { authorization: `Bearer ${accessToken}` }
  const statusOf = async (path: string, init: RequestInit = {}) =>
    (await fetch(`${account.google.url}/gmail/v1/users/me${path}`, { headers, ...init })).status
  expect(await statusOf('/messages?limit=5')).toBe(400)
  expect(await statusOf('/messages?maxResults=many')).toBe(400)
  expect(await statusOf('/labels', { method: 'POST', body: '{' })).toBe(400)
  expect(await statusOf('/profile', { method: 'POST' })).toBe(405)
  expect(await statusOf('/nothing')).toBe(404)
})

test('responses can be slow', async () => {
  await using account = await openAccount({ latencyMs: 120 })
  const begin = performance.now()
  await account.gmailOf(account.ada).users.getProfile({ userId })
  expect(performance.now() - begin).toBeGreaterThan(110)
})

test('a renamed account keeps its tokens, and its old address can be another user', async () => {
  await using account = await openAccount()
  const { users } = account.gmailOf(account.ada)
  const { sub } = account.ada
  account.google.renameAccount('ada@example.com', 'lovelace@example.com')
  const other = account.google.addAccount({ email: 'ada@example.com' })
  expect((await users.getProfile({ userId })).data.emailAddress).toBe('lovelace@example.com')
  expect(account.google.account('lovelace@example.com').sub).toBe(sub)
  expect(other.sub).not.toBe(sub)
})

test('the seeded Google has two accounts with mail, and a page that lists them', async () => {
  await using google = await seededGoogle()
  const [ada, grace] = google.accounts()
  expect(ada?.mail.list().map(({ labels }) => labels.includes('SENT'))).toEqual([false, true, false])
  expect(new Set(grace?.mail.list().map(({ threadId }) => threadId)).size).toBe(2)
  const page = await (await fetch(`${google.url}/`)).text()
  expect(page).toContain('ada@example.com')
  expect(page).toContain(google.client.id)
})

test.skipIf(!hasSchemas)(
  'exchanges that do not fit the published schemas are told (skipped without ../shared/schemas)',
  () => {
    const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
    const exchange = (method: string, path: string, request: unknown, answer: unknown) => ({
      method,
      path: path.split('?')[0] ?? '',
      query: new URLSearchParams(path.split('?')[1]),
      status: 200,
      account: undefined,
      batched: false,
      requestHeaders: new Headers(),
      requestBody: request === undefined ? new Uint8Array() : encode(request),
      responseHeaders: {},
      responseBody: encode(answer),
    })
    const base = '/gmail/v1/users/me'
    checkExchange(
      exchange('GET', `${base}/messages?maxResults=5&labelIds=a&labelIds=b`, undefined, { resultSizeEstimate: 0 }),
    )
    checkExchange(
      exchange('GET', '/calendar/v3/calendars/primary/events?timeMin=2026-01-01T00:00:00Z', undefined, { items: [] }),
    )
    checkExchange(exchange('GET', '/v1/people/c1?personFields=names', undefined, { resourceName: 'people/c1' }))
    const bad: [string, string, unknown, unknown, RegExp][] = [
      ['GET', `${base}/nothing`, undefined, {}, /no such method/],
      ['GET', `${base}/messages?limit=5`, undefined, {}, /unknown parameter limit/],
      ['GET', `${base}/messages?maxResults=x`, undefined, {}, /no integer/],
      ['GET', `${base}/messages?q=a&q=b`, undefined, {}, /given 2 times/],
      ['GET', `${base}/messages`, undefined, { messages: [{ historyId: 5 }] }, /historyId: 5 is no string/],
      ['POST', `${base}/labels`, { title: 'x' }, {}, /unknown property title/],
      ['POST', `${base}/labels`, { name: 'x', type: 'other' }, {}, /none of system, user/],
      ['POST', '/calendar/v3/calendars/primary/events', { start: {} }, {}, /request.end: missing/],
      ['DELETE', `${base}/labels/x`, undefined, { a: 1 }, /no answer/],
    ]
    for (const [method, path, request, answer, message] of bad) {
      expect(() => checkExchange(exchange(method, path, request, answer))).toThrow(message)
    }
  },
)
