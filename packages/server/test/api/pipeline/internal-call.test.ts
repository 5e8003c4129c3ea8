/** Calls of routes within the process answer as the same requests over HTTP do. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holderOf } from '../../../src/api/pipeline/authenticate.ts'
import type { InternalCall } from '../../../src/api/pipeline/internal-call.ts'
import { type MailService, messageOf, openMailService } from './mail-provider.ts'

let world: MailService
let grant: string
let internally: (
  call: Omit<InternalCall, 'caller' | 'address' | 'signal'>,
) => ReturnType<MailService['service']['app']['call']>

beforeAll(async () => {
  world = await openMailService()
  for (const id of ['m1', 'm2', 'a/b']) world.mailbox.messages.set(id, messageOf(id))
  grant = world.at.split('/').at(-1) ?? ''
  const { services, apiKey, app } = world.service
  const authentication = {
    queries: services.storage.database,
    keyUse: services.telemetry.keyUse,
    clock: services.storage.clock,
  }
  const caller = await holderOf(authentication, apiKey)
  internally = (call) => app.call({ caller, address: '203.0.113.5', signal: new AbortController().signal, ...call })
})
afterAll(() => world[Symbol.asyncDispose]())

const overHttp = async (method: string, path: string, body?: unknown) => {
  const answer = await world.service.call(method, `${world.at}${path}`, { body })
  const { request_id: _, next_cursor: next, ...rest } = answer.body
  return { status: answer.status, hasNext: next !== undefined, ...rest }
}
const within = async (call: Parameters<typeof internally>[0]) => {
  const { status, body } = await internally(call)
  const { request_id: id, next_cursor: next, ...rest } = body
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  return { status, hasNext: next !== undefined, ...rest }
}

test('lists, objects, changes and errors are those of the route', async () => {
  const params = { grant_id: grant }
  expect(await within({ id: 'messages.list', params, query: { limit: 2, select: 'id,subject' } })).toEqual(
    await overHttp('GET', '/messages?limit=2&select=id,subject'),
  )
  expect(await within({ id: 'messages.get', params: { ...params, message_id: 'a/b' } })).toEqual(
    await overHttp('GET', '/messages/a%2Fb'),
  )
  expect(
    await within({ id: 'messages.update', params: { ...params, message_id: 'm1' }, body: { unread: false } }),
  ).toEqual(await overHttp('PUT', '/messages/m1', { unread: false }))
  expect(await within({ id: 'messages.list', params, query: { limit: 'many' } })).toEqual(
    await overHttp('GET', '/messages?limit=many'),
  )
  expect(await within({ id: 'messages.list', params: { grant_id: 'nobody' } })).toMatchObject({ status: 404 })
})

test('ids that no object can have match nothing', async () => {
  for (const id of ['', '\0', '\ud800']) {
    expect(await within({ id: 'messages.get', params: { grant_id: grant, message_id: id } })).toMatchObject({
      status: 404,
    })
  }
})

test('a repeated call with the same idempotency key has the same answer and no second effect', async () => {
  const call = {
    id: 'folders.create',
    params: { grant_id: grant },
    body: { name: 'Once' },
    idempotencyKey: 'internal-1',
  }
  const first = await internally(call)
  const calls = world.mailbox.calls.length
  const second = await internally(call)
  expect(second.body).toEqual(first.body)
  expect(second.headers['idempotent-response']).toBe('true')
  expect(world.mailbox.calls.length).toBe(calls)
})

test('a file is answered as a stream', async () => {
  const { status, file } = await internally({
    id: 'attachments.download',
    params: { grant_id: grant, attachment_id: 'a' },
    query: { message_id: 'm1' },
  })
  expect(status).toBe(200)
  expect(Buffer.from(file?.file.first ?? []).toString()).toBe('hello, ')
  await file?.file.reader.cancel()
})

test('routes of administrators cannot be called', async () => {
  expect(await within({ id: 'people.list' })).toMatchObject({ status: 500 })
  await expect(internally({ id: 'no.such' })).rejects.toThrow('there is no route no.such')
})
