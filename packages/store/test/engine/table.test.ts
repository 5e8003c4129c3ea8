/** Tables that are declared once: their columns, and statements whose parameters have names. */
import { expect, expectTypeOf, test } from 'vitest'
import { named, nullable, number, type RowOf, table, text, word } from '../../src/engine/table.ts'

const rooms = table('rooms', { id: text, kind: word<'large' | 'small'>(), seats: number, note: nullable(text) })

test('a table has the type of its rows', () => {
  type Room = { id: string; kind: 'large' | 'small'; seats: number; note: string | null }
  expectTypeOf<RowOf<typeof rooms>>().toEqualTypeOf<Room>()
})

test('an insert has a parameter for each column, in order', () => {
  const [statement, values] = rooms.insert('id')({ note: null, seats: 4, kind: 'small', id: 'a' })
  expect(statement).toMatchObject({ name: 'rooms.insert', writes: ['rooms'] })
  expect(statement.text).toBe(
    'insert into rooms (id, kind, seats, note) values ($1, $2, $3, $4) on conflict (id) do nothing',
  )
  expect(values).toEqual(['a', 'small', 4, null])
})

test('a parameter that a text names twice has one position, and casts stay', () => {
  const update = named<{ id: string; seats: number }>('rooms.grow')`
    update rooms set ${rooms.set('seats')} where id = :id and seats::text < :seats::text`
  const [{ text }, values] = update({ id: 'a', seats: 6 })
  expect(text).toBe('update rooms set seats = $1 where id = $2 and seats::text < $1::text')
  expect(values).toEqual([6, 'a'])
})

test('a name without a value is refused', () => {
  const remove = named<Record<string, string>>('rooms.remove')`delete from rooms where id = :idd`
  expect(() => remove({ id: 'a' })).toThrow('rooms.remove needs a value for idd')
})

test('short statements have the name of their table', () => {
  const byKind = rooms.select('byKind')`where kind = $1`
  expect(byKind).toMatchObject({
    name: 'rooms.byKind',
    text: 'select id, kind, seats, note from rooms where kind = $1',
    writes: [],
  })
  expectTypeOf(byKind.row).toEqualTypeOf<RowOf<typeof rooms> | undefined>()
  expect(rooms.count('ofKind')`where kind = $1`.text).toBe('select count(*) as n from rooms where kind = $1')
  const grow = rooms.update('grow')`set seats = seats + 1 where id = $1`
  expect(grow).toMatchObject({ text: 'update rooms set seats = seats + 1 where id = $1', writes: ['rooms'] })
  const remove = rooms.delete('remove')`where id = $1`
  expect(remove).toMatchObject({ name: 'rooms.remove', text: 'delete from rooms where id = $1', writes: ['rooms'] })
})

test('an upsert replaces all columns but the key', () => {
  const [{ name, text }, values] = rooms.upsert('save', 'id, kind')({ id: 'a', kind: 'small', seats: 4, note: null })
  expect(name).toBe('rooms.save')
  expect(text.replaceAll(/\s+/g, ' ')).toBe(
    'insert into rooms (id, kind, seats, note) values ($1, $2, $3, $4) on conflict (id, kind) do update set seats = excluded.seats, note = excluded.note',
  )
  expect(values).toEqual(['a', 'small', 4, null])
})
