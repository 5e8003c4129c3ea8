/** Fills a store with few statements to the size that a service would have after months. */
import type { Database } from '@waypost/store/engine/database'
import { dayMs, dayOf, makePartitions, positionsPerDay } from '@waypost/store/tables/notifications/day-partitions'
import { sql } from '@waypost/testing/statement'

export interface Sizes {
  grants: number
  destinations: number
  notifications: number
  events: number
  applications: number
}

/** The rows to copy. */
export interface Place {
  applicationId: string
  grantId: string
  webhookId: string
  eventId: string
  now: number
}

const atOnce = 50_000
/** Days of stored data before today; data older than a week is expired. */
export const retainedDays = 6

/** Numbers from `from` to `to`, exclusive. */
const numbers = (from: number, to: number): string =>
  `with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n < ${to - 1})`

async function inPieces(count: number, write: (numbers: string) => Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += atOnce) await write(numbers(from, Math.min(count, from + atOnce)))
}

const columnsOf = {
  sqlite: (table: string) => `select name from pragma_table_info('${table}')`,
  postgresql: (table: string) =>
    `select column_name as name from information_schema.columns where table_name = '${table}' order by ordinal_position`,
}

/** Copies a row of a table with some columns changed. */
export async function copyRow(
  database: Database,
  { table, where, changes, count }: { table: string; where: string; changes: Record<string, string>; count: number },
): Promise<void> {
  const rows = await database.all(sql<{ name: string }>('', columnsOf[database.engine](table)))
  const columns = rows.map(({ name }) => name)
  const values = columns.map((name) => changes[name] ?? `o.${name}`)
  await inPieces(count, (list) =>
    database.execute(
      `insert into ${table} (${columns.join(', ')}) ${list} select ${values.join(', ')} from ${table} o, numbers where ${where}`,
    ),
  )
}

/**
 * Notifications over several days, one in five with a logged attempt. On PostgreSQL their positions begin with the
 * day.
 */
async function seedNotifications(database: Database, at: Place, count: number): Promise<void> {
  const first = dayOf(at.now) - retainedDays
  await makePartitions(database, first, retainedDays + 2)
  const time = `${first * dayMs} + cast(n as bigint) * ${Math.floor((retainedDays * dayMs) / count)}`
  const isSqlite = database.engine === 'sqlite'
  // Moves the notifications of the copied event behind the old ones.
  if (isSqlite) {
    await database.execute(
      `update notifications set position = position + 900000 where position < 1000;
       update deliveries set notification = notification + 900000 where webhook_id = '${at.webhookId}'`,
    )
  }
  const position = isSqlite ? '1000000 + n' : `(${time}) / ${dayMs} * ${positionsPerDay} + 1 + n`
  await inPieces(count, (list) =>
    database.execute(
      `insert into notifications
       (position, id, application_id, grant_id, sequence, type, source, bytes, created_at, sealed_payload)
       ${list} select ${position}, 'seed-' || n, '${at.applicationId}', '${at.grantId}', n, 'event.created', '/bench', 100,
       ${time}, 'seed' from numbers;
       insert into delivery_attempts (application_id, notification, webhook_id, attempt, at, latency_ms, status)
       ${list} select '${at.applicationId}', ${position}, '${at.webhookId}', 1, ${time}, 5, 200 from numbers where n % 5 = 0`,
    ),
  )
  if (!isSqlite) await database.execute(`select setval('notification_positions', ${count + 1})`)
}

/** Old notifications, to be removed. */
export async function seedOld(database: Database, at: Place, count: number): Promise<void> {
  const day = dayOf(at.now) - 20
  await makePartitions(database, day, 0)
  const isSqlite = database.engine === 'sqlite'
  const base = isSqlite ? '1000 + n' : `cast(${day} as bigint) * ${positionsPerDay} + 1 + n`
  await inPieces(count, (list) =>
    database.execute(
      `insert into notifications
       (position, ${isSqlite ? '' : 'transaction_number, '}id, application_id, grant_id, sequence, type, source, bytes, created_at, sealed_payload)
       ${list} select ${base}, ${isSqlite ? '' : '1, '}'old-' || n, '${at.applicationId}', '${at.grantId}', n, 'event.created', '/bench', 100,
       ${day * dayMs}, 'seed' from numbers`,
    ),
  )
}

