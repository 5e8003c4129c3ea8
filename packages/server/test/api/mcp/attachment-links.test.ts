/** Links to attachments: their access, their lifetime, and what revokes them. */

import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { restrictedHolder } from '../../../src/api/pipeline/authenticate.ts'
import { type MailService, messageOf, openMailService } from '../pipeline/mail-provider.ts'
import { toolNamed } from './tool-named.ts'

const clock = testClock()
let world: MailService
let applicationId: string
let grantId: string
beforeAll(async () => {
  world = await openMailService({ overrides: { clock } })
  world.mailbox.messages.set('m1', messageOf('m1'))
  grantId = world.at.split('/').at(-1) ?? ''
  const { service } = world
  await service.call('PATCH', '/v3/applications', { body: { mcp_enabled: true } })
  applicationId = (await service.call('GET', '/v3/applications')).body.data.application_id
})
afterAll(() => world[Symbol.asyncDispose]())

const keys = (): string => `/v3/admin/applications/${applicationId}/api-keys`

async function newKey(rights: object) {
  const body = { name: 'reader', rights: { operations: ['mcp', 'mail.read'], ...rights } }
  const { data } = (await world.service.call('POST', keys(), { admin: true, body })).body
  return { id: data.id as string, key: data.api_key as string }
}

async function newLink(key: string): Promise<string> {
  const { services, app } = world.service
  const authentication = {
    queries: services.storage.database,
    keyUse: services.telemetry.keyUse,
    clock: services.storage.clock,
  }
  const caller = await restrictedHolder(authentication, key)
  const context = { api: app.api, caller, address: '203.0.113.5', signal: new AbortController().signal }
  const args = { grant_id: grantId, message_id: 'm1', attachment_id: 'a' }
  const result = await toolNamed('get_attachment').call(context, args)
  expect(result.isError, JSON.stringify(result.content)).toBeUndefined()
  const { attachment } = (result.structuredContent ?? {}) as {
    attachment: { url: string; expires_at: { unix: number } }
  }
  expect(attachment.expires_at.unix).toBe(Math.floor((clock.now() + 600_000) / 1000))
  return new URL(attachment.url).pathname
}

const open = (path: string) => world.service.call('GET', path, { key: null })

test('a link downloads the file without another credential, for ten minutes', async () => {
  const path = await newLink((await newKey({})).key)
  const answer = await open(path)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  expect(answer.body).toBe('hello, world')
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  clock.advance(599_000)
  expect((await open(path)).status).toBe(200)
  clock.advance(2_000)
  expect((await open(path)).body.error).toMatchObject({ type: 'not_found_error' })
})

test('a link ends with its key, with the right of its key, and with the endpoint', async () => {
  const { id, key } = await newKey({})
  const path = await newLink(key)
  const change = { admin: true, body: { rights: { operations: ['mcp', 'calendar.read'] } } }
  expect((await world.service.call('PATCH', `${keys()}/${id}`, change)).status).toBe(200)
  expect((await open(path)).status).toBe(403)
  const other = await newKey({})
  const revoked = await newLink(other.key)
  await world.service.call('DELETE', `${keys()}/${other.id}`, { admin: true })
  expect((await open(revoked)).status).toBe(404)
  const third = await newLink((await newKey({})).key)
  await world.service.call('PATCH', '/v3/applications', { body: { mcp_enabled: false } })
  expect((await open(third)).status).toBe(404)
  await world.service.call('PATCH', '/v3/applications', { body: { mcp_enabled: true } })
  expect((await open(third)).status).toBe(200)
})

test('an altered or foreign token opens nothing', async () => {
  const path = await newLink((await newKey({})).key)
  const altered = `${path.slice(0, -3)}${path.endsWith('AAA') ? 'BBB' : 'AAA'}`
  const cursor = (await world.service.call('GET', `${world.at}/messages?limit=1`)).body.next_cursor ?? 'x'
  for (const token of [altered, '/mcp/attachments/x', `/mcp/attachments/${cursor}`]) {
    expect((await open(token)).status).toBe(404)
  }
})
