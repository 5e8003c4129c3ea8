/** The cost of the newest migrations on a store that an earlier version filled. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Database } from '@waypost/store/engine/database'
import { migrate, migrations } from '@waypost/store/migrations/migrate'
import { openPostgresql } from '../../packages/store/src/engine/postgresql.ts'
import { openSqlite } from '../../packages/store/src/engine/sqlite.ts'
import { quick } from '../figures.ts'

/** The last migration of the earlier version: the next one rewrites the tables of a SQLite file. */
const earlier = migrations.filter(({ number }) => number < 37)
const thousands = quick ? ([2, 20] as const) : ([10, 200] as const)

const numbers = (count: number): string =>
  `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`

/** Grants, notifications and waiting deliveries, `count` of each, with one application per hundred. */
async function fill(database: Database, count: number): Promise<void> {
  const apps = count / 100
  const app = `'app-' || (n % ${apps} + 1)`
  await database.execute(`
    insert into applications (id, environment, default_workspace_id, blocked, branding, hosted_authentication, idp_settings,
      additional_settings, notification_stream_until, created_at, updated_at, name_key)
      ${numbers(apps)} select 'app-' || n, 'sandbox', 'w', 0, '{}', '{}', '{}', '{}', 0, n, n, 'bench-' || n from numbers;
    insert into webhooks (id, application_id, webhook_url, status, triggers, sealed_secret, revision, status_updated_at,
      created_at, updated_at, document)
      ${numbers(apps)} select 'hook-' || n, 'app-' || n, 'https://a.test', 'active', '', '', 1, 0, 0, 0, '{}' from numbers;
    insert into grants (id, application_id, connector_id, provider, email_key, status, blocked, workspace_id, created_at,
      updated_at, document)
      ${numbers(count)} select 'grant-' || n, ${app}, '', 'imap', 'person-' || n, 'valid', 0, '', n, n, '{}' from numbers;
    insert into notifications (${database.engine === 'sqlite' ? '' : 'position, '}id, application_id, grant_id, sequence, type, source,
      bytes, created_at, sealed_payload)
      ${numbers(count)} select ${database.engine === 'sqlite' ? '' : 'n, '}'told-' || n, ${app}, 'grant-' || n, 1, 'event.created',
      '', 100, n, 'sealed' from numbers;
    insert into deliveries (webhook_id, application_id, notification, state, attempts, tries, due_at, bytes)
      ${numbers(count)} select 'hook-' || (n % ${apps} + 1), ${app}, n, 'waiting', 1, n % 2, n, 100 from numbers`)
}

async function timeOf(database: Database, count: number): Promise<number> {
  await migrate(database, 1, { migrations: earlier, changes: [] })
  await fill(database, count)
  const started = performance.now()
  await migrate(database, 1)
  return performance.now() - started
}

/** Milliseconds per thousand rows of each table, for few rows and for many. */
export async function migrationsPerThousand(
  urlOf: () => Promise<string | undefined>,
): Promise<readonly [number, number]> {
  const times: number[] = []
  for (const each of thousands) {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-bench-'))
    const url = await urlOf()
    await using database =
      url === undefined ? openSqlite(path.join(folder.path, 'waypost.db')) : openPostgresql(url, () => undefined)
    times.push((await timeOf(database, each * 1_000)) / each)
  }
  return [times[0] ?? 0, times[1] ?? 0]
}
