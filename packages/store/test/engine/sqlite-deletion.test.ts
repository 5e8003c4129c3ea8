/** What was deleted is no longer in the file: neither in free pages nor in free parts of pages. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { sql } from '../../src/engine/database.ts'
import { openSqlite } from '../../src/engine/sqlite.ts'

const insert = sql('guests.insert')`insert into guests values ($1, $2)`
const update = sql('guests.update')`update guests set d = $2 where id = $1`
const remove = sql('guests.remove')`delete from guests where id <> $1`

test('the content of deleted and changed rows is overwritten, also in pages that nothing uses any more', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'deletion-'))
  const file = path.join(folder, 'waypost.db')
  const secret = (index: number): string => `guest-${index}@deleted.example`
  try {
    {
      await using database = openSqlite(file)
      await database.execute('create table guests (id integer primary key, d text); create index by_d on guests (d)')
      for (let index = 0; index < 300; index++) {
        // Long texts have pages of their own.
        await database.run(insert, [index, secret(index).repeat(index % 3 === 0 ? 400 : 1)])
      }
      await database.run(update, [0, 'nobody'])
      await database.run(remove, [0])
    }
    // The log is moved into the file when the last connection closes.
    const reading = new DatabaseSync(file)
    expect(reading.prepare('select count(*) as n from guests').get()?.n).toBe(1)
    expect(Number(reading.prepare('pragma freelist_count').get()?.freelist_count)).toBeGreaterThan(10)
    reading.close()
    const content = (await readFile(file)).toString('latin1')
    expect(content).toContain('nobody')
    expect(content).not.toContain('@deleted.example')
  } finally {
    await rm(folder, { recursive: true })
  }
})
