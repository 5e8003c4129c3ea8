/** How nodes share watching, and that exactly one node may write for a grant. */

import { insertGrant } from '@waypost/store/tables/grants/grants'
import {
  abandonShards,
  holdShard,
  releaseShards,
  shardCount,
  shardOf,
  shardsOf,
  takeShards,
  tallyOf,
  tallyShards,
} from '@waypost/store/tables/grants/watch-shards'
import { engines } from '@waypost/testing/engines'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { shareOf } from '../../src/changes/shards.ts'
import { arrival, firstDay, type Mailbox, type Node, openPost, type Post, recordOf, until } from './watching.ts'

describe.each(engines)('nodes on one %s', (engine) => {
  let post: Post
  beforeEach(async () => {
    post = await openPost(engine)
  })
  afterEach(() => post[Symbol.asyncDispose]())

  const sharesOf = (nodes: readonly Node[]): Promise<number[]> => Promise.all(nodes.map((node) => node.shards()))
  const share = (nodes: readonly Node[], expected: number[]): Promise<void> =>
    until(async () => {
      for (const node of nodes) node.watcher.wake()
      expect((await sharesOf(nodes)).toSorted()).toEqual(expected)
    })
  const sizesOf = (nodes: readonly Node[]): number[] => nodes.map(({ watcher }) => watcher.size)
  const grants = async (count: number): Promise<Mailbox[]> => {
    const records = Array.from({ length: count }, () => recordOf(post.applicationId))
    await post.database.transaction(async (tx) => {
      for (const record of records) await insertGrant(tx, record)
    })
    return records.map((record) => post.mailbox(record))
  }

  test('share all shards and grants when nodes join and leave', async () => {
    const mailboxes = await grants(60)
    const first = await post.node()
    await share([first], [shardCount])
    await until(() => expect(sizesOf([first])).toEqual([60]))
    const second = await post.node()
    await share([first, second], [2_048, 2_048])
    const third = await post.node()
    const all = [first, second, third]
    await share(all, [1_365, 1_365, 1_366])
    await until(() => expect(sizesOf(all).reduce((sum, size) => sum + size)).toBe(60))
    for (const size of sizesOf(all)) expect(size).toBeGreaterThan(0)
    await until(() => expect(mailboxes.every(({ opened, ended }) => opened - ended === 1)).toBe(true))

    await second.stop()
    await share([first, third], [2_048, 2_048])
    await until(() => expect(first.watcher.size + third.watcher.size).toBe(60))
    await until(() => expect(mailboxes.every(({ opened, ended }) => opened - ended === 1)).toBe(true))
  })

  test('take over from a dead node and report what it did not', async () => {
    const mailboxes = await grants(20)
    const dead = await post.node()
    await until(() => expect(dead.watcher.size).toBe(20))
    await until(() => expect(mailboxes.every(({ isWaitedFor }) => isWaitedFor)).toBe(true))
    dead.freeze()
    const heir = await post.node()
    // The dead node still counts and cannot release anything.
    await post.pass(14_000, heir)
    expect(await heir.shards()).toBe(0)
    const [mailbox] = mailboxes
    mailbox?.happened.push(arrival('m1'))
    await post.pass(2_000, heir)
    await until(() => expect(heir.watcher.size).toBe(20))
    expect(await heir.shards()).toBe(shardCount)
    await until(() => expect(mailbox?.requested).toHaveLength(2))
  })

  test('ignore a node that was frozen', async () => {
    const record = await post.grant()
    const mailbox = post.mailbox(record)
    const frozen = await post.node()
    await until(() => expect(mailbox.isWaitedFor).toBe(true))
    // It has fetched a change and is about to store it.
    const fetched = Promise.withResolvers<void>()
    mailbox.before = () => {
      frozen.freeze()
      fetched.resolve()
    }
    mailbox.happen(arrival('m1'))
    await fetched.promise
    mailbox.before = undefined
    const heir = await post.node()
    await post.pass(16_000, heir)
    await until(async () => expect(await post.reportedIds(record)).toEqual(['m1']))
    mailbox.happen(arrival('m2'))
    await until(async () => expect(await post.saved(record)).toMatchObject({ cursor: '2' }))

    frozen.thaw()
    await until(() => expect(frozen.watcher.size).toBe(0))
    await heir.beat()
    expect(await post.reportedIds(record)).toEqual(['m1', 'm2'])
    expect(await post.saved(record)).toMatchObject({ cursor: '2' })
    expect(await frozen.shards()).toBe(0)
    expect(heir.watcher.size).toBe(1)
    // After its next heartbeat, it gets its share.
    await frozen.beat()
    await share([frozen, heir], [2_048, 2_048])
  })

  test('without a heartbeat take no shards', async () => {
    const record = await post.grant()
    const unseen = await post.node()
    await until(() => expect(unseen.watcher.size).toBe(1))
    await releaseShards(post.database, unseen.id, 0)
    post.clock.advance(16_000)
    unseen.watcher.wake()
    await until(() => expect(unseen.watcher.size).toBe(0))
    expect(await unseen.shards()).toBe(0)
    await unseen.beat()
    await until(() => expect(unseen.watcher.size).toBe(1))
    await until(() => expect(post.mailbox(record).isWaitedFor).toBe(true))
  })

  test('that end release everything at once, and hold no connection', async () => {
    const mailboxes = await grants(5)
    const node = await post.node()
    await until(() => expect(mailboxes.every(({ isWaitedFor }) => isWaitedFor)).toBe(true))
    await node.stop()
    expect(await node.shards()).toBe(0)
    expect(mailboxes.map(({ opened, ended }) => opened - ended)).toEqual([0, 0, 0, 0, 0])
  })

  test('that end do not wait for an unresponsive provider', async () => {
    const record = await post.grant()
    post.mailbox(record).before = () => new Promise(() => undefined)
    const node = await post.node()
    await until(() => expect(post.mailbox(record).requested).toHaveLength(1))
    await node.stop()
    expect(await node.shards()).toBe(0)
  })

  test('limit the grants that connect concurrently, and woken ones go first', async () => {
    const mailboxes = await grants(40)
    const gates: (() => void)[] = []
    let max = 0
    let open = 0
    for (const mailbox of mailboxes) {
      mailbox.before = async () => {
        max = Math.max(max, ++open)
        await new Promise<void>((resolve) => gates.push(resolve))
        open--
      }
    }
    const pass = async (count: number): Promise<void> => {
      await until(() => expect(gates.length).toBeGreaterThanOrEqual(count))
      for (const go of gates.splice(0, count)) go()
    }
    await post.node({ maxSyncs: 3 })
    await pass(1)
    const first = await until(() => {
      const found = mailboxes.find(({ isWaitedFor }) => isWaitedFor)
      if (!found) throw new Error('nobody is waited for')
      return found
    })
    first.wakeWatch()
    await pass(3)
    // Of 36 grants that had not had their turn and one that had, this one came first.
    await until(() => expect(first.requested).toHaveLength(2))
    for (let rest = 37; rest > 0; rest--) await pass(1)
    await until(() => expect(mailboxes.every(({ isWaitedFor }) => isWaitedFor)).toBe(true))
    expect(max).toBe(3)
  })
})

