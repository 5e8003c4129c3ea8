import { expect, test } from 'vitest'
import { seededMicrosoft } from '../src/index.ts'
import { graphRefusal, openGraph, pathOf } from './graph-account.ts'
import { checkType, hasGraphTypes } from './graph-types.ts'

test('users are found by id, address and alias, as far as scopes and tenants allow', async () => {
  await using accounts = await openGraph()
  const { ada, grace, home } = accounts
  const graph = accounts.graphOf(ada)
  expect(await graph.api('/me').get()).toMatchObject({ id: ada.id, mail: ada.email, displayName: 'Ada Lovelace' })
  expect(await graph.api('/me').select('id,mail').get()).toEqual({
    '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#users(id,mail)/$entity',
    id: ada.id,
    mail: ada.email,
  })
  expect(await graph.api('/users/AL@contoso.example').get()).toMatchObject({ id: ada.id })
  expect((await graph.api('/users').filter("startswith(mail,'gra')").get()).value).toMatchObject([{ id: grace.id }])
  expect(await graphRefusal(graph.api(`/users/${home.email}`).get())).toEqual({
    status: 404,
    code: 'Request_ResourceNotFound',
  })
  expect(await accounts.graphOf(home, ['User.Read']).api('/me').get()).toMatchObject({
    id: expect.stringMatching(/^[\da-f]{16}$/),
  })
  expect(await graphRefusal(accounts.graphOf(ada, ['Mail.Read']).api('/me').get())).toMatchObject({ status: 403 })
  expect(await graphRefusal(graph.api('/me').select('nothing').get())).toMatchObject({ status: 400 })
  expect(await graphRefusal(graph.api('/me/nothing').get())).toEqual({ status: 400, code: 'BadRequest' })
})

test('a request without a valid token is answered with 401', async () => {
  await using accounts = await openGraph()
  const { microsoft, ada } = accounts
  const headers = accounts.headersOf(ada)
  microsoft.expireAccessTokens()
  for (const init of [{}, { headers }, { headers: { authorization: 'Bearer other' } }]) {
    const response = await fetch(`${microsoft.url}/v1.0/me`, init)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: { code: 'InvalidAuthenticationToken' } })
  }
})

test('a list is filtered, ordered, counted and paged, and its page tokens expire', async () => {
  await using accounts = await openGraph()
  const { microsoft, ada } = accounts
  for (const name of ['b', 'c', 'a']) microsoft.addAccount({ email: `${name}@contoso.example`, name: `User ${name}` })
  const graph = accounts.graphOf(ada)
  const first = await graph
    .api('/users')
    .filter("startswith(displayName,'USER') and not (mail eq 'c@contoso.example') or id in ('1','2')")
    .orderby('displayName desc')
    .top(1)
    .count(true)
    .select('displayName')
    .get()
  expect(first).toMatchObject({ '@odata.count': 2, value: [{ displayName: 'User b' }] })
  const second = await graph.api(pathOf(first['@odata.nextLink'])).get()
  expect(second.value).toMatchObject([{ displayName: 'User a' }])
  expect(second).not.toHaveProperty('@odata.nextLink')
  microsoft.expirePages()
  expect(await graphRefusal(graph.api(pathOf(first['@odata.nextLink'])).get())).toMatchObject({ status: 400 })
  expect(await graphRefusal(graph.api('/users').filter('mail eq').get())).toMatchObject({ status: 400 })
})

test('a batch answers up to twenty requests in any order, and not those that depend on a failed one', async () => {
  await using accounts = await openGraph()
  const { microsoft, ada, grace } = accounts
  const graph = accounts.graphOf(ada)
  const requests = [
    { id: '1', method: 'GET', url: '/me' },
    { id: '2', method: 'GET', url: '/users/nobody' },
    { id: '3', method: 'GET', url: '/me', dependsOn: ['2'] },
    { id: '4', method: 'GET', url: `/users/${grace.id}?$select=mail`, dependsOn: ['1'] },
  ]
  const { responses } = await graph.api('/$batch').post({ requests })
  expect(responses.map(({ id, status }: { id: string; status: number }) => [id, status])).toEqual([
    ['4', 200],
    ['3', 424],
    ['2', 404],
    ['1', 200],
  ])
  expect(responses[0].body).toMatchObject({ mail: grace.email })
  const many = Array.from({ length: 21 }, (_, index) => ({ id: String(index), method: 'GET', url: '/me' }))
  expect(await graphRefusal(graph.api('/$batch').post({ requests: many }))).toMatchObject({ status: 400 })
  microsoft.fail({ path: '/v1.0/me' }, { status: 429, code: 'TooManyRequests', retryAfter: 3 })
  const second = await graph.api('/$batch').post({ requests: requests.slice(0, 1) })
  expect(second.responses).toMatchObject([{ id: '1', status: 429, headers: { 'Retry-After': '3' } }])
  expect(microsoft.calls.filter(({ batched }) => batched)).toHaveLength(4)
})

