/** Batches about grants of several applications are written to the right columns of the right shards. */

import { citusMissing, openCitusStore } from '@waypost/testing/peers/citus'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, Row } from '../../src/engine/database.ts'
import { openPostgresql } from '../../src/engine/postgresql.ts'
import { addCredentialRequests } from '../../src/tables/applications/credential-requests.ts'
import { saveApplicationFigures } from '../../src/tables/figures/installation-figures.ts'
import { saveGrantUses, saveWatchFailures } from '../../src/tables/grants/grant-activity.ts'
import { addCalls } from '../../src/tables/grants/grant-calls.ts'

const applications = ['a', 'b', 'c', 'd', 'e', 'f']

describe.skipIf(citusMissing)(`batches on Citus${citusMissing ? ` (${citusMissing})` : ''}`, () => {
  const held = new AsyncDisposableStack()
  let database: Database
  beforeAll(async () => {
    const { url } = held.use(await openCitusStore())
    database = held.use(openPostgresql(url, () => undefined))
    for (const id of applications) {
      await database.execute(`insert into applications (id, environment, default_workspace_id, blocked, branding,
        hosted_authentication, idp_settings, additional_settings, created_at, updated_at)
        values ('${id}', 'test', 'w', 0, '{}', '{}', '{}', '{}', 1, 1)`)
      await database.execute(`insert into grants (id, application_id, connector_id, provider, email_key, status, blocked,
        workspace_id, created_at, updated_at, document, shard, watched, watch_mark)
        values ('grant-${id}', '${id}', 'c', 'imap', '${id}', 'valid', 0, 'w', 1, 1, '{}', 1, 1, 1)`)
    }
  })
  afterAll(() => held.disposeAsync())

  const rowsOf = (table: string, columns: string): Promise<Row[]> =>
    database.all(sql<Row>('', `select application_id, ${columns} from ${table} order by application_id`))

  test('the last use of each grant is stored', async () => {
    for (const last of [5, 7, 6]) {
      await saveGrantUses(
        database,
        applications.map((id) => ({ grantId: `grant-${id}`, lastUsedAt: last })),
      )
    }
    expect(await rowsOf('grant_uses', 'grant_id, last_used_at')).toEqual(
      applications.map((id) => ({ application_id: id, grant_id: `grant-${id}`, last_used_at: 7 })),
    )
  })

  test('failing watches are recorded', async () => {
    await saveWatchFailures(
      database,
      applications.map((id, index) => ({ grantId: `grant-${id}`, failures: index, nextTryAt: 100 + index })),
    )
    expect(await rowsOf('watch_failures', 'grant_id, failures, next_try_at')).toEqual(
      applications.map((id, index) => ({
        ...{ application_id: id, grant_id: `grant-${id}`, failures: index, next_try_at: 100 + index },
      })),
    )
  })

  test('calls of grants are counted', async () => {
    const sums = { requests: 2, refused: 3, errors: 4, milliseconds: 5, lastAt: 6, lastRequestId: 'r' }
    const calls = applications.map((id) => ({ grantId: `grant-${id}`, hour: 9, route: 'events.list', ...sums }))
    await addCalls(database, calls)
    await addCalls(database, calls)
    const columns = 'grant_id, hour, route, requests, refused, errors, milliseconds, last_at, last_request_id'
    expect(await rowsOf('grant_calls', columns)).toEqual(
      applications.map((id) => ({
        ...{ application_id: id, grant_id: `grant-${id}`, hour: 9, route: 'events.list', requests: 4, refused: 6 },
        ...{ errors: 8, milliseconds: 10, last_at: 6, last_request_id: 'r' },
      })),
    )
  })

  test('requests of credentials are stored once', async () => {
    const request = { at: 9, method: 'GET', operation: 'events.list', tool: null, status: 200, error: null }
    const rows = applications.map((id) => ({
      ...{ application_id: id, credential_id: `key-${id}`, id: `request-${id}`, grant_id: null, ...request },
    }))
    await addCredentialRequests(database, rows)
    await addCredentialRequests(database, rows)
    const columns = 'credential_id, at, id, method, operation, tool, status, error, grant_id'
    expect(await rowsOf('credential_requests', columns)).toEqual(rows)
  })

  test('figures of applications are stored', async () => {
    const figures = { requests: 1, refused: 2, errors: 3, provider_errors: 4, latencies: '[]' }
    const rows = applications.map((id) => ({ application_id: id, at: 9, provider: 'imap', node_id: 'n', ...figures }))
    await saveApplicationFigures(database, rows)
    const columns = 'at, provider, node_id, requests, refused, errors, provider_errors, latencies'
    expect(await rowsOf('application_figures', columns)).toEqual(rows)
  })
})
