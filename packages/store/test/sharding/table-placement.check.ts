/** Every table has its place in a distributed store, and the references between tables are those that Citus accepts. */

import { migratedDatabase } from '@waypost/testing/peers/database-url'
import { beforeAll, describe, expect, test } from 'vitest'
import { openPostgresql } from '../../src/engine/postgresql.ts'
import { givenUpReferences, tablePlacement } from '../../src/sharding/table-placement.ts'
import { type Catalogue, readCatalogue } from '../statements/catalogue.ts'

describe('the place of tables on Citus', () => {
  let catalogue: Catalogue
  beforeAll(async () => {
    await using store = await migratedDatabase()
    await using database = openPostgresql(store.url, () => undefined)
    catalogue = await readCatalogue(database)
  })
  const placementOf = (table: string): string => tablePlacement[table]?.placement ?? 'missing'

  test('every table has one, with a reason, and no other table is named', () => {
    expect(Object.keys(tablePlacement).sort()).toEqual([...catalogue.keys()].sort())
    for (const { why } of Object.values(tablePlacement)) expect(why.length).toBeGreaterThan(10)
  })

  test('a distributed table has the application in its primary key and in every unique key', () => {
    const distributed = [...catalogue.values()].filter(({ name }) => placementOf(name) === 'distributed')
    expect(distributed.length).toBeGreaterThan(35)
    for (const { name, uniqueKeys } of distributed) {
      const without = [...uniqueKeys].filter(([, columns]) => !columns.includes('application_id'))
      expect({ name, without }).toEqual({ name, without: [] })
    }
  })

  test('a table refers only to tables that Citus allows, except for references that are given up', () => {
    const allowed: Record<string, string[]> = {
      distributed: ['distributed', 'reference'],
      reference: ['reference'],
      coordinator: ['coordinator', 'reference'],
      local: ['local'],
    }
    const forbidden = [...catalogue.values()].flatMap(({ name, references }) =>
      references
        .filter(({ table }) => !allowed[placementOf(name)]?.includes(placementOf(table)))
        .map(({ table }) => ({ table: name, to: table })),
    )
    expect(forbidden).toEqual(givenUpReferences.map(({ table, to }) => ({ table, to })))
  })
})
