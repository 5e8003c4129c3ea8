/** Tracked messages from the first open to the last notification, through the real HTTP server, on both stores. */

import { randomBytes, randomUUID } from 'node:crypto'
import type { Grant } from '@waypost/contract'
import { keyRingFromText } from '@waypost/platform/crypto/key-ring'
import { getGrant } from '@waypost/store/tables/grants/grants'
import { readTrackedOptions } from '@waypost/store/tables/mail/tracked-lookups'
import { findTracked, keepTracked, linksOf, nameTracked } from '@waypost/store/tables/mail/tracked-messages'
import { enginesFor } from '@waypost/testing/engines'
import { sql } from '@waypost/testing/statement'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loseAccess, needGrant } from '../../../src/grants/grants.ts'
import { noticeReply } from '../../../src/sending/replies/replies.ts'
import { createTrackingPages } from '../../../src/sending/tracking/pages.ts'
import { createTrackingTokens } from '../../../src/sending/tracking/tokens.ts'
import { type TrackingWish, trackingPlanOf } from '../../../src/sending/tracking/tracking.ts'
import { createVisitCounter } from '../../../src/sending/tracking/visit-counter.ts'
import { openService, type TestService } from '../../harness.ts'
import { notificationsOf } from '../../webhooks/notification-rows.ts'
import { until } from '../../webhooks/webhook-setup.ts'

const baseUrl = 'https://mail.example/way'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:135.0) Gecko/20100101 Firefox/135.0'
const hour = 3_600_000
const body =
  '<p><a href="https://www.example.com">One</a> <a href="https://www.example.com/two?a=1&amp;b=2">Two</a></p>'
const everything: TrackingWish = { opens: true, links: true, thread_replies: true, label: 'spring' }
const tableSize = sql<{ messages: number; links: number }>(
  'test.tracked',
  'select (select count(*) from tracked_messages) as messages, (select count(*) from tracked_links) as links',
)

