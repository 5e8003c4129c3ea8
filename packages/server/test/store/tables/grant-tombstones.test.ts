/**
 * A grant with more contacts than one transaction deletes: gone at once for everybody, and deleted from the store in
 * batches.
 */

import { contactTables } from '@waypost/store/tables/calendars-contacts/contacts'
import { goingAtOnce } from '@waypost/store/tables/grants/grant-tombstones'
import { getGrant, grantsToPurge, lockGrant } from '@waypost/store/tables/grants/grants'
import { leftoversJob } from '@waypost/store/tables/notifications/leftovers'
import { engines } from '@waypost/testing/engines'
import { isOnCitus } from '@waypost/testing/on-citus'
import { sql } from '@waypost/testing/statement'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenUpReferences } from '../../../../store/src/sharding/table-placement.ts'
import { readCatalogue } from '../../../../store/test/statements/catalogue.ts'
import { purgeExpired } from '../../../src/housekeeping.ts'
import { doJobs } from '../../../src/node.ts'
import { openService, type TestService } from '../../harness.ts'

const rows = 1_200
const day = 86_400_000
const address = 'ada@one.test'

describe.each(engines)('on %s', (engine) => {
  let clock: TestClock
  let service: TestService
  let applicationId: string
  beforeAll(async () => {
    clock = testClock()
    service = await openService({ engine, overrides: { clock } })
    applicationId = (await service.call('GET', '/v3/applications')).body.data.application_id
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const count = async (table: string, where: string): Promise<number> =>
    (
      await service.services.storage.database.get(
        sql<{ n: number }>('', `select count(*) as n from ${table} where ${where}`),
      )
    )?.n ?? 0
  const contactsOf = (id: string): Promise<number> => count('contacts', `grant_id = '${id}'`)
  const listed = async (): Promise<string[]> =>
    (await service.call('GET', '/v3/grants?limit=200')).body.data.map(({ id }: { id: string }) => id)

  /** A grant with many contacts, and one of each other kind of row that a virtual account has. */
  async function furnished(): Promise<string> {
    const { id } = await service.createGrant(address)
    await service.call('POST', `/v3/grants/${id}/calendars`, { body: { name: 'Work' } })
    await service.services.storage.database.execute(`
      insert into contacts (grant_id, id, application_id, source, email_hash, met_at, named_at, sealed_contact)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${rows})
        select '${id}', 'contact-' || n, '${applicationId}', 'inbox', 'hash-' || n, n, n, '' from numbers;`)
    return id
  }

  test('everything that refers to a grant is deleted with it, at once or in batches', async () => {
    const catalogue = await readCatalogue(service.services.storage.database)
    const referring = [...catalogue.values()].filter(({ references }) => references.some((to) => to.table === 'grants'))
    const givenUp = isOnCitus ? givenUpReferences.map(({ table }) => table) : []
    const found = new Set([...referring.map(({ name }) => name), ...givenUp])
    expect([...found].sort()).toEqual([...goingAtOnce, 'calendars', 'contacts'].sort())
  })

  test('its access tokens are deleted with it, also where no foreign key does so', async () => {
    const { database } = service.services.storage
    const { id } = await service.createGrant('tokens@one.test')
    const add = sql(
      '',
      `insert into access_tokens (id, application_id, grant_id, family, kind, hash, created_at, used_at)
       values ('t', $1, $2, 'f', 'refresh', 'h', 1, 1)`,
    )
    await database.run(add, [applicationId, id])
    const tokens = sql<{ id: string }>('', 'select id from access_tokens where application_id = $1')
    expect(await database.all(tokens, [applicationId])).toHaveLength(1)
    expect((await service.call('DELETE', `/v3/grants/${id}`)).status).toBe(200)
    expect(await database.all(tokens, [applicationId])).toEqual([])
  })

  test('it is not found as soon as it is deleted, and its address is free', async () => {
    const { database } = service.services.storage
    const id = await furnished()
    const before = (await listed()).length
    expect((await service.call('DELETE', `/v3/grants/${id}`)).status).toBe(200)
    const left = await contactsOf(id)
    expect(left, 'one transaction removes a piece').toBeGreaterThan(rows / 2)
    for (const at of [id, address]) {
      expect((await service.call('GET', `/v3/grants/${at}`)).status).toBe(404)
      expect((await service.call('GET', `/v3/grants/${at}/calendars`)).status).toBe(404)
    }
    expect((await service.call('DELETE', `/v3/grants/${id}`)).status).toBe(404)
    expect(await listed()).toHaveLength(before - 1)
    expect(await getGrant(database, applicationId, id)).toBeUndefined()
    // A concurrent change finds it deleted.
    expect(await database.transaction((tx) => lockGrant(tx, applicationId, id))).toBe(false)
    const { seals } = service.services.storage.payloads
    const adding = database.transaction((tx) => contactTables(tx, seals, { applicationId, grantId: id }).lock())
    await expect(adding).rejects.toMatchObject({ code: 'grant_not_found' })
    for (const table of goingAtOnce) {
      expect(await count(table, `${table === 'provider_tokens' ? 'id' : 'grant_id'} = '${id}'`), table).toBe(0)
    }
    const counted = (await service.call('GET', `/v3/admin/applications/${applicationId}`, { admin: true })).body.data
    expect(counted.grant_count).toBe(before - 1)

    const again = await furnished()
    expect(again).not.toBe(id)
    await doJobs(service.services)
    expect(await contactsOf(id)).toBe(0)
    expect(await count('grants', `id = '${id}'`)).toBe(0)
    expect(await contactsOf(again)).toBe(rows)
    expect((await service.call('DELETE', `/v3/grants/${again}`)).status).toBe(200)
    await doJobs(service.services)
    expect(await count('grants', `id = '${again}'`)).toBe(0)
  })

  test('housekeeping continues if the job failed permanently', async () => {
    const { database } = service.services.storage
    const id = await furnished()
    expect((await service.call('DELETE', `/v3/grants/${id}`)).status).toBe(200)
    await database.run(sql('', 'delete from outbox where kind = $1'), [leftoversJob])
    await purgeExpired(service.services)
    await doJobs(service.services)
    expect(await count('grants', `id = '${id}'`), 'a day must pass').toBe(1)
    clock.advance(day + 1)
    expect((await grantsToPurge(database, clock.now())).map(({ grant }) => grant.id)).not.toContain(id)
    await purgeExpired(service.services)
    await doJobs(service.services)
    expect(await contactsOf(id)).toBe(0)
    expect(await count('grants', `id = '${id}'`)).toBe(0)
  })
})
