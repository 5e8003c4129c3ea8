/**
 * Every tenant table can be distributed by its application. The catalogs of both engines are checked against the
 * rules of a hash-sharded PostgreSQL (Citus): the column is in every unique key, and at the same position on both
 * sides of every reference between such tables.
 */

import { engines } from '@waypost/testing/engines'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Catalogue,
  type CatalogueTable,
  distributedBy,
  installationTables,
  readCatalogue,
} from '../../../../store/test/statements/catalogue.ts'
import { openService } from '../../harness.ts'

describe.each(engines)('the tables on %s', (engine) => {
  let catalogue: Catalogue
  let tenants: CatalogueTable[]
  beforeAll(async () => {
    await using service = await openService({ engine })
    catalogue = await readCatalogue(service.services.storage.database)
    tenants = [...catalogue.values()].filter(({ name }) => installationTables[name] === undefined)
  })

  test('belong to an application, or to the installation with a reason', () => {
    expect(tenants.length).toBeGreaterThan(40)
    expect([...catalogue.keys()]).toEqual(expect.arrayContaining(Object.keys(installationTables)))
    for (const { name, columns } of tenants) {
      const column = columns.find((one) => one.name === distributedBy(name))
      expect({ name, column }).toMatchObject({ name, column: { type: 'text', required: true } })
    }
  })

  test('of an application have it in every unique key', () => {
    for (const { name, uniqueKeys } of tenants) {
      expect({ name, keys: uniqueKeys.size }).not.toEqual({ name, keys: 0 })
      const without = [...uniqueKeys].filter(([, columns]) => !columns.includes(distributedBy(name)))
      expect({ name, without }).toEqual({ name, without: [] })
    }
  })

  test('of an application refer to others by it, at the same position on both sides', () => {
    let count = 0
    for (const { name, references } of tenants) {
      for (const { columns, table, to } of references) {
        if (installationTables[table] !== undefined) continue
        count++
        const place = columns.indexOf(distributedBy(name))
        expect({ name, table, columns, to, holds: place >= 0 && to[place] === distributedBy(table) }).toMatchObject({
          holds: true,
        })
      }
    }
    expect(count).toBeGreaterThan(35)
  })

  test('of the installation do not refer to those of an application', () => {
    const own = [...catalogue.values()].filter(({ name }) => installationTables[name] !== undefined)
    const outward = own.flatMap(({ name, references }) => references.map(({ table }) => ({ name, table })))
    expect(outward.length).toBeGreaterThan(0)
    expect(outward.filter(({ table }) => installationTables[table] === undefined)).toEqual([])
  })
})
