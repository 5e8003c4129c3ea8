/** Every text column is in the table of docs/security.md, and is what that table says. */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { schemaScripts } from '../../src/migrations/migrate.ts'
import { dataSealedColumns, sealedColumns } from '../../src/sealing/sealed-values.ts'

const document = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8')
const kinds = ['names', 'hashed', 'sealed', 'clear'] as const
type Kind = (typeof kinds)[number]

/** `table.column` with its documented protection. */
const reported = document
  .split(/^## /m)
  .find((section) => section.startsWith('What the store holds'))
  ?.split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => {
    const [table = '', ...cells] = line.split('|').slice(1, -1)
    return cells.flatMap((cell, index) =>
      // In the last cell the words after a column may name values of it.
      Array.from(cell.replace(/\(.*?\)/g, '').matchAll(/`(\w+)`/g), ([, column]): [string, Kind] => [
        `${table.replaceAll(/[` ]/g, '')}.${column}`,
        kinds[index] ?? 'clear',
      ]),
    )
  })

function textColumns(): string[] {
  const database = new DatabaseSync(':memory:')
  for (const script of schemaScripts('sqlite')) database.exec(script)
  const rows = database
    .prepare(
      `select m.name || '.' || c.name as name from sqlite_master m join pragma_table_info(m.name) c
       where m.type = 'table' and m.name not like 'sqlite_%' and lower(c.type) = 'text'`,
    )
    .all()
  return rows.map(({ name }) => String(name))
}

test('every text column of a migrated store is documented once, and no other', () => {
  const names = (reported ?? []).map(([name]) => name)
  expect(names.toSorted()).toEqual(textColumns().toSorted())
})

test('encrypted columns are documented as such, and no others', () => {
  const sealed = [...sealedColumns, ...dataSealedColumns].map(({ table, column }) => `${table}.${column}`)
  const reportedSealed = (reported ?? []).filter(([, kind]) => kind === 'sealed').map(([name]) => name)
  expect(reportedSealed.toSorted()).toEqual([...new Set(sealed)].toSorted())
  for (const [name, kind] of reported ?? []) {
    expect({ name, sealed: kind === 'sealed' }).toEqual({ name, sealed: name.includes('.sealed_') })
    if (name.includes('hash')) expect({ name, kind }).toEqual({ name, kind: 'hashed' })
  }
})
