/** Keys of tables contain the application: rows of two applications never meet. Every table is filled before. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { engines } from '@waypost/testing/engines'
import { emptyPostgres } from '@waypost/testing/peers/test-stores'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, Row, Value } from '../../src/engine/database.ts'
import { openPostgresql } from '../../src/engine/postgresql.ts'
import { openSqlite } from '../../src/engine/sqlite.ts'
import { migrate } from '../../src/migrations/migrate.ts'
import { type Catalogue, type CatalogueTable, installationTables, readCatalogue } from './catalogue.ts'

const now = 1_760_000_000_000
/** Rows per table; the first half belongs to one application, the rest to another. */
const rowCount = 6

const applicationOf = (row: number): number => Math.floor((row * 2) / rowCount)

/** The tables of applications, parents first. */
function inOrder(catalogue: Catalogue): CatalogueTable[] {
  const ordered = new Set<CatalogueTable>()
  const visit = (table: CatalogueTable): void => {
    for (const reference of table.references) {
      const parent = catalogue.get(reference.table)
      if (parent && !ordered.has(parent)) visit(parent)
    }
    ordered.add(table)
  }
  for (const table of catalogue.values()) visit(table)
  return [...ordered].filter(({ name }) => installationTables[name] === undefined)
}

/** There is one row for each application. */
const isOfApplication = ({ uniqueKeys }: CatalogueTable): boolean =>
  [...uniqueKeys.values()].some((columns) => columns.join() === 'application_id')

/** A value for every column, different in each row; references have the value of the referenced row. */
function rowOf(table: CatalogueTable, row: number, made: Map<string, Row[]>): Row {
  const values: Record<string, Value> = {}
  for (const { name, type, generated } of table.columns) {
    if (generated) continue
    if (name === 'application_id') values[name] = `id-${isOfApplication(table) ? row : applicationOf(row)}`
    else values[name] = type === 'text' ? `${name}-${row}` : row + 1
  }
  if (table.name === 'applications') values.id = `id-${row}`
  for (const { columns, table: parent, to } of table.references) {
    if (parent === 'applications') continue
    for (const [index, column] of columns.entries()) values[column] = made.get(parent)?.[row]?.[to[index] ?? ''] ?? null
  }
  return values
}

async function fill(database: Database, catalogue: Catalogue): Promise<void> {
  const made = new Map<string, Row[]>()
  for (const table of inOrder(catalogue)) {
    const rows = Array.from({ length: rowCount }, (_, row) => rowOf(table, row, made))
    made.set(table.name, rows)
    for (const row of rows) await insert(database, table.name, row)
  }
}

const insert = (database: Database, table: string, row: Row): Promise<number> => {
  const names = Object.keys(row)
  const places = names.map((_, index) => `$${index + 1}`).join(', ')
  return database.run(sql('', `insert into ${table} (${names.join(', ')}) values (${places})`), Object.values(row))
}

/** The number of rows of every table. */
async function counts(database: Database, catalogue: Catalogue): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const { name } of inOrder(catalogue))
    found.set(name, (await database.get(sql<{ n: number }>('', `select count(*) as n from ${name}`)))?.n ?? 0)
  return found
}

describe.each(engines)('on %s', (engine) => {
  const held = new AsyncDisposableStack()
  let database: Database
  let catalogue: Catalogue
  beforeAll(async () => {
    if (engine === 'sqlite') {
      const folder = held.use(await mkdtempDisposable(path.join(tmpdir(), 'waypost-keys-')))
      database = held.use(openSqlite(path.join(folder.path, 'waypost.db')))
    } else database = held.use(openPostgresql(await emptyPostgres(), () => undefined))
    await migrate(database, now)
    catalogue = await readCatalogue(database)
    await fill(database, catalogue)
  })
  afterAll(() => held.disposeAsync())

  test('a grant is deleted with only its own rows', async () => {
    await database.run(sql('', `delete from grants where id = 'id-0'`))
    const ofGrants = new Set(['grants'])
    for (const table of inOrder(catalogue)) {
      if (table.references.some((reference) => ofGrants.has(reference.table))) ofGrants.add(table.name)
    }
    expect(ofGrants.size).toBeGreaterThan(25)
    for (const [name, left] of await counts(database, catalogue)) {
      expect({ name, left }).toEqual({ name, left: ofGrants.has(name) ? rowCount - 1 : rowCount })
    }
  })

  test('two applications can use the same key, but one cannot use it twice', async () => {
    // Children first: a reference to a row of the first application finds none of the second.
    for (const table of inOrder(catalogue).toReversed()) {
      const { name, columns, references } = table
      if (name === 'applications' || isOfApplication(table)) continue
      if (['notifications', 'deliveries', 'delivery_attempts'].includes(name)) continue
      const [row] = await database.all(sql<Row>('', `select * from ${name} where application_id = 'id-1' limit 1`))
      if (!row) throw new Error(`no row of ${name}`)
      expect(columns.length).toBeGreaterThan(1)
      await expect(insert(database, name, row), name).rejects.toThrow(/unique/i)
      const isChild = references.some(({ table }) => table !== 'applications')
      const copy = insert(database, name, { ...row, application_id: 'id-2' })
      if (isChild) await expect(copy, name).rejects.toThrow(/foreign key/i)
      else expect(await copy, name).toBe(1)
    }
  })
})
