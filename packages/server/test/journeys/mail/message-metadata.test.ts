/** Metadata of messages: the service stores it, whatever the provider supports. */

import { contract, limits, type Message } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { enginesFor } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { connectMail, type MailService, messageOf, openMailService } from '../../api/pipeline/mail-provider.ts'
import type { CallOptions } from '../../harness.ts'

const rows = sql<{ grant_id: string; message_id: string }>(
  'test.metadata',
  'select grant_id, message_id from message_metadata order by message_id',
)

describe.for(enginesFor(import.meta.url))('on %s', (engine) => {
  const clock = testClock()
  let world: MailService
  beforeAll(async () => {
    world = await openMailService({ engine, overrides: { clock } })
  })
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(async () => {
    clock.advance(1000)
    world.mailbox.messages.clear()
    world.mailbox.before = () => undefined
    for (const id of ['m1', 'm2', 'm3', 'm4', 'm5']) world.mailbox.messages.set(id, messageOf(id))
    world.mailbox.calls.length = 0
  })
  afterEach(() => world.service.services.storage.database.run(sql('test.clear', 'delete from message_metadata')))

  const call = (method: string, path: string, options?: CallOptions) =>
    world.service.call(method, `${world.at}${path}`, options)
  const put = async (id: string, metadata: Record<string, string> | null, options: CallOptions = {}) => {
    clock.advance(1)
    return call('PUT', `/messages/${id}`, { body: { metadata }, ...options })
  }
  const metadataOf = async (id: string) => (await call('GET', `/messages/${id}`)).body.data.metadata
  const operations = () => world.mailbox.calls.map(({ operation }) => operation)
  const retained = async () => (await world.service.services.storage.database.all(rows)).map((row) => row.message_id)
  const idsOf = (messages: Message[]) => messages.map(({ id }) => id)
  const find = (query: string) => call('GET', `/messages?${query}`)

  test('is returned with the message on every endpoint', async () => {
    const metadata = { key1: 'blue', note: 'Ünïcode, with "quotes"' }
    expect((await put('m2', metadata)).body.data).toMatchObject({ id: 'm2', subject: 'Subject of m2', metadata })
    const list = (await call('GET', '/messages')).body.data
    expect(list.map((message: Message) => message.metadata)).toEqual([
      undefined,
      metadata,
      undefined,
      undefined,
      undefined,
    ])
    const threads = (await call('GET', '/threads')).body.data
    expect(threads[1].latest_draft_or_message.metadata).toEqual(metadata)
    expect(threads[0].latest_draft_or_message).not.toHaveProperty('metadata')
    const thread = `/threads/${encodeURIComponent('thread of m2')}`
    expect((await call('GET', thread)).body.data.latest_draft_or_message.metadata).toEqual(metadata)
    const marked = await call('PUT', thread, { body: { unread: false } })
    expect(marked.body.data.latest_draft_or_message.metadata).toEqual(metadata)
    const cleaned = await call('PUT', '/messages/clean', { body: { message_id: ['m1', 'm2'] } })
    expect(cleaned.body.data.map((message: Message) => message.metadata)).toEqual([undefined, metadata])
    expect((await call('PUT', '/messages/m2', { body: { starred: true } })).body.data.metadata).toEqual(metadata)
  })

  test('is left out of raw messages and of `select` without it', async () => {
    await put('m1', { key1: 'blue' })
    const raw = (await call('GET', '/messages/m1?fields=raw_mime')).body.data
    expect(Object.keys(raw).sort()).toEqual(['grant_id', 'id', 'object', 'raw_mime'])
    expect((await call('GET', '/messages?select=id&limit=1')).body.data).toEqual([{ id: 'm1' }])
    const chosen = (await call('GET', '/messages?select=id,metadata&limit=1')).body.data
    expect(chosen).toEqual([{ id: 'm1', metadata: { key1: 'blue' } }])
  })

  test('is read by one query for a page of any size', async () => {
    for (let n = 0; n < 120; n++) world.mailbox.messages.set(`n${n}`, messageOf(`n${n}`))
    for (let n = 0; n < 120; n += 40) await put(`n${n}`, { key1: String(n) })
    const all = vi.spyOn(world.service.services.storage.database, 'all')
    const { data } = (await call('GET', '/messages?limit=200')).body
    expect(all.mock.calls.filter(([statement]) => statement.text.includes('message_metadata'))).toHaveLength(1)
    all.mockRestore()
    const tagged = data.filter((message: Message) => message.metadata)
    expect(idsOf(tagged)).toEqual(['n0', 'n40', 'n80'])
    expect(data).toHaveLength(125)
  })

  test('is not queried while no message of the mailbox has any', async () => {
    const all = vi.spyOn(world.service.services.storage.database, 'all')
    const read = () => all.mock.calls.filter(([statement]) => statement.text.includes('message_metadata')).length
    expect((await call('GET', '/messages')).body.data.length).toBeGreaterThan(0)
    expect(read()).toBe(0)
    await put('m2', { key1: 'blue' })
    all.mockClear()
    const { data } = (await call('GET', '/messages')).body
    expect(data.find(({ id }: Message) => id === 'm2').metadata).toEqual({ key1: 'blue' })
    expect(read()).toBe(1)
    all.mockRestore()
  })

  test('is replaced as a whole; an empty object and null clear it', async () => {
    await put('m1', { key1: 'a', key2: 'b', other: 'c' })
    await put('m1', { key2: 'd' })
    expect(await metadataOf('m1')).toEqual({ key2: 'd' })
    expect((await find('metadata_pair=key1:a')).body.data).toEqual([])
    for (const nothing of [{}, null]) {
      await put('m1', { key1: 'a' })
      expect((await put('m1', nothing)).body.data).not.toHaveProperty('metadata')
      expect(await metadataOf('m1')).toBeUndefined()
    }
    expect(await retained()).toEqual([])
  })

  test('alone is not sent to the provider, and nobody is notified', async () => {
    await put('m1', { key1: 'a' })
    expect(operations()).toEqual(['messages.get'])
    // Newest first returns all notifications so far; the stream waits for those that may still be written before
    // them.
    const reported = await world.service.call('GET', '/v3/notifications?order=desc&limit=200')
    expect(reported.body.data.map(({ type }: { type: string }) => type)).toEqual(['grant.created'])
  })

  test('is written after the provider has changed the message, and is never sent to the provider', async () => {
    const answer = await call('PUT', '/messages/m1', { body: { unread: false, metadata: { key1: 'a' } } })
    expect(answer.body.data).toMatchObject({ unread: false, metadata: { key1: 'a' } })
    expect(world.mailbox.calls).toMatchObject([{ operation: 'messages.update', given: [{}, { unread: false }] }])
    expect(JSON.stringify(world.mailbox.calls)).not.toContain('metadata')
    world.mailbox.before = () => {
      throw new ApiError('provider_unavailable')
    }
    const failed = await call('PUT', '/messages/m1', { body: { unread: true, metadata: { key1: 'b' } } })
    expect(failed.status).toBe(504)
    world.mailbox.before = () => undefined
    expect(await metadataOf('m1')).toEqual({ key1: 'a' })
  })

  test('of a missing message is refused with 404, and nothing is stored', async () => {
    const answer = await put('nothing', { key1: 'a' })
    expect([answer.status, answer.body.error.type]).toEqual([404, 'not_found_error'])
    expect(await retained()).toEqual([])
  })

  test('has limits', async () => {
    const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']))
    const max = {
      ...pairs(limits.metadataPairs - 6),
      ...Object.fromEntries(['key1', 'key2', 'key3', 'key4', 'key5'].map((key) => [key, '界'.repeat(500)])),
      ['k'.repeat(limits.metadataKeyLength)]: 'v'.repeat(limits.metadataValueLength),
    }
    expect((await put('m1', max)).status).toBe(200)
    expect(await metadataOf('m1')).toEqual(max)
    const found = await find(`metadata_pair=${encodeURIComponent(`key3:${'界'.repeat(500)}`)}`)
    expect(idsOf(found.body.data)).toEqual(['m1'])
    for (const metadata of [
      pairs(limits.metadataPairs + 1),
      { ['k'.repeat(limits.metadataKeyLength + 1)]: 'v' },
      { '': 'v' },
      { k: 'v'.repeat(limits.metadataValueLength + 1) },
      { k: 1 },
      { k: { nested: 'v' } },
      { k: ['v'] },
      { k: null },
    ]) {
      const answer = await call('PUT', '/messages/m1', { body: { metadata } })
      expect(answer.status, JSON.stringify(metadata).slice(0, 80)).toBe(400)
    }
    expect(await metadataOf('m1')).toEqual(max)
  })

  describe('as a filter', () => {
    test('finds the messages with the pair, newest metadata first', async () => {
      for (const id of ['m3', 'm1', 'm4']) await put(id, { key1: 'blue', key2: id })
      await put('m2', { key1: 'red' })
      const found = await find('metadata_pair=key1:blue')
      expect(idsOf(found.body.data)).toEqual(['m4', 'm1', 'm3'])
      expect(found.body.data[0]).toMatchObject({ subject: 'Subject of m4', metadata: { key1: 'blue', key2: 'm4' } })
      expect(operations()).not.toContain('messages.list')
      await put('m3', { key1: 'blue' })
      expect(idsOf((await find('metadata_pair=key1:blue')).body.data)).toEqual(['m3', 'm4', 'm1'])
    })

    test('takes several pairs, all of which must match', async () => {
      await put('m1', { key1: 'a', key2: 'b' })
      await put('m2', { key1: 'a', key2: 'c' })
      await put('m3', { key1: 'a,key', key5: 'on site: 1' })
      expect(idsOf((await find('metadata_pair=key1:a,key2:b')).body.data)).toEqual(['m1'])
      expect(idsOf((await find('metadata_pair=key1:a&metadata_pair=key2:c')).body.data)).toEqual(['m2'])
      expect((await find('metadata_pair=key1:a,key1:b')).body.data).toEqual([])
      expect(idsOf((await find('metadata_pair=key1:a,key')).body.data)).toEqual(['m3'])
      expect(idsOf((await find('metadata_pair=key5:on+site:+1')).body.data)).toEqual(['m3'])
      expect((await find('metadata_pair=key1:A')).body.data).toEqual([])
    })

    test('pages without gaps or duplicates when the page size changes', async () => {
      const order = ['m2', 'm5', 'm1', 'm3', 'm4']
      for (const id of order.toReversed()) await put(id, { key1: 'a' })
      const seen: string[] = []
      let cursor: string | undefined
      for (const limit of [1, 3, 1]) {
        const page = await find(`metadata_pair=key1:a&limit=${limit}${cursor ? `&page_token=${cursor}` : ''}`)
        seen.push(...idsOf(page.body.data))
        cursor = page.body.next_cursor
        // Metadata that was set since then sorts before the remaining pages.
        await put('m2', { key1: 'a' })
      }
      expect(seen).toEqual(order)
      expect(cursor).toBeUndefined()
    })

    test('keeps its position among messages with the same timestamp', async () => {
      for (const id of ['m1', 'm2', 'm3']) await call('PUT', `/messages/${id}`, { body: { metadata: { key1: 'a' } } })
      const seen: string[] = []
      let cursor = ''
      do {
        const page = await find(`metadata_pair=key1:a&limit=1${cursor}`)
        seen.push(...idsOf(page.body.data))
        cursor = page.body.next_cursor ? `&page_token=${page.body.next_cursor}` : ''
      } while (cursor !== '')
      expect(seen.sort()).toEqual(['m1', 'm2', 'm3'])
    })

    test('skips deleted messages, deletes their metadata, and fills the page', async () => {
      for (const id of ['m1', 'm2', 'm3', 'm4', 'm5']) await put(id, { key1: 'a' })
      for (const id of ['m5', 'm3']) world.mailbox.messages.delete(id)
      const page = await find('metadata_pair=key1:a&limit=2')
      expect(idsOf(page.body.data)).toEqual(['m4', 'm2'])
      const last = await find(`metadata_pair=key1:a&limit=2&page_token=${page.body.next_cursor}`)
      expect(idsOf(last.body.data)).toEqual(['m1'])
      expect(last.body).not.toHaveProperty('next_cursor')
      expect(await retained()).toEqual(['m1', 'm2', 'm4'])
    })

    test('deletes no metadata while the provider is unavailable', async () => {
      for (const id of ['m1', 'm2']) await put(id, { key1: 'a' })
      world.mailbox.before = () => {
        throw new ApiError('provider_unavailable')
      }
      expect((await find('metadata_pair=key1:a')).status).toBe(504)
      expect(await retained()).toEqual(['m1', 'm2'])
    })

    test('requests at most four messages from the provider concurrently', async () => {
      for (let n = 0; n < 20; n++) {
        world.mailbox.messages.set(`n${n}`, messageOf(`n${n}`))
        await put(`n${n}`, { key1: 'many' })
      }
      let max = 0
      world.mailbox.before = async () => {
        max = Math.max(max, world.mailbox.busy)
        await new Promise((resolve) => setImmediate(resolve))
      }
      expect((await find('metadata_pair=key1:many')).body.data).toHaveLength(20)
      expect(max).toBe(4)
    })

    test('cannot be combined with other filters, but with paging, select and fields', async () => {
      await put('m1', { key1: 'a' })
      for (const other of [
        'in=INBOX',
        'unread=true',
        'subject=x',
        'thread_id=t',
        'received_after=1',
        'from=a@x.test',
      ]) {
        const answer = await find(`metadata_pair=key1:a&${other}`)
        expect([answer.status, answer.body.error?.message]).toEqual([400, expect.stringContaining('metadata_pair')])
      }
      const answer = await find('metadata_pair=key1:a&limit=5&select=id&fields=include_headers&query_imap=true')
      expect(answer.body.data).toEqual([{ id: 'm1' }])
      const raw = await find('metadata_pair=key1:a&fields=raw_mime')
      expect(Object.keys(raw.body.data[0]).sort()).toEqual(['grant_id', 'id', 'object', 'raw_mime'])
    })
  })

  test('belongs to one account, even if the ids are the same', async () => {
    const other = await connectMail(world.service, 'bob@mail.test')
    await put('m1', { key1: 'a' })
    expect((await world.service.call('GET', `/v3/grants/${other}/messages/m1`)).body.data).not.toHaveProperty(
      'metadata',
    )
    expect((await world.service.call('GET', `/v3/grants/${other}/messages?metadata_pair=key1:a`)).body.data).toEqual([])
    await world.service.call('PUT', `/v3/grants/${other}/messages/m1`, { body: { metadata: { key1: 'b' } } })
    expect(await metadataOf('m1')).toEqual({ key1: 'a' })
    expect(await retained()).toEqual(['m1', 'm1'])
    await world.service.call('DELETE', `/v3/grants/${other}`)
    expect(await retained()).toEqual(['m1'])
  })

  test('stays with a message in the trash, and is deleted with a permanently deleted one', async () => {
    await put('m1', { key1: 'a' })
    await call('DELETE', '/messages/m1')
    expect(await metadataOf('m1')).toEqual({ key1: 'a' })
    await world.service.call('PATCH', '/v3/applications', { body: { allow_hard_delete: true } })
    expect((await call('DELETE', '/messages/m1?hard_delete=true')).status).toBe(200)
    expect(await retained()).toEqual([])
  })

  describe('with an Idempotency-Key', () => {
    const once = (key: string): CallOptions => ({ headers: { 'idempotency-key': key } })

    test('is written once, and a retry gets the first response', async () => {
      const first = await put('m1', { key1: 'a' }, once('first'))
      await put('m1', { key1: 'b' })
      const again = await put('m1', { key1: 'a' }, once('first'))
      expect(again.body).toEqual(first.body)
      expect(await metadataOf('m1')).toEqual({ key1: 'b' })
    })

    test('is written together with a change of the message, in one response', async () => {
      const options: CallOptions = { ...once('both'), body: { starred: true, metadata: { key1: 'a' } } }
      const first = await call('PUT', '/messages/m1', options)
      const again = await call('PUT', '/messages/m1', options)
      expect(again.headers.get('idempotent-response')).toBe('true')
      expect(again.body).toEqual(first.body)
      expect(again.body.data).toMatchObject({ starred: true, metadata: { key1: 'a' } })
      expect(operations()).toEqual(['messages.update'])
    })

    test('is written together with its response or not at all', async () => {
      const { database } = world.service.services.storage
      const transaction = vi.spyOn(database, 'transaction').mockRejectedValueOnce(new Error('the disk is gone'))
      expect((await put('m1', { key1: 'a' }, once('crash'))).status).toBe(500)
      transaction.mockRestore()
      expect(await metadataOf('m1')).toBeUndefined()
      expect((await put('m1', { key1: 'a' }, once('crash'))).body.data.metadata).toEqual({ key1: 'a' })
    })
  })
})