// More grants than shards. The store does not matter here, so the slower one has fewer.
describe.each(engines)('thousands of watched grants on %s', (engine) => {
  const count = engine === 'sqlite' ? 5_000 : 1_000
  test('start and end without load, and use no timer while they wait', async () => {
    await using post = await openPost(engine)
    const records = Array.from({ length: count }, () => recordOf(post.applicationId))
    await post.database.transaction(async (tx) => {
      await Promise.all(records.map((record) => insertGrant(tx, record)))
    })
    const mailboxes = records.map((record) => post.mailbox(record))
    const timers = (): number => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length
    const before = timers()
    const node = await post.node()
    await vi.waitFor(() => expect(mailboxes.every(({ isWaitedFor }) => isWaitedFor)).toBe(true), {
      timeout: 100_000,
      interval: 100,
    })
    expect(node.watcher.size).toBe(count)
    expect(timers() - before).toBeLessThan(20)
    const [record = recordOf('')] = records
    post.mailbox(record).happen(arrival('m1'))
    await until(async () => expect(await post.reportedIds(record)).toEqual(['m1']))
    await node.stop()
    expect(node.watcher.size).toBe(0)
    expect(mailboxes.every(({ opened, ended }) => opened === 1 && ended === 1)).toBe(true)
  })
})

