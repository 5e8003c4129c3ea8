/** Mail through the client: every operation by its name, and files as streams or as a whole. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type MailService, messageOf, openMailService, streamOf } from '../../server/test/api/pipeline/mail-provider.ts'
import { createWaypost, type WaypostClient, WaypostError } from '../src/index.ts'
import { clientOf } from './service-client.ts'

let world: MailService
let waypost: WaypostClient
let grant_id: string
beforeEach(async () => {
  world = await openMailService()
  world.mailbox.messages.set('a/b', messageOf('a/b'))
  world.mailbox.messages.set('m', messageOf('m'))
  waypost = clientOf(world.service)
  grant_id = world.grantId
})
afterEach(async () => {
  vi.useRealTimers()
  await world[Symbol.asyncDispose]()
})

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const failureOf = async (call: Promise<unknown>): Promise<WaypostError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof WaypostError) return error
  throw new Error('the call did not fail with a WaypostError', { cause: error })
}

test('messages, threads and folders are read and changed', async () => {
  const listed: string[] = []
  for await (const { id } of waypost.messages.list.all({ grant_id, query: { limit: 1, in: 'INBOX' } })) listed.push(id)
  expect(listed).toEqual(['a/b', 'm'])
  const change = { unread: false, metadata: { key1: 'blue' } }
  const { data: changed } = await waypost.messages.update({ grant_id, message_id: 'a/b', body: change })
  expect(changed).toMatchObject({ id: 'a/b', ...change })
  const found = await waypost.messages.list({ grant_id, query: { metadata_pair: 'key1:blue' } })
  expect(found.data).toEqual([changed])
  const { data: cleaned } = await waypost.messages.clean({ grant_id, body: { message_id: ['m'] } })
  expect(cleaned[0]?.conversation).toBe('Text')
  const { data: thread } = await waypost.threads.get({ grant_id, thread_id: 'thread of a/b' })
  expect(thread.latest_draft_or_message.metadata).toEqual({ key1: 'blue' })
  const { data: folder } = await waypost.folders.create({ grant_id, body: { name: 'Bills' } })
  await waypost.folders.update({ grant_id, folder_id: folder.id, body: { name: 'Paid' } })
  expect((await waypost.folders.list({ grant_id })).data.map(({ name }) => name)).toEqual(['Paid'])
  await waypost.folders.delete({ grant_id, folder_id: folder.id })
  await waypost.messages.delete({ grant_id, message_id: 'm' })
  expect((await waypost.messages.get({ grant_id, message_id: 'm' })).data.folders).toEqual(['Trash'])
})

describe('a file', () => {
  const at = { attachment_id: 'x', query: { message_id: 'm' } }
  const download = (signal?: AbortSignal) =>
    waypost.attachments.download({ grant_id, ...at, ...(signal && { signal }) })

  test('is returned as a whole, with its type, name and size', async () => {
    const filename = "Übersicht, 'final' (1)*.pdf"
    const content = streamOf('hello, ', 'world')
    world.mailbox.download = () => ({ content, contentType: 'application/pdf', filename, size: 12 })
    const file = await download()
    expect(file).toMatchObject({ contentType: 'application/pdf', filename, size: 12 })
    expect(file.requestId).toBe(file.headers.get('x-request-id'))
    expect(decode(await file.bytes())).toBe('hello, world')
  })

  test('can have neither name nor size', async () => {
    world.mailbox.download = () => ({ content: streamOf(), contentType: 'no type', filename: null })
    const file = await download()
    expect(file).toMatchObject({ contentType: 'application/octet-stream', filename: undefined, size: undefined })
    expect((await file.bytes()).byteLength).toBe(0)
  })

  test('is returned as a stream', async () => {
    const parts: string[] = []
    for await (const part of (await download()).stream) parts.push(decode(part))
    expect(parts.join('')).toBe('hello, world')
  })

  test('can take longer than the timeout of an attempt', async () => {
    const gate = Promise.withResolvers<void>()
    const content = ReadableStream.from(
      (async function* () {
        yield new TextEncoder().encode('first')
        await gate.promise
        yield new TextEncoder().encode(' and last')
      })(),
    )
    world.mailbox.download = () => ({ content, contentType: 'text/plain', filename: null })
    const hasty = clientOf(world.service, { apiKey: world.service.apiKey, timeoutMs: 1000 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const file = await hasty.attachments.download({ grant_id, ...at })
    await vi.advanceTimersByTimeAsync(2000)
    vi.useRealTimers()
    gate.resolve()
    expect(decode(await file.bytes())).toBe('first and last')
  })

  test('that does not exist is an error like any other', async () => {
    const call = waypost.attachments.download({ grant_id, attachment_id: 'x', query: { message_id: 'nothing' } })
    const error = await failureOf(call)
    expect([error.status, error.type]).toEqual([404, 'not_found_error'])
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('that is interrupted is a network error, and never a partial file', async () => {
    const content = ReadableStream.from(
      (async function* () {
        yield new TextEncoder().encode('first')
        throw new Error('the mail server hung up')
      })(),
    )
    world.mailbox.download = () => ({ content, contentType: 'text/plain', filename: null })
    const file = await download()
    const error = await failureOf(file.bytes())
    expect([error.type, error.temporary]).toEqual(['network_error', true])
  })

  test('is aborted by its signal', async () => {
    const cancelled = Promise.withResolvers<void>()
    const content = new ReadableStream<Uint8Array>({
      pull: (own) => own.enqueue(new Uint8Array(1024)),
      cancel: () => cancelled.resolve(),
    })
    world.mailbox.download = () => ({ content, contentType: 'a/b', filename: null })
    const address = await world.service.listen()
    const remote = createWaypost({ baseUrl: address, apiKey: world.service.apiKey })
    const stop = new AbortController()
    const file = await remote.attachments.download({ grant_id, ...at, signal: stop.signal })
    const bytes = file.bytes()
    stop.abort(new Error('enough'))
    await expect(bytes).rejects.toThrow('enough')
    await cancelled.promise
  })

  test('is not the page of a proxy', async () => {
    const page = async () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
    const client = createWaypost({ apiKey: 'key', fetch: page, retries: 0 })
    const error = await failureOf(client.attachments.download({ grant_id, ...at }))
    expect(error.type).toBe('unexpected_answer')
  })
})