describe.each(enginesFor(import.meta.url))('tracking on %s', (engine) => {
  let service: TestService
  let clock: TestClock
  let owner: { id: string; key: string }
  beforeAll(async () => {
    clock = testClock()
    service = await openService({
      engine,
      env: { WAYPOST_BASE_URL: baseUrl },
      overrides: { clock },
    })
    owner = await service.createApplication()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  interface Sent {
    grantId: string
    email: string
    sendId: string
    mimeId: string
    messageId: string
    pixel: string
    links: string[]
  }

  /** Sends a message with tracking, from a new grant unless one is given. */
  async function send(
    options = everything,
    from?: Pick<Sent, 'grantId' | 'email'>,
    { keepsClock = false } = {},
  ): Promise<Sent> {
    const { database, keyRing, seals } = service.services.storage
    const email = from?.email ?? `${randomUUID()}@mail.test`
    const grantId = from?.grantId ?? (await service.createGrant(email, owner.key)).id
    const sendId = randomUUID()
    const plan = trackingPlanOf({ body, tracking_options: options }, { sendId, baseUrl, keyRing })
    if (!plan) throw new Error('nothing is tracked')
    const mimeId = `${sendId}@mail.example`
    const messageId = `m-${sendId}`
    await database.transaction(async (tx) => {
      await keepTracked(tx, { applicationId: owner.id, grantId, mimeId, now: clock.now() }, plan.rows, seals)
      await nameTracked(tx, { applicationId: owner.id, sendId }, { messageId, sentAt: clock.now() })
    })
    const links = [...(plan.html ?? '').matchAll(/href="([^"]+)"/g)].map(([, url = '']) => pathOf(url))
    const pixel = pathOf(/src="([^"]+)"/.exec(plan.html ?? '')?.[1] ?? '')
    if (!keepsClock) clock.advance(60_000)
    return { grantId, email, sendId, mimeId, messageId, pixel, links }
  }
  const pathOf = (url: string): string => url.slice(new URL(url).origin.length)
  const visit = (path: string, init: RequestInit = {}) =>
    service.app.request(path, { ...init, headers: { 'user-agent': firefox, ...init.headers } })
  const reported = async ({ grantId }: Sent) =>
    (await notificationsOf(service.services.storage.database, grantId, service.services.storage.payloads.seals)).filter(
      ({ type }) => !type.startsWith('grant.'),
    )
  const tracked = (sent: Sent) =>
    findTracked(service.services.storage.database, sent.sendId, service.services.storage.seals)
  const links = (sent: Sent) =>
    linksOf(
      service.services.storage.database,
      { applicationId: owner.id, sendId: sent.sendId },
      service.services.storage.seals,
    )
  /**
   * Visits are counted in the order in which they arrive: once a later visit to another message is reported, this one
   * has been counted.
   */
  const quiet = async (): Promise<void> => {
    const other = await send(everything, undefined, { keepsClock: true })
    await visit(other.pixel)
    await until(async () => expect(await reported(other)).toHaveLength(1))
  }

  test('an open is answered with an image that is not cached, and is notified', async () => {
    const sent = await send()
    const at = clock.now()
    const answer = await visit(sent.pixel)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/gif')
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(Buffer.from(await answer.arrayBuffer()).toString('latin1', 0, 6)).toBe('GIF89a')
    const [opened] = await until(async () => {
      const all = await reported(sent)
      expect(all).toHaveLength(1)
      return all
    })
    expect(opened).toMatchObject({ type: 'message.opened', source: '/waypost/tracking' })
    const timestamp = Math.floor(at / 1000)
    expect(opened?.object).toEqual({
      object: 'message',
      grant_id: sent.grantId,
      message_id: sent.messageId,
      label: 'spring',
      message_data: { count: 1, timestamp },
      recents: [{ opened_id: 0, ip: 'local', timestamp, user_agent: firefox }],
      sender_app_id: owner.id,
      timestamp,
    })
  })

  test('opens within a minute count as one, and a later one is notified with all of them', async () => {
    const sent = await send()
    for (let load = 0; load < 5; load++) await visit(sent.pixel)
    await until(async () => expect(await reported(sent)).toHaveLength(1))
    clock.advance(59_000)
    await visit(sent.pixel)
    await quiet()
    expect(await reported(sent)).toHaveLength(1)
    clock.advance(1_000)
    await visit(sent.pixel)
    const second = await until(async () => {
      const all = await reported(sent)
      expect(all).toHaveLength(2)
      return all[1]
    })
    expect(second?.object).toMatchObject({ message_data: { count: 2 }, recents: [{ opened_id: 0 }, { opened_id: 1 }] })
  })

  test('a click redirects without a referrer, and is notified', async () => {
    const sent = await send()
    const at = clock.now()
    const answer = await visit(sent.links[1] ?? '', { redirect: 'manual' })
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe('https://www.example.com/two?a=1&b=2')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('set-cookie')).toBeNull()
    const [clicked] = await until(async () => {
      const all = await reported(sent)
      expect(all).toHaveLength(1)
      return all
    })
    const timestamp = Math.floor(at / 1000)
    expect(clicked?.type).toBe('message.link_clicked')
    expect(clicked?.object).toEqual({
      object: 'message',
      grant_id: sent.grantId,
      message_id: sent.messageId,
      label: 'spring',
      link_data: [
        { url: 'https://www.example.com', count: 0 },
        { url: 'https://www.example.com/two?a=1&b=2', count: 1 },
      ],
      recents: [{ click_id: 0, link_index: '1', ip: 'local', timestamp, user_agent: firefox }],
      sender_app_id: owner.id,
      timestamp,
    })
  })

  test('HEAD requests, prefetches and scanners are redirected and not counted', async () => {
    const sent = await send()
    const [link = ''] = sent.links
    const programs: RequestInit[] = [
      { method: 'HEAD' },
      { headers: { purpose: 'prefetch' } },
      { headers: { 'sec-purpose': 'prefetch;prerender' } },
      { headers: { 'x-moz': 'prefetch' } },
      { headers: { 'user-agent': 'Barracuda Link Scanner' } },
    ]
    for (const program of programs) {
      expect((await visit(link, program)).status).toBe(302)
      expect((await visit(sent.pixel, program)).status).toBe(200)
    }
    await until(async () => {
      expect((await links(sent))[0]).toMatchObject({ count: 0, flagged: 5 })
      expect((await tracked(sent))?.opens).toMatchObject({ count: 0, flagged: 5 })
    })
    expect(await reported(sent)).toEqual([])
    await visit(link)
    await until(async () => expect(await reported(sent)).toHaveLength(1))
  })

  test('a forged link does not redirect, and nobody is notified', async () => {
    const [sent, other] = [await send(), await send()]
    const [link = ''] = sent.links
    const token = link.slice(link.lastIndexOf('/') + 1)
    const foreign = createTrackingTokens(keyRingFromText(randomBytes(32).toString('base64')))
    const target = 'https://www.example.com'
    const forged = [
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      foreign.sign({ sendId: sent.sendId, link: 0, target }),
      createTrackingTokens(service.services.storage.keyRing).sign({ sendId: randomUUID(), link: 0, target }),
      // Signed with the right key, but for a link or a target that the message does not have.
      createTrackingTokens(service.services.storage.keyRing).sign({ sendId: sent.sendId, link: 9, target }),
      createTrackingTokens(service.services.storage.keyRing).sign({
        sendId: sent.sendId,
        link: 0,
        target: 'https://evil.example',
      }),
      createTrackingTokens(service.services.storage.keyRing).sign({ sendId: sent.sendId, link: undefined }),
      `${token.split('.').slice(0, 3).join('.')}.${(other.links[0] ?? '').split('.').at(-1)}`,
      'x',
      '%00',
      '%2e%2e',
    ]
    for (const each of forged) {
      const answer = await visit(`/way/t/c/${each}?url=https://evil.example`)
      expect([answer.status, answer.headers.get('location')], each).toEqual([404, null])
      const picture = await visit(`/way/t/o/${each}.gif`)
      expect([picture.status, picture.headers.get('content-type')], each).toEqual([200, 'image/gif'])
    }
    expect((await visit(sent.pixel.replace('/t/o/', '/t/c/'))).status).toBe(404)
    expect((await visit(link, { method: 'POST' })).status).toBe(405)
    await quiet()
    // The pixel's own token was among them, requested as an image: that one is an open.
    expect((await reported(sent)).map(({ type }) => type)).toEqual(['message.opened'])
    expect(await links(sent)).toMatchObject([{ count: 0 }, { count: 0 }])
    expect(await reported(other)).toEqual([])
  })

  test('links keep working after the key that signed them was removed', async () => {
    const sent = await send()
    const added: unknown[] = []
    const pages = createTrackingPages({
      queries: service.services.storage.database,
      seals: service.services.storage.seals,
      clock,
      tokens: createTrackingTokens(keyRingFromText(randomBytes(32).toString('base64'))),
      book: { add: (visited) => void added.push(visited) },
    })
    const name = (path = '') => path.slice(path.lastIndexOf('/') + 1)
    const requested = { method: 'GET', header: () => null, address: '192.0.2.1' }
    const answer = await pages.click({ ...requested, name: name(sent.links[0]) })
    expect(answer?.headers.location).toBe('https://www.example.com/')
    await pages.open({ ...requested, name: name(sent.pixel) })
    expect(added).toHaveLength(2)
    const changed = name(sent.links[0]).replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))
    expect(await pages.click({ ...requested, name: changed })).toBeUndefined()
  })

  test('deleting the grant ends tracking: links do not redirect, and nobody is notified', async () => {
    const sent = await send()
    await service.call('DELETE', `/v3/grants/${sent.grantId}`, { key: owner.key })
    expect((await visit(sent.links[0] ?? '')).status).toBe(404)
    expect((await visit(sent.pixel)).headers.get('content-type')).toBe('image/gif')
    expect(await tracked(sent)).toBeUndefined()
    expect(await links(sent)).toEqual([])
    await quiet()
    expect(await reported(sent)).toEqual([])
  })

  test('ten thousand clicks are all counted, with few rows and few notifications', async () => {
    const sent = await send()
    const before = await service.services.storage.database.get(tableSize)
    const [link = ''] = sent.links
    for (let round = 0; round < 100; round++) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => visit(link)))
      expect(answers.every(({ status }) => status === 302)).toBe(true)
    }
    await until(async () => expect((await links(sent))[0]?.count).toBe(10_000))
    expect(await service.services.storage.database.get(tableSize)).toEqual(before)
    const all = await reported(sent)
    expect(all.length).toBeLessThan(1_000)
    const last = all.at(-1)?.object
    expect(last.link_data[0].count).toBe(10_000)
    expect(last.recents.map(({ click_id }: { click_id: number }) => click_id)).toEqual(
      Array.from({ length: 50 }, (_, index) => 9_950 + index),
    )
  })

  test('two nodes that count concurrently lose nothing', async () => {
    const sent = await send()
    const { database, log, seals } = service.services.storage
    const { notify } = service.services.notifications
    const at = { applicationId: owner.id, grantId: sent.grantId, sendId: sent.sendId, link: 0 }
    {
      await using one = createVisitCounter({ database, notify, log, seals, pauseMs: 5 })
      await using two = createVisitCounter({ database, notify, log, seals, pauseMs: 5 })
      for (let round = 0; round < 20; round++) {
        for (const book of [one, two])
          book.add(at, { ip: '192.0.2.1', userAgent: firefox, at: clock.now(), isAdvance: false })
        // The other one has not counted its visit yet, or does so at the same time.
        await (round % 2 ? one : two).settled()
      }
    }
    expect((await links(sent))[0]?.count).toBe(40)
    const counts = (await reported(sent)).map(({ object }) => object.link_data[0].count)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(counts.at(-1)).toBe(40)
  })

  test('a temporary failure of the store loses no visit', async () => {
    const sent = await send()
    const { database, log, seals } = service.services.storage
    const { notify } = service.services.notifications
    let failures = 2
    const shaky: typeof database = {
      ...database,
      transaction: (work) => (failures-- > 0 ? Promise.reject(new Error('away')) : database.transaction(work)),
    }
    await using book = createVisitCounter({ database: shaky, notify, log, seals, pauseMs: 1 })
    const at = { applicationId: owner.id, grantId: sent.grantId, sendId: sent.sendId, link: 1 }
    for (let n = 0; n < 100; n++)
      book.add(at, { ip: '192.0.2.1', userAgent: firefox, at: clock.now(), isAdvance: false })
    await book.settled()
    expect((await links(sent))[1]?.count).toBe(100)
  })

  const lose = ({ grantId }: Sent) => {
    const { database, secrets, log } = service.services.storage
    const { notify } = service.services.notifications
    return database.transaction(async (tx) => {
      const tools = { secrets, log, notify, now: clock.now() }
      await loseAccess(tx, await needGrant(tx, owner.id, grantId), { reason: 'revoked' }, tools)
    })
  }

  test('visits while the grant is invalid are notified after a short outage', async () => {
    const sent = await send()
    clock.advance(hour)
    await lose(sent)
    await visit(sent.pixel)
    await visit(sent.links[0] ?? '')
    clock.advance(2 * hour)
    await visit(sent.pixel)
    await until(async () => {
      expect((await tracked(sent))?.opens.count).toBe(2)
      expect((await links(sent))[0]?.count).toBe(1)
    })
    expect(await reported(sent)).toEqual([])
    clock.advance(68 * hour)
    await service.createGrant(sent.email, owner.key)
    const now = await reported(sent)
    expect(now.map(({ type }) => type)).toEqual(['message.opened', 'message.link_clicked'])
    expect(now[0]?.object).toMatchObject({ message_data: { count: 2 }, recents: [{ opened_id: 0 }, { opened_id: 1 }] })
    expect(now[1]?.object).toMatchObject({ link_data: [{ count: 1 }, { count: 0 }] })
    await service.createGrant(sent.email, owner.key)
    expect(await reported(sent)).toHaveLength(2)
  })

  test('visits during a long outage are not notified, but later ones are', async () => {
    const sent = await send()
    await lose(sent)
    await visit(sent.pixel)
    await until(async () => expect((await tracked(sent))?.opens.count).toBe(1))
    clock.advance(72 * hour)
    await service.createGrant(sent.email, owner.key)
    expect(await reported(sent)).toEqual([])
    await visit(sent.pixel)
    const [later] = await until(async () => {
      const all = await reported(sent)
      expect(all).toHaveLength(1)
      return all
    })
    expect(later?.object).toMatchObject({ message_data: { count: 2 } })
  })

  test('visits to messages of a blocked grant are not notified', async () => {
    const sent = await send()
    await service.call('PATCH', `/v3/admin/applications/${owner.id}/grants/${sent.grantId}`, {
      admin: true,
      body: { blocked: true },
    })
    const record = await getGrant(service.services.storage.database, owner.id, sent.grantId)
    expect(record?.grant.blocked).toBe(true)
    await visit(sent.pixel)
    await until(async () => expect((await tracked(sent))?.opens.count).toBe(1))
    expect(await reported(sent)).toEqual([])
  })

  test('tracking data is stored once, and found by the message id', async () => {
    const sent = await send()
    const { database, seals } = service.services.storage
    const at = { applicationId: owner.id, grantId: sent.grantId }
    expect(await readTrackedOptions(database, at, sent.messageId, seals)).toEqual(everything)
    expect(
      await readTrackedOptions(database, { ...at, applicationId: randomUUID() }, sent.messageId, seals),
    ).toBeUndefined()
    const plan = trackingPlanOf(
      { body, tracking_options: { links: true } },
      { sendId: sent.sendId, baseUrl, keyRing: service.services.storage.keyRing },
    )
    await database.transaction(async (tx) => {
      if (plan) await keepTracked(tx, { ...at, mimeId: 'other@mail.example', now: 0 }, plan.rows, seals)
    })
    expect((await tracked(sent))?.mimeId).toBe(sent.mimeId)
    expect(await links(sent)).toHaveLength(2)
  })

  describe('a reply', () => {
    const reply = (changes: object = {}) => ({
      id: `r-${randomUUID()}`,
      thread_id: 'thread-1',
      date: 1_740_000_000,
      from: [{ email: 'jonas@example.org' }],
      messageId: `${randomUUID()}@example.org`,
      inReplyTo: [] as string[],
      references: [] as string[],
      ...changes,
    })
    const notice = async (sent: Pick<Sent, 'grantId'>, message: ReturnType<typeof reply>) => {
      const { database, seals } = service.services.storage
      const { notify } = service.services.notifications
      const record = await getGrant(database, owner.id, sent.grantId)
      if (!record) throw new Error('no grant')
      await database.transaction((tx) => noticeReply(tx, record, message, { notify, seals }))
    }

    test('is notified once, with a running count', async () => {
      const sent = await send()
      const first = reply({ inReplyTo: [sent.mimeId], references: [sent.mimeId] })
      const second = reply({
        inReplyTo: [first.messageId],
        references: [sent.mimeId, first.messageId],
        from: [{ email: sent.email.toUpperCase() }],
      })
      await notice(sent, first)
      await notice(sent, first)
      await notice(sent, second)
      const all = await reported(sent)
      expect(all.map(({ type }) => type)).toEqual(['thread.replied', 'thread.replied'])
      expect(all[0]?.object).toEqual({
        object: 'thread',
        grant_id: sent.grantId,
        message_id: first.id,
        root_message_id: sent.messageId,
        reply_to_message_id: sent.messageId,
        thread_id: 'thread-1',
        label: 'spring',
        reply_data: { count: 1 },
        from_self: false,
        sender_app_id: owner.id,
        timestamp: 1_740_000_000,
      })
      expect(all[1]?.object).toMatchObject({
        message_id: second.id,
        root_message_id: sent.messageId,
        reply_to_message_id: first.messageId,
        reply_data: { count: 2 },
        from_self: true,
      })
    })

    test('to several tracked messages is notified for each', async () => {
      const one = await send()
      const two = await send({ ...everything, label: 'later' }, one)
      await notice(one, reply({ inReplyTo: [two.mimeId], references: [one.mimeId, two.mimeId] }))
      const all = await reported(one)
      expect(all.map(({ object }) => [object.root_message_id, object.label, object.reply_to_message_id])).toEqual([
        [one.messageId, 'spring', two.messageId],
        [two.messageId, 'later', two.messageId],
      ])
    })

    test('is not counted for messages of others, without reply tracking, or for the message itself', async () => {
      const [sent, other, silent] = [await send(), await send(), await send({ opens: true })]
      await notice(other, reply({ inReplyTo: [sent.mimeId] }))
      await notice(silent, reply({ inReplyTo: [silent.mimeId] }))
      await notice(sent, reply({ messageId: sent.mimeId, references: [sent.mimeId] }))
      await notice(sent, reply())
      for (const each of [sent, other, silent]) expect(await reported(each)).toEqual([])
    })

    test('in a thread of thousands is found if the newest references contain the message', async () => {
      const sent = await send()
      const references = Array.from({ length: 3_000 }, (_, index) => `m${index}@example.org`)
      await notice(sent, reply({ references: [...references, sent.mimeId] }))
      expect(await reported(sent)).toHaveLength(1)
    })
  })
})

