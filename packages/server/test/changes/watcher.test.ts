/** Which grants are watched, which changes are notified, and what happens after failures. */

import { ApiError } from '@waypost/platform/api-error'
import { deleteGrant } from '@waypost/store/tables/grants/grants'
import type { WatchRow } from '@waypost/store/tables/grants/watches'
import { keepMessageMetadata } from '@waypost/store/tables/mail/message-metadata'
import { placeMemory } from '@waypost/store/tables/mail/message-places'
import { enginesFor } from '@waypost/testing/engines'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noPlaces } from '../../../providers/src/mail/message-places.ts'
import { placeOf } from '../../src/changes/change-reader.ts'
import { backoffAfter } from '../../src/changes/watch-cycle.ts'
import {
  arrival,
  deletion,
  failingAt,
  firstDay,
  type Node,
  openPost,
  type Post,
  recordOf,
  renaming,
  until,
} from './watching.ts'

const minute = 60_000
const hour = 60 * minute

describe.each(enginesFor(import.meta.url))('a watched grant on %s', (engine) => {
  let post: Post
  beforeEach(async () => {
    post = await openPost(engine)
  })
  afterEach(() => post[Symbol.asyncDispose]())

  const watchedFrom = async (record: Awaited<ReturnType<Post['grant']>>): Promise<void> =>
    until(() => expect(post.mailbox(record).isWaitedFor).toBe(true))
  const tells = (record: Awaited<ReturnType<Post['grant']>>, ids: string[]): Promise<void> =>
    until(async () => expect(await post.reportedIds(record)).toEqual(ids))
  test('is notified from the start of watching, each change once and in order, with its cursor stored', async () => {
    const record = await post.grant()
    const mailbox = post.mailbox(record)
    mailbox.happened.push(arrival('before'))
    const node = await post.node()
    await watchedFrom(record)
    expect(node.watcher.size).toBe(1)
    expect(await post.saved(record)).toEqual({
      cursor: '1',
      synced_at: firstDay,
      authenticated_at: firstDay,
      told_from: firstDay,
      first_read_at: null,
    })
    mailbox.happen(arrival('m1'), renaming('f1'))
    await tells(record, ['m1', 'f1'])
    mailbox.happen(arrival('m2'))
    await tells(record, ['m1', 'f1', 'm2'])
    expect((await post.reported(record)).map(({ type }) => type)).toEqual([
      'message.created',
      'folder.updated',
      'message.created',
    ])
    await until(async () => expect(await post.saved(record)).toMatchObject({ cursor: '4' }))
    expect(mailbox.opened).toBe(1)
    expect(mailbox.requested.map(({ cursor }) => cursor)).toEqual([undefined, '1', '3'])
  })

  test('is skipped if its provider does not watch it, or if it is invalid, blocked or not to be watched', async () => {
    const quiet = [
      await post.grant({}, { provider: 'virtual-calendar' }),
      await post.grant({ status: 'invalid' }, { grant_status: 'invalid' }),
      await post.grant({ status: 'unverified' }),
      await post.grant({}, { blocked: true }),
      await post.grant({}, { settings: { watch: false } }),
    ]
    const watched = await post.grant({}, { settings: { watch: true } })
    const node = await post.node()
    await watchedFrom(watched)
    await post.polled(node)
    expect(node.watcher.size).toBe(1)
    expect(quiet.map((record) => post.mailbox(record).opened)).toEqual([0, 0, 0, 0, 0])
  })

  test('is notified once if the transaction breaks in the middle: then nothing of it is stored', async () => {
    const record = await post.grant()
    const mailbox = post.mailbox(record)
    const node = await post.node({ notify: failingAt(post.notify, 2, 3) })
    await watchedFrom(record)
    mailbox.happen(arrival('m1'), arrival('m2'), arrival('m3'))
    for (const failures of [1, 2]) {
      await until(() => expect(mailbox.requested).toHaveLength(1 + failures))
      await post.polled(node)
      expect(await post.reportedIds(record)).toEqual([])
      expect(await post.saved(record)).toMatchObject({ cursor: '0' })
      await post.pass(10_000, node)
    }
    await tells(record, ['m1', 'm2', 'm3'])
    expect(mailbox.requested.map(({ cursor }) => cursor)).toEqual([undefined, '0', '0', '0'])
  })

  test('is notified of a deletion once, together with the stored places, if the cursor could not be stored at first', async () => {
    const record = await post.grant()
    const mailbox = post.mailbox(record)
    const node = await post.node()
    const at = { applicationId: record.applicationId, grantId: record.grant.id }
    const places = (): Promise<unknown[]> => placeMemory(post.database, at).inFolder('inbox')
    const place = { folder: 'inbox', place: '7', id: 'm1', name: 'name', date: 5 }
    mailbox.found = { places: { added: [place, { ...place, place: '8' }], removed: [], folders: [], surplus: 0 } }
    await watchedFrom(record)
    await until(async () => expect(await places()).toHaveLength(2))
    node.failOnce('watches.save')
    mailbox.found = { places: { added: [], removed: [place], folders: [], surplus: 0 } }
    mailbox.happen(deletion('m1'))
    await until(() => expect(node.logs()).toContain('the statement failed'))
    expect([await post.reportedIds(record), await places()]).toMatchObject([[], [{ place: '7' }, { place: '8' }]])
    await post.pass(2_000, node)
    await tells(record, ['m1'])
    expect(await places()).toEqual([{ folder: 'inbox', place: '8', id: 'm1' }])
    mailbox.found = { places: noPlaces }
    mailbox.happen(arrival('m2'))
    await tells(record, ['m1', 'm2'])
    expect(await places()).toEqual([])
  })

  test('is notified once if its cursor could not be stored at first: then nothing was notified', async () => {
    const record = await post.grant()
    const mailbox = post.mailbox(record)
    const node = await post.node()
    await watchedFrom(record)
    node.failOnce('watches.save')
    mailbox.happen(arrival('m1'))
    await until(() => expect(node.logs()).toContain('the statement failed'))
    expect(await post.reportedIds(record)).toEqual([])
    await post.pass(2_000, node)
    await tells(record, ['m1'])
    await until(() => expect(mailbox.requested.map(({ cursor }) => cursor)).toEqual([undefined, '0', '0']))
  })

  test('with more changes than fit into one response is notified page by page', async () => {
    const record = await post.grant()
    const mailbox = post.mailbox(record)
    mailbox.page = 2
    await post.node()
    await watchedFrom(record)
    mailbox.happen(...['m1', 'm2', 'm3', 'm4', 'm5'].map((id) => arrival(id)))
    await tells(record, ['m1', 'm2', 'm3', 'm4', 'm5'])
    await until(() => expect(mailbox.requested.map(({ cursor }) => cursor)).toEqual([undefined, '0', '2', '4']))
  })

  test('is not notified of changes before its first authentication', async () => {
    const record = await post.grant({ createdAt: firstDay + 700 })
    const mailbox = post.mailbox(record)
    await post.node()
    await watchedFrom(record)
    // Providers use whole seconds: a change in the second of the authentication counts as later.
    mailbox.happen(arrival('old', firstDay - 1), arrival('new', firstDay), arrival('old too', firstDay - hour))
    await tells(record, ['new'])
    expect(mailbox.requested.map(({ notBefore }) => notBefore)).toEqual([firstDay, firstDay])
    await until(async () => expect(await post.saved(record)).toMatchObject({ cursor: '3' }))
  })

  test('is notified with the metadata that the service stores for its messages', async () => {
    const record = await post.grant()
    const at = { applicationId: post.applicationId, grantId: record.grant.id }
    const metadata = { key1: 'kept' }
    await post.database.transaction((tx) => keepMessageMetadata(tx, at, { messageId: 'm1', metadata, now: firstDay }))
    await post.node()
    await watchedFrom(record)
    post.mailbox(record).happen(arrival('m1'), arrival('m2'), renaming('m1'))
    await tells(record, ['m1', 'm2', 'm1'])
    const reported = await post.reported(record)
    expect(reported.map(({ object }) => object.metadata)).toEqual([metadata, undefined, undefined])
  })

  test('that its provider wants polled often writes nothing while nothing changes', async () => {
    const record = await post.grant()
    const mailbox = post.mailbox(record)
    const node = await post.node()
    await watchedFrom(record)
    for (let round = 1; round < 5; round++) {
      await post.pass(minute, node)
      mailbox.wakeWatch()
      await until(() => expect(mailbox.requested).toHaveLength(1 + round))
      await watchedFrom(record)
    }
    expect(await post.saved(record)).toMatchObject({ synced_at: firstDay })
    await post.pass(hour, node)
    mailbox.wakeWatch()
    // But the time of the last complete fetch is stored to the hour.
    await until(async () => expect(await post.saved(record)).toMatchObject({ synced_at: firstDay + hour + 4 * minute }))
  })

  describe('that fails', () => {
    test('is retried after growing delays, and logged once', async () => {
      const record = await post.grant()
      const mailbox = post.mailbox(record)
      mailbox.before = () => {
        throw new Error('no route to host')
      }
      const node = await post.node()
      await until(() => expect(mailbox.requested).toHaveLength(1))
      // Between the longest delay of one failure and the shortest of the next.
      for (const [index, rest] of [1_300, 2_600, 5_200, 10_400].entries()) {
        await post.polled(node)
        expect(mailbox.requested).toHaveLength(index + 1)
        await post.pass(rest, node)
        await until(() => expect(mailbox.requested).toHaveLength(index + 2))
      }
      expect(mailbox.ended).toBe(5)
      expect(node.logs().match(/cannot be fetched/g)).toHaveLength(1)
      mailbox.before = undefined
      await post.pass(minute, node)
      await watchedFrom(record)
      mailbox.happen(arrival('m1'))
      await tells(record, ['m1'])
      expect(node.logs()).toContain('changes of a grant are fetched again')
    })

    test('has recorded its last complete fetch, from which the length of an outage is measured', async () => {
      const record = await post.grant()
      const mailbox = post.mailbox(record)
      const node = await post.node()
      await watchedFrom(record)
      await post.pass(10 * minute, node)
      mailbox.wakeWatch()
      await until(() => expect(mailbox.requested).toHaveLength(2))
      await watchedFrom(record)
      expect(await post.saved(record)).toMatchObject({ synced_at: firstDay })
      await post.pass(10 * minute, node)
      mailbox.before = () => {
        throw new ApiError('grant_invalid')
      }
      mailbox.wakeWatch()
      await until(async () => expect(await post.status(record)).toBe('invalid'))
      expect(await post.saved(record)).toMatchObject({ synced_at: firstDay + 10 * minute })
    })

    test('gets no request for the delay that its provider requests', async () => {
      const record = await post.grant()
      const mailbox = post.mailbox(record)
      mailbox.before = () => {
        throw new ApiError('provider_unavailable', undefined, { retryAfter: 60 })
      }
      const node = await post.node()
      await until(() => expect(mailbox.requested).toHaveLength(1))
      await post.pass(59_000, node)
      await post.polled(node)
      expect(mailbox.requested).toHaveLength(1)
      await post.pass(2_000, node)
      await until(() => expect(mailbox.requested).toHaveLength(2))
    })

    test('because of a lost connection continues where it was, and misses nothing', async () => {
      const record = await post.grant()
      const mailbox = post.mailbox(record)
      const node = await post.node()
      await watchedFrom(record)
      mailbox.happened.push(arrival('m1'))
      mailbox.lose()
      await until(() => expect(mailbox.ended).toBe(1))
      mailbox.happen(arrival('m2'))
      await post.pass(2_000, node)
      await tells(record, ['m1', 'm2'])
      expect(mailbox.opened).toBe(2)
    })

    test('because the provider does not respond does not delay the others', async () => {
      const silent = await post.grant()
      post.mailbox(silent).before = () => new Promise(() => undefined)
      const node = await post.node({ maxSyncs: 1, answerMs: 100 })
      await until(() => expect(post.mailbox(silent).requested).toHaveLength(1))
      const other = await post.grant()
      node.watcher.wake()
      await watchedFrom(other)
      expect(post.mailbox(silent).ended).toBe(1)
      expect(node.logs()).toContain('took too long')
    })

    test('because the store cannot be reached keeps its connection', async () => {
      const record = await post.grant()
      const mailbox = post.mailbox(record)
      const node = await post.node()
      await watchedFrom(record)
      node.cutOff(true)
      mailbox.happen(arrival('m1'))
      await until(() => expect(node.logs()).toContain('cannot be fetched'))
      expect(mailbox.requested).toHaveLength(1)
      node.cutOff(false)
      await post.pass(2_000, node)
      await tells(record, ['m1'])
      expect(mailbox).toMatchObject({ opened: 1, ended: 0 })
    })

    test('because the provider refuses the credentials becomes invalid once, and gets no more requests', async () => {
      const record = await post.grant()
      const mailbox = post.mailbox(record)
      const node = await post.node()
      await watchedFrom(record)
      mailbox.before = () => {
        throw new ApiError('grant_invalid')
      }
      mailbox.happen(arrival('m1'))
      await until(async () => expect(await post.status(record)).toBe('invalid'))
      node.watcher.wake()
      await until(() => expect(node.watcher.size).toBe(0))
      await post.pass(10 * minute, node)
      await post.polled(node)
      expect(mailbox.requested).toHaveLength(2)
      expect((await post.reported(record)).map(({ type }) => type)).toEqual(['grant.expired'])
    })
  })

  describe('that ends', () => {
    test('by its deletion is no longer watched, and its cursor is deleted', async () => {
      const record = await post.grant()
      const node = await post.node()
      await watchedFrom(record)
      await deleteGrant(post.database, post.applicationId, record.grant.id)
      node.watcher.wake()
      await until(() => expect(node.watcher.size).toBe(0))
      expect(post.mailbox(record)).toMatchObject({ opened: 1, ended: 1 })
      expect(await post.saved(record)).toBeUndefined()
    })

    test('while changes are fetched notifies none of them', async () => {
      const record = await post.grant()
      const mailbox = post.mailbox(record)
      const node = await post.node()
      await watchedFrom(record)
      const gate = Promise.withResolvers<void>()
      mailbox.before = () => gate.promise
      mailbox.happen(arrival('m1'))
      await until(() => expect(mailbox.requested).toHaveLength(2))
      await post.change(record, {}, { blocked: true })
      gate.resolve()
      await until(() => expect(node.watcher.size).toBe(0))
      expect(await post.reportedIds(record)).toEqual([])
      expect(await post.saved(record)).toMatchObject({ cursor: '0' })
    })

    test("at its client's request starts again when requested again", async () => {
      const record = await post.grant()
      const mailbox = post.mailbox(record)
      const node = await post.node()
      await watchedFrom(record)
      await post.change(record, {}, { settings: { watch: false } })
      node.watcher.wake()
      await until(() => expect(node.watcher.size).toBe(0))
      await until(async () => expect(await post.saved(record)).toBeUndefined())
      mailbox.happen(arrival('unwanted'))
      await post.polled(node)
      await post.change(record, {}, { settings: { watch: true } })
      node.watcher.wake()
      await until(() => expect(node.watcher.size).toBe(1))
      await watchedFrom(record)
      mailbox.happen(arrival('wanted'))
      await tells(record, ['wanted'])
    })

    test('because it is blocked continues where it was after it is unblocked', async () => {
      const record = await post.grant()
      const mailbox = post.mailbox(record)
      const node = await post.node()
      await watchedFrom(record)
      await post.change(record, {}, { blocked: true })
      node.watcher.wake()
      await until(() => expect(node.watcher.size).toBe(0))
      mailbox.happen(arrival('m1'))
      await post.polled(node)
      expect(await post.reportedIds(record)).toEqual([])
      await post.change(record, {})
      node.watcher.wake()
      await tells(record, ['m1'])
    })
  })

  test('whose credentials change is connected again, from its cursor on', async () => {
    const record = await post.grant({ sealedCredentials: 'first' })
    const mailbox = post.mailbox(record)
    const node = await post.node()
    await watchedFrom(record)
    mailbox.happened.push(arrival('m1'))
    await post.change(record, { sealedCredentials: 'second' })
    node.watcher.wake()
    await tells(record, ['m1'])
    expect(mailbox).toMatchObject({ opened: 2, ended: 1 })
  })

  test('whose metadata changes is not interrupted', async () => {
    const record = await post.grant()
    const node = await post.node()
    await watchedFrom(record)
    await post.change(record, {}, { metadata: { key1: 'x' }, name: 'Mira' })
    await post.polled(node)
    expect(post.mailbox(record)).toMatchObject({ opened: 1, ended: 0 })
  })

  describe('that is authenticated again', () => {
    const outOfReach = async (length: number): Promise<{ node: Node; record: Awaited<ReturnType<Post['grant']>> }> => {
      const record = await post.grant()
      const mailbox = post.mailbox(record)
      const node = await post.node()
      await watchedFrom(record)
      await post.pass(2 * hour, node)
      mailbox.wakeWatch()
      await until(async () => expect(await post.saved(record)).toMatchObject({ synced_at: firstDay + 2 * hour }))
      const invalid = await post.change(record, { status: 'invalid' }, { grant_status: 'invalid' })
      node.watcher.wake()
      await until(() => expect(node.watcher.size).toBe(0))
      mailbox.happen(arrival('missed', firstDay + 3 * hour))
      post.clock.advance(length)
      await node.beat()
      await post.change(invalid, { status: 'valid', updatedAt: post.clock.now() }, { grant_status: 'valid' })
      node.watcher.wake()
      await watchedFrom(record)
      return { node, record }
    }

    test('within 72 hours is notified of missed changes', async () => {
      const { record } = await outOfReach(72 * hour - 1)
      await tells(record, ['missed'])
      expect(await post.saved(record)).toMatchObject({ cursor: '1', told_from: firstDay })
      expect(await post.saved(record)).toMatchObject({ authenticated_at: firstDay + 74 * hour - 1 })
    })

    test('after 72 hours is notified from then on', async () => {
      const { node, record } = await outOfReach(72 * hour)
      const mailbox = post.mailbox(record)
      const from = firstDay + 74 * hour
      expect(await post.saved(record)).toMatchObject({ cursor: '1', told_from: from, authenticated_at: from })
      mailbox.happen(arrival('late', firstDay + 4 * hour), arrival('new', from))
      await tells(record, ['new'])
      // The same after a restart.
      await node.stop()
      await post.node()
      await watchedFrom(record)
      mailbox.happen(arrival('later', firstDay + 4 * hour), arrival('newest', from))
      await tells(record, ['new', 'newest'])
    })
  })
})

