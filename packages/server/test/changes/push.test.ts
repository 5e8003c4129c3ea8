/** A push ends the wait of the node that watches the grant, whichever node receives it. */
import { randomBytes, randomUUID } from 'node:crypto'
import { ApiError } from '@waypost/platform/api-error'
import { keyRingFromText } from '@waypost/platform/crypto/key-ring'
import type { Io } from '@waypost/providers/io'
import type { PushHint, PushRequest } from '@waypost/providers/provider'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { enginesFor } from '@waypost/testing/engines'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type PushAnswer, receivePush } from '../../src/changes/push.ts'
import { createPushTokens } from '../../src/grants/push-tokens.ts'
import { arrival, type Node, openPost, type Post, until } from './watching.ts'

const tokens = createPushTokens(keyRingFromText(randomBytes(32).toString('base64')))
const posted = (hint: PushHint): PushRequest => ({
  path: 'mail',
  query: new URLSearchParams(),
  header: () => null,
  body: Buffer.from(JSON.stringify(hint)),
  address: 'http://127.0.0.1/v3/push/imap/mail',
})

describe.each(enginesFor(import.meta.url))('a push on %s', (engine) => {
  let post: Post
  let first: Node
  let second: Node
  beforeEach(async () => {
    post = await openPost(engine, async ({ body, query }) => {
      const validationToken = query.get('validationToken')
      if (validationToken !== null) return { answer: { status: 200, contentType: 'text/plain', body: validationToken } }
      return { hints: [JSON.parse(Buffer.from(body).toString())] }
    })
    first = await post.node()
    second = await post.node()
  })
  /** A new grant, when a node waits for its changes. */
  async function watchedGrant(): Promise<GrantRecord> {
    const record = await post.grant()
    tellNodes()
    await until(() => expect(post.mailbox(record).isWaitedFor).toBe(true))
    return record
  }
  afterEach(() => post[Symbol.asyncDispose]())

  /** Nodes are told what others write, as they are on PostgreSQL. */
  const tellNodes = (): void => {
    for (const { watcher } of [first, second]) watcher.wake()
  }
  const receive = (node: Node, kind: string, hint: PushHint, query?: string): Promise<PushAnswer | undefined> => {
    const tools = { queries: post.database, providers: post.providers, tokens, watcher: node.watcher }
    // The fake provider needs no services.
    const ioFor = () => ({}) as Io
    const request = { ...posted(hint), query: new URLSearchParams(query) }
    return receivePush({ ...tools, ioFor }, kind, request).finally(tellNodes)
  }

  test('gets the response that the provider expects, and starts no poll', async () => {
    const answer = await receive(first, 'imap', { token: 'of nobody' }, 'validationToken=echo me')
    expect(answer).toEqual({ status: 200, contentType: 'text/plain', body: 'echo me' })
  })

  test('starts a poll at once, on the receiving node and on another one', async () => {
    const records = await Promise.all(Array.from({ length: 8 }, watchedGrant))
    expect(first.watcher.size + second.watcher.size).toBe(8)
    for (const [index, record] of records.entries()) {
      post.mailbox(record).happened.push(arrival(`m${index}`))
      const token = tokens.sign({ applicationId: record.applicationId, grantId: record.grant.id })
      await receive(first, 'imap', { token })
    }
    for (const [index, record] of records.entries()) {
      await until(async () => expect(await post.reportedIds(record)).toEqual([`m${index}`]))
    }
  })

  test('names an address: every grant with it is polled', async () => {
    const record = await watchedGrant()
    post.mailbox(record).happened.push(arrival('m1'))
    await receive(second, 'imap', { email: (record.grant.email ?? '').toUpperCase() })
    await until(async () => expect(await post.reportedIds(record)).toEqual(['m1']))
  })

  test('announces the end of the subscription: the watching node renews it once, also after a failure', async () => {
    const record = await watchedGrant()
    const mailbox = post.mailbox(record)
    const token = tokens.sign({ applicationId: record.applicationId, grantId: record.grant.id })
    for (const [index, node] of [first, second].entries()) {
      await receive(node, 'imap', { token, renewPush: true })
      await receive(node, 'imap', { token })
      await until(() => expect(mailbox.renewals).toBe(index + 1))
      await until(() => expect(mailbox.isWaitedFor).toBe(true))
    }
    let isDown = true
    mailbox.before = () => {
      if (isDown) throw new ApiError('provider_unavailable')
    }
    await receive(first, 'imap', { token, renewPush: true })
    await until(() => expect(mailbox.renewals).toBe(3))
    isDown = false
    // It is retried after a pause, with the same argument.
    await until(() => {
      post.clock.advance(60_000)
      tellNodes()
      expect(mailbox.renewals).toBe(4)
    })
    await until(() => expect(mailbox.isWaitedFor).toBe(true))
    mailbox.wakeWatch()
    await until(() => expect(mailbox.isWaitedFor).toBe(true))
    expect(mailbox.renewals).toBe(4)
  })

  test('during a sync starts another sync', async () => {
    const record = await watchedGrant()
    const mailbox = post.mailbox(record)
    const token = tokens.sign({ applicationId: record.applicationId, grantId: record.grant.id })
    const { promise, resolve } = Promise.withResolvers<void>()
    mailbox.before = () => promise
    const requested = mailbox.requested.length
    mailbox.wakeWatch()
    await until(() => expect(mailbox.requested.length).toBe(requested + 1))
    await receive(first, 'imap', { token })
    await receive(second, 'imap', { token })
    mailbox.before = undefined
    resolve()
    await until(() => expect(mailbox.requested.length).toBeGreaterThan(requested + 1))
    await until(() => expect(mailbox.isWaitedFor).toBe(true))
  })

  test('gets 404 if its token is forged or the provider has no push', async () => {
    const record = await post.grant()
    const token = tokens.sign({ applicationId: record.applicationId, grantId: record.grant.id })
    const forged = [`${token}x`, token.replace(record.grant.id, randomUUID()), '', 'a.b.c.d']
    for (const each of forged) {
      await expect(receive(first, 'imap', { token: each })).rejects.toMatchObject({ code: 'not_found' })
    }
    await expect(receive(first, 'nobody', { token })).rejects.toBeInstanceOf(ApiError)
    await expect(receive(first, 'imap', { token })).resolves.toBeUndefined()
    await receive(first, 'imap', { email: 'nobody@example.com' })
  })
})
