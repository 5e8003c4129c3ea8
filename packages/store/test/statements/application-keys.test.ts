/**
 * A store with data gets keys that contain the application, and loses nothing: every table is filled before, and
 * compared.
 */
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
import { migrate, migrations } from '../../src/migrations/migrate.ts'
import { type Catalogue, type CatalogueTable, installationTables, readCatalogue } from './catalogue.ts'

const now = 1_760_000_000_000
const target = migrations.findIndex(({ name }) => name === 'application-keys')
const before = migrations.slice(0, target)
const after = migrations.slice(0, target + 1)
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

const textOf = (row: Row): string => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The sorted rows of every table, as text. */
async function contents(database: Database, catalogue: Catalogue): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const { name, columns } of inOrder(catalogue)) {
    const names = columns.filter((one) => name !== 'nudges' || one.name !== 'application_id').map((one) => one.name)
    const rows = await database.all(sql<Row>('', `select ${names.join(', ')} from ${name}`))
    found.set(name, rows.map(textOf).toSorted())
  }
  return found
}

describe.each(engines)('on %s', (engine) => {
  const held = new AsyncDisposableStack()
  let database: Database
  let former: { catalogue: Catalogue; rows: Map<string, string[]> }
  let catalogue: Catalogue
  beforeAll(async () => {
    if (engine === 'sqlite') {
      const folder = held.use(await mkdtempDisposable(path.join(tmpdir(), 'waypost-keys-')))
      database = held.use(openSqlite(path.join(folder.path, 'waypost.db')))
    } else database = held.use(openPostgresql(await emptyPostgres(), () => undefined))
    await migrate(database, now, { migrations: before, changes: [] })
    const first = await readCatalogue(database)
    await fill(database, first)
    former = { catalogue: first, rows: await contents(database, first) }
    expect(await migrate(database, now, { migrations: after, changes: [] })).toEqual(['application-keys'])
    catalogue = await readCatalogue(database)
  })
  afterAll(() => held.disposeAsync())

  test('every row of every table is unchanged', async () => {
    const filled = [...former.rows].filter(([, rows]) => rows.length !== rowCount)
    expect(filled).toEqual([])
    expect(await contents(database, former.catalogue)).toEqual(former.rows)
  })

  test('a row without an application gets the application of its grant', async () => {
    const nudges = await database.all(
      sql<Row>('', 'select n.application_id, g.application_id as of from nudges n join grants g on g.id = n.grant_id'),
    )
    expect(nudges).toHaveLength(rowCount)
    for (const row of nudges) expect(row.application_id).toBe(row.of)
  })

  test('no table has more columns or indexes than before, except for the application', () => {
    expect([...catalogue.keys()].sort()).toEqual([...former.catalogue.keys()].sort())
    for (const [name, table] of catalogue) {
      const known = former.catalogue.get(name)
      const columns = (of: CatalogueTable | undefined) =>
        of?.columns
          .filter((one) => name !== 'nudges' || one.name !== 'application_id')
          .map((one) => `${one.name} ${one.type}`)
          .sort()
      expect({ name, columns: columns(table) }).toEqual({ name, columns: columns(known) })
      expect({ name, indexes: table.indexes.size }).toEqual({ name, indexes: known?.indexes.size })
    }
  })

  test('a grant is deleted with only its own rows', async () => {
    await database.run(sql('', `delete from grants where id = 'id-0'`))
    const rows = await contents(database, former.catalogue)
    const ofGrants = new Set(['grants'])
    for (const table of inOrder(catalogue)) {
      if (table.references.some((reference) => ofGrants.has(reference.table))) ofGrants.add(table.name)
    }
    expect(ofGrants.size).toBeGreaterThan(25)
    for (const [name, left] of rows) {
      expect({ name, left: left.length }).toEqual({ name, left: ofGrants.has(name) ? rowCount - 1 : rowCount })
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
