/** The rows of message metadata, on both engines: ownership, search and deletion. */
import { randomUUID } from 'node:crypto'
import {
  findTaggedMessages,
  forgetMessageMetadata,
  keepMessageMetadata,
  type Mailbox,
  removeMessageMetadata,
  withMetadata,
  withMetadataOfAll,
} from '@waypost/store/tables/mail/message-metadata'
import { engines } from '@waypost/testing/engines'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedService, type TestService } from '../../harness.ts'

describe.each(engines)('message metadata on %s', (engine) => {
  let service: TestService
  let owner: { id: string; key: string }
  beforeAll(async () => {
    service = await sharedService(engine)
    owner = await service.createApplication()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const database = () => service.services.storage.database
  const newMailbox = async (): Promise<Mailbox> => {
    const grant = await service.createGrant(`${randomUUID()}@x.test`, owner.key)
    return { applicationId: owner.id, grantId: grant.id }
  }
  const keep = (at: Mailbox, messageId: string, metadata: Record<string, string>, now = 1) =>
    database().transaction((tx) => keepMessageMetadata(tx, at, { messageId, metadata, now }))
  const all = { after: undefined, limit: 100 }
  const pair = { key: 'key1', value: 'a' }

  test('is added to messages that have some, in order, however many there are', async () => {
    const at = await newMailbox()
    const messages = Array.from({ length: 450 }, (_, n) => ({ id: `m${n}`, n }))
    for (const n of [0, 199, 200, 449]) await keep(at, `m${n}`, { n: String(n) })
    const tagged = await withMetadataOfAll(database(), at, messages)
    expect(tagged.map(({ id }) => id)).toEqual(messages.map(({ id }) => id))
    expect(tagged.filter((message) => 'metadata' in message)).toEqual(
      [0, 199, 200, 449].map((n) => ({ id: `m${n}`, n, metadata: { n: String(n) } })),
    )
    expect(await withMetadataOfAll(database(), at, [])).toEqual([])
    expect(await withMetadata(database(), at, { id: 'm0' })).toEqual({ id: 'm0', metadata: { n: '0' } })
    expect(await withMetadata(database(), at, { id: 'm1' })).toEqual({ id: 'm1' })
  })

  test('belongs to one grant of one application', async () => {
    const [at, other] = [await newMailbox(), await newMailbox()]
    await keep(at, 'm', { key1: 'a' })
    const stranger = { applicationId: randomUUID(), grantId: at.grantId }
    for (const elsewhere of [other, stranger]) {
      expect(await withMetadata(database(), elsewhere, { id: 'm' })).toEqual({ id: 'm' })
      expect(await findTaggedMessages(database(), elsewhere, [pair], all)).toEqual([])
      await removeMessageMetadata(database(), elsewhere, 'm')
      await forgetMessageMetadata(database(), elsewhere, { id: 'm', updatedAt: 1 })
    }
    expect(await keep(stranger, 'm', { key1: 'stolen' })).toBe(false)
    expect(await withMetadata(database(), at, { id: 'm' })).toEqual({ id: 'm', metadata: { key1: 'a' } })
  })

  test('is not written for a deleted grant, and is deleted with its grant', async () => {
    const at = await newMailbox()
    expect(await keep(at, 'm', { key1: 'a' })).toBe(true)
    await service.call('DELETE', `/v3/grants/${at.grantId}`, { key: owner.key })
    expect(await withMetadata(database(), at, { id: 'm' })).toEqual({ id: 'm' })
    expect(await keep(at, 'm', { key1: 'a' })).toBe(false)
    expect(await keep(at, 'm', {})).toBe(false)
  })

  test('is found by its pairs, newest first, and after a position', async () => {
    const at = await newMailbox()
    for (const [id, now] of [
      ['m1', 10],
      ['m2', 30],
      ['m3', 20],
      ['m4', 20],
    ] as const) {
      await keep(at, id, { key1: 'a', key2: id }, now)
    }
    const found = await findTaggedMessages(database(), at, [pair], all)
    expect(found.map(({ id }) => id)).toEqual(['m2', 'm4', 'm3', 'm1'])
    for (const [index, after] of found.entries()) {
      expect(await findTaggedMessages(database(), at, [pair], { after, limit: 100 })).toEqual(found.slice(index + 1))
    }
    expect(await findTaggedMessages(database(), at, [pair], { after: undefined, limit: 2 })).toEqual(found.slice(0, 2))
    const both = [pair, { key: 'key2', value: 'm3' }]
    expect(await findTaggedMessages(database(), at, both, all)).toEqual([{ id: 'm3', updatedAt: 20 }])
  })

  test('that was set again since is not deleted', async () => {
    const at = await newMailbox()
    await keep(at, 'm', { key1: 'a' }, 1)
    await keep(at, 'm', { key1: 'b' }, 2)
    await forgetMessageMetadata(database(), at, { id: 'm', updatedAt: 1 })
    expect(await withMetadata(database(), at, { id: 'm' })).toEqual({ id: 'm', metadata: { key1: 'b' } })
    await forgetMessageMetadata(database(), at, { id: 'm', updatedAt: 2 })
    expect(await withMetadata(database(), at, { id: 'm' })).toEqual({ id: 'm' })
  })

  test('of two concurrent writers is completely one of both', async () => {
    const at = await newMailbox()
    const writers = Array.from({ length: 8 }, (_, n) => keep(at, 'm', { key1: `w${n}`, key2: `w${n}` }, n))
    expect(await Promise.all(writers)).toEqual(Array(8).fill(true))
    const { metadata } = await withMetadata<{ id: string; metadata?: Record<string, string> }>(database(), at, {
      id: 'm',
    })
    expect(metadata?.key1).toMatch(/^w\d$/)
    expect(metadata?.key2).toBe(metadata?.key1)
    const found = await findTaggedMessages(database(), at, [{ key: 'key1', value: metadata?.key1 ?? '' }], all)
    expect(found.map(({ id }) => id)).toEqual(['m'])
  })
})