describe.each(engines)('shards on %s', (engine) => {
  let post: Post
  beforeEach(async () => {
    post = await openPost(engine)
  })
  afterEach(() => post[Symbol.asyncDispose]())

  const take = (owner: string, atMost = shardCount) => takeShards(post.database, { owner, atMost, now: firstDay })

  test('exist from the beginning, each once and free', async () => {
    const taken = await take('a')
    expect(taken.map(({ shard }) => shard).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: shardCount }, (_, index) => index),
    )
    expect(new Set(taken.map(({ epoch }) => epoch))).toEqual(new Set([1]))
  })

  test('are valid only with the epoch in which they were taken', async () => {
    const hold = (owner: string, epoch: number): Promise<boolean> =>
      post.database.transaction((tx) => holdShard(tx, owner, { shard: 0, epoch }))
    await take('a', 1)
    expect(await hold('a', 1)).toBe(true)
    expect(await hold('b', 1)).toBe(false)
    await abandonShards(post.database)
    expect(await hold('a', 1)).toBe(false)
    await take('a', 1)
    expect(await hold('a', 1)).toBe(false)
    expect(await hold('a', 2)).toBe(true)
  })

  test('are taken by one node each, however many compete for them', async () => {
    const owners = ['a', 'b', 'c', 'd', 'e', 'f']
    const alive = `insert into nodes (id, started_at, seen_at, delivers) values ${owners.map((owner) => `('${owner}', 0, ${firstDay}, 1)`).join(', ')}`
    await post.database.execute(alive)
    const taken = await Promise.all(owners.map((owner) => take(owner, 1_000)))
    expect(taken.map(({ length }) => length).toSorted()).toEqual([1_000, 1_000, 1_000, 1_000, 96, 0].toSorted())
    expect(new Set(taken.flat().map(({ shard }) => shard)).size).toBe(shardCount)
    for (const [index, owner] of owners.entries()) {
      expect(await shardsOf(post.database, owner)).toHaveLength(taken[index]?.length ?? -1)
    }
  })

  test('are counted in the store as on the node that holds them', async () => {
    await post.database.execute(`update watch_shards set epoch = shard * 31 + 40000 where shard % 3 = 0`)
    await post.database.execute(`insert into nodes (id, started_at, seen_at, delivers) values ('a', 0, ${firstDay}, 1)`)
    expect(await tallyShards(post.database, 'a')).toEqual({ shards: 0, sum: 0, products: 0 })
    const taken = await take('a', shardCount)
    expect(await tallyShards(post.database, 'a')).toEqual(tallyOf(taken))
  })
})

test('that were exchanged for others are noticed by their count', () => {
  const held = [1, 4, 9].map((shard) => ({ shard, epoch: 2 }))
  const others = [
    [1, 4, 10],
    [2, 3, 9],
    [4, 9, 4_000],
  ].map((shards) => shards.map((shard) => ({ shard, epoch: 2 })))
  for (const other of others) expect(tallyOf(other)).not.toEqual(tallyOf(held))
  expect(tallyOf(held.toReversed())).toEqual(tallyOf(held))
})

test('grants are distributed evenly over the shards', () => {
  const counts = new Map<number, number>()
  for (let index = 0; index < 40_960; index++) {
    const shard = shardOf(`grant-${index}`)
    counts.set(shard, (counts.get(shard) ?? 0) + 1)
  }
  expect(counts.size).toBeGreaterThan(4_080)
  expect(Math.max(...counts.values())).toBeLessThan(40)
  expect(shardOf('grant-1')).toBe(shardOf('grant-1'))
  expect([...counts.keys()].every((shard) => Number.isInteger(shard) && shard >= 0 && shard < shardCount)).toBe(true)
})

test.each([1, 2, 3, 5, 7, 100, 4_096, 5_000])('%i nodes have all shards together', (nodes) => {
  const shares = Array.from({ length: nodes }, (_, place) => shareOf(place, nodes))
  expect(shares.reduce((sum, share) => sum + share)).toBe(shardCount)
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
})
