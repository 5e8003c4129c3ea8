/** Tools whose action waits for a person: their result, and that nothing was done. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { restrictedHolder } from '../../../src/api/pipeline/authenticate.ts'
import { createFakeSending } from '../pipeline/fake-sending.ts'
import { type MailService, messageOf, openMailService } from '../pipeline/mail-provider.ts'
import { toolNamed } from './tool-named.ts'

let world: MailService
let call: (name: string, args: object) => Promise<Record<string, unknown> & { content: { text: string }[] }>

beforeAll(async () => {
  world = await openMailService({ overrides: { sending: createFakeSending() } })
  world.mailbox.messages.set('m1', messageOf('m1', { from: [{ email: 'ann@mail.test', name: 'Ann\u202e' }] }))
  const { service } = world
  const { application_id } = (await service.call('GET', '/v3/applications')).body.data
  const rights = { operations: ['mcp', 'mail.read', 'mail.draft', 'mail.send', 'mail.delete'] }
  const path = `/v3/admin/applications/${application_id}/api-keys`
  const { data } = (await service.call('POST', path, { admin: true, body: { name: 'assistant', rights } })).body
  const { database: queries, clock } = service.services.storage
  const { keyUse } = service.services.telemetry
  const caller = await restrictedHolder({ queries, keyUse, clock }, data.api_key)
  const grant_id = world.at.split('/').at(-1) ?? ''
  call = async (name, args) => {
    const context = { api: service.app.api, caller, address: '203.0.113.5', signal: new AbortController().signal }
    const given = name === 'get_approval' ? args : { grant_id, ...args }
    return { ...(await toolNamed(name).call(context, given)) }
  }
})
afterAll(() => world[Symbol.asyncDispose]())

const to = [{ email: 'bob@mail.test' }]

test.for([
  ['send_message', { to, subject: 'Hello', body: 'Text' }, 'send'],
  ['reply', { message_id: 'm1', body: 'Yes', send: true }, 'send'],
  ['delete_message', { message_id: 'm1', permanently: true }, 'delete'],
] as const)('%s returns a pending approval and does nothing', async ([name, args, kind]) => {
  await world.service.call('PATCH', '/v3/applications', { body: { allow_hard_delete: true } })
  const changes = () => world.mailbox.calls.filter(({ operation }) => !/\.(get|list)$/.test(operation)).length
  const before = changes()
  const result = await call(name, args)
  expect(result.isError, result.content[0]?.text).toBeUndefined()
  expect(result.approval).toMatchObject({ object: 'approval', status: 'pending', kind })
  const { id } = result.approval as { id: string }
  expect(result.structuredContent).toEqual({ approval: { id, status: 'pending', expires_at: expect.any(String) } })
  expect(result.content[0]?.text).toMatch(/^Nothing has happened yet/)
  expect(result.content[0]?.text).toContain(id)
  expect(result.content[0]?.text).toContain('Do not repeat the call')
  expect(changes()).toBe(before)
  const state = await call('get_approval', { approval_id: id })
  expect(state.structuredContent).toMatchObject({ approval: { id, status: 'pending' } })
})

test('a draft needs no person', async () => {
  const result = await call('create_draft', { to, subject: 'Hello', body: 'Text' })
  expect(result.structuredContent).toMatchObject({ draft: { id: expect.any(String) } })
})

test('a draft that does not exist is an error of the tool', async () => {
  const result = await call('update_draft', { draft_id: 'none', subject: 'x' })
  expect(result).toMatchObject({ isError: true })
  expect(result.content[0]?.text).toMatch(/^not_found/)
})