test.for(enginesFor(import.meta.url))(
  'metadata is written in one transaction with the change if the service stores the account itself, on %s',
  async (engine) => {
    await using world = await openMailService({ engine }, { local: { open: (grant, io) => ({ grant, io }) } })
    world.mailbox.messages.set('m1', messageOf('m1'))
    const { database } = world.service.services.storage
    const transaction = vi.spyOn(database, 'transaction')
    for (const body of [{ starred: true, metadata: { key1: 'a' } }, { metadata: { key1: 'b' } }, { unread: false }]) {
      const options = { body, headers: { 'idempotency-key': JSON.stringify(body) } }
      transaction.mockClear()
      const first = await world.service.call('PUT', `${world.at}/messages/m1`, options)
      expect([first.status, transaction.mock.calls.length]).toEqual([200, 1])
      const again = await world.service.call('PUT', `${world.at}/messages/m1`, options)
      expect(again.headers.get('idempotent-response')).toBe('true')
      expect(again.body).toEqual(first.body)
    }
    const { data } = (await world.service.call('GET', `${world.at}/messages/m1`)).body
    expect(data).toMatchObject({ starred: true, unread: false, metadata: { key1: 'b' } })
  },
)

test('the contract has metadata where the responses have it', () => {
  expect(contract.messages.get.returns.shape).toHaveProperty('metadata')
  expect(contract.threads.get.returns.shape.latest_draft_or_message.shape).toHaveProperty('metadata')
})