test('an open by the sender, from where the account was connected, is not counted', async () => {
  await using service = await openService()
  const { id: grantId } = await service.createGrant('mira@mail.test')
  const { database, log, keyRing, seals } = service.services.storage
  const { notify } = service.services.notifications
  const { installation } = service.services.administration
  const applicationId = installation.sandboxId
  const record = await getGrant(database, applicationId, grantId)
  const withIp: Grant = { ...(record?.grant as Grant), ip: '203.0.113.9' }
  const sendId = randomUUID()
  const plan = trackingPlanOf({ body, tracking_options: { opens: true } }, { sendId, baseUrl, keyRing })
  await database.transaction(async (tx) => {
    await tx.run(sql('test.ip', 'update grants set document = $1 where id = $2'), [JSON.stringify(withIp), grantId])
    if (plan) await keepTracked(tx, { applicationId, grantId, mimeId: 'a@b', now: 0 }, plan.rows, seals)
  })
  await using book = createVisitCounter({ database, notify, log, seals, pauseMs: 1 })
  const at = { applicationId, grantId, sendId, link: undefined }
  book.add(at, { ip: '203.0.113.9', userAgent: firefox, at: 1_000_000, isAdvance: false })
  await book.settled()
  expect((await findTracked(database, sendId, seals))?.opens).toMatchObject({ count: 0, flagged: 1 })
  book.add(at, { ip: '203.0.113.10', userAgent: firefox, at: 1_000_000, isAdvance: false })
  await book.settled()
  expect((await findTracked(database, sendId, seals))?.opens).toMatchObject({ count: 1, flagged: 1 })
})