test('the seeded Microsoft has two accounts of one organization and a personal one, with their data', async () => {
  await using microsoft = await seededMicrosoft()
  expect(microsoft.accounts().map(({ email, tenant }) => [email, tenant.domain])).toEqual([
    ['ada@contoso.example', 'contoso.example'],
    ['grace@contoso.example', 'contoso.example'],
    ['ada@outlook.example', ''],
  ])
  const [ada, grace] = microsoft.accounts()
  expect(ada?.mail.list().map(({ folder }) => folder)).toEqual(['inbox', 'sentitems', 'inbox', 'sentitems'])
  // Two that they wrote, and the invitation.
  expect(new Set(grace?.mail.list().map(({ conversationId }) => conversationId)).size).toBe(3)
  expect(grace?.calendar.events().map(({ subject }) => subject)).toEqual(['Talk about note G'])
  expect(ada?.contacts.list()).toMatchObject([{ givenName: 'Grace' }])
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: microsoft.client.id,
    client_secret: microsoft.client.secret,
    refresh_token: 'simulated-refresh-token-of-ada@outlook.example',
  })
  const response = await fetch(`${microsoft.url}/common/oauth2/v2.0/token`, { method: 'POST', body })
  expect(await response.json()).toMatchObject({ scope: expect.stringContaining('Mail.ReadWrite') })
  const page = await (await fetch(`${microsoft.url}/`)).text()
  expect(page).toContain('grace@contoso.example')
  expect(page).toContain(microsoft.client.id)
})

test('requested failures occur', async () => {
  await using accounts = await openGraph()
  const { microsoft, ada } = accounts
  const ask = (init: RequestInit = {}) =>
    fetch(`${microsoft.url}/v1.0/me`, { headers: accounts.headersOf(ada), ...init })
  microsoft.fail({ path: /\/me$/, times: 2 }, { status: 503, code: 'ServiceUnavailable', retryAfter: 4 })
  const first = await ask()
  expect([first.status, first.headers.get('retry-after')]).toEqual([503, '4'])
  expect(await first.json()).toMatchObject({ error: { code: 'ServiceUnavailable' } })
  expect((await ask()).status).toBe(503)
  expect((await ask()).status).toBe(200)
  microsoft.fail({ path: /\/me$/, method: 'GET' }, { drop: 'before' })
  await expect(ask()).rejects.toThrow('fetch failed')
  microsoft.fail({ path: /\/me$/ }, { hang: true })
  await expect(ask({ signal: AbortSignal.timeout(1_000) })).rejects.toThrow(/timeout/)
  expect(microsoft.calls.map(({ status }) => status)).toEqual([503, 503, 200, 0, 0])
})

test.skipIf(!hasGraphTypes)(
  'responses that do not match the published types are reported (skipped without them)',
  () => {
    const problemsOf = (name: string, value: unknown) => {
      const problems: string[] = []
      checkType(name, value, 'answer', problems)
      return problems
    }
    expect(problemsOf('message', { id: 'x', isRead: true, from: { emailAddress: { address: 'a@b.c' } } })).toEqual([])
    expect(problemsOf('message', { isRead: 'yes' })).toEqual(['answer.isRead: "yes" is no Edm.Boolean'])
    expect(problemsOf('message', { read: true })).toEqual(['answer: message has no read'])
    expect(problemsOf('message', { importance: 'huge' })).toEqual(['answer.importance: huge is no importance'])
    expect(problemsOf('message', { toRecipients: {} })).toEqual(['answer.toRecipients: no list'])
    expect(problemsOf('attachment', { '@odata.type': '#microsoft.graph.fileAttachment', contentBytes: 5 })).toEqual([
      'answer.contentBytes: 5 is no Edm.Binary',
    ])
  },
)