/** Fills a store: the application of `at` owns nearly all rows, and there are many other applications. */
export async function seed(database: Database, at: Place, sizes: Sizes): Promise<void> {
  const id = (table: string): string => `'${table}-' || n`
  await copyRow(database, {
    table: 'applications',
    where: `o.id = '${at.applicationId}'`,
    changes: {
      id: id('app'),
      name_key: id('bench'),
      created_at: 'o.created_at + n',
      // Marks the copy as checked since its creation.
      checked_revision: 'o.asked_revision',
    },
    count: sizes.applications,
  })
  await database.execute(
    `insert into application_names (part, application_id)
     with recursive ends (application_id, rest) as (
       select id, name_key from applications where id like 'app-%'
       union all select application_id, substr(rest, 2) from ends where length(rest) > 1)
     select rest, application_id from ends;
     update applications set checked_revision = asked_revision`,
  )
  await copyRow(database, {
    table: 'grants',
    where: `o.application_id = '${at.applicationId}' and o.id = '${at.grantId}'`,
    changes: {
      id: id('grant'),
      email_key: `'person' || n || '@seeded.example'`,
      external_id: 'null',
      created_at: 'o.created_at - n',
      updated_at: 'o.updated_at - n',
      // One in twenty is watched: watchers count and distribute these rows, but no server has their accounts.
      watched: 'case when n % 20 = 0 then 1 else 0 end',
      shard: 'n % 256',
      document: `replace(o.document, o.id, ${id('grant')})`,
    },
    count: sizes.grants,
  })
  const { grants, applicationId } = { ...sizes, ...at }
  await database.execute(
    `insert into application_counts (application_id, name, id, amount)
     values ('${applicationId}', 'grants/virtual-calendar/valid/0', 'seed', ${grants})`,
  )
  // Destinations of other applications, each waiting for a retry in the far future.
  await copyRow(database, {
    table: 'webhooks',
    where: `o.application_id = '${applicationId}' and o.id = '${at.webhookId}'`,
    changes: {
      id: id('hook'),
      application_id: `'app-' || (n % ${sizes.applications})`,
      webhook_url: `o.webhook_url || n`,
    },
    count: sizes.destinations,
  })
  await database.execute(
    `insert into delivery_leases (webhook_id, application_id, owner, epoch, lease_until, judge_at, retry_at)
     ${numbers(0, sizes.destinations)} select 'hook-' || n, 'app-' || (n % ${sizes.applications}), null, 1, 0, null,
     ${at.now + 300 * dayMs} from numbers;
     insert into deliveries (webhook_id, application_id, notification, state, attempts, tries, due_at, bytes)
     ${numbers(0, sizes.destinations)} select 'hook-' || n, 'app-' || (n % ${sizes.applications}), 1 + n, 'waiting', 1, 1,
     ${at.now + 300 * dayMs}, 1 from numbers`,
  )
  await copyRow(database, {
    table: 'events',
    where: `o.application_id = '${applicationId}' and o.id = '${at.eventId}'`,
    changes: {
      id: id('event'),
      ical_uid: id('uid'),
      start_at: 'o.start_at + cast(n as bigint) * 3600000',
      end_at: 'o.end_at + cast(n as bigint) * 3600000',
      document: `replace(o.document, o.id, ${id('event')})`,
    },
    count: sizes.events,
  })
  await seedNotifications(database, at, sizes.notifications)
  if (database.engine === 'postgresql') await database.execute('analyze')
}