describe('the position at which a watch continues', () => {
  const record = recordOf('application', { createdAt: firstDay, updatedAt: firstDay + 100 * hour })
  const row = (changes: Partial<WatchRow>): Omit<WatchRow, 'first_read_at'> => ({
    cursor: 'c',
    synced_at: firstDay + 50 * hour,
    authenticated_at: firstDay,
    told_from: firstDay,
    ...changes,
  })

  test.each<[what: string, row: Omit<WatchRow, 'first_read_at'> | undefined, place: ReturnType<typeof placeOf>]>([
    ['without a cursor', undefined, { cursor: undefined, notifyFrom: firstDay, beganAt: firstDay }],
    ['after a short outage', row({}), { cursor: 'c', notifyFrom: firstDay }],
    [
      'after a long one',
      row({ synced_at: firstDay + 28 * hour }),
      { cursor: undefined, notifyFrom: firstDay + 100 * hour, beganAt: firstDay + 100 * hour },
    ],
    [
      'that never fetched all, long ago',
      row({ synced_at: null }),
      { cursor: undefined, notifyFrom: firstDay + 100 * hour, beganAt: firstDay + 100 * hour },
    ],
    [
      'that was authenticated within the outage',
      row({ synced_at: firstDay, authenticated_at: firstDay + 40 * hour }),
      { cursor: 'c', notifyFrom: firstDay },
    ],
    [
      'that was not authenticated since, however old',
      row({ synced_at: firstDay, authenticated_at: firstDay + 100 * hour, told_from: firstDay + hour }),
      { cursor: 'c', notifyFrom: firstDay + hour },
    ],
  ])('%s', (_what, stored, place) => {
    expect(placeOf(stored, record)).toEqual(place)
  })
})

test('delays grow from a second to five minutes and are randomized', () => {
  expect(backoffAfter(1, 0.5)).toBe(1_000)
  expect(backoffAfter(2, 0.5)).toBe(2_000)
  expect(backoffAfter(9, 0.5)).toBe(256_000)
  expect(backoffAfter(10, 0.5)).toBe(300_000)
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, fraction) => {
        const rest = backoffAfter(failures, fraction)
        expect(rest).toBeGreaterThanOrEqual(800)
        expect(rest).toBeLessThanOrEqual(360_000)
      },
    ),
  )
  expect(backoffAfter(3, 0)).toBeLessThan(backoffAfter(3, 1))
})
