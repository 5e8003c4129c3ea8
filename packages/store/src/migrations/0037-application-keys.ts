/**
 * Every key of a tenant's table contains the application: primary keys, unique keys and foreign keys. So a PostgreSQL
 * that distributes tables over machines by a column (Citus) can use the application. It is the last column of each
 * key, so that existing lookups by the columns before it still work.
 *
 * PostgreSQL rebuilds the indexes of the keys and leaves the rows in place; SQLite copies the tables.
 */
import type { Engine } from '../engine/database.ts'
import { accounts } from './0037-application-keys/accounts.ts'
import { calendars } from './0037-application-keys/calendars.ts'
import type { KeyedTable, UniqueKey } from './0037-application-keys/keyed-table.ts'
import { mail } from './0037-application-keys/mail.ts'
import { telling } from './0037-application-keys/telling.ts'

/** Tables come before those that refer to them. */
const tables: readonly KeyedTable[] = [...accounts, ...telling, ...calendars, ...mail]

const each = (part: (table: KeyedTable) => string | readonly string[]): string =>
  tables
    .flatMap(part)
    .map((statement) => `${statement};`)
    .join('\n')

const uniqueIndex = (table: string, { name, columns, where }: UniqueKey): string =>
  `create unique index ${name} on ${table} (${columns}, application_id)${where === undefined ? '' : ` where ${where}`}`

const parentOf = ({ parent }: KeyedTable): string[] =>
  parent === undefined
    ? []
    : [
        `foreign key (${parent.columns}, application_id) references ${parent.table} (${parent.key}, application_id) on delete cascade`,
      ]

const namesOf = ({ columns }: KeyedTable): string[] =>
  columns.split(',').map((column) => column.trim().split(' ')[0] ?? '')

function sqliteTable(table: KeyedTable): string {
  const unique = (table.uniqueAlready ?? []).map((columns) => `unique (${columns})`)
  const parts = [table.columns, `primary key (${table.key}, application_id)`, ...unique, ...parentOf(table)]
  return `create table ${table.name} (\n  ${parts.join(',\n  ')}\n)`
}

function sqliteCopy(table: KeyedTable): string {
  const names = namesOf(table)
  const values = names.map((name) => (name === 'application_id' ? (table.application ?? name) : name))
  return `insert into ${table.name} (${names.join(', ')}) select ${values.join(', ')} from former_${table.name} as former`
}

/**
 * The old tables are dropped from last to first, so that no other table refers to them and nothing else is deleted.
 */
const inSqlite = (): string => `
${each(({ name }) => `alter table ${name} rename to former_${name}`)}
${each(sqliteTable)}
${each(sqliteCopy)}
${tables
  .toReversed()
  .map(({ name }) => `drop table former_${name};`)
  .join('\n')}
${each((table) => [
  ...(table.unique ?? []).map((key) => uniqueIndex(table.name, key)),
  ...(table.indexes ?? []).map((index) => `create ${index}`),
])}
`

const formerUnique = ({ name, unique = [] }: KeyedTable): string[] =>
  unique.map((key) =>
    key.former === undefined ? `drop index ${key.name}` : `alter table ${name} drop constraint ${key.former}`,
  )

const addedApplication = ({ name, application }: KeyedTable): string[] =>
  application === undefined
    ? []
    : [
        `alter table ${name} add column application_id text`,
        `update ${name} as former set application_id = ${application}`,
        `alter table ${name} alter column application_id set not null`,
      ]

/** Dropping a primary key also drops the foreign keys that refer to it. */
const inPostgresql = (): string => `
set local statement_timeout = 0;
${each(addedApplication)}
${each(({ name }) => `alter table ${name} drop constraint ${name}_pkey cascade`)}
${each(formerUnique)}
${each(({ name, key }) => `alter table ${name} add primary key (${key}, application_id)`)}
${each((table) => (table.unique ?? []).map((key) => uniqueIndex(table.name, key)))}
${each((table) => parentOf(table).map((reference) => `alter table ${table.name} add ${reference}`))}
`

/**
 * Deleting a grant deletes its `grant_events`. Without this index, SQLite would search all events of the application,
 * because it considers the index that starts with the application equally good.
 */
const eventsOfGrant = `
drop index grant_events_by_grant;
create index grant_events_by_grant on grant_events (grant_id, application_id, at, id);
`

export const applicationKeys = (engine: Engine): string =>
  (engine === 'sqlite' ? inSqlite() : inPostgresql()) + eventsOfGrant
