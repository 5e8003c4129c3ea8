import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type CitusPeer,
  citusMissing,
  copyCitus,
  type PreparedCitus,
  prepareCitus,
  startCitus,
} from '@waypost/testing/peers/citus'
import { queryOnce } from '@waypost/testing/peers/postgres'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

const application = (id: string): string =>
  `insert into applications (id, environment, default_workspace_id, blocked, branding, hosted_authentication,
   idp_settings, additional_settings, created_at, updated_at) values ('${id}', 'test', 'w', 0, '{}', '{}', '{}', '{}', 1, 1)`
const job = (id: string): string =>
  `insert into idempotency_keys (id, application_id, request_hash, owner, attempt, created_at) values ('1', '${id}', '', '', '', 1)`

describe.skipIf(citusMissing)(`a cluster of Citus${citusMissing ? ` (${citusMissing})` : ''}`, () => {
  const held = new AsyncDisposableStack()
  let cluster: CitusPeer
  let prepared: PreparedCitus
  beforeAll(async () => {
    const folder = held.use(await mkdtempDisposable(join(tmpdir(), 'waypost-citus-')))
    cluster = held.use(await startCitus())
    prepared = await prepareCitus(cluster.servers, folder.path)
  })
  afterAll(() => held.disposeAsync())

  test('copies of the prepared database are distributed, and separate', async () => {
    await using one = await copyCitus(prepared)
    await using two = await copyCitus(prepared)
    await queryOnce(one.url, application('a'))
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await queryOnce(one.url, job(id))
    const places = `select distinct nodeport as port from citus_shards where table_name = 'idempotency_keys'::regclass`
    const ports = (await queryOnce(one.url, places)).map(({ port }) => String(port)).sort()
    expect(ports).toEqual(prepared.workerUrls.map((url) => new URL(url).port).sort())
    expect(await queryOnce(one.url, 'select count(*)::int as count from idempotency_keys')).toEqual([{ count: 6 }])
    expect(await queryOnce(two.url, 'select count(*)::int as count from applications')).toEqual([{ count: 0 }])
  })

  test('a copy resolves prepared transactions by itself', async () => {
    await using copy = await copyCitus(prepared)
    // A worker has prepared it, and the coordinator has decided to commit.
    const worker = new URL(new URL(copy.url).pathname, prepared.workerUrls[0]).href
    const gid = 'citus_0_4711_1_1'
    await queryOnce(worker, `begin; create table left_over (); prepare transaction '${gid}'`)
    const group = `select groupid from pg_dist_node where nodeport = ${new URL(worker).port}`
    await queryOnce(copy.url, `insert into pg_dist_transaction (groupid, gid) values ((${group}), '${gid}')`)
    await vi.waitFor(async () => {
      expect(await queryOnce(worker, `select to_regclass('left_over')::text as name`)).toEqual([{ name: 'left_over' }])
    }, 30_000)
  })
})
