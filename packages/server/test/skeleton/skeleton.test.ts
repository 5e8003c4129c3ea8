/** The skeleton of a provider passes the conformance suite; it has contacts only. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { providers } from '@waypost/providers/registry'
import { expect, test } from 'vitest'
import type { Call } from '../conformance/accounts.ts'
import { describeProvider } from '../conformance/describe-provider.ts'
import { openService } from '../harness.ts'
import { skeleton } from './provider.ts'

/** The provider: an address book behind HTTP. */
async function openAddressBook(password: string) {
  const people = new Map<string, unknown>()
  const server = createServer(async (request, response) => {
    const answer = (status: number, value: unknown = {}) => response.writeHead(status).end(JSON.stringify(value))
    if (request.headers.authorization !== `Bearer ${password}`) return answer(401)
    const id = request.url?.split('/')[2]
    if (id === undefined) return answer(200, Object.fromEntries(people))
    if (request.method === 'PUT') people.set(id, JSON.parse(await text(request)))
    const found = people.get(id)
    if (request.method === 'DELETE') people.delete(id)
    return found === undefined ? answer(404) : answer(200, found)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

async function open(password = 'right') {
  const book = await openAddressBook('right')
  const service = await openService({ overrides: { providers: { ...providers, ews: skeleton } } })
  const email = 'ada@example.com'
  const { key } = await service.createApplication('Skeleton')
  const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
  await call('POST', '/v3/connectors', { body: { provider: 'ews' } })
  const settings = { ews_username: email, ews_password: password, ews_host: '127.0.0.1', ews_port: book.port }
  const connected = await call('POST', '/v3/connect/custom', { body: { provider: 'ews', settings } })
  return {
    ...{ call, email, connected, grantId: connected.body.data?.id as string },
    knowFromMail: () => Promise.reject(new Error('it knows nobody from mail')),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      book.close()
    },
  }
}

await describeProvider(() => ({
  adapter: skeleton,
  contacts: { name: 'the skeleton', lacks: ['pictures', 'inbox', 'phone-filter'], open },
}))

test('the skeleton refuses what it does not support, and a wrong password', async () => {
  await using right = await open()
  const answer = await right.call('GET', `/v3/grants/${right.grantId}/messages`)
  expect(answer.body.error.type).toContain('not_supported_by_provider')
  const searched = await right.call('GET', `/v3/grants/${right.grantId}/contacts?phone_number=1`)
  expect([searched.status, searched.body.error.capability]).toEqual([422, 'phone_number'])
  await using wrong = await open('wrong')
  expect(wrong.connected.status).toBe(401)
})
