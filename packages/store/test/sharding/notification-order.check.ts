/** Readers of the stream miss no notification on a distributed store, whatever its writers' transactions do. */
import { setTimeout as sleep } from 'node:timers/promises'
import { citusMissing, openCitusStore } from '@waypost/testing/peers/citus'
import { queryOnce } from '@waypost/testing/peers/postgres'
import { sql } from '@waypost/testing/statement'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, Queries } from '../../src/engine/database.ts'
import { openPostgresql } from '../../src/engine/postgresql.ts'
import { newestOfStream, readStream } from '../../src/tables/notifications/notification-stream.ts'
import { notificationAdder } from '../../src/tables/notifications/notifications.ts'
import { settledBefore, wholeNumber } from '../../src/tables/notifications/settled-transactions.ts'

const made = 1_760_000_000_000

test('a 32-bit transaction number is completed with the epoch of its horizon', () => {
  expect(wholeNumber(5, 10)).toBe(5)
  expect(wholeNumber(10, 10)).toBeUndefined()
  expect(wholeNumber(11, 10)).toBeUndefined()
  const later = 3 * 2 ** 32
  expect(wholeNumber(2 ** 32 - 1, later + 4)).toBe(later - 1)
  expect(wholeNumber(3, later + 4)).toBe(later + 3)
})

describe.skipIf(citusMissing)(`the stream on Citus${citusMissing ? ` (${citusMissing})` : ''}`, () => {
  const held = new AsyncDisposableStack()
  let database: Database
  let url: string
  beforeAll(async () => {
    ;({ url } = held.use(await openCitusStore()))
    database = held.use(openPostgresql(url, () => undefined, { connections: 30 }))
    await database.now()
    for (const application of applications) await addApplication(application)
  })
  afterAll(() => held.disposeAsync())

  const applications = ['a', 'b', 'c', 'd', 'e', 'f']
  async function addApplication(id: string): Promise<void> {
    await database.run(
      sql(
        '',
        `insert into applications (id, environment, default_workspace_id, blocked, branding, hosted_authentication,
         idp_settings, additional_settings, notification_stream_until, created_at, updated_at)
         values ($1, 'test', 'w', 0, '{}', '{}', '{}', '{}', 1, 1, 1)`,
      ),
      [id],
    )
    await database.run(
      sql(
        '',
        `insert into grants (id, application_id, connector_id, provider, email_key, status, blocked, workspace_id,
         created_at, updated_at, document) values ('g', $1, 'c', 'virtual', 'e', 'valid', 0, 'w', 1, 1, '{}')`,
      ),
      [id],
    )
  }

  const add = (tx: Queries, applicationId: string, id: string): Promise<void> =>
    notificationAdder('postgresql', () => database.isDistributed())(
      tx,
      { id, applicationId, grantId: 'g', trigger: 't', source: 's', createdAt: made },
      { content: () => ({ type: 't', sealedPayload: id, bytes: 1 }), onQueued: () => undefined },
    )

  /** Follows the stream of an application until it has found this many, and returns their ids in order. */
  async function follow(applicationId: string, count: number): Promise<string[]> {
    const ids: string[] = []
    let from = { transaction: 0, position: 0 }
    while (ids.length < count) {
      const rows = await readStream(database, 'postgresql', { applicationId, order: 'asc', from, limit: 7 })
      for (const row of rows) {
        ids.push(row.id)
        from = { transaction: row.transaction_number, position: row.position }
      }
      if (rows.length === 0) await sleep(5)
    }
    return ids
  }

  test('a reader finds the notifications of concurrent writers exactly once, with one worker or several in a transaction', async () => {
    const perWriter = 40
    const writers = 6
    const names = (writer: number): string[] => Array.from({ length: perWriter }, (_, index) => `${writer}-${index}`)
    const write = async (writer: number): Promise<void> => {
      for (const [index, name] of names(writer).entries()) {
        await database.transaction(async (tx) => {
          await add(tx, 'a', name)
          // A second application, mostly on another worker: the commit has two phases.
          const other = applications[1 + ((writer + index) % (applications.length - 1))] ?? 'b'
          if (index % 2 === 0) await add(tx, other, `${name}-${other}`)
          await sleep((writer * 7 + index * 3) % 11)
        })
      }
    }
    const expected = Array.from({ length: writers }, (_, writer) => names(writer)).flat()
    const [read] = await Promise.all([
      follow('a', expected.length),
      ...Array.from({ length: writers }, (_, writer) => write(writer)),
    ])
    expect(read.toSorted()).toEqual(expected.toSorted())
    const newest = await newestOfStream(database, 'postgresql', 'a')
    const [last] = await readStream(database, 'postgresql', {
      applicationId: 'a',
      order: 'desc',
      from: undefined,
      limit: 1,
    })
    expect(newest).toEqual({ transaction: last?.transaction_number, position: last?.position })
  })

  test('a position begins with the day, and transactions are numbered by the coordinator', async () => {
    const { rows } = await database.transaction(async (tx) => {
      await add(tx, 'd', 'numbered')
      const [row] = await tx.all(sql<{ id: number }>('', 'select pg_current_xact_id()::text::bigint as id'))
      return { rows: row?.id }
    })
    const [found] = await readStream(database, 'postgresql', {
      applicationId: 'd',
      order: 'desc',
      from: undefined,
      limit: 1,
    })
    expect(found).toMatchObject({ id: 'numbered', transaction_number: rows })
    expect(Math.floor((found?.position ?? 0) / 2 ** 36)).toBe(Math.floor(made / 86_400_000))
  })

  test('nothing is read behind a transaction that is prepared on the worker but not committed there', async () => {
    const [place] = await queryOnce(
      url,
      `select shardid, nodename, nodeport from pg_dist_shard_placement
       where shardid = get_shard_id_for_distribution_column('notifications', 'e'::text)`,
    )
    const worker = new URL(url)
    worker.port = String(place?.nodeport)
    // As if the worker had died after the coordinator's commit. The lock keeps Citus from resolving it.
    const resolver = new Client({ connectionString: url })
    await resolver.connect()
    await resolver.query('begin; lock table pg_dist_transaction in share update exclusive mode')
    const gid = `citus_0_4711_${Date.now()}_1`
    const [record] = await queryOnce(
      url,
      `with one as (insert into pg_dist_transaction (groupid, gid)
         select groupid, '${gid}' from pg_dist_placement where shardid = ${place?.shardid} returning gid)
       select pg_current_xact_id()::text as number from one`,
    )
    const pending = Number(record?.number)
    await queryOnce(worker.href, `begin; create table pending_row (); prepare transaction '${gid}'`)
    await database.transaction((tx) => add(tx, 'e', 'behind'))
    const from = { transaction: pending - 1, position: 0 }
    const read = async (): Promise<string[]> =>
      (await readStream(database, 'postgresql', { applicationId: 'e', order: 'asc', from, limit: 9 })).map(
        ({ id }) => id,
      )
    expect(await settledBefore(database, 'e')).toBe(pending)
    expect(await read()).toEqual([])
    await resolver.end()
    await expect.poll(read).toEqual(['behind'])
    expect(await settledBefore(database, 'e')).toBeGreaterThan(pending)
  })
})
